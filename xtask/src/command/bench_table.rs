//! `cargo xtask bench-table`: runs the benchmark of rotations and prints its results as the Markdown table of the
//! README.
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::run::output;

/// Numbers of bodies that the benchmark rotates, as in `benches/benches/rotation.rs`.
const BODIES: [u64; 3] = [1_000, 100_000, 10_000_000];
/// Benchmarked kernels: name in `benches/benches/rotation.rs`, and name in the table of the README.
const KERNELS: [(&str, &str); 5] = [
    ("exponential", "quaternion exponential and normalisation (glam)"),
    ("cayley", "`Turn::Cayley`, (25b)"),
    ("legendre", "`Turn::Legendre`, (23b)"),
    ("copy", "copy of the same columns"),
    ("cayley, 2 threads", "`Turn::Cayley` on two threads"),
];

/// Runs the benchmark of rotations and prints its results as the Markdown table of the README.
///
/// # Errors
/// If the benchmark fails, or leaves no estimates behind.
pub(crate) fn bench_table() -> Result<()> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo).args(["bench", "--package", "rrp-benches", "--bench", "rotation"]).status()?;
    ensure!(status.success(), "the benchmark ended with {status}");
    let criterion = output::default_directory()?.with_file_name("criterion").join("rotation");
    print!("{}", table(|kernel, bodies| median(&criterion, kernel, bodies))?);
    Ok(())
}

/// Reads the median time in ns of one iteration of a kernel from the files that the benchmark library criterion leaves
/// in the folder `criterion`.
fn median(criterion: &Path, kernel: &str, bodies: u64) -> Result<f64> {
    let path = criterion.join(kernel).join(bodies.to_string()).join("new").join("estimates.json");
    let text = std::fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
    let estimates: serde_json::Value = serde_json::from_str(&text)?;
    estimates["median"]["point_estimate"].as_f64().with_context(|| format!("no median in {}", path.display()))
}

/// Returns the table in Markdown: ns per body for each kernel, and its speed relative to the quaternion exponential.
/// `median` returns the time in ns of an iteration over all bodies.
fn table(median: impl Fn(&str, u64) -> Result<f64>) -> Result<String> {
    let mut text = String::from("| ns per body and step |");
    for bodies in BODIES {
        text += &format!(" N = 1e{} |", bodies.ilog10());
    }
    text += "\n|---|---|---|---|\n";
    for (kernel, name) in KERNELS {
        text += &format!("| {name} |");
        for bodies in BODIES {
            let time = median(kernel, bodies)?;
            let exponential = median(KERNELS[0].0, bodies)?;
            text += &format!(" {:.2} ({:.1}×) |", time / bodies as f64, exponential / time);
        }
        text.push('\n');
    }
    let at = |kernel| median(kernel, 100_000);
    let one = at("cayley")?;
    let two = at("cayley, 2 threads")?;
    let copy = at("copy")?;
    text += &format!(
        "\nAt N = 1e5 the copy takes {:.2} of the time of `Turn::Cayley`, and two threads are {:.2} times as fast as one.\n",
        copy / one,
        one / two
    );
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_nanoseconds_and_ratios() {
        let text = table(|kernel, bodies| Ok(if kernel == "cayley" { 2.0 } else { 8.0 } * bodies as f64)).unwrap();
        assert!(text.starts_with("| ns per body and step | N = 1e3 | N = 1e5 | N = 1e7 |\n"));
        assert!(text.contains("| `Turn::Cayley`, (25b) | 2.00 (4.0×) | 2.00 (4.0×) | 2.00 (4.0×) |\n"));
        assert!(text.ends_with(
            "the copy takes 4.00 of the time of `Turn::Cayley`, and two threads are 0.25 times as fast as one.\n"
        ));
    }

    #[test]
    fn a_missing_benchmark_is_an_error() {
        assert!(table(|_, _| anyhow::bail!("none")).is_err());
    }
}
