//! What the Jacobian of a step is written to.

use cd_solve::LinearOperator;

use crate::implicit::block_jacobian::{BlockRows, FullRows};
use crate::implicit::contact::ImplicitContact;
use crate::implicit::weights::StepWeights;
use crate::stiffness::pair_matrix::{Coupling, PairMatrix, PairRows};

/// Rows by block, and by place the block of each for itself.
pub(crate) type WholeBlocks<'a, const D: usize> = (&'a [FullRows<D>], &'a [[[f64; D]; D]]);

/// A matrix with `D` rows for each place, filled row by row by the evaluation of all contacts: −∂R/∂(V, Ω).
pub(crate) trait StepMatrix<const D: usize>: LinearOperator + Default {
    /// Whether derivatives of tangential forces are wanted.
    const SLOPES: bool;

    /// The rows of one block of places.
    type Rows: Send + Default;
    /// What one place has for itself, and its diagonal block, or what preconditions it.
    type Own: Send + Copy;
    type Diagonal: Send + Copy;

    /// Room for `places` places: rows by block, and by place the rest.
    #[allow(clippy::type_complexity, reason = "three slices, each of its own type")]
    fn parts(&mut self, places: usize) -> (&mut [Self::Rows], &mut [Self::Own], &mut [Self::Diagonal]);

    /// Empties the rows of a block.
    fn clear(rows: &mut Self::Rows);

    /// The blocks of a body of this mass and inertia alone.
    fn alone(mass: f64, inertia: f64) -> (Self::Own, Self::Diagonal);

    /// Adds a contact with the body at the place `other`, or with something that is not moved by this step.
    fn couple(
        rows: &mut Self::Rows,
        own: &mut (Self::Own, Self::Diagonal),
        encounter: &ImplicitContact,
        weights: &StepWeights,
        other: Option<(usize, f64)>,
    );

    /// Ends a row.
    fn end_row(rows: &mut Self::Rows);

    /// The symmetric diagonal blocks of three rows: xx, xy, xz, yy, yz, zz.
    fn diagonal(&self) -> &[[f64; 6]];

    /// Itself, if it is a matrix of pairs.
    fn pair_blocks(&self) -> Option<&PairMatrix> {
        None
    }

    /// The rows with whole blocks and the blocks of the places alone, of a matrix that has them.
    fn full_rows(&self) -> Option<WholeBlocks<'_, D>>;
}

/// What the ridge of a wall adds.
#[inline(always)]
fn ridge(encounter: &ImplicitContact, weights: &StepWeights) -> Coupling {
    Coupling::along(encounter.meeting.ridge.0, [encounter.ridge_stiffness(weights), 0.0])
}

/// Bodies that do not turn, and the symmetric part.
impl StepMatrix<3> for PairMatrix {
    const SLOPES: bool = false;

    type Rows = PairRows;
    type Own = [f64; 6];
    type Diagonal = [f64; 6];

    fn parts(&mut self, places: usize) -> (&mut [PairRows], &mut [[f64; 6]], &mut [[f64; 6]]) {
        self.resize(places);
        (&mut self.blocks, &mut self.own, &mut self.diagonal)
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
        encounter: &ImplicitContact,
        weights: &StepWeights,
        other: Option<(usize, f64)>,
    ) {
        let coupling = Coupling::along(encounter.meeting.normal, encounter.stiffness(weights));
        coupling.add_to(diagonal);
        match other {
            Some((other, _)) => rows.push(other, &coupling),
            None => {
                coupling.add_to(own);
                let ridge = ridge(encounter, weights);
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

    fn parts(&mut self, places: usize) -> (&mut [FullRows<3>], &mut [[[f64; 3]; 3]], &mut [[[f64; 6]; 1]]) {
        self.resize(places);
        (&mut self.blocks, &mut self.own, self.diagonal.as_chunks_mut().0)
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
        encounter: &ImplicitContact,
        weights: &StepWeights,
        other: Option<(usize, f64)>,
    ) {
        rows.couple(own, encounter, weights, other);
        Coupling::along(encounter.meeting.normal, encounter.stiffness(weights)).add_to(&mut diagonal[0]);
        ridge(encounter, weights).add_to(&mut diagonal[0]);
    }

    fn end_row(rows: &mut FullRows<3>) {
        rows.end_row();
    }

    fn diagonal(&self) -> &[[f64; 6]] {
        &self.diagonal
    }

    fn full_rows(&self) -> Option<WholeBlocks<'_, 3>> {
        Some((&self.blocks, &self.own))
    }
}

/// Bodies that turn: velocities before spins.
impl StepMatrix<6> for BlockRows<6> {
    const SLOPES: bool = true;

    type Rows = FullRows<6>;
    type Own = [[f64; 6]; 6];
    type Diagonal = [[f64; 6]; 2];

    fn parts(&mut self, places: usize) -> (&mut [FullRows<6>], &mut [[[f64; 6]; 6]], &mut [[[f64; 6]; 2]]) {
        self.resize(places);
        (&mut self.blocks, &mut self.own, self.diagonal.as_chunks_mut().0)
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
        encounter: &ImplicitContact,
        weights: &StepWeights,
        other: Option<(usize, f64)>,
    ) {
        rows.couple(own, encounter, weights, other);
        let ([along, across], arm) = (encounter.stiffness(weights), encounter.meeting.arm);
        let viscosity = encounter.viscosity(weights);
        Coupling::along(encounter.meeting.normal, [along, across + viscosity]).add_to(&mut diagonal[0]);
        Coupling::along(encounter.meeting.normal, [0.0, viscosity * arm * arm]).add_to(&mut diagonal[1]);
        ridge(encounter, weights).add_to(&mut diagonal[0]);
    }

    fn end_row(rows: &mut FullRows<6>) {
        rows.end_row();
    }

    fn diagonal(&self) -> &[[f64; 6]] {
        &self.diagonal
    }

    fn full_rows(&self) -> Option<WholeBlocks<'_, 6>> {
        Some((&self.blocks, &self.own))
    }
}
