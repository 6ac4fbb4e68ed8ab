//! All integrators by name, so that a law can be put to each of them.

use rrp_integrate::{BodyFrame, Explicit, Implicit, Integrator, Map};

/// An integrator yet without a time step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Method {
    /// [`Explicit`].
    Explicit(Map),
    /// [`BodyFrame`], `[BG21] (21)`.
    BodyFrame,
    /// [`Implicit`], `[BG21] (26)`, with its weight φ.
    Implicit(f64),
}

pub(crate) const LEGENDRE: Method = Method::Explicit(Map::Legendre);
pub(crate) const NEWMARK: Method = Method::Explicit(Map::Newmark);
pub(crate) const EULER: Method = Method::Explicit(Map::SymplecticEuler);
pub(crate) const VERLET: Method = Method::Explicit(Map::VelocityVerlet);
pub(crate) const NEWTON: Method = Method::Explicit(Map::Newton);
pub(crate) const SPLITTING: Method = Method::Explicit(Map::CayleySplitting);

pub(crate) const ALL: [Method; 10] = [
    LEGENDRE,
    NEWMARK,
    EULER,
    VERLET,
    NEWTON,
    SPLITTING,
    Method::BodyFrame,
    Method::Implicit(1.0),
    Method::Implicit(0.5),
    Method::Implicit(0.0),
];

/// The methods that the reference file has rows for, with the name there.
pub(crate) const TABULATED: [(&str, Method); 6] = [
    ("(23)", LEGENDRE),
    ("(25)", NEWMARK),
    ("(27)", EULER),
    ("(26)phi=1/2", Method::Implicit(0.5)),
    ("(26)phi=0", Method::Implicit(0.0)),
    ("exact-drift KDK", VERLET),
];

impl Method {
    pub(crate) fn with_step(self, h: f64) -> Box<dyn Integrator> {
        match self {
            Self::Explicit(map) => Box::new(Explicit::new(map, h).unwrap()),
            Self::BodyFrame => Box::new(BodyFrame::new(h).unwrap()),
            Self::Implicit(weight) => Box::new(Implicit::new(weight, h).unwrap()),
        }
    }

    /// Whether bodies of any shape are allowed.
    pub(crate) fn takes_any_shape(self) -> bool {
        self == NEWTON || self == SPLITTING
    }
}
