//! `[BG21]` section 4: the particle-binder torus that hits a wall.
//!
//! `ring` is the torus in its two readings, `maps` names the maps that move it. Fig. 2 is `schematic`, 3 `frames`, 4
//! `energies`, 6 `momenta`, 7 `convergence` with `ladder_check`. Fig. 5 is `long_run`: an `ensemble` of motions, each a
//! `course`, about which `drift` makes claims.
mod convergence;
mod course;
mod drift;
mod energies;
mod ensemble;
mod frames;
mod ladder_check;
mod long_run;
mod maps;
mod momenta;
mod ring;
mod schematic;

use crate::model::figure::Figure;

/// Statement of the paper about Fig. 5.
const PAPER: &str = "excellent near-conservation of total energy over exponentially long times";

/// The figures of `[BG21]` section 4, each for both readings of the torus.
pub(super) fn table() -> Vec<Figure> {
    vec![
        Figure {
            id: "bg21-fig2",
            title: "Torus: the particle-binder-particle interaction",
            source: "[BG21] Fig. 2",
            run: schematic::interaction,
        },
        Figure { id: "bg21-fig3", title: "Torus: deformed states", source: "[BG21] Fig. 3", run: frames::deformed },
        Figure {
            id: "bg21-fig4",
            title: "Torus: where the energy is",
            source: "[BG21] Fig. 4",
            run: energies::by_term,
        },
        Figure {
            id: "bg21-fig5",
            title: "Torus: energy over a long time",
            source: "[BG21] Fig. 5",
            run: long_run::energy,
        },
        Figure { id: "bg21-fig6", title: "Torus: momenta", source: "[BG21] Fig. 6", run: momenta::conserved },
        Figure {
            id: "bg21-fig7-unit-grains",
            title: "Torus with grains of diameter one: convergence",
            source: "[BG21] Fig. 7",
            run: convergence::unit_grains,
        },
        Figure {
            id: "bg21-fig7-printed",
            title: "Torus of the printed diameter: convergence, or not",
            source: "[BG21] Fig. 7",
            run: convergence::printed,
        },
    ]
}
