//! Figures of tops with unequal moments of inertia: the free top with its exact period, and the heavy top.
use anyhow::Result;
use grains_pages::number::larger;
use grains_pages::plot::{Marker, Plot, Series};
use rrp_geom::Attitude;
use rrp_geom::glam::{DMat3, DQuat, DVec3};
use rrp_integrate::body::spin_momentum;
use rrp_integrate::{Bodies, Body, Explicit, Integrator, Map, NoForce, State, kinetic_energy};
use rrp_verify::{ConservationMonitor, FreeTop, OrderFit, PeriodMeter};
use serde_json::json;

use super::pendulum::Pendulum;
use crate::model::{Artifact, Claim, Context};

/// Principal moments of inertia of the tops in kg m².
const INERTIA: DVec3 = DVec3::new(1.0, 2.0, 3.0);
/// Initial angular velocity of the free top in rad/s in the body frame, near the unstable middle axis so that it
/// tumbles.
const SPIN_BODY: DVec3 = DVec3::new(0.01, 1.0, 0.0);
/// Compared integration maps, with their names and marks.
const MAPS: [(Map, &str, Marker); 2] =
    [(Map::MoserVeselov, "Newton map", Marker::Circle), (Map::CayleySplitting, "Cayley splitting", Marker::Triangle)];

/// Makes the free top in its initial state.
fn tumbling() -> Result<(Bodies, State)> {
    let bodies = Bodies::new([Body::rigid(1.0, INERTIA)])?;
    let mut state = State::at_rest(1);
    state.set_spin(&bodies, 0, SPIN_BODY);
    Ok((bodies, state))
}

/// Simulates the free top over three periods, and measures the period in s of the middle component of its body-frame
/// spin. `exact` is the exact period.
fn period(map: Map, h: f64, exact: f64) -> Result<f64> {
    let (bodies, mut state) = tumbling()?;
    let mut integrator = Explicit::new(map, h)?;
    let mut meter = PeriodMeter::new(h)?;
    for _ in 0..(3.0 * exact / h) as usize {
        integrator.step(&bodies, &mut NoForce, &mut state)?;
        meter.push(state.attitude().get(0).rotate_inverse(state.spin(&bodies, 0)).y);
    }
    Ok(meter.measured()?.period)
}

/// Simulates the free top for many time steps, and returns the largest deviations of its energy and of its angular
/// momentum from their initial values.
fn drift(map: Map, steps: usize) -> Result<(f64, f64)> {
    let (bodies, mut state) = tumbling()?;
    let mut integrator = Explicit::new(map, 0.1)?;
    let mut energy = ConservationMonitor::new();
    let mut momentum = 0.0_f64;
    let first = spin_momentum(&state);
    for _ in 0..=steps {
        energy.push(state.time(), kinetic_energy(&bodies, &state).total());
        momentum = larger(momentum, (spin_momentum(&state) - first).length());
        integrator.step(&bodies, &mut NoForce, &mut state)?;
    }
    Ok((energy.report()?.largest_deviation, momentum))
}

/// Makes the figure of the free top, whose period is compared with elliptic functions.
pub(super) fn free(context: &Context) -> Result<Artifact> {
    let top = FreeTop::new(INERTIA, SPIN_BODY)?;
    let exact = top.period().unwrap_or(f64::NAN);
    let steps = [0.1, 0.05, 0.025, 0.0125, 0.00625];
    let long = context.pick(1_000_000, 20_000);
    let shortened = context.pick(None, Some("2e4 of 1e6 steps"));
    let mut plot =
        Plot::loglog("period", "Error of the period of the tumbling top", ("time step h", "s"), ("relative error", ""))
            .slope(2.0);
    let mut artifact = Artifact::new(
        "A torque-free body with moments 1, 2, 3 turning next to its middle axis. The exact period is 4K(k)/λ. In free \
         motion the Newton map conserves energy and momentum to rounding (it is the discrete Moser-Veselov top); the \
         explicit splitting conserves the momentum, and the energy within a bound.",
    )
    .claim(
        Claim::ours("exact period from elliptic functions", exact, 41.509_219_529_338..=41.509_219_529_339).unit("s"),
    );
    context.progress.total(2 * steps.len() as u64 + 2);
    for (map, name, marker) in MAPS {
        let mut points = Vec::new();
        for h in steps {
            points.push((h, (period(map, h, exact)? / exact - 1.0).abs()));
            context.progress.advance(1);
        }
        let fit = OrderFit::new(1e-12)?.fit(&points)?;
        let (energy, momentum) = drift(map, long)?;
        context.progress.advance(1);
        let energy_range = if map == Map::MoserVeselov { 0.0..=5e-13 } else { 6.5e-5..=7.2e-5 };
        artifact = artifact.claims([
            Claim::ours(format!("order of the period, {name}"), fit, 1.95..=2.05),
            Claim::ours(format!("largest |E − E₀| of the free top, h = 0.1 s, {name}"), energy, energy_range)
                .unit("J")
                .shortened(shortened),
            Claim::ours(format!("largest |L − L₀| of the free top, h = 0.1 s, {name}"), momentum, 0.0..=5e-13)
                .shortened(shortened),
        ]);
        plot = plot.series(Series::line(name, points).marker(marker));
    }
    Ok(artifact.plot(plot).parameters(json!({
        "inertia_kg_m2": INERTIA.to_array(), "spin_body_0_rad_per_s": SPIN_BODY.to_array(), "h_s": steps,
        "long_run_steps": long, "long_run_h_s": 0.1,
    })))
}

