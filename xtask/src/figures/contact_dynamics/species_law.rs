//! Hooke's contact law between two species of spheres, stiff and soft.
use dem_contact::law::ContactLaw;

/// Difference in d between the radii of stiff and soft spheres. It marks the species, since a contact law is given only
/// the reduced radius of a pair. Overlaps are more than 10⁷ times as large, so that it does not affect the forces.
pub(super) const MARK: f64 = 1.0 / (1_u64 << 48) as f64;

/// Hooke's law between spheres of diameter one. Stiff spheres are recognised by a diameter that is larger by twice
/// [`MARK`].
#[derive(Clone, Copy, Debug)]
pub(super) struct SpeciesLaw {
    /// Stiffness in m g/d of a contact between two stiff spheres.
    stiffness: f64,
    /// Damping coefficient of the contacts, the same for both species.
    damping: f64,
}

impl SpeciesLaw {
    pub(super) fn new(stiffness: f64, damping: f64) -> Self {
        Self { stiffness, damping }
    }

    #[inline]
    fn of_pair(&self, radius: f64) -> f64 {
        // Number of marked spheres: ra rb/(ra + rb) grows by a quarter of the mark per marked sphere.
        let marked = (radius - 0.25) * (4.0 / MARK);
        let ratio = if marked < 0.5 { 1.0 / 5.0 } else { 1.0 / 3.0 };
        self.stiffness * if marked < 1.5 { ratio } else { 1.0 }
    }
}

impl ContactLaw for SpeciesLaw {
    #[inline]
    fn energy(&self, overlap: f64, radius: f64) -> f64 {
        0.5 * self.of_pair(radius) * overlap * overlap
    }

    #[inline]
    fn force(&self, overlap: f64, radius: f64) -> f64 {
        self.of_pair(radius) * overlap
    }

    #[inline]
    fn stiffness(&self, _: f64, radius: f64) -> f64 {
        self.of_pair(radius)
    }

    #[inline]
    fn damping(&self, _: f64, _: f64, _: f64) -> f64 {
        self.damping
    }

    fn is_damped(&self) -> bool {
        self.damping > 0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_tell_pairs_apart() {
        let law = SpeciesLaw::new(15.0, 0.0);
        let soft = 0.5;
        let stiff = 0.5 + MARK;
        for (a, b, expected) in [(soft, soft, 3.0), (soft, stiff, 5.0), (stiff, soft, 5.0), (stiff, stiff, 15.0)] {
            assert!((law.stiffness(0.0, a * b / (a + b)) - expected).abs() < 1e-12, "{a}, {b}");
        }
    }
}
