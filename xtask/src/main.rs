//! The workspace's own commands: `cargo xtask --help`.
#![allow(clippy::print_stdout, reason = "a command-line program: stdout is its result, stderr its progress")]

use std::process::ExitCode;

use clap::{Parser, Subcommand};

#[allow(dead_code, reason = "the vocabulary of figure functions: no figure needs every word of it")]
mod artifact;
mod bench_table;
#[allow(dead_code, reason = "the vocabulary of figure functions: no figure needs every word of it")]
mod claim;
#[allow(dead_code, reason = "the vocabulary of figure functions: no figure needs every word of it")]
mod context;
#[cfg(test)]
mod demo;
#[allow(dead_code, reason = "the vocabulary of figure functions: no figure needs every word of it")]
mod drawing;
mod figure;
mod figures;
mod number;
mod output;
mod page;
#[allow(dead_code, reason = "the vocabulary of figure functions: no figure needs every word of it")]
mod plot;
mod progress;
mod record;
mod reproduce;
mod run;
#[allow(dead_code, reason = "the vocabulary of figure functions: no figure needs every word of it")]
mod table;
mod versions;

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
    /// 2 when the command itself cannot run.
    Reproduce(reproduce::Args),
    /// Run the rotation benchmark and print the README's performance table.
    BenchTable,
}

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Reproduce(args) => reproduce::reproduce(&args, figures::table()).map(ExitCode::from),
        Command::BenchTable => bench_table::bench_table().map(|()| ExitCode::SUCCESS),
    };
    result.unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::from(2)
    })
}
