//! Contact dynamics with friction, beyond the papers.
//!
//! `slow_loading` is the pyramid with the forces that slow loading leaves, `ramp` the pyramid of elastic spheres under
//! a growing weight, `pour` a pour by both kinds of contacts, `one_sphere` a sphere on a floor. Figures are in the
//! other files.
mod convex;
mod drawn;
mod fclib;
mod groove;
mod heap;
mod impact;
mod one_sphere;
pub(crate) mod pour;
mod ramp;
mod rolling;
mod slow_loading;
mod stiff_friction;
mod threshold;

use super::Row;

const SOURCE: &str = "our own figure";

pub(super) const ROWS: &[Row] = &[
    ("beyond-rolling", "Sliding becomes rolling", SOURCE, rolling::rolling),
    ("beyond-incline", "A sphere and a body that cannot roll on an incline", SOURCE, rolling::incline),
    ("beyond-impact", "Impacts with spin", SOURCE, impact::impacts),
    ("beyond-threshold", "Piles that stand or fall", SOURCE, threshold::piles),
    ("beyond-groove", "Forces in a groove remember their load", SOURCE, groove::loading),
    ("beyond-stiff", "Elastic spheres with friction tend to slow loading", SOURCE, stiff_friction::stiffness),
    ("beyond-drawn", "Forces of slow loading from no friction to much", SOURCE, drawn::friction),
    ("beyond-convex", "What the convex law gets wrong", SOURCE, convex::law),
    ("beyond-heap", "Heaps of rigid and of elastic spheres", SOURCE, heap::slopes),
    ("beyond-fclib", "Problems of FCLIB", SOURCE, fclib::problems),
];
