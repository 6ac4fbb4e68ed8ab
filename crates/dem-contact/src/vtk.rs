//! Files for ParaView and VTK: one VTP file per frame, and a PVD file that lists them.

mod data_array;
mod frame;
mod points;
mod series;
mod tags;

pub use frame::VtpFrame;
pub use points::VtpPoints;
pub use series::PvdSeries;
