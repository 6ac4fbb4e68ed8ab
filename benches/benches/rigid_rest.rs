//! Contact dynamics with friction: creep at rest, and solvers for large ratios of masses.
//!
//! `cargo bench --bench rigid_rest -- [--steps 100000] [--only creep|ratios|loading] [--limit 1000]`.
//!
//! - Creep: few spheres on a floor, solved to R1 = 1e-10 in steps of 1e-3 √(d/g): displacements and changes of energy,
//!   relative to d and m g d.
//! - Ratios: the pyramid of 6 layers whose uppermost sphere is heavier than the others, one step from rest: status of
//!   each solver at a tolerance of 1e-8, after at most `--limit` factorisations or 20 000 sweeps.
//! - Loading: the forces of slow loading of pyramids to 1e-12.

#![allow(clippy::print_stdout, reason = "a bench reports")]

use cd_solve::conformance::{FrictionSpheres, Pyramid};
use cd_solve::friction::{
    AcceleratedSweeps, CompatibleFriction, CompatibleFrictionProblem, CoulombSolver, FrictionCoefficients,
    FrictionMatrix, FrictionProblem, FrictionSolver, ProximalNewton, Resistance,
};
use cd_solve::{Options, SolveError};
use dem_contact::contact_dynamics::{ContactCoefficients, MoreauJean, RigidMaterials};
use dem_contact::neighbor::{Domain, NeighborList};
use dem_contact::wall::Wall;
use rrp_benches::{running_time, value};
use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, Body, Gravity, Integrator, State};

fn creep(name: &str, places: &[DVec3], friction: f64, steps: usize) -> Result<(), Box<dyn std::error::Error>> {
    let bodies = Bodies::new(places.iter().map(|_| Body::sphere(1.0, 0.5)))?;
    let mut state = State::at_rest(places.len());
    places.iter().enumerate().for_each(|(i, &place)| state.position_mut().set(i, place));
    let materials = RigidMaterials::uniform(ContactCoefficients::new(friction, 0.0))?;
    let solver = CoulombSolver::new(Options::new(1e-10, 1000));
    let mut dynamics = MoreauJean::new(1e-3, NeighborList::new(Domain::OPEN, 0.1)?, materials, solver)?
        .with_walls([Wall::plane(DVec3::ZERO, DVec3::Z)])?;
    let mut gravity = Gravity { acceleration: DVec3::NEG_Z };
    let height = |state: &State| (0..places.len()).map(|i| state.position().get(i).z).sum::<f64>();
    let start = height(&state);
    let mut iterations = 0;
    let mut moves = 0;
    let mut fastest = 0.0_f64;
    let mut drop = 0.0_f64;
    for step in 1..=steps {
        iterations += dynamics.step(&bodies, &mut gravity, &mut state)?.iterations;
        moves += dynamics.report().separations;
        fastest = fastest.max(rrp_integrate::kinetic_energy(&bodies, &state).total());
        drop = drop.max((height(&state) - start).abs());
        if [steps / 100, steps / 10, steps].contains(&step) {
            let way = |i: usize| (state.position().get(i) - places[i]).length();
            let furthest = (0..places.len()).map(way).fold(0.0, f64::max);
            println!(
                "{name}, mu {friction}, {step} steps: moved {furthest:.1e} d, energies: kinetic at most {fastest:.1e}, weight changed {drop:.1e} m g d; {iterations} iterations, {moves} moves apart"
            );
        }
    }
    Ok(())
}

fn ratios(limit: usize) -> Result<(), SolveError> {
    for exponent in 0..=6 {
        let ratio = 10.0_f64.powi(exponent);
        let FrictionSpheres { map, offset } =
            FrictionSpheres::pyramid_with_top(&Pyramid::new(6), Resistance::Sliding, ratio)?;
        for mu in [0.1, 0.5, 1.0] {
            let mu_of = vec![mu; map.contacts()];
            let problem =
                FrictionProblem::new(FrictionMatrix::Map(&map), &offset, FrictionCoefficients::sliding(&mu_of))?;
            let solvers: [(&str, Box<dyn FrictionSolver>); 3] = [
                ("CoulombSolver", Box::new(CoulombSolver::new(Options::new(1e-8, limit)))),
                ("AcceleratedSweeps", Box::new(AcceleratedSweeps::new(Options::new(1e-8, 20_000)))),
                ("ProximalNewton", Box::new(ProximalNewton::new(Options::new(1e-8, limit)))),
            ];
            for (name, mut solver) in solvers {
                let mut force = vec![0.0; problem.len()];
                let start = running_time();
                let report = solver.solve(&problem, &mut force)?;
                let seconds = running_time() - start;
                println!(
                    "ratio {ratio:.0e}, mu {mu}, {name}: {:?}, R1 {:.1e}, {} sweeps, {} LU, {:.0} ms",
                    report.status,
                    problem.residual(&force)?,
                    report.sweeps,
                    report.factorizations,
                    1e3 * seconds
                );
            }
        }
    }
    Ok(())
}

fn loading(layers: usize, mu: f64) -> Result<(), SolveError> {
    let FrictionSpheres { map, .. } = FrictionSpheres::pyramid(&Pyramid::new(layers), Resistance::Sliding)?;
    let load = [0.0, 0.0, 1.0, 0.0, 0.0, 0.0].repeat(map.bodies());
    let stiffness = vec![1.0; map.contacts()];
    let mu_of = vec![mu; map.contacts()];
    let problem = CompatibleFrictionProblem::new(&map, &load, &stiffness, 2.0 / 7.0, &mu_of)?;
    let mut force = vec![0.0; 3 * map.contacts()];
    let start = running_time();
    let report = CompatibleFriction::default().solve(&problem, &mut force)?;
    let seconds = running_time() - start;
    let largest = force.iter().step_by(3).copied().fold(0.0, f64::max);
    println!(
        "slow loading, {layers} layers, mu {mu}: {seconds:.3} s, {:?}, {} Newton steps, residual {:.1e}, largest force {largest:.11}",
        report.status, report.iterations, report.residual
    );
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let number = |name: &str, default: usize| value(name).and_then(|text| text.parse().ok()).unwrap_or(default);
    let only = value("--only");
    let wanted = |name: &str| only.as_deref().is_none_or(|only| only == name);
    if wanted("creep") {
        let steps = number("--steps", 100_000);
        let across = 3.0_f64.sqrt().recip();
        let up = (2.0_f64 / 3.0).sqrt();
        let mut four: Vec<DVec3> = (0..3)
            .map(|third| {
                let (sine, cosine) = (f64::from(third) * std::f64::consts::TAU / 3.0).sin_cos();
                DVec3::new(across * cosine, across * sine, 0.5)
            })
            .collect();
        four.push(DVec3::new(0.0, 0.0, 0.5 + up));
        let corner = |x: f64, y: f64| DVec3::new(0.5 * x, 0.5 * y, 0.5);
        let mut five = vec![corner(1.0, 1.0), corner(-1.0, 1.0), corner(-1.0, -1.0), corner(1.0, -1.0)];
        five.push(DVec3::new(0.0, 0.0, 0.5 + 0.5_f64.sqrt()));
        creep("four spheres", &four, 0.32, steps)?;
        creep("four spheres", &four, 0.6, steps)?;
        creep("five spheres", &five, 0.6, steps)?;
    }
    if wanted("loading") {
        for (layers, mu) in [(6, 0.3), (10, 0.3), (15, 0.3), (20, 0.3), (10, 0.1)] {
            loading(layers, mu)?;
        }
    }
    if wanted("ratios") {
        ratios(number("--limit", 1000))?;
    }
    Ok(())
}
