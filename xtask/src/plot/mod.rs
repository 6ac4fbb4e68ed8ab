//! Plots: a description as data, and two ways to show it.
//!
//! `description` holds axes, series and guides. `draw` makes an SVG file of them, `data` makes JSON for the page.
//! Both lay out axes with `layout`, set variables with `notation` and leave out points that no one could tell apart
//! with `thin`. Nothing here knows figures or claims.
mod axis;
mod data;
mod description;
mod draw;
pub(crate) mod label;
mod layout;
mod marker;
pub(crate) mod notation;
mod palette;
mod scene;
mod series;
mod slope;
mod thin;

pub(crate) use axis::Axis;
pub(crate) use description::Plot;
pub(crate) use marker::Marker;
pub(crate) use series::Series;
