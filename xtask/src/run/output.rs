//! Writes the files of figures; nothing else in xtask writes files for the page.
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;

use crate::model::Effort;
use crate::run::outcome::Outcome;
use crate::run::record::Record;
use crate::run::versions::Versions;

/// Returns the default output folder, `reproduce` in the workspace's target directory, which the environment variable
/// `CARGO_TARGET_DIR` or a configuration file of cargo may set.
///
/// # Errors
/// Outside a cargo workspace.
pub(crate) fn default_directory() -> Result<PathBuf> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(["metadata", "--no-deps", "--offline", "--format-version", "1"]);
    // `cargo run` gives the package's folder, so that the command works in any current folder.
    if let Some(package) = env::var_os("CARGO_MANIFEST_DIR") {
        command.arg("--manifest-path").arg(Path::new(&package).join("Cargo.toml"));
    }
    let out = command.output().context("starting `cargo metadata` to find the target directory; --out avoids it")?;
    let stderr = String::from_utf8_lossy(&out.stderr);
    ensure!(out.status.success(), "`cargo metadata` finds no target directory (pass --out DIR): {}", stderr.trim());
    let metadata: Value = serde_json::from_slice(&out.stdout).context("reading the output of `cargo metadata`")?;
    let target = metadata["target_directory"].as_str().context("`cargo metadata` names no target_directory")?;
    Ok(Path::new(target).join("reproduce"))
}

/// Creates the output directory. This is done before the computation, so that a bad path is reported at once.
pub(crate) fn prepare(directory: &Path) -> Result<()> {
    fs::create_dir_all(directory).with_context(|| format!("creating {}", directory.display()))
}

/// Writes all files of a figure, its JSON record last, and removes those files of an earlier computation that the
/// figure no longer has.
pub(crate) fn write_figure(directory: &Path, outcome: &Outcome, effort: Effort, versions: &Versions) -> Result<()> {
    let id = outcome.figure.id;
    let csv_name = format!("{id}.csv");
    let json_name = format!("{id}.json");
    let old = recorded_files(&directory.join(&json_name));
    let record = Record::new(outcome, &csv_name, effort, versions);
    let json = serde_json::to_string_pretty(&record).with_context(|| format!("writing the record of {id}"))? + "\n";
    let mut kept = Vec::new();
    if let Ok(finished) = &outcome.result {
        let pictures = finished.pictures.iter().map(|picture| (picture.name.as_str(), picture.svg.as_str()));
        for (name, text) in pictures.chain([(csv_name.as_str(), finished.csv.as_str())]) {
            write(directory, name, text.as_bytes())?;
            kept.push(name);
        }
    }
    write(directory, &json_name, json.as_bytes())?;
    for name in old.iter().filter(|name| !kept.contains(&name.as_str())) {
        // Numbers of an earlier run would contradict the new record; a missing file is no error.
        let _gone = fs::remove_file(directory.join(name));
    }
    Ok(())
}

/// Reads from the record of a figure the time in s that its last computation with this effort took.
pub(crate) fn earlier_seconds(directory: &Path, id: &str, effort: Effort) -> Option<f64> {
    let record: Value = serde_json::from_slice(&fs::read(directory.join(format!("{id}.json"))).ok()?).ok()?;
    (record["effort"] == effort.name()).then(|| record["seconds"].as_f64()).flatten()
}

/// Returns the names of the files that a record lists. Names with folders are ignored, since these files will be
/// removed.
fn recorded_files(record: &Path) -> Vec<String> {
    let Some(record) = fs::read(record).ok().and_then(|bytes| serde_json::from_slice::<Value>(&bytes).ok()) else {
        return Vec::new();
    };
    let plain = |name: &&str| Path::new(name).file_name().is_some_and(|file| file == *name);
    let names = record["files"].as_array().into_iter().flatten().filter_map(Value::as_str);
    names.filter(plain).map(Into::into).collect()
}

/// Writes a file as a temporary one that is then renamed, so that readers see either the old or the new content.
///
/// # Errors
/// If the disk is full or the folder missing; an older file of this name is then unchanged.
pub(crate) fn write(directory: &Path, name: &str, bytes: &[u8]) -> Result<()> {
    let draft = directory.join(format!(".{name}.{}.tmp", std::process::id()));
    let path = directory.join(name);
    fs::write(&draft, bytes)
        .and_then(|()| fs::rename(&draft, &path))
        .inspect_err(|_| {
            let _gone = fs::remove_file(&draft);
        })
        .with_context(|| format!("writing {} ({} bytes)", path.display(), bytes.len()))
}
