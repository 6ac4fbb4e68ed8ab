use crate::exact::wide::Wide;

/// Smallest binary exponent of a pivot, for a matrix with a diagonal of about one; smaller entries count as rounding.
const LEAST_PIVOT: i64 = -170;

/// Exponent k: the right-hand side is perturbed by 2ᵏ of its largest entry, so that rows do not tie in the ratio test.
const PERTURBATION: i64 = -140;

/// Outcome of Lemke's method for the linear complementarity problem 0 ≤ z ⟂ A z + b ≥ 0.
#[derive(Debug, Clone)]
pub(crate) enum Outcome {
    Solution(Vec<Wide>),
    /// A ray y ≥ 0 along which the unknowns grow without bound. For a positive semidefinite A, up to rounding, A y = 0
    /// and b·y < 0, so no z satisfies A z + b ≥ 0.
    Ray(Vec<Wide>),
    /// Lemke's method reached the limit of pivots.
    Stopped,
}

/// Lemke's tableau of w − A z − z₀ = q: columns of w, of z, of the artificial unknown z₀, and of q twice. The perturbed
/// q selects pivots, the exact q gives the solution.
struct Tableau {
    n: usize,
    rows: Vec<Vec<Wide>>,
    /// For each row, the number of the column whose unknown is basic.
    basis: Vec<usize>,
}

impl Tableau {
    fn new(matrix: &[Vec<Wide>], offset: &[Wide]) -> Self {
        let n = offset.len();
        let largest = offset.iter().map(Wide::exponent).max().unwrap_or(0).max(-100_000);
        let row = |(i, (entries, b)): (usize, (&Vec<Wide>, &Wide))| {
            let mut row = vec![Wide::ZERO; 2 * n + 3];
            row[i] = Wide::ONE;
            entries.iter().enumerate().for_each(|(j, entry)| row[n + j] = -*entry);
            row[2 * n] = -Wide::ONE;
            // The perturbation is positive, so that a solvable problem stays solvable, and irregular, so that ratios
            // differ.
            let share = 1.0 + (i as f64 * 0.618_033_988_749_894_9).fract();
            row[2 * n + 1] = *b + Wide::new(share).times_power(largest + PERTURBATION);
            row[2 * n + 2] = *b;
            row
        };
        Self { n, rows: matrix.iter().zip(offset).enumerate().map(row).collect(), basis: (0..n).collect() }
    }

    fn perturbed(&self, row: usize) -> Wide {
        self.rows[row][2 * self.n + 1]
    }

    /// Makes the unknown of `column` basic in `row`; returns the column that was basic there.
    fn pivot(&mut self, row: usize, column: usize) -> usize {
        let inverse = self.rows[row][column].recip();
        let mut chosen = std::mem::take(&mut self.rows[row]);
        chosen.iter_mut().filter(|entry| !entry.is_zero()).for_each(|entry| *entry = *entry * inverse);
        chosen[column] = Wide::ONE;
        let filled: Vec<usize> = (0..chosen.len()).filter(|&j| !chosen[j].is_zero()).collect();
        for other in self.rows.iter_mut().filter(|other| !other.is_empty()) {
            let factor = other[column];
            if !factor.is_zero() {
                filled.iter().for_each(|&j| other[j] = other[j] - factor * chosen[j]);
                other[column] = Wide::ZERO;
            }
        }
        self.rows[row] = chosen;
        std::mem::replace(&mut self.basis[row], column)
    }

    /// Finds the row that leaves the basis when the unknown of `column` enters; `None` if that unknown can grow without
    /// bound.
    fn leaving(&self, column: usize) -> Option<usize> {
        let mut best: Option<(usize, Wide)> = None;
        for (row, entries) in self.rows.iter().enumerate() {
            let pivot = entries[column];
            if !pivot.is_positive() || pivot.exponent() < LEAST_PIVOT {
                continue;
            }
            let ratio = self.perturbed(row) * pivot.recip();
            let artificial = self.basis[row] == 2 * self.n;
            if best.is_none_or(|(_, least)| ratio < least || (artificial && ratio <= least)) {
                best = Some((row, ratio));
            }
        }
        best.map(|(row, _)| row)
    }

