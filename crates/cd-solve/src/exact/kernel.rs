use crate::exact::modular::{Prime, Signs, primes};
use crate::exact::wide::Wide;

/// Number of multiplications after which a proof in exact arithmetic is given up.
const WORK: f64 = 4e8;

/// Number of bits to which the free unknowns of a [`Claim`] are rounded.
const FREE_BITS: i64 = 20;

/// A claim to be proved in exact arithmetic: some x near `guess` satisfies `zero` · x = 0, `at_least_zero` · x ≥ 0 and
/// `negative` · x < 0, each row of a matrix being one condition.
#[derive(Debug)]
pub(crate) struct Claim<'a> {
    pub(crate) guess: &'a [f64],
    pub(crate) zero: &'a [Vec<f64>],
    pub(crate) at_least_zero: &'a [Vec<f64>],
    pub(crate) negative: &'a [f64],
}

/// Entry ± `size` · 2ᵏ of a row of integers, with k = `power`.
#[derive(Debug, Clone, Copy)]
struct Entry {
    size: u64,
    negative: bool,
    power: u64,
}

/// A row of a [`Claim`] as integers: the entries times powers of two.
#[derive(Debug)]
struct IntegerRow {
    entries: Vec<Entry>,
    /// Upper bound of log₂ of the sum of the absolute values of the entries.
    bits: f64,
}

impl IntegerRow {
    /// Makes a row of integers from the numbers `row`, each multiplied by 2ᵏ with the exponent k of its unknown in
    /// `unit`.
    fn new(row: &[f64], unit: &[i64]) -> Self {
        let parts: Vec<Wide> = row.iter().zip(unit).map(|(x, unit)| Wide::new(*x).times_power(*unit)).collect();
        let filled = || parts.iter().filter(|part| !part.is_zero());
        let last = filled().map(Wide::last_place).min();
        let most = filled().map(Wide::exponent).max();
        let last = last.unwrap_or(0);
        let most = most.unwrap_or(0);
        let entry = |part: &Wide| {
            if part.is_zero() {
                return Entry { size: 0, negative: false, power: 0 };
            }
            let place = part.last_place();
            let size = part.abs().times_power(-place).to_f64() as u64;
            Entry { size, negative: part.is_negative(), power: (place - last) as u64 }
        };
        let bits = (most - last) as f64 + (row.len().max(1) as f64).log2();
        Self { entries: parts.iter().map(entry).collect(), bits }
    }

    fn remainders(&self, p: Prime) -> Vec<u64> {
        self.entries.iter().map(|e| if e.size == 0 { 0 } else { p.remainder(e.size, e.negative, e.power) }).collect()
    }
}

fn dot(p: Prime, a: &[u64], b: &[u64]) -> u64 {
    a.iter().zip(b).filter(|(a, _)| **a != 0).fold(0, |sum, (a, b)| p.add(sum, p.multiply(*a, *b)))
}

/// Pivot rows of a homogeneous system of equations, and the unknowns (columns) that these rows determine.
struct Pivots {
    rows: Vec<usize>,
    columns: Vec<usize>,
}

impl Pivots {
    fn find(p: Prime, rows: &[IntegerRow], columns: usize) -> Self {
        let mut left: Vec<(usize, Vec<u64>)> = rows.iter().map(|row| row.remainders(p)).enumerate().collect();
        let mut pivots = Self { rows: Vec::new(), columns: Vec::new() };
        for column in 0..columns {
            let Some(at) = left.iter().position(|(_, row)| row[column] != 0) else { continue };
            let (index, chosen) = left.swap_remove(at);
            let inverse = p.invert(chosen[column]);
            for (_, row) in left.iter_mut().filter(|(_, row)| row[column] != 0) {
                let factor = p.negate(p.multiply(row[column], inverse));
                (column..columns).for_each(|j| row[j] = p.add(row[j], p.multiply(factor, chosen[j])));
            }
            pivots.rows.push(index);
            pivots.columns.push(column);
        }
        pivots
    }
}

