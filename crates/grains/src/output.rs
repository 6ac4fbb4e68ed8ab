//! Results in files.

mod columns;
mod frames;
mod lines;
mod lock;
mod marks;
mod scratch;
mod writer;

pub(crate) use columns::{contact_lines, header, line};
pub(crate) use lock::Lock;
pub(crate) use marks::Marks;
pub(crate) use scratch::Scratch;
pub(crate) use writer::{Order, Writer, make_room};

/// The checkpoint in a folder of results.
pub(crate) const CHECKPOINT: &str = "checkpoint.grains";
/// The time series.
pub(crate) const SERIES: &str = "series.csv";
/// The table of contacts.
pub(crate) const CONTACTS: &str = "contacts.csv";
/// The list of frames.
pub(crate) const FRAMES: &str = "frames.pvd";
