//! The matrix W = H M⁻¹ Hᵀ of contacts between bodies, never formed.

use crate::error::{ContactError, SolveError, check_finite, check_length};
use crate::friction::block_matrix::{BlockMatrix, Entry, check_block};
use crate::friction::frame::{FrictionContact, cross};
use crate::problem::body_blocks::BodyBlocks;
use crate::problem::contact_jacobian::BodyPair;
use crate::problem::rows::FIXED;

/// Coordinates of a body: velocity of the mass centre and angular velocity, in the world frame.
pub(crate) const DOF: usize = 6;

/// The relative motions that a contact has forces and moments against.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Resistance {
    /// Sliding alone: (n, t1, t2).
    Sliding,
    /// Sliding and rolling: (n, t1, t2, w1, w2), the last two about the tangents.
    Rolling,
    /// Sliding, rolling and twisting: (n, t1, t2, w1, w2, w3), the last one about the normal.
    RollingAndTwisting,
}

impl Resistance {
    /// Components of a local vector.
    #[must_use]
    pub fn block(self) -> usize {
        match self {
            Self::Sliding => 3,
            Self::Rolling => 5,
            Self::RollingAndTwisting => 6,
        }
    }
}

/// The contact map H from velocities of bodies to relative velocities at contacts, with inverse masses M⁻¹. It stands
/// for W = H M⁻¹ Hᵀ.
///
/// A body has six coordinates, since friction turns spheres too. The local velocity of a contact is that of its second
/// body relative to the first: positive along the normal if they part. The local force acts on the second body as
/// given, and on the first one reversed.
#[derive(Debug, Clone, PartialEq)]
pub struct ContactMap {
    block: usize,
    bodies: usize,
    /// Bodies of each contact, [`FIXED`] where one is fixed.
    pair: Vec<[u32; 2]>,
    /// Rows of H, `block` for each contact: the coefficients of the first body, then those of the second.
    rows: Vec<[f64; 2 * DOF]>,
    /// Rows of H M⁻¹, in the same order.
    accelerations: Vec<[f64; 2 * DOF]>,
    /// Diagonal blocks of W, each row by row.
    diagonal: Vec<f64>,
    inverse_mass: BodyBlocks,
}

impl ContactMap {
    /// The map of contacts between `bodies` bodies of inverse masses `inverse_mass` (six coordinates each).
    ///
    /// # Errors
    /// [`FrictionError::NoFrame`](crate::error::FrictionError::NoFrame), or as [`from_rows`](Self::from_rows).
    pub fn new(
        resistance: Resistance,
        contacts: &[FrictionContact],
        inverse_mass: BodyBlocks,
    ) -> Result<Self, SolveError> {
        let mut coefficients = Vec::with_capacity(contacts.len() * resistance.block() * 2 * DOF);
        let mut pairs = Vec::with_capacity(contacts.len());
        for (index, contact) in contacts.iter().enumerate() {
            contact.frame.check(index)?;
            pairs.push(contact.pair);
            for axis in contact.frame.axes() {
                for (sign, arm) in [-1.0, 1.0].into_iter().zip(contact.arms) {
                    coefficients.extend(axis.map(|x| sign * x));
                    coefficients.extend(cross(arm, axis).map(|x| sign * x));
                }
            }
            let [first, second] = contact.frame.tangents;
            for axis in [first, second, contact.frame.normal].into_iter().take(resistance.block() - 3) {
                for sign in [-1.0, 1.0] {
                    coefficients.extend([0.0; 3]);
                    coefficients.extend(axis.map(|x| sign * x));
                }
            }
        }
        Self::from_rows(resistance, &pairs, &coefficients, inverse_mass)
    }

