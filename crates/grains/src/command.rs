//! The command line.

mod progress;

use std::io::{ErrorKind, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::{Parser, Subcommand};
use grains::templates::{self, Template};
use grains::{Checkpoint, ConvertOptions, Estimate, GrainsError, Run, RunOptions, Scene, Stored};

use self::progress::Progress;

/// Exit code of a run that Ctrl-C ended, after a checkpoint.
const INTERRUPTED: u8 = 130;

/// Runs scenes of grains.
#[derive(Debug, Parser)]
#[command(version, about)]
struct Line {
    #[command(subcommand)]
    command: Command,
    /// Number of threads; results do not depend on it.
    #[arg(long, global = true, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Runs a scene from start to end.
    Run {
        /// The scene.
        scene: PathBuf,
        /// Folder of the results; that of the scene if not given.
        #[arg(long)]
        output: Option<PathBuf>,
        /// Runs the short version of the scene.
        #[arg(long)]
        quick: bool,
        /// Removes results of an earlier run.
        #[arg(long)]
        overwrite: bool,
        /// Sets a key of the scene, such as time.dt=1e-5; may be given several times.
        #[arg(long, value_name = "KEY=VALUE")]
        set: Vec<String>,
        /// Prints only how the run ended.
        #[arg(long)]
        quiet: bool,
    },
    /// Checks a scene and estimates what its run would take.
    Check {
        /// The scene.
        scene: PathBuf,
        /// Checks the short version of the scene.
        #[arg(long)]
        quick: bool,
        /// Sets a key of the scene, such as time.dt=1e-5; may be given several times.
        #[arg(long, value_name = "KEY=VALUE")]
        set: Vec<String>,
    },
    /// Continues a run that was stopped or killed, to the same results.
    Resume {
        /// Folder of results, or a checkpoint in it.
        run: PathBuf,
        /// Prints only how the run ended.
        #[arg(long)]
        quiet: bool,
    },
    /// Describes a scene or a checkpoint.
    Info {
        /// A scene, a checkpoint, or a folder of results.
        file: PathBuf,
    },
    /// Measures the stored checkpoints or frames of a run, by the `[[measure]]` of its scene, as tables on the standard
    /// output.
    Measure {
        /// Folder of results, or a checkpoint in it.
        run: PathBuf,
        /// Measures all frames instead of the last two checkpoints.
        #[arg(long)]
        frames: bool,
        /// A scene whose measurements are taken instead.
        #[arg(long)]
        scene: Option<PathBuf>,
    },
    /// Writes a commented scene to begin with; lists the kinds if none is given.
    New {
        /// The kind of scene.
        kind: Option<String>,
        /// The file to write; KIND.toml if not given. It is never replaced.
        file: Option<PathBuf>,
    },
    /// Prints the JSON schema of scenes, for editors.
    Schema {
        /// Prints the page of all keys in Markdown instead.
        #[arg(long)]
        page: bool,
    },
    /// Converts bodies from .csv, .data, .data.gz, .vtp, .grains or .toml to .csv, .data or .vtp.
    Convert {
        /// The file to read.
        from: PathBuf,
        /// The file to write.
        to: PathBuf,
        /// Replaces the file to write if it is there.
        #[arg(long)]
        overwrite: bool,
    },
}

/// Runs the command.
pub(crate) fn main() -> ExitCode {
    let line = Line::parse();
    match on_threads(line.threads, || execute(line.command)) {
        Ok(code) => code,
        Err(error) => {
            tell(&error.report(is_styled()));
            ExitCode::from(error.exit_code())
        }
    }
}

/// Does `work` on one of `threads` threads. From outside of the pool each loop would be handed over to it.
fn on_threads<R: Send>(
    threads: Option<u16>,
    work: impl FnOnce() -> Result<R, GrainsError> + Send,
) -> Result<R, GrainsError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.unwrap_or_default().into()).build();
    pool.map_err(|error| GrainsError::NoThreads { problem: error.to_string() })?.install(work)
}

