//! Sections of a page about grains and contacts in the last frame of each run, and about grains that passed gates.

use grains_pages::number;
use grains_pages::plot::Plot;

use super::contacts::Contacts;
use super::{Shown, packing};
use crate::error::GrainsError;
use crate::output::names::{self, FramePart};
use crate::results::frames::list;

/// A section about one run, or about several runs on the same axes.
pub(super) struct Part {
    pub(super) title: &'static str,
    pub(super) note: String,
    pub(super) plots: Vec<Plot>,
}

/// Makes the parts about grains and contacts in the last frame of a run, contacts in its table if frames have none, and
/// grains that passed gates. Returns them with the name of the run.
///
/// # Errors
/// Those of reading frames.
pub(super) fn parts(run: &Shown) -> Result<(&str, Vec<Part>), GrainsError> {
    let Shown { results, name, .. } = run;
    let mut parts = Vec::new();
    let mut add = |title: &'static str, note: String, plots: Vec<Plot>| parts.push(Part { title, note, plots });
    let at = |time: Option<f64>, plots: &[Plot]| match time {
        Some(time) if !plots.is_empty() => format!("At the time {} {}", number::short(time, 4), results.units.time),
        _ => String::new(),
    };
    let frame = if results.has(names::FRAMES) { list(&results.folder)?.pop() } else { None };
    let read = |part: FramePart| frame.as_ref().map_or(Ok(None), |frame| frame.read(part));
    let contacts = read(FramePart::Contacts)?.as_ref().and_then(Contacts::of_frame);
    if let Some(grains) = read(FramePart::Grains)? {
        let of_contacts = contacts.iter().flat_map(|contacts| contacts.plots(&results.units));
        let plots = packing::plots(&grains, &results.units).into_iter().chain(of_contacts).collect::<Vec<_>>();
        add("Grains and contacts in the last frame", at(frame.as_ref().map(|frame| frame.time), &plots), plots);
    }
    // The page does without a table that cannot be read, and says so.
    if contacts.is_none() && results.has(names::CONTACTS) {
        match results.table(names::CONTACTS) {
            Ok(table) => {
                let plots =
                    Contacts::of_table(&table).map(|contacts| contacts.plots(&results.units)).unwrap_or_default();
                add("Contacts", at(table.get("time").and_then(<[f64]>::last).copied(), &plots), plots);
            }
            Err(error) => add("Contacts", error.to_string(), Vec::new()),
        }
    }
    if results.has(names::PASSED) {
        match results.table(names::PASSED) {
            Ok(table) => add(
                "Grains that passed gates",
                String::new(),
                packing::passed(&table, &results.units).into_iter().collect(),
            ),
            Err(error) => add("Grains that passed gates", error.to_string(), Vec::new()),
        }
    }
    Ok((name, parts))
}

/// Joins the parts of several runs with one title to one part: plots with one title have the series of all runs, with the
/// names of the runs.
pub(super) fn joined(runs: Vec<(&str, Vec<Part>)>) -> Vec<Part> {
    let is_alone = runs.len() == 1;
    let mut all: Vec<Part> = Vec::new();
    let mut notes: Vec<Vec<(String, String)>> = Vec::new();
    for (name, parts) in runs {
        for Part { title, note, mut plots } in parts {
            let place = all.iter().position(|part| part.title == title).unwrap_or_else(|| {
                all.push(Part { title, note: String::new(), plots: Vec::new() });
                notes.push(Vec::new());
                all.len() - 1
            });
            if !note.is_empty() {
                notes[place].push((name.to_owned(), note));
            }
            if !is_alone {
                plots.iter_mut().for_each(|plot| rename(plot, name));
            }
            for plot in plots {
                match all[place].plots.iter_mut().find(|known| known.title == plot.title) {
                    Some(known) => known.series.extend(plot.series),
                    None => all[place].plots.push(plot),
                }
            }
        }
    }
    for (number, (part, notes)) in all.iter_mut().zip(notes).enumerate() {
        part.note = in_one(&notes);
        part.plots.iter_mut().enumerate().for_each(|(k, plot)| plot.id = format!("part{number}-{k}-{}", plot.id));
    }
    all
}

/// Puts the name of a run before the names of the series of a plot.
fn rename(plot: &mut Plot, run: &str) {
    for series in &mut plot.series {
        series.name = if series.name.is_empty() { run.to_owned() } else { format!("{run}: {}", series.name) };
        series.plain = true;
    }
}

/// Joins the notes of runs, given with the names of the runs: a note that all of them have is told once.
fn in_one(notes: &[(String, String)]) -> String {
    match notes {
        [(_, first), rest @ ..] if rest.iter().all(|(_, note)| note == first) => first.clone(),
        _ => notes.iter().map(|(name, note)| format!("{name}: {note}")).collect::<Vec<_>>().join("; "),
    }
}