/// Makes the heavy top: a body with the moments of inertia 1, 2 and 3 on a pivot in uniform gravity.
fn heavy_top() -> Result<Pendulum> {
    let [w, x, y, z] =
        [0.825_335_614_909_678_3, 0.170_237_513_721_929_4, 0.453_966_703_258_478_5, 0.289_403_773_327_280_07];
    let attitude = Attitude::from_quaternion(DQuat::from_xyzw(x, y, z, w))?;
    let mut top = Pendulum::at_rest(Body::rigid(1.0, INERTIA), attitude)?;
    top.state.angular_momentum_mut().set(0, attitude.rotate(DVec3::new(0.5, -0.6, 2.4)));
    Ok(top)
}

/// Simulates the heavy top for `duration` (s), and returns its final rotation matrix and body-frame angular momentum.
fn end(map: Map, h: f64, duration: f64) -> Result<(DMat3, DVec3)> {
    let mut top = heavy_top()?;
    let mut integrator = Explicit::new(map, h)?;
    for _ in 0..(duration / h).round() as usize {
        top.step(&mut integrator)?;
    }
    Ok((top.attitude().to_matrix(), top.attitude().rotate_inverse(top.state.angular_momentum().get(0))))
}

/// Makes the figure of the heavy top: errors at t = 10 s, and conservation over many time steps.
pub(super) fn heavy(context: &Context) -> Result<Artifact> {
    let duration = 10.0;
    let steps = [0.1, 0.05, 0.025, 0.0125, 0.00625];
    let long = context.pick(1_000_000, 20_000);
    let (matrix, momentum) = end(Map::CayleySplitting, 0.00625 / 64.0, duration)?;
    let mut plot = Plot::loglog(
        "error",
        "Error at t = 10 s of R and the body-frame momentum",
        ("time step h", "s"),
        ("largest error of an entry", ""),
    )
    .slope(2.0);
    let mut artifact = Artifact::new(
        "An asymmetric body on a pivot. Both maps are of second order; the explicit splitting, which needs no solve, is \
         the more accurate one here.",
    );
    context.progress.total(2 * steps.len() as u64 + 2);
    let mut coarse = Vec::new();
    for (map, name, marker) in MAPS {
        let mut points = Vec::new();
        for h in steps {
            let (r, p) = end(map, h, duration)?;
            let entries = (r - matrix).to_cols_array().into_iter().chain((p - momentum).to_array());
            points.push((h, entries.fold(0.0, |largest, entry| larger(largest, entry.abs()))));
            context.progress.advance(1);
        }
        let order = OrderFit::new(1e-9)?.fit(&points)?;
        coarse.push(points[0].1);
        let mut top = heavy_top()?;
        let mut integrator = Explicit::new(map, 0.1)?;
        let mut energy = ConservationMonitor::new();
        let mut vertical = ConservationMonitor::new();
        for _ in 0..=long {
            energy.push(top.state.time(), top.energy());
            vertical.push(top.state.time(), top.state.angular_momentum().get(0).z);
            top.step(&mut integrator)?;
        }
        let energy = energy.report()?;
        let vertical = vertical.report()?;
        context.progress.advance(1);
        let shortened = context.pick(None, Some("2e4 of 1e6 steps"));
        artifact = artifact.claims([
            Claim::ours(format!("order at t = 10 s, {name}"), order, 1.95..=2.05),
            Claim::ours(
                format!("largest |E − E₀| of the last 5 % over that of the first 5 %, {name}"),
                energy.last_window / energy.first_window,
                0.9..=1.1,
            )
            .shortened(shortened),
            Claim::ours(format!("largest deviation of L·e₃, {name}"), vertical.largest_deviation, 0.0..=5e-13)
                .shortened(shortened),
        ]);
        plot = plot.series(Series::line(name, points).marker(marker));
    }
    Ok(artifact
        .plot(plot)
        .claim(Claim::ours("error of the Newton map at h = 0.1 s", coarse[0], 1.24e-2..=1.26e-2))
        .claim(Claim::ours("error of the splitting at h = 0.1 s", coarse[1], 7.7e-4..=7.9e-4))
        .parameters(json!({
            "inertia_kg_m2": INERTIA.to_array(), "arm_m": [0, 0, 1], "weight_n": [0, 0, 1], "duration_s": duration,
            "reference": "Cayley splitting, h = 0.00625/64 s", "long_run_steps": long, "long_run_h_s": 0.1,
        })))
}
