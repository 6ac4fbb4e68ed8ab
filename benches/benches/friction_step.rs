//! One warm step of contact dynamics with friction on a heap of spheres.
//!
//! `cargo bench --bench friction_step -- [--spheres 10000] [--steps 4] [--dt 0.01] [--friction 0.5] [--tolerance 1e-6]
//! [--sweeps 1000] [--settle 60] [--settling-sweeps 40] [--overlap 5e-2] [--fall 20000] [--turns 5]
//! [--turn-sweeps 100]`.
//! Spheres of radius 0.45 to 0.55 d fall into a heap between four walls by elastic contacts and come to rest. Steps of
//! contact dynamics follow, with dt in √(d/g), each from the forces of the last step; with the default `--overlap`
//! bodies are never moved apart. Each line has the force on the floor over the weight of the heap; friction on the
//! walls bears the rest. The first steps only settle the heap: the first takes `--sweeps`, the following ones
//! `--settling-sweeps`, whatever the residual. Then steps are timed on one thread: accelerated sweeps to the tolerance,
//! at most `--sweeps`. For every second timed step, other solvers solve the same problem from the same forces to the
//! same residual: sweeps without acceleration, by subdomains and in the given order, APGD on the convex law, and with
//! `--factorizations N` `CoulombSolver` with at most N factorisations. At the end `--turn-sweeps` sweeps are timed on
//! one thread and on two, in `--turns` turns.

#![allow(clippy::print_stdout, reason = "a bench reports")]

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Instant;

use cd_solve::friction::{
    AcceleratedSweeps, CoulombSolver, FrictionCoefficients, FrictionLaw, FrictionMatrix, FrictionProblem,
    FrictionReport, FrictionSolver,
};
use cd_solve::{Options, SolveError, Status};
use dem_contact::contact_dynamics::{ContactCoefficients, MoreauJean, RigidMaterials};
use dem_contact::force::ContactForce;
use dem_contact::law::{Damping, FrictionSpring, Hooke, Laws};
use dem_contact::neighbor::{Boundary, Domain, NeighborList};
use dem_contact::packing::random_packing;
use dem_contact::wall::Wall;
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use rayon::ThreadPool;
use rrp_benches::{cone_apgd, independent_gain, median, pool, running_time, value};
use rrp_geom::glam::DVec3;
use rrp_integrate::field::Sum;
use rrp_integrate::{Bodies, Body, Explicit, ForceField, Gravity, Integrator, Map, State};

const GRAVITY: DVec3 = DVec3::NEG_Z;

type Failure = Box<dyn std::error::Error + Send + Sync>;

