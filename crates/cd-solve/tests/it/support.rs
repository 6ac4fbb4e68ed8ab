use cd_solve::conformance::Assembly;
use cd_solve::linear::Preconditioner;
use cd_solve::{
    BodyBlocks, CompatibilitySolver, CompatibleForces, ContactJacobian, Delassus, Lcp, LcpMatrix, LcpSolver, Options,
    Report,
};

/// Matrices and offset of a complementarity problem, which borrows them.
pub(crate) struct Classic {
    pub(crate) jacobian: ContactJacobian,
    pub(crate) inverse_mass: BodyBlocks,
    pub(crate) assembly: Assembly,
}

impl Classic {
    pub(crate) fn new(assembly: Assembly) -> Self {
        Self { jacobian: assembly.jacobian().unwrap(), inverse_mass: assembly.inverse_mass().unwrap(), assembly }
    }

    pub(crate) fn with<R>(&self, work: impl FnOnce(&Lcp<'_>) -> R) -> R {
        let delassus = Delassus::new(&self.jacobian, &self.inverse_mass).unwrap();
        let offset = self.assembly.offset(&delassus).unwrap();
        work(&Lcp::new(LcpMatrix::Delassus(&delassus), &offset).unwrap())
    }

    /// Forces of a solve from zero, and its report.
    pub(crate) fn solve(&self, solver: &mut dyn LcpSolver) -> (Vec<f64>, Report) {
        self.with(|problem| {
            let mut force = vec![0.0; problem.len()];
            let report = solver.solve(problem, &mut force).unwrap();
            (force, report)
        })
    }

    /// Velocities from rest that the forces cause, without the load.
    pub(crate) fn velocity(&self, force: &[f64]) -> Vec<f64> {
        let mut velocity = vec![0.0; self.jacobian.columns()];
        Delassus::new(&self.jacobian, &self.inverse_mass).unwrap().velocity(force, &mut velocity).unwrap();
        velocity
    }
}

pub(crate) fn in_pool<R: Send>(threads: usize, work: impl FnOnce() -> R + Send) -> R {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
}

pub(crate) fn distance(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, |most, d| if d > most || d.is_nan() { d } else { most })
}

/// Solvers of compatibility problems: the default one, and one with Cholesky factors alone.
pub(crate) fn compatibility_solvers(tolerance: f64) -> Vec<(&'static str, Box<dyn CompatibilitySolver>)> {
    let options = Options::new(tolerance, 300);
    vec![
        ("CompatibleForces", Box::new(CompatibleForces::new(options))),
        ("factors alone", Box::new(CompatibleForces::new(options).with_factors_alone())),
    ]
}

/// Jacobi preconditioner: the inverse of each diagonal entry.
pub(crate) struct Jacobi(pub(crate) Vec<f64>);

impl Preconditioner for Jacobi {
    fn dimension(&self) -> usize {
        self.0.len()
    }

    fn apply(&self, r: &[f64], z: &mut [f64]) {
        z.iter_mut().zip(r.iter().zip(&self.0)).for_each(|(z, (r, d))| *z = r / d);
    }
}

/// Fills up bodies of `dof` coordinates with zeros to three coordinates.
pub(crate) fn padded(dof: usize, values: &[f64]) -> Vec<f64> {
    values.chunks_exact(dof).flat_map(|own| (0..3).map(|d| own.get(d).copied().unwrap_or(0.0))).collect()
}
