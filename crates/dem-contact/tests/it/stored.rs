//! What is read back from a store is checked like what is made.

use dem_contact::force::EnergyGuard;
use dem_contact::law::{
    CoulombViscous, Damping, Frictionless, Hertz, Hooke, Jkr, Material, Materials, PlasticHooke, SpringSlider, Viscous,
};
use dem_contact::neighbor::{Boundary, Domain, NeighborList};
use dem_contact::wall::Wall;
use rrp_geom::glam::DVec3;
use serde::de::DeserializeOwned;

use crate::support::open;

/// Stores `value`, changes `from` to `to` in the text, and reads that back.
fn altered<T: serde::Serialize + DeserializeOwned>(value: &T, from: &str, to: &str) -> Result<T, String> {
    let text = serde_json::to_string(value).unwrap();
    assert!(text.contains(from), "{text}");
    serde_json::from_str(&text.replace(from, to)).map_err(|error| error.to_string())
}

#[test]
fn nonsense_is_refused() {
    let hooke = Hooke::new(1e4, Damping::restitution(0.5).unwrap()).unwrap();
    assert_eq!(altered(&hooke, "0.5", "0.5").unwrap(), hooke);
    assert!(altered(&hooke, "10000.0", "-10000.0").unwrap_err().contains("positive"));
    assert!(altered(&hooke, "0.5", "1.5").unwrap_err().contains("restitution"));
    let hertz = Hertz::new(1e4, Damping::NONE).unwrap();
    assert!(altered(&hertz, "10000.0", "0.0").is_err());
    let jkr = Jkr::new(hertz, 0.25).unwrap();
    assert_eq!(altered(&jkr, "0.25", "0.25").unwrap(), jkr);
    assert!(altered(&jkr, "0.25", "-0.25").is_err() && altered(&jkr, "\"capped\":false", "\"capped\":true").is_err());
    let plastic = PlasticHooke::new(hooke, 4e3).unwrap();
    assert_eq!(altered(&plastic, "4000.0", "4000.0").unwrap(), plastic);
    assert!(altered(&plastic, "4000.0", "40000.0").unwrap_err().contains("at most"));
    assert!(altered(&Viscous::new(3.0).unwrap(), "3.0", "-3.0").is_err());
    let coulomb = CoulombViscous::new(3.0, 0.25).unwrap();
    assert!(altered(&coulomb, "3.0", "-3.0").is_err() && altered(&coulomb, "0.25", "-0.25").is_err());
    let domain = Domain::new(DVec3::ZERO, DVec3::splat(7.0), [Boundary::Periodic; 3]).unwrap();
    assert!(altered(&domain, "7.0", "-7.0").unwrap_err().contains("low < high"));
    assert!(altered(&NeighborList::new(domain, 0.125).unwrap(), "0.125", "0.0").is_err());
    let guard = EnergyGuard::new(open(hooke, Frictionless), 0.5, 77).unwrap();
    assert!(altered(&guard, "77", "0").is_err() && altered(&guard, "77", "78").is_ok());
    let materials = Materials::new([Material::new(1e7, 0.3, 0.75, 0.5); 2]).with_pair(1, 0, 0.625, 0.2).unwrap();
    assert!(altered(&materials, "0.625", "7.0").unwrap_err().contains("restitution"));
    assert!(altered(&materials, "[0,1]", "[0,2]").unwrap_err().contains("material"));
    assert_eq!(altered(&materials, "[0,1]", "[1,0]").unwrap(), materials);
    let resistance = SpringSlider::new(1e3, 0.0, 0.375).unwrap();
    let rolling = materials.with_rolling(1, 1, Some(resistance)).unwrap().with_twisting(0, 1, None).unwrap();
    assert_eq!(altered(&rolling, "", "").unwrap(), rolling);
    assert!(altered(&rolling, "0.375", "-0.375").is_err());
    assert!(altered(&rolling, "\"rolling\":[[[1,1]", "\"rolling\":[[[1,2]").unwrap_err().contains("material"));
    let walled = open(hooke, Frictionless).with_walls([Wall::plane(DVec3::ZERO, DVec3::Z)]).unwrap();
    assert!(altered(&walled, "1.0]", "0.5]").is_err());
}
