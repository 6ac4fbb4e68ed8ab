//! The pyramid of stiff elastic spheres at rest, found by explicit dynamics or by minimisation of the energy.
use anyhow::{Context as _, Result, ensure};
use dem_contact::force::ContactForce;
use dem_contact::law::{Contact, Laws};
use dem_contact::neighbor::{Domain, NeighborList};
use dem_contact::statics::{EnergyMinimizer, gravity_load};
use rrp_geom::glam::DVec3;
use rrp_integrate::Both;
use rrp_integrate::{Bodies, Body, Explicit, FieldError, ForceField, Gravity, Integrator, Map, State, Wrenches};

use super::law::Law;
use super::pile::Pile;
use super::repulsion::repulsion;
use super::species_law::MARK;

/// Way in which the elastic spheres of the pyramid come to rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Rest {
    /// The spheres start in touch, and a drag on their velocities damps the slowest vibration of the pyramid
    /// critically.
    Drag,
    /// The spheres are dropped as in `[OK18]`: each layer starts a twentieth of a radius higher above the layer below
    /// than at rest. Contacts are damped with the coefficient γ = 2 √(k m).
    Dropped,
}

/// Elastic spheres of the pyramid at rest: forces in m g, one per contact, and checks.
#[derive(Clone, Debug, Default)]
pub(super) struct AtRest {
    pub(super) force: Vec<f64>,
    /// Norm of the sum of contact forces and weights over the norm of the weights, with the contacts of the deformed
    /// pyramid.
    pub(super) imbalance: f64,
    /// Number of time steps until rest, or of iterations of the minimisation.
    pub(super) steps: usize,
    pub(super) dt: f64,
    /// Vertical force on each sphere of the base, in m g.
    pub(super) floor: Vec<f64>,
    /// Number of pairs of spheres that touch although they are no neighbours in the ideal pyramid.
    pub(super) strangers: usize,
    /// Largest overlap of two spheres in d.
    pub(super) overlap: f64,
}

/// Force field of a drag −2 ω m v on a sphere of mass m and velocity v; the field is the angular frequency ω.
#[derive(Clone, Copy, Debug)]
struct Drag(f64);

impl ForceField for Drag {
    fn accumulate(&mut self, bodies: &Bodies, state: &State, _: f64, out: &mut Wrenches) -> Result<(), FieldError> {
        for (i, mass) in bodies.mass().iter().enumerate() {
            if mass.is_finite() {
                out.force.add(i, state.velocity().get(i) * (-2.0 * self.0 * mass));
            }
        }
        Ok(())
    }
}

/// Simulates the pyramid `pile` of elastic spheres with the dimensionless stiffness κ (see [`Law::stiffness`]) until
/// contact forces and weights balance up to rounding.
pub(super) fn settle(pile: &Pile, stiffness: f64, rest: Rest) -> Result<AtRest> {
    let k = stiffness;
    // Damping is 2 √(k m) with the mass of a sphere, twice as much at the base for equal spheres. For Hertz' law k is
    // the stiffness of a typical contact.
    let typical = match pile.law {
        Law::Hertz => 1.5 * k.powf(2.0 / 3.0) * (0.25 * pile.layers() as f64).cbrt(),
        _ => k,
    };
    let gamma = if rest == Rest::Dropped { 2.0 * typical.sqrt() } else { 0.0 };
    // Coordinates of n diameters have rounding errors of n ulps, and forces k times as many.
    let tolerance = 1e-9 + 1e-15 * typical * pile.layers() as f64;
    let scene = Scene { pile, rest, frequency: typical.sqrt(), tolerance };
    scene.settle(repulsion(pile.law, k, gamma)?)
}

/// Finds the pyramid of elastic spheres at rest as the minimum of its potential energy, without dynamics.
pub(super) fn minimum(pile: &Pile, stiffness: f64) -> Result<AtRest> {
    let scene = Scene { pile, rest: Rest::Drag, frequency: stiffness.sqrt(), tolerance: 0.0 };
    scene.minimum(repulsion(pile.law, stiffness, 0.0)?)
}

/// Pyramid that is to come to rest, with the way in which it does.
struct Scene<'a> {
    pile: &'a Pile,
    rest: Rest,
    /// Angular frequency √(k/m) of a sphere of mass m on one contact of stiffness k.
    frequency: f64,
    tolerance: f64,
}

