//! Contact laws with their numbers in the scene.

use dem_contact::law::{
    CoulombViscous, Damping, Dmt, FrictionSpring, Hertz, Hooke, Jkr, MindlinDeresiewicz, MindlinSpring, PlasticHooke,
    SpringSlider, Viscous,
};

use super::objects::{Normal, Slip, Tangential};
use crate::error::{GrainsError, Location};
use crate::scene::adhesion::{AdhesionLaw, PlasticLaw};
use crate::scene::contact::{ContactModel, NormalLaw};
use crate::scene::resistance::{Resistance, Stiffness};
use crate::scene::tangential::TangentLaw;
use crate::value::word_of;

/// Returns two normal laws by Hooke from the contact model at `key`: the elastic law, and the law of contacts, which
/// may yield.
pub(super) fn hooke(model: &ContactModel, stiffness: f64, key: &str) -> Result<(Normal, Normal), GrainsError> {
    let law = Hooke::new(stiffness, model.damping.unwrap_or(Damping::NONE));
    let law = law.map_err(GrainsError::refused_number(key))?;
    let Some(PlasticLaw { loading, adhesion }) = model.plastic else {
        return Ok((Normal::Hooke(law), Normal::Hooke(law)));
    };
    let plastic = PlasticHooke::new(law, loading).and_then(|law| law.with_adhesion(adhesion));
    let plastic = plastic.map_err(GrainsError::refused_number("contact.plastic"))?;
    Ok((Normal::Hooke(law), Normal::PlasticHooke(plastic)))
}

/// Returns two normal laws by Hertz from the contact model at `key`: the elastic law, and the law of contacts, which
/// may stick.
pub(super) fn hertz(model: &ContactModel, modulus: f64, key: &str) -> Result<(Normal, Normal), GrainsError> {
    let law = Hertz::new(modulus, model.damping.unwrap_or(Damping::NONE));
    let law = law.map_err(GrainsError::refused_number(key))?;
    let Some(adhesion) = model.adhesion else { return Ok((Normal::Hertz(law), Normal::Hertz(law))) };
    let of_all = if key == "contact" { format!(".{}", word_of(&adhesion)) } else { String::new() };
    let sticking = sticking(law, adhesion);
    let sticking = sticking.map_err(GrainsError::refused(format!("{key}.adhesion{of_all}")))?;
    Ok((Normal::Hertz(law), sticking))
}

/// Adds adhesion by JKR or DMT to Hertz' law.
pub(super) fn sticking(elastic: Hertz, adhesion: AdhesionLaw) -> Result<Normal, dem_contact::error::DemError> {
    match adhesion {
        AdhesionLaw::Jkr(work) => Jkr::new(elastic, work).map(Normal::Jkr),
        AdhesionLaw::Dmt(work) => Dmt::new(elastic, work).map(Normal::Dmt),
    }
}

/// Returns the tangential law of the contact model at `key`, with its resistances to rolling and twisting.
pub(super) fn tangential(model: &ContactModel, key: &str) -> Result<Tangential, GrainsError> {
    let law = model.tangential.unwrap_or_default();
    let slip = slip(model, law, key)?;
    let is_of_slip = |one: &Resistance| one.stiffness == Some(Stiffness::Tangential);
    let both = [("rolling", model.rolling), ("twisting", model.twisting)];
    let of_slip = both.iter().find(|(_, one)| one.as_ref().is_some_and(is_of_slip));
    if let (false, Some((name, _))) = (slip.has_spring(), of_slip) {
        let problem = "there is no tangential spring whose stiffness `\"tangential\"` could take: write a number, or a \
                       `tangential` law with a spring: `friction-spring`, `mindlin-spring` or `mindlin-deresiewicz`";
        return Err(GrainsError::conflict(format!("{key}.{name}.stiffness"), problem));
    }
    let [rolling, twisting] = both
        .map(|(name, resistance)| resistance.map(|resistance| slider(format!("{key}.{name}"), resistance)).transpose());
    Ok(Tangential { slip, rolling: rolling?, twisting: twisting?, is_objective: law.is_objective() })
}

/// Returns the resistance to slip of the tangential law of the contact model at `key`.
fn slip(model: &ContactModel, law: TangentLaw, key: &str) -> Result<Slip, GrainsError> {
    let at = format!("{key}.tangential.{}", word_of(&law));
    // The scene parser accepts laws without numbers, since with `hertz-mindlin` they follow from the moduli.
    let given = |name: &str, value: Option<f64>| {
        value.ok_or_else(|| GrainsError::MissingKey { at: Location::of(&at), missing: name.to_owned() })
    };
    let made = match law {
        TangentLaw::Frictionless => Ok(Slip::Frictionless),
        TangentLaw::Viscous { gamma } => Viscous::new(gamma).map(Slip::Viscous),
        TangentLaw::CoulombViscous { gamma, friction } => {
            CoulombViscous::new(gamma, friction).map(Slip::CoulombViscous)
        }
        TangentLaw::FrictionSpring { stiffness, gamma, friction, .. } => {
            FrictionSpring::new(stiffness, gamma, friction).map(Slip::FrictionSpring)
        }
        TangentLaw::MindlinSpring { modulus, gamma, friction, .. } => {
            let modulus = given("modulus", modulus)?;
            MindlinSpring::new(modulus, gamma, given("friction", friction)?).map(Slip::MindlinSpring)
        }
        TangentLaw::MindlinDeresiewicz { .. } if matches!(model.normal, NormalLaw::Hooke { .. }) => {
            let problem = "`mindlin-deresiewicz` needs the normal law `hertz` or `hertz-mindlin`: beside `hooke` write \
                           `friction-spring`";
            return Err(GrainsError::conflict(format!("{key}.tangential"), problem));
        }
        TangentLaw::MindlinDeresiewicz { .. } if model.adhesion.is_some() => return Err(sticking_partial_slip(key)),
        TangentLaw::MindlinDeresiewicz { modulus, friction, .. } => {
            let modulus = given("modulus", modulus)?;
            MindlinDeresiewicz::new(modulus, given("friction", friction)?).map(Slip::MindlinDeresiewicz)
        }
    };
    made.map_err(GrainsError::refused_number(at))
}

pub(super) fn sticking_partial_slip(key: &str) -> GrainsError {
    let problem = "`mindlin-deresiewicz` is without adhesion: write `mindlin-spring`, or leave out `contact.adhesion`";
    GrainsError::conflict(format!("{key}.tangential"), problem)
}

/// Makes the spring and slider against rolling or twisting from the scene's table at `key`.
pub(super) fn slider(key: String, resistance: Resistance) -> Result<SpringSlider, GrainsError> {
    let Resistance { stiffness, damping, friction } = resistance;
    let made = match stiffness {
        None if damping.abs() > 0.0 || damping.is_nan() => {
            let problem = "damps a spring, whose `stiffness` is missing: write `stiffness`, or leave out `damping`";
            return Err(GrainsError::conflict(format!("{key}.damping"), problem));
        }
        None => SpringSlider::coefficient(friction),
        Some(Stiffness::Tangential) => SpringSlider::as_stiff_as_slip(damping, friction),
        Some(Stiffness::Fixed(stiffness)) => SpringSlider::new(stiffness, damping, friction),
    };
    made.map_err(GrainsError::refused_number(key))
}
