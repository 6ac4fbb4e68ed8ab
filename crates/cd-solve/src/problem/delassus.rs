use crate::error::SolveError;
use crate::problem::body_blocks::BodyBlocks;
use crate::problem::contact_jacobian::{ContactJacobian, with_rows};
use crate::problem::operator::LinearOperator;
use crate::problem::rows::{FIXED, Rows, dot};

/// The Delassus operator N = B W Bᵀ of `[OK18]`, never assembled, with the contact Jacobian B and W = dt M⁻¹ of masses
/// M.
#[derive(Debug, Clone)]
pub struct Delassus<'a> {
    jacobian: &'a ContactJacobian,
    inverse_mass: &'a BodyBlocks,
    diagonal: Box<[f64]>,
}

impl<'a> Delassus<'a> {
    /// Makes the operator from the contact Jacobian B and inverse masses W, which may include a factor such as dt.
    ///
    /// # Errors
    /// [`SolveError::LengthMismatch`] unless there is one block for each body of the Jacobian.
    pub fn new(jacobian: &'a ContactJacobian, inverse_mass: &'a BodyBlocks) -> Result<Self, SolveError> {
        inverse_mass.check(jacobian.dof(), jacobian.bodies())?;
        let diagonal = with_rows!(jacobian, rows => rows.delassus_diagonal(inverse_mass));
        Ok(Self { jacobian, inverse_mass, diagonal })
    }

    /// Contact Jacobian B of the operator B W Bᵀ.
    #[must_use]
    pub fn jacobian(&self) -> &'a ContactJacobian {
        self.jacobian
    }

    /// Inverse masses W of the operator B W Bᵀ.
    #[must_use]
    pub fn inverse_mass(&self) -> &'a BodyBlocks {
        self.inverse_mass
    }

    /// Diagonal: for each contact, the change of its gap rate per unit of its force.
    #[must_use]
    pub fn diagonal(&self) -> &[f64] {
        &self.diagonal
    }

    /// Computes W Bᵀ `f`: the change of the velocities of bodies by the contact forces `f`.
    ///
    /// # Errors
    /// [`SolveError::LengthMismatch`].
    pub fn velocity(&self, f: &[f64], out: &mut [f64]) -> Result<(), SolveError> {
        crate::error::check_length("contact forces", f, self.jacobian.contacts())?;
        crate::error::check_length("velocities", out, self.jacobian.columns())?;
        with_rows!(self.jacobian, rows => rows.delassus_velocity(self.inverse_mass, f, out));
        Ok(())
    }
}

impl LinearOperator for Delassus<'_> {
    fn dimension(&self) -> usize {
        self.jacobian.contacts()
    }

    fn apply(&self, x: &[f64], y: &mut [f64], work: &mut Vec<f64>) {
        work.resize(self.jacobian.columns(), 0.0);
        with_rows!(self.jacobian, rows => {
            rows.delassus_velocity(self.inverse_mass, x, work);
            rows.apply(work, y);
        });
    }
}

impl<const D: usize, const K: usize> Rows<D, K> {
    fn delassus_velocity(&self, inverse_mass: &BodyBlocks, f: &[f64], out: &mut [f64]) {
        let [] = self.transpose_with(f, out, &|body, sum| {
            *sum = inverse_mass.times(body, sum);
            []
        });
    }

    fn delassus_diagonal(&self, inverse_mass: &BodyBlocks) -> Box<[f64]> {
        let entry = |row: &crate::problem::rows::Row<K>| {
            let sides = (0..2).filter(|&side| row.body[side] != FIXED);
            sides
                .map(|side| dot(&row.side(side), &inverse_mass.times::<D>(row.body[side] as usize, &row.side(side))))
                .sum()
        };
        self.contacts.iter().map(entry).collect()
    }
}
