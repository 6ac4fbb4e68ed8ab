//! The torus of `[BG21]` section 4.1, a ring of bonded grains, with its wall. The diameter and the time steps that the
//! paper prints contradict each other, so there are two readings of the size of the torus.
use std::f64::consts::{PI, TAU};

use anyhow::Result;
use dem_contact::bond::{Bond, BondLaw, BondLedger, Bonds, ElasticWall, ShearForm, Strength};
use dem_contact::force::ContactForce;
use dem_contact::law::{ContactLaw as _, Damping, Frictionless, Hertz, Laws};
use dem_contact::neighbor::{Domain, NeighborList};
use rrp_geom::glam::DVec3;
use rrp_integrate::Both;
use rrp_integrate::{Bodies, Body, Explicit, Integrator, Map, Potential, State, kinetic_energy};
use rrp_verify::Motion;
use serde_json::{Value, json};

pub(super) const GRAINS: usize = 80;
/// Stiffness K in J of all contacts: between grains (`K_pp` of the paper), and between grains and wall (`K_pw`).
const CONTACT: f64 = 2100.0;
/// Stiffnesses of the binder between neighbouring grains in J, as printed.
const BINDER: BondLaw = BondLaw {
    bending: 10.0,
    stretching: 200.0,
    shearing: 200.0,
    // `ContactForce` computes the contacts of all pairs.
    contact: 0.0,
    strength: Strength::UNBREAKABLE,
};

/// Reading of the size of the torus in `[BG21]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    /// Diameter `D_t` = 3 m of the torus, as printed in `[BG21]`.
    Printed,
    /// Diameter `D_p` = 1 m of the grains, hence `D_t` = 25.47 m: then the paper's time steps are stable.
    UnitGrains,
}

impl Reading {
    pub(super) const BOTH: [Self; 2] = [Self::Printed, Self::UnitGrains];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Printed => "Dₜ = 3",
            Self::UnitGrains => "Dₚ = 1",
        }
    }

    /// Returns the diameter `D_t` in m of the circle on which the centres of the grains lie.
    pub(super) fn torus_diameter(self) -> f64 {
        match self {
            Self::Printed => 3.0,
            Self::UnitGrains => 1.0 / (PI / GRAINS as f64).sin(),
        }
    }

    /// Returns the diameter `D_p` in m of the grains, whose neighbours just touch.
    pub(super) fn grain_diameter(self) -> f64 {
        grain_diameter(self.torus_diameter())
    }
}

/// Computes the diameter in m of grains that just touch their neighbours on a torus of the diameter `torus` (m).
fn grain_diameter(torus: f64) -> f64 {
    torus * (PI / GRAINS as f64).sin()
}

/// Force field on the grains of the torus: bonds, wall, and contacts of all pairs.
type Field = Both<Both<Bonds, ElasticWall>, ContactForce>;

/// Torus with its forces and its present state.
#[derive(Debug)]
pub(super) struct Ring {
    pub(super) bodies: Bodies,
    pub(super) field: Field,
    pub(super) state: State,
    law: Hertz,
    pairs: ListedPairs,
}

/// Copy of the pairs of a neighbour list, which is renewed only when the list was rebuilt.
#[derive(Debug, Default)]
struct ListedPairs {
    builds: u64,
    pairs: Vec<[usize; 2]>,
}

impl ListedPairs {
    /// Copies the pairs if the list was rebuilt since the last call.
    fn follow(&mut self, list: &NeighborList) {
        if self.builds != list.builds() {
            (self.builds, self.pairs) = (list.builds(), list.pairs());
        }
    }
}

impl Ring {
    /// Makes the torus in the x-y plane with the velocity (−1, 0, 0) m/s, with grain 40 in touch with the wall x = 0.
    /// `map` is the map that will integrate it, which determines the weights in the sum of the impulse on the wall.
    pub(super) fn new(reading: Reading, form: ShearForm, map: Map) -> Result<Self> {
        Self::of_diameter(reading.torus_diameter(), form, map)
    }

