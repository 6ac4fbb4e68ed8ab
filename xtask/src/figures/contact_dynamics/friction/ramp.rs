//! Simulation of a pyramid of elastic spheres with frictional springs, whose weight grows slowly from zero.
use anyhow::{Context as _, Result};
use dem_contact::force::ContactForce;
use dem_contact::law::{Damping, FrictionSpring, Hooke, Laws};
use dem_contact::neighbor::{Domain, NeighborList};
use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, Body, Both, Explicit, FieldError, ForceField, Integrator, Map, State, Wrenches};

use super::slow_loading::{FrictionPile, KAPPA};

/// Schedule of the load in √(m/k): the time `rise` in which the weight grows from zero to its full value, and the time
/// `rest` at full weight.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ramp {
    pub(super) rise: f64,
    pub(super) rest: f64,
}

/// Time step of the elastic spheres in √(m/k), where m is the mass of a sphere and k the stiffness of a contact.
const STEP: f64 = 0.1;

/// Force field of a weight that grows over the time T as 1 − (1 − t/T)³; its rate vanishes at the end, so that the
/// pyramid is not shaken.
#[derive(Clone, Copy, Debug)]
struct GrowingWeight {
    duration: f64,
}

impl ForceField for GrowingWeight {
    fn accumulate(&mut self, bodies: &Bodies, state: &State, _: f64, out: &mut Wrenches) -> Result<(), FieldError> {
        let left = (1.0 - state.time() / self.duration).max(0.0);
        for (i, mass) in bodies.mass().iter().enumerate().filter(|(_, mass)| mass.is_finite()) {
            out.force.add(i, DVec3::NEG_Z * (mass * (1.0 - left.powi(3))));
        }
        Ok(())
    }
}

/// Simulates the pyramid of elastic spheres of this stiffness (m g/d) under the growing weight of `ramp`, and returns
/// the final force on the second sphere of each contact, in the world frame, in m g.
pub(super) fn settle(pile: &FrictionPile, stiffness: f64, friction: f64, ramp: Ramp) -> Result<Vec<DVec3>> {
    let fixed = pile.pyramid.fixed();
    let centre = pile.pyramid.centre();
    let body = |i| if i < fixed { Body::fixed(0.5) } else { Body::sphere(1.0, 0.5) };
    let bodies = Bodies::new((0..centre.len()).map(body))?;
    let mut state = State::at_rest(centre.len()).without_attitudes();
    // The pyramid is centred at the origin, so that coordinates lose as few digits as possible.
    let middle = 0.5 * ((fixed as f64).sqrt() - 1.0);
    for (i, &[x, y, z]) in centre.iter().enumerate() {
        state.position_mut().set(i, DVec3::new(x - middle, y - middle, z));
    }
    // Critical damping for two free spheres. Coefficients are per unit of the reduced mass 1/2.
    let damping = 2.0 * (2.0 * stiffness).sqrt();
    let law = Hooke::new(stiffness, Damping::coefficient(damping)?)?;
    let slip = FrictionSpring::new(KAPPA * stiffness, 0.5 * damping, friction)?;
    let contacts = ContactForce::new(NeighborList::new(Domain::OPEN, 0.05)?, Laws::of(law, slip));
    let unit = stiffness.sqrt().recip();
    let mut field = Both(contacts, GrowingWeight { duration: ramp.rise * unit });
    let mut map = Explicit::new(Map::Verlet, STEP * unit)?;
    let steps = ((ramp.rise + ramp.rest) / STEP).round() as usize;
    for step in 0..steps {
        map.step(&bodies, &mut field, &mut state).with_context(|| format!("step {step}"))?;
    }
    let pairs = pile.pyramid.pairs();
    let mut force = vec![DVec3::ZERO; pairs.len()];
    for contact in field.0.contacts(&bodies, &state)? {
        let at = contact.b.body().and_then(|b| pairs.binary_search(&[contact.a, b]).ok());
        let Some(at) = at else { continue };
        force[at] = contact.normal_force * contact.normal + contact.tangential_force;
    }
    Ok(force)
}
