//! Meshes of triangles as walls.

mod fronts;
mod nearest;
mod of_revolution;
mod patches;
mod shells;
mod stl_read;
mod stl_write;
mod topology;
mod tree;
mod triangle_mesh;

pub use triangle_mesh::TriangleMesh;
