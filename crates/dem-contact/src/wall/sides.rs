//! On which sides of a surface bodies may be.

/// On which sides of a surface bodies may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Sides {
    /// On the side that normals point to. A centre behind the surface, nearer to it than its radius, is an error.
    #[default]
    Front,
    /// On both: a thin sheet, which pushes each body back to the side that its centre is on. That a centre went through
    /// between two steps is not noticed, so steps must be short against radius over speed, as contacts need them to be anyway.
    Both,
}