    /// Makes a torus of the diameter `torus` (m) with touching grains, which is placed and moves as by [`Self::new`].
    pub(super) fn of_diameter(torus: f64, form: ShearForm, map: Map) -> Result<Self> {
        let grain = grain_diameter(torus);
        let bodies = Bodies::new([Body { radius: 0.5 * grain, ..Body::spherical(1.0, 1.0) }; GRAINS])?;
        let mut state = State::at_rest(GRAINS);
        for k in 0..GRAINS {
            let angle = TAU * k as f64 / GRAINS as f64;
            let centre = DVec3::X * 0.5 * (torus + grain);
            state.position_mut().set(k, centre + 0.5 * torus * DVec3::new(angle.cos(), angle.sin(), 0.0));
            state.velocity_mut().set(k, -DVec3::X);
        }
        // The printed shear law depends on the orientation of each bond, which is (k, k+1) all around.
        let bonds = (0..GRAINS).map(|k| Bond::new(k, (k + 1) % GRAINS, BINDER));
        let bonds = Bonds::new(&bodies, &state, bonds)?.with_shear(form);
        let weight = if map == Map::Rodrigues27 { 1.0 } else { 0.5 };
        let wall = ElasticWall::new(DVec3::ZERO, DVec3::X, CONTACT)?.with_old_force_weight(weight)?;
        // K_pp/D (δ/D)^{3/2} of (57) is Hertz' law K √R δ^{3/2} with R = D/4 and K = 2 K_pp/D³.
        let law = Hertz::new(2.0 * CONTACT / grain.powi(3), Damping::NONE)?;
        let list = NeighborList::new(Domain::OPEN, 0.5 * grain)?;
        let contacts = ContactForce::new(list, Laws::of(law, Frictionless));
        let field = Both(Both(bonds, wall), contacts);
        Ok(Self { bodies, field, state, law, pairs: ListedPairs::default() })
    }

    /// Removes the contact forces between grains, but not those of the wall.
    pub(super) fn without_contacts(mut self) -> Result<Self> {
        let Both(_, contacts) = &mut self.field;
        let list = NeighborList::new(Domain::OPEN, 0.5 * self.bodies.radius()[0])?;
        // The law does not accept zero. Forces of this stiffness are below the rounding errors of all other forces.
        self.law = Hertz::new(1e-30, Damping::NONE)?;
        *contacts = ContactForce::new(list, Laws::of(self.law, Frictionless));
        self.pairs = ListedPairs::default();
        Ok(self)
    }

    /// Raises the uppermost grain, number 20, by `member` units in the last place of its height, so that simulations
    /// have starts that differ by rounding errors.
    pub(super) fn nudge(&mut self, member: usize) {
        let height = self.state.position().get(GRAINS / 4).y;
        let ulp = height.next_up() - height;
        self.state.position_mut().add(GRAINS / 4, DVec3::Y * ulp * member as f64);
    }

    pub(super) fn step(&mut self, map: &mut Explicit) -> Result<()> {
        map.step(&self.bodies, &mut self.field, &mut self.state)?;
        self.pairs.follow(self.field.1.list());
        Ok(())
    }

    /// Takes `steps` time steps at once; energies in between are not available.
    pub(super) fn run(&mut self, map: &mut Explicit, steps: usize) -> Result<()> {
        map.run(&self.bodies, &mut self.field, &mut self.state, steps)?;
        self.pairs.follow(self.field.1.list());
        Ok(())
    }

    /// Returns all energies, momenta and impulses of the present state.
    pub(super) fn ledger(&self) -> BondLedger {
        let Both(Both(bonds, wall), contacts) = &self.field;
        BondLedger::read(&self.bodies, &self.state, bonds, &[wall], contacts)
    }

    /// Returns the total energy in J right after a step. It uses the pairs of the last step, so that it is fast enough
    /// for every step.
    pub(super) fn energy(&self) -> f64 {
        let Both(Both(bonds, wall), _) = &self.field;
        kinetic_energy(&self.bodies, &self.state).total()
            + bonds.latest_energies().total()
            + wall.energy(&self.bodies, &self.state)
            + self.contact_energy()
    }

