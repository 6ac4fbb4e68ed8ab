use rrp_parallel::{Part, for_each_part, sum_parts};

use crate::leaves::{dot_of_leaf, leaves};
use crate::problem::body_blocks::{cholesky, cholesky_solve};

/// Largest number of earlier iterations whose differences Anderson's extrapolation combines.
const MEMORY: usize = 10;

/// Anderson's extrapolation of a fixed-point iteration x ← g(x), Walker and Ni (2011): the next x is the last image g
/// minus the combination of differences of images that minimises the change f = (g(x) − x)/ρ, with a scale ρ per
/// unknown.
#[derive(Debug, Clone, Default)]
pub(super) struct Anderson {
    unknowns: usize,
    /// Differences of the changes f = (g(x) − x)/ρ and of the images g(x) between successive iterates x: one column for
    /// each of the last [`MEMORY`] iterations, overwritten in turn.
    change_differences: Vec<f64>,
    image_differences: Vec<f64>,
    last_change: Vec<f64>,
    last_image: Vec<f64>,
    /// Dot products of the differences of f = (g(x) − x)/ρ with each other: the matrix of the normal equations.
    gram: [[f64; MEMORY]; MEMORY],
    /// Number of filled columns, and index of the column that is overwritten next.
    held: usize,
    next: usize,
    has_last: bool,
}

impl Anderson {
    pub(super) fn reset(&mut self, unknowns: usize) {
        self.unknowns = unknowns;
        for columns in [&mut self.change_differences, &mut self.image_differences] {
            columns.resize(MEMORY * unknowns, 0.0);
        }
        self.last_change.resize(unknowns, 0.0);
        self.last_image.resize(unknowns, 0.0);
        self.forget();
    }

    /// Makes the extrapolation forget the differences between earlier iterates, and the last iterate.
    pub(super) fn forget(&mut self) {
        (self.held, self.next, self.has_last) = (0, 0, false);
    }

    /// Image g(x) of the iterate that the extrapolation took in last.
    pub(super) fn last_image(&self) -> &[f64] {
        &self.last_image
    }

    /// Takes the change f = (g(x) − x)/ρ and the image g(x) of an iterate x, and writes the next iterate to `x`.
    pub(super) fn extrapolate(&mut self, change: &[f64], image: &[f64], x: &mut [f64]) {
        let weights = if self.has_last { self.remember(change, image) } else { None };
        if !self.has_last {
            self.last_change.copy_from_slice(change);
            self.last_image.copy_from_slice(image);
        }
        self.has_last = true;
        let n = self.unknowns;
        let held = self.held;
        for_each_part(leaves(n), (x, image), &|Part { rows, .. }, (x, image)| {
            x.copy_from_slice(image);
            for (k, weight) in weights.iter().flatten().enumerate().take(held) {
                let column = &self.image_differences[k * n..(k + 1) * n][rows.clone()];
                x.iter_mut().zip(column).for_each(|(x, d)| *x -= weight * d);
            }
        });
    }

    /// Replaces the oldest differences; returns the weights of all differences, `None` if their normal equations have
    /// no solution.
    fn remember(&mut self, change: &[f64], image: &[f64]) -> Option<[f64; MEMORY]> {
        let n = self.unknowns;
        let place = self.next;
        let column = place * n..(place + 1) * n;
        let changes = (&mut self.change_differences[column.clone()], &mut self.last_change[..], change);
        let images = (&mut self.image_differences[column], &mut self.last_image[..], image);
        for_each_part(leaves(n), (changes, images), &|_, columns| {
            for (difference, last, new) in [columns.0, columns.1] {
                for (difference, (last, new)) in difference.iter_mut().zip(last.iter_mut().zip(new)) {
                    *difference = new - *last;
                    *last = *new;
                }
            }
        });
        self.next = (place + 1) % MEMORY;
        self.held = (self.held + 1).min(MEMORY);
        let (with_newest, with_change) = self.products(place, change);
        for (k, product) in with_newest.into_iter().enumerate().take(self.held) {
            self.gram[place][k] = product;
            self.gram[k][place] = product;
        }
        self.weights(with_change)
    }

    /// Dot products of all differences of f with the newest difference, and with `change`, the present f.
    fn products(&self, newest: usize, change: &[f64]) -> ([f64; MEMORY], [f64; MEMORY]) {
        let n = self.unknowns;
        let held = self.held;
        let differences = |k: usize| &self.change_differences[k * n..(k + 1) * n];
        let columns = (differences(newest), change);
        let products: [f64; 2 * MEMORY] = sum_parts(leaves(n), columns, &|Part { rows, .. }, (newest, change)| {
            let mut products = [0.0; 2 * MEMORY];
            for k in 0..held {
                let own = &differences(k)[rows.clone()];
                (products[k], products[MEMORY + k]) = (dot_of_leaf(own, newest), dot_of_leaf(own, change));
            }
            products
        });
        (std::array::from_fn(|k| products[k]), std::array::from_fn(|k| products[MEMORY + k]))
    }

    /// Solves the normal equations for the weights, regularised by 1e-12 of the trace; `None` if they are singular.
    fn weights(&self, right: [f64; MEMORY]) -> Option<[f64; MEMORY]> {
        let held = self.held;
        let trace: f64 = (0..held).map(|k| self.gram[k][k]).sum();
        if !(trace.is_finite() && trace > 0.0) {
            return None;
        }
        let mut matrix = [0.0; MEMORY * MEMORY];
        for (k, row) in matrix.as_chunks_mut::<MEMORY>().0.iter_mut().enumerate() {
            if k < held {
                row[..held].copy_from_slice(&self.gram[k][..held]);
            }
            row[k] += if k < held { 1e-12 * trace } else { 1.0 };
        }
        let mut factor = [0.0; MEMORY * MEMORY];
        let mut x = right;
        cholesky(MEMORY, &matrix, &mut factor).ok()?;
        cholesky_solve(MEMORY, &factor, &mut x);
        x.iter().all(|x| x.is_finite()).then_some(x)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_linear_iteration_ends_after_as_many_steps_as_it_has_unknowns() {
        let image = |x: &[f64; 3]| [0.9 * x[0] + 0.3 * x[1] + 1.0, -0.2 * x[0] + 0.8 * x[1], 0.95 * x[2] + 0.5];
        let mut anderson = Anderson::default();
        anderson.reset(3);
        let mut x = [0.0; 3];
        for _ in 0..5 {
            let g = image(&x);
            let f: [f64; 3] = std::array::from_fn(|k| g[k] - x[k]);
            anderson.extrapolate(&f, &g, &mut x);
        }
        let g = image(&x);
        assert!((0..3).all(|k| (g[k] - x[k]).abs() < 1e-6), "{x:?}");
    }
}
