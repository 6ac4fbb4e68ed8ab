//! Conversion of files of bodies.

use std::fs::{self, File};
use std::io::{BufWriter, Write as _};
use std::path::Path;

use dem_contact::error::DemError;
use dem_contact::io::{LammpsData, VtpFrame};
use dem_contact::neighbor::Domain;
use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, State};

use crate::build::bodies::{BodyFile, of_file};
use crate::build::domain::domain;
use crate::checkpoint::Checkpoint;
use crate::error::GrainsError;
use crate::output::columns::body_table;
use crate::scene::Scene;
use crate::simulation::Simulation;

/// Reads bodies from `from` and writes them to `to`. The endings of the names are the formats: `.csv`, `.data`,
/// `.data.gz`, `.vtp`, `.grains` and `.toml` for reading, `.csv`, `.data` and `.vtp` for writing. Bodies without a mass
/// get density one.
///
/// # Errors
/// [`GrainsError::UnknownFormat`], and those of reading and writing.
pub fn convert(from: &Path, to: &Path) -> Result<(), GrainsError> {
    let Source { bodies, state, domain } = read(from)?;
    let ending = to.extension().unwrap_or_default().to_string_lossy().into_owned();
    if !["csv", "data", "vtp"].contains(&ending.as_str()) {
        return Err(GrainsError::UnknownFormat { path: to.to_owned(), known: ".csv, .data and .vtp" });
    }
    let refused = |error: DemError| match error {
        DemError::Io(source) => GrainsError::io(to)(source),
        error => GrainsError::refused("convert")(error),
    };
    match ending.as_str() {
        "csv" => fs::write(to, body_table(&bodies, &state)).map_err(GrainsError::io(to)),
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

/// What is converted.
struct Source {
    bodies: Bodies,
    state: State,
    domain: Domain,
}

/// Bodies, state and box of a file. Without a box it is the one around all bodies.
fn read(from: &Path) -> Result<Source, GrainsError> {
    let name = from.to_string_lossy();
    let (bodies, state, domain) = if name.ends_with(".grains") {
        let Checkpoint { scene, simulation, .. } = Checkpoint::read(from)?;
        ((*simulation.bodies).clone(), simulation.state, box_of(&scene)?)
    } else if name.ends_with(".toml") {
        let scene = Scene::from_path(from)?;
        let simulation = Simulation::new(&scene, from.parent().unwrap_or(Path::new("")), false)?;
        ((*simulation.bodies).clone(), simulation.state, box_of(&scene)?)
    } else {
        let BodyFile { bodies, state, domain } = of_file(from)?;
        (bodies, state, domain)
    };
    let domain = match domain {
        Some(domain) => domain,
        None => hull(&bodies, &state)?,
    };
    Ok(Source { bodies, state, domain })
}

/// The box of a scene, if it has one.
fn box_of(scene: &Scene) -> Result<Option<Domain>, GrainsError> {
    scene.simulation_box.as_ref().map(|_| domain(scene)).transpose()
}

/// A box around all bodies.
fn hull(bodies: &Bodies, state: &State) -> Result<Domain, GrainsError> {
    let corners = state.position().iter().zip(bodies.radius().iter());
    let (low, high) = corners.fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), (centre, &radius)| {
        (low.min(centre - radius), high.max(centre + radius))
    });
    Domain::new(low, high, [dem_contact::neighbor::Boundary::Open; 3]).map_err(GrainsError::refused("convert"))
}
