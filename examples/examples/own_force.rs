//! A user-defined force field: two bricks joined by a spring from corner to corner, tumbling through space.
//!
//! `cargo run --release --example own_force`
#![expect(clippy::print_stdout, reason = "an example prints its result")]

use rrp_geom::glam::DVec3;
use rrp_integrate::{
    Bodies, Body, Explicit, FieldError, ForceField, Integrator, Map, Potential, State, Wrenches, angular_momentum,
    kinetic_energy, linear_momentum,
};

/// A linear spring between a point of body 0 and a point of body 1.
struct Spring {
    stiffness: f64,
    rest_length: f64,
    /// Attachment points, each in the frame of its body.
    corners: [DVec3; 2],
}

impl Spring {
    /// Arms from the centres of mass to the corners, and the vector from the first corner to the second.
    fn geometry(&self, state: &State) -> ([DVec3; 2], DVec3) {
        let arm = |i: usize| state.attitude().get(i).rotate(self.corners[i]);
        let end = |i: usize| state.position().get(i) + arm(i);
        ([arm(0), arm(1)], end(1) - end(0))
    }
}

impl ForceField for Spring {
    fn accumulate(&mut self, _: &Bodies, state: &State, _: f64, out: &mut Wrenches) -> Result<(), FieldError> {
        let (arms, span) = self.geometry(state);
        let pull = self.stiffness * (span.length() - self.rest_length) * span.normalize_or_zero();
        for (i, force) in [(0, pull), (1, -pull)] {
            out.force.add(i, force);
            out.torque.add(i, arms[i].cross(force));
        }
        Ok(())
    }
}

impl Potential for Spring {
    fn energy(&self, _: &Bodies, state: &State) -> f64 {
        0.5 * self.stiffness * (self.geometry(state).1.length() - self.rest_length).powi(2)
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Bricks of 1 × 2 × 3 with mass 12 have the moments of inertia 13, 10 and 5.
    let brick = Body::rigid(12.0, DVec3::new(13.0, 10.0, 5.0));
    let bodies = Bodies::new([brick, brick])?;
    let corner = DVec3::new(0.5, 1.0, 1.5);
    let mut spring = Spring { stiffness: 40.0, rest_length: 0.5, corners: [corner, -corner] };
    let mut state = State::at_rest(2);
    state.position_mut().set(1, DVec3::new(2.0, 2.0, 3.0));
    state.set_spin(&bodies, 0, DVec3::new(0.3, -0.2, 0.1));

    let energy =
        |spring: &Spring, state: &State| kinetic_energy(&bodies, state).total() + spring.energy(&bodies, state);
    let start = energy(&spring, &state);
    let momentum = angular_momentum(&bodies, &state);
    let mut map = Explicit::new(Map::CayleySplitting, 0.01)?;
    println!("{:>6}{:>16}{:>16}{:>16}", "time", "E/E0 - 1", "|P|", "|L - L0|");
    for step in 0..=100_000 {
        if step % 20_000 == 0 {
            let relative = energy(&spring, &state) / start - 1.0;
            let linear = linear_momentum(&bodies, &state).length();
            let angular = (angular_momentum(&bodies, &state) - momentum).length();
            println!("{:6.0}{relative:16.2e}{linear:16.2e}{angular:16.2e}", state.time());
        }
        map.step(&bodies, &mut spring, &mut state)?;
    }
    Ok(())
}
