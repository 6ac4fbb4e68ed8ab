//! TODO

pub(crate) mod lammps;
pub(crate) mod vtk;

pub use self::lammps::LammpsData;
pub use self::vtk::frame::VtpFrame;
pub use self::vtk::points::VtpPoints;
pub use self::vtk::series::PvdSeries;
