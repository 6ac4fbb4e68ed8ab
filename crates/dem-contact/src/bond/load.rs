//! What one bond bears.

use rrp_geom::glam::DVec3;

use crate::BondEnergies;

/// The load of one bond at a state.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BondLoad {
    /// The first and the second body.
    pub bodies: [usize; 2],
    /// Whether the binder holds; a broken bond has the contact only.
    pub intact: bool,
    /// Force on the first body in N, world frame; that on the second is opposite. Contact included.
    pub force: DVec3,
    /// Torques on both bodies about their centres in N m, world frame.
    pub torques: [DVec3; 2],
    /// Distance of the centres over that in the reference, minus one.
    pub stretch: f64,
    /// Energies in J.
    pub energies: BondEnergies,
}
