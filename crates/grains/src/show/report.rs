//! The page of a run: one HTML file with plots of everything that was written, which needs no network.
//!
//! `curves` plots series and means over time, `fields` fields on a grid, `packing` the grains of the last frame and those
//! that passed gates, `contacts` contacts at the last time, `view` has all frames. Of several runs `differences` finds the
//! names in legends.

mod contacts;
mod curves;
mod fields;
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

use self::contacts::Contacts;
use self::curves::Curve;
use crate::error::GrainsError;
use crate::output::names::{self, FramePart};
use crate::output::page::{MARK, PAGE, is_page};
use crate::results::Results;
use crate::results::asked::Asked;
use crate::results::frames::list;
use crate::results::table::Table;
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
    let page = page(runs)?;
    write_file(to, overwrite || is_page(to), page.as_bytes())
}

/// Returns whether the page of a run in its folder is older than its results.
pub(crate) fn is_outdated(folder: &Path) -> bool {
    let modified = |name: &str| fs::metadata(folder.join(name)).ok()?.modified().ok();
    let page = modified(PAGE).filter(|_| is_page(&folder.join(PAGE)));
    page.is_some_and(|page| [names::SERIES, storage::FILE].into_iter().filter_map(modified).any(|last| last > page))
}

/// Makes the text of the page of one or several runs.
fn page(runs: &[PathBuf]) -> Result<String, GrainsError> {
    let runs = shown(runs)?;
    let sections = sections(&runs)?;
    let figures = || sections.iter().flat_map(|section| &section.figures);
    let title = runs.iter().map(|run| run.results.name()).collect::<Vec<_>>().join(", ");
    let maps = || sections.iter().flat_map(|section| &section.maps);
    let plots = figures().map(Figure::bytes).sum::<usize>() + maps().map(Map::bytes).sum::<usize>();
    let share = BYTES.saturating_sub(LIBRARIES + plots) / runs.len().max(1);
    let view = |(number, run): (usize, &Shown)| view::view(&run.results, &format!("view{number}"), share);
    let shown = runs.iter().enumerate().map(view).collect::<Result<Vec<_>, _>>()?;
    let views = || runs.iter().zip(&shown).filter_map(|(run, shown)| Some((run, shown.as_ref()?)));
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
                    @for (run, shown) in views() {
                        section {
                            h2 { "Frames" @if runs.len() > 1 { ": " (run.name) } }
                            @if !shown.note.is_empty() { p.faint { (shown.note) } }
                            (shown.view.markup())
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
                @for (_, shown) in views() {
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
fn sections<'a>(runs: &'a [Shown]) -> Result<Vec<Section>, GrainsError> {
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
        let curve = |(run, table): (&'a Shown, &'a Table)| Curve { run: &run.name, table, asked: asked(run, table) };
        let curves = with_table.clone().map(curve).collect::<Vec<_>>();
        if curves.iter().all(|curve| curve.table.has_one_row_a_time()) {
            sections.push(Section::new(title_of(file), String::new(), curves::plots(&id, &curves))?);
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
    for (number, run) in runs.iter().enumerate() {
        sections.extend(of_run(run, number, runs.len() > 1)?);
    }
    sections.retain(|section| !section.figures.is_empty() || section.maps.is_some() || !section.note.is_empty());
    Ok(sections)
}

/// Makes the sections about grains and contacts in the last frame of a run, contacts in its table if frames have none, and
/// grains that passed gates.
fn of_run(run: &Shown, number: usize, is_named: bool) -> Result<Vec<Section>, GrainsError> {
    let Shown { results, name, .. } = run;
    let mut sections = Vec::new();
    let mut add = |title: &str, note: String, mut plots: Vec<Plot>| {
        plots.iter_mut().for_each(|plot| plot.id = format!("run{number}-{}", plot.id));
        let title = if is_named { format!("{title}: {name}") } else { title.to_owned() };
        Section::new(title, note, plots).map(|section| sections.push(section))
    };
    let at = |time: Option<f64>, plots: &[Plot]| match time {
        Some(time) if !plots.is_empty() => format!("At the time {} s", number::short(time, 6)),
        _ => String::new(),
    };
    let frame = if results.has(names::FRAMES) { list(&results.folder)?.pop() } else { None };
    let read = |part: FramePart| frame.as_ref().map_or(Ok(None), |frame| frame.read(part));
    let contacts = read(FramePart::Contacts)?.as_ref().and_then(Contacts::of_frame);
    if let Some(grains) = read(FramePart::Grains)? {
        let of_contacts = contacts.iter().flat_map(Contacts::plots);
        let plots = packing::plots(&grains).into_iter().chain(of_contacts).collect::<Vec<_>>();
        add("Grains and contacts in the last frame", at(frame.as_ref().map(|frame| frame.time), &plots), plots)?;
    }
    // The page does without a table that cannot be read, and says so.
    if contacts.is_none() && results.has(names::CONTACTS) {
        match results.table(names::CONTACTS) {
            Ok(table) => {
                let plots = Contacts::of_table(&table).map(|contacts| contacts.plots()).unwrap_or_default();
                add("Contacts", at(table.get("time").and_then(<[f64]>::last).copied(), &plots), plots)?;
            }
            Err(error) => add("Contacts", error.to_string(), Vec::new())?,
        }
    }
    if results.has(names::PASSED) {
        match results.table(names::PASSED) {
            Ok(table) => add("Grains that passed gates", String::new(), packing::passed(&table).into_iter().collect())?,
            Err(error) => add("Grains that passed gates", error.to_string(), Vec::new())?,
        }
    }
    Ok(sections)
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
            @if let Some(time) = last("time") { ", up to the time " (number::short(time, 6)) " s" }
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
