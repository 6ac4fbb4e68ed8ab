//! The three contact laws for which `[OK18]` section 8.2 computes forces in the pyramid.
use cd_solve::conformance::Species;

/// Contact law of the spheres of the pyramid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Law {
    /// Hooke's law, with the same stiffness for all contacts.
    Hooke,
    /// Hertz's law, with the same stiffness for all contacts.
    Hertz,
    /// Hooke's law with two species: spheres of even number are five times as soft as the others.
    Multi,
}

impl Law {
    /// All contact laws in the order of the columns of `[OK18]` Fig. 19.
    pub(super) const ALL: [Self; 3] = [Self::Hooke, Self::Hertz, Self::Multi];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Hooke => "uniform Hooke",
            Self::Hertz => "uniform Hertz",
            Self::Multi => "two-species Hooke",
        }
    }

    pub(super) fn species(self) -> Species {
        if self == Self::Multi { Species::EvenSoft } else { Species::Uniform }
    }

    /// Returns the exponent p of the contact energy, which grows as δ^p with the overlap δ.
    pub(super) fn exponent(self) -> f64 {
        if self == Self::Hertz { 2.5 } else { 2.0 }
    }

    /// Returns the dimensionless stiffness κ = k d^(p−1)/(m g) of the stiff elastic spheres that approximate infinitely
    /// stiff ones. Their contact force is F = k δ^(p−1) at the overlap δ, with p from [`Self::exponent`].
    pub(super) fn stiffness(self) -> f64 {
        if self == Self::Hertz { 1e9 } else { 1e6 }
    }

    /// Returns the relative errors of the forces on the pyramid's base that `[OK18]` Table 1 prints: of classic forces
    /// by APGD, of classic forces by PGS, and of compatible forces.
    pub(super) fn table(self) -> [f64; 3] {
        match self {
            Self::Hooke => [0.17, 0.19, 1.9e-5],
            Self::Hertz => [0.17, 0.19, 2.8e-5],
            Self::Multi => [0.22, 0.25, 2.3e-5],
        }
    }

    /// Returns the largest compatible force in m g of the pyramid of twenty layers, from an independent program.
    pub(super) fn oracle(self) -> f64 {
        match self {
            Self::Hooke => 4.397_011_139_941_52,
            Self::Hertz => 4.521_309_496_540_678,
            Self::Multi => 7.174_713_123_167,
        }
    }

    /// Returns the number of compatible forces above 1e-9 m g in the pyramid of twenty layers, from the program of
    /// [`Self::oracle`].
    pub(super) fn loaded(self) -> f64 {
        match self {
            Self::Hooke => 9784.0,
            Self::Hertz => 9840.0,
            Self::Multi => 10253.0,
        }
    }
}
