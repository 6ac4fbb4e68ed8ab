use crate::error::{FrictionError, SolveError, check_finite, check_length};
use crate::friction::block_matrix::BlockMatrix;
use crate::friction::contact_map::ContactMap;
use crate::friction::law::{Coefficients, de_saxce_shift, disks, natural_map, scaled_coefficients};

/// Matrix W of a [`FrictionProblem`]: a contact map that stands for it, or assembled blocks.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum FrictionMatrix<'a> {
    /// The operator H M⁻¹ Hᵀ of the contact map H and masses M, never formed.
    Map(&'a ContactMap),
    /// A matrix W assembled in dense blocks, one for each pair of contacts that act on each other.
    Blocks(&'a BlockMatrix),
}

/// Friction law of all contacts of a problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum FrictionLaw {
    /// Coulomb's law of friction: a contact that slides stays closed.
    Coulomb,
    /// The convex relaxation of Anitescu (2006) and Tasora and Anitescu (2011): r minimises ½ rᵀ W r + qᵀ r in the
    /// friction cone. A contact that slides opens at μ times the sliding speed.
    Convex,
}

/// Coefficients of friction, one for each contact; an empty slice for motions without friction.
#[derive(Debug, Clone, Copy, Default)]
pub struct FrictionCoefficients<'a> {
    /// Coefficient μ of sliding friction of each contact: |rₜ| ≤ μ rₙ for the tangential and the normal force.
    pub sliding: &'a [f64],
    /// Coefficient μᵣ of rolling friction of each contact, a length: |mₜ| ≤ μᵣ rₙ for the tangential moment.
    pub rolling: &'a [f64],
    /// Coefficient `μ_w` of twisting friction of each contact, a length: |mₙ| ≤ `μ_w` rₙ for the normal moment.
    pub twisting: &'a [f64],
}

impl<'a> FrictionCoefficients<'a> {
    /// Makes the coefficients of contacts that resist only sliding.
    #[must_use]
    pub fn sliding(sliding: &'a [f64]) -> Self {
        Self { sliding, ..Self::default() }
    }
}

/// A friction problem: u = W r + q with a law between the local velocity u and the local force r of each contact.
///
/// Coulomb's law: 0 ≤ uₙ ⟂ rₙ ≥ 0, |rₜ| ≤ μ rₙ, and rₜ = −μ rₙ uₜ/|uₜ| if uₜ ≠ 0; likewise for moments against rolling
/// and twisting. W has `n_c` × `n_c` blocks of 3, 5 or 6 rows, and is positive semidefinite up to errors of assembly.
/// In a time step r are impulses; q is the local velocity without contact forces, plus Φ/dt on normals of open gaps.
#[derive(Debug, Clone)]
pub struct FrictionProblem<'a> {
    matrix: FrictionMatrix<'a>,
    offset: &'a [f64],
    coefficients: Vec<Coefficients>,
    law: FrictionLaw,
    /// Ratio ρ of force to velocity of each row (a component of a contact), for the fixed point r = P(r − ρ u).
    step: Vec<f64>,
    /// Length that converts the angular velocity of a row to a velocity; 1 for rows of velocities.
    length: Vec<f64>,
    scale: f64,
}

/// Evaluates an expression with the number of components of a contact as a compile-time constant.
macro_rules! with_block {
    ($block:expr, $m:ident => $body:expr) => {
        match $block {
            3 => {
                const $m: usize = 3;
                $body
            }
            5 => {
                const $m: usize = 5;
                $body
            }
            _ => {
                const $m: usize = 6;
                $body
            }
        }
    };
}
pub(crate) use with_block;

