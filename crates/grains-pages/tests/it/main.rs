//! Tests of what the library promises.

mod pictures;
