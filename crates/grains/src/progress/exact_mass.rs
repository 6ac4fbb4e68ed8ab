//! Sums of masses without rounding.

use serde::{Deserialize, Serialize};

/// An exact sum of masses in kg: floating-point numbers whose digits do not overlap, by Grow-Expansion of Shewchuk
/// (1997). The sum is rounded once, when it is read.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(crate) struct ExactMass {
    /// Parts of the exact sum, ascending, without zeros.
    parts: Vec<f64>,
}

impl ExactMass {
    pub(crate) fn add(&mut self, mass: f64) {
        let mut sum = mass;
        let mut kept = 0;
        for k in 0..self.parts.len() {
            let (high, low) = two_sum(sum, self.parts[k]);
            if low != 0.0 {
                self.parts[kept] = low;
                kept += 1;
            }
            sum = high;
        }
        self.parts.truncate(kept);
        if sum != 0.0 {
            self.parts.push(sum);
        }
    }

    pub(crate) fn value(&self) -> f64 {
        let mut below = self.parts.iter().rev().copied();
        let Some(mut sum) = below.next() else { return 0.0 };
        while let Some(part) = below.next() {
            let (high, low) = two_sum(sum, part);
            sum = high;
            if low != 0.0 {
                // Halfway between two numbers, the sign of the remaining parts decides the rounding.
                let double = 2.0 * low;
                let up = sum + double;
                let is_halfway = up - sum - double == 0.0;
                let goes_on = below.next().is_some_and(|rest| (rest > 0.0) == (low > 0.0));
                return if is_halfway && goes_on { up } else { sum };
            }
        }
        sum
    }
}

/// Returns the rounded sum of two numbers and its rounding error.
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let of_b = sum - a;
    (sum, (a - (sum - of_b)) + (b - of_b))
}
