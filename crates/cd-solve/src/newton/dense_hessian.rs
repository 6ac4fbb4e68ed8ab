use faer::Mat;

use crate::newton::system::NewtonSystem;
use crate::problem::body_blocks::BodyBlocks;
use crate::problem::rows::{FIXED, Row, Rows};

/// A Newton system for tests. Its contacts join neighbours, some twice, bodies with distant numbers, and a wall.
#[derive(Debug)]
pub(super) struct Sample<const D: usize, const K: usize> {
    rows: Rows<D, K>,
    /// Weight of each contact in the Hessian; every fifth is zero.
    weights: Vec<f64>,
    mass: Option<BodyBlocks>,
    pub(super) ridge: Vec<f64>,
    pub(super) gradient: Vec<f64>,
}

impl<const D: usize, const K: usize> Sample<D, K> {
    pub(super) fn new(bodies: usize, with_mass: bool) -> Self {
        let mut pairs = Vec::new();
        for i in 0..bodies as u32 {
            pairs.extend((i % 4 == 0).then_some([i, FIXED]));
            pairs.extend((i % 7 == 1).then_some([FIXED, i]));
            for (there, pair) in [(1, [i, i + 1]), (4, [i + 4, i]), (7, [i, i + 7])] {
                let times = if i % 3 == 0 && there == 1 { 2 } else { 1 };
                pairs.extend((0..times).filter(|_| i + there < bodies as u32).map(|_| pair));
            }
        }
        let number = |k: usize| (1.7 * k as f64 + 0.3).sin();
        // Few digits, so that single precision is exact.
        let short = |number: f64| (64.0 * number).round() / 64.0;
        let row = |(i, &body)| Row { coefficients: std::array::from_fn(|k| short(number(K * i + k))), body };
        let contacts: Vec<Row<K>> = pairs.iter().enumerate().map(row).collect();
        let weights = (0..pairs.len())
            .map(|i| if i % 5 == 4 { 0.0 } else { (2.0 * number(3 * i)).round().exp2().powi(2) })
            .collect();
        let blocks = (0..bodies * D * D).map(|k| {
            let r = k / D % D;
            let c = k % D;
            if r == c { 2.0 + number(k) } else { 0.1 * number(k / (D * D) + r + c) }
        });
        let mass = with_mass.then(|| BodyBlocks::full(D, blocks.collect()).expect("diagonally dominant"));
        let ridge = (0..bodies * D).map(|k| 0.2 + 0.1 * number(k)).collect();
        let gradient = (0..bodies * D).map(|k| number(5 * k + 2)).collect();
        Self { rows: Rows::new(bodies, contacts), weights, mass, ridge, gradient }
    }

    pub(super) fn system(&self) -> NewtonSystem<'_, D, K> {
        NewtonSystem {
            rows: &self.rows,
            weights: &self.weights,
            mass: self.mass.as_ref(),
            ridge: &self.ridge,
            gradient: &self.gradient,
            tolerance: 1e-12,
        }
    }

    pub(super) fn dense(&self) -> Mat<f64> {
        let columns = self.ridge.len();
        let mut dense = Mat::zeros(columns, columns);
        for (row, &weight) in self.rows.contacts.iter().zip(&self.weights) {
            let mut b = vec![0.0; columns];
            for side in (0..2).filter(|&side| row.body[side] != FIXED) {
                let first = D * row.body[side] as usize;
                b[first..first + D].copy_from_slice(&row.side::<D>(side));
            }
            for (i, j) in (0..columns).flat_map(|i| (0..columns).map(move |j| (i, j))) {
                dense[(i, j)] += weight * b[i] * b[j];
            }
        }
        for i in 0..columns {
            dense[(i, i)] += self.ridge[i];
            for j in D * (i / D)..D * (i / D) + D {
                dense[(i, j)] += self.mass.as_ref().map_or(0.0, |mass| mass.entry(i / D, i % D, j % D));
            }
        }
        dense
    }
}
