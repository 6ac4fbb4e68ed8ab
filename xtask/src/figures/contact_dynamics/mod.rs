//! Figures of `[OK18]` section 8: contact forces between rigid bodies.
//!
//! `pile` computes compatible and classic forces of the pyramid, `stiff` those of elastic spheres at rest. `law` lists
//! the contact laws, which `repulsion` and `species_law` implement. `runs` holds the results that figures share.
//! Figures are in `beam`, `falling`, `forces`, `floor` and, beyond the paper, `limit`, `choices`, `compliant_step`,
//! `indeterminacy`, `pour`; they draw with `network`, `spheres`, `platform`, `histogram`. Figures with friction are in
//! the folder `friction`.
mod beam;
mod choices;
mod compliant_step;
mod falling;
mod floor;
mod forces;
pub(crate) mod friction;
mod histogram;
mod indeterminacy;
mod law;
mod limit;
mod network;
mod pile;
mod platform;
mod pour;
mod repulsion;
mod runs;
mod species_law;
mod spheres;
mod stiff;

use crate::model::figure::Figure;

const FIGURES: &[Figure] = &[
    Figure::new("ok18-fig1", "Beam: classic forces by PGS", "[OK18] Fig. 1", beam::fig1),
    Figure::new("ok18-fig2", "Beam: classic forces by APGD", "[OK18] Fig. 2", beam::fig2),
    Figure::new("ok18-fig3", "Beam: compatible forces", "[OK18] Fig. 3", beam::fig3),
    Figure::new("ok18-fig4", "Beam on unequal supports: elastic reference", "[OK18] Fig. 4", beam::fig4),
    Figure::new("ok18-fig5", "Beam on unequal supports: compatible forces", "[OK18] Fig. 5", beam::fig5),
    Figure::new("ok18-fig6", "Pyramid at rest", "[OK18] Fig. 6", falling::fig6),
    Figure::new("ok18-fig7", "Pyramid falling", "[OK18] Fig. 7", falling::fig7),
    Figure::new("ok18-fig8", "Pyramid, Hooke: forces of elastic spheres", "[OK18] Fig. 8", forces::fig8),
    Figure::new("ok18-fig9", "Pyramid: classic forces by APGD", "[OK18] Fig. 9", forces::fig9),
    Figure::new("ok18-fig10", "Pyramid: classic forces by PGS", "[OK18] Fig. 10", forces::fig10),
    Figure::new("ok18-fig11", "Pyramid, Hooke: compatible forces", "[OK18] Fig. 11", forces::fig11),
    Figure::new("ok18-fig12", "Pyramid, Hooke: both histograms", "[OK18] Fig. 12", forces::fig12),
    Figure::new("ok18-fig13", "Pyramid of two species: forces of elastic spheres", "[OK18] Fig. 13", forces::fig13),
    Figure::new("ok18-fig14", "Pyramid of two species: compatible forces", "[OK18] Fig. 14", forces::fig14),
    Figure::new("ok18-fig15", "Pyramid of two species: both histograms", "[OK18] Fig. 15", forces::fig15),
    Figure::new("ok18-fig16", "Pyramid, Hertz: forces of elastic spheres", "[OK18] Fig. 16", forces::fig16),
    Figure::new("ok18-fig17", "Pyramid, Hertz: compatible forces", "[OK18] Fig. 17", forces::fig17),
    Figure::new("ok18-fig18", "Pyramid, Hertz: both histograms", "[OK18] Fig. 18", forces::fig18),
    Figure::new("ok18-fig19", "Pyramid: what the base carries", "[OK18] Fig. 19", floor::pressure),
    Figure::new("ok18-table1", "Pyramid: errors of what the base carries", "[OK18] Table 1", floor::table),
    Figure::new(
        "ok18-limit",
        "Elastic spheres tend to compatible forces",
        "[OK18] sections 4 and 6; our own figure",
        limit::stiffness,
    ),
    Figure::new(
        "ok18-choices",
        "Classic forces are a choice",
        "[OK18] section 8.2.1; our own figure",
        choices::classic,
    ),
    Figure::new(
        "ok18-compliant-step",
        "Compatible forces in one step",
        "[OK18] section 9; our own figure",
        compliant_step::compliance,
    ),
    Figure::new(
        "ok18-indeterminacy",
        "How many forces are undetermined",
        "[OK18] section 4; our own figure",
        indeterminacy::counts,
    ),
    Figure::new(
        "ok18-pour",
        "Spheres poured into a box do not overlap",
        "[OK18] section 3; our own figure",
        pour::box_of_spheres,
    ),
];

/// Returns the figures of `[OK18]`, of further tests of its statements, and of friction.
pub(super) fn table() -> Vec<Figure> {
    [FIGURES, friction::FIGURES].concat()
}
