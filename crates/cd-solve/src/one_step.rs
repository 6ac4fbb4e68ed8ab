//! Velocities and compatible forces from one minimisation, without a complementarity problem.

use crate::contact_map::with_rows;
use crate::error::{check_finite, check_length};
use crate::law::PowerLaw;
use crate::newton::{Newton, StepSolver};
use crate::newton_cholesky::Factorized;
use crate::penalty::Penalty;
use crate::sweep_cg::SweepCg;
use crate::{BodyBlocks, ContactMap, Options, Report, SolveError, Status};

/// A step of contact dynamics whose contacts have the compliance ε: the velocity v minimises
/// ½ (v − v*)ᵀ M/dt (v − v*) + Σ k/p (c₊/ε)ᵖ ε with the compression rates c = −(B v + Φ/dt).
///
/// The exact dual of the complementarity problem with ε times the elastic energy of `[OK18] (36)` added. The forces differ
/// from the compatible ones by a multiple of ε; `(10 f(ε/10) − f(ε)) / 9` takes the first order out. Contacts that stay open get
/// no force, and bodies without contacts need no care.
#[derive(Debug, Clone, Copy)]
pub struct OneStepProblem<'a> {
    map: &'a ContactMap,
    mass: &'a BodyBlocks,
    free_velocity: &'a [f64],
    gap_rate: &'a [f64],
    stiffness: &'a [f64],
    law: PowerLaw,
    compliance: f64,
}

impl<'a> OneStepProblem<'a> {
    /// The problem of the contact map B, `mass` M/dt, `free_velocity` v* (`D n_b`) that the bodies would have without contacts,
    /// `gap_rate` Φ/dt (`n_c`), the stiffness k and exponent p of the contacts as in
    /// [`CompatibilityProblem`](crate::CompatibilityProblem), and the compliance ε, in units in which k and M/dt are of order
    /// one.
    ///
    /// # Errors
    /// [`SolveError::LengthMismatch`], [`NotFinite`](SolveError::NotFinite),
    /// [`InvalidStiffness`](SolveError::InvalidStiffness), [`InvalidExponent`](SolveError::InvalidExponent), or
    /// [`InvalidParameter`](SolveError::InvalidParameter) unless ε and the largest k/εᵖ⁻¹ are finite and positive.
    pub fn new(
        map: &'a ContactMap,
        mass: &'a BodyBlocks,
        [free_velocity, gap_rate, stiffness]: [&'a [f64]; 3],
        exponent: f64,
        compliance: f64,
    ) -> Result<Self, SolveError> {
        mass.check(map.dof(), map.bodies())?;
        check_length("velocities", free_velocity, map.columns())?;
        check_finite("velocity", free_velocity)?;
        check_length("gap rates", gap_rate, map.contacts())?;
        check_finite("gap rate", gap_rate)?;
        check_length("stiffnesses", stiffness, map.contacts())?;
        if let Some(contact) = stiffness.iter().position(|k| !(k.is_finite() && *k > 0.0)) {
            return Err(SolveError::InvalidStiffness { contact, value: stiffness[contact] });
        }
        if !(compliance.is_finite() && compliance > 0.0) {
            let (what, expected) = ("the compliance", "finite and positive");
            return Err(SolveError::InvalidParameter { what, value: compliance, expected });
        }
        let law = PowerLaw::new(exponent)?;
        let hardest = stiffness.iter().fold(0.0, |most: f64, k| most.max(*k)) * softening(law, compliance);
        if !hardest.is_finite() || (hardest <= 0.0 && !stiffness.is_empty()) {
            let (what, expected) = ("the compliance", "such that k/εᵖ⁻¹ is finite and positive");
            return Err(SolveError::InvalidParameter { what, value: compliance, expected });
        }
        Ok(Self { map, mass, free_velocity, gap_rate, stiffness, law, compliance })
    }

    /// Number of contacts.
    #[must_use]
    pub fn contacts(&self) -> usize {
        self.map.contacts()
    }

    /// Number of coordinates of all bodies.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.map.columns()
    }
}

/// Solves one-step problems, by conjugate gradients or, where those stall, sparse factorisations.
#[derive(Debug)]
pub struct OneStep {
    options: Options,
    iterative: Newton<SweepCg<f64>>,
    direct: Newton<Factorized>,
    /// Zeros, the change of velocity without contacts.
    rest: Vec<f64>,
}

impl OneStep {
    /// Stops at the residual of `options`: ‖M/dt (v − v*) − Bᵀ f‖ relative to the larger of its two parts.
    #[must_use]
    pub fn new(options: Options) -> Self {
        Self { options, iterative: Newton::default(), direct: Newton::default(), rest: Vec::new() }
    }

