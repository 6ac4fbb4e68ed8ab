//! Meshes of triangles as walls.
//!
//! `triangle_mesh` holds the mesh; `topology` finds its edges and makes triangles agree on the front, `closed_shells`
//! checks that normals point outwards, `sidedness` tells on which side of an edge or corner a centre is. `patches`
//! implements [`WallShape`](crate::wall::WallShape) with the tree of boxes in `aabb_tree`, the bounds of distances in
//! `face_bounds` and the triangle distance in `closest_point`.
//!
//! `stl_read` and `stl_write` are the files. `stl_import` makes a surface of the triangles of a file, which `soup` puts
//! right; `cracks` finds cracks that are left. `revolve` makes triangles of a surface of revolution.

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
