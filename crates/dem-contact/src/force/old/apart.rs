//! Keeping what different threads use apart.

/// Something on cache lines of its own, of which processors fetch two at a time: threads that use what is beside it do not take them
/// from each other.
#[derive(Debug, Default)]
#[repr(align(128))]
pub(crate) struct Apart<T>(pub(crate) T);
