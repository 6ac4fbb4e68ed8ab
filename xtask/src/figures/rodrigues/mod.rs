//! Figures of `[BG21]` sections 2, 3 and 5: explicit variational integrators of rotations in rescaled Rodrigues
//! parameters.
//!
//! `pendulum` is the moving body, and `method` lists the compared integration maps. `convergence` and `conservation`
//! make Fig. 1; `long_run`, `structure` and `tops` make figures that the paper does not have. `sabotage` breaks the
//! maps of the pendulum, to test that claims then fail.
mod conservation;
mod convergence;
mod long_run;
pub(super) mod method;
mod pendulum;
pub(crate) mod sabotage;
mod structure;
mod tops;

use crate::model::Entry;

/// Figures of `[BG21]` section 3, and further figures of its pendulum and of other tops.
pub(super) const FIGURES: &[Entry] = &[
    ("bg21-fig1a", "Pendulum: convergence of the energy", "[BG21] Fig. 1, first panel", convergence::energy),
    (
        "bg21-fig1b",
        "Pendulum: convergence of the norm of the trajectory",
        "[BG21] Fig. 1, second panel",
        convergence::norm,
    ),
    ("bg21-fig1c", "Pendulum: Rρ₀·Ω is conserved", "[BG21] Fig. 1, third panel", conservation::axial_spin),
    ("bg21-fig1d", "Pendulum: |Rρ₀| is conserved", "[BG21] Fig. 1, fourth panel", conservation::length),
    ("bg21-h1", "Pendulum: convergence of the trajectory itself", "ours, beside [BG21] Fig. 1", convergence::distance),
    (
        "bg21-energy-exact",
        "Pendulum: the energies that (25) and (27) conserve exactly",
        "ours",
        conservation::exact_energy,
    ),
    ("bg21-energy-slope", "Pendulum: ten million steps", "ours, to [BG21] section 2.5", long_run::slopes),
    ("bg21-symplectic", "Pendulum: which maps are symplectic", "ours, to [BG21] section 2.4", structure::symplectic),
    ("bg21-reversal", "Pendulum: which maps are reversible", "ours, to [BG21] section 2.5", structure::reversal),
    ("bg21-free-top", "Free top of any shape: period, energy, momentum", "ours, to [BG21] section 5", tops::free),
    ("bg21-heavy-top", "Heavy top of any shape", "ours, to [BG21] section 5", tops::heavy),
];
