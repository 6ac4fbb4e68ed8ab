//! The page of a run: one HTML file with plots of everything that was written, which needs no network.
//!
//! `curves` plots series and means over time, `fields` fields on a grid; `last_frame` has the sections about one moment,
//! with plots by `packing` of the grains and of those that passed gates, and by `contacts`; `view` has all frames. Of
//! several runs `differences` finds the names in legends.

mod contacts;
mod curves;
mod fields;
mod last_frame;
mod packing;
mod view;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use grains_pages::figure::{self, Figure};
use grains_pages::map::{self, Map};
use grains_pages::number;
use grains_pages::plot::Plot;
use grains_pages::view::{SCRIPTS, STYLE};
use grains_pages::web::{self, Library};
use maud::{DOCTYPE, Markup, html};

use self::curves::{Curve, Curves};
use self::view::ViewName;
use crate::error::GrainsError;
use crate::output::names;
use crate::output::page::{MARK, PAGE, is_page};
use crate::results::Results;
use crate::results::asked::Asked;
use crate::results::table::{Span, Table};
use crate::show::{differences, write_file};
use crate::storage::{self, SceneFile};

/// Largest size of a page in bytes.
const BYTES: usize = 58_000_000;
/// Bytes of the libraries and scripts of a page, rounded up.
const LIBRARIES: usize = 3_000_000;
/// A run that the page shows.
struct Shown {
    results: Results,
    /// Name of the run in legends.
    name: String,
    /// Tables of the run with their file names.
    tables: Vec<(String, Table)>,
}

/// Writes the page of one or several runs to `to`. A page that this command has written there before is replaced.
///
/// # Errors
/// [`GrainsError::NoResults`]; [`GrainsError::Exists`] if another file is at `to` and
/// `overwrite` is not set; errors of reading results, and [`GrainsError::Io`].
pub fn report(runs: &[PathBuf], to: &Path, overwrite: bool) -> Result<(), GrainsError> {
    report_of(runs, Span::default(), to, overwrite)
}

/// Writes a page as [`report`] does. Its plots over time show the part `span` of the runs alone.
///
/// # Errors
/// As [`report`], and [`GrainsError::NothingInside`] if no row of the time series of a run is in this part.
pub(crate) fn report_of(runs: &[PathBuf], span: Span, to: &Path, overwrite: bool) -> Result<(), GrainsError> {
    let page = page(runs, span)?;
    write_file(to, overwrite || is_page(to), page.as_bytes())
}

/// Returns whether the page of a run in its folder is older than its results.
pub(crate) fn is_outdated(folder: &Path) -> bool {
    let modified = |name: &str| fs::metadata(folder.join(name)).ok()?.modified().ok();
    let page = modified(PAGE).filter(|_| is_page(&folder.join(PAGE)));
    page.is_some_and(|page| [names::SERIES, storage::FILE].into_iter().filter_map(modified).any(|last| last > page))
}

