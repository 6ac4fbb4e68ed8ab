//! Files of other programs: data files of LAMMPS, and files for ParaView and VTK.
//!
//! `lammps` reads and writes bodies and states of `atom_style sphere`; `vtk` writes frames of bodies, bonds, contacts
//! and walls, and reads them back. The folder uses bonds, measured contacts, walls and domains; no other one imports
//! it.

mod lammps;
mod vtk;

pub use self::lammps::LammpsData;
pub use self::vtk::bond_lines::VtpBonds;
pub use self::vtk::contact_lines::VtpContacts;
pub use self::vtk::data_array::VtpEncoding;
pub use self::vtk::frame::VtpFrame;
pub use self::vtk::lines::VtpLines;
pub use self::vtk::points::{VtpMarks, VtpPoints};
pub use self::vtk::series::PvdSeries;
pub use self::vtk::table::{VtpArray, VtpTable};
pub use self::vtk::touches::read_touches;
pub use self::vtk::wall_faces::VtpWalls;
