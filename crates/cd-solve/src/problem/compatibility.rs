use crate::error::{SolveError, check_finite, check_length, check_sizes, check_stiffness};
use crate::problem::contact_jacobian::ContactJacobian;
use crate::problem::power_law::PowerLaw;
use crate::report::Report;

/// The compatibility problem, `[OK18] (36)`: the unique contact forces f ≥ 0 that balance a load F, Bᵀ f = F with the
/// contact Jacobian B, and whose compressions belong to one displacement of the bodies.
///
/// For the displacement u the contacts have the compressions c = −B u and the forces f = k c₊ᵖ⁻¹. The solution
/// minimises the elastic energy Σ k c₊ᵖ/p among all forces that balance the load. It depends only on the ratios of the
/// stiffnesses k, so it is the solution for infinitely stiff grains.
#[derive(Debug, Clone, Copy)]
pub struct CompatibilityProblem<'a> {
    pub(crate) jacobian: &'a ContactJacobian,
    pub(crate) load: &'a [f64],
    pub(crate) stiffness: &'a [f64],
    pub(crate) law: PowerLaw,
    pub(crate) open: Option<&'a [bool]>,
    /// Least reference force of each body coordinate, by which the imbalance of forces is divided; empty if the caller
    /// states none.
    pub(crate) sizes: &'a [f64],
}

/// A solver of [`CompatibilityProblem`]s: contact forces whose compressions belong to one displacement of the bodies.
pub trait CompatibilitySolver {
    /// Writes the contact forces of `problem` to `force`, in the unit of the load, each at least zero.
    ///
    /// # Errors
    /// If the solver cannot treat the problem; `force` is then untouched. Stopping early is not an error but a
    /// [`Status`](crate::Status), and so is a load that no forces balance.
    fn solve(&mut self, problem: &CompatibilityProblem<'_>, force: &mut [f64]) -> Result<Report, SolveError>;
}

impl<'a> CompatibilityProblem<'a> {
    /// Poses the problem of the contact Jacobian B, the load F (`D n_b`: the generalised forces Bᵀ f of the contacts),
    /// the stiffness of each contact, in any unit, and the exponent p of the contact energy, 2 to 3: 2 is Hooke, 5/2
    /// Hertz.
    ///
    /// # Errors
    /// [`SolveError::LengthMismatch`], [`NotFinite`](SolveError::NotFinite),
    /// [`InvalidStiffness`](crate::error::ContactError::InvalidStiffness) or
    /// [`InvalidExponent`](crate::error::ContactError::InvalidExponent).
    pub fn new(
        jacobian: &'a ContactJacobian,
        load: &'a [f64],
        stiffness: &'a [f64],
        exponent: f64,
    ) -> Result<Self, SolveError> {
        check_length("loads", load, jacobian.columns())?;
        check_finite("load", load)?;
        check_stiffness(stiffness, jacobian.contacts())?;
        Ok(Self { jacobian, load, stiffness, law: PowerLaw::new(exponent)?, open: None, sizes: &[] })
    }

    /// Gives no force to the contacts marked in `open`, which have a gap that the load does not close.
    ///
    /// Compatibility alone would let a contact carry force over an open gap. So contacts have to be filtered by the
    /// slack of the complementarity problem, which is unique; see [`open_contacts`].
    ///
    /// # Errors
    /// [`SolveError::LengthMismatch`].
    pub fn with_open(self, open: &'a [bool]) -> Result<Self, SolveError> {
        check_length("open contacts", open, self.jacobian.contacts())?;
        Ok(Self { open: Some(open), ..self })
    }

    /// Sets the least reference force `sizes[i]` of body coordinate i: the imbalance there is divided by this force or,
    /// if larger, by the load or the contact forces there. For a sphere the largest of its three numbers counts.
    ///
    /// Use it where a load is a sum of large forces that cancel. Such a load may be a rounding error; without a
    /// reference force the solver would try to balance it. See [`residual`](Self::residual).
    ///
    /// # Errors
    /// [`SolveError::LengthMismatch`], [`NotFinite`](SolveError::NotFinite) or
    /// [`InvalidParameter`](SolveError::InvalidParameter) for a negative size.
    pub fn with_sizes(self, sizes: &'a [f64]) -> Result<Self, SolveError> {
        check_sizes("sizes of columns", sizes, self.jacobian.columns())?;
        Ok(Self { sizes, ..self })
    }

    /// Least reference force of body coordinate `i`, by which the imbalance of forces is divided: its load |Fᵢ|, or a
    /// larger number of [`with_sizes`](Self::with_sizes).
    pub(crate) fn least_size(&self, i: usize) -> f64 {
        self.load[i].abs().max(self.sizes.get(i).copied().unwrap_or(0.0))
    }

    /// Contact Jacobian B of the compatibility problem.
    #[must_use]
    pub fn jacobian(&self) -> &'a ContactJacobian {
        self.jacobian
    }

    /// Load F that the contact forces have to balance, D numbers for each body.
    #[must_use]
    pub fn load(&self) -> &'a [f64] {
        self.load
    }

    /// Stiffness of each contact, in the unit in which the problem was posed.
    #[must_use]
    pub fn stiffness(&self) -> &'a [f64] {
        self.stiffness
    }

    /// Exponent p of the contact energy k cᵖ/p.
    #[must_use]
    pub fn exponent(&self) -> f64 {
        self.law.exponent()
    }

    /// Whether contact `i` is marked as open, and so gets no force.
    ///
    /// # Panics
    /// If there is no contact `i`.
    #[must_use]
    pub fn is_open(&self, i: usize) -> bool {
        self.open.is_some_and(|open| open[i])
    }

    /// Returns a lower bound, from a displacement `u`, of the sum of contact forces that balance the load.
    ///
    /// If F = Bᵀ f with f ≥ 0, then −F·u = f·(−B u) ≤ Σf max(−B u): if the load does work on a displacement that hardly
    /// compresses a contact, forces must be large. `None` if the load does no work, infinite if no contact is
    /// compressed, which proves that no forces balance the load.
    ///
    /// # Errors
    /// [`SolveError::LengthMismatch`].
    pub fn least_force_sum(&self, u: &[f64]) -> Result<Option<f64>, SolveError> {
        check_length("displacements", u, self.jacobian.columns())?;
        let mut rates = vec![0.0; self.jacobian.contacts()];
        self.jacobian.apply(u, &mut rates)?;
        let work: f64 = u.iter().zip(self.load).map(|(u, load)| -u * load).sum();
        let rates = rates.iter().enumerate().filter(|&(i, _)| !self.is_open(i));
        let compression = rates.fold(0.0_f64, |most, (_, rate)| most.max(-rate));
        Ok((work > 0.0).then(|| work / compression))
    }
}

/// Marks the contacts that stay open: those with a slack A f + b of the complementarity problem above `tolerance`.
/// Without this filter, the forces of a [`CompatibilityProblem`] can act over open gaps.
#[must_use]
pub fn open_contacts(slack: &[f64], tolerance: f64) -> Vec<bool> {
    slack.iter().map(|&slack| slack > tolerance).collect()
}
