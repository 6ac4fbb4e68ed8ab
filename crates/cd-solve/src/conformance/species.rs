//! Stiffnesses of spheres of two kinds.

/// Materials of the spheres of an assembly, which decide the stiffnesses of contacts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Species {
    /// Spheres of one material: all contacts are equally stiff.
    Uniform,
    /// Soft spheres of even number and others five times as stiff: a contact has the harmonic mean of two moduli.
    EvenSoft,
    /// Soft spheres of odd number and others five times as stiff: [`EvenSoft`](Self::EvenSoft) for numbers from one.
    OddSoft,
}

impl Species {
    /// Stiffness of the contact of spheres number `a` and `b`, in units of the stiffest contact.
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
