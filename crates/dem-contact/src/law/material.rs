//! TODO

pub(crate) mod assignment;
pub(crate) mod law_table;
pub(crate) mod material;
