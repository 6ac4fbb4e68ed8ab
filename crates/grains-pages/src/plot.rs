//! Plots: a description as data, and two ways to show it.
//!
//! `description` holds axes, series and guides. `draw` makes an SVG file of them, `data` makes JSON for the page.
//! Both lay out axes with `layout`, set variables with `notation` and leave out points that no one could tell apart
//! with `thin`. Nothing here knows figures or claims.

mod axis;
mod data;
mod description;
mod draw;
pub mod label;
mod layout;
mod marker;
pub mod notation;
mod palette;
mod scene;
mod series;
mod slope;
mod thin;

pub use axis::Axis;
pub use description::Plot;
pub use marker::Marker;
pub use series::Series;
