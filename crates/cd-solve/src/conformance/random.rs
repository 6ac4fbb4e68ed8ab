//! Random numbers for test problems.

use crate::sweep_order::next_bits;

/// A stream of random numbers that is the same everywhere (splitmix64).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Random {
    state: u64,
}

impl Random {
    /// The stream of a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// Uniform in [0, 1).
    pub fn uniform(&mut self) -> f64 {
        (next_bits(&mut self.state) >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Uniform in [−1, 1).
    pub fn signed(&mut self) -> f64 {
        2.0 * self.uniform() - 1.0
    }

    /// A permutation of the first `n` numbers.
    pub fn permutation(&mut self, n: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..n).collect();
        for last in (1..n).rev() {
            order.swap(last, ((last + 1) as f64 * self.uniform()) as usize);
        }
        order
    }
}
