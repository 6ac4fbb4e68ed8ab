//! Measurements: stress, fabric, coordination, solid fraction, granular temperature, fields on a grid.
//!
//! A [`Snapshot`] has the bodies and contacts of one state, from which all measurements are computed. `bulk` sums over
//! an [`Extent`] of space and selected bodies; `grid` holds coarse-grained fields with a [`Kernel`] (`kernel`),
//! averaged over cells by `spread`; `mixing` is Lacey's index, `fragments` has the masses of fragments, `wall_load` the
//! load on a wall. `snapshot` has the two segments of each contact, `window` the images in a periodic box,
//! `ball_in_box` the volume of a sphere in a box, `cylinder` the geometry of a cylinder.
//!
//! **Conventions.** Stress is positive in compression; row i and column j of its matrix are the force along i and the
//! direction j. Bodies of finite mass are grains. Fixed bodies act as walls: their contacts load the grains, but they
//! have no stress inside. A contact of two grains is divided at the contact point into two segments, one for each
//! grain; a contact with a wall has one segment, from the centre to the contact point.
//!
//! `[Gol10]` is I. Goldhirsch, *Stress, stress asymmetry and couple stress: from discrete particles to continuous
//! fields*, Granular Matter 12 (2010). `[WTLB12]` is T. Weinhart, A. R. Thornton, S. Luding, O. Bokhove, *From discrete
//! particles to continuum fields near a boundary*, Granular Matter 14 (2012).

mod ball_in_box;
mod bulk;
mod cylinder;
mod fragments;
mod grid;
mod kernel;
mod mixing;
mod snapshot;
mod spread;
mod wall_load;
mod window;

pub use self::ball_in_box::ball_in_box;
pub use self::bulk::{Bulk, Selection};
pub use self::fragments::Fragment;
pub use self::grid::{Grid, GridFields, PointFields};
pub use self::kernel::Kernel;
pub(crate) use self::snapshot::check_touches;
pub use self::snapshot::{Snapshot, Touch};
pub use self::window::Extent;

use rrp_geom::glam::{DMat3, DVec3};

/// Returns the outer product a bᵀ of two vectors.
fn outer(a: DVec3, b: DVec3) -> DMat3 {
    DMat3::from_cols(a * b.x, a * b.y, a * b.z)
}
