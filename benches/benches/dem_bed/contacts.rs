//! Contacts by the name of their law, and a bed's field of forces.

use dem_contact::{
    ContactForce, ContactLaw, Damping, DemError, Domain, Frictionless, Hertz, Hooke, NeighborList, PairLaws,
};
use dem_contact::{FrictionSpring, MindlinSpring, Rolling, SpringSlider, TangentialLaw};
use rrp_integrate::{Bodies, FieldError, ForceField, Gravity, Renumbering, State, Wrenches};

use super::{Bed, SKIN};

/// Contacts of some law.
pub(super) trait Contacts: ForceField + Send {
    fn list(&self) -> &NeighborList;

    fn renumber(&mut self, now: &Renumbering) -> Result<(), DemError>;
}

impl<L: ContactLaw, T: TangentialLaw> Contacts for ContactForce<L, T> {
    fn list(&self) -> &NeighborList {
        self.list()
    }

    fn renumber(&mut self, now: &Renumbering) -> Result<(), DemError> {
        self.renumber(now)
    }
}

fn boxed<L: ContactLaw + 'static, T: TangentialLaw + 'static>(
    list: NeighborList,
    laws: PairLaws<L, T>,
    count: usize,
) -> Result<Box<dyn Contacts>, FieldError> {
    let materials = laws.materials() as u16;
    let of_body = (0..count as u32).map(|i| (i % u32::from(materials)) as u16);
    Ok(Box::new(ContactForce::by_material(list, laws, of_body)?))
}

/// What acts in a bed: contacts, and gravity where there is any.
pub(super) struct Field {
    pub(super) contacts: Box<dyn Contacts>,
    gravity: Option<Gravity>,
}

impl Field {
    /// Contacts of a bed under the law of this name.
    pub(super) fn of(bed: &Bed, law: &str) -> Result<Self, FieldError> {
        let list = NeighborList::new(Domain::new(bed.low, bed.high, bed.boundary)?, SKIN)?;
        let (stiffness, modulus, gamma, friction) = (2.0e5, 6.0e6, 50.0, 0.5);
        let hooke = Hooke::new(stiffness, Damping::coefficient(gamma)?)?;
        let spring = FrictionSpring::new(2.0 / 7.0 * stiffness, 0.0, friction)?;
        let count = bed.bodies.len();
        let contacts = match law {
            "hooke" => boxed(list, PairLaws::uniform(Hooke::new(stiffness, Damping::NONE)?, Frictionless), count)?,
            "hertz" => boxed(list, PairLaws::uniform(Hertz::new(modulus, Damping::NONE)?, Frictionless), count)?,
            "hh" => boxed(list, PairLaws::uniform(hooke, spring), count)?,
            "hz" => {
                let hertz = Hertz::new(modulus, Damping::NONE)?.with_growing_damping(gamma)?;
                let spring = MindlinSpring::new(2.0 / 7.0 * modulus, 0.0, friction)?;
                boxed(list, PairLaws::uniform(hertz, spring), count)?
            }
            "hr" => {
                let rolling = Rolling::new(spring, SpringSlider::new(1e4, 10.0, 0.1)?);
                let rolling = rolling.with_twisting(SpringSlider::new(1e3, 1.0, 0.1)?);
                boxed(list, PairLaws::uniform(hooke, rolling), count)?
            }
            "hm" => boxed(list, PairLaws::new(2, |_, _| Ok((hooke, spring)))?, count)?,
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