/// Makes the text of the page of one or several runs.
fn page(runs: &[PathBuf], span: Span) -> Result<String, GrainsError> {
    let runs = shown(runs)?;
    let sections = sections(&runs, span)?;
    let figures = || sections.iter().flat_map(|section| &section.figures);
    let title = runs.iter().map(|run| run.results.name()).collect::<Vec<_>>().join(", ");
    let maps = || sections.iter().flat_map(|section| &section.maps);
    let plots = figures().map(Figure::bytes).sum::<usize>() + maps().map(Map::bytes).sum::<usize>();
    let share = BYTES.saturating_sub(LIBRARIES + plots) / runs.len().max(1);
    let view = |(number, run): (usize, &Shown)| {
        let id = format!("view{number}");
        view::view(&run.results, ViewName { id: &id, caption: &run.name }, share)
    };
    let shown = runs.iter().enumerate().map(view).collect::<Result<Vec<_>, _>>()?;
    let views = || shown.iter().flatten();
    let has_views = views().next().is_some();
    let mut scripts = vec![map::SCRIPT; usize::from(maps().next().is_some())];
    scripts.extend(has_views.then_some(SCRIPTS).into_iter().flatten());
    let libraries: &[Library] = if has_views { &[Library::Plotly, Library::Three] } else { &[Library::Plotly] };
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                (maud::PreEscaped(MARK))
                // The page fetches nothing, and this policy forbids it.
                meta http-equiv="Content-Security-Policy" content=(web::POLICY);
                title { (title) }
                (web::style(STYLE))
                (figure::styles(figures().map(Figure::svg)))
            }
            body {
                header {
                    h1 { (title) }
                    @for run in &runs { (summary(run, runs.len() > 1)) }
                }
                main.reading {
                    @if has_views {
                        section {
                            h2 { "Grains" }
                            div.views {
                                @for shown in views() {
                                    div {
                                        (shown.view.markup())
                                        @if !shown.note.is_empty() { p.faint { (shown.note) } }
                                    }
                                }
                            }
                        }
                    }
                    @if sections.is_empty() && !has_views { p { "There are no numbers and no frames to show yet." } }
                    @for section in &sections {
                        section {
                            h2 { (section.title) }
                            @if !section.note.is_empty() { p.faint { (section.note) } }
                            div.plots {
                                @if let Some(maps) = &section.maps { (maps.markup()) }
                                @for figure in &section.figures { (figure.markup()) }
                            }
                        }
                    }
                    @for run in &runs { (scene(run)) }
                }
                footer {
                    p.faint {
                        "Made by grains " (env!("CARGO_PKG_VERSION")) ". Numbers are those of the files of the run."
                    }
                    (web::notice(libraries))
                }
                @for map in maps() { (map.script()) }
                @for figure in figures() { (figure.script()) }
                @for shown in views() {
                    (shown.view.data())
                    @for block in shown.view.blocks() { (block) }
                }
                (web::scripts(libraries, &scripts))
            }
        }
    };
    Ok(page.into_string())
}

fn shown(runs: &[PathBuf]) -> Result<Vec<Shown>, GrainsError> {
    let opened = runs.iter().map(|run| Results::open(run)).collect::<Result<Vec<_>, _>>()?;
    let names = differences::names(&opened);
    let of_run = |(results, name): (Results, String)| {
        let table = |file: String| Ok((file.clone(), results.table(&file)?));
        let tables = results.tables()?.into_iter().map(table).collect::<Result<_, GrainsError>>()?;
        Ok(Shown { results, name, tables })
    };
    opened.into_iter().zip(names).map(of_run).collect()
}

/// A part of the page: maps and figures with a title.
struct Section {
    title: String,
    note: String,
    maps: Option<Map>,
    figures: Vec<Figure>,
}

impl Section {
    fn new(title: String, note: String, plots: Vec<Plot>) -> Result<Self, GrainsError> {
        let figures = plots.iter().map(|plot| Figure::new(plot.id.clone(), plot)).collect::<Result<_, _>>()?;
        Ok(Self { title, note, maps: None, figures })
    }
}

