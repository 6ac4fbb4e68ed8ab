use crate::error::{ContactError, SolveError, check_finite, check_length};
use crate::friction::block_matrix::{BlockMatrix, Entry, check_block};
use crate::friction::contact_rows::{ContactRows, DOF, Velocities};
use crate::friction::frame::{FrictionContact, cross};
use crate::problem::body_blocks::BodyBlocks;
use crate::problem::contact_jacobian::{BodyPair, check_pairs, codes};
use crate::problem::rows::{FIXED, dot};

/// Relative motions at a contact that friction resists with forces and moments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Resistance {
    /// Resistance to sliding alone: local vectors (n, t1, t2) along the normal and two tangents.
    Sliding,
    /// Resistance to sliding and rolling: local vectors (n, t1, t2, w1, w2), the last two about the tangents.
    Rolling,
    /// Resistance to sliding, rolling and twisting: local vectors (n, t1, t2, w1, w2, w3), w3 about the normal.
    RollingAndTwisting,
}

impl Resistance {
    /// Number of components of a local vector, such as the force of a contact: 3, 5 or 6.
    #[must_use]
    pub fn block(self) -> usize {
        match self {
            Self::Sliding => 3,
            Self::Rolling => 5,
            Self::RollingAndTwisting => 6,
        }
    }
}

/// The contact map H from velocities v of bodies to local velocities u = H v, which are relative velocities in the
/// frames of the contacts. With inverse masses M⁻¹ it stands for the matrix W = H M⁻¹ Hᵀ, which is never formed.
///
/// A body has six coordinates, since friction turns spheres. A local velocity is that of the second body relative to
/// the first: positive along the normal if they part. A local force acts on the second body, and reversed on the first.
#[derive(Debug, Clone, PartialEq)]
pub struct ContactMap {
    bodies: usize,
    contacts: ContactRows,
    inverse_mass: BodyBlocks,
}

impl ContactMap {
    /// Makes the map of `contacts` between bodies with the inverse masses `inverse_mass` (six coordinates each).
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

