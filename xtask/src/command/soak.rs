//! `cargo xtask soak`: runs the slow tests, those with the attribute `ignore` and a reason that begins with "soak:".
//!
//! They read 20 000 altered scenes, data files, meshes and checkpoints, kill `grains` 240 times and simulate 80 disk
//! errors (`crates/grains/tests/it/soak.rs`, `kills.rs`, `killed.rs`, and `faults.rs`, which needs the program
//! `strace`). Most of them have a shorter version that always runs. Finally all crates are packaged as for crates.io,
//! and built from their packages.

use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context as _, Result};

/// Numbers of passed and failed tests, counted from the output of `cargo test`.
#[derive(Debug, Default, PartialEq)]
struct Tally {
    passed: usize,
    failed: usize,
}

impl Tally {
    /// Counts the result of a test if `line` of the output reports one.
    fn count(&mut self, line: &str) {
        // The line has the reason for ignoring a test between its name and its result.
        let Some(rest) = line.strip_prefix("test ").filter(|rest| !rest.starts_with("result: ")) else { return };
        self.passed += usize::from(rest.ends_with("... ok"));
        self.failed += usize::from(rest.ends_with("... FAILED"));
    }
}

/// Runs the slow tests of all packages in release mode, then packages all crates; returns whether everything succeeded.
///
/// # Errors
/// When cargo cannot be started.
pub(crate) fn soak() -> Result<bool> {
    let tests_passed = test()?;
    Ok(package()? && tests_passed)
}

fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// Does everything that publishing does except the upload: builds each crate from the `.crate` files of all crates,
/// once with default features and once with all features. Tests and other crates of the workspace then add no features.
fn package() -> Result<bool> {
    let mut succeeded = true;
    for features in [None, Some("--all-features")] {
        let mut command = cargo();
        command.args(["publish", "--workspace", "--dry-run", "--allow-dirty", "--locked"]).args(features);
        // With a named target folder, all packages share their dependencies.
        command.args(["--target-dir", concat!(env!("CARGO_MANIFEST_DIR"), "/../target/packages")]);
        succeeded &= command.status().context("starting cargo publish")?.success();
    }
    Ok(succeeded)
}

/// Runs the slow tests of all packages in release mode, and returns whether all passed.
fn test() -> Result<bool> {
    let start = Instant::now();
    let mut command = cargo();
    // Examples in documentation are left out: those marked `ignore` are not meant to run.
    command.args([
        "test",
        "--workspace",
        "--all-features",
        "--release",
        "--lib",
        "--bins",
        "--tests",
        "--no-fail-fast",
    ]);
    let mut child = command.args(["--", "--ignored"]).stdout(Stdio::piped()).spawn().context("starting cargo test")?;
    let mut tally = Tally::default();
    for line in child.stdout.take().into_iter().flat_map(|out| BufReader::new(out).lines()) {
        let line = line.context("reading the output of cargo test")?;
        tally.count(&line);
        if !line.is_empty() && line != "running 0 tests" && !line.contains(" 0 passed; 0 failed") {
            println!("{line}");
        }
    }
    let status = child.wait().context("waiting for cargo test")?;
    let (Tally { passed, failed }, seconds) = (tally, start.elapsed().as_secs_f64());
    println!("{passed} slow tests passed, {failed} failed, in {seconds:.0} s; cargo test ended with {status}");
    Ok(status.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_counted_and_summaries_are_not() {
        let mut tally = Tally::default();
        let lines = ["running 3 tests", "test a::b ... ok", "test c ... FAILED", "test d - should panic ... ok"];
        lines.into_iter().chain(["test result: FAILED. 2 passed; 1 failed", "text"]).for_each(|line| tally.count(line));
        assert_eq!(tally, Tally { passed: 2, failed: 1 });
    }
}
