//! `[DK21]`: the variational integrator for the discrete element method.
//!
//! `scene` has bodies and forces, `scheme` names the integrators, `run` moves a scene by one of them. `lammps` reads
//! the runs of LAMMPS that figures are compared with. Each figure has a file that computes it and one that shows it:
//! `silo` and `draining` (Fig. 2), `impact` and `two_spheres`, `small_steps` (6 to 8), `bounces` and `walls` (9),
//! `filling` and `box_fill` (11), `settling` and `large_steps`. `powder` is beyond the paper.
mod beverloo;
mod bonded;
mod bounces;
mod box_fill;
mod configurations;
mod draining;
mod exact;
mod filling;
mod impact;
mod lammps;
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

use crate::model::figure::Figure;

/// The figures of `[DK21]` from the second on; the first is a chart of methods.
pub(super) fn table() -> Vec<Figure> {
    vec![
        Figure { id: "dk21-fig2", title: "A draining silo", source: "[DK21] Fig. 2", run: draining::silo },
        Figure {
            id: "dk21-fig3",
            title: "The action principle, continuous and discrete",
            source: "[DK21] Fig. 3",
            run: principle::action_principle,
        },
        Figure {
            id: "dk21-fig4",
            title: "The potential of a contact",
            source: "[DK21] Fig. 4",
            run: potential::potential,
        },
        Figure {
            id: "dk21-fig5",
            title: "The configurations of the tests",
            source: "[DK21] Fig. 5",
            run: configurations::all,
        },
        Figure {
            id: "dk21-fig6",
            title: "Two spheres: small steps against LAMMPS",
            source: "[DK21] Fig. 6",
            run: small_steps::figure,
        },
        Figure {
            id: "dk21-fig7",
            title: "Two spheres: large steps",
            source: "[DK21] Fig. 7",
            run: two_spheres::large_steps,
        },
        Figure {
            id: "dk21-fig8",
            title: "Two spheres: the closed solution",
            source: "[DK21] Fig. 8",
            run: two_spheres::against_exact,
        },
        Figure {
            id: "dk21-order",
            title: "Two spheres: orders inside one contact",
            source: "ours, to [DK21] section 2.1",
            run: orders::inside_a_contact,
        },
        Figure { id: "dk21-fig9", title: "A sphere between two walls", source: "[DK21] Fig. 9", run: walls::energy },
        Figure { id: "dk21-fig10", title: "A bonded pair is hit", source: "[DK21] Fig. 10", run: bonded::impact },
        Figure { id: "dk21-fig11", title: "Filling a box", source: "[DK21] Fig. 11", run: box_fill::statistics },
        Figure {
            id: "dk21-large-steps",
            title: "Steps beyond the limit of the explicit scheme",
            source: "ours, to [DK21] sections 2 and 4",
            run: large_steps::costs,
        },
    ]
}

/// Figures beyond the paper.
pub(super) fn beyond() -> Vec<Figure> {
    vec![Figure {
        id: "beyond-powder",
        title: "Powders arch over a hole",
        source: "our own figure",
        run: powder::bridging,
    }]
}