impl<'a> FrictionProblem<'a> {
    /// Poses the friction problem u = W r + q of `matrix` W, `offset` q and `coefficients`, with Coulomb's law.
    ///
    /// # Errors
    /// [`SolveError::LengthMismatch`], [`NotFinite`](SolveError::NotFinite),
    /// [`InvalidCoefficient`](FrictionError::InvalidCoefficient) or [`Immovable`](FrictionError::Immovable).
    pub fn new(
        matrix: FrictionMatrix<'a>,
        offset: &'a [f64],
        coefficients: FrictionCoefficients<'_>,
    ) -> Result<Self, SolveError> {
        let contacts = matrix.contacts();
        let block = matrix.block();
        check_length("offsets", offset, contacts * block)?;
        check_finite("offset", offset)?;
        let FrictionCoefficients { sliding, rolling, twisting } = coefficients;
        let mut table = vec![[0.0; 3]; contacts];
        for (k, (kind, given, least)) in
            [("sliding", sliding, 3), ("rolling", rolling, 5), ("twisting", twisting, 6)].into_iter().enumerate()
        {
            let expected = if block >= least { contacts } else { 0 };
            check_length(kind, given, expected)?;
            for (contact, &value) in given.iter().enumerate() {
                if !(value.is_finite() && value >= 0.0) {
                    return Err(FrictionError::InvalidCoefficient { kind, contact, value }.into());
                }
                table[contact][k] = value;
            }
        }
        let mut problem = Self {
            matrix,
            offset,
            coefficients: table,
            law: FrictionLaw::Coulomb,
            step: vec![0.0; offset.len()],
            length: vec![1.0; offset.len()],
            scale: 0.0,
        };
        with_block!(block, M => problem.find_steps::<M>())?;
        problem.scale = norm(offset.iter().zip(&problem.length).map(|(q, length)| q * length));
        Ok(problem)
    }

    /// Sets the friction law of the problem.
    #[must_use]
    pub fn with_law(self, law: FrictionLaw) -> Self {
        Self { law, ..self }
    }

