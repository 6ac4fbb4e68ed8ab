//! All integrators, so that a test can loop over them.

use crate::prelude::*;

/// An integrator without its time step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Method {
    /// [`Explicit`].
    Explicit(Map),
    /// [`BodyFrameRodrigues`], `[BG21] (21)`.
    BodyFrame,
    /// [`ImplicitRodrigues`], `[BG21] (26)`, with its weight φ.
    Implicit(f64),
}

pub(crate) const RODRIGUES_23: Method = Method::Explicit(Map::Rodrigues23);
pub(crate) const RODRIGUES_25: Method = Method::Explicit(Map::Rodrigues25);
pub(crate) const RODRIGUES_27: Method = Method::Explicit(Map::Rodrigues27);
pub(crate) const VERLET: Method = Method::Explicit(Map::Verlet);
pub(crate) const MOSER_VESELOV: Method = Method::Explicit(Map::MoserVeselov);
pub(crate) const SPLITTING: Method = Method::Explicit(Map::CayleySplitting);

pub(crate) const MAPS: [Map; 6] =
    [Map::Rodrigues23, Map::Rodrigues25, Map::Rodrigues27, Map::Verlet, Map::MoserVeselov, Map::CayleySplitting];

pub(crate) const ALL: [Method; 10] = [
    RODRIGUES_23,
    RODRIGUES_25,
    RODRIGUES_27,
    VERLET,
    MOSER_VESELOV,
    SPLITTING,
    Method::BodyFrame,
    Method::Implicit(1.0),
    Method::Implicit(0.5),
    Method::Implicit(0.0),
];

/// Methods with rows in the reference file, and their names there.
pub(crate) const TABULATED: [(&str, Method); 6] = [
    ("(23)", RODRIGUES_23),
    ("(25)", RODRIGUES_25),
    ("(27)", RODRIGUES_27),
    ("(26)phi=1/2", Method::Implicit(0.5)),
    ("(26)phi=0", Method::Implicit(0.0)),
    ("exact-drift KDK", VERLET),
];

impl Method {
    pub(crate) fn with_step(self, h: f64) -> Box<dyn Integrator> {
        match self {
            Self::Explicit(map) => Box::new(Explicit::new(map, h).unwrap()),
            Self::BodyFrame => Box::new(BodyFrameRodrigues::new(h).unwrap()),
            Self::Implicit(weight) => Box::new(ImplicitRodrigues::new(weight, h).unwrap()),
        }
    }

    pub(crate) fn takes_any_shape(self) -> bool {
        self == MOSER_VESELOV || self == SPLITTING
    }
}
