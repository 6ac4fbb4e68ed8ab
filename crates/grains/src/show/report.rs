//! The page of a run: one HTML file with plots of everything that was written, which needs no network.
//!
//! `curves` plots series and means over time, `fields` fields on a grid, `packing` the grains and contacts of the last
//! frame, `view` has all frames. Of several runs `differences` finds the names in legends.

mod curves;
mod differences;
mod fields;
mod packing;
mod view;

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use grains_pages::figure::{self, Figure};
use grains_pages::number;
use grains_pages::plot::Plot;
use grains_pages::view::{SCRIPTS, STYLE};
use grains_pages::web::{self, Library};
use maud::{DOCTYPE, Markup, html};

use self::curves::Curve;
use self::view::ShownView;
use crate::error::GrainsError;
use crate::files;
use crate::output::names::{self, FramePart};
use crate::results::Results;
use crate::results::frames::list;
use crate::results::labels::Labels;
use crate::results::table::Table;
use crate::storage;

/// Name of the page in the folder of a run.
pub(crate) const PAGE: &str = "report.html";

/// Text in the head of each page, by which a page is told from files of other programs.
const MARK: &str = "<meta name=\"generator\" content=\"grains report\">";

/// A run on the page.
struct Shown {
    results: Results,
    /// Name of the run in legends.
    name: String,
    /// Scene of the run as TOML text; none if the run has no checkpoint that this version reads.
    scene: Option<String>,
    /// The view of its frames; none for a run without frames.
    view: Option<ShownView>,
    /// Tables of the run with their file names.
    tables: Vec<(String, Table)>,
}

/// Writes the page of one or several runs to `to`. A page that this command has written there before is replaced.
///
/// # Errors
/// [`GrainsError::NoFolder`] and [`GrainsError::NoResults`]; [`GrainsError::Exists`] if another file is at `to` and
/// `overwrite` is not set; errors of reading results, and [`GrainsError::Io`].
pub fn report(runs: &[PathBuf], to: &Path, overwrite: bool) -> Result<(), GrainsError> {
    let page = page(runs)?;
    let is_own = fs::read_to_string(to).is_ok_and(|text| text.contains(MARK));
    files::write_new(to, overwrite || is_own, |file| file.write_all(page.as_bytes()).map_err(GrainsError::io(to)))
}

/// Makes the text of the page of one or several runs.
fn page(runs: &[PathBuf]) -> Result<String, GrainsError> {
    let runs = shown(runs)?;
    let sections = sections(&runs)?;
    let figures = || sections.iter().flat_map(|section| &section.figures);
    let title = runs.iter().map(|run| run.results.name()).collect::<Vec<_>>().join(", ");
    let views = || runs.iter().filter_map(|run| Some((run, run.view.as_ref()?)));
    let has_views = views().next().is_some();
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
                            @if !shown.note.is_empty() { p.faint { (shown.note) "." } }
                            (shown.view.markup())
                        }
                    }
                    @for section in &sections {
                        section {
                            h2 { (section.title) }
                            @if !section.note.is_empty() { p.faint { (section.note) } }
                            div.plots { @for figure in &section.figures { (figure.markup()) } }
                        }
                    }
                    @for run in &runs { (scene(run)) }
                }
                footer {
                    p.faint { "Made by grains " (env!("CARGO_PKG_VERSION")) ". Numbers are those of the files of the run." }
                    (web::notice(libraries))
                }
                @for figure in figures() { (figure.script()) }
                @for (_, shown) in views() {
                    (shown.view.data())
                    @for block in shown.view.blocks() { (block) }
                }
                (web::scripts(libraries, if has_views { &SCRIPTS } else { &[] }))
            }
        }
    };
    Ok(page.into_string())
}

fn shown(runs: &[PathBuf]) -> Result<Vec<Shown>, GrainsError> {
    let opened = runs.iter().map(|run| Results::open(run)).collect::<Result<Vec<_>, _>>()?;
    let stored = |results: &Results| storage::read(&results.folder.join(storage::FILE), "checkpoint").ok();
    let scenes = opened.iter().map(|results| Some(stored(results)?.0.scene)).collect::<Vec<_>>();
    let folders = opened.iter().map(Results::name).collect::<Vec<_>>();
    let names = differences::names(&folders, &scenes);
    let count = opened.len();
    let mut shown = Vec::with_capacity(count);
    for (number, (results, name)) in opened.into_iter().zip(names).enumerate() {
        let table = |file: String| Ok((file.clone(), results.table(&file)?));
        let tables = results.tables()?.into_iter().map(table).collect::<Result<_, GrainsError>>()?;
        let labels = Labels::read(&results);
        let view = view::view(&results, &labels, &format!("view{number}"), count)?;
        shown.push(Shown { results, name, scene: scenes[number].clone(), view, tables });
    }
    Ok(shown)
}

