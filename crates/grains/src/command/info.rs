//! The facts that `grains info` prints about a file.

use std::path::Path;

use serde_json::Value;

use crate::checkpoint::Checkpoint;
use crate::error::GrainsError;
use crate::scene::Scene;
use crate::show::report::is_outdated;
use crate::storage;

/// Describes a scene file, a checkpoint or a folder of results by a few named facts.
pub(super) fn info(file: &Path) -> Result<Vec<(&'static str, Value)>, GrainsError> {
    if file.extension().is_some_and(|ending| ending == "toml") {
        let scene = Scene::from_path(file)?;
        let duration = if scene.stages.is_empty() {
            scene.time.duration.unwrap_or(0.0)
        } else {
            scene.stages.iter().map(|stage| stage.duration).sum()
        };
        return Ok(vec![
            ("scene", scene.title.clone().into()),
            ("integrator", scene.integrator.name().into()),
            ("units", scene.units.to_string().into()),
            ("groups of bodies", scene.bodies.len().into()),
            ("walls", scene.walls.len().into()),
            ("duration", duration.into()),
        ]);
    }
    let path = if file.is_dir() { file.join(storage::FILE) } else { file.to_owned() };
    let Checkpoint { scene, simulation, quick, .. } = Checkpoint::read(path)?;
    let reading = simulation.read()?;
    let mut facts = vec![
        ("checkpoint of", scene.title.clone().into()),
        ("integrator", scene.integrator.name().into()),
        ("bodies", simulation.bodies().len().into()),
        ("step", simulation.steps_taken().into()),
        ("steps", simulation.steps().into()),
        ("quick", quick.into()),
        ("time", reading.time.into()),
        ("time step", simulation.dt().into()),
        ("kinetic energy", reading.kinetic.total().into()),
        ("contacts", reading.contacts.len().into()),
    ];
    if is_outdated(file) {
        facts.push(("page", format!("older than the results; renew it with: grains report {}", file.display()).into()));
    }
    Ok(facts)
}

pub(super) fn lines(facts: &[(&'static str, Value)]) -> String {
    let line = |(name, value): &(&'static str, Value)| match value {
        Value::String(text) => format!("{name:<18}{text}"),
        value => format!("{name:<18}{value}"),
    };
    facts.iter().map(line).collect::<Vec<_>>().join("\n")
}
