//! A user-defined solver: Clarabel behind `CompatibilitySolver` and `LcpSolver`, compared with the solvers of
//! `cd-solve` on the pyramid of [OK18], under its weight, and dropped.
//!
//! `cargo run --release --example own_solver [layers [layers of the dropped pyramid]]`
#![expect(clippy::print_stdout, reason = "an example prints its result")]

mod interior_point;

use std::error::Error;
use std::time::Instant;

use cd_solve::conformance::{Pyramid, Species, check_compatibility, check_lcp};
use cd_solve::{Apgd, CompatibilitySolver, CompatibleForces, LcpSolver, Options};
use dem_contact::contact_dynamics::{CompatibleLaw, ContactDynamics};
use dem_contact::neighbor::{Domain, NeighborList};
use dem_contact::packing::CannonballPyramid;
use interior_point::InteriorPoint;
use rrp_geom::glam::DVec3;
use rrp_integrate::{Gravity, Integrator};

fn main() -> Result<(), Box<dyn Error>> {
    let layers = std::env::args().nth(1).map_or(Ok(10), |layers| layers.parse())?;
    let dropped = std::env::args().nth(2).map_or(Ok(5), |layers| layers.parse())?;
    check_compatibility(&mut InteriorPoint { tolerance: 1e-10 }, &[2.0], 1e-4)?;
    check_lcp(&mut InteriorPoint { tolerance: 1e-10 }, 1e-4)?;
    println!("Clarabel passes what is asked of every solver\n");
    let assembly = Pyramid::new(layers).assembly(Species::EvenSoft);
    let map = assembly.jacobian()?;
    let problem = assembly.problem(&map, 2.0)?;
    println!("{} spheres, {} contacts", assembly.bodies, assembly.contacts());
    let mut answers = Vec::new();
    let solvers: [(&str, &mut dyn CompatibilitySolver); 2] =
        [("ours", &mut CompatibleForces::default()), ("Clarabel", &mut InteriorPoint { tolerance: 1e-10 })];
    for (name, solver) in solvers {
        let mut force = vec![0.0; assembly.contacts()];
        let start = Instant::now();
        let report = solver.solve(&problem, &mut force)?;
        let time = start.elapsed();
        let most = force.iter().fold(0.0_f64, |most, f| most.max(*f));
        println!("{name:9} {:?}, residual {:.1e}, {time:.1?}, largest force {most:.9}", report.status, report.residual);
        answers.push(force);
    }
    let away = answers[0].iter().zip(&answers[1]).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    println!("largest difference {away:.1e}");
    let ours = drop(dropped, "ours", Box::new(Apgd::new(Options::new(1e-9, 100_000))), CompatibleForces::default())?;
    let solver = || InteriorPoint { tolerance: 1e-12 };
    let theirs = drop(dropped, "Clarabel", Box::new(solver()), solver())?;
    let away = ours.iter().zip(&theirs).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    println!("largest difference {away:.1e}");
    Ok(())
}

/// Drops a pyramid as in [OK18] and returns the final compatible forces, in weights of a sphere.
fn drop(
    layers: usize,
    name: &str,
    solver: Box<dyn LcpSolver>,
    compatibility: impl CompatibilitySolver + Send + 'static,
) -> Result<Vec<f64>, Box<dyn Error>> {
    let radius = 1.25e-3;
    let mass = 1.6e-5;
    let g = 9.81;
    let (bodies, mut state) = CannonballPyramid::new(layers, radius, mass)?.lifted(0.05)?.scene()?;
    let list = NeighborList::new(Domain::OPEN, 0.1 * radius)?;
    let mut dynamics = ContactDynamics::new(1e-3, list, solver)?.with_compatibility_solver(compatibility);
    let mut gravity = Gravity { acceleration: DVec3::NEG_Z * g };
    let start = Instant::now();
    for _ in 0..50 {
        dynamics.step(&bodies, &mut gravity, &mut state)?;
    }
    let (force, _) = dynamics.compatible_forces(&CompatibleLaw::hooke())?;
    let time = start.elapsed();
    let most = force.iter().fold(0.0_f64, |most, f| most.max(*f)) / (mass * g);
    println!("dropped, {name:9} {} contacts, 50 steps, {time:.1?}, largest force {most:.9}", force.len());
    Ok(force.iter().map(|force| force / (mass * g)).collect())
}
