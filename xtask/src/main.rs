//! Program `cargo xtask` with the workspace's own commands, which `cargo xtask --help` lists.
#![allow(clippy::print_stdout, reason = "a command-line program: stdout is its result, stderr its progress")]

use std::process::ExitCode;
use std::sync::mpsc::channel;

use anyhow::Context as _;
use clap::{Parser, Subcommand};

mod command;
mod figures;
mod model;
mod page;
mod run;

use command::{args, bench_table, fclib, heap, keys, reproduce, soak};

/// The workspace's own commands.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Compute the papers' figures, check their claims and write a page about both.
    ///
    /// Exit code: 0 when every claim holds, 1 when a claim fails or a figure cannot be computed,
    /// 2 when the command itself cannot run, 130 when it was interrupted: what is finished is then whole.
    Reproduce(args::Args),
    /// Run the rotation benchmark and print the README's performance table.
    BenchTable,
    /// Solve all friction problems of FCLIB (.hdf5, .dat) in a folder; print time, residual and verdict of each.
    ///
    /// Exit code: 0 when all are solved, 1 when not, 2 when a file cannot be read.
    Fclib(fclib::Args),
    /// Pour heaps by contact dynamics with friction and with elastic contacts; print the slope of each.
    Heap(heap::Args),
    /// Write the page of all keys of scenes, docs/scenes.md, from the types that read them.
    Keys,
    /// Run the slow tests, those that `cargo test` ignores.
    ///
    /// Exit code: 0 when all of them pass, 1 when not.
    Soak,
}

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Reproduce(args) => reproduce(&args).map(ExitCode::from),
        Command::BenchTable => bench_table::bench_table().map(|()| ExitCode::SUCCESS),
        Command::Fclib(args) => fclib::fclib(&args).map(|solved| ExitCode::from(u8::from(!solved))),
        Command::Heap(args) => heap::heap(&args).map(|()| ExitCode::SUCCESS),
        Command::Keys => keys::keys().map(|()| ExitCode::SUCCESS),
        Command::Soak => soak::soak().map(|passed| ExitCode::from(u8::from(!passed))),
    };
    result.unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::from(2)
    })
}

/// Runs `cargo xtask reproduce` on the figures of the papers or on made-up ones, with correct or sabotaged maps, until
/// it ends or Ctrl-C interrupts it.
fn reproduce(args: &args::Args) -> anyhow::Result<u8> {
    let (sender, receiver) = channel();
    let interrupt = sender.clone();
    // Sending fails after the end of the command, when nothing is left to interrupt.
    let stop = move || interrupt.send(run::Event::Interrupt).unwrap_or_default();
    ctrlc::set_handler(stop).context("listening for Ctrl-C")?;
    if args.sabotage {
        anyhow::ensure!(args.out.is_some(), "--sabotage wants --out: its numbers are nobody's results");
        figures::sabotage::order();
    }
    let table = if args.demo { figures::demo::table() } else { figures::table() };
    reproduce::reproduce(args, table, (&sender, &receiver))
}
