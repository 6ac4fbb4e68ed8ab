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

use crate::model::Entry;

/// Figures of `[OK18]`, and of further tests of its statements.
pub(super) const FIGURES: &[Entry] = &[
    ("ok18-fig1", "Beam: classic forces by PGS", "[OK18] Fig. 1", beam::fig1),
    ("ok18-fig2", "Beam: classic forces by APGD", "[OK18] Fig. 2", beam::fig2),
    ("ok18-fig3", "Beam: compatible forces", "[OK18] Fig. 3", beam::fig3),
    ("ok18-fig4", "Beam on unequal supports: elastic reference", "[OK18] Fig. 4", beam::fig4),
    ("ok18-fig5", "Beam on unequal supports: compatible forces", "[OK18] Fig. 5", beam::fig5),
    ("ok18-fig6", "Pyramid at rest", "[OK18] Fig. 6", falling::fig6),
    ("ok18-fig7", "Pyramid falling", "[OK18] Fig. 7", falling::fig7),
    ("ok18-fig8", "Pyramid, Hooke: forces of elastic spheres", "[OK18] Fig. 8", forces::fig8),
    ("ok18-fig9", "Pyramid: classic forces by APGD", "[OK18] Fig. 9", forces::fig9),
    ("ok18-fig10", "Pyramid: classic forces by PGS", "[OK18] Fig. 10", forces::fig10),
    ("ok18-fig11", "Pyramid, Hooke: compatible forces", "[OK18] Fig. 11", forces::fig11),
    ("ok18-fig12", "Pyramid, Hooke: both histograms", "[OK18] Fig. 12", forces::fig12),
    ("ok18-fig13", "Pyramid of two species: forces of elastic spheres", "[OK18] Fig. 13", forces::fig13),
    ("ok18-fig14", "Pyramid of two species: compatible forces", "[OK18] Fig. 14", forces::fig14),
    ("ok18-fig15", "Pyramid of two species: both histograms", "[OK18] Fig. 15", forces::fig15),
    ("ok18-fig16", "Pyramid, Hertz: forces of elastic spheres", "[OK18] Fig. 16", forces::fig16),
    ("ok18-fig17", "Pyramid, Hertz: compatible forces", "[OK18] Fig. 17", forces::fig17),
    ("ok18-fig18", "Pyramid, Hertz: both histograms", "[OK18] Fig. 18", forces::fig18),
    ("ok18-fig19", "Pyramid: what the base carries", "[OK18] Fig. 19", floor::pressure),
    ("ok18-table1", "Pyramid: errors of what the base carries", "[OK18] Table 1", floor::table),
    (
        "ok18-limit",
        "Elastic spheres tend to compatible forces",
        "[OK18] sections 4 and 6; our own figure",
        limit::stiffness,
    ),
    ("ok18-choices", "Classic forces are a choice", "[OK18] section 8.2.1; our own figure", choices::classic),
    (
        "ok18-compliant-step",
        "Compatible forces in one step",
        "[OK18] section 9; our own figure",
        compliant_step::compliance,
    ),
    (
        "ok18-indeterminacy",
        "How many forces are undetermined",
        "[OK18] section 4; our own figure",
        indeterminacy::counts,
    ),
    ("ok18-pour", "Spheres poured into a box do not overlap", "[OK18] section 3; our own figure", pour::box_of_spheres),
];
