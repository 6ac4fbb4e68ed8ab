//! Laws of several materials: which material a body or a wall has, and which laws two materials have.
//!
//! `properties` makes laws from moduli, restitution and friction; `law_table` holds the laws of all pairs; `assignment`
//! joins the table with the materials of bodies and walls, and is what the contact loop reads.

pub(crate) mod assignment;
pub(crate) mod law_table;
pub(crate) mod properties;