    /// Computes the energy of the contacts between grains in J as `ContactForce::energy` does, from the pairs of the
    /// last step.
    fn contact_energy(&self) -> f64 {
        let position = self.state.position();
        let radius = self.bodies.radius();
        let energy = |&[a, b]: &[usize; 2]| {
            let overlap = radius[a] + radius[b] - (position.get(a) - position.get(b)).length();
            if overlap > 0.0 { self.law.energy(overlap, radius[a] * radius[b] / (radius[a] + radius[b])) } else { 0.0 }
        };
        self.pairs.pairs.iter().map(energy).sum()
    }

    /// Computes the temperature in J of the relative motion of bonded neighbours: the mean square of their relative
    /// velocity along the bond, times the reduced mass of 1/2 kg.
    pub(super) fn temperature(&self) -> f64 {
        let position = self.state.position();
        let velocity = self.state.velocity();
        let approach = |k: usize| {
            let next = (k + 1) % GRAINS;
            let bond = position.get(k) - position.get(next);
            (velocity.get(k) - velocity.get(next)).dot(bond) / bond.length()
        };
        (0..GRAINS).map(|k| 0.5 * approach(k).powi(2)).sum::<f64>() / GRAINS as f64
    }

    /// Returns whether any two grains touch that have no common bond.
    pub(super) fn touches_itself(&self) -> bool {
        let Both(_, contacts) = &self.field;
        let touch = |[a, b]: [usize; 2]| {
            let apart = self.state.position().get(a) - self.state.position().get(b);
            let neighbours = b - a == 1 || b - a == GRAINS - 1;
            !neighbours && apart.length() < self.bodies.radius()[a] + self.bodies.radius()[b]
        };
        contacts.list().pairs().into_iter().any(touch)
    }

    /// Writes the motions of all grains to `into`, from which the norms of `[BG21]` are computed.
    pub(super) fn motions(&self, into: &mut Vec<Motion>) {
        into.clear();
        into.extend((0..GRAINS).map(|i| Motion {
            position: self.state.position().get(i),
            velocity: self.state.velocity().get(i),
            attitude: self.state.attitude().get(i),
            spin: self.state.spin(&self.bodies, i),
        }));
    }
}

/// Returns the parameters of the torus that `[BG21]` prints, and our assumptions, for the record of a figure.
pub(super) fn parameters() -> Value {
    json!({
        "grains": GRAINS, "mass_kg": 1.0, "inertia_kg_m2": 1.0, "velocity_m_per_s": [-1.0, 0.0, 0.0],
        "bending_J": BINDER.bending, "stretching_J": BINDER.stretching, "shearing_J": BINDER.shearing, "contact_J": CONTACT,
        "D_t_m": { "printed": 3.0, "grains of diameter one": Reading::UnitGrains.torus_diameter() },
        "assumed": "ring in the x-y plane, grain k at the angle 2πk/80, grain 40 touches the wall x = 0, no spin, R₀ = I, \
                    bonds from k to k+1, contacts of all pairs, K_pw = K_pp, 2/5 for the misprinted 5/2 of (56), no damping",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_energy_after_a_step_is_that_of_the_ledger() {
        for contacts in [true, false] {
            let mut ring = Ring::new(Reading::UnitGrains, ShearForm::Printed, Map::Rodrigues25).unwrap();
            ring = if contacts { ring } else { ring.without_contacts().unwrap() };
            let mut map = Explicit::new(Map::Rodrigues25, 1e-2).unwrap();
            for _ in 0..500 {
                ring.step(&mut map).unwrap();
                let row = ring.ledger();
                assert!((ring.energy() / row.mechanical() - 1.0).abs() < 1e-13, "{} s", row.time);
            }
            assert_eq!(ring.contact_energy() > 1e-3, contacts);
        }
    }
}
