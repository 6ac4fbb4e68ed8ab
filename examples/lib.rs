//! The examples are separate targets; this library is empty.
