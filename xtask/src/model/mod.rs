//! Model of a figure: its entry in the table, the input of its function, and its result.
//!
//! `figure` is the entry. The input is a `context` (effort, `progress`, `memo`), the result an `artifact`: claims about
//! `measured` values, a table, plots, drawings and views. This module computes no figures and writes no files.
pub(crate) mod artifact;
pub(crate) mod claim;
pub(crate) mod context;
pub(crate) mod drawing;
pub(crate) mod edges;
pub(crate) mod figure;
pub(crate) mod measured;
pub(crate) mod memo;
pub(crate) mod progress;
pub(crate) mod table;
pub(crate) mod view;
