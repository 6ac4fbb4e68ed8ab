//! Results in files.
//!
//! `writer` writes them on a thread of its own: text by `lines` in the columns of `columns` and `measured`, frames by
//! `frames`, checkpoints by the module `checkpoint` of the crate. [`lock`] keeps other processes out of the folder,
//! `trial` measures how long writing takes. File names are in `names`; `explained` says what columns are, and their units.

pub(crate) mod columns;
pub(crate) mod explained;
pub(crate) mod frames;
mod lines;
pub mod lock;
pub(crate) mod measured;
pub(crate) mod names;
pub(crate) mod trial;
pub(crate) mod writer;