fn number(name: &str, default: f64) -> f64 {
    value(name).and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// Solver time of one step in s, and the report.
#[derive(Debug, Default, Clone, Copy)]
struct Solves {
    seconds: f64,
    contacts: usize,
    report: Option<FrictionReport>,
}

/// Accelerated sweeps whose forces are accepted at any residual; on demand other solvers get the same problem.
struct Beside {
    tolerance: f64,
    sweeps: Rc<RefCell<usize>>,
    compare: Rc<RefCell<bool>>,
    solves: Rc<RefCell<Solves>>,
}

impl FrictionSolver for Beside {
    fn solve(&mut self, problem: &FrictionProblem<'_>, force: &mut [f64]) -> Result<FrictionReport, SolveError> {
        let guess = force.to_vec();
        let start = running_time();
        let most = *self.sweeps.borrow();
        let report = AcceleratedSweeps::new(Options::new(self.tolerance, most)).solve(problem, force)?;
        let ours = running_time() - start;
        {
            let mut solves = self.solves.borrow_mut();
            solves.seconds += ours;
            solves.contacts = problem.contacts();
            solves.report = Some(report);
        }
        if self.compare.replace(false) {
            let most_factorizations = number("--factorizations", 0.0) as usize;
            let mut plain = AcceleratedSweeps::new(Options::new(self.tolerance, most)).plain();
            let mut other = guess.clone();
            let start = running_time();
            let found = plain.solve(problem, &mut other)?;
            let seconds = running_time() - start;
            println!(
                "    beside it: ours {ours:.3} s; plain sweeps {seconds:.3} s, {} to {:.1e}",
                found.sweeps, found.residual
            );
            if let FrictionMatrix::Map(map) = problem.matrix() {
                // An assembled matrix is swept in the given order.
                let blocks = map.to_blocks()?;
                let mu = problem.coefficients().iter().map(|mu| mu[0]);
                let mu: Vec<f64> = mu.collect();
                let coefficients = FrictionCoefficients::sliding(&mu);
                let assembled = FrictionProblem::new(FrictionMatrix::Blocks(&blocks), problem.offset(), coefficients)?;
                let mut other = guess.clone();
                let found = plain.solve(&assembled, &mut other)?;
                println!("    plain sweeps in the order of the problem: {} to {:.1e}", found.sweeps, found.residual);
            }
            if most_factorizations > 0 {
                let mut newton = CoulombSolver::new(Options::new(self.tolerance, most_factorizations));
                let mut other = guess.clone();
                let start = running_time();
                let found = newton.solve(problem, &mut other)?;
                let seconds = running_time() - start;
                println!(
                    "    CoulombSolver {seconds:.3} s, {} sweeps, {} factorisations to {:.1e}",
                    found.sweeps, found.factorizations, found.residual
                );
            }
            let convex = problem.clone().with_law(FrictionLaw::Convex);
            let mut other = guess.clone();
            let start = running_time();
            let found = cone_apgd(&convex, self.tolerance, most, &mut other)?;
            let seconds = running_time() - start;
            println!("    APGD, convex law {seconds:.3} s, {} iterations to {:.1e}", found.iterations, found.residual);
            compare_threads(problem, &guess)?;
        }
        // The run continues even if the residual is above the tolerance.
        Ok(FrictionReport { status: Status::Converged, ..report })
    }
}

fn compare_threads(problem: &FrictionProblem<'_>, guess: &[f64]) -> Result<(), SolveError> {
    let sweeps = number("--turn-sweeps", 100.0) as usize;
    // No residual meets this tolerance, so all sweeps are made.
    let mut solver = AcceleratedSweeps::new(Options::new(f64::MIN_POSITIVE, sweeps));
    let mut time = |pool: &ThreadPool| {
        pool.install(|| {
            let mut force = guess.to_vec();
            let start = Instant::now();
            let found = solver.solve(problem, &mut force)?;
            Ok::<_, SolveError>((1e3 * start.elapsed().as_secs_f64() / found.sweeps.max(1) as f64, force))
        })
    };
    let [one, two] = [1, 2].map(pool);
    time(&one)?;
    let mut times = [const { Vec::new() }; 2];
    let mut gains = Vec::new();
    let mut independent = Vec::new();
    for _ in 0..number("--turns", 5.0) as usize {
        let ((alone, force), (together, again)) = (time(&one)?, time(&two)?);
        let bits = |force: &[f64]| force.iter().map(|r| r.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&force), bits(&again), "bits do not depend on the threads");
        times[0].push(alone);
        times[1].push(together);
        gains.push(alone / together);
        independent.push(independent_gain());
    }
    let [alone, together] = times.map(median);
    println!(
        "    {sweeps} accelerated sweeps: {alone:.2} ms each on one thread, {together:.2} on two; gain {:.2}, of two \
         programs {:.2} (medians)",
        median(gains),
        median(independent)
    );
    Ok(())
}

fn side(spheres: usize) -> f64 {
    (0.9 * spheres as f64).cbrt()
}

fn walls(side: f64) -> [Wall; 5] {
    let far = DVec3::new(side, side, 0.0);
    [
        (DVec3::ZERO, DVec3::Z),
        (DVec3::ZERO, DVec3::X),
        (DVec3::ZERO, DVec3::Y),
        (far, DVec3::NEG_X),
        (far, DVec3::NEG_Y),
    ]
    .map(|(point, normal)| Wall::plane(point, normal))
}

