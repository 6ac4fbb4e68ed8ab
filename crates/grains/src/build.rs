//! Construction of bodies, walls, neighbour lists and force fields from a scene.
//!
//! [`bodies`] makes the initial state (with [`place`], [`pour`], [`radii`] and [`table`]), [`body_file`] reads the
//! bodies of a file, [`parts`] makes all parts of an engine (with [`walls`], [`domain`], [`bonds`], [`liquid`],
//! [`damping`]) for a [`situation`], [`drives`] the motions of walls and of the box, [`felt`] the table of bodies that
//! feel each wall, [`measures`] the measurements, and [`steps`] the time step (with [`time_scales`], [`half_period`]
//! and [`speeds`]). [`checks`] refuses overlaps and bodies in solids, [`sizes`], [`coming`] and [`crowds`] what takes
//! too much memory or time. [`plausible`] notes probable mistakes.

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
pub(crate) mod situation;
pub(crate) mod sizes;
pub(crate) mod sources;
pub(crate) mod speeds;
pub(crate) mod steps;
pub(crate) mod table;
mod time_scales;
pub(crate) mod walls;
