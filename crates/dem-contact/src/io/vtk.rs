//! Files for ParaView and VTK: one VTP file per frame, and a PVD file that lists them.
//!
//! `frame`, `contact_lines`, `bond_lines` (both by `lines`) and `wall_faces` write a frame of bodies, contacts, bonds or
//! walls, as a `poly_data` with the arrays of `data_array`. `faces` has the polygons of walls, `wall_contacts` their loads;
//! `series` writes a numbered series of frames. `points` and `touches` read the bodies and contacts of a frame, `table`
//! all arrays and cells, from a `poly_file` with the XML `tags` and the bytes of `blocks`.

mod blocks;
pub(crate) mod bond_lines;
pub(crate) mod contact_lines;
pub(crate) mod data_array;
mod faces;
pub(crate) mod frame;
pub(crate) mod lines;
pub(crate) mod points;
mod poly_data;
mod poly_file;
pub(crate) mod series;
pub(crate) mod table;
mod tags;
pub(crate) mod touches;
mod wall_contacts;
pub(crate) mod wall_faces;
