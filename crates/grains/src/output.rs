//! Files of results.
//!
//! `writer` writes them on its own thread: text by `lines` with the columns of `columns` and `measured`, frames by
//! `frames`, checkpoints by the crate's module `checkpoint`. [`lock`] locks the folder, `trial` measures the time of
//! writing, `names` has the file names, `page` the page beside the results, and `explained` the meanings and units of
//! columns.

pub(crate) mod columns;
pub(crate) mod explained;
pub(crate) mod frames;
mod lines;
pub mod lock;
pub(crate) mod measured;
pub(crate) mod names;
pub(crate) mod page;
pub(crate) mod trial;
pub(crate) mod writer;
