//! Figures of contact dynamics with friction, which none of the three papers has.
//!
//! `slow_loading` computes forces of a pyramid after slow loading, `ramp` simulates a pyramid of elastic spheres under
//! a growing weight, and `pour` pours heaps of rigid or elastic spheres. The other files are figures.
mod closed_forms;
mod convex;
mod drawn;
mod fclib;
mod heap;
pub(crate) mod pour;
mod ramp;
mod slow_loading;
mod stiff_friction;

use crate::model::Entry;

const SOURCE: &str = "our own figure";

pub(in crate::figures) const FIGURES: &[Entry] = &[
    ("beyond-closed-forms", "Closed forms of friction", SOURCE, closed_forms::table),
    ("beyond-stiff", "Elastic spheres with friction tend to slow loading", SOURCE, stiff_friction::stiffness),
    ("beyond-drawn", "Forces of slow loading from no friction to much", SOURCE, drawn::friction),
    ("beyond-convex", "What the convex law gets wrong", SOURCE, convex::law),
    ("beyond-heap", "Heaps of rigid and of elastic spheres", SOURCE, heap::slopes),
    ("beyond-fclib", "Problems of FCLIB", SOURCE, fclib::problems),
];