/// Solves the square system `matrix` x = `right` modulo `p`, in place; returns the determinant, which is zero if there
/// is no solution.
fn solve(p: Prime, matrix: &mut [Vec<u64>], right: &mut [u64]) -> u64 {
    let n = right.len();
    let mut determinant = 1;
    for column in 0..n {
        let Some(at) = (column..n).find(|&row| matrix[row][column] != 0) else { return 0 };
        if at != column {
            matrix.swap(at, column);
            right.swap(at, column);
            determinant = p.negate(determinant);
        }
        determinant = p.multiply(determinant, matrix[column][column]);
        let inverse = p.invert(matrix[column][column]);
        let chosen = matrix[column].clone();
        for row in (0..n).filter(|&row| row != column) {
            let factor = p.negate(p.multiply(matrix[row][column], inverse));
            if factor != 0 {
                (column..n).for_each(|j| matrix[row][j] = p.add(matrix[row][j], p.multiply(factor, chosen[j])));
                right[row] = p.add(right[row], p.multiply(factor, right[column]));
            }
        }
    }
    for (i, right) in right.iter_mut().enumerate() {
        *right = p.multiply(*right, p.invert(matrix[i][i]));
    }
    determinant
}

impl Claim<'_> {
    /// Whether the claim is proved; false may also mean that no proof was found in time. All rows become integers. Free
    /// unknowns are those of the guess, rounded to integers; by Cramer's rule the dependent unknowns are quotients of
    /// determinants. The signs of all integers follow exactly from their residues modulo enough primes (Hadamard's
    /// bound).
    pub(crate) fn holds(&self) -> bool {
        let unit: Vec<i64> = self.guess.iter().map(|x| Wide::new(*x).exponent()).collect();
        let columns = unit.len();
        if columns == 0 || self.guess.iter().any(|x| !x.is_finite() || x.abs() <= 0.0) {
            return false;
        }
        let integer = |rows: &[Vec<f64>]| rows.iter().map(|row| IntegerRow::new(row, &unit)).collect::<Vec<_>>();
        let zero = integer(self.zero);
        let at_least_zero = integer(self.at_least_zero);
        let negative = IntegerRow::new(self.negative, &unit);
        let free: Vec<Entry> = self
            .guess
            .iter()
            .zip(&unit)
            .map(|(x, unit)| {
                let size = Wide::new(x.abs()).times_power(FREE_BITS - unit).to_f64().round() as u64;
                Entry { size, negative: *x < 0.0, power: 0 }
            })
            .collect();
        let pivots = Pivots::find(primes(1)[0], &zero, columns);
        let rank = pivots.rows.len() as f64;
        // A determinant is at most the product of the row sums; the free part may replace one column.
        let determinant: f64 = pivots.rows.iter().map(|&row| zero[row].bits).sum();
        let rows = || zero.iter().chain(&at_least_zero).chain([&negative]);
        let row_bits = rows().map(|row| row.bits).fold(0.0, f64::max);
        let bits = determinant + row_bits + (rank + 1.0).log2() + (FREE_BITS + 4) as f64;
        let count = (bits / 61.0) as usize + 2;
        let work = count as f64 * (rank.powi(3) + (count + columns) as f64 * rows().count() as f64);
        if work > WORK {
            return false;
        }
        let mut used = Vec::new();
        let mut values: Vec<Vec<u64>> = vec![Vec::new(); at_least_zero.len() + 2];
        // A few spare primes, since a prime that divides the determinant is skipped.
        for p in primes(count + 4) {
            if used.len() == count {
                break;
            }
            let remainders: Vec<Vec<u64>> = zero.iter().map(|row| row.remainders(p)).collect();
            let mut x: Vec<u64> = free.iter().map(|e| p.remainder(e.size, e.negative, 0)).collect();
            pivots.columns.iter().for_each(|&column| x[column] = 0);
            let mut matrix: Vec<Vec<u64>> = pivots
                .rows
                .iter()
                .map(|&row| pivots.columns.iter().map(|&column| remainders[row][column]).collect())
                .collect();
            let mut right: Vec<u64> = pivots.rows.iter().map(|&row| p.negate(dot(p, &remainders[row], &x))).collect();
            let determinant = solve(p, &mut matrix, &mut right);
            if determinant == 0 {
                continue;
            }
            pivots.columns.iter().zip(right).for_each(|(&column, value)| x[column] = value);
            x.iter_mut().for_each(|x| *x = p.multiply(*x, determinant));
            if remainders.iter().any(|row| dot(p, row, &x) != 0) {
                return false;
            }
            used.push(p);
            values[0].push(determinant);
            for (value, row) in values[1..].iter_mut().zip(at_least_zero.iter().chain([&negative])) {
                value.push(dot(p, &row.remainders(p), &x));
            }
        }
        if used.len() < count {
            return false;
        }
        let signs = Signs::new(used);
        let of_determinant = signs.of(&values[0]);
        let mut rest = values[1..].iter().map(|value| of_determinant * signs.of(value));
        let work = rest.next_back();
        work == Some(-1) && rest.all(|sign| sign >= 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Forces squeeze a ball between three walls whose normals are not parallel: no forces in `f64` balance exactly.
    #[test]
    fn what_is_true_only_without_rounding_is_proved() {
        let normals = [[0.1, 0.7], [-0.9, -0.3], [1.3, -0.2]];
        let cross = |a: [f64; 2], b: [f64; 2]| a[0] * b[1] - a[1] * b[0];
        let mut guess = [cross(normals[1], normals[2]), cross(normals[2], normals[0]), cross(normals[0], normals[1])];
        guess = guess.map(|x| x / guess[0]);
        let columns = |normals: [[f64; 2]; 3]| [0, 1].map(|d| normals.map(|n| n[d]).to_vec());
        let identity = [0, 1, 2].map(|i| (0..3).map(|j| f64::from(u8::from(i == j))).collect::<Vec<_>>());
        let holds = |normals, negative: [f64; 3], scale: [f64; 3]| {
            let zero = columns(normals).map(|row| row.iter().zip(scale).map(|(x, s)| x * s).collect());
            let guess: Vec<f64> = guess.iter().zip(scale).map(|(y, s)| y / s).collect();
            let negative: Vec<f64> = negative.iter().zip(scale).map(|(x, s)| x * s).collect();
            Claim { guess: &guess, zero: &zero, at_least_zero: &identity, negative: &negative }.holds()
        };
        for scale in [[1.0; 3], [2.0_f64.powi(-400), 2.0_f64.powi(300), 2.0_f64.powi(-30)]] {
            assert!(holds(normals, [-1.0, 0.1, 0.1], scale));
            assert!(!holds(normals, [1.0, 0.1, 0.1], scale));
        }
        // The third equation holds only if a normal is not tilted, not even by its last bit.
        let tilted = |tilt: f64| {
            let zero: Vec<Vec<f64>> = columns(normals).into_iter().chain([vec![0.0, 0.0, tilt]]).collect();
            Claim { guess: &guess, zero: &zero, at_least_zero: &identity, negative: &[-1.0, 0.1, 0.1] }.holds()
        };
        assert!(tilted(0.0) && !tilted(1e-300));
        let turned = [[0.1, 0.7], [0.9, 0.3], [1.3, -0.2]];
        assert!(!holds(turned, [-1.0, 0.1, 0.1], [1.0; 3]));
        let free = Claim { guess: &[0.3, 7.0], zero: &[], at_least_zero: &[vec![1.0, 0.0]], negative: &[1.0, -1.0] };
        assert!(free.holds());
    }
}
