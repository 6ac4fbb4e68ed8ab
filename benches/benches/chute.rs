//! LAMMPS' chute: 32 000 bodies on a frozen base at 26 degrees, whose flow is compared with LAMMPS.
//!
//! `cargo bench --bench chute -- --data data.chute.gz` runs the first 4000 steps of 1e-4 of the deck `in.chute`
//! (`gran/hooke/history 200000 NULL 50 NULL 0.5 0`). It compares the mean velocity down the chute, in slices of two
//! diameters, and the mean kinetic energy with `lammps/chute.csv`, both averaged over every hundredth of the last 2000
//! steps. With `--lammps-lever` friction acts at the radius, as in LAMMPS.

#![allow(clippy::print_stdout, reason = "a bench reports")]

use dem_contact::force::ContactForce;
use dem_contact::io::LammpsData;
use dem_contact::law::{Damping, FrictionSpring, Hooke, Laws};
use dem_contact::neighbor::{Boundary, NeighborList};
use rrp_benches::{flag, value};
use rrp_geom::glam::DVec3;
use rrp_integrate::Both;
use rrp_integrate::{Bodies, Body, Explicit, FieldError, Gravity, Integrator, Map, kinetic_energy};

const REFERENCE: &str = include_str!("../lammps/chute.csv");
const SLICE: f64 = 2.0;

fn main() -> Result<(), FieldError> {
    let Some(path) = value("--data") else {
        println!("--data data.chute.gz is wanted");
        return Ok(());
    };
    let data = LammpsData::read_path(path)?;
    let domain = data.domain([Boundary::Periodic, Boundary::Periodic, Boundary::Open])?;
    let list = NeighborList::new(domain, 0.1)?;
    let data = data.renumbered(&list.spatial_order(data.bodies.radius(), data.state.position())?)?;
    let rows: Vec<Body> = data.bodies.into();
    let freeze = |(body, kind): (Body, &u32)| if *kind == 2 { Body::fixed(body.radius) } else { body };
    let bodies = Bodies::new(rows.into_iter().zip(&data.kind).map(freeze))?;
    let mut state = data.state.without_attitudes();
    let mut spring = FrictionSpring::new(2.0 / 7.0 * 2.0e5, 0.0, 0.5)?;
    if flag("--lammps-lever") {
        spring = spring.as_in_lammps();
    }
    let hooke = Hooke::new(2.0e5, Damping::coefficient(50.0)?)?;
    let (sine, cosine) = 26.0_f64.to_radians().sin_cos();
    let gravity = Gravity { acceleration: DVec3::new(sine, 0.0, -cosine) };
    let mut field = Both(ContactForce::new(list, Laws::of(hooke, spring)), gravity);
    let mut map = Explicit::new(Map::Rodrigues25, 1e-4)?;
    let moving: Vec<usize> = (0..bodies.len()).filter(|&i| bodies.inverse_mass()[i] > 0.0).collect();
    let mut slices = vec![(0.0, 0.0); 64];
    let mut energy = [0.0; 2];
    for step in 1..=4000 {
        map.step(&bodies, &mut field, &mut state)?;
        if step <= 2000 || step % 100 > 0 {
            continue;
        }
        for &i in &moving {
            let slice = (state.position().get(i).z / SLICE).floor().max(0.0) as usize;
            if let Some((sum, count)) = slices.get_mut(slice) {
                *sum += state.velocity().get(i).x;
                *count += 1.0;
            }
        }
        let now = kinetic_energy(&bodies, &state);
        energy[0] += now.translation / 20.0;
        energy[1] += now.rotation / 20.0;
    }
    println!("slice z [d]: velocity, that of LAMMPS, difference over the largest velocity");
    let reference = REFERENCE.lines().filter(|line| !line.starts_with('#'));
    let reference: Vec<(&str, f64)> =
        reference.filter_map(|line| line.split_once(',')).filter_map(|(k, v)| Some((k, v.parse().ok()?))).collect();
    let largest =
        reference.iter().filter(|(name, _)| !name.starts_with('e')).fold(0.0_f64, |most, (_, v)| most.max(*v));
    let mut worst = 0.0_f64;
    for (name, theirs) in reference {
        let (ours, scale) = match name {
            "energy" => (energy[0], theirs),
            "energy of rotation" => (energy[1], theirs),
            _ => {
                let (sum, count) = slices[(name.parse::<f64>()? / SLICE) as usize];
                (sum / f64::max(count, 1.0), largest)
            }
        };
        worst = worst.max((ours - theirs).abs() / scale);
        println!("{name}: {ours:.5} {theirs:.5} {:+.5}", (ours - theirs) / scale);
    }
    println!("largest difference {worst:.5}");
    if worst > 0.02 { Err("the chute does not flow as LAMMPS says, within 2 %".into()) } else { Ok(()) }
}
