use dem_contact::force::ContactForce;
use dem_contact::law::{
    Damping, FrictionSpring, Frictionless, Hertz, Hooke, LawTable, Laws, MindlinSpring, Rolling, SpringSlider,
};
use dem_contact::neighbor::{Domain, NeighborList};
use rrp_integrate::{Bodies, FieldError, ForceField, Gravity, State, Wrenches};

use super::{Bed, SKIN};

/// Forces in a bed: contacts, and gravity if there is any.
pub(super) struct Field {
    pub(super) contacts: ContactForce,
    gravity: Option<Gravity>,
}

impl Field {
    pub(super) fn of(bed: &Bed, law: &str) -> Result<Self, FieldError> {
        let list = NeighborList::new(Domain::new(bed.low, bed.high, bed.boundary)?, SKIN)?;
        let stiffness = 2.0e5;
        let modulus = 6.0e6;
        let gamma = 50.0;
        let friction = 0.5;
        let hooke = Hooke::new(stiffness, Damping::coefficient(gamma)?)?;
        let spring = FrictionSpring::new(2.0 / 7.0 * stiffness, 0.0, friction)?;
        let contacts = match law {
            "hooke" => ContactForce::new(list, Laws::of(Hooke::new(stiffness, Damping::NONE)?, Frictionless)),
            "hertz" => ContactForce::new(list, Laws::of(Hertz::new(modulus, Damping::NONE)?, Frictionless)),
            "hh" => ContactForce::new(list, Laws::of(hooke, spring)),
            "hu" => ContactForce::new(list, Laws::of(hooke, spring)).for_unequal_radii(),
            "hz" => {
                let hertz = Hertz::new(modulus, Damping::NONE)?.with_growing_damping(gamma)?;
                let spring = MindlinSpring::new(2.0 / 7.0 * modulus, 0.0, friction)?;
                ContactForce::new(list, Laws::of(hertz, spring))
            }
            "hr" => {
                let rolling = Rolling::new(spring, SpringSlider::new(1e4, 10.0, 0.1)?);
                let rolling = rolling.with_twisting(SpringSlider::new(1e3, 1.0, 0.1)?);
                ContactForce::new(list, Laws::of(hooke, rolling))
            }
            "hm" => {
                let laws = LawTable::new(2, |_, _| Ok(Laws::of(hooke, spring)))?;
                ContactForce::by_material(list, laws, (0..bed.bodies.len()).map(|i| (i % 2) as u16))?
            }
            _ => return Err(format!("there is no law {law}").into()),
        };
        let gravity = (bed.gravity != rrp_geom::glam::DVec3::ZERO).then_some(Gravity { acceleration: bed.gravity });
        Ok(Self { contacts, gravity })
    }
}

impl ForceField for Field {
    fn accumulate(
        &mut self,
        bodies: &Bodies,
        state: &State,
        elapsed: f64,
        out: &mut Wrenches,
    ) -> Result<(), FieldError> {
        self.contacts.accumulate(bodies, state, elapsed, out)?;
        self.gravity.as_mut().map_or(Ok(()), |gravity| gravity.accumulate(bodies, state, elapsed, out))
    }

    fn commit(&mut self) {
        self.contacts.commit();
    }
}
