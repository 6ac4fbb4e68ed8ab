//! From one format of bodies to another.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{BufWriter, Write as _};
use std::path::Path;

use dem_contact::error::DemError;
use dem_contact::io::{LammpsData, VtpFrame};
use dem_contact::neighbor::Domain;
use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, State};

use crate::{Checkpoint, GrainsError, Scene, Simulation, build};

/// Reads bodies from `from` and writes them to `to`, by the endings: `.csv`, `.data`, `.data.gz`, `.vtp`, `.grains` and
/// `.toml` are read; `.csv`, `.data` and `.vtp` written. Tables and frames without masses take the density one.
///
/// # Errors
/// [`GrainsError::UnknownFormat`], and those of reading and writing.
pub fn convert(from: &Path, to: &Path) -> Result<(), GrainsError> {
    let (bodies, state, domain) = read(from)?;
    let ending = to.extension().unwrap_or_default().to_string_lossy().into_owned();
    if !["csv", "data", "vtp"].contains(&ending.as_str()) {
        return Err(GrainsError::UnknownFormat { path: to.to_owned(), known: ".csv, .data and .vtp" });
    }
    let refused = |error: DemError| match error {
        DemError::Io(source) => GrainsError::io(to)(source),
        error => GrainsError::refused("convert")(error),
    };
    match ending.as_str() {
        "csv" => fs::write(to, table(&bodies, &state)).map_err(GrainsError::io(to)),
        ending => {
            let mut file = BufWriter::new(File::create(to).map_err(GrainsError::io(to))?);
            if ending == "vtp" {
                VtpFrame::new(&bodies, &state).and_then(|frame| frame.write(&mut file)).map_err(refused)?;
            } else {
                let data = LammpsData::from_state(&bodies, &state, &domain).map_err(refused)?;
                data.write(&mut file).map_err(refused)?;
            }
            file.flush().map_err(GrainsError::io(to))
        }
    }
}

/// Bodies, state and box of any file that has them.
fn read(from: &Path) -> Result<(Bodies, State, Domain), GrainsError> {
    let name = from.to_string_lossy();
    let (bodies, state, domain) = if name.ends_with(".grains") {
        let Checkpoint { scene, simulation, .. } = Checkpoint::read(from)?;
        ((*simulation.bodies).clone(), simulation.state, boxed(&scene)?)
    } else if name.ends_with(".toml") {
        let scene = Scene::from_path(from)?;
        let simulation = Simulation::new(&scene, from.parent().unwrap_or(Path::new("")), false)?;
        ((*simulation.bodies).clone(), simulation.state, boxed(&scene)?)
    } else {
        build::bodies::of_file(from)?
    };
    let domain = match domain {
        Some(domain) => domain,
        None => hull(&bodies, &state)?,
    };
    Ok((bodies, state, domain))
}

/// The box of a scene that has one.
fn boxed(scene: &Scene) -> Result<Option<Domain>, GrainsError> {
    scene.region.as_ref().map(|_| build::parts::domain(scene)).transpose()
}

/// A box that holds all bodies.
fn hull(bodies: &Bodies, state: &State) -> Result<Domain, GrainsError> {
    let corners = state.position().iter().zip(bodies.radius().iter());
    let (low, high) = corners.fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), (centre, &radius)| {
        (low.min(centre - radius), high.max(centre + radius))
    });
    Domain::new(low, high, [dem_contact::neighbor::Boundary::Open; 3]).map_err(GrainsError::refused("convert"))
}

/// Bodies as a table.
fn table(bodies: &Bodies, state: &State) -> String {
    let mut text = String::from("x,y,z,radius,mass,vx,vy,vz,wx,wy,wz\n");
    for i in 0..bodies.len() {
        let (x, v, w) = (state.position().get(i), state.velocity().get(i), state.spin(bodies, i));
        // Writing to a string cannot fail.
        let _written = writeln!(
            text,
            "{},{},{},{},{},{},{},{},{},{},{}",
            x.x,
            x.y,
            x.z,
            bodies.radius()[i],
            bodies.mass()[i],
            v.x,
            v.y,
            v.z,
            w.x,
            w.y,
            w.z
        );
    }
    text
}
