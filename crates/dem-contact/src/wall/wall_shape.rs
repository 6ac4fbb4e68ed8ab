//! What a shape of walls has to know.

use rrp_geom::glam::DVec3;

use super::Patch;

/// A surface that spheres touch: what a user implements to add a shape.
///
/// Coordinates are those of the shape, in m; a [`Wall`](crate::Wall) places it and moves it. Both methods are asked often and
/// from several threads.
pub trait WallShape: std::fmt::Debug + Send + Sync {
    /// Adds to `pieces` the numbers of all pieces of the surface that may be nearer to `centre` than `reach`; a shape of one
    /// piece adds any one number if it may be near at all. Where it adds none, there is no wall.
    fn near(&self, centre: DVec3, reach: f64, pieces: &mut Vec<u32>);

    /// Adds to `found` every point of the surface whose distance from `centre` is below `reach` and smaller than that of all
    /// points around it; among `pieces` are all that [`near`](Self::near) has for this centre and reach.
    ///
    /// Where a sphere may overlap the way from one of them to a nearer one, it has a [`Saddle`](crate::Saddle): else the
    /// second force begins with a jump. A saddle beyond `reach` is none.
    ///
    /// On a surface with one side, a centre behind it has a negative distance, as long as it is nearer to it than `reach`.
    fn patches(&self, centre: DVec3, reach: f64, pieces: &[u32], found: &mut Vec<Patch>);
}
