//! Laws of several materials: which material a body or a wall has, and which laws hold between two materials.
//!
//! `properties` has materials with moduli, restitution and friction; `pair_of_materials` makes laws of two materials
//! and the table of all pairs, which `pair_table` holds. Contact forces read `assignment`, which joins this table with
//! the materials of bodies and walls.

pub(crate) mod assignment;
pub(crate) mod pair_of_materials;
pub(crate) mod pair_table;
pub(crate) mod properties;
