//! `[BG21]` sections 2, 3 and 5: the explicit variational integrator in rescaled Rodrigues parameters.
//!
//! `pendulum` is the moving body, `method` the maps that move it. The other files are figures: `convergence` and
//! `conservation` are Fig. 1, `long_run`, `structure` and `tops` are ours. `sabotage` breaks the maps of the pendulum
//! to test that claims fail then.
mod conservation;
mod convergence;
mod long_run;
mod method;
mod pendulum;
pub(crate) mod sabotage;
mod structure;
mod tops;

use crate::model::figure::Figure;

/// The figures of `[BG21]` section 3, and ours of its pendulum and of other tops.
pub(super) fn table() -> Vec<Figure> {
    vec![
        Figure {
            id: "bg21-fig1a",
            title: "Pendulum: convergence of the energy",
            source: "[BG21] Fig. 1, first panel",
            run: convergence::energy,
        },
        Figure {
            id: "bg21-fig1b",
            title: "Pendulum: convergence of the norm of the trajectory",
            source: "[BG21] Fig. 1, second panel",
            run: convergence::norm,
        },
        Figure {
            id: "bg21-fig1c",
            title: "Pendulum: Rρ₀·Ω is conserved",
            source: "[BG21] Fig. 1, third panel",
            run: conservation::axial_spin,
        },
        Figure {
            id: "bg21-fig1d",
            title: "Pendulum: |Rρ₀| is conserved",
            source: "[BG21] Fig. 1, fourth panel",
            run: conservation::length,
        },
        Figure {
            id: "bg21-h1",
            title: "Pendulum: convergence of the trajectory itself",
            source: "ours, beside [BG21] Fig. 1",
            run: convergence::distance,
        },
        Figure {
            id: "bg21-energy-exact",
            title: "Pendulum: the energies that (25) and (27) conserve exactly",
            source: "ours",
            run: conservation::exact_energy,
        },
        Figure {
            id: "bg21-energy-slope",
            title: "Pendulum: ten million steps",
            source: "ours, to [BG21] section 2.5",
            run: long_run::slopes,
        },
        Figure {
            id: "bg21-symplectic",
            title: "Pendulum: which maps are symplectic",
            source: "ours, to [BG21] section 2.4",
            run: structure::symplectic,
        },
        Figure {
            id: "bg21-reversal",
            title: "Pendulum: which maps are reversible",
            source: "ours, to [BG21] section 2.5",
            run: structure::reversal,
        },
        Figure {
            id: "bg21-free-top",
            title: "Free top of any shape: period, energy, momentum",
            source: "ours, to [BG21] section 5",
            run: tops::free,
        },
        Figure {
            id: "bg21-heavy-top",
            title: "Heavy top of any shape",
            source: "ours, to [BG21] section 5",
            run: tops::heavy,
        },
    ]
}
