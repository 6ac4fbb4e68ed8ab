//! Number of grains that the sources of a scene will insert, estimated before a run.

use std::f64::consts::PI;

use dem_contact::source::Region;
use rrp_integrate::Bodies;

use super::domain::domain;
use super::parts::skin;
use super::sizes::refuse_bodies;
use super::sources::{PlannedSource, smallest};
use crate::error::{GrainsError, Note};
use crate::plan::Plan;
use crate::scene::sources::Amount;

/// Number of first grains of a source over which estimates are averaged.
const SAMPLE: u64 = 64;
/// Solid fraction that grains inserted at once fill of a source's region, or of the area of its disc or faces.
const FILL: f64 = 0.4;

/// Refuses sources that insert more grains than the memory holds, or grains too large for a periodic box. If gates
/// remove grains, the number that stays is unknown; the estimate then assumes one filling of the source's region.
///
/// # Errors
/// [`GrainsError::TooLarge`], and [`GrainsError::Refused`] for a box that is too small.
pub(crate) fn refuse_oversized_sources(
    plan: &Plan,
    planned: &[PlannedSource],
    bodies: &Bodies,
    quick: bool,
) -> Result<(), GrainsError> {
    let scene = &plan.stages[0].scene;
    if planned.is_empty() {
        return Ok(());
    }
    let domain = domain(scene)?;
    let skin = skin(scene, smallest(scene, bodies)?)?;
    let there = bodies.radius().iter().copied().fold(0.0, f64::max);
    let largest = planned.iter().map(|source| source.grains.sizes.largest()).fold(there, f64::max);
    let is_largest = |source: &PlannedSource| source.grains.sizes.largest() >= largest;
    if let Some(index) = planned.iter().position(is_largest) {
        let cutoff = domain.check_cutoff(2.0 * largest + skin);
        cutoff.map_err(GrainsError::refused(format!("sources[{index}].sizes")))?;
    }
    let removes = scene.gates.iter().any(|gate| gate.remove);
    let mut count = bodies.len();
    for (index, source) in planned.iter().enumerate() {
        let all = in_all(source, running_time(plan, index, quick));
        let at_once = at_once(source);
        // A stage may end before its time, so that fewer grains come than the rate gives; but the region is filled
        // once.
        let (key, coming) = match all {
            Some(("total", all)) if !removes => ("total", all),
            Some((key, all)) => (key, all.min(at_once)),
            None => ("sizes", at_once),
        };
        count = count.saturating_add(coming as usize);
        refuse_bodies(count, &format!("sources[{index}].{key}"))?;
    }
    Ok(())
}

/// Returns a note for each source on how many grains it inserts after the start.
pub(crate) fn notes(plan: &Plan, sources: &[PlannedSource], quick: bool) -> Vec<Note> {
    let note = |(index, source): (usize, &PlannedSource)| {
        let come = match in_all(source, running_time(plan, index, quick)) {
            Some((_, count)) if count < 1e6 => format!("about {count:.0} grains come, if there is room"),
            Some((_, count)) => format!("about {count:.0e} grains come, if there is room"),
            None => "grains come whenever there is room".to_owned(),
        };
        let counted = count_of(plan, index, source, quick);
        let text = format!("{come}: the estimates are for about {counted:.0}, from those of the trial steps");
        Note::new(format!("sources[{index}]"), text)
    };
    sources.iter().enumerate().map(note).collect()
}

/// Estimates the largest number of grains from all sources that are present at once.
pub(crate) fn count(plan: &Plan, sources: &[PlannedSource], quick: bool) -> usize {
    let counts = sources.iter().enumerate().map(|(index, source)| count_of(plan, index, source, quick));
    counts.sum::<f64>() as usize
}

/// Estimates the largest number of grains from one source that are present at once. This is the source's total, or the
/// number from its rate, if no gate removes grains. Otherwise it is the number that fits the source's region, or the
/// number from the rate if that is smaller.
fn count_of(plan: &Plan, index: usize, source: &PlannedSource, quick: bool) -> f64 {
    let removes = plan.stages[0].scene.gates.iter().any(|gate| gate.remove);
    match in_all(source, running_time(plan, index, quick)) {
        Some((key, all)) if key == "total" || !removes => all,
        Some((_, all)) => all.min(at_once(source)),
        None => at_once(source),
    }
}

/// Returns the time in s for which a source runs, if all stages last to their latest end.
fn running_time(plan: &Plan, index: usize, quick: bool) -> f64 {
    let runs = plan.stages.iter().filter(|stage| stage.running[index]);
    runs.map(|stage| stage.scene.duration(quick)).sum()
}

/// Estimates how many grains a source inserts in `seconds` of running, and returns this number with the key that limits
/// it, `total` or `rate`. None if only the space in its region limits the source.
fn in_all(source: &PlannedSource, seconds: f64) -> Option<(&'static str, f64)> {
    let number = |amount: Amount| amount.value() / mean(source, |radius| source.part(amount, radius));
    let total = source.total.map(|total| ("total", number(total)));
    let due = source.rate.map(|rate| ("rate", number(rate) * seconds));
    match (total, due) {
        (Some(total), Some(due)) => Some(if due.1 < total.1 { due } else { total }),
        (total, due) => total.or(due),
    }
}

/// Estimates how many grains fit in the region of a source at once.
fn at_once(source: &PlannedSource) -> f64 {
    match &source.grains.region {
        Region::Disc { radius: wide, .. } => FILL / mean(source, |radius| (radius / wide).powi(2)),
        Region::Faces(faces) => FILL / mean(source, |radius| PI * radius * radius / faces.area()),
        _ => FILL / mean(source, |radius| source.part(Amount::Fraction(1.0), radius)),
    }
}

/// Computes the mean of the function `of` of the radius (m) over the first grains of a source.
fn mean(source: &PlannedSource, of: impl Fn(f64) -> f64) -> f64 {
    let parts = (0..SAMPLE).map(|grain| of(source.grains.size(grain).0));
    parts.sum::<f64>() / SAMPLE as f64
}
