//! The pendulum of `[BG21]` with three maps: conserved quantities over a hundred thousand steps.
//!
//! `cargo run --release --example pendulum`
#![expect(clippy::print_stdout, reason = "an example prints its result")]

use rrp_geom::{RodriguesVector, glam::DVec3};
use rrp_integrate::step::ImplicitRodrigues;
use rrp_integrate::{
    Bodies, Body, Explicit, IntegrateError, Integrator, Map, PivotedWeight, Potential, State, kinetic_energy,
};
use rrp_verify::ConservationMonitor;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let h = 0.1;
    let maps: [(&str, Box<dyn Integrator>); 3] = [
        ("(25) à la Newmark", Box::new(Explicit::new(Map::Rodrigues25, h)?)),
        ("(27) symplectic Euler", Box::new(Explicit::new(Map::Rodrigues27, h)?)),
        ("(26) implicit, φ = 1/2", Box::new(ImplicitRodrigues::new(0.5, h)?)),
    ];
    println!("{:24}{:>14}{:>16}{:>18}", "map", "max |E - E0|", "slope per unit", "max |R rho.Omega|");
    for (name, mut map) in maps {
        let (bodies, mut weight, mut state) = pendulum()?;
        let mut energy = ConservationMonitor::new();
        let mut axial_spin = ConservationMonitor::new();
        for _ in 0..100_000 {
            // The continuous motion conserves the energy, and the spin about the arm.
            let arm = state.attitude().get(0).rotate(weight.arm);
            let total = kinetic_energy(&bodies, &state).total() + weight.energy(&bodies, &state);
            energy.push(state.time(), total);
            axial_spin.push(state.time(), arm.dot(state.spin(&bodies, 0)));
            map.step(&bodies, &mut weight, &mut state)?;
        }
        let energy = energy.report()?;
        let axial_spin = axial_spin.report()?;
        println!(
            "{name:24}{:14.3e}{:16.1e}{:18.1e}",
            energy.largest_deviation, energy.slope, axial_spin.largest_deviation
        );
    }
    Ok(())
}

/// The initial condition (42), with all constants equal to one.
fn pendulum() -> Result<(Bodies, PivotedWeight, State), IntegrateError> {
    let bodies = Bodies::new([Body::spherical(1.0, 1.0)])?;
    let mut state = State::at_rest(1);
    let alpha = RodriguesVector::from_rotation_vector(DVec3::Y * 0.75 * std::f64::consts::PI);
    state.attitude_mut().set(0, alpha.unwrap_or_default().attitude());
    state.set_spin(&bodies, 0, DVec3::new(0.2, 0.0, 0.2));
    Ok((bodies, PivotedWeight { arm: DVec3::Z, weight: DVec3::Z }, state))
}
