//! Plots: a description as data, and two ways to display it.
//!
//! `description` holds axes, series and guides (reference lines). `draw` makes an SVG file of them, `data` makes JSON
//! for the page. Both lay out axes with `layout`, typeset variables with `notation` and leave out indistinguishable
//! points with `thin`. Nothing in this folder depends on what is plotted.

pub(crate) mod axis;
mod data;
mod description;
mod draw;
pub mod label;
pub(crate) mod layout;
mod marker;
pub mod notation;
pub(crate) mod palette;
pub(crate) mod scene;
mod series;
mod slope;
mod thin;

pub use axis::{Axis, Scale};
pub use description::Plot;
pub use marker::Marker;
pub use series::Series;