impl Scene<'_> {
    fn bodies(&self) -> Result<Bodies> {
        let fixed = self.pile.pyramid.fixed();
        let radius = |i: usize| {
            let stiff = self.pile.law == Law::Multi && i % 2 == 1;
            0.5 + if stiff { MARK } else { 0.0 }
        };
        let body = |i| if i < fixed { Body::fixed(radius(i)) } else { Body::sphere(1.0, radius(i)) };
        Ok(Bodies::new((0..self.pile.pyramid.centre().len()).map(body))?)
    }

    /// Returns the initial state of the pyramid, centred at the origin, where coordinates have the smallest rounding
    /// errors.
    fn start(&self) -> State {
        let centre = self.pile.pyramid.centre();
        let middle = 0.5 * (self.pile.layers() - 1) as f64;
        let mut state = State::at_rest(centre.len()).without_attitudes();
        for (i, &[x, y, z]) in centre.iter().enumerate() {
            let lift = if self.rest == Rest::Dropped { 0.025 * z * std::f64::consts::SQRT_2 } else { 0.0 };
            state.position_mut().set(i, DVec3::new(x - middle, y - middle, z + lift));
        }
        state
    }

    fn settle(&self, laws: Laws) -> Result<AtRest> {
        let bodies = self.bodies()?;
        let mut state = self.start();
        let contacts = ContactForce::new(NeighborList::new(Domain::OPEN, 0.05)?, laws);
        let slowest = match self.rest {
            Rest::Drag => SLOWEST / self.pile.layers() as f64 * self.frequency,
            Rest::Dropped => 0.0,
        };
        let gravity = Gravity { acceleration: DVec3::NEG_Z };
        let mut field = Both(contacts, Both(gravity, Drag(slowest)));
        let dt = if self.rest == Rest::Dropped { 0.1 } else { 0.5 } / self.frequency;
        let mut map = Explicit::new(Map::Verlet, dt)?;
        let mut steps = 0;
        loop {
            for _ in 0..LOOK {
                map.step(&bodies, &mut field, &mut state).with_context(|| format!("step {steps}"))?;
                steps += 1;
            }
            let found = AtRest { steps, dt, ..self.read(field.0.contacts(&bodies, &state)?) };
            if found.imbalance < self.tolerance {
                return Ok(found);
            }
            ensure!(steps < MOST, "not at rest after {steps} steps: imbalance {:e}", found.imbalance);
        }
    }

    fn minimum(&self, laws: Laws) -> Result<AtRest> {
        let bodies = self.bodies()?;
        let mut state = self.start();
        let contacts = ContactForce::new(NeighborList::new(Domain::OPEN, 0.05)?, laws);
        let load = gravity_load(&bodies, DVec3::NEG_Z);
        let found = EnergyMinimizer::default().minimize(&bodies, &contacts, &load, &mut state)?;
        Ok(AtRest { steps: found.iterations, ..self.read(found.contacts) })
    }

    /// Collects forces, base forces, imbalance and overlap from the contacts of the deformed pyramid.
    fn read(&self, contacts: Vec<Contact>) -> AtRest {
        let pairs = self.pile.pyramid.pairs();
        let fixed = self.pile.pyramid.fixed();
        let mut found = AtRest { force: vec![0.0; pairs.len()], floor: vec![0.0; fixed], ..AtRest::default() };
        let mut balance = vec![DVec3::NEG_Z; self.pile.pyramid.centre().len() - fixed];
        for contact in contacts {
            let Some(b) = contact.b.body() else { continue };
            match pairs.binary_search(&[contact.a, b]) {
                Ok(at) => found.force[at] = contact.normal_force,
                Err(_) => found.strangers += 1,
            }
            found.overlap = found.overlap.max(contact.overlap);
            let push = contact.normal_force * contact.normal;
            for (body, push) in [(contact.a, -push), (b, push)] {
                match body.checked_sub(fixed) {
                    Some(free) => balance[free] += push,
                    None => found.floor[body] -= push.z,
                }
            }
        }
        let rest = balance.iter().map(|rest| rest.length_squared()).sum::<f64>();
        found.imbalance = (rest / balance.len() as f64).sqrt();
        found
    }
}

/// Angular frequency of the slowest vibration of a pyramid of n layers, in units of √(k/m)/n.
const SLOWEST: f64 = 1.0;
/// Number of time steps between two checks of whether contact forces and weights balance.
const LOOK: usize = 100;
/// Largest number of time steps; a pyramid that still moves after them is an error.
const MOST: usize = 400_000;

#[cfg(test)]
mod tests {
    use super::super::pile::distance;
    use super::*;

    #[test]
    fn stiff_spheres_carry_what_compatible_forces_say_however_they_come_to_rest() {
        for law in Law::ALL {
            let pile = Pile::new(4, law).unwrap();
            let compatible = pile.compatible().unwrap();
            for rest in [Rest::Drag, Rest::Dropped] {
                let found = settle(&pile, law.stiffness(), rest).unwrap();
                let error = distance(&found.force, &compatible);
                // The error is of the order of the overlaps.
                assert!((1e-8..1e-5).contains(&error) && found.strangers == 0, "{law:?}, {rest:?}: {error:e}");
                let floor = found.floor.iter().sum::<f64>() / 14.0;
                assert!((floor - 1.0).abs() < 1e-6, "{law:?}, {rest:?}: {floor}");
                let minimum = minimum(&pile, law.stiffness()).unwrap();
                let error = distance(&found.force, &minimum.force);
                assert!(error < 1e-7 && minimum.imbalance < 1e-11, "{law:?}, {rest:?}: {error:e}");
            }
        }
    }
}
