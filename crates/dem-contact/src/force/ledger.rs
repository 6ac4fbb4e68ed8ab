//! The energies of a state, and the work done since the ledger was opened.

use rrp_integrate::body::KineticEnergy;
use rrp_integrate::{Bodies, Potential, State, kinetic_energy};

use crate::error::DemError;
use crate::force::ContactForce;

/// Energies of a state, and the work done since the ledger was opened, in J.
///
/// [`balance`](Self::balance) is constant up to the order of the integrator: the mechanical energy plus the dissipated
/// energy minus the work of walls and of a box that deforms. Fixed bodies with a velocity or a spin do work as walls
/// do.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Ledger {
    /// Kinetic energy in J of all bodies, of translation and rotation.
    pub kinetic: KineticEnergy,
    /// Elastic energy in J that contacts store by their normal laws.
    pub elastic: f64,
    /// Energy in J that contacts store by their tangential laws: springs against slip, rolling and twisting.
    pub tangential: f64,
    /// Potential energy in J of the bodies in all other force fields, such as gravity.
    pub external: f64,
    /// Work in J lost to damping and friction since the ledger was opened: the work of all contact forces that are not
    /// elastic, minus the energy [stored](Self::tangential) in springs. When a contact ends, the energy of its spring
    /// is lost. If any contacts [stick or yield](crate::law::ContactLaw::is_hysteretic), the work of all contact forces
    /// minus the energy that contacts store: this includes losses by breaking and yielding, and errors of the elastic
    /// work.
    pub dissipated: f64,
    /// Energy in J that contacts released without having absorbed it: the largest decrease of the
    /// [dissipated](Self::dissipated) energy below an earlier value. When bodies are removed, the comparison begins
    /// again and the largest decrease so far is kept. For laws that create no energy it is zero up to the order of the
    /// integrator. Laws [as in LAMMPS](crate::law::MindlinSpring::as_in_lammps) may create energy.
    pub gained: f64,
    /// Work in J that moving walls, and fixed bodies with a velocity or a spin, have done on the free bodies since the
    /// ledger was opened.
    pub wall_work: f64,
    /// Work in J that a [box that deforms](crate::neighbor::Domain::deforming) has done on the bodies since the ledger
    /// was opened. In equilibrium it is the integral of V σ : D over time, with the volume V, the stress σ (positive in
    /// tension) and the strain rate tensor D of the box.
    pub box_work: f64,
}

/// Energy in J that contacts store at one state, by normal laws and by tangential laws.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct StoredEnergy {
    /// Energy in J that contacts store by their normal laws.
    pub elastic: f64,
    /// Energy in J that contacts store by their tangential laws: springs against slip, rolling and twisting.
    pub tangential: f64,
    /// Part in J of the stored energy that a [`Ledger`] counts as dissipated only when the contacts end; zero without a
    /// ledger.
    pub in_recorded_work: f64,
}

impl Ledger {
    /// Reads the energies of `state` and the work that `contacts` has recorded; changes nothing.
    ///
    /// `external` is the energy of all other fields. Without [`ContactForce::with_ledger`] the recorded work is zero.
    /// If the ledger was opened during a run, the energy that springs stored then is missing from the dissipated
    /// energy.
    ///
    /// # Errors
    /// Errors of [`ContactForce::contacts`].
    pub fn read(
        contacts: &ContactForce,
        external: &dyn Potential,
        bodies: &Bodies,
        state: &State,
    ) -> Result<Self, DemError> {
        let StoredEnergy { elastic, tangential, in_recorded_work } =
            contacts.stored_energy(bodies, state, &|_| true)?;
        let work = contacts.work.as_ref().map_or_else(Default::default, |book| book.committed);
        Ok(Self {
            kinetic: kinetic_energy(bodies, state),
            elastic,
            external: external.energy(bodies, state),
            tangential,
            dissipated: work.dissipated - in_recorded_work,
            gained: work.gained,
            wall_work: work.by_walls,
            box_work: work.by_box,
        })
    }

    /// Mechanical energy in J: kinetic and elastic energy, energy of tangential springs, and potential energy of other
    /// fields.
    #[must_use]
    pub fn mechanical(&self) -> f64 {
        self.kinetic.total() + self.elastic + self.tangential + self.external
    }

    /// Balance in J, constant up to the integrator's order: mechanical plus dissipated energy minus wall and box work.
    #[must_use]
    pub fn balance(&self) -> f64 {
        self.mechanical() + self.dissipated - self.wall_work - self.box_work
    }
}
