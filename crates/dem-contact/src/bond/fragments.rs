//! Sets of bodies that intact bonds join.

use cd_solve::disjoint_sets::DisjointSets;

use crate::bond::bonds::Bonds;

impl Bonds {
    /// Returns the numbers of the two bodies of each bond that is not broken, in the order of the bonds.
    pub fn intact_pairs(&self) -> impl Iterator<Item = [usize; 2]> + '_ {
        let intact = self.records.iter().zip(&self.intact).filter(|(_, intact)| **intact);
        intact.map(|(record, _)| record.bodies.map(|body| body as usize))
    }

    /// Returns the fragment of each body: the smallest body number in the set of bodies that chains of intact bonds
    /// join. A body without an intact bond is a fragment of its own. Fixed bodies join other bodies as free ones do.
    ///
    /// ```
    /// use dem_contact::bond::{Bond, BondLaw, Bonds};
    /// use rrp_geom::glam::DVec3;
    /// use rrp_integrate::{Bodies, Body, State};
    ///
    /// let bodies = Bodies::new([Body::sphere(1.0, 0.5); 5])?;
    /// let mut state = State::at_rest(5);
    /// (0..5).for_each(|i| state.position_mut().set(i, DVec3::X * i as f64));
    /// let law = BondLaw::default();
    /// let bonds = Bonds::new(&bodies, &state, [Bond::new(4, 3, law), Bond::new(1, 2, law), Bond::new(4, 2, law)])?;
    /// assert_eq!(bonds.fragments(), [0, 1, 1, 1, 1]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn fragments(&self) -> Vec<usize> {
        let mut sets = DisjointSets::new(self.bodies);
        self.intact_pairs().for_each(|[a, b]| sets.join(a, b));
        sets.names()
    }
}
