//! Meshes of triangles as walls.
//!
//! `triangle_mesh` holds the mesh. `topology` finds its edges and gives triangles a common orientation, `closed_shells`
//! checks that normals point outwards, `sidedness` tells on which side of an edge or corner a centre is. `patches`
//! implements [`WallShape`](crate::wall::WallShape) with the box tree of `aabb_tree`, the bounds of distances in
//! `face_bounds` and the triangle distance of `closest_point`.
//!
//! `stl_read` and `stl_write` read and write files. `stl_import` makes a surface from the triangles of a file, which
//! `soup` repairs; `cracks` finds remaining cracks. `revolve` makes triangles of a surface of revolution.

mod aabb_tree;
mod closed_shells;
mod closest_point;
mod cracks;
mod face_bounds;
mod patches;
mod revolve;
mod sidedness;
mod soup;
pub(crate) mod stl_import;
mod stl_read;
mod stl_write;
mod topology;
pub(crate) mod triangle_mesh;
