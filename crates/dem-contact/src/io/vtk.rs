//! Files for ParaView and VTK: one VTP file per frame, and a PVD file that lists them.
//!
//! `frame`, `contact_lines`, `bond_lines` and `wall_faces` write a frame of bodies, of contacts, of bonds and of walls,
//! as a `poly_data` with the arrays of `data_array`; `series` writes a numbered series of frames. `points` and
//! `touches` read the bodies and the contacts of a frame from a `poly_file`, with the XML `tags` and the bytes of
//! `blocks`.

mod blocks;
pub(crate) mod bond_lines;
pub(crate) mod contact_lines;
mod data_array;
pub(crate) mod frame;
pub(crate) mod points;
mod poly_data;
mod poly_file;
pub(crate) mod series;
mod tags;
pub(crate) mod touches;
pub(crate) mod wall_faces;
