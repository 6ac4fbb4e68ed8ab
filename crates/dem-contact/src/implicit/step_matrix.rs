//! The matrices to which an evaluation writes the Jacobian of a step.

use cd_solve::LinearOperator;

use crate::implicit::block_jacobian::{BlockRows, FullRows, WholeBlocks};
use crate::implicit::contact::ImplicitContact;
use crate::implicit::contact_jacobian::CoupledBody;
use crate::implicit::weights::StepWeights;
use crate::stiffness::pair_matrix::{Coupling, PairMatrix, PairRows};

pub(super) struct MatrixParts<'a, R, O, G> {
    pub(super) rows: &'a mut [R],
    /// Diagonal block of each body, in the order of the neighbour list.
    pub(super) own: &'a mut [O],
    /// Preconditioner block of each body, in the order of the neighbour list.
    pub(super) diagonal: &'a mut [G],
}

/// Jacobian −∂R/∂(V, Ω) of the residual R by velocities V and spins Ω, `D` rows for each body, filled row by row.
pub(super) trait StepMatrix<const D: usize>: LinearOperator + Default {
    /// Whether this kind of Jacobian needs derivatives of tangential forces.
    const SLOPES: bool;

    /// Off-diagonal rows of one block of bodies.
    type Rows: Send + Default;
    /// Diagonal block of one body. In a `PairMatrix` it lacks the parts of pairs of bodies that move: the product with
    /// the matrix takes these from the off-diagonal blocks.
    type Own: Send + Copy;
    /// Symmetric block of one body for the preconditioner.
    type Diagonal: Send + Copy;

    /// Makes room for `len` bodies, and returns the slices to be filled.
    fn parts(&mut self, len: usize) -> MatrixParts<'_, Self::Rows, Self::Own, Self::Diagonal>;

    /// Empties the off-diagonal rows of one block of bodies before an evaluation fills them.
    fn clear(rows: &mut Self::Rows);

    /// Returns the diagonal block and the preconditioner block of a body of this mass (kg) and inertia (kg m²) without
    /// contacts.
    fn alone(mass: f64, inertia: f64) -> (Self::Own, Self::Diagonal);

    /// Adds a contact of the body whose row is filled to its off-diagonal row and to its two diagonal blocks `own` (see
    /// [`Own`](Self::Own) for an exception). `other` is `None` for a wall or a body that the step does not move; the
    /// off-diagonal row then stays.
    fn couple(
        rows: &mut Self::Rows,
        own: &mut (Self::Own, Self::Diagonal),
        contact: &ImplicitContact,
        weights: &StepWeights,
        other: Option<CoupledBody>,
    );

    fn end_row(rows: &mut Self::Rows);

    /// Returns the symmetric parts xx, xy, xz, yy, yz, zz of the diagonal 3 × 3 blocks, for the preconditioner: one for
    /// each body, or two (velocity, then spin) if `D` is 6.
    fn diagonal(&self) -> &[[f64; 6]];

    /// Returns this Jacobian if it is a `PairMatrix`, for bodies that do not turn.
    fn pair_blocks(&self) -> Option<&PairMatrix> {
        None
    }

    /// Returns the blocks of this Jacobian if it stores whole blocks, not only symmetric parts.
    fn full_rows(&self) -> Option<WholeBlocks<'_, D>>;
}

/// Returns the part of a diagonal block from the additional curvature of a wall along one direction.
#[inline(always)]
fn ridge(contact: &ImplicitContact, weights: &StepWeights) -> Coupling {
    Coupling::along(contact.geometry.ridge.0, [contact.ridge_stiffness(weights), 0.0])
}

/// Symmetric part of the Jacobian for bodies that do not turn.
impl StepMatrix<3> for PairMatrix {
    const SLOPES: bool = false;

    type Rows = PairRows;
    type Own = [f64; 6];
    type Diagonal = [f64; 6];

    fn parts(&mut self, len: usize) -> MatrixParts<'_, PairRows, [f64; 6], [f64; 6]> {
        self.resize(len);
        MatrixParts { rows: &mut self.blocks, own: &mut self.own, diagonal: &mut self.diagonal }
    }

    fn clear(rows: &mut PairRows) {
        rows.clear();
    }

    #[inline(always)]
    fn alone(mass: f64, _: f64) -> ([f64; 6], [f64; 6]) {
        ([mass, 0.0, 0.0, mass, 0.0, mass], [mass, 0.0, 0.0, mass, 0.0, mass])
    }

    #[inline(always)]
    fn couple(
        rows: &mut PairRows,
        (own, diagonal): &mut ([f64; 6], [f64; 6]),
        contact: &ImplicitContact,
        weights: &StepWeights,
        other: Option<CoupledBody>,
    ) {
        let coupling = Coupling::along(contact.geometry.normal, contact.stiffness(weights));
        coupling.add_to(diagonal);
        match other {
            Some(CoupledBody { place, .. }) => rows.push(place, &coupling),
            None => {
                coupling.add_to(own);
                let ridge = ridge(contact, weights);
                ridge.add_to(own);
                ridge.add_to(diagonal);
            }
        }
    }

    fn end_row(rows: &mut PairRows) {
        rows.end_row();
    }

    fn diagonal(&self) -> &[[f64; 6]] {
        &self.diagonal
    }

    fn pair_blocks(&self) -> Option<&PairMatrix> {
        Some(self)
    }

    fn full_rows(&self) -> Option<WholeBlocks<'_, 3>> {
        None
    }
}

