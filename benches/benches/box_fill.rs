//! The box of [DK21] Figure 11 in implicit steps of `t_c/32`: run time, and evaluations and iterations per step.
//!
//! `cargo bench --bench box_fill -- [--end T] [--form mw|paper|exact] [--frictionless]`, by default to t = 25, on one
//! thread. For comparison, explicit steps of the same length run over the last tenth of the time.

#![allow(clippy::print_stdout, reason = "a bench reports")]

use std::time::Instant;

use dem_contact::force::ContactForce;
use dem_contact::implicit::{DiscreteForm, ImplicitDem};
use dem_contact::io::LammpsData;
use dem_contact::law::{Damping, Frictionless, Hooke, Laws, TangentialLaw, Viscous};
use dem_contact::neighbor::{Domain, NeighborList};
use dem_contact::wall::Wall;
use rrp_benches::{flag, value};
use rrp_geom::glam::DVec3;
use rrp_integrate::Both;
use rrp_integrate::{Explicit, FieldError, Gravity, Integrator, Map};

const FALLING: &str = include_str!("../../crates/dem-contact/tests/data/boxfill_mu10000_seed4711.data");
const STIFFNESS: f64 = 195_000.0;
const DAMPING: f64 = 30.0;

fn measure(tangential: impl TangentialLaw + 'static, form: DiscreteForm, end: f64) -> Result<(), FieldError> {
    let data = LammpsData::read(FALLING.as_bytes())?;
    let walls = Wall::inside_of_box(DVec3::ZERO, DVec3::new(6.0, 6.0, 120.0)).into_iter().take(5);
    let laws = Laws::of(Hooke::new(STIFFNESS, Damping::coefficient(DAMPING)?)?, tangential);
    let contacts = ContactForce::new(NeighborList::new(Domain::OPEN, 0.3)?, laws).with_walls(walls)?;
    let dt = std::f64::consts::PI * (0.5 / STIFFNESS).sqrt() / 32.0;
    let mut weight = Gravity { acceleration: DVec3::NEG_Z };
    let mut implicit = ImplicitDem::new(contacts.clone(), dt)?.with_form(form)?;
    let mut state = data.state;
    let mut steps = 0_u32;
    let mut newton = 0;
    let mut linear = 0;
    let mut evaluations = 0;
    let clock = Instant::now();
    while state.time() < end {
        implicit.step(&data.bodies, &mut weight, &mut state)?;
        let report = implicit.last_report();
        steps += 1;
        newton += report.newton_iterations;
        linear += report.linear_iterations;
        evaluations += report.evaluations;
    }
    let time = clock.elapsed().as_secs_f64();
    let mut field = Both(weight, contacts);
    let mut explicit = Explicit::new(Map::Verlet, dt)?;
    let others = (steps / 10).max(1);
    let clock = Instant::now();
    for _ in 0..others {
        explicit.step(&data.bodies, &mut field, &mut state)?;
    }
    let each = time / f64::from(steps);
    let other = clock.elapsed().as_secs_f64() / f64::from(others);
    let mean = |count: usize| count as f64 / f64::from(steps);
    println!(
        "t = {end}: {time:.1} s, {steps} steps of {:.1} us, an explicit one {:.1} us, ratio {:.1}; a step takes {:.2} evaluations, \
         {:.3} Newton and {:.2} linear iterations",
        1e6 * each,
        1e6 * other,
        each / other,
        mean(evaluations),
        mean(newton),
        mean(linear)
    );
    Ok(())
}

fn main() -> Result<(), FieldError> {
    let end = value("--end").and_then(|text| text.parse().ok()).unwrap_or(25.0);
    let form = match value("--form").as_deref() {
        Some("paper") => DiscreteForm::Paper { alpha: 0.5 },
        Some("exact") => DiscreteForm::ExactEnergy,
        _ => DiscreteForm::SECOND_ORDER,
    };
    rayon::ThreadPoolBuilder::new().num_threads(1).build_global()?;
    if flag("--frictionless") {
        measure(Frictionless, form, end)
    } else {
        measure(Viscous::new(0.5 * DAMPING)?, form, end)
    }
}
