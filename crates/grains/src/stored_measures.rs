//! Measurements of stored checkpoints.

use std::path::Path;

use crate::checkpoint::Checkpoint;
use crate::error::{GrainsError, Location};
use crate::output::measured::{measured_header, measured_lines};
use crate::scene::Scene;
use crate::source::Source;
use crate::storage;

/// Measures the checkpoints in a folder of results, or one checkpoint: a table for each `[[measure]]`, with a line that
/// names it before, and an empty line between two tables. `scene` is a scene file whose measurements are taken instead
/// of those that the run has. Nothing is changed.
///
/// # Errors
/// Those of [`Checkpoint::read`] and of reading `scene`; those of a measurement without meaning, with the key;
/// [`GrainsError::MissingKey`] if there is nothing to measure.
pub fn measure(path: impl AsRef<Path>, scene: Option<&Path>) -> Result<String, GrainsError> {
    let path = path.as_ref();
    let files = if path.is_dir() {
        // The one before is there after the second checkpoint.
        let previous = Some(path.join(storage::PREVIOUS)).filter(|path| path.exists());
        previous.into_iter().chain([path.join(storage::FILE)]).collect()
    } else {
        vec![path.to_owned()]
    };
    let checkpoints = files.iter().map(Checkpoint::read).collect::<Result<Vec<_>, _>>()?;
    let source = scene.map(Source::from_path).transpose()?;
    let given: Option<Scene> = source.as_ref().map(|source| source.read()).transpose()?;
    let tables = tables(&checkpoints, given.as_ref());
    tables.map_err(|error| match &source {
        Some(source) => source.locate(error),
        None => error,
    })
}

fn tables(checkpoints: &[Checkpoint], given: Option<&Scene>) -> Result<String, GrainsError> {
    let Some(last) = checkpoints.last() else { return Ok(String::new()) };
    // Materials and box are those of the run.
    let measures = given.map_or_else(|| last.scene.measures.clone(), |given| given.measures.clone());
    let scene = &Scene { measures, ..last.scene.clone() };
    if scene.measures.is_empty() {
        return Err(GrainsError::MissingKey { at: Location::of("measure"), missing: "measure".into() });
    }
    let all: Vec<usize> = (0..scene.measures.len()).collect();
    let mut tables: Vec<String> = scene.measures.iter().map(measured_header).collect();
    for Checkpoint { simulation, .. } in checkpoints {
        let reading = simulation.read()?;
        for (table, measured) in tables.iter_mut().zip(simulation.measure(scene, &all, &reading)?) {
            table.push_str(&measured_lines(simulation.steps_taken(), reading.time, &measured));
        }
    }
    let named = scene.measures.iter().zip(tables).map(|(measure, table)| format!("# {}\n{table}", measure.name));
    Ok(named.collect::<Vec<_>>().join("\n"))
}