/// A part of the page: figures with a title.
struct Section {
    title: String,
    note: String,
    figures: Vec<Figure>,
}

impl Section {
    fn new(title: String, note: String, plots: Vec<Plot>) -> Result<Self, GrainsError> {
        let figures = plots.iter().map(|plot| Figure::new(plot.id.clone(), plot)).collect::<Result<_, _>>()?;
        Ok(Self { title, note, figures })
    }
}

/// Makes all sections with figures: of the tables of all runs, then of the last frame of each run.
fn sections(runs: &[Shown]) -> Result<Vec<Section>, GrainsError> {
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
        let curves = with_table.clone().map(|(run, table)| Curve { run: &run.name, table }).collect::<Vec<_>>();
        if curves.iter().all(|curve| crate::show::plot::has_one_row_a_time(curve.table)) {
            sections.push(Section::new(title_of(file), String::new(), curves::plots(&id, &curves))?);
            continue;
        }
        for (k, (run, table)) in with_table.enumerate() {
            let title = if runs.len() > 1 { format!("{}: {}", title_of(file), run.name) } else { title_of(file) };
            sections.push(Section::new(title, String::new(), fields::plots(&format!("{id}-{k}"), table))?);
        }
    }
    for (number, run) in runs.iter().enumerate() {
        sections.extend(of_last_frame(run, number, runs.len() > 1)?);
    }
    sections.retain(|section| !section.figures.is_empty());
    Ok(sections)
}

/// Makes the section about grains and contacts in the last frame of a run; none for a run without frames.
fn of_last_frame(run: &Shown, number: usize, is_named: bool) -> Result<Option<Section>, GrainsError> {
    if !run.results.has(names::FRAMES) {
        return Ok(None);
    }
    let Some(frame) = list(&run.results.folder)?.pop() else { return Ok(None) };
    let Some(grains) = frame.read(FramePart::Grains)? else { return Ok(None) };
    let contacts = frame.read(FramePart::Contacts)?;
    let mut plots = packing::plots(&grains, contacts.as_ref());
    plots.iter_mut().for_each(|plot| plot.id = format!("frame{number}-{}", plot.id));
    let name = if is_named { format!(": {}", run.name) } else { String::new() };
    let title = format!("Grains and contacts in the last frame{name}");
    let note = format!("{} grains at the time {} s", grains.points.len(), number::short(frame.time, 6));
    Section::new(title, note, plots).map(Some)
}

/// Returns the title of the section of a table.
fn title_of(file: &str) -> String {
    match file.strip_prefix("measure-").and_then(|rest| rest.strip_suffix(".csv")) {
        Some(name) => format!("Measured: {name}"),
        None => "Time series".to_owned(),
    }
}

/// Returns what was run, and how far it has come.
fn summary(run: &Shown, is_named: bool) -> Markup {
    let scene: Option<toml::Table> = run.scene.as_deref().and_then(|text| text.parse().ok());
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
            @if let Some(bodies) = last("bodies") { ", " (bodies) " grains" }
            @if let Some(seconds) = took(&run.results.folder) { ", written within " (number::short(seconds, 3)) " s" }
            "."
            @if run.scene.is_none() { " The run has no checkpoint that this version reads, so its scene is not shown." }
        }
    }
}

/// Returns the time in s from the first to the last change of the results in `folder`.
fn took(folder: &Path) -> Option<f64> {
    let changed = |path: &Path| fs::metadata(path).and_then(|metadata| metadata.modified()).ok();
    let first = changed(&folder.join(names::COLUMNS))?;
    let last = names::files_in(folder, names::is_result).ok()?.iter().filter_map(|path| changed(path)).max()?;
    last.duration_since(first).ok().map(|duration| duration.as_secs_f64())
}

/// Returns the scene of a run as text.
fn scene(run: &Shown) -> Markup {
    html! {
        @if let Some(scene) = &run.scene {
            details { summary { "Scene of " (run.name) } pre { (scene) } }
        }
    }
}
