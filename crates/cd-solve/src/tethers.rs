//! Newton's method on tethers, where it leads nowhere by itself.

use crate::newton::{Newton, PATIENCE, RIDGE, StepSolver};
use crate::penalty::Penalty;
use crate::{Options, Report, SolveError, Status};

impl<S: StepSolver> Newton<S> {
    /// Minimises on a tether, again and again: it makes the problem easy, and a weak one makes it converge fast.
    ///
    /// Without inertia it leads to where the last minimum was, the method of the proximal point, and its strength follows the
    /// effort. With inertia it leads to free motion and is made weaker by and by, until it is gone. `report` is that of the
    /// attempt without tethers, whose point is returned to if it stays the best.
    pub(crate) fn descend_on_tethers<const D: usize, const K: usize>(
        &mut self,
        penalty: &Penalty<'_, D, K>,
        options: &Options,
        report: &mut Report,
    ) -> Result<(), SolveError> {
        self.keep_of_all();
        let mut kept = report.residual;
        self.return_to_center(penalty);
        self.anchor.copy_from_slice(&self.x);
        let mut strength = 0.1;
        let mut residual = 1.0_f64;
        report.status = Status::IterationLimit;
        while report.iterations < options.max_iterations {
            let tolerance = (0.1 * residual).min(1e-3).max(0.5 * options.tolerance);
            let stage = Options::new(tolerance, PATIENCE.min(options.max_iterations - report.iterations));
            if penalty.inertia.is_none() {
                self.anchor.copy_from_slice(&self.x);
            }
            let tethered = self.descend(penalty, &stage, strength)?;
            residual = self.evaluate(penalty, 0.0).residual();
            *report = Report { residual, status: Status::IterationLimit, ..tethered.after(report) };
            if residual <= options.tolerance {
                report.status = Status::Converged;
                return Ok(());
            }
            if self.asks_too_much(penalty) {
                report.status = Status::Infeasible;
                return Ok(());
            }
            if residual < kept || kept.is_nan() {
                self.keep_of_all();
                kept = residual;
            }
            // A stage without a step would be repeated as it is.
            let stuck = tethered.iterations == 0 && !tethered.converged();
            let hopeless = if penalty.inertia.is_some() { stuck } else { stuck && strength >= 1.0 };
            if hopeless || (strength <= 0.0 && tethered.status == Status::Stalled) || !residual.is_finite() {
                report.status = Status::Stalled;
                break;
            }
            strength = match tethered.iterations {
                _ if penalty.inertia.is_some() => {
                    let next = if tethered.converged() { 0.1 * strength } else { strength };
                    if next > f64::EPSILON { next } else { 0.0 }
                }
                ..8 if tethered.converged() => (0.1 * strength).max(RIDGE),
                ..16 if tethered.converged() => strength,
                _ => (3.0 * strength).min(1.0),
            };
        }
        self.x.copy_from_slice(&self.kept);
        self.compression.copy_from_slice(&self.kept_compression);
        report.residual = self.evaluate(penalty, 0.0).residual();
        Ok(())
    }

    /// Keeps this point as the best of all attempts.
    fn keep_of_all(&mut self) {
        self.kept.copy_from_slice(&self.x);
        self.kept_compression.copy_from_slice(&self.compression);
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        BodyBlocks, CompatibilityProblem, CompatibilitySolver, Compatible, ContactMap, NewtonCg, NewtonCholesky,
        OneStep, OneStepProblem, Options, Pair, Status,
    };

    /// Bodies of one coordinate, each with a contact to the next, the first with a wall.
    fn chain(bodies: usize, coefficient: f64) -> ContactMap {
        let pair = |i: usize| -> Pair { [i.checked_sub(1), Some(i)] };
        let pairs: Vec<Pair> = (0..bodies).map(pair).collect();
        ContactMap::new(1, bodies, &pairs, &[-coefficient, coefficient].repeat(bodies)).unwrap()
    }

    /// The squares of such coefficients are infinite: no step can be computed.
    #[test]
    fn what_cannot_be_computed_stalls() {
        let map = chain(3, 1e200);
        for tolerance in [0.0, 1e-10, 0.01] {
            let options = Options::new(tolerance, 50);
            let problem = CompatibilityProblem::new(&map, &[1.0; 3], &[1.0; 3], 2.0).unwrap();
            for solver in [&mut NewtonCg::new(options) as &mut dyn CompatibilitySolver, &mut Compatible::new(options)] {
                let mut force = [7.0; 3];
                let report = solver.solve(&problem, &mut force).unwrap();
                assert_eq!(report.status, Status::Stalled, "{report:?}");
                assert!(force.iter().all(|force| force.is_finite()));
            }
            let mut force = [7.0; 3];
            match NewtonCholesky::new(options).solve(&problem, &mut force) {
                Ok(report) => assert!(!report.converged()),
                Err(_) => assert!(force.iter().all(|force| force.to_bits() == 7.0_f64.to_bits())),
            }
            let mass = BodyBlocks::scalar(1, vec![1.0; 3]).unwrap();
            let one_step = OneStepProblem::new(&map, &mass, [&[-1.0; 3], &[0.0; 3], &[1.0; 3]], 2.0, 1e-6).unwrap();
            let (mut velocity, mut force) = ([0.0; 3], [0.0; 3]);
            let report = OneStep::new(options).solve(&one_step, &mut velocity, &mut force).unwrap();
            assert_eq!(report.status, Status::Stalled, "{report:?}");
        }
    }

    /// Whatever the iterations allow, velocity, forces and residual are those of one point.
    #[test]
    fn what_is_returned_belongs_together() {
        let map = chain(30, 1.0);
        let mass = BodyBlocks::scalar(1, (0..30).map(|i| 1.0 + f64::from(i % 7)).collect()).unwrap();
        let free: Vec<f64> = (0..30).map(|i| (2.3 * f64::from(i)).sin()).collect();
        let (compliance, gap, stiffness) = (1e-3, [0.1; 30], [1.0; 30]);
        let problem = OneStepProblem::new(&map, &mass, [&free, &gap, &stiffness], 2.5, compliance).unwrap();
        for iterations in [0, 1, 2, 3, 40] {
            let (mut velocity, mut force, mut rate) = (vec![0.0; 30], vec![0.0; 30], vec![0.0; 30]);
            let report =
                OneStep::new(Options::new(1e-12, iterations)).solve(&problem, &mut velocity, &mut force).unwrap();
            assert_eq!(report.converged(), iterations == 40, "{report:?}");
            assert!(report.iterations <= 2 * iterations, "{report:?} for {iterations}");
            map.apply(&velocity, &mut rate).unwrap();
            for (force, rate) in force.iter().zip(&rate) {
                let expected = (-(rate + 0.1)).max(0.0).powf(1.5) / compliance.powf(1.5);
                assert!((force - expected).abs() <= 1e-9 * (1.0 + expected), "{force} for {expected}: {report:?}");
            }
            let (mut pushed, mut squares) = (vec![0.0; 30], [0.0; 3]);
            map.apply_transpose(&force, &mut pushed).unwrap();
            for i in 0..30 {
                let inertia = (1.0 + (i % 7) as f64) * (velocity[i] - free[i]);
                let parts = [inertia - pushed[i], inertia, pushed[i]];
                (0..3).for_each(|k| squares[k] += parts[k] * parts[k]);
            }
            let residual = (squares[0] / squares[1].max(squares[2])).sqrt();
            assert!((report.residual - residual).abs() <= 1e-9 * residual + 1e-13, "{residual}: {report:?}");
        }
    }
}
