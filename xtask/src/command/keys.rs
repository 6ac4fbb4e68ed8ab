//! `cargo xtask keys`: writes the page of all keys of scene files, `docs/scenes.md`. A test of `grains` fails if the
//! page is out of date.

use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result, ensure};

/// Writes the page of all keys of scenes, as the program `grains` prints it.
///
/// # Errors
/// When `grains` cannot be built or the page cannot be written.
pub(crate) fn keys() -> Result<()> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo).args(["run", "--quiet", "--package", "grains", "--", "schema", "--page"]).output();
    let output = output.context("starting cargo run")?;
    ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/scenes.md");
    std::fs::write(&path, output.stdout).with_context(|| format!("writing {}", path.display()))
}
