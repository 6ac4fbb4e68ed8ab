//! Files for ParaView and VTK: one VTP file per frame, and a PVD file that lists them.

mod data_array;
mod frame;
mod series;

pub use frame::VtpFrame;
pub use series::PvdSeries;