    /// The map of any rows: `coefficients` holds 12 numbers for each component of each contact, those of the first
    /// body of its pair, then those of the second. The numbers of a fixed body are not read.
    ///
    /// # Errors
    /// [`SolveError::LengthMismatch`], [`NotFinite`](SolveError::NotFinite), [`TooMany`](SolveError::TooMany),
    /// [`IndexOutOfRange`](ContactError::IndexOutOfRange), [`SameBody`](ContactError::SameBody) or
    /// [`NoFreeBody`](ContactError::NoFreeBody).
    pub fn from_rows(
        resistance: Resistance,
        pairs: &[BodyPair],
        coefficients: &[f64],
        inverse_mass: BodyBlocks,
    ) -> Result<Self, SolveError> {
        let block = resistance.block();
        check_block(block)?;
        let bodies = inverse_mass.bodies();
        inverse_mass.check(DOF, bodies)?;
        check_length("coefficients", coefficients, 2 * DOF * block * pairs.len())?;
        crate::problem::contact_jacobian::check_pairs(DOF, bodies, pairs)?;
        let mut map = Self {
            block,
            bodies,
            pair: pairs.iter().map(|pair| pair.map(|body| body.map_or(FIXED, |body| body as u32))).collect(),
            rows: coefficients.as_chunks().0.to_vec(),
            accelerations: Vec::with_capacity(block * pairs.len()),
            diagonal: Vec::with_capacity(block * block * pairs.len()),
            inverse_mass,
        };
        for (contact, pair) in map.pair.iter().enumerate() {
            let rows = &mut map.rows[block * contact..block * (contact + 1)];
            for row in rows.iter_mut() {
                let [first, second] = pair.map(|body| body == FIXED);
                (0..DOF).filter(|_| first).for_each(|d| row[d] = 0.0);
                (DOF..2 * DOF).filter(|_| second).for_each(|d| row[d] = 0.0);
            }
            check_finite("coefficient", rows.as_flattened())?;
            if rows[0].iter().all(|&x| x == 0.0) {
                return Err(ContactError::NoFreeBody { contact }.into());
            }
            for row in rows.iter() {
                let mut acceleration = [0.0; 2 * DOF];
                for (side, &body) in pair.iter().enumerate().filter(|(_, body)| **body != FIXED) {
                    let part = std::array::from_fn(|d| row[side * DOF + d]);
                    let part: [f64; DOF] = map.inverse_mass.times(body as usize, &part);
                    acceleration[side * DOF..(side + 1) * DOF].copy_from_slice(&part);
                }
                map.accelerations.push(acceleration);
            }
            let own = &map.accelerations[block * contact..];
            for row in rows.iter() {
                map.diagonal.extend(own.iter().map(|other| product(row, other)));
            }
        }
        Ok(map)
    }

    /// Number of contacts.
    #[must_use]
    pub fn contacts(&self) -> usize {
        self.pair.len()
    }

    /// Number of bodies.
    #[must_use]
    pub fn bodies(&self) -> usize {
        self.bodies
    }

    /// Components of a contact.
    #[must_use]
    pub fn block(&self) -> usize {
        self.block
    }

    /// The inverse masses.
    #[must_use]
    pub fn inverse_mass(&self) -> &BodyBlocks {
        &self.inverse_mass
    }

    /// H v: local velocities (`block n_c`) of the velocities `v` (`6 n_b`).
    ///
    /// # Errors
    /// [`SolveError::LengthMismatch`].
    pub fn apply(&self, v: &[f64], out: &mut [f64]) -> Result<(), SolveError> {
        check_length("velocities", v, DOF * self.bodies)?;
        check_length("local velocities", out, self.rows.len())?;
        for (contact, out) in out.chunks_exact_mut(self.block).enumerate() {
            for (out, row) in out.iter_mut().zip(&self.rows[contact * self.block..]) {
                *out = times(row, &self.pair[contact], v);
            }
        }
        Ok(())
    }

    /// Hᵀ r: the wrenches (`6 n_b`) of the local forces `r` (`block n_c`).
    ///
    /// # Errors
    /// [`SolveError::LengthMismatch`].
    pub fn apply_transpose(&self, r: &[f64], out: &mut [f64]) -> Result<(), SolveError> {
        check_length("local forces", r, self.rows.len())?;
        check_length("wrenches", out, DOF * self.bodies)?;
        self.scatter(&self.rows, r, out);
        Ok(())
    }

    /// M⁻¹ Hᵀ r: the change of velocities by local impulses.
    ///
    /// # Errors
    /// [`SolveError::LengthMismatch`].
    pub fn velocity(&self, r: &[f64], out: &mut [f64]) -> Result<(), SolveError> {
        check_length("local forces", r, self.rows.len())?;
        check_length("velocities", out, DOF * self.bodies)?;
        self.scatter(&self.accelerations, r, out);
        Ok(())
    }

    /// |H| |M⁻¹ Hᵀ| |r|: the sizes of the terms of local velocities, of which ε is lost to rounding.
    ///
    /// # Errors
    /// [`SolveError::LengthMismatch`].
    pub fn sizes_of_velocity(&self, r: &[f64], out: &mut [f64]) -> Result<(), SolveError> {
        check_length("local forces", r, self.rows.len())?;
        check_length("sizes", out, self.rows.len())?;
        self.write_sizes(r, out, &mut Vec::new());
        Ok(())
    }

    /// As [`sizes_of_velocity`](Self::sizes_of_velocity), with scratch space for the bodies.
    pub(crate) fn write_sizes(&self, r: &[f64], out: &mut [f64], of_bodies: &mut Vec<f64>) {
        of_bodies.clear();
        of_bodies.resize(DOF * self.bodies, 0.0);
        for (k, (r, row)) in r.iter().zip(&self.accelerations).enumerate() {
            let row = row.map(f64::abs);
            Velocities(of_bodies).add(&self.pair[k / self.block], r.abs(), &row);
        }
        for (k, (out, row)) in out.iter_mut().zip(&self.rows).enumerate() {
            *out = times(&row.map(f64::abs), &self.pair[k / self.block], of_bodies);
        }
    }

