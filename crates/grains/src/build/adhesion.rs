//! Dimensionless numbers of adhesion, and notes where the laws of adhesion do not apply.

use std::f64::consts::PI;

use rrp_geom::glam::DVec3;
use rrp_integrate::Bodies;

use super::bodies::smallest_radius;
use crate::error::Note;
use crate::scene::Scene;
use crate::scene::adhesion::AdhesionLaw;
use crate::scene::contact::{ContactModel, Material, NormalLaw};
use crate::scene::units::Units;
use crate::value::word_of;

/// Equilibrium distance z in m of the atoms of two surfaces in contact, for the Tabor parameter.
const ATOMIC_DISTANCE: f64 = 4e-10;
/// Smallest Tabor parameter for JKR's law (`SOFT`) and largest one for DMT's law (`STIFF`) [Johnson and Greenwood
/// 1997].
const SOFT: f64 = 5.0;
const STIFF: f64 = 0.1;
/// Overlap by adhesion alone, relative to the reduced radius, above which a note doubts the laws of adhesion.
const DEEP: f64 = 0.1;

/// A pair of materials whose contacts stick.
struct Sticking {
    key: String,
    reduced_modulus: f64,
    work: f64,
}

/// Lists the pairs of materials whose contacts stick: all pairs of like materials, and pairs with an adhesion or a
/// normal law of their own. Other mixed pairs are left out: their adhesion is between those of the two materials.
fn sticking(model: &ContactModel, law: AdhesionLaw) -> Vec<Sticking> {
    let compliance = |one: &Material| (1.0 - one.poisson * one.poisson) / one.young;
    let mut found = Vec::new();
    match model.normal {
        NormalLaw::Hertz { modulus } => {
            let key = format!("contact.adhesion.{}", word_of(&law));
            found.push(Sticking { key, reduced_modulus: 0.75 * modulus, work: law.work() });
        }
        NormalLaw::HertzMindlin => found.extend(model.materials.iter().enumerate().map(|(index, one)| {
            let own = if one.adhesion.is_some() { ".adhesion" } else { "" };
            let key = format!("contact.materials[{index}]{own}");
            let reduced_modulus = 0.5 / compliance(one);
            Sticking { key, reduced_modulus, work: one.adhesion.unwrap_or(law.work()) }
        })),
        NormalLaw::Hooke { .. } => {}
    }
    for (index, pair) in model.pairs.iter().enumerate() {
        if pair.adhesion.is_none() && pair.normal.is_none() {
            continue;
        }
        let numbers = pair.between.each_ref().map(|name| model.materials.iter().position(|one| one.name == *name));
        let (reduced_modulus, work) = match (pair.normal.unwrap_or(model.normal), numbers) {
            (NormalLaw::Hertz { modulus }, _) => (0.75 * modulus, pair.adhesion.unwrap_or(law.work())),
            // 1/E* is the sum of (1 − ν²)/E of both.
            (NormalLaw::HertzMindlin, [Some(a), Some(b)]) => {
                let both = compliance(&model.materials[a]) + compliance(&model.materials[b]);
                (both.recip(), model.work_of_adhesion(law, [a, b], Some(pair)))
            }
            (NormalLaw::HertzMindlin | NormalLaw::Hooke { .. }, _) => continue,
        };
        let own = if pair.adhesion.is_some() { ".adhesion" } else { "" };
        found.push(Sticking { key: format!("contact.pairs[{index}]{own}"), reduced_modulus, work });
    }
    found
}

/// Computes the largest speed in m/s at which two of the lightest bodies stick in an impact by JKR's law, over all
/// pairs of materials; zero without adhesion.
pub(super) fn speed_of_sticking(scene: &Scene, bodies: &Bodies) -> f64 {
    let Some(model) = &scene.contact else { return 0.0 };
    let Some(law) = model.adhesion else { return 0.0 };
    let radius = 0.5 * smallest_radius(bodies);
    let mass = 0.5 * bodies.mass().iter().copied().fold(f64::INFINITY, f64::min);
    let speeds = sticking(model, law).into_iter().map(|Sticking { reduced_modulus, work, .. }| {
        (14.1844 * (work.powi(5) * radius.powi(4) / reduced_modulus.powi(2)).cbrt() / mass).sqrt()
    });
    speeds.filter(|speed| speed.is_finite()).fold(0.0, f64::max)
}

