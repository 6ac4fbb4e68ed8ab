use crate::conformance::assembly::Assembly;
use crate::conformance::species::Species;

/// The pyramid of spheres of `[OK18]` section 8: layer k = 0 … n−1 has (n−k)² spheres of unit diameter in the pits of
/// the layer below, at (i + k/2, j + k/2, k/√2). The base is fixed, all other spheres have unit weight.
///
/// Spheres are numbered from the base up, i before j. Contacts are sorted by their spheres and include those within
/// layers.
#[derive(Debug, Clone, PartialEq)]
pub struct Pyramid {
    layers: usize,
    centre: Vec<[f64; 3]>,
    pairs: Vec<[usize; 2]>,
}

impl Pyramid {
    /// Makes a square pyramid of spheres with this number of `layers`.
    #[must_use]
    pub fn new(layers: usize) -> Self {
        let first: Vec<usize> = (0..layers)
            .scan(0, |sum, k| {
                let first = *sum;
                *sum += (layers - k) * (layers - k);
                Some(first)
            })
            .collect();
        let mut centre = Vec::new();
        let mut pairs = Vec::new();
        for k in 0..layers {
            let side = layers - k;
            for (i, j) in (0..side).flat_map(|i| (0..side).map(move |j| (i, j))) {
                let half = 0.5 * k as f64;
                let a = first[k] + i * side + j;
                centre.push([i as f64 + half, j as f64 + half, k as f64 / std::f64::consts::SQRT_2]);
                if k > 0 {
                    pairs.extend((j + 1 < side).then_some([a, a + 1]));
                    pairs.extend((i + 1 < side).then_some([a, a + side]));
                }
                for (p, q) in
                    [(i.wrapping_sub(1), j.wrapping_sub(1)), (i.wrapping_sub(1), j), (i, j.wrapping_sub(1)), (i, j)]
                {
                    if p < side - 1 && q < side - 1 {
                        pairs.push([a, first[k + 1] + p * (side - 1) + q]);
                    }
                }
            }
        }
        Self { layers, centre, pairs }
    }

    /// Centres of all spheres in units of the diameter, those of the base first.
    #[must_use]
    pub fn centre(&self) -> &[[f64; 3]] {
        &self.centre
    }

    /// Numbers of the two spheres of each contact.
    #[must_use]
    pub fn pairs(&self) -> &[[usize; 2]] {
        &self.pairs
    }

    /// Number of fixed spheres, those of the base, which have the lowest numbers.
    #[must_use]
    pub fn fixed(&self) -> usize {
        self.layers * self.layers
    }

    /// Makes the test problem of this pyramid under its weight, with stiffnesses by material (`species`).
    #[must_use]
    pub fn assembly(&self, species: Species) -> Assembly {
        let fixed = self.fixed();
        let mut assembly = Assembly::new(3, self.centre.len() - fixed);
        assembly.load.iter_mut().skip(2).step_by(3).for_each(|load| *load = 1.0);
        for (contact, &[a, b]) in self.pairs.iter().enumerate() {
            let normal = std::array::from_fn(|d| self.centre[b][d] - self.centre[a][d]);
            assembly.push([a, b].map(|sphere| sphere.checked_sub(fixed)), normal);
            assembly.stiffness[contact] = species.stiffness(a, b);
        }
        assembly
    }
}
