//! Energies that bonds store and have released, and the loads on bonds.

use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, Potential, State};

use crate::bond::body_pose::BodyPose;
use crate::bond::bonds::Bonds;
use crate::bond::breakage::Rupture;
use crate::bond::energies::{BondEnergies, BondLoad};
use crate::bond::force::BondForce;

impl Bonds {
    /// Returns the ruptures of bonds so far in order of time, those of one step in the order of the bonds.
    #[must_use]
    pub fn ruptures(&self) -> &[Rupture] {
        &self.ruptures
    }

    /// Energy in J that ruptures of bonds have taken out of the system so far.
    #[must_use]
    pub fn released(&self) -> f64 {
        self.ruptures.iter().fold(0.0, |sum, rupture| sum + rupture.released.total())
    }

    /// Work in J that the jumps of force at ruptures have taken out of the system; see [`Rupture::jump`].
    #[must_use]
    pub fn jump_work(&self) -> f64 {
        self.ruptures.iter().fold(0.0, |sum, rupture| sum + rupture.jump)
    }

    /// Sums of the energies of all bonds at `state`, added in the order of the bonds. The sums are NaN if `state` has
    /// another number of bodies or no attitudes, or if bonded bodies have the same centre.
    #[must_use]
    pub fn energies(&self, bodies: &Bodies, state: &State) -> BondEnergies {
        if bodies.len() != self.bodies || state.check_columns(bodies).is_err() {
            return BondEnergies::UNKNOWN;
        }
        self.loads(bodies, state).fold(BondEnergies::default(), |sum, load| sum + load.energies)
    }

    /// Sums of the energies of all bonds at the last evaluated state, which is the new state after a step, without a
    /// new evaluation. All energies are zero before the first evaluation.
    #[must_use]
    pub fn latest_energies(&self) -> BondEnergies {
        self.actions.iter().fold(BondEnergies::default(), |sum, action| sum + action.stored())
    }

    /// Computes the load of each bond at `state`, in the order of the bonds, broken ones included; NaN for bodies with
    /// the same centre. Strengths are ignored: a bond that has not broken yet bears its load.
    ///
    /// # Panics
    /// If `bodies` or `state` has fewer bodies than the bonds were made for.
    #[must_use]
    pub fn loads<'a>(&'a self, bodies: &'a Bodies, state: &'a State) -> impl ExactSizeIterator<Item = BondLoad> + 'a {
        self.records.iter().zip(&self.intact).map(move |(record, &intact)| {
            let pair = record.bodies.map(|i| i as usize);
            let reference = self.set_of(record).reference.as_deref();
            let [first, second] = pair.map(|i| BodyPose::of(state, bodies.radius()[i], reference, i));
            let unbroken = record.unbreakable();
            let nowhere = || BondForce {
                force: DVec3::NAN,
                torques: [DVec3::NAN; 2],
                energies: BondEnergies::UNKNOWN,
                breaking: false,
            };
            let action = unbroken.act(self.form_of(record), intact, &first, &second).unwrap_or_else(nowhere);
            let (distance, direction) = record.line(&first, &second);
            BondLoad {
                bodies: pair,
                intact,
                force: action.force,
                torques: action.torques,
                direction,
                distance,
                stretch: record.stretch(&first, &second),
                energies: action.energies,
            }
        })
    }
}

impl Potential for Bonds {
    fn energy(&self, bodies: &Bodies, state: &State) -> f64 {
        self.energies(bodies, state).total()
    }
}
