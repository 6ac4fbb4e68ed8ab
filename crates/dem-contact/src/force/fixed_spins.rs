//! Fixed bodies whose surfaces turn.

use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, State};

/// The angular velocities of fixed bodies that spin, by number, ascending. Their states have none.
#[derive(Debug, Clone, Default)]
pub(crate) struct FixedSpins(Vec<(u32, DVec3)>);

impl FixedSpins {
    /// These, in any order.
    pub(crate) fn new(spins: impl IntoIterator<Item = (usize, DVec3)>) -> Self {
        let mut spins: Vec<_> = spins.into_iter().map(|(body, spin)| (body as u32, spin)).collect();
        spins.sort_by_key(|(body, _)| *body);
        Self(spins)
    }

    /// Those of bodies that spin.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (usize, DVec3)> + '_ {
        self.0.iter().map(|&(body, spin)| (body as usize, spin))
    }

    /// The angular velocity of a body in rad/s: that of its state, unless it is one of these.
    #[inline]
    pub(crate) fn of(&self, bodies: &Bodies, state: &State, body: usize) -> DVec3 {
        match self.0.binary_search_by_key(&(body as u32), |(fixed, _)| *fixed) {
            Ok(found) => self.0[found].1,
            Err(_) => state.spin(bodies, body),
        }
    }
}
