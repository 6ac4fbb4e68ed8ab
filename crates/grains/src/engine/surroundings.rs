//! All forces except contact forces.

use dem_contact::bond::{Bonds, ElasticWall, Ties};
use dem_contact::bridge::Bridges;
use rrp_integrate::field::Blocked;
use rrp_integrate::{Bodies, FieldError, ForceField, Gravity, Potential, State, Wrenches};

use crate::reading::Energies;

/// All forces except those of contacts, and the blocked components of all forces.
#[derive(Debug, Clone)]
pub(super) struct Surroundings {
    pub(super) gravity: Gravity,
    pub(super) bonds: Option<Bonds>,
    pub(super) ties: Option<Ties>,
    pub(super) bridges: Option<Bridges>,
    pub(super) walls: Vec<ElasticWall>,
    /// Components of forces and torques that are set to zero after all forces are summed.
    pub(super) blocked: Blocked,
}

impl Surroundings {
    /// Returns whether each rank must evaluate these forces with all bodies, because bodies interact over long
    /// distances or forces have a history.
    pub(super) fn act_whole(&self) -> bool {
        let Self { bonds, ties, bridges, walls, .. } = self;
        bonds.is_some() || ties.is_some() || bridges.is_some() || !walls.is_empty()
    }

    /// Returns the work in J that moving walls have done through liquid bridges.
    pub(super) fn wall_work_of_bridges(&self) -> f64 {
        self.bridges.as_ref().map_or(0.0, |bridges| bridges.moisture().wall_work)
    }

    /// Computes the energy in J stored in elastic walls.
    pub(super) fn energy_of_walls(&self, bodies: &Bodies, state: &State) -> f64 {
        self.walls.iter().map(|wall| wall.energy(bodies, state)).sum()
    }

    /// Adds the energies of bonds, ties, liquid bridges and elastic walls to `energies`.
    pub(super) fn added_to(&self, energies: Energies, bodies: &Bodies, state: &State) -> Energies {
        let of_walls = self.energy_of_walls(bodies, state);
        let of_ties = self.ties.as_ref().map_or(0.0, |ties| ties.energy(bodies, state));
        Energies {
            elastic: energies.elastic + of_walls + of_ties,
            bonds: self.bonds.as_ref().map_or(0.0, |bonds| bonds.energies(bodies, state).total()),
            released: self.bonds.as_ref().map_or(0.0, Bonds::released),
            jump_work: self.bonds.as_ref().map_or(0.0, Bonds::jump_work),
            capillary: self.bridges.as_ref().map_or(0.0, |bridges| bridges.energy(bodies, state)),
            capillary_loss: self.bridges.as_ref().map_or(0.0, |bridges| bridges.moisture().lost),
            ..energies
        }
    }
}

impl ForceField for Surroundings {
    fn accumulate(
        &mut self,
        bodies: &Bodies,
        state: &State,
        elapsed: f64,
        out: &mut Wrenches,
    ) -> Result<(), FieldError> {
        let Self { gravity, bonds, ties, bridges, walls, blocked } = self;
        if gravity.acceleration.length_squared() > 0.0 {
            gravity.accumulate(bodies, state, elapsed, out)?;
        }
        bonds.as_mut().map_or(Ok(()), |bonds| bonds.accumulate(bodies, state, elapsed, out))?;
        ties.as_mut().map_or(Ok(()), |ties| ties.accumulate(bodies, state, elapsed, out))?;
        bridges.as_mut().map_or(Ok(()), |bridges| bridges.accumulate(bodies, state, elapsed, out))?;
        walls.iter_mut().try_for_each(|wall| wall.accumulate(bodies, state, elapsed, out))?;
        blocked.accumulate(bodies, state, elapsed, out)
    }

    fn commit(&mut self) {
        if let Some(bonds) = &mut self.bonds {
            bonds.commit();
        }
        if let Some(ties) = &mut self.ties {
            ties.commit();
        }
        if let Some(bridges) = &mut self.bridges {
            bridges.commit();
        }
        self.walls.iter_mut().for_each(ForceField::commit);
    }
}

impl Potential for Surroundings {
    /// Returns the potential energy of gravity only, in J; [`added_to`](Self::added_to) adds the other energies.
    fn energy(&self, bodies: &Bodies, state: &State) -> f64 {
        self.gravity.energy(bodies, state)
    }
}
