//! Files for ParaView and VTK: one VTP file per frame, and a PVD file that lists them.

pub(crate) mod data_array;
pub(crate) mod frame;
pub(crate) mod points;
pub(crate) mod series;
pub(crate) mod tags;
