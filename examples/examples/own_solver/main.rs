//! A solver of one's own: Clarabel behind `CompatibilitySolver`, beside ours on the pyramid of [OK18].
//!
//! `cargo run --release --example own_solver [layers]`
#![expect(clippy::print_stdout, reason = "an example prints its result")]

mod interior_point;

use std::error::Error;
use std::time::Instant;

use cd_solve::conformance::{Pyramid, Species, check_compatibility};
use cd_solve::{CompatibilitySolver, Compatible};
use interior_point::InteriorPoint;

fn main() -> Result<(), Box<dyn Error>> {
    let layers = std::env::args().nth(1).map_or(Ok(10), |layers| layers.parse())?;
    check_compatibility(&mut InteriorPoint { tolerance: 1e-10 }, &[2.0], 1e-4)?;
    println!("Clarabel passes what is asked of every solver\n");
    let assembly = Pyramid::new(layers).assembly(Species::EvenSoft);
    let map = assembly.map()?;
    let problem = assembly.problem(&map, 2.0)?;
    println!("{} spheres, {} contacts", assembly.bodies, assembly.contacts());
    let mut answers = Vec::new();
    let solvers: [(&str, &mut dyn CompatibilitySolver); 2] =
        [("ours", &mut Compatible::default()), ("Clarabel", &mut InteriorPoint { tolerance: 1e-10 })];
    for (name, solver) in solvers {
        let mut force = vec![0.0; assembly.contacts()];
        let start = Instant::now();
        let report = solver.solve(&problem, &mut force)?;
        let (time, most) = (start.elapsed(), force.iter().fold(0.0_f64, |most, f| most.max(*f)));
        println!("{name:9} {:?}, residual {:.1e}, {time:.1?}, largest force {most:.9}", report.status, report.residual);
        answers.push(force);
    }
    let away = answers[0].iter().zip(&answers[1]).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    println!("largest difference {away:.1e}");
    Ok(())
}
