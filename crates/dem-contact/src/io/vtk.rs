//! Files for ParaView and VTK: one VTP file per frame, and a PVD file that lists them.
//!
//! `frame` writes a frame with the arrays of `data_array`, `series` a numbered series of frames; `points` reads the
//! points of a frame with the XML `tags`.

mod data_array;
pub(crate) mod frame;
pub(crate) mod points;
pub(crate) mod series;
mod tags;
