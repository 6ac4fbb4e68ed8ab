//! The time step and the number of steps.

use super::bodies::smallest_radius;
use super::situation::Situation;
use super::time_scales::{Bound, TimeScales, time_scales};
use crate::error::{GrainsError, Location, Note};
use crate::scene::Scene;
use crate::scene::integrator::Method;
use crate::scene::time::TimeStep;
use crate::scene::units::Units;
use crate::value::{not_negative, positive, rounded};

/// Radius in m above which an error suggests another unit of length, since grains are rarely as large.
const LARGE: f64 = 0.1;
const MOST: f64 = 1e13;
/// Relative excess of a step over the recommended step without a note, so that a recommendation rounded to four digits
/// passes.
const ROUNDED: f64 = 1e-3;

/// Time step, number of steps and notes of a stage.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Steps {
    pub(crate) dt: f64,
    pub(crate) count: u64,
    /// The recommended step, if a time scale is known.
    pub(crate) recommended: Option<RecommendedStep>,
    pub(crate) note: Option<Note>,
}

/// Chooses the time step of `scene` and counts its steps.
///
/// # Errors
/// For invalid times, steps that are too long, and too many steps.
pub(crate) fn steps(scene: &Scene, situation: &Situation<'_>, quick: bool) -> Result<Steps, GrainsError> {
    if matches!(scene.integrator, Method::Static(_)) {
        return Ok(Steps { dt: 1.0, count: 1, recommended: None, note: None });
    }
    let Some(whole) = scene.time.duration else {
        return Err(GrainsError::MissingKey { at: Location::of("time"), missing: "duration".into() });
    };
    not_negative("time.duration", whole)?;
    let at = if quick && scene.time.quick.is_some() { "time.quick" } else { "time.duration" };
    let duration = not_negative(at, scene.duration(quick))?;
    let scales = time_scales(scene, situation)?;
    let TimeScales { longest, recommended, .. } = &scales;
    let dt = match scene.time.dt {
        TimeStep::Fixed(dt) => positive("time.dt", dt)?,
        TimeStep::Auto if recommended.time.is_finite() => recommended.time,
        TimeStep::Auto => {
            let problem = "nothing sets a time scale: no contact, no motion".to_owned();
            return Err(GrainsError::NoAutomaticStep { at: Location::of("time.dt"), problem });
        }
    };
    if scene.integrator.is_explicit() && dt > longest.time {
        let by = longest.by.clone();
        let limit = longest.time;
        let advice = recommended.time;
        return Err(GrainsError::StepTooLong { at: Location::of("time.dt"), dt, by, limit, advice });
    }
    if dt > whole.max(duration) && duration > 0.0 {
        let at = Location::of("time.dt");
        return Err(match scene.time.dt {
            TimeStep::Fixed(_) => GrainsError::OutOfRange { at, range: "at most the duration", value: dt },
            TimeStep::Auto => GrainsError::NoAutomaticStep { at, problem: longer_than_duration(scene, situation, dt) },
        });
    }
    // Rounding must not add a step to a duration that is a whole number of steps.
    let count = (duration / dt * (1.0 - 1e-12)).ceil();
    if count > MOST {
        return Err(GrainsError::TooManySteps { at: Location::of("time.dt"), steps: count, limit: MOST });
    }
    let note = doubt(scene, &scales, dt);
    Ok(Steps { dt, count: count as u64, recommended: RecommendedStep::of(scales), note })
}

/// Returns a note if the step `dt` (s) of a scene may be too long.
fn doubt(scene: &Scene, scales: &TimeScales, dt: f64) -> Option<Note> {
    let note = |text: String| Some(Note::new("time.dt", text));
    let &TimeScales { contact, ref recommended, ref driven, .. } = scales;
    let is_implicit = matches!(scene.integrator, Method::Implicit(_) | Method::ExactEnergy);
    if is_implicit && dt > contact {
        return note(format!(
            "is {dt}, longer than the shortest contact, {contact:.3e} s: impacts are not resolved, and energy may grow"
        ));
    }
    let bound = if scene.integrator.is_explicit() { recommended } else { driven };
    if dt <= (1.0 + ROUNDED) * bound.time {
        return None;
    }
    let Bound { time, by } = bound;
    note(format!(
        "is {dt}, longer than the recommended {time:.3e}, decided by {by}: write \"auto\" or at most {time:.3e}"
    ))
}

/// Describes, for an error, an automatic step that is longer than the run, and which numbers may be wrong.
fn longer_than_duration(scene: &Scene, situation: &Situation<'_>, dt: f64) -> String {
    let Units { length, time, .. } = &scene.units;
    let step = rounded(dt);
    let whole = scene.time.duration.unwrap_or(0.0);
    let radius = smallest_radius(situation.bodies);
    let doubt = if scene.units == Units::default() && radius > LARGE {
        "lengths are in m, so that 5 mm are 0.005"
    } else {
        "make the duration longer, or write a number"
    };
    format!(
        "it would be {step} {time}, longer than the duration of {whole} {time}. The smallest radius is {radius} {length}: \
         {doubt}"
    )
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct RecommendedStep {
    pub(crate) dt: f64,
    pub(crate) decided_by: String,
}

impl RecommendedStep {
    fn of(TimeScales { recommended: Bound { time: dt, by: decided_by }, .. }: TimeScales) -> Option<Self> {
        dt.is_finite().then_some(Self { dt, decided_by })
    }
}

/// Returns the recommended step of `scene`, if a time scale is known.
///
/// # Errors
/// Errors of invalid laws.
pub(crate) fn recommended_step(
    scene: &Scene,
    situation: &Situation<'_>,
) -> Result<Option<RecommendedStep>, GrainsError> {
    if matches!(scene.integrator, Method::Static(_)) {
        return Ok(None);
    }
    Ok(RecommendedStep::of(time_scales(scene, situation)?))
}
