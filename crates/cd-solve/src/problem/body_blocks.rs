use crate::error::{ContactError, SolveError, check_finite};

/// Masses or inverse masses: one symmetric positive definite block of D × D numbers per body.
#[derive(Debug, Clone, PartialEq)]
pub struct BodyBlocks {
    dof: usize,
    /// One number per body, which multiplies the identity, if `scalar`; otherwise D² numbers per body.
    values: Vec<f64>,
    scalar: bool,
}

impl BodyBlocks {
    /// Makes masses or inverse masses that are multiples of the identity: `values` holds one number per body.
    ///
    /// # Errors
    /// [`ContactError::InvalidDof`], or [`ContactError::InvalidMass`] unless all values are normal numbers above zero:
    /// the inverse of a subnormal number is infinite.
    pub fn scalar(dof: usize, values: Vec<f64>) -> Result<Self, SolveError> {
        check_dof(dof)?;
        match values.iter().position(|value| !(value.is_normal() && *value > 0.0)) {
            None => Ok(Self { dof, values, scalar: true }),
            Some(body) => Err(ContactError::InvalidMass { body }.into()),
        }
    }

    /// Makes masses or inverse masses that are full D × D blocks: `values` holds D² numbers per body.
    ///
    /// # Errors
    /// [`ContactError::InvalidDof`], [`LengthMismatch`](SolveError::LengthMismatch) unless the length is a multiple of
    /// D², [`NotFinite`](SolveError::NotFinite), or [`InvalidMass`](ContactError::InvalidMass) of the first block that
    /// is not symmetric and positive definite.
    pub fn full(dof: usize, values: Vec<f64>) -> Result<Self, SolveError> {
        check_dof(dof)?;
        let size = dof * dof;
        if !values.len().is_multiple_of(size) {
            let expected = values.len().next_multiple_of(size);
            return Err(SolveError::LengthMismatch { what: "blocks", expected, found: values.len() });
        }
        check_finite("entry of a block", &values)?;
        for (body, block) in values.chunks_exact(size).enumerate() {
            let mut factor = [0.0; 36];
            let symmetric = (0..dof).all(|r| {
                (0..r).all(|c| {
                    let a = block[r * dof + c];
                    let b = block[c * dof + r];
                    (a - b).abs() <= 1e-12 * (a.abs() + b.abs())
                })
            });
            if !symmetric || cholesky(dof, block, &mut factor).is_err() {
                return Err(ContactError::InvalidMass { body }.into());
            }
        }
        Ok(Self { dof, values, scalar: false })
    }

    /// Number D of coordinates for each body, the rows of its mass block.
    #[must_use]
    pub fn dof(&self) -> usize {
        self.dof
    }

    /// Number of bodies, each with one mass block.
    #[must_use]
    pub fn bodies(&self) -> usize {
        self.values.len() / if self.scalar { 1 } else { self.dof * self.dof }
    }

    /// Returns the inverse of each block: inverse masses from masses, or masses from inverse masses.
    #[must_use]
    pub fn inverse(&self) -> Self {
        let size = self.dof * self.dof;
        let values = if self.scalar {
            self.values.iter().map(|value| value.recip()).collect()
        } else {
            let mut inverse = Vec::with_capacity(self.values.len());
            for block in self.values.chunks_exact(size) {
                let mut factor = [0.0; 36];
                let checked = cholesky(self.dof, block, &mut factor);
                debug_assert!(checked.is_ok(), "blocks are checked when they are made");
                let mut out = [0.0; 36];
                for c in 0..self.dof {
                    let mut column = [0.0; 6];
                    column[c] = 1.0;
                    cholesky_solve(self.dof, &factor, &mut column);
                    (0..self.dof).for_each(|r| out[r * self.dof + c] = column[r]);
                }
                // Rounding makes the inverse slightly asymmetric.
                for r in 0..self.dof {
                    for c in 0..self.dof {
                        let a = out[r * self.dof + c];
                        let b = out[c * self.dof + r];
                        inverse.push(0.5 * (a + b));
                    }
                }
            }
            inverse
        };
        Self { values, ..*self }
    }

    /// Product of the mass block, or inverse mass block, of `body` with `x`, for bodies of `D` coordinates.
    #[inline(always)]
    pub(crate) fn times<const D: usize>(&self, body: usize, x: &[f64; D]) -> [f64; D] {
        if self.scalar {
            let factor = self.values[body];
            return x.map(|x| factor * x);
        }
        let block = &self.values[body * D * D..(body + 1) * D * D];
        std::array::from_fn(|r| (0..D).map(|c| block[r * D + c] * x[c]).sum())
    }