    /// Makes a contact map from its rows: `coefficients` holds 12 numbers for each component of each contact, six for
    /// the first body of the pair, six for the second. The numbers of a fixed body are ignored.
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
        check_pairs(DOF, bodies, pairs)?;
        let mut contacts = ContactRows {
            block,
            pair: pairs.iter().map(codes).collect(),
            rows: coefficients.as_chunks().0.to_vec(),
            accelerations: Vec::with_capacity(block * pairs.len()),
            diagonal: Vec::with_capacity(block * block * pairs.len()),
        };
        for (contact, pair) in contacts.pair.iter().enumerate() {
            let rows = &mut contacts.rows[block * contact..block * (contact + 1)];
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
                    let part: [f64; DOF] = inverse_mass.times(body as usize, &part);
                    acceleration[side * DOF..(side + 1) * DOF].copy_from_slice(&part);
                }
                contacts.accelerations.push(acceleration);
            }
            let own = &contacts.accelerations[block * contact..];
            for row in rows.iter() {
                contacts.diagonal.extend(own.iter().map(|other| dot(row, other)));
            }
        }
        Ok(Self { bodies, contacts, inverse_mass })
    }

    /// Number of contacts of the contact map.
    #[must_use]
    pub fn contacts(&self) -> usize {
        self.contacts.pair.len()
    }

    /// Number of free bodies of the contact map, `n_b`.
    #[must_use]
    pub fn bodies(&self) -> usize {
        self.bodies
    }

    /// Number of components of local vectors: 3, 5 or 6.
    #[must_use]
    pub fn block(&self) -> usize {
        self.contacts.block
    }

    /// Inverse masses M⁻¹ of the bodies, six coordinates each.
    #[must_use]
    pub fn inverse_mass(&self) -> &BodyBlocks {
        &self.inverse_mass
    }

    /// Computes H v: the local velocities, `block` numbers per contact, of the velocities `v` of bodies, six numbers
    /// each.
    ///
    /// # Errors
    /// [`SolveError::LengthMismatch`].
    pub fn apply(&self, v: &[f64], out: &mut [f64]) -> Result<(), SolveError> {
        check_length("velocities", v, DOF * self.bodies)?;
        check_length("local velocities", out, self.contacts.rows.len())?;
        let ContactRows { block, pair, rows, .. } = &self.contacts;
        for (contact, out) in out.chunks_exact_mut(*block).enumerate() {
            for (out, row) in out.iter_mut().zip(&rows[contact * block..]) {
                *out = times(row, &pair[contact], v);
            }
        }
        Ok(())
    }

    /// Computes Hᵀ r: the wrenches on bodies, six numbers each, of the local forces `r`, `block` numbers per contact.
    ///
    /// # Errors
    /// [`SolveError::LengthMismatch`].
    pub fn apply_transpose(&self, r: &[f64], out: &mut [f64]) -> Result<(), SolveError> {
        check_length("local forces", r, self.contacts.rows.len())?;
        check_length("wrenches", out, DOF * self.bodies)?;
        self.scatter(&self.contacts.rows, r, out);
        Ok(())
    }

    /// Computes M⁻¹ Hᵀ r: the change of the velocities of bodies by the local impulses `r`.
    ///
    /// # Errors
    /// [`SolveError::LengthMismatch`].
    pub fn velocity(&self, r: &[f64], out: &mut [f64]) -> Result<(), SolveError> {
        check_length("local forces", r, self.contacts.rows.len())?;
        check_length("velocities", out, DOF * self.bodies)?;
        self.scatter(&self.contacts.accelerations, r, out);
        Ok(())
    }

    /// Computes |H| |M⁻¹ Hᵀ| |r|: the sums of the absolute values of all terms in the local velocities of the forces r,
    /// for bounds on rounding errors.
    ///
    /// # Errors
    /// [`SolveError::LengthMismatch`].
    pub fn sizes_of_velocity(&self, r: &[f64], out: &mut [f64]) -> Result<(), SolveError> {
        check_length("local forces", r, self.contacts.rows.len())?;
        check_length("sizes", out, self.contacts.rows.len())?;
        self.write_sizes(r, out, &mut Vec::new());
        Ok(())
    }

    /// Computes [`sizes_of_velocity`](Self::sizes_of_velocity) with scratch memory `of_bodies`.
    pub(super) fn write_sizes(&self, r: &[f64], out: &mut [f64], of_bodies: &mut Vec<f64>) {
        of_bodies.clear();
        of_bodies.resize(DOF * self.bodies, 0.0);
        let ContactRows { block, pair, rows, accelerations, .. } = &self.contacts;
        for (k, (r, row)) in r.iter().zip(accelerations).enumerate() {
            let row = row.map(f64::abs);
            Velocities(of_bodies).add(&pair[k / block], r.abs(), &row);
        }
        for (k, (out, row)) in out.iter_mut().zip(rows).enumerate() {
            *out = times(&row.map(f64::abs), &pair[k / block], of_bodies);
        }
    }

    fn scatter(&self, rows: &[[f64; 2 * DOF]], r: &[f64], out: &mut [f64]) {
        out.fill(0.0);
        let block = self.contacts.block;
        let mut out = Velocities(out);
        for (contact, r) in r.chunks_exact(block).enumerate() {
            for (&r, row) in r.iter().zip(&rows[contact * block..]) {
                out.add(&self.contacts.pair[contact], r, row);
            }
        }
    }

    pub(super) fn pairs(&self) -> &[[u32; 2]] {
        &self.contacts.pair
    }

    /// Rows of H, one for each component of each contact, with 12 coefficients each.
    pub(super) fn all_rows(&self) -> &[[f64; 2 * DOF]] {
        &self.contacts.rows
    }

    /// Rows of H M⁻¹: changes of the velocities of two bodies by a unit impulse of each component.
    pub(super) fn all_accelerations(&self) -> &[[f64; 2 * DOF]] {
        &self.contacts.accelerations
    }

    pub(super) fn contact_rows(&self) -> &ContactRows {
        &self.contacts
    }

    pub(super) fn rows<const M: usize>(&self, i: usize) -> &[[f64; 2 * DOF]; M] {
        self.contacts.rows_of(i)
    }

    #[inline(always)]
    pub(super) fn diagonal_block<const M: usize>(&self, i: usize) -> &[[f64; M]; M] {
        self.contacts.diagonal_block(i)
    }

    #[inline(always)]
    pub(super) fn local_velocity<const M: usize>(&self, i: usize, v: &[f64]) -> [f64; M] {
        self.contacts.local_velocity(i, v)
    }

    /// Assembles W = H M⁻¹ Hᵀ in blocks, one for each pair of contacts that share a free body.
    ///
    /// # Errors
    /// [`SolveError::TooMany`] if the rows of W cannot be numbered.
    pub fn to_blocks(&self) -> Result<BlockMatrix, SolveError> {
        let ContactRows { block, pair, rows, accelerations, .. } = &self.contacts;
        let block = *block;
        let mut of_body = vec![Vec::new(); self.bodies];
        for (contact, pair) in pair.iter().enumerate() {
            for (side, &body) in pair.iter().enumerate().filter(|(_, body)| **body != FIXED) {
                of_body[body as usize].push((contact, side));
            }
        }
        let mut entries = Vec::new();
        for members in &of_body {
            for &(i, side) in members {
                for &(j, other) in members {
                    for (p, q) in (0..block).flat_map(|p| (0..block).map(move |q| (p, q))) {
                        let row = block * i + p;
                        let column = block * j + q;
                        let a = &rows[row][side * DOF..];
                        let b = &accelerations[column][other * DOF..];
                        let value = (0..DOF).map(|d| a[d] * b[d]).sum();
                        entries.push(Entry { row, column, value });
                    }
                }
            }
        }
        Ok(BlockMatrix::from_entries(block, self.contacts(), entries))
    }
}

fn times(row: &[f64; 2 * DOF], pair: &[u32; 2], v: &[f64]) -> f64 {
    let mut sum = 0.0;
    for (side, &body) in pair.iter().enumerate().filter(|(_, body)| **body != FIXED) {
        let v = &v[DOF * body as usize..];
        (0..DOF).for_each(|d| sum += row[side * DOF + d] * v[d]);
    }
    sum
}
