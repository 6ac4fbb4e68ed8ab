//! Files for ParaView and VTK: one VTP file per frame, and a PVD file that lists them.
//!
//! `frame`, `contact_lines` and `wall_faces` write a frame of bodies, of contacts and of walls, as a `poly_data` with
//! the arrays of `data_array`; `series` writes a numbered series of frames. `points` reads the points of a frame with
//! the XML `tags` and the bytes of `blocks`.

mod blocks;
pub(crate) mod contact_lines;
mod data_array;
pub(crate) mod frame;
pub(crate) mod points;
mod poly_data;
pub(crate) mod series;
mod tags;
pub(crate) mod wall_faces;
