use rrp_parallel::{for_each_part, sum_parts};

use crate::leaves::leaves;

/// Marker that stands for the number of a body that is fixed.
pub(crate) const FIXED: u32 = u32::MAX;

/// Row of one contact in the Jacobian. It has `K` = 2 `D` coefficients, those of the first body first; or `K` = `D` if
/// the coefficients of the first body are the negatives of the second body's, as for spheres.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Row<const K: usize> {
    pub(crate) coefficients: [f64; K],
    /// Numbers of the two bodies, [`FIXED`] for a fixed body, whose coefficients do not count.
    pub(crate) body: [u32; 2],
}

impl<const K: usize> Row<K> {
    /// Coefficients of the contact's Jacobian row for its body on this side, 0 or 1.
    #[inline(always)]
    pub(crate) fn side<const D: usize>(&self, side: usize) -> [f64; D] {
        if K == D {
            let sign = if side == 0 { -1.0 } else { 1.0 };
            std::array::from_fn(|d| sign * self.coefficients[d])
        } else {
            std::array::from_fn(|d| self.coefficients[side * D + d])
        }
    }

    #[inline(always)]
    pub(crate) fn times<const D: usize>(&self, u: &[[f64; D]]) -> f64 {
        self.times_at(|body| u.get(body).copied())
    }

    #[inline(always)]
    pub(crate) fn times_at<const D: usize>(&self, u: impl Fn(usize) -> Option<[f64; D]>) -> f64 {
        let mut sum = 0.0;
        for side in 0..2 {
            if let Some(u) = u(self.body[side] as usize) {
                sum += dot(&self.side(side), &u);
            }
        }
        sum
    }
}

#[inline(always)]
pub(crate) fn dot<const D: usize>(a: &[f64; D], b: &[f64; D]) -> f64 {
    let mut sum = a[0] * b[0];
    for d in 1..D {
        sum += a[d] * b[d];
    }
    sum
}

#[inline(always)]
pub(crate) fn add_scaled<const D: usize>(to: &mut [f64; D], factor: f64, by: &[f64; D]) {
    for d in 0..D {
        to[d] += factor * by[d];
    }
}

pub(crate) fn chunks<const D: usize>(flat: &[f64]) -> &[[f64; D]] {
    flat.as_chunks::<D>().0
}

pub(crate) fn chunks_mut<const D: usize>(flat: &mut [f64]) -> &mut [[f64; D]] {
    flat.as_chunks_mut::<D>().0
}

/// Rows of all contacts and, for each body, the numbers of its contacts.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Rows<const D: usize, const K: usize> {
    pub(crate) contacts: Vec<Row<K>>,
    /// Index in `incident` of the first contact of each body, and at the end the number of entries.
    start: Vec<u32>,
    /// For each body and each of its contacts, twice the number of the contact, plus the side (0 or 1) of the body.
    incident: Vec<u32>,
}

impl<const D: usize, const K: usize> Rows<D, K> {
    pub(crate) fn new(bodies: usize, contacts: Vec<Row<K>>) -> Self {
        let mut start = vec![0; bodies + 1];
        let sides = |row: &Row<K>| row.body.into_iter().filter(|&body| body != FIXED);
        for body in contacts.iter().flat_map(sides) {
            start[body as usize + 1] += 1;
        }
        for body in 0..bodies {
            start[body + 1] += start[body];
        }
        let mut incident = vec![0; start[bodies] as usize];
        let mut next = start.clone();
        for (contact, row) in contacts.iter().enumerate() {
            for (side, body) in row.body.into_iter().enumerate().filter(|&(_, body)| body != FIXED) {
                let slot = &mut next[body as usize];
                incident[*slot as usize] = 2 * contact as u32 + side as u32;
                *slot += 1;
            }
        }
        Self { contacts, start, incident }
    }

    pub(crate) fn bodies(&self) -> usize {
        self.start.len() - 1
    }

    /// Numbers of the contacts of `body` in order, each with the side (0 or 1) of the body.
    #[inline(always)]
    pub(crate) fn of_body(&self, body: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
        let entries = &self.incident[self.start[body] as usize..self.start[body + 1] as usize];
        entries.iter().map(|&entry| ((entry >> 1) as usize, (entry & 1) as usize))
    }

    /// Sum Σ|Bᵢ||u| of the absolute values of the terms in row `i` of the product of the Jacobian B with `u`.
    pub(crate) fn size_of_terms(&self, i: usize, u: &[f64]) -> f64 {
        let row = &self.contacts[i];
        let u = chunks::<D>(u);
        let size = |side: usize| {
            let u = u.get(row.body[side] as usize)?;
            Some(dot(&row.side::<D>(side).map(f64::abs), &u.map(f64::abs)))
        };
        (0..2).filter_map(size).sum()
    }

    pub(crate) fn sizes_of_forces(&self, f: &[f64], out: &mut [f64]) {
        for (body, out) in chunks_mut::<D>(out).iter_mut().enumerate() {
            *out = [0.0; D];
            for (contact, side) in self.of_body(body) {
                add_scaled(out, f[contact].abs(), &self.contacts[contact].side::<D>(side).map(f64::abs));
            }
        }
    }

    /// Computes B u, the rates of the gaps at the velocities `u` of bodies, with the contact Jacobian B.
    pub(crate) fn apply(&self, u: &[f64], out: &mut [f64]) {
        let u = chunks::<D>(u);
        for_each_part(leaves(self.contacts.len()), (&self.contacts[..], out), &|_, (rows, out)| {
            for (out, row) in out.iter_mut().zip(rows) {
                *out = row.times(u);
            }
        });
    }

    /// Computes Bᵀ f body by body; `finish` may replace the force on a body. Returns the sums of the results of
    /// `finish`.
    pub(crate) fn transpose_with<const N: usize>(
        &self,
        f: &[f64],
        out: &mut [f64],
        finish: &(impl Fn(usize, &mut [f64; D]) -> [f64; N] + Sync),
    ) -> [f64; N] {
        sum_parts(leaves(self.bodies()), chunks_mut::<D>(out), &|part, out| {
            let mut sums = [0.0; N];
            for (body, out) in part.rows.zip(out) {
                let mut sum = [0.0; D];
                for (contact, side) in self.of_body(body) {
                    add_scaled(&mut sum, f[contact], &self.contacts[contact].side(side));
                }
                *out = sum;
                let part = finish(body, out);
                (0..N).for_each(|k| sums[k] += part[k]);
            }
            sums
        })
    }
}