impl StepMatrix<3> for BlockRows<3> {
    const SLOPES: bool = true;

    type Rows = FullRows<3>;
    type Own = [[f64; 3]; 3];
    type Diagonal = [[f64; 6]; 1];

    fn parts(&mut self, len: usize) -> MatrixParts<'_, FullRows<3>, [[f64; 3]; 3], [[f64; 6]; 1]> {
        self.resize(len);
        MatrixParts { rows: &mut self.blocks, own: &mut self.own, diagonal: self.diagonal.as_chunks_mut().0 }
    }

    fn clear(rows: &mut FullRows<3>) {
        rows.clear();
    }

    fn alone(mass: f64, _: f64) -> ([[f64; 3]; 3], [[f64; 6]; 1]) {
        let own = std::array::from_fn(|i| std::array::from_fn(|j| if i == j { mass } else { 0.0 }));
        (own, [[mass, 0.0, 0.0, mass, 0.0, mass]])
    }

    fn couple(
        rows: &mut FullRows<3>,
        (own, diagonal): &mut ([[f64; 3]; 3], [[f64; 6]; 1]),
        contact: &ImplicitContact,
        weights: &StepWeights,
        other: Option<CoupledBody>,
    ) {
        rows.couple(own, contact, weights, other);
        Coupling::along(contact.geometry.normal, contact.stiffness(weights)).add_to(&mut diagonal[0]);
        ridge(contact, weights).add_to(&mut diagonal[0]);
    }

    fn end_row(rows: &mut FullRows<3>) {
        rows.end_row();
    }

    fn diagonal(&self) -> &[[f64; 6]] {
        &self.diagonal
    }

    fn full_rows(&self) -> Option<WholeBlocks<'_, 3>> {
        Some(WholeBlocks { rows: &self.blocks, own: &self.own })
    }
}

/// Jacobian for bodies that turn; the unknowns of a body are its velocity, then its spin.
impl StepMatrix<6> for BlockRows<6> {
    const SLOPES: bool = true;

    type Rows = FullRows<6>;
    type Own = [[f64; 6]; 6];
    type Diagonal = [[f64; 6]; 2];

    fn parts(&mut self, len: usize) -> MatrixParts<'_, FullRows<6>, [[f64; 6]; 6], [[f64; 6]; 2]> {
        self.resize(len);
        MatrixParts { rows: &mut self.blocks, own: &mut self.own, diagonal: self.diagonal.as_chunks_mut().0 }
    }

    fn clear(rows: &mut FullRows<6>) {
        rows.clear();
    }

    fn alone(mass: f64, inertia: f64) -> ([[f64; 6]; 6], [[f64; 6]; 2]) {
        let entry = |i: usize| if i < 3 { mass } else { inertia };
        let own = std::array::from_fn(|i| std::array::from_fn(|j| if i == j { entry(i) } else { 0.0 }));
        (own, [mass, inertia].map(|d| [d, 0.0, 0.0, d, 0.0, d]))
    }

    fn couple(
        rows: &mut FullRows<6>,
        (own, diagonal): &mut ([[f64; 6]; 6], [[f64; 6]; 2]),
        contact: &ImplicitContact,
        weights: &StepWeights,
        other: Option<CoupledBody>,
    ) {
        rows.couple(own, contact, weights, other);
        let ([along, across], arm) = (contact.stiffness(weights), contact.geometry.arm);
        let viscosity = contact.viscosity(weights);
        Coupling::along(contact.geometry.normal, [along, across + viscosity]).add_to(&mut diagonal[0]);
        Coupling::along(contact.geometry.normal, [0.0, viscosity * arm * arm]).add_to(&mut diagonal[1]);
        ridge(contact, weights).add_to(&mut diagonal[0]);
    }

    fn end_row(rows: &mut FullRows<6>) {
        rows.end_row();
    }

    fn diagonal(&self) -> &[[f64; 6]] {
        &self.diagonal
    }

    fn full_rows(&self) -> Option<WholeBlocks<'_, 6>> {
        Some(WholeBlocks { rows: &self.blocks, own: &self.own })
    }
}
