use rrp_geom::glam::DVec3;
use rrp_integrate::body::{KineticEnergy, spin_momentum};
use rrp_integrate::{Bodies, Potential, State, angular_momentum, kinetic_energy, linear_momentum};

use crate::bond::bonds::Bonds;
use crate::bond::elastic_wall::{ElasticWall, WallImpulse};
use crate::bond::energies::BondEnergies;

/// Energies and momenta of bonded bodies at one time, term by term; SI units, world frame, moments about the origin.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BondLedger {
    /// Time in s of the state whose energies and momenta these are.
    pub time: f64,
    /// Kinetic energy of the translation and rotation of all bodies in J.
    pub kinetic: KineticEnergy,
    /// Energies that the bonds store, in J.
    pub bonds: BondEnergies,
    /// Potential energy of all other fields in J, such as contacts of pairs that are not bonded.
    pub other: f64,
    /// Elastic energy that each elastic wall stores, in J.
    pub walls: Vec<f64>,
    /// Energy that ruptures of bonds have released since the start of the run, in J.
    pub released: f64,
    /// Work of the jumps of force at ruptures since the start of the run, in J; see
    /// [`Rupture::jump`](crate::bond::Rupture::jump).
    pub jump_work: f64,
    /// Linear momentum Σ m v of the bodies in kg m/s.
    pub linear_momentum: DVec3,
    /// Angular momentum Σ (x × m v + L) of the bodies about the origin in kg m²/s, with the spin momenta L.
    pub angular_momentum: DVec3,
    /// Spin momentum Σ L of the bodies, each about its own centre, in kg m²/s.
    pub spin_momentum: DVec3,
    /// Impulse that the bodies have given to each wall from the start of the run.
    pub impulses: Vec<WallImpulse>,
}

impl BondLedger {
    /// Computes energies and momenta of bonded bodies and elastic walls at `state`.
    ///
    /// # Panics
    /// If there are fewer bodies than the state has.
    #[must_use]
    pub fn read(bodies: &Bodies, state: &State, bonds: &Bonds, walls: &[&ElasticWall], other: &dyn Potential) -> Self {
        Self {
            time: state.time(),
            kinetic: kinetic_energy(bodies, state),
            bonds: bonds.energies(bodies, state),
            other: other.energy(bodies, state),
            walls: walls.iter().map(|wall| wall.energy(bodies, state)).collect(),
            released: bonds.released(),
            jump_work: bonds.jump_work(),
            linear_momentum: linear_momentum(bodies, state),
            angular_momentum: angular_momentum(bodies, state),
            spin_momentum: spin_momentum(state),
            impulses: walls.iter().map(|wall| wall.impulse()).collect(),
        }
    }

    /// Mechanical energy in J: kinetic energy plus potential energy of bonds, walls and other fields.
    #[must_use]
    pub fn mechanical(&self) -> f64 {
        self.kinetic.total() + self.bonds.total() + self.other + self.walls.iter().sum::<f64>()
    }

    /// Mechanical energy plus released energy plus work of jumps at ruptures in J, constant to the integrator's order.
    #[must_use]
    pub fn balance(&self) -> f64 {
        self.mechanical() + self.released + self.jump_work
    }

    /// Momentum of the bodies plus impulse on the walls in kg m/s; constant to round-off if no other field acts.
    #[must_use]
    pub fn linear_balance(&self) -> DVec3 {
        self.impulses.iter().fold(self.linear_momentum, |sum, impulse| sum + impulse.linear)
    }

    /// Angular momentum of the bodies plus angular impulse on the walls in kg m²/s. The sum is constant to round-off if
    /// no other field acts and no bond is of [`ShearForm::Printed`](crate::bond::ShearForm::Printed).
    #[must_use]
    pub fn angular_balance(&self) -> DVec3 {
        self.impulses.iter().fold(self.angular_momentum, |sum, impulse| sum + impulse.angular)
    }
}