/// Makes all sections with figures: of the tables of all runs, then of the grains and contacts of each run.
fn sections<'a>(runs: &'a [Shown], span: Span) -> Result<Vec<Section>, GrainsError> {
    let mut files: Vec<&str> = Vec::new();
    for (file, _) in runs.iter().flat_map(|run| &run.tables) {
        if !files.contains(&&file[..]) {
            files.push(file);
        }
    }
    let mut sections = Vec::new();
    for (number, file) in files.into_iter().enumerate() {
        let with_table = runs.iter().filter_map(|run| {
            let (_, table) = run.tables.iter().find(|(known, _)| known == file)?;
            Some((run, table))
        });
        let id = format!("table{number}");
        let asked = |run: &Shown, table: &Table| {
            if file == names::SERIES { run.results.asked(table) } else { Asked::new() }
        };
        let curve =
            |(run, table): (&'a Shown, &'a Table)| Curve { run: &run.name, table, asked: asked(run, table), span };
        let curves = with_table.clone().map(curve).collect::<Vec<_>>();
        if curves.iter().all(|curve| curve.table.has_one_row_a_time()) {
            if file == names::SERIES {
                curves.iter().try_for_each(|curve| curve.table.require_rows_in(span))?;
            }
            let Curves { plots, constant } = curves::of_tables(&id, &curves);
            let constant = if constant.is_empty() { None } else { Some(format!("Constant: {}.", constant.join("; "))) };
            let note = in_words_of(span).into_iter().chain(constant).collect::<Vec<_>>().join(" ");
            sections.push(Section::new(title_of(file), note, plots)?);
            continue;
        }
        for (k, (run, table)) in with_table.enumerate() {
            let title = if runs.len() > 1 { format!("{}: {}", title_of(file), run.name) } else { title_of(file) };
            let (maps, note) = match fields::maps(&format!("{id}-{k}-maps"), table) {
                Ok(maps) => (maps, String::new()),
                Err(too_many) => (None, too_many.to_string()),
            };
            let section = Section::new(title, note, fields::plots(&format!("{id}-{k}"), table))?;
            sections.push(Section { maps, ..section });
        }
    }
    let parts = runs.iter().map(last_frame::parts).collect::<Result<Vec<_>, _>>()?;
    for part in last_frame::joined(parts) {
        sections.push(Section::new(part.title.to_owned(), part.note, part.plots)?);
    }
    sections.retain(|section| !section.figures.is_empty() || section.maps.is_some() || !section.note.is_empty());
    Ok(sections)
}

/// Returns the part of the time that plots show in words; `None` for all of it.
fn in_words_of(span: Span) -> Option<String> {
    let end = |word: &str, time: Option<f64>| time.map(|time| format!(" {word} {} s", number::short(time, 6)));
    let ends = [end("from", span.from), end("until", span.until)].into_iter().flatten().collect::<String>();
    (!ends.is_empty()).then(|| format!("Shown{ends}."))
}

/// Returns the title of the section of a table.
fn title_of(file: &str) -> String {
    match file.strip_prefix("measure-").and_then(|rest| rest.strip_suffix(".csv")) {
        Some(name) => format!("Measured: {name}"),
        None => "Time series".to_owned(),
    }
}

/// Returns the summary of a run: title, folder, simulated time, steps and bodies.
fn summary(run: &Shown, is_named: bool) -> Markup {
    let scene: Option<toml::Table> = run.results.scene.as_deref().and_then(|text| text.parse().ok());
    let title = scene.as_ref().and_then(|scene| scene.get("title")?.as_str()).map(str::to_owned);
    let series = run.tables.iter().find(|(file, _)| file == names::SERIES).map(|(_, table)| table);
    let last = |column: &str| series.and_then(|table| table.get(column)?.last().copied());
    html! {
        p.verdict {
            @if is_named { strong { (run.name) } ": " }
            @if let Some(title) = title { (title) }
        }
        p.faint {
            "Results in " (run.results.folder.display())
            @if let Some(time) = last("time") { ", up to the time " (number::short(time, 4)) " " (run.results.units.time) }
            @if let Some(step) = last("step") { ", " (step) " steps" }
            @if let Some(bodies) = last("bodies") { ", " (bodies) " bodies" }
            "."
            @if let Some(SceneFile { path, set }) = &run.results.file {
                " The scene is " (path.file_name().unwrap_or_default().to_string_lossy())
                @for key in set { ", with " code { (key) } }
                "."
            }
            @if let Some(within) = run.results.written_within() {
                " Its files were written within " (in_words(within)) ", stops included."
            }
            @if run.results.scene.is_none() {
                " There is no checkpoint of a run that this version reads, so no scene is shown."
            }
        }
    }
}

/// Returns a duration in words, as people read it.
fn in_words(duration: Duration) -> String {
    let seconds = duration.as_secs();
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, 0, _) => format!("{} s", number::short(duration.as_secs_f64(), 2)),
        (0, minutes, seconds) => format!("{minutes} min {seconds} s"),
        (hours, minutes, _) => format!("{hours} h {minutes} min"),
    }
}

/// Returns the scene of a run as text.
fn scene(run: &Shown) -> Markup {
    html! {
        @if let Some(scene) = &run.results.scene {
            details { summary { "Scene of " (run.name) } pre { (scene) } }
        }
    }
}
