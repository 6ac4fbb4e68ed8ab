//! Tests of contacts that yield: restitution, pull-off, and their energies in the ledger.

use super::{Below, MEETINGS, Meeting, field};
use crate::prelude::*;

const UNLOADING: f64 = 4e4;
const LOADING: f64 = 1e4;

fn law(adhesion: f64) -> PlasticHooke {
    let unloading = Hooke::new(UNLOADING, Damping::NONE).unwrap();
    PlasticHooke::new(unloading, LOADING).unwrap().with_adhesion(adhesion).unwrap()
}

#[test]
fn the_restitution_is_the_root_of_the_stiffnesses_at_any_speed() {
    for (below, own) in MEETINGS {
        // Contacts with a tangential law, and without one.
        let frictionless = || open(law(0.0), Frictionless);
        for (speed, contacts) in
            [(0.05, field(law(0.0), 0.0, 0.0)), (0.5, field(law(0.0), 0.0, 0.0)), (0.5, frictionless())]
        {
            let mut meeting = Meeting::of(contacts, below, own);
            let upper = meeting.upper();
            meeting.state.position_mut().set(upper, DVec3::Z * (meeting.height + 1e-4));
            meeting.state.velocity_mut().set(upper, DVec3::NEG_Z * speed);
            let mut map = Explicit::new(Map::Verlet, 2e-5).unwrap();
            let start = meeting.ledger().balance();
            while meeting.gap() <= 1e-4 {
                map.step(&meeting.bodies, &mut meeting.field, &mut meeting.state).unwrap();
            }
            let after = meeting.state.velocity().get(upper).z;
            let ledger = meeting.ledger();
            let expected = (LOADING / UNLOADING).sqrt();
            println!("{below:?} at {speed} m/s: e = {}, {expected} expected", after / speed);
            assert!((after / speed - expected).abs() < 1e-3, "{}", after / speed);
            let lost = 0.5 * speed * speed * (1.0 - (after / speed).powi(2));
            assert!((ledger.dissipated / lost - 1.0).abs() < 1e-9, "{ledger:?} {lost}");
            assert!((ledger.balance() - start).abs() < 1e-12 * lost);
        }
    }
}

#[test]
fn unloading_pulls_as_far_as_adhesion_holds_and_the_dent_closes_along_it() {
    let adhesion = 5e3;
    // Contacts with a tangential law, and without one.
    for contacts in [field(law(adhesion), 0.0, 0.0), open(law(adhesion), Frictionless)] {
        unloads(Meeting::of(contacts, Below::Floor, 0.4), adhesion);
    }
}

fn unloads(mut meeting: Meeting, adhesion: f64) {
    let deepest = 1e-3;
    let steps = 1000;
    let mut force_at = |overlap: f64| meeting.press(-overlap, DVec3::ZERO, 1e-3).z;
    let along = |k: i32| deepest * f64::from(k) / f64::from(steps);
    for k in 1..=steps {
        let overlap = along(k);
        assert!((force_at(overlap) - LOADING * overlap).abs() < 1e-9, "{overlap}");
    }
    let dent = deepest * (1.0 - LOADING / UNLOADING);
    for k in (0..steps).rev() {
        let overlap = along(k);
        let expected = (UNLOADING * (overlap - dent)).max(-adhesion * overlap);
        assert!((force_at(overlap) - expected).abs() < 1e-9, "{overlap}");
    }
    // The dent is gone after sphere and floor have parted.
    assert!((force_at(1e-4) - LOADING * 1e-4).abs() < 1e-9);
}

#[test]
fn nonsense_is_refused() {
    let unloading = || Hooke::new(UNLOADING, Damping::NONE).unwrap();
    for loading in [0.0, -1.0, f64::NAN, 1.1 * UNLOADING] {
        let refused = PlasticHooke::new(unloading(), loading).unwrap_err().to_string();
        assert!(refused.contains("the stiffness of loading"), "{refused}");
    }
    assert!(PlasticHooke::new(unloading(), LOADING).unwrap().with_adhesion(-1.0).is_err());
    assert!(PlasticHooke::new(unloading().capped(), LOADING).unwrap_err().to_string().contains("capped"));
    assert!(law(0.0).range(0.5) <= 0.0);
}
