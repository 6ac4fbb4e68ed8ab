//! Results for the eye: plots, pictures and pages.

pub(crate) mod picture;
pub(crate) mod plot;
pub(crate) mod report;
