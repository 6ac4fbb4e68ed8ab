use crate::util::numbers::larger;

/// Sums and maxima over all contacts and bodies in one evaluation of a search for equilibrium.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Totals {
    pub(super) energy: f64,
    /// Number of contacts; an overlap that several facets of a wall share counts once.
    pub(super) contacts: f64,
    /// Sum of the magnitudes of all contact forces in N.
    pub(super) force_sum: f64,
    /// Sum over all contacts of the ratio of overlap to 4 R, the harmonic mean of both diameters, where R is the
    /// reduced radius `r_a` `r_b`/(`r_a` + `r_b`), or the radius of the body at a wall.
    pub(super) strain: f64,
    pub(super) stiffest: f64,
    /// Largest unbalanced force on a body in N.
    unbalanced: f64,
    /// Root of the sum of squares of all unbalanced forces in N.
    pub(super) size: f64,
    /// Whether two bodies overlap by a radius or more, so that the contact law is not valid.
    pub(super) too_deep: bool,
}

impl Totals {
    /// Residual: largest unbalanced force over the mean contact force, or over the largest `load` (N) without contacts.
    pub(super) fn residual(&self, load: f64) -> f64 {
        let scale = if self.contacts > 0.0 { self.mean_force() } else { load };
        if self.unbalanced > 0.0 { self.unbalanced / scale } else { self.unbalanced }
    }

    /// Mean over all contacts of the ratio of overlap to 4 R, the harmonic mean of both diameters, where R is the
    /// reduced radius `r_a` `r_b`/(`r_a` + `r_b`), or the radius of the body at a wall. Zero without contacts.
    pub(super) fn mean_strain(&self) -> f64 {
        if self.contacts > 0.0 { self.strain / self.contacts } else { 0.0 }
    }

    pub(super) fn mean_force(&self) -> f64 {
        if self.contacts > 0.0 { self.force_sum / self.contacts } else { 0.0 }
    }

    /// Adds the squared unbalanced force (N²) of a body to the sum and to the maximum; NaN counts as the largest.
    pub(super) fn add_square(&mut self, square: f64) {
        self.size += square;
        self.unbalanced = larger(self.unbalanced, square);
    }

    /// Sums the totals of all blocks of bodies, in which unbalanced forces are squared, and takes the roots.
    pub(super) fn of_blocks(blocks: &[Self]) -> Self {
        let mut total = blocks.iter().fold(Self::default(), |sum, part| Self {
            energy: sum.energy + part.energy,
            contacts: sum.contacts + part.contacts,
            force_sum: sum.force_sum + part.force_sum,
            strain: sum.strain + part.strain,
            stiffest: sum.stiffest.max(part.stiffest),
            unbalanced: larger(sum.unbalanced, part.unbalanced),
            size: sum.size + part.size,
            too_deep: sum.too_deep | part.too_deep,
        });
        (total.unbalanced, total.size) = (total.unbalanced.sqrt(), total.size.sqrt());
        total
    }
}