    fn scatter(&self, rows: &[[f64; 2 * DOF]], r: &[f64], out: &mut [f64]) {
        out.fill(0.0);
        let mut out = Velocities(out);
        for (contact, r) in r.chunks_exact(self.block).enumerate() {
            for (&r, row) in r.iter().zip(&rows[contact * self.block..]) {
                out.add(&self.pair[contact], r, row);
            }
        }
    }

    /// Bodies of each contact.
    pub(crate) fn pairs(&self) -> &[[u32; 2]] {
        &self.pair
    }

    /// The rows of H of all contacts.
    pub(crate) fn all_rows(&self) -> &[[f64; 2 * DOF]] {
        &self.rows
    }

    /// The rows of H M⁻¹ of all contacts.
    pub(crate) fn all_accelerations(&self) -> &[[f64; 2 * DOF]] {
        &self.accelerations
    }

    /// The rows of contact `i`.
    pub(crate) fn rows<const M: usize>(&self, i: usize) -> &[[f64; 2 * DOF]; M] {
        &self.rows.as_chunks::<M>().0[i]
    }

    /// The rows of H M⁻¹ of contact `i`.
    #[inline(always)]
    pub(crate) fn accelerations<const M: usize>(&self, i: usize) -> &[[f64; 2 * DOF]; M] {
        &self.accelerations.as_chunks::<M>().0[i]
    }

    #[inline(always)]
    pub(crate) fn diagonal_block<const M: usize>(&self, i: usize) -> &[[f64; M]; M] {
        &self.diagonal.as_chunks::<M>().0.as_chunks::<M>().0[i]
    }

    /// The local velocity of contact `i` at velocities `v`.
    #[inline(always)]
    pub(crate) fn local_velocity<const M: usize>(&self, i: usize, v: &[f64]) -> [f64; M] {
        let rows = &self.rows.as_chunks::<M>().0[i];
        let mut both = [0.0; 2 * DOF];
        for (side, &body) in self.pair[i].iter().enumerate().filter(|(_, body)| **body != FIXED) {
            both[side * DOF..(side + 1) * DOF].copy_from_slice(&v[DOF * body as usize..DOF * (body as usize + 1)]);
        }
        std::array::from_fn(|k| product(&rows[k], &both))
    }

    /// Adds M⁻¹ Hᵀ of the force `change` of contact `i` to `v`.
    #[inline(always)]
    pub(crate) fn accelerate<const M: usize>(&self, i: usize, change: &[f64; M], v: &mut [f64]) {
        let mut sum = [0.0; 2 * DOF];
        for (row, change) in self.accelerations::<M>(i).iter().zip(change) {
            (0..2 * DOF).for_each(|d| sum[d] += change * row[d]);
        }
        Velocities(v).add(&self.pair[i], 1.0, &sum);
    }

    /// W in blocks.
    ///
    /// # Errors
    /// [`SolveError::TooMany`] if its rows cannot be numbered.
    pub fn to_blocks(&self) -> Result<BlockMatrix, SolveError> {
        let mut of_body = vec![Vec::new(); self.bodies];
        for (contact, pair) in self.pair.iter().enumerate() {
            for (side, &body) in pair.iter().enumerate().filter(|(_, body)| **body != FIXED) {
                of_body[body as usize].push((contact, side));
            }
        }
        let mut entries = Vec::new();
        for members in &of_body {
            for &(i, side) in members {
                for &(j, other) in members {
                    for (p, q) in (0..self.block).flat_map(|p| (0..self.block).map(move |q| (p, q))) {
                        let (row, column) = (self.block * i + p, self.block * j + q);
                        let (a, b) = (&self.rows[row][side * DOF..], &self.accelerations[column][other * DOF..]);
                        let value = (0..DOF).map(|d| a[d] * b[d]).sum();
                        entries.push(Entry { row, column, value });
                    }
                }
            }
        }
        Ok(BlockMatrix::from_entries(self.block, self.contacts(), entries))
    }
}

/// Velocities or wrenches of bodies to add to.
struct Velocities<'a>(&'a mut [f64]);

impl Velocities<'_> {
    #[inline(always)]
    fn add(&mut self, pair: &[u32; 2], factor: f64, row: &[f64; 2 * DOF]) {
        for (side, &body) in pair.iter().enumerate().filter(|(_, body)| **body != FIXED) {
            let v = &mut self.0[DOF * body as usize..DOF * (body as usize + 1)];
            (0..DOF).for_each(|d| v[d] += factor * row[side * DOF + d]);
        }
    }
}

#[inline(always)]
fn product(a: &[f64; 2 * DOF], b: &[f64; 2 * DOF]) -> f64 {
    let mut sum = a[0] * b[0];
    (1..2 * DOF).for_each(|d| sum += a[d] * b[d]);
    sum
}

fn times(row: &[f64; 2 * DOF], pair: &[u32; 2], v: &[f64]) -> f64 {
    let mut sum = 0.0;
    for (side, &body) in pair.iter().enumerate().filter(|(_, body)| **body != FIXED) {
        let v = &v[DOF * body as usize..];
        (0..DOF).for_each(|d| sum += row[side * DOF + d] * v[d]);
    }
    sum
}
