#![doc = include_str!("../README.md")]

mod conservation;
mod double_double;
pub mod elliptic;
mod energy_error;
mod error;
mod free_top;
mod jacobian;
mod motion;
pub mod order;
mod path_comparison;
mod period;
mod reversal;
mod symplectic;
mod trapezoid;

pub use conservation::{ConservationMonitor, ConservationReport};
pub use energy_error::EnergyError;
pub use error::VerifyError;
pub use free_top::FreeTop;
pub use motion::Motion;
pub use order::OrderFit;
pub use path_comparison::{PathComparison, norm_error};
pub use period::{MeasuredPeriod, PeriodMeter};
pub use reversal::reversal_defect;
pub use symplectic::{SymplecticReport, symplectic_report};
pub use trapezoid::Trapezoid;