fn execute(command: Command) -> Result<ExitCode, GrainsError> {
    match command {
        Command::Run { scene, output, quick, overwrite, set, quiet } => {
            drive(Run::of_file(&scene, output.as_deref(), RunOptions { quick, overwrite, set })?, quiet)
        }
        Command::Resume { run, quiet } => drive(Run::resume(run)?, quiet),
        Command::Check { scene, quick, set } => print(&Estimate::of_file_with(scene, &set, quick)?.to_string()),
        Command::Info { file } => print(&info(&file)?),
        Command::Measure { run, frames, scene } => {
            let stored = if frames { Stored::Frames } else { Stored::Checkpoints };
            print(grains::measure(run, scene.as_deref(), stored)?.trim_end())
        }
        Command::New { kind: None, .. } => print(&kinds()),
        Command::New { kind: Some(kind), file } => {
            let path = file.unwrap_or_else(|| format!("{kind}.toml").into());
            Template::of(&kind)?.write(&path)?;
            tell(&format!("wrote {0}; try: grains check {0}", path.display()));
            Ok(ExitCode::SUCCESS)
        }
        Command::Schema { page: true } => print(grains::reference::page().trim_end()),
        Command::Schema { page: false } => print(&format!("{:#}", grains::reference::schema())),
        Command::Convert { from, to, overwrite } => {
            for what in grains::convert(&from, &to, ConvertOptions { overwrite })? {
                tell(&format!("note: {}: {what}: not taken over", from.display()));
            }
            Ok(ExitCode::SUCCESS)
        }
    }
}

/// The kinds of scenes to begin with.
fn kinds() -> String {
    let lines = templates::ALL.iter().map(|one| format!("{:<11}{}", one.kind, one.about));
    lines.chain(["write one with: grains new KIND [FILE]".to_owned()]).collect::<Vec<_>>().join("\n")
}

/// Prints to the standard output. It is no error if nobody reads on.
fn print(text: &str) -> Result<ExitCode, GrainsError> {
    let mut out = std::io::stdout().lock();
    match writeln!(out, "{text}").and_then(|()| out.flush()) {
        Err(source) if source.kind() != ErrorKind::BrokenPipe => {
            Err(GrainsError::Io { path: "the standard output".into(), source })
        }
        _ => Ok(ExitCode::SUCCESS),
    }
}

/// Prints to the standard error. A run goes on if that cannot be written: its results are files.
fn tell(text: &str) {
    let _written = writeln!(std::io::stderr(), "{text}");
}

/// Whether the standard error takes colours.
fn is_styled() -> bool {
    std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|text| text.is_empty())
}

/// Takes all steps of a run, or those until Ctrl-C.
fn drive(mut run: Run, quiet: bool) -> Result<ExitCode, GrainsError> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    // If the handler cannot be set, Ctrl-C ends the program at once; `resume` continues that run, too.
    let _handled = ctrlc::set_handler(move || flag.store(true, Ordering::SeqCst));
    for note in run.simulation().notes().iter().filter(|_| !quiet) {
        tell(&note.report(is_styled()));
    }
    let mut progress = Progress::new(&run, quiet);
    let outcome = loop {
        if stop.load(Ordering::SeqCst) {
            break run.checkpoint().map(|()| true);
        }
        match run.advance() {
            Ok(true) => progress.show(&run),
            Ok(false) => break Ok(false),
            Err(error) => break Err(error),
        }
    };
    let (step, time) = (run.simulation().steps_taken(), run.simulation().state().time());
    progress.end(&run);
    let folder = run.folder().display().to_string();
    let written = run.finish();
    // The first error is reported.
    let interrupted = outcome?;
    written?;
    if interrupted {
        tell(&format!("interrupted after {step} steps at the time {time}; go on with: grains resume {folder}"));
        return Ok(ExitCode::from(INTERRUPTED));
    }
    tell(&format!("{step} steps to the time {time}; results in {folder}"));
    Ok(ExitCode::SUCCESS)
}

/// Describes a file.
fn info(file: &Path) -> Result<String, GrainsError> {
    if file.extension().is_some_and(|ending| ending == "toml") {
        let scene = Scene::from_path(file)?;
        return Ok(format!(
            "scene             {}\nintegrator        {}\nunits             {}\ngroups of bodies  {}\nwalls             {}\n\
             duration          {}",
            scene.title,
            scene.integrator.name(),
            scene.units,
            scene.bodies.len(),
            scene.walls.len(),
            if scene.stages.is_empty() {
                scene.time.duration.unwrap_or(0.0)
            } else {
                scene.stages.iter().map(|stage| stage.duration).sum()
            }
        ));
    }
    let path = if file.is_dir() { file.join("checkpoint.grains") } else { file.to_owned() };
    let Checkpoint { scene, simulation, quick, .. } = Checkpoint::read(path)?;
    let reading = simulation.read()?;
    Ok(format!(
        "checkpoint of     {}\nintegrator        {}\nbodies            {}\nstep              {} of {}{}\ntime              {}\n\
         time step         {}\nkinetic energy    {}\ncontacts          {}",
        scene.title,
        scene.integrator.name(),
        simulation.bodies().len(),
        simulation.steps_taken(),
        simulation.steps(),
        if quick { ", a quick run" } else { "" },
        reading.time,
        simulation.dt(),
        reading.kinetic.total(),
        reading.contacts.len()
    ))
}
