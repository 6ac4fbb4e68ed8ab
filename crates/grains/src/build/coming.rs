//! What would come from the sources of a scene in the course of a run, estimated before it begins.

use rrp_integrate::Bodies;

use super::domain::domain;
use super::parts::skin;
use super::sizes::refuse_bodies;
use super::sources::{PlannedSource, smallest, sources};
use crate::error::GrainsError;
use crate::scene::Scene;
use crate::scene::sources::Amount;

/// Grains whose mean is taken.
const SAMPLE: u64 = 64;
/// Share of the volume of a region that grains fill which come at once.
const FILL: f64 = 0.4;

/// Refuses sources that bring more grains than the memory holds, or larger ones than a periodic box takes. Where gates
/// take grains away, nobody knows how many stay.
///
/// # Errors
/// [`GrainsError::TooLarge`], and [`GrainsError::Refused`] for a box that is too small.
pub(crate) fn refuse_what_cannot_come(scene: &Scene, bodies: &Bodies) -> Result<(), GrainsError> {
    let planned = sources(scene)?;
    if planned.is_empty() {
        return Ok(());
    }
    let (domain, skin) = (domain(scene)?, skin(scene, smallest(scene, bodies)?)?);
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
        let Some((key, coming)) = coming(source).filter(|_| !removes) else { continue };
        count = count.saturating_add(coming as usize);
        refuse_bodies(count, &format!("sources[{index}].{key}"))?;
    }
    Ok(())
}

/// About how many grains come in all, and the key that says so; or how many fill the region at once. None where only
/// the duration tells.
fn coming(source: &PlannedSource) -> Option<(&'static str, f64)> {
    let mean = |amount: Amount| {
        let parts = (0..SAMPLE).map(|grain| source.part(amount, source.grains.size(grain).0));
        parts.sum::<f64>() / SAMPLE as f64
    };
    match (source.total, source.rate) {
        (Some(total), _) => Some(("total", total.value() / mean(total))),
        (None, None) if source.grains.region.volume() > 0.0 => Some(("sizes", FILL / mean(Amount::Fraction(1.0)))),
        _ => None,
    }
}