    /// Solves `problem` into the velocities after the step (`D n_b`) and the contact forces (`n_c`).
    ///
    /// # Errors
    /// [`SolveError::LengthMismatch`], or [`SolveError::InvalidParameter`] for the tolerance; both slices are then untouched.
    pub fn solve(
        &mut self,
        problem: &OneStepProblem<'_>,
        velocity: &mut [f64],
        force: &mut [f64],
    ) -> Result<Report, SolveError> {
        check_length("velocities", velocity, problem.columns())?;
        check_length("contact forces", force, problem.contacts())?;
        let Self { options, iterative, direct, rest } = self;
        rest.resize(problem.columns(), 0.0);
        let mut write = |change: &[f64], forces: &[f64]| {
            force.copy_from_slice(forces);
            for (velocity, (free, change)) in velocity.iter_mut().zip(problem.free_velocity.iter().zip(change)) {
                *velocity = free + change;
            }
        };
        let first = minimize(iterative, problem, rest, options)?;
        write(&iterative.x, &iterative.force);
        if first.status == Status::Converged {
            return Ok(first);
        }
        // Where there is no factor, for want of memory say, the first attempt is what there is.
        let Ok(second) = minimize(direct, problem, rest, options) else {
            return Ok(first);
        };
        if second.is_better_than(&first) {
            write(&direct.x, &direct.force);
            return Ok(second.after(&first));
        }
        Ok(first.after(&second))
    }
}

impl Default for OneStep {
    fn default() -> Self {
        Self::new(Options::new(1e-12, 1000))
    }
}

/// What the stiffness of unit compliance is to be multiplied by, ε¹⁻ᵖ.
fn softening(law: PowerLaw, compliance: f64) -> f64 {
    compliance.powf(1.0 - law.exponent())
}

/// Minimises over the change v − v*, of which heavy bodies keep more digits than of v.
fn minimize<S: StepSolver>(
    newton: &mut Newton<S>,
    problem: &OneStepProblem<'_>,
    rest: &[f64],
    options: &Options,
) -> Result<Report, SolveError> {
    with_rows!(problem.map, rows => newton.minimize(
        &Penalty {
            rows,
            law: problem.law,
            stiffness: (problem.stiffness, softening(problem.law, problem.compliance)),
            open: None,
            load: None,
            offset: Some(problem.gap_rate),
            base: Some(problem.free_velocity),
            inertia: Some((problem.mass, rest)),
        },
        options,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bodies of six coordinates with whole mass blocks that differ by 1e6, gaps, and a last body in free flight.
    #[test]
    fn heavy_and_light_bodies_balance() {
        let (bodies, contacts) = (6_usize, 12_usize);
        let number = |k: usize| (1.7 * k as f64 + 0.3).sin();
        let pairs: Vec<crate::Pair> =
            (0..contacts).map(|i| [(i % 3 > 0).then_some((i + 1 + i / 5) % 5), Some(i % 5)]).collect();
        let pairs: Vec<_> = pairs.into_iter().map(|[a, b]| [a.filter(|a| Some(*a) != b), b]).collect();
        let map = ContactMap::new(6, bodies, &pairs, &(0..12 * contacts).map(number).collect::<Vec<_>>()).unwrap();
        let entry = |k: usize| {
            let (body, r, c) = (k / 36, k / 6 % 6, k % 6);
            let size = if body % 2 == 0 { 1.0 } else { 1e6 };
            size * if r == c { 2.0 + number(k) } else { 0.1 * number(body + r + c) }
        };
        let blocks: Vec<f64> = (0..36 * bodies).map(entry).collect();
        let mass = BodyBlocks::full(6, blocks.clone()).unwrap();
        let free: Vec<f64> = (0..6 * bodies).map(|k| number(3 * k)).collect();
        let gap: Vec<f64> = (0..contacts).map(|i| 0.3 * number(7 * i)).collect();
        for (exponent, compliance) in [(2.0, 1e-6), (2.25, 1e-3), (2.5, 1e-6), (3.0, 1e-2)] {
            let problem = OneStepProblem::new(&map, &mass, [&free, &gap, &[1.0; 12]], exponent, compliance).unwrap();
            let (mut velocity, mut force) = (vec![0.0; 6 * bodies], vec![0.0; contacts]);
            let report = OneStep::new(Options::new(1e-11, 1000)).solve(&problem, &mut velocity, &mut force).unwrap();
            assert!(report.converged(), "{report:?}");
            let (mut pushed, mut rate) = (vec![0.0; 6 * bodies], vec![0.0; contacts]);
            map.apply_transpose(&force, &mut pushed).unwrap();
            map.apply(&velocity, &mut rate).unwrap();
            let largest = force.iter().fold(0.0_f64, |most, force| most.max(*force));
            assert!(largest > 0.1 && force.iter().any(|force| *force <= 0.0));
            for (row, pushed) in pushed.iter().enumerate() {
                let columns = 6 * (row / 6)..6 * (row / 6) + 6;
                let inertia: f64 = columns.map(|c| blocks[6 * row + c % 6] * (velocity[c] - free[c])).sum();
                assert!((inertia - pushed).abs() <= 1e-8 * largest, "{inertia} for {pushed} at p = {exponent}");
            }
            for ((force, rate), gap) in force.iter().zip(&rate).zip(&gap) {
                // What a force says about the compression is exact, not the other way round.
                let compression = compliance * force.powf((exponent - 1.0).recip());
                let gap_rate = rate + gap;
                let closed = *force > 0.0 && (gap_rate + compression).abs() < 1e-9;
                assert!(closed || (*force <= 0.0 && gap_rate > -1e-9), "{force}, {gap_rate} at p = {exponent}");
            }
            assert!((30..36).all(|k| (velocity[k] - free[k]).abs() < 1e-300));
        }
    }
}
