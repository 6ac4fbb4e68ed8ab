/// Materials of the spheres of an assembly, which decide the stiffnesses of contacts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Species {
    /// Spheres of one material: all contacts are equally stiff.
    Uniform,
    /// Soft spheres of even number, and spheres of odd number that are five times as stiff; contacts have the harmonic
    /// mean.
    EvenSoft,
    /// Soft spheres of odd number, and spheres of even number that are five times as stiff; contacts have the harmonic
    /// mean.
    OddSoft,
}

impl Species {
    /// Stiffness of the contact of spheres `a` and `b`, in units of the stiffest contact.
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