    fn solution(&self) -> Vec<Wide> {
        let mut z = vec![Wide::ZERO; self.n];
        for (row, &column) in self.basis.iter().enumerate() {
            if (self.n..2 * self.n).contains(&column) {
                let value = self.rows[row][2 * self.n + 2];
                z[column - self.n] = if value.is_negative() { Wide::ZERO } else { value };
            }
        }
        z
    }

    /// Returns the rates of the unknowns z while the nonbasic unknown of `column` grows: a ray if no row leaves the
    /// basis.
    fn ray(&self, column: usize) -> Vec<Wide> {
        let mut y = vec![Wide::ZERO; self.n];
        let unknown = |column: usize| column.checked_sub(self.n).filter(|&j| j < self.n);
        if let Some(j) = unknown(column) {
            y[j] = Wide::ONE;
        }
        for (row, &basic) in self.basis.iter().enumerate() {
            let rate = -self.rows[row][column];
            if let Some(j) = unknown(basic).filter(|_| rate.exponent() >= LEAST_PIVOT) {
                y[j] = rate;
            }
        }
        y
    }
}

/// Solves 0 ≤ z ⟂ A z + b ≥ 0 for `matrix` A, whose diagonal is about one, and `offset` b. Also returns the number of
/// pivots.
pub(crate) fn solve(matrix: &[Vec<Wide>], offset: &[Wide]) -> (Outcome, usize) {
    let n = offset.len();
    let mut tableau = Tableau::new(matrix, offset);
    let least = (0..n).filter(|&row| tableau.perturbed(row).is_negative());
    let first = least.reduce(|a, b| if tableau.perturbed(b) < tableau.perturbed(a) { b } else { a });
    let Some(first) = first else { return (Outcome::Solution(vec![Wide::ZERO; n]), 0) };
    let mut left = tableau.pivot(first, 2 * n);
    let limit = 40 * n + 200;
    for pivots in 1..limit {
        if left == 2 * n {
            return (Outcome::Solution(tableau.solution()), pivots);
        }
        // The complement of the unknown that left enters.
        let entering = if left < n { left + n } else { left - n };
        match tableau.leaving(entering) {
            Some(row) => left = tableau.pivot(row, entering),
            None => return (Outcome::Ray(tableau.ray(entering)), pivots),
        }
    }
    (Outcome::Stopped, limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(matrix: &[&[f64]], offset: &[f64]) -> Outcome {
        let rows: Vec<Vec<Wide>> = matrix.iter().map(|row| row.iter().map(|x| Wide::new(*x)).collect()).collect();
        solve(&rows, &offset.iter().map(|x| Wide::new(*x)).collect::<Vec<_>>()).0
    }

    #[test]
    fn solutions_and_rays() {
        let Outcome::Solution(z) = run(&[&[1.0, -1.0], &[-1.0, 1.0 + 1e-12]], &[-1.0, 0.0]) else { panic!() };
        let exact = 1.0 / ((1.0 + 1e-12) - 1.0);
        assert!((z[1].to_f64() / exact - 1.0).abs() < 1e-15, "{z:?}");
        let Outcome::Ray(y) = run(&[&[1.0, -1.0], &[-1.0, 1.0]], &[-1.0, 1.0 - 1e-12]) else { panic!() };
        assert!(y[0].is_positive() && y[0] == y[1], "{y:?}");
        let Outcome::Solution(z) = run(&[&[1.0, -1.0], &[-1.0, 1.0]], &[-1.0, 1.0]) else { panic!() };
        assert!((z[0] - z[1] - Wide::ONE).exponent() < -130, "{z:?}");
        let Outcome::Solution(z) = run(&[&[1.0; 3][..]; 3], &[-1.0; 3]) else { panic!() };
        assert!((z[0] + z[1] + z[2] - Wide::ONE).is_zero());
    }
}
