//! A hopper from an STL file is filled, opened, and runs out. Writes frames for ParaView, a picture, and the flow rate.
//!
//! `cargo run --release --example hopper [directory]`, by default `target/hopper`. Units are the diameter and mass of a
//! sphere and g.

#![allow(clippy::print_stdout, reason = "an example reports")]

use std::fs::{self, File};
use std::path::PathBuf;

use dem_contact::force::{ContactForce, Ledger};
use dem_contact::io::PvdSeries;
use dem_contact::law::{Damping, FrictionSpring, Hooke, Laws};
use dem_contact::neighbor::{Domain, NeighborList};
use dem_contact::wall::{Revolution, TriangleMesh, Wall};
use rrp_examples::Slice;
use rrp_geom::glam::DVec3;
use rrp_integrate::Both;
use rrp_integrate::{Bodies, Body, Explicit, Gravity, Integrator, Map, State};

const BIN: f64 = 6.0;
const ORIFICE: f64 = 5.0;
const FLOOR: f64 = -10.0;
const OPENS: f64 = 14.0;

type Field = Both<Gravity, ContactForce>;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let directory = PathBuf::from(std::env::args().nth(1).unwrap_or_else(|| "target/hopper".into()));
    fs::create_dir_all(&directory)?;
    // Any program may write such a file; this one is a bin on a cone of 45 degrees.
    let path = directory.join("hopper.stl");
    let half = 0.5 * ORIFICE;
    let profile = [[half, 0.0], [BIN, BIN - half], [BIN, 40.0]];
    Revolution::new(DVec3::Z, profile)?.mesh(48)?.write_stl(File::create(&path)?)?;
    // A hopper with its rim and orifice is an open mesh, a thin sheet with two sides. `read_stl` requires a closed
    // mesh, and its error would name the triangle at the hole.
    let hopper = TriangleMesh::read_open_stl(File::open(&path)?)?;
    println!("{} triangles, closed: {}", hopper.triangles().len(), hopper.is_closed());

    let bodies = Bodies::new((0..1200).map(|k| {
        let radius = 0.45 + 0.1 * (0.618 * f64::from(k)).fract();
        Body::sphere(8.0 * radius.powi(3), radius)
    }))?;
    let mut state = State::at_rest(bodies.len());
    let lattice = (3..).flat_map(|k| {
        (-5..=5).flat_map(move |i| (-5..=5).map(move |j| 1.12 * DVec3::new(i.into(), j.into(), k.into())))
    });
    let wall = Wall::new(hopper, DVec3::ZERO);
    let inside = lattice.filter(|at| at.truncate().length() < BIN - 0.6 && at.z + half > at.truncate().length());
    let clear = inside.filter(|&at| wall.distance(at, 0.0, 0.6).is_none());
    clear
        .take(bodies.len())
        .enumerate()
        .for_each(|(i, at)| state.position_mut().set(i, at + 0.01 * DVec3::X * (i as f64).sin()));

    let law = Hooke::new(5e3, Damping::restitution(0.6)?)?;
    let friction = FrictionSpring::matching_hooke(&law, 0.5)?.with_damping(10.0)?;
    let plug = Wall::new(Revolution::disc(DVec3::Z, half, 0.0)?, DVec3::ZERO);
    let floor = Wall::plane(DVec3::Z * FLOOR, DVec3::Z);
    let contacts = ContactForce::new(NeighborList::new(Domain::OPEN, 0.2)?, Laws::of(law, friction))
        .with_walls([wall, floor, plug])?
        .with_ledger();
    let dt = contacts.recommended_dt(&bodies, 1.0)?;
    let mut field = Both(Gravity { acceleration: DVec3::NEG_Z }, contacts);
    let mut map = Explicit::new(Map::Verlet, dt)?;
    let mut series = PvdSeries::create(&directory, "hopper")?;
    while state.time() < OPENS {
        map.step(&bodies, &mut field, &mut state)?;
    }
    series.push(&bodies, &state, None)?;
    let energy = |field: &Field, state: &State| Ledger::read(&field.1, &field.0, &bodies, state);
    println!(
        "at rest: the hopper bears {:.1} m g, the plug {:.1}",
        -field.1.wall_loads()[0].force.z,
        -field.1.wall_loads()[2].force.z
    );
    field.1 = field.1.without_wall(2)?.with_ledger();
    state.discard_wrenches();
    map.step(&bodies, &mut field, &mut state)?;
    let start = energy(&field, &state)?;
    let mut picture = String::new();
    for frame in 1..=24 {
        while state.time() < OPENS + 1.5 * f64::from(frame) {
            map.step(&bodies, &mut field, &mut state)?;
        }
        series.push(&bodies, &state, None)?;
        let left = (0..bodies.len()).filter(|&i| state.position().get(i).z < 0.0).count();
        println!(
            "t = {:5.1}: {left} of {} have left, {:.1} in a unit of time",
            state.time() - OPENS,
            bodies.len(),
            left as f64 / (state.time() - OPENS)
        );
        if frame == 10 {
            picture = slice(&bodies, &state);
        }
    }
    let end = energy(&field, &state)?;
    println!(
        "dissipated energy {:.1} m g d; the energy balance has changed by {:.2e} of it",
        end.dissipated,
        (end.balance() - start.balance()) / end.dissipated
    );
    fs::write(directory.join("hopper.svg"), picture)?;
    println!("{} and hopper.svg in {}", series.path().display(), directory.display());
    Ok(())
}

/// Returns a picture of the walls and of the spheres that a plane through the axis cuts.
fn slice(bodies: &Bodies, state: &State) -> String {
    let title = format!("Hopper, t = {:.1} √(d/g) after it was opened", state.time() - OPENS);
    let mut slice = Slice::new(&title, [[-11.0, FLOOR - 1.0], [11.0, 22.0]], 2.0).spheres(bodies, state, |y| y);
    for side in [-1.0, 1.0] {
        slice = slice.wall(&[[side * 0.5 * ORIFICE, 0.0], [side * BIN, BIN - 0.5 * ORIFICE], [side * BIN, 22.0]]);
    }
    slice.wall(&[[-11.0, FLOOR], [11.0, FLOOR]]).into_svg()
}
