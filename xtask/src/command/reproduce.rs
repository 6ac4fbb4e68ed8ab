//! `cargo xtask reproduce`: computes the figures of the papers and checks their claims, the acceptance tests of the
//! workspace.
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender};
use std::time::Instant;

use anyhow::Result;

use crate::command::args::Args;
use crate::command::report;
use crate::figures::cost;
use crate::model::{Figure, select};
use crate::page;
use crate::run::{Board, Cache, End, Event, Forecast, Job, Outcome, Tally, Versions, output, run_all, status_line};

/// Exit code after an interrupt by Ctrl-C, as in shells.
const INTERRUPTED: u8 = 130;

/// Runs `cargo xtask reproduce` and returns its exit code. An [`Event::Interrupt`] ends it early: files and page then
/// contain the finished figures, and the page names the missing ones.
///
/// # Errors
/// An unknown prefix, and files that cannot be written. Errors inside a figure are part of the result.
pub(crate) fn reproduce(args: &Args, table: Vec<Figure>, events: (&Sender<Event>, &Receiver<Event>)) -> Result<u8> {
    let figures = select(table, args.prefix.as_deref())?;
    if args.list {
        print!("{}", report::list(&figures, args.json));
        return Ok(0);
    }
    let directory = match &args.out {
        Some(directory) => directory.clone(),
        None => output::default_directory()?,
    };
    output::prepare(&directory)?;
    let start = Instant::now();
    let versions = Versions::detect();
    let (outcomes, end) = outcomes(args, &figures, &directory, &versions, events)?;
    let seconds = start.elapsed().as_secs_f64();

    let missing: Vec<Figure> = figures
        .iter()
        .filter(|figure| outcomes.iter().all(|outcome| outcome.figure.id != figure.id))
        .copied()
        .collect();
    let effort = args.effort();
    let prefix = args.prefix.as_deref();
    let run = page::Run { effort, prefix, seconds, missing: &missing, versions: &versions };
    output::write(&directory, "index.html", page::page(&outcomes, &run).as_bytes())?;

    let tally = Tally::of(&outcomes);
    let index = directory.join("index.html");
    eprint!("{}", report::failures(&outcomes));
    eprintln!("{} figures in {seconds:.1} s: {}", outcomes.len(), tally.line());
    if !missing.is_empty() {
        let ids: Vec<&str> = missing.iter().map(|figure| figure.id).collect();
        eprintln!("interrupted: {} of {} figures are missing: {}", missing.len(), figures.len(), ids.join(" "));
    }
    if args.json {
        println!("{:#}", report::summary(&index, &outcomes, &missing, effort, seconds));
    } else {
        println!("{}", index.display());
    }
    Ok(if end == End::Interrupted { INTERRUPTED } else { tally.exit_code() })
}

/// Computes the figures, and returns their outcomes in the order of the table. The files of each figure are written as
/// soon as it is computed. Outcomes that the same executable has computed before are reused.
fn outcomes(
    args: &Args,
    figures: &[Figure],
    directory: &Path,
    versions: &Versions,
    events: (&Sender<Event>, &Receiver<Event>),
) -> Result<(Vec<Outcome>, End)> {
    let effort = args.effort();
    let cache = Cache::open(directory, effort, versions, args.sabotage)?;
    let mut found = Vec::new();
    let mut jobs = Vec::new();
    for (index, &figure) in figures.iter().enumerate() {
        if let Some((seconds, finished)) = cache.load(&figure).filter(|_| !args.force) {
            let outcome = Outcome { figure, seconds, reused: true, result: Ok(finished) };
            output::write_figure(directory, &outcome, effort, versions)?;
            found.push((index, outcome));
        } else {
            jobs.push(Job { index, figure, earlier: output::earlier_seconds(directory, figure.id, effort) });
        }
    }
    // The longest figure starts first, since a late start would keep one thread busy after all others.
    jobs.sort_by(|a, b| cost::typical(b.figure.id, effort).total_cmp(&cost::typical(a.figure.id, effort)));
    let costs = jobs.iter().map(|job| cost::typical(job.figure.id, effort));
    let board = Arc::new(Board::stderr(figures.len(), Forecast::new(args.threads(), costs)));
    found.iter().for_each(|(_, outcome)| board.print(&status_line(outcome)));
    let end = run_all(jobs, effort, args.threads(), &board, events, |index, outcome| {
        output::write_figure(directory, &outcome, effort, versions)?;
        if let Ok(finished) = &outcome.result {
            cache.store(&outcome.figure, outcome.seconds, finished)?;
        }
        found.push((index, outcome));
        Ok(())
    })?;
    board.clear();
    found.sort_by_key(|(index, _)| *index);
    Ok((found.into_iter().map(|(_, outcome)| outcome).collect(), end))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::PathBuf;
    use std::sync::mpsc::channel;

    use super::*;
    use crate::figures::demo;

    fn folder(name: &str) -> PathBuf {
        std::env::temp_dir().join(format!("xtask-reproduce-{name}-{}", std::process::id()))
    }

    fn args(out: &Path) -> Args {
        Args { quick: true, out: Some(out.into()), ..Args::default() }
    }

    fn run(args: &Args, table: Vec<Figure>) -> u8 {
        let (sender, receiver) = channel();
        reproduce(args, table, (&sender, &receiver)).unwrap()
    }

    #[test]
    fn the_whole_command_writes_what_it_promises() {
        let out = folder("whole");
        assert_eq!(run(&args(&out), demo::table()), 1);
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

        // Files of an earlier success are removed when the figure fails.
        let broken = Figure { run: |_| anyhow::bail!("no more"), ..demo::table()[0] };
        assert_eq!(run(&Args { force: true, ..args(&out) }, vec![broken]), 1);
        assert!(!out.join("demo-order.csv").exists() && !out.join("demo-order-error.svg").exists());
        assert!(read("demo-order.json").contains("no more") && out.join("demo-energy.csv").exists());

        assert_eq!(run(&args(&out), Vec::new()), 0);
        assert!(read("index.html").contains("No figures"));
        assert!(fs::read_dir(&out).unwrap().all(|file| !file.unwrap().path().to_string_lossy().ends_with(".tmp")));
        fs::remove_dir_all(out).unwrap();
    }

    #[test]
    fn equal_data_give_equal_bytes() {
        let files = |name: &str, threads: usize| {
            let out = folder(name);
            run(&Args { jobs: threads.try_into().ok(), ..args(&out) }, demo::table());
            let mut files: Vec<(String, String)> = fs::read_dir(&out)
                .unwrap()
                .map(|file| file.unwrap().path())
                .filter(|path| path.is_file() && path.extension().is_some_and(|kind| kind != "html"))
                .map(|path| {
                    let text = fs::read_to_string(&path).unwrap();
                    let text = text.lines().filter(|line| !line.starts_with("  \"seconds\"")).collect();
                    (path.file_name().unwrap().to_string_lossy().into_owned(), text)
                })
                .collect();
            files.sort();
            fs::remove_dir_all(out).unwrap();
            files
        };
        let one = files("one", 1);
        let three = files("three", 3);
        assert!(one.len() > 15, "{}", one.len());
        for (a, b) in one.iter().zip(&three) {
            assert!(a == b, "{} differs from {}", a.0, b.0);
        }
        assert_eq!(one.len(), three.len());
    }
}
