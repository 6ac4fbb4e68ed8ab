//! Spins of fixed bodies, whose surfaces turn.

use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, Renumbering, State};

use crate::error::DemError;
use crate::error::contact::ContactError;

/// Angular velocities (rad/s) of fixed bodies that spin, sorted by body number. The state of a run contains no spins of
/// fixed bodies.
#[derive(Debug, Clone, Default)]
pub(crate) struct FixedSpins(Vec<(u32, DVec3)>);

impl FixedSpins {
    pub(crate) fn new(spins: impl IntoIterator<Item = (usize, DVec3)>) -> Self {
        let mut spins: Vec<_> = spins.into_iter().map(|(body, spin)| (body as u32, spin)).collect();
        spins.sort_by_key(|(body, _)| *body);
        Self(spins)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn largest(&self) -> f64 {
        self.0.iter().map(|(_, spin)| spin.length()).fold(0.0, f64::max)
    }

    pub(crate) fn check(&self, bodies: &Bodies) -> Result<(), DemError> {
        let is_fixed = |body: usize| body < bodies.len() && bodies.inverse_mass()[body] <= 0.0;
        match self.iter().find(|&(body, _)| !is_fixed(body)) {
            Some((body, _)) => Err(DemError::Contact(ContactError::SpinOfFreeBody { body, bodies: bodies.len() })),
            None => Ok(()),
        }
    }

    pub(super) fn renumbered(&self, numbering: &Renumbering) -> Self {
        let bodies = numbering.former().len();
        let now = numbering.inverse();
        self.with_numbers(|body| now.former().get(body).copied().filter(|&number| number < bodies))
    }

    pub(super) fn with_numbers(&self, number: impl Fn(usize) -> Option<usize>) -> Self {
        Self::new(self.iter().filter_map(|(body, spin)| Some((number(body)?, spin))))
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (usize, DVec3)> + '_ {
        self.0.iter().map(|&(body, spin)| (body as usize, spin))
    }

    /// Angular velocity of a body in rad/s: the prescribed spin of a fixed body, otherwise the spin in the state.
    #[inline]
    pub(crate) fn of(&self, bodies: &Bodies, state: &State, body: usize) -> DVec3 {
        match self.0.binary_search_by_key(&(body as u32), |(fixed, _)| *fixed) {
            Ok(found) => self.0[found].1,
            Err(_) => state.spin(bodies, body),
        }
    }
}

#[cfg(test)]
mod tests {
    use rrp_integrate::Body;

    use super::*;

    #[test]
    fn spins_go_with_their_bodies_and_are_of_fixed_ones_only() {
        let spins = FixedSpins::new([(4, 4.0 * DVec3::X), (1, DVec3::X), (2, 2.0 * DVec3::X)]);
        let numbering = Renumbering::with_changes(5, 1, [5, 4, 3, 1, 0]).unwrap();
        let now: Vec<(usize, DVec3)> = spins.renumbered(&numbering).iter().collect();
        assert_eq!(now, [(1, 4.0 * DVec3::X), (3, DVec3::X)]);
        let fixed = |free: usize, count: usize| {
            let body = |number| if number == free { Body::sphere(1.0, 0.5) } else { Body::fixed(0.5) };
            Bodies::new((0..count).map(body)).unwrap()
        };
        assert!(spins.check(&fixed(0, 5)).is_ok());
        for (bodies, wrong) in [(fixed(2, 5), 2), (fixed(0, 4), 4)] {
            let error = spins.check(&bodies).unwrap_err();
            assert!(matches!(error, DemError::Contact(ContactError::SpinOfFreeBody { body, .. }) if body == wrong));
        }
    }
}
