//! The benches are separate targets; this library is empty.
