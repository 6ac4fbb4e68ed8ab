//! A rotating drum: slope of the bed and torque on the drum. Writes a picture and frames for ParaView.
//!
//! `cargo run --release --example drum [directory]`, by default `target/drum`. Units are the diameter and mass of a
//! sphere and g.

#![allow(clippy::print_stdout, reason = "an example reports")]

use std::fs;
use std::path::PathBuf;

use dem_contact::force::{ContactForce, Ledger};
use dem_contact::io::PvdSeries;
use dem_contact::law::{Damping, FrictionSpring, Hooke, Laws};
use dem_contact::neighbor::{Boundary, Domain, NeighborList};
use dem_contact::wall::{Cylinder, Wall};
use rrp_examples::Slice;
use rrp_geom::glam::DVec3;
use rrp_integrate::Both;
use rrp_integrate::{Bodies, Body, Explicit, Gravity, Integrator, Map, State};

const DRUM: f64 = 8.0;
const LENGTH: f64 = 5.0;
/// Angular velocity in √(g/d): a Froude number ω² R/g of 0.02.
const RATE: f64 = 0.05;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let directory = PathBuf::from(std::env::args().nth(1).unwrap_or_else(|| "target/drum".into()));
    fs::create_dir_all(&directory)?;
    let low = DVec3::new(-DRUM, 0.0, -DRUM);
    let domain =
        Domain::new(low, DVec3::new(DRUM, LENGTH, DRUM), [Boundary::Open, Boundary::Periodic, Boundary::Open])?;
    let bodies = Bodies::new((0..400).map(|k| {
        let radius = 0.45 + 0.1 * (0.618 * f64::from(k)).fract();
        Body::sphere(8.0 * radius.powi(3), radius)
    }))?;
    let mut state = State::at_rest(bodies.len()).without_attitudes();
    let lattice = (-6..).flat_map(|k| {
        (0..4).flat_map(move |j| {
            (-6..=6).map(move |i| DVec3::new(1.12 * f64::from(i), 1.25 * f64::from(j) + 0.6, 1.12 * f64::from(k)))
        })
    });
    let inside = lattice.filter(|at| at.x.hypot(at.z) < DRUM - 0.6);
    inside.take(bodies.len()).enumerate().for_each(|(i, at)| {
        state.position_mut().set(i, at + 0.05 * DVec3::new(0.2 * (i as f64).sin(), (3.0 * i as f64).sin(), 0.0))
    });

    let drum = Wall::new(Cylinder::inside(DVec3::Y, DRUM)?, DVec3::ZERO).rotating(DVec3::Y * RATE);
    let law = Hooke::new(5e3, Damping::restitution(0.6)?)?;
    let friction = FrictionSpring::matching_hooke(&law, 0.6)?.with_damping(10.0)?;
    let contacts = ContactForce::new(NeighborList::new(domain, 0.2)?, Laws::of(law, friction));
    let contacts = contacts.with_walls([drum])?.with_ledger();
    let dt = contacts.recommended_dt(&bodies, 1.0)?;
    let mut field = Both(Gravity { acceleration: DVec3::NEG_Z }, contacts);
    let mut map = Explicit::new(Map::Verlet, dt)?;
    let mut series = PvdSeries::create(&directory, "drum")?;
    map.step(&bodies, &mut field, &mut state)?;
    let start = Ledger::read(&field.1, &field.0, &bodies, &state)?;
    let weight: f64 = bodies.mass().iter().sum();
    let centre =
        |state: &State| (0..bodies.len()).map(|i| bodies.mass()[i] * state.position().get(i)).sum::<DVec3>() / weight;
    let mut angle = 0.0;
    let mut torque = 0.0;
    let mut lever = 0.0;
    let mut samples = 0.0;
    let settled = 50.0;
    let end = 110.0;
    for frame in 0..=40 {
        while state.time() < end * f64::from(frame) / 40.0 {
            map.step(&bodies, &mut field, &mut state)?;
            if state.time() > settled {
                // The bed is a segment of the circle: the line from the axis to its centre of mass is normal to the
                // surface.
                let centre = centre(&state);
                angle += (-centre.x).atan2(-centre.z).to_degrees();
                lever += weight * centre.x;
                torque += field.1.wall_loads()[0].torque.y;
                samples += 1.0;
            }
        }
        series.push(&bodies, &state, None)?;
    }
    let now = Ledger::read(&field.1, &field.0, &bodies, &state)?;
    println!("{} spheres, a drum of {} d, {RATE} rad √(g/d)", bodies.len(), 2.0 * DRUM);
    println!("dynamic angle of repose {:.1} degrees", angle / samples);
    println!(
        "torque of the bed on the drum {:.1} m g d; the weight of the bed has the torque {:.1}",
        torque / samples,
        lever / samples
    );
    println!("work of the drum {:.1} m g d, dissipated {:.1}", now.wall_work, now.dissipated);
    println!(
        "the energy balance has changed by {:.1e} of the dissipated energy",
        (now.balance() - start.balance()) / now.dissipated
    );
    let title = format!("Drum at {RATE} √(g/d), t = {:.0} √(d/g)", state.time());
    let corners = [[-9.0; 2], [9.0; 2]];
    let slice = Slice::new(&title, corners, 1.5)
        .spheres(&bodies, &state, |y| y.rem_euclid(LENGTH) - 0.5 * LENGTH)
        .round_wall(DRUM);
    fs::write(directory.join("drum.svg"), slice.into_svg())?;
    println!("{} and drum.svg in {}", series.path().display(), directory.display());
    Ok(())
}
