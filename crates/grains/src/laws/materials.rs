//! Laws from the moduli of materials.

use std::collections::HashSet;

use dem_contact::contact_dynamics::RigidMaterials;
use dem_contact::error::DemError;
use dem_contact::law::{Hertz, LawTable, MindlinSpring, PartialSlip, Rolling, SpringSlider};

use super::normal::AnyNormal;
use super::table::pair_numbers;
use super::tangential::{Memoryless, slider};
use crate::error::{GrainsError, Location};
use crate::scene::contact::{ContactModel, Material, PairLaw};
use crate::value::{not_negative, positive};

/// Hertz' law between all materials, without friction.
pub(super) fn frictionless(model: &ContactModel) -> Result<LawTable<AnyNormal, Memoryless>, GrainsError> {
    let laws = materials(model)?.hertz_mindlin().map_err(refused)?;
    converted(&laws, |_| Memoryless::Frictionless)
}

/// Hertz' law with partial slip between all materials.
pub(super) fn partial_slip(model: &ContactModel) -> Result<LawTable<AnyNormal, PartialSlip>, GrainsError> {
    let laws = materials(model)?.hertz_partial_slip().map_err(refused)?;
    converted(&laws, |&slip| slip)
}

/// The same with resistance to rolling and twisting.
pub(super) fn rolling(model: &ContactModel) -> Result<LawTable<AnyNormal, Rolling<PartialSlip>>, GrainsError> {
    let laws = materials(model)?.hertz_partial_slip_rolling().map_err(refused)?;
    converted(&laws, |&rolling| rolling)
}

/// Hertz' law with Mindlin's as one spring between all materials, and resistance to rolling and twisting.
pub(super) fn mindlin_springs(model: &ContactModel) -> Result<LawTable<Hertz, Rolling<MindlinSpring>>, GrainsError> {
    materials(model)?.hertz_mindlin_rolling().map_err(refused)
}

/// Friction, restitution and resistances of rigid contacts.
pub(crate) fn rigid(model: &ContactModel) -> Result<RigidMaterials, GrainsError> {
    RigidMaterials::of_materials(&materials(model)?).map_err(refused)
}

/// The same laws as other types.
fn converted<T, U>(
    laws: &LawTable<Hertz, T>,
    tangential: impl Fn(&T) -> U,
) -> Result<LawTable<AnyNormal, U>, GrainsError> {
    let made = LawTable::new(laws.materials(), |a, b| {
        let (hertz, spring) = laws.between(a, b);
        Ok((AnyNormal::Hertz(*hertz), tangential(spring)))
    });
    made.map_err(refused)
}

fn refused(error: DemError) -> GrainsError {
    GrainsError::refused("contact.materials")(error)
}

fn conflict<T>(key: String, problem: &'static str) -> Result<T, GrainsError> {
    Err(GrainsError::Conflict { at: Location::of(key), problem })
}

/// The materials of a scene, with what their pairs override.
fn materials(model: &ContactModel) -> Result<dem_contact::law::Materials, GrainsError> {
    let by_materials = "is given by materials where the normal law is `hertz-mindlin`: leave it out";
    let laws = [
        ("damping", model.damping.is_some()),
        ("tangential", model.tangential.is_some()),
        ("rolling", model.rolling.is_some()),
        ("twisting", model.twisting.is_some()),
    ];
    if let Some((name, _)) = laws.into_iter().find(|(_, given)| *given) {
        return conflict(format!("contact.{name}"), by_materials);
    }
    let names = model.names();
    let mut made = dem_contact::law::Materials::new(
        model.materials.iter().enumerate().map(|(k, one)| material(model, k, one)).collect::<Result<Vec<_>, _>>()?,
    );
    let mut known = HashSet::new();
    for (index, pair) in model.pairs.iter().enumerate() {
        let key = format!("contact.pairs[{index}]");
        let laws = [
            ("normal", pair.normal.is_some()),
            ("damping", pair.damping.is_some()),
            ("tangential", pair.tangential.is_some()),
        ];
        if let Some((name, _)) = laws.into_iter().find(|(_, given)| *given) {
            return conflict(format!("{key}.{name}"), by_materials);
        }
        let numbers = pair_numbers(&names, pair, &key, &mut known)?;
        made = with_pair(made, numbers, pair, &key)?;
    }
    Ok(made)
}

/// One material, with its numbers checked.
fn material(model: &ContactModel, index: usize, one: &Material) -> Result<dem_contact::law::Material, GrainsError> {
    let key = format!("contact.materials[{index}]");
    if model.materials[..index].iter().any(|other| other.name == one.name) {
        return conflict(format!("{key}.name"), "there is another material of this name");
    }
    let under = |name: &str| format!("{key}.{name}");
    positive(under("young"), one.young)?;
    if !(one.poisson > -1.0 && one.poisson <= 0.5) {
        let (at, range) = (Location::of(under("poisson")), "above -1 and at most 1/2");
        return Err(GrainsError::OutOfRange { at, range, value: one.poisson });
    }
    restitution(under("restitution"), one.restitution)?;
    not_negative(under("friction"), one.friction)?;
    let resists = |name: &str, resistance| slider(under(name), resistance);
    Ok(dem_contact::law::Material {
        rolling: one.rolling.map(|resistance| resists("rolling", resistance)).transpose()?,
        twisting: one.twisting.map(|resistance| resists("twisting", resistance)).transpose()?,
        ..dem_contact::law::Material::new(one.young, one.poisson, one.restitution, one.friction)
    })
}

/// `made` with what a pair overrides; the rest is mixed.
fn with_pair(
    mut made: dem_contact::law::Materials,
    [a, b]: [usize; 2],
    pair: &PairLaw,
    key: &str,
) -> Result<dem_contact::law::Materials, GrainsError> {
    let refused = |error| GrainsError::refused(key)(error);
    let own = |name: &str, resistance| -> Result<Option<SpringSlider>, GrainsError> {
        slider(format!("{key}.{name}"), resistance).map(Some)
    };
    if let Some(value) = pair.restitution {
        made = made.with_restitution(a, b, restitution(format!("{key}.restitution"), value)?).map_err(refused)?;
    }
    if let Some(value) = pair.friction {
        let friction = not_negative(format!("{key}.friction"), value)?;
        made = made.with_friction(a, b, friction).map_err(refused)?;
    }
    if let Some(resistance) = pair.rolling {
        made = made.with_rolling(a, b, own("rolling", resistance)?).map_err(refused)?;
    }
    if let Some(resistance) = pair.twisting {
        made = made.with_twisting(a, b, own("twisting", resistance)?).map_err(refused)?;
    }
    Ok(made)
}

/// Checks a coefficient of restitution.
fn restitution(key: String, value: f64) -> Result<f64, GrainsError> {
    if value > 0.0 && value <= 1.0 {
        return Ok(value);
    }
    Err(GrainsError::OutOfRange { at: Location::of(key), range: "above 0 and at most 1", value })
}
