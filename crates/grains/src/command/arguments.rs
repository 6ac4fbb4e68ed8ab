//! The arguments of the command line.

use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueEnum};

use super::values::{number, numbers, pixels};

/// Runs scenes of grains.
#[derive(Debug, Parser)]
#[command(version, about)]
pub(super) struct Line {
    #[command(subcommand)]
    pub(super) command: Command,
    /// Number of threads; results do not depend on it.
    #[arg(long, global = true, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(super) threads: Option<u16>,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Runs a scene from start to end.
    Run {
        /// File of the scene to run.
        scene: PathBuf,
        /// Folder of the results; the one that the scene names if not given.
        #[arg(long)]
        output: Option<PathBuf>,
        /// Runs the short version of the scene, for the duration time.quick.
        #[arg(long)]
        quick: bool,
        /// Removes results of an earlier run from the folder first, and the page of them.
        #[arg(long)]
        overwrite: bool,
        /// Sets a key of the scene, such as time.dt=1e-5 or walls[0].name=lid; may be given several times.
        #[arg(long, value_name = "KEY=VALUE")]
        set: Vec<String>,
        /// Prints only how the run ended, neither progress nor notes.
        #[arg(long)]
        quiet: bool,
        /// Prints progress and end as lines of JSON on the standard output.
        #[arg(long, conflicts_with = "quiet")]
        json: bool,
        /// Number of ranks, which share the bodies out among them; results do not depend on it.
        #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
        ranks: u16,
    },
    /// Checks a scene and estimates what its run would take.
    Check {
        /// File of the scene to check.
        scene: PathBuf,
        /// Checks the short version of the scene.
        #[arg(long)]
        quick: bool,
        /// Sets a key of the scene, such as time.dt=1e-5 or walls[0].name=lid; may be given several times.
        #[arg(long, value_name = "KEY=VALUE")]
        set: Vec<String>,
        /// Prints the answer as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Continues a run that was stopped or killed, to the same results.
    Resume {
        /// Folder of the run's results, or a checkpoint in it.
        run: PathBuf,
        /// Prints only how the run ended, neither progress nor notes.
        #[arg(long)]
        quiet: bool,
        /// Prints progress and end as lines of JSON on the standard output.
        #[arg(long, conflicts_with = "quiet")]
        json: bool,
        /// Number of ranks, whatever it was before the stop; results do not depend on it.
        #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
        ranks: u16,
    },
    /// Describes a scene or a checkpoint.
    Info {
        /// File of a scene, a checkpoint, or a folder of results.
        file: PathBuf,
        /// Prints the answer as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Measures the stored checkpoints or frames of a run, each once, by the `[[measure]]` of its scene, as tables on
    /// the standard output.
    Measure {
        /// Folder of the run's results, or a checkpoint in it.
        run: PathBuf,
        /// Measures all frames instead of the last two checkpoints.
        #[arg(long)]
        frames: bool,
        /// File of a scene whose measurements are taken instead of those of the run's scene.
        #[arg(long)]
        scene: Option<PathBuf>,
        /// Folder into which the tables are written as measure-NAME.csv instead, which `plot` and `report` show.
        #[arg(short, long, value_name = "FOLDER", conflicts_with = "json")]
        output: Option<PathBuf>,
        /// Replaces tables in the folder that are there already, except those that a run has written itself.
        #[arg(long, requires = "output")]
        overwrite: bool,
        /// Prints the tables as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Writes a page with plots of everything that one or several runs have written.
    Report {
        /// Folders of results; several runs are drawn on the same axes.
        #[arg(required = true)]
        runs: Vec<PathBuf>,
        /// Time before which plots over time show nothing, such as the end of an initial fall.
        #[arg(long, value_name = "TIME", value_parser = number)]
        from: Option<f64>,
        /// Time after which plots over time show nothing.
        #[arg(long, value_name = "TIME", value_parser = number)]
        until: Option<f64>,
        /// File to write; report.html in the folder of the first run if not given.
        #[arg(short, long, value_name = "FILE")]
        output: Option<PathBuf>,
        /// Replaces the written file if it is there already; a page that this command has written is always replaced.
        #[arg(long)]
        overwrite: bool,
    },
    /// Draws a frame of a run as a picture.
    Picture {
        /// Folder of the run's results.
        run: PathBuf,
        /// Time of the frame to draw, the nearest one is taken; the last frame if not given.
        #[arg(long, value_name = "TIME", value_parser = number, conflicts_with = "movie")]
        at: Option<f64>,
        /// Column of the grains that decides on their colours: speed, diameter, overlap, an array of the frames, or a
        /// component such as `velocity_z`. If not given, grains are coloured by their speed, and grey with --forces.
        #[arg(long, value_name = "COLUMN")]
        colour: Option<String>,
        /// Smallest and largest number of the colour bar.
        #[arg(long, value_name = "LOW,HIGH", value_parser = numbers::<2>, allow_hyphen_values = true)]
        range: Option<[f64; 2]>,
        /// Direction towards the eye.
        #[arg(long, value_name = "X,Y,Z", value_parser = numbers::<3>, allow_hyphen_values = true)]
        from: Option<[f64; 3]>,
        /// Width and height in pixels.
        #[arg(long, value_name = "WIDTH,HEIGHT", value_parser = pixels, default_value = "1200,900")]
        size: [usize; 2],
        /// Draws contact forces as coloured lines, through grains that are grey unless --colour is given.
        #[arg(long)]
        forces: bool,
        /// Draws bonds as lines.
        #[arg(long)]
        bonds: bool,
        /// Leaves out walls.
        #[arg(long)]
        no_walls: bool,
        /// Draws all frames as numbered pictures, and a film where ffmpeg is installed.
        #[arg(long)]
        movie: bool,
        /// File to write, .png; picture.png if not given.
        #[arg(short, long, value_name = "FILE", default_value = "picture.png")]
        output: PathBuf,
        /// Replaces written files if they are there already.
        #[arg(long)]
        overwrite: bool,
    },
    /// Plots columns of results as a picture.
    Plot {
        /// Folder of the run's results.
        run: PathBuf,
        /// Columns to plot: of the time series, or NAME:COLUMN of the file NAME.csv or, if there is none, of the
        /// measurement NAME; measure-NAME:COLUMN is always that of a measurement. Lists the columns with their units if
        /// none is given.
        columns: Vec<String>,
        /// Folder of another run that is plotted on the same axes; may be given several times.
        #[arg(long, value_name = "RUN")]
        with: Vec<PathBuf>,
        /// Column along the horizontal axis instead of the time.
        #[arg(long, value_name = "COLUMN")]
        against: Option<String>,
        /// Time at which fields on a grid are plotted instead of the last one.
        #[arg(long, value_name = "TIME", value_parser = number)]
        at: Option<f64>,
        /// Time before which nothing is plotted.
        #[arg(long, value_name = "TIME", value_parser = number)]
        from: Option<f64>,
        /// Time after which nothing is plotted.
        #[arg(long, value_name = "TIME", value_parser = number)]
        until: Option<f64>,
        /// Axes with a logarithmic scale.
        #[arg(long, value_enum)]
        log: Option<LogAxes>,
        /// File to write, .svg or .png; COLUMN.svg if not given.
        #[arg(short, long, value_name = "FILE")]
        output: Option<PathBuf>,
        /// Replaces the written file if it is there already.
        #[arg(long)]
        overwrite: bool,
    },
    /// Writes a commented scene to begin with; lists the kinds of scenes if none is given.
    New {
        /// Kind of the scene to write.
        kind: Option<String>,
        /// File to write; KIND.toml if not given. A file that is there is never replaced.
        file: Option<PathBuf>,
    },
    /// Prints the JSON schema of scenes, for editors, or the pages of all keys and of all columns of results.
    Schema {
        /// Prints the page of all keys in Markdown instead of the schema.
        #[arg(long)]
        page: bool,
        /// Prints the page of all columns of results in Markdown instead of the schema.
        #[arg(long, conflicts_with = "page")]
        columns: bool,
    },
    /// Converts bodies from .csv, .data, .data.gz, .vtp, .grains or .toml to .csv, .data or .vtp.
    Convert {
        /// File of bodies to read.
        from: PathBuf,
        /// File of bodies to write.
        to: PathBuf,
        /// Replaces the written file if it is there already.
        #[arg(long)]
        overwrite: bool,
    },
}

/// Choice of the axes of a plot that have a logarithmic scale.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum LogAxes {
    X,
    Y,
    Xy,
}
