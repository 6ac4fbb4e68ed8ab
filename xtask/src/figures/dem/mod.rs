//! Figures of `[DK21]`: the variational integrator for the discrete element method.
//!
//! `scene` has bodies and forces, `scheme` names the integrators, `run` simulates a scene by one of them. `lammps`
//! reads results of LAMMPS for comparison. Most figures have a file with the simulation and one with the figure: `silo`
//! and `draining` (Fig. 2), `impact` and `two_spheres`, `small_steps` (Figs. 6-8), `bounces` and `walls` (Fig. 9),
//! `filling` and `box_fill` (Fig. 11), `settling` and `large_steps`. `powder` is a figure of our own.
mod beverloo;
mod bonded;
mod bounces;
mod box_fill;
mod configurations;
mod draining;
mod exact;
mod filling;
mod impact;
pub(super) mod lammps;
mod large_steps;
mod orders;
mod potential;
mod powder;
mod principle;
mod run;
mod scene;
mod scheme;
mod settling;
mod silo;
mod small_steps;
mod stiff_bond;
mod two_spheres;
mod walls;

use crate::model::Entry;

/// Figures of `[DK21]` from the second on; the first is a chart of methods without numbers.
pub(super) const FIGURES: &[Entry] = &[
    ("dk21-fig2", "A draining silo", "[DK21] Fig. 2", draining::silo),
    ("dk21-fig3", "The action principle, continuous and discrete", "[DK21] Fig. 3", principle::action_principle),
    ("dk21-fig4", "The potential of a contact", "[DK21] Fig. 4", potential::potential),
    ("dk21-fig5", "The configurations of the tests", "[DK21] Fig. 5", configurations::all),
    ("dk21-fig6", "Two spheres: small steps against LAMMPS", "[DK21] Fig. 6", small_steps::figure),
    ("dk21-fig7", "Two spheres: large steps", "[DK21] Fig. 7", two_spheres::large_steps),
    ("dk21-fig8", "Two spheres: the closed solution", "[DK21] Fig. 8", two_spheres::against_exact),
    ("dk21-order", "Two spheres: orders inside one contact", "ours, to [DK21] section 2.1", orders::inside_a_contact),
    ("dk21-fig9", "A sphere between two walls", "[DK21] Fig. 9", walls::energy),
    ("dk21-fig10", "A bonded pair is hit", "[DK21] Fig. 10", bonded::impact),
    ("dk21-fig11", "Filling a box", "[DK21] Fig. 11", box_fill::statistics),
    (
        "dk21-large-steps",
        "Steps beyond the limit of the explicit scheme",
        "ours, to [DK21] sections 2 and 4",
        large_steps::costs,
    ),
];

/// Figures of the discrete element method that `[DK21]` does not have.
pub(super) const BEYOND: &[Entry] =
    &[("beyond-powder", "Powders arch over a hole", "our own figure", powder::bridging)];