fn heap(spheres: usize, friction: f64) -> Result<(Bodies, State), Failure> {
    let mut random = ChaCha8Rng::seed_from_u64(5);
    let radii: Vec<f64> = (0..spheres).map(|_| 0.45 + 0.1 * random.random::<f64>()).collect();
    let side = side(spheres);
    let domain = Domain::new(DVec3::ZERO, DVec3::new(side, side, 1.25 * side), [Boundary::Open; 3])?;
    let centres = random_packing(&domain, &radii, 1)?;
    let bodies = Bodies::new(radii.iter().map(|&r| Body::sphere((2.0 * r).powi(3), r)))?;
    let mut state = State::at_rest(spheres);
    for (i, centre) in centres.iter().enumerate() {
        state.position_mut().set(i, *centre);
    }
    let stiffness = 2e4;
    let hooke = Hooke::new(stiffness, Damping::coefficient(100.0)?)?;
    let spring = FrictionSpring::new(2.0 / 7.0 * stiffness, 50.0, friction)?;
    let list = NeighborList::new(Domain::OPEN, 0.1)?;
    let contacts = ContactForce::new(list, Laws::of(hooke, spring)).with_walls(walls(side))?;
    let fields: Vec<Box<dyn ForceField>> = vec![Box::new(contacts), Box::new(Gravity { acceleration: GRAVITY })];
    let mut field = Sum(fields);
    let mut explicit = Explicit::new(Map::Rodrigues25, 1e-3)?;
    let steps = number("--fall", 20_000.0) as usize;
    let start = Instant::now();
    explicit.run(&bodies, &mut field, &mut state, steps)?;
    let kinetic = (0..spheres).map(|i| bodies.mass().get(i) * state.velocity().get(i).length_squared()).sum::<f64>();
    let height = (0..spheres).map(|i| state.position().get(i).z).fold(0.0, f64::max);
    println!(
        "heap of {spheres}: {steps} elastic steps in {:.0} s, height {height:.1} d, mean m v² {:.1e} m g d",
        start.elapsed().as_secs_f64(),
        kinetic / spheres as f64
    );
    Ok((bodies, state))
}

fn main() -> Result<(), Failure> {
    pool(1).install(run)
}

fn run() -> Result<(), Failure> {
    let spheres = number("--spheres", 10_000.0) as usize;
    let steps = number("--steps", 4.0) as usize;
    let settle = number("--settle", 60.0) as usize;
    let settling_sweeps = number("--settling-sweeps", 40.0) as usize;
    let dt = number("--dt", 0.01);
    let tolerance = number("--tolerance", 1e-6);
    let friction = number("--friction", 0.5);
    let (bodies, mut state) = heap(spheres, friction)?;
    let compare = Rc::new(RefCell::new(false));
    let solves = Rc::new(RefCell::new(Solves::default()));
    let sweeps = Rc::new(RefCell::new(settling_sweeps));
    let solver = Beside { tolerance, sweeps: sweeps.clone(), compare: compare.clone(), solves: solves.clone() };
    let materials = RigidMaterials::uniform(ContactCoefficients::new(friction, 0.0))?;
    let mut dynamics = MoreauJean::new(dt, NeighborList::new(Domain::OPEN, 0.05)?, materials, solver)?
        .with_walls(walls(side(spheres)))?
        .with_allowed_overlap(number("--overlap", 5e-2))?;
    // The wrenches of the elastic steps contain contact forces, which contact dynamics must not reuse.
    state.discard_wrenches();
    let mut gravity = Gravity { acceleration: GRAVITY };
    let weight = (0..spheres).map(|i| bodies.mass().get(i)).sum::<f64>() * GRAVITY.length();
    let mut total = 0.0;
    let mut solver_total = 0.0;
    for step in 0..settle + steps {
        let is_timed = step >= settle;
        *solves.borrow_mut() = Solves::default();
        *sweeps.borrow_mut() =
            if is_timed || step == 0 { number("--sweeps", 1_000.0) as usize } else { settling_sweeps };
        let compared = is_timed && (step - settle) % 2 == 1;
        *compare.borrow_mut() = compared;
        let start = running_time();
        dynamics.step(&bodies, &mut gravity, &mut state)?;
        let seconds = running_time() - start;
        let solved = *solves.borrow();
        let report = dynamics.report();
        if is_timed {
            solver_total += solved.seconds;
            if !compared {
                total += seconds;
            }
        }
        let Some(friction) = solved.report else { continue };
        if is_timed || step % 10 == 0 {
            let kinetic = rrp_integrate::kinetic_energy(&bodies, &state).total() / spheres as f64;
            let whole = if compared { f64::NAN } else { seconds };
            println!(
                "step {step}: {whole:.3} s, solver {:.3} s, {} contacts, {} problems, {} sweeps, residual {:.1e}, \
                 overlap {:.1e}, {} moves, mean kinetic energy {kinetic:.1e} m g d, floor {:.2} of the weight",
                solved.seconds,
                solved.contacts,
                report.problems,
                friction.sweeps,
                friction.residual,
                report.overlap,
                report.separations,
                -dynamics.wall_loads()[0].force.z / weight,
            );
        }
    }
    let uncompared = (0..steps).filter(|step| step % 2 == 0).count();
    println!(
        "mean of timed steps: solver {:.3} s, whole step {:.3} s",
        solver_total / steps as f64,
        total / uncompared as f64
    );
    Ok(())
}