    /// Computes the product of the block-diagonal mass matrix with `x` into `out`, a number for each body coordinate.
    pub(crate) fn apply(&self, x: &[f64], out: &mut Vec<f64>) {
        out.clear();
        for (body, x) in x.chunks_exact(self.dof).enumerate() {
            out.extend(
                (0..self.dof).map(|r| x.iter().enumerate().map(|(c, x)| self.entry(body, r, c) * x).sum::<f64>()),
            );
        }
    }

    #[inline(always)]
    pub(crate) fn entry(&self, body: usize, r: usize, c: usize) -> f64 {
        if self.scalar {
            return if r == c { self.values[body] } else { 0.0 };
        }
        self.values[(body * self.dof + r) * self.dof + c]
    }

    pub(crate) fn check(&self, dof: usize, bodies: usize) -> Result<(), SolveError> {
        if self.dof != dof {
            return Err(SolveError::LengthMismatch { what: "coordinates per block", expected: dof, found: self.dof });
        }
        if self.bodies() != bodies {
            return Err(SolveError::LengthMismatch { what: "blocks", expected: bodies, found: self.bodies() });
        }
        Ok(())
    }
}

pub(super) fn check_dof(dof: usize) -> Result<(), SolveError> {
    if matches!(dof, 3 | 6) { Ok(()) } else { Err(ContactError::InvalidDof { found: dof }.into()) }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NotPositiveDefinite;

/// Writes the Cholesky factor of a block of `dof` rows to the lower triangle of `factor`.
#[inline(always)]
pub(crate) fn cholesky<const N: usize>(
    dof: usize,
    block: &[f64],
    factor: &mut [f64; N],
) -> Result<(), NotPositiveDefinite> {
    for r in 0..dof {
        for c in 0..=r {
            let mut sum = block[r * dof + c];
            (0..c).for_each(|k| sum -= factor[r * dof + k] * factor[c * dof + k]);
            if r == c {
                if sum.is_nan() || sum <= 0.0 || sum.is_infinite() {
                    return Err(NotPositiveDefinite);
                }
                factor[r * dof + r] = sum.sqrt();
            } else {
                factor[r * dof + c] = sum / factor[c * dof + c];
            }
        }
    }
    Ok(())
}

pub(crate) fn cholesky_solve<const N: usize>(dof: usize, factor: &[f64; N], x: &mut [f64]) {
    for r in 0..dof {
        (0..r).for_each(|k| x[r] -= factor[r * dof + k] * x[k]);
        x[r] /= factor[r * dof + r];
    }
    for r in (0..dof).rev() {
        (r + 1..dof).for_each(|k| x[r] -= factor[k * dof + r] * x[k]);
        x[r] /= factor[r * dof + r];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inverse_of_inverse() {
        let values = [
            [[4.0, 1.0, 0.0], [1.0, 3.0, 0.0], [0.0, 0.0, 1.0]],
            [[2.0, -0.5, 0.0], [-0.5, 1.0, 0.25], [0.0, 0.25, 1.0]],
        ];
        let values = values.as_flattened().as_flattened().to_vec();
        let blocks = BodyBlocks::full(3, values.clone()).unwrap();
        let again = blocks.inverse().inverse();
        assert!(again.values.iter().zip(&values).all(|(a, b)| (a - b).abs() < 1e-14));
        let product = blocks.times::<3>(0, &blocks.inverse().times::<3>(0, &[1.0, -2.0, 3.0]));
        assert!(product.iter().zip([1.0, -2.0, 3.0]).all(|(a, b)| (a - b).abs() < 1e-15), "{product:?}");
    }

    #[test]
    fn what_is_no_mass_is_refused() {
        for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert_eq!(
                BodyBlocks::scalar(3, vec![1.0, bad]),
                Err(SolveError::Contact(ContactError::InvalidMass { body: 1 }))
            );
        }
        assert_eq!(
            BodyBlocks::scalar(3, vec![1e-310]),
            Err(SolveError::Contact(ContactError::InvalidMass { body: 0 }))
        );
        assert_eq!(
            BodyBlocks::full(3, vec![1.0, 2.0, 0.0, 2.0, 1.0, 0.0, 0.0, 0.0, 1.0]),
            Err(SolveError::Contact(ContactError::InvalidMass { body: 0 }))
        );
        assert_eq!(
            BodyBlocks::full(3, vec![1.0, 0.1, 0.0, 0.2, 1.0, 0.0, 0.0, 0.0, 1.0]),
            Err(SolveError::Contact(ContactError::InvalidMass { body: 0 }))
        );
        assert!(matches!(BodyBlocks::full(3, vec![1.0; 5]), Err(SolveError::LengthMismatch { expected: 9, .. })));
        assert_eq!(BodyBlocks::scalar(7, vec![]), Err(SolveError::Contact(ContactError::InvalidDof { found: 7 })));
    }
}
