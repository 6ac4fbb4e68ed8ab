//! Model of a figure: its entry in the table, the input of its function, and its result.
//!
//! `figure` is the entry. The input is a `context` (effort, `progress`, `memo`), the result an `artifact`: claims about
//! `measured` values, a table, plots, drawings and views. This module computes no figures and writes no files.
mod artifact;
mod claim;
mod context;
mod drawing;
pub(crate) mod edges;
mod figure;
mod measured;
mod memo;
mod progress;
mod table;
mod view;

pub(crate) use artifact::Artifact;
pub(crate) use claim::{Certainty, Claim, Standing, Verdict};
pub(crate) use context::{Context, Effort};
pub(crate) use drawing::{Drawing, FAINT, INK};
pub(crate) use figure::{Entry, Figure, is_id, select};
pub(crate) use measured::Measured;
pub(crate) use memo::Memo;
pub(crate) use progress::Progress;
pub(crate) use table::Table;
pub(crate) use view::{Floor, Frame, View};
