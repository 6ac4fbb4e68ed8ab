//! Tangential laws for single contacts, with histories as numbers.

use rrp_geom::glam::DVec3;

use crate::law::contact::ContactKinematics;
use crate::law::contact_history::ContactHistory;
use crate::law::tangential_law::TangentialLaw;
use crate::law::tangential_slope::TangentialJacobian;

/// Evaluation of any [`TangentialLaw`] for single contacts, with each history as a row of numbers.
pub trait OneContact: Send + Sync {
    /// Computes the tangential force (N) and the torque (N m) against rolling and twisting on body b, whose spin
    /// relative to body a is `spin` (rad/s), and updates `history`: see [`TangentialLaw::force`] and
    /// [`TangentialLaw::couple`].
    fn force_and_couple(&self, contact: &ContactKinematics, spin: DVec3, history: &mut [f64]) -> [DVec3; 2];

    /// Computes the tangential force (N) and its derivatives from the `history` at the accepted state: see
    /// [`TangentialLaw::slope`].
    fn force_and_slope(&self, contact: &ContactKinematics, history: &[f64]) -> (DVec3, TangentialJacobian);

    /// Energy in J that the tangential springs of a contact store, from its `history`.
    fn stored_energy(&self, contact: &ContactKinematics, history: &[f64]) -> f64;
}

impl<T: TangentialLaw> OneContact for T {
    fn force_and_couple(&self, contact: &ContactKinematics, spin: DVec3, history: &mut [f64]) -> [DVec3; 2] {
        let mut own = T::History::read(history);
        let force = self.force(contact, &mut own);
        let couple = if self.resists_rolling() { self.couple(contact, spin, &mut own) } else { DVec3::ZERO };
        own.write(history);
        [force, couple]
    }

    fn force_and_slope(&self, contact: &ContactKinematics, history: &[f64]) -> (DVec3, TangentialJacobian) {
        let own = T::History::read(history);
        let slope = if self.is_active() { self.slope(contact, &own) } else { TangentialJacobian::default() };
        (self.force(contact, &mut own.clone()), slope)
    }

    fn stored_energy(&self, contact: &ContactKinematics, history: &[f64]) -> f64 {
        TangentialLaw::stored_energy(self, contact, &T::History::read(history))
    }
}
