//! Figures of `[BG21]` section 4: a torus of grains bonded by a binder, which hits a wall.
//!
//! `ring` is the torus in two readings of its size. Fig. 2 is in `schematic`, 3 in `frames`, 4 in `energies`, 6 in
//! `momenta`, 7 in `convergence` with `ladder_check`. Fig. 5 is in `long_run`: an `ensemble` of simulations, each a
//! `course`, with claims by `drift`.
mod convergence;
mod course;
mod drift;
mod energies;
mod ensemble;
mod frames;
mod ladder_check;
mod long_run;
mod momenta;
mod ring;
mod schematic;

use rrp_integrate::Map;

use crate::model::Entry;

/// Compared integration maps: (23), (25) and (27) of `[BG21]`.
const MAPS: [Map; 3] = [Map::Rodrigues23, Map::Rodrigues25, Map::Rodrigues27];

/// Statement of `[BG21]` about its Fig. 5, quoted in claims.
const PAPER: &str = "excellent near-conservation of total energy over exponentially long times";

/// Figures of `[BG21]` section 4, for both readings of the size of the torus.
pub(super) const FIGURES: &[Entry] = &[
    ("bg21-fig2", "Torus: the particle-binder-particle interaction", "[BG21] Fig. 2", schematic::interaction),
    ("bg21-fig3", "Torus: deformed states", "[BG21] Fig. 3", frames::deformed),
    ("bg21-fig4", "Torus: where the energy is", "[BG21] Fig. 4", energies::by_term),
    ("bg21-fig5", "Torus: energy over a long time", "[BG21] Fig. 5", long_run::energy),
    ("bg21-fig6", "Torus: momenta", "[BG21] Fig. 6", momenta::conserved),
    (
        "bg21-fig7-unit-grains",
        "Torus with grains of diameter one: convergence",
        "[BG21] Fig. 7",
        convergence::unit_grains,
    ),
    ("bg21-fig7-printed", "Torus of the printed diameter: convergence, or not", "[BG21] Fig. 7", convergence::printed),
];
