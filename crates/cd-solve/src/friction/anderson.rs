//! Anderson's acceleration of a fixed-point iteration.

/// Steps that are remembered.
const MEMORY: usize = 10;

/// Extrapolates x ← g(x): the last images g minus the combination of their differences that makes the change
/// f = (g(x) − x)/ρ least, Walker and Ni (2011).
#[derive(Debug, Clone, Default)]
pub(crate) struct Anderson {
    unknowns: usize,
    /// Differences of f and of g, [`MEMORY`] columns used in turn.
    change_differences: Vec<f64>,
    image_differences: Vec<f64>,
    last_change: Vec<f64>,
    last_image: Vec<f64>,
    /// Products of the differences of f.
    gram: [[f64; MEMORY]; MEMORY],
    /// Differences held, and the column that is overwritten next.
    held: usize,
    next: usize,
    has_last: bool,
}

impl Anderson {
    /// Makes room for so many unknowns and forgets everything.
    pub(crate) fn reset(&mut self, unknowns: usize) {
        self.unknowns = unknowns;
        for columns in [&mut self.change_differences, &mut self.image_differences] {
            columns.resize(MEMORY * unknowns, 0.0);
        }
        self.last_change.resize(unknowns, 0.0);
        self.last_image.resize(unknowns, 0.0);
        self.forget();
    }

    /// Forgets all differences and the last iterate.
    pub(crate) fn forget(&mut self) {
        (self.held, self.next, self.has_last) = (0, 0, false);
    }

    /// The last image that was accepted.
    pub(crate) fn last_image(&self) -> &[f64] {
        &self.last_image
    }

    /// Takes in the change f and the image g of an iterate, and writes the next iterate to `x`.
    pub(crate) fn extrapolate(&mut self, change: &[f64], image: &[f64], x: &mut [f64]) {
        if self.has_last {
            self.remember(change, image);
        }
        self.last_change.copy_from_slice(change);
        self.last_image.copy_from_slice(image);
        self.has_last = true;
        x.copy_from_slice(image);
        if let Some(weights) = self.weights(change) {
            for (k, weight) in weights.iter().enumerate().take(self.held) {
                let column = &self.image_differences[k * self.unknowns..(k + 1) * self.unknowns];
                x.iter_mut().zip(column).for_each(|(x, d)| *x -= weight * d);
            }
        }
    }

    /// Overwrites the oldest differences.
    fn remember(&mut self, change: &[f64], image: &[f64]) {
        let (n, place) = (self.unknowns, self.next);
        let column = place * n..(place + 1) * n;
        for (difference, (new, old)) in
            self.change_differences[column.clone()].iter_mut().zip(change.iter().zip(&self.last_change))
        {
            *difference = new - old;
        }
        for (difference, (new, old)) in
            self.image_differences[column.clone()].iter_mut().zip(image.iter().zip(&self.last_image))
        {
            *difference = new - old;
        }
        self.next = (place + 1) % MEMORY;
        self.held = (self.held + 1).min(MEMORY);
        for k in 0..self.held {
            let product = dot(&self.change_differences[column.clone()], &self.change_differences[k * n..(k + 1) * n]);
            self.gram[place][k] = product;
            self.gram[k][place] = product;
        }
    }

    /// The least squares weights by the normal equations, with 1e-12 of the trace added; `None` if they have no
    /// solution.
    fn weights(&self, change: &[f64]) -> Option<[f64; MEMORY]> {
        let (n, held) = (self.unknowns, self.held);
        let trace: f64 = (0..held).map(|k| self.gram[k][k]).sum();
        if !(trace.is_finite() && trace > 0.0) {
            return None;
        }
        let mut factor = self.gram;
        let mut x = [0.0; MEMORY];
        for k in 0..held {
            factor[k][k] += 1e-12 * trace;
            x[k] = dot(&self.change_differences[k * n..(k + 1) * n], change);
        }
        for r in 0..held {
            for c in 0..=r {
                let mut sum = factor[r][c];
                (0..c).for_each(|k| sum -= factor[r][k] * factor[c][k]);
                if r > c {
                    factor[r][c] = sum / factor[c][c];
                } else if sum > 0.0 {
                    factor[r][r] = sum.sqrt();
                } else {
                    return None;
                }
            }
        }
        for r in 0..held {
            (0..r).for_each(|k| x[r] -= factor[r][k] * x[k]);
            x[r] /= factor[r][r];
        }
        for r in (0..held).rev() {
            (r + 1..held).for_each(|k| x[r] -= factor[k][r] * x[k]);
            x[r] /= factor[r][r];
        }
        x.iter().all(|x| x.is_finite()).then_some(x)
    }
}

/// The product of two vectors, in eight sums that the compiler can run side by side.
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    let (a_lanes, a_rest) = a.as_chunks::<8>();
    let (b_lanes, b_rest) = b.as_chunks::<8>();
    let mut sums = [0.0; 8];
    for (a, b) in a_lanes.iter().zip(b_lanes) {
        (0..8).for_each(|k| sums[k] += a[k] * b[k]);
    }
    let rest: f64 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
    sums.iter().sum::<f64>() + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    /// On a linear iteration of n unknowns the exact fixed point is found after n + 1 images.
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
