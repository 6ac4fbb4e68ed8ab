//! Conversion of the contact model of a scene to a table of laws of `dem-contact`.
//!
//! [`numbers`] reads laws with their numbers in the scene, [`materials`] derives laws from moduli, and [`objects`]
//! makes the law objects.

pub(crate) mod materials;
mod numbers;
mod objects;

use std::collections::HashMap;

use dem_contact::law::{Damping, Hooke, LawTable, LawTraits, Laws};

use self::materials::Moduli;
use self::objects::{Normal, PairOfLaws, Tangential};
use crate::error::GrainsError;
use crate::scene::contact::{ContactModel, NormalLaw};

/// Returns the contact laws of all pairs of materials.
///
/// # Errors
/// For an invalid model; the error names the key.
pub(crate) fn laws(model: &ContactModel) -> Result<LawTable, GrainsError> {
    table(model, PairOfLaws::object)
}

/// Returns the elastic and damped normal laws of all pairs of materials, without tangential forces, adhesion and
/// yielding. Tangential laws are checked all the same.
///
/// # Errors
/// For an invalid model; the error names the key.
pub(crate) fn normal_laws(model: &ContactModel) -> Result<LawTable, GrainsError> {
    table(model, |pair| PairOfLaws { normal: pair.elastic, tangential: Tangential::NONE, ..pair }.object())
}

/// Returns the normal and tangential laws of all pairs of materials, without adhesion and yielding.
///
/// # Errors
/// For an invalid model; the error names the key.
pub(crate) fn elastic_laws(model: &ContactModel) -> Result<LawTable, GrainsError> {
    table(model, |pair| PairOfLaws { normal: pair.elastic, ..pair }.object())
}

/// Returns a contact law that only finds out which surfaces touch: its stiffness is arbitrary, and its contacts have no
/// history.
///
/// # Errors
/// Never: the stiffness is positive.
pub(crate) fn laws_of_touch() -> Result<LawTable, GrainsError> {
    let normal = Normal::Hooke(Hooke::new(1.0, Damping::NONE).map_err(GrainsError::refused("contact"))?);
    Ok(PairOfLaws { normal, elastic: normal, tangential: Tangential::NONE }.object().into())
}

/// Returns the traits, such as damping and friction, of the laws of each pair of materials.
pub(crate) fn traits(laws: &LawTable) -> impl Iterator<Item = &LawTraits> {
    (0..laws.materials()).flat_map(move |b| (0..=b).map(move |a| laws.between(a, b).traits()))
}

/// Returns whether contacts of any pair of materials have a history.
pub(crate) fn keep_history(laws: &LawTable) -> bool {
    traits(laws).any(|traits| traits.layout.width() > 0)
}

fn table(model: &ContactModel, object: impl Fn(PairOfLaws) -> Laws) -> Result<LawTable, GrainsError> {
    model.check_materials()?;
    model.check_sticking()?;
    let general = by_numbers(model, "contact")?;
    let moduli = Moduli::new(model)?;
    let mut own = HashMap::new();
    for (index, (pair, materials)) in model.pairs.iter().zip(&moduli.numbers).enumerate() {
        own.insert(*materials, by_numbers(&model.with(pair), &format!("contact.pairs[{index}]"))?);
    }
    let between = |a: usize, b: usize| {
        let pair = [a.min(b), a.max(b)];
        let given = *own.get(&pair).unwrap_or(&general);
        given.map_or_else(|| moduli.between(pair), Ok).map(&object)
    };
    let at = if general.is_some() { "contact.pairs" } else { "contact.materials" };
    LawTable::new(model.names().len(), between).map_err(GrainsError::refused(at))
}

/// Returns the laws of a contact model, the scene's table at `key`, if their numbers are in the scene; none if they
/// follow from the moduli of materials.
fn by_numbers(model: &ContactModel, key: &str) -> Result<Option<PairOfLaws>, GrainsError> {
    let (elastic, normal) = match model.normal {
        NormalLaw::Hooke { stiffness } => numbers::hooke(model, stiffness, key)?,
        NormalLaw::Hertz { modulus } => numbers::hertz(model, modulus, key)?,
        NormalLaw::HertzMindlin => return Ok(None),
    };
    Ok(Some(PairOfLaws { elastic, normal, tangential: numbers::tangential(model, key)? }))
}