    /// Returns this problem without friction and with the offset `nothing`; residuals stay relative to q.
    pub(super) fn without_friction_and_offset<'b>(&self, nothing: &'b [f64]) -> FrictionProblem<'b>
    where
        'a: 'b,
    {
        debug_assert_eq!(nothing.len(), self.len(), "one offset for each row");
        let coefficients = vec![[0.0; 3]; self.contacts()];
        FrictionProblem { offset: nothing, coefficients, law: FrictionLaw::Coulomb, ..self.clone() }
    }

    pub(super) fn with_part_of_friction(&self, part: f64) -> FrictionProblem<'a> {
        let coefficients = self.coefficients.iter().map(|mu| mu.map(|mu| part * mu)).collect();
        FrictionProblem { coefficients, ..self.clone() }
    }

    /// Computes ρ (force over velocity) of each row by its block of W: 3/trace; rolling 2/trace; twisting 1/W.
    fn find_steps<const M: usize>(&mut self) -> Result<(), SolveError> {
        let steps = self.step.as_chunks_mut::<M>().0;
        let lengths = self.length.as_chunks_mut::<M>().0;
        for (contact, (step, length)) in steps.iter_mut().zip(lengths).enumerate() {
            let block = self.matrix.diagonal_block::<M>(contact);
            let value = block[0][0];
            let trace: f64 = (0..3).map(|k| block[k][k]).sum();
            if !(value > 0.0 && trace > 0.0) {
                return Err(FrictionError::Immovable { contact, value }.into());
            }
            (0..3).for_each(|k| step[k] = 3.0 / trace);
            for disk in disks::<M>().iter().skip(1) {
                let rows = disk.first..disk.first + disk.len;
                let trace: f64 = rows.clone().map(|k| block[k][k]).sum();
                for k in rows {
                    step[k] = if trace > 0.0 { disk.len as f64 / trace } else { step[0] };
                    length[k] = (step[k] / step[0]).sqrt();
                }
            }
        }
        Ok(())
    }

    /// Number of contacts of the friction problem.
    #[must_use]
    pub fn contacts(&self) -> usize {
        self.matrix.contacts()
    }

    /// Number of components of a contact's local vectors, such as its force: 3, 5 or 6.
    #[must_use]
    pub fn block(&self) -> usize {
        self.matrix.block()
    }

    /// Number of unknowns: components of all local forces.
    #[must_use]
    pub fn len(&self) -> usize {
        self.offset.len()
    }

    /// Whether the friction problem has no contacts.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.offset.is_empty()
    }

    /// Matrix W of the friction problem u = W r + q.
    #[must_use]
    pub fn matrix(&self) -> FrictionMatrix<'a> {
        self.matrix
    }

    /// Offset q of the friction problem u = W r + q: local velocities without contact forces.
    #[must_use]
    pub fn offset(&self) -> &'a [f64] {
        self.offset
    }

    /// Friction law of the contacts.
    #[must_use]
    pub fn law(&self) -> FrictionLaw {
        self.law
    }

    /// Coefficients of friction of each contact: sliding, rolling, twisting.
    #[must_use]
    pub fn coefficients(&self) -> &[[f64; 3]] {
        &self.coefficients
    }

    /// Ratio ρ of force to velocity of each row (a component of a contact).
    pub(super) fn step(&self) -> &[f64] {
        &self.step
    }

    /// Length that converts the angular velocity of each row to a velocity; 1 for rows of velocities.
    pub(super) fn length(&self) -> &[f64] {
        &self.length
    }

    /// Norm of local velocities `x` over that of the offset q; angular velocities are multiplied by their length.
    pub(super) fn relative_norm(&self, x: &[f64]) -> f64 {
        self.relative(norm(x.iter().zip(&self.length).map(|(x, length)| x * length)))
    }

    pub(super) fn relative(&self, norm: f64) -> f64 {
        if self.scale > 0.0 || norm.is_nan() {
            norm / self.scale
        } else if norm > 0.0 {
            f64::INFINITY
        } else {
            0.0
        }
    }

    /// Computes the local velocities `velocity` = W `force` + q. `work` is scratch memory.
    ///
    /// # Errors
    /// [`SolveError::LengthMismatch`].
    pub fn velocity(&self, force: &[f64], velocity: &mut [f64], work: &mut Vec<f64>) -> Result<(), SolveError> {
        check_length("local forces", force, self.len())?;
        check_length("local velocities", velocity, self.len())?;
        self.product(force, velocity, work);
        velocity.iter_mut().zip(self.offset).for_each(|(u, q)| *u += q);
        Ok(())
    }

    /// Computes the product `out` = W `x` with the matrix W of the friction problem.
    pub(super) fn product(&self, x: &[f64], out: &mut [f64], work: &mut Vec<f64>) {
        match self.matrix {
            FrictionMatrix::Map(map) => {
                work.resize(crate::friction::contact_rows::DOF * map.bodies(), 0.0);
                let done = map.velocity(x, work).and_then(|()| map.apply(work, out));
                debug_assert!(done.is_ok(), "lengths are those of the problem");
            }
            FrictionMatrix::Blocks(blocks) => with_block!(blocks.block(), M => {
                let x = x.as_chunks::<M>().0;
                for (i, out) in out.as_chunks_mut::<M>().0.iter_mut().enumerate() {
                    *out = blocks.row_times(i, x);
                }
            }),
        }
    }

    /// The residual R₁ = ‖(r − P(r − ρ û))/ρ‖ / ‖q‖ of the forces r at the local velocities u = W r + q; dimensionless.
    ///
    /// P projects onto the cone of all disks. With Coulomb's law û = u + (Σ μ |`u_disk`|) n, De Saxcé and Feng (1998);
    /// with the convex law û = u. ρ = 3/tr `W_ii` makes the residual a velocity, independent of the masses. The
    /// residual is zero exactly at solutions, and infinite if q is zero and the forces are not a solution.
    ///
    /// Rows of rolling and twisting are converted by the length ℓ = √(`ρ_w`/ρ), with `ρ_w` = 2/tr `W_ii` for rolling
    /// and 1/`W_ii` for twisting: moments and coefficients are divided by ℓ, angular velocities are multiplied by ℓ.
    /// All components then have one cone, one ρ and one unit.
    ///
    /// # Errors
    /// [`SolveError::LengthMismatch`].
    pub fn residual_of_velocity(&self, force: &[f64], velocity: &[f64]) -> Result<f64, SolveError> {
        check_length("local forces", force, self.len())?;
        check_length("local velocities", velocity, self.len())?;
        Ok(with_block!(self.block(), M => self.natural_map::<M>(force, velocity)))
    }

    /// Computes [the residual](Self::residual_of_velocity) of the contact forces `force`; allocates.
    ///
    /// # Errors
    /// [`SolveError::LengthMismatch`].
    pub fn residual(&self, force: &[f64]) -> Result<f64, SolveError> {
        let mut velocity = vec![0.0; self.len()];
        self.velocity(force, &mut velocity, &mut Vec::new())?;
        self.residual_of_velocity(force, &velocity)
    }

    /// The residual that rounding of `force` to 53 bits may cause: ‖8 ε |H| M⁻¹ |H|ᵀ |r|‖ / ‖q‖; dimensionless.
    /// Allocates.
    ///
    /// The motion of a light body under a heavy one is the difference of two forces that are larger by the ratio of
    /// masses, so forces in 53 bits have a residual of about ε times this ratio.
    ///
    /// # Errors
    /// [`SolveError::LengthMismatch`].
    pub fn rounding(&self, force: &[f64]) -> Result<f64, SolveError> {
        check_length("local forces", force, self.len())?;
        Ok(self.rounding_with(force, &mut vec![0.0; self.len()], &mut Vec::new()))
    }

    /// Computes [`rounding`](Self::rounding) with scratch memory for rows and bodies.
    pub(super) fn rounding_with(&self, force: &[f64], sizes: &mut [f64], work: &mut Vec<f64>) -> f64 {
        match self.matrix {
            FrictionMatrix::Map(map) => map.write_sizes(force, sizes, work),
            FrictionMatrix::Blocks(blocks) => blocks.sizes_of_velocity(force, sizes),
        }
        8.0 * f64::EPSILON * self.relative_norm(sizes)
    }

    fn natural_map<const M: usize>(&self, force: &[f64], velocity: &[f64]) -> f64 {
        let force = force.as_chunks::<M>().0;
        let velocity = velocity.as_chunks::<M>().0;
        let steps = self.step.as_chunks::<M>().0;
        let lengths = self.length.as_chunks::<M>().0;
        let mut sum = 0.0;
        for (i, (r, u)) in force.iter().zip(velocity).enumerate() {
            let rho = steps[i][0];
            let length = &lengths[i];
            let mu = scaled_coefficients::<M>(&self.coefficients[i], length);
            let r: [f64; M] = std::array::from_fn(|k| r[k] / length[k]);
            let mut u: [f64; M] = std::array::from_fn(|k| u[k] * length[k]);
            if self.law == FrictionLaw::Coulomb {
                u[0] += de_saxce_shift(&u, &mu);
            }
            let difference = natural_map(&r, &u.map(|u| rho * u), &mu);
            difference.iter().for_each(|x| sum += (x / rho).powi(2));
        }
        self.relative(sum.sqrt())
    }
}

impl FrictionMatrix<'_> {
    /// Number of contacts, the block rows of the matrix W of a friction problem.
    #[must_use]
    pub fn contacts(&self) -> usize {
        match self {
            Self::Map(map) => map.contacts(),
            Self::Blocks(blocks) => blocks.contacts(),
        }
    }

    /// Number of components of local forces: the rows of a block of W.
    #[must_use]
    pub fn block(&self) -> usize {
        match self {
            Self::Map(map) => map.block(),
            Self::Blocks(blocks) => blocks.block(),
        }
    }

    fn diagonal_block<const M: usize>(&self, i: usize) -> &[[f64; M]; M] {
        match self {
            Self::Map(map) => map.diagonal_block(i),
            Self::Blocks(blocks) => blocks.diagonal_block(i),
        }
    }
}

pub(super) fn norm(values: impl Iterator<Item = f64>) -> f64 {
    values.map(|x| x * x).sum::<f64>().sqrt()
}