/// Computes the largest gap in m across which bodies still stick by JKR's law; zero with other laws, whose contacts end
/// where the gap opens.
pub(super) fn range(scene: &Scene, bodies: &Bodies) -> f64 {
    let Some(model) = &scene.contact else { return 0.0 };
    let Some(law @ AdhesionLaw::Jkr(_)) = model.adhesion else { return 0.0 };
    let radius = 0.5 * bodies.radius().iter().copied().fold(0.0, f64::max);
    // JKR's gap at pull-off: 3/4 (π² w² R/E*²)^⅓.
    let ranges = sticking(model, law)
        .into_iter()
        .map(|Sticking { reduced_modulus, work, .. }| 0.75 * ((PI * work / reduced_modulus).powi(2) * radius).cbrt());
    ranges.fold(0.0, f64::max)
}

/// Returns notes on each pair of materials that sticks, for two of the smallest free bodies with a radius: Bond number,
/// Tabor parameter, stiffness number, and doubts about the law of adhesion.
pub(crate) fn numbers(scene: &Scene, bodies: &Bodies) -> Vec<Note> {
    let Some((model, law)) = scene.contact.as_ref().and_then(|model| Some((model, model.adhesion?))) else {
        return Vec::new();
    };
    let free = bodies.radius().iter().zip(bodies.mass().iter());
    let free = free.filter(|(radius, mass)| **radius > 0.0 && mass.is_finite());
    let smallest = free.min_by(|one, other| one.0.total_cmp(other.0).then(one.1.total_cmp(other.1)));
    let Some((&smallest, &mass)) = smallest else { return Vec::new() };
    let radius = 0.5 * smallest;
    let weight = mass * DVec3::from_array(scene.gravity).length();
    let mut notes = Vec::new();
    for Sticking { key, reduced_modulus, work } in sticking(model, law).into_iter().filter(|pair| pair.work > 0.0) {
        let mut note = |text: String| notes.push(Note::new(key.clone(), text));
        let pull = PI
            * work
            * radius
            * match law {
                AdhesionLaw::Jkr(_) => 1.5,
                AdhesionLaw::Dmt(_) => 2.0,
            };
        let stiffness = reduced_modulus * radius / work;
        // μ = (R w²/(E*² z³))^⅓
        let tabor = (radius * (work / reduced_modulus).powi(2) / ATOMIC_DISTANCE.powi(3)).cbrt();
        let is_si = scene.units == Units::default();
        let of_tabor = if is_si { format!("Tabor parameter {tabor:.3e}, ") } else { String::new() };
        let of_bond = if weight > 0.0 {
            format!("Bond number {:.3e} (pull-off force over weight), ", pull / weight)
        } else {
            String::new()
        };
        note(format!(
            "between two of the smallest bodies: {of_bond}{of_tabor}stiffness number {stiffness:.3e} (E* R/w)"
        ));
        match law {
            AdhesionLaw::Jkr(_) if is_si && tabor < SOFT => note(format!(
                "JKR's law is for soft bodies with a Tabor parameter above {SOFT}; here it is {tabor:.1e}: {}",
                if tabor < STIFF { "take `dmt`" } else { "the truth is between `jkr` and `dmt`" }
            )),
            AdhesionLaw::Dmt(_) if is_si && tabor > STIFF => note(format!(
                "DMT's law is for stiff bodies with a Tabor parameter below {STIFF}; here it is {tabor:.1e}: {}",
                if tabor > SOFT { "take `jkr`" } else { "the truth is between `jkr` and `dmt`" }
            )),
            AdhesionLaw::Jkr(_) | AdhesionLaw::Dmt(_) => {}
        }
        let depth = match law {
            // At no load a³ = 9πwR²/(2E*) and δ = a²/(3R).
            AdhesionLaw::Jkr(_) => (4.5 * PI / stiffness).powf(2.0 / 3.0) / 3.0,
            // At no load a³ = 3πwR²/(2E*) and δ = a²/R.
            AdhesionLaw::Dmt(_) => (1.5 * PI / stiffness).powf(2.0 / 3.0),
        };
        if depth > DEEP {
            note(format!(
                "adhesion alone presses bodies {depth:.1e} reduced radii into each other, but its laws are for small \
                 contacts: make the modulus larger"
            ));
        }
    }
    notes
}
