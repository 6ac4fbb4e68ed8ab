//! From a scene to bodies, walls, lists and fields.
//!
//! [`bodies`] makes the first state (with [`place`], [`pour`], [`radii`] and [`table`]), [`body_file`] that of a file, [`parts`] everything that an
//! engine is made of (with [`walls`], [`domain`], [`bonds`], [`liquid`], [`damping`]), [`drives`] how walls move,
//! [`felt`] which bodies feel them, [`measures`] what is measured, [`checks`] what can be wrong with the whole,
//! [`plausible`] what is hardly meant, and [`steps`] the time step
//! (with [`time_scales`], [`half_period`] and [`speeds`]). [`sizes`], [`coming`] and [`crowds`] refuse what
//! would take too much memory or time.

pub(crate) mod adhesion;
pub(crate) mod bodies;
pub(crate) mod body_file;
pub(crate) mod bonds;
pub(crate) mod checks;
pub(crate) mod coming;
mod crowds;
pub(crate) mod damping;
pub(crate) mod deforming;
pub(crate) mod domain;
pub(crate) mod drives;
pub(crate) mod faces;
pub(crate) mod felt;
mod half_period;
pub(crate) mod idle;
pub(crate) mod liquid;
pub(crate) mod measures;
pub(crate) mod parts;
mod place;
pub(crate) mod plausible;
mod pour;
mod radii;
pub(crate) mod sizes;
pub(crate) mod sources;
pub(crate) mod speeds;
pub(crate) mod steps;
pub(crate) mod table;
mod time_scales;
pub(crate) mod walls;
