//! Meshes of triangles as walls.

pub(crate) mod aabb_tree;
pub(crate) mod closed_shells;
pub(crate) mod closest_point;
pub(crate) mod patches;
pub(crate) mod revolve;
pub(crate) mod sidedness;
pub(crate) mod stl_read;
pub(crate) mod stl_write;
pub(crate) mod topology;
pub(crate) mod triangle_mesh;
