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

use crate::model::figure::Figure;

const SOURCE: &str = "our own figure";

pub(super) const FIGURES: &[Figure] = &[
    Figure::new("beyond-closed-forms", "Closed forms of friction", SOURCE, closed_forms::table),
    Figure::new(
        "beyond-stiff",
        "Elastic spheres with friction tend to slow loading",
        SOURCE,
        stiff_friction::stiffness,
    ),
    Figure::new("beyond-drawn", "Forces of slow loading from no friction to much", SOURCE, drawn::friction),
    Figure::new("beyond-convex", "What the convex law gets wrong", SOURCE, convex::law),
    Figure::new("beyond-heap", "Heaps of rigid and of elastic spheres", SOURCE, heap::slopes),
    Figure::new("beyond-fclib", "Problems of FCLIB", SOURCE, fclib::problems),
];
