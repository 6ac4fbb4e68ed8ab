//! Stiffnesses of spheres of two kinds.

/// The materials of the spheres of an assembly.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Species {
    /// All contacts are equally stiff.
    Uniform,
    /// Spheres of even number are soft, the others five times as stiff: a contact has the harmonic mean of two moduli.
    EvenSoft,
    /// Spheres of odd number are soft: [`EvenSoft`](Self::EvenSoft) for spheres that are counted from one.
    OddSoft,
}

impl Species {
    /// The stiffness of the contact of two spheres; one for the stiffest.
    #[must_use]
    pub fn stiffness(self, a: usize, b: usize) -> f64 {
        let soft = |sphere: usize| match self {
            Self::Uniform => false,
            Self::EvenSoft => sphere.is_multiple_of(2),
            Self::OddSoft => !sphere.is_multiple_of(2),
        };
        match (soft(a), soft(b)) {
            (false, false) => 1.0,
            (true, true) => 0.2,
            _ => 1.0 / 3.0,
        }
    }
}
