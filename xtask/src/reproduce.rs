//! `cargo xtask reproduce`: the figures are the acceptance tests.
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::Result;

use crate::claim::Verdict;
use crate::context::Effort;
use crate::figure::{Figure, select};
use crate::progress::Board;
use crate::run::{Outcome, Tally, run_all};
use crate::versions::Versions;
use crate::{output, page};

#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct Args {
    /// Only figures whose id starts with this.
    prefix: Option<String>,
    /// Shorter runs; claims whose run is cut say so.
    #[arg(long)]
    quick: bool,
    /// Where the files go [default: reproduce/ in the target directory].
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Figures computed at the same time [default: one per core]; 1 where a figure measures time.
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// Print the figures' ids and stop.
    #[arg(long)]
    list: bool,
}

/// Runs the command and returns its exit code.
///
/// # Errors
/// An unknown prefix, and files that cannot be written. What goes wrong inside a figure is part of the result.
pub(crate) fn reproduce(args: &Args, table: Vec<Figure>) -> Result<u8> {
    let figures = select(table, args.prefix.as_deref())?;
    if args.list {
        let width = figures.iter().map(|figure| figure.id.len()).max().unwrap_or(0);
        for figure in &figures {
            println!("{:width$}  {} ({})", figure.id, figure.title, figure.source);
        }
        return Ok(0);
    }
    let directory = match &args.out {
        Some(directory) => directory.clone(),
        None => output::default_directory()?,
    };
    output::prepare(&directory)?;
    let versions = Versions::detect();
    let effort = if args.quick { Effort::Quick } else { Effort::Full };
    let jobs = args.jobs.or_else(|| std::thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get);

    let start = Instant::now();
    let outcomes = run_all(&figures, effort, jobs, &Board::stderr());
    let seconds = start.elapsed().as_secs_f64();

    let run = page::Run { effort, prefix: args.prefix.as_deref(), seconds, versions: &versions };
    output::write_all(&directory, &outcomes, &page::page(&outcomes, &run), effort, &versions)?;
    let tally = Tally::of(&outcomes);
    eprint!("{}", failures(&outcomes));
    eprintln!("{} figures in {seconds:.1} s: {}", outcomes.len(), tally.line());
    println!("{}", directory.join("index.html").display());
    Ok(tally.exit_code())
}

/// What went wrong, one entry per claim or figure; empty when nothing did.
fn failures(outcomes: &[Outcome]) -> String {
    let mut rows = Vec::new();
    for outcome in outcomes {
        match &outcome.result {
            Err(error) => rows.push([outcome.figure.id.to_owned(), "error".into(), String::new(), error.clone()]),
            Ok(finished) => {
                let failed = finished.artifact.claims.iter().filter(|claim| claim.verdict() == Verdict::Fails);
                rows.extend(failed.map(|claim| {
                    let cut = claim.shortened.as_ref().map(|how| format!(" [shortened: {how}]")).unwrap_or_default();
                    [outcome.figure.id.to_owned(), claim.measured(), claim.accepted(), format!("{}{cut}", claim.text)]
                }));
            }
        }
    }
    if rows.is_empty() {
        return String::new();
    }
    rows.insert(0, ["figure", "measured", "accepted", "claim"].map(Into::into));
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let (a, b, c) = (width(0), width(1), width(2));
    let lines = rows.iter().map(|[id, value, accept, text]| format!("  {id:a$}  {value:b$}  {accept:c$}  {text}\n"));
    format!("\nfailures:\n{}\n", lines.collect::<String>())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::demo;

    fn args(out: &std::path::Path) -> Args {
        Args { quick: true, out: Some(out.into()), ..Args::default() }
    }

    #[test]
    fn the_whole_command_writes_what_it_promises() {
        let out = std::env::temp_dir().join(format!("xtask-reproduce-{}", std::process::id()));
        assert_eq!(reproduce(&args(&out), demo::table()).unwrap(), 1);
        let read = |name: &str| fs::read_to_string(out.join(name)).unwrap();
        let page = read("index.html");
        for figure in demo::table() {
            assert!(page.contains(&format!("id=\"{}\"", figure.id)), "{}", figure.id);
            let record: serde_json::Value = serde_json::from_str(&read(&format!("{}.json", figure.id))).unwrap();
            for file in record["files"].as_array().unwrap() {
                let text = read(file.as_str().unwrap());
                assert!(!file.as_str().unwrap().ends_with(".svg") || text.len() < 300_000, "{file}: {}", text.len());
            }
        }
        assert_eq!(read("demo-energy.csv").lines().next(), Some("plot,series,time [s],H − H₀ [J],drift [J]"));

        // A figure that no longer works takes the files of its earlier success with it.
        let broken = Figure { run: |_| anyhow::bail!("no more"), ..demo::table()[0] };
        assert_eq!(reproduce(&args(&out), vec![broken]).unwrap(), 1);
        assert!(!out.join("demo-order.csv").exists() && !out.join("demo-order-error.svg").exists());
        assert!(read("demo-order.json").contains("no more") && out.join("demo-energy.csv").exists());

        assert_eq!(reproduce(&args(&out), Vec::new()).unwrap(), 0);
        assert!(read("index.html").contains("No figures"));
        assert!(fs::read_dir(&out).unwrap().all(|file| !file.unwrap().path().to_string_lossy().ends_with(".tmp")));
        fs::remove_dir_all(out).unwrap();
    }

    #[test]
    fn failures_are_listed_with_their_numbers() {
        let text = failures(&run_all(&demo::table(), Effort::Quick, 2, &Board::stderr()));
        assert!(text.contains("1.302") && text.contains("1.9 … 2.1") && text.contains("residual 0.3"), "{text}");
    }
}
