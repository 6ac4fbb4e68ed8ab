//! From the contact model of a scene to a table of laws of `dem-contact`.
//!
//! [`numbers`] reads laws whose numbers a scene gives, [`materials`] takes those that follow from moduli, and
//! [`objects`] makes objects of both.

pub(crate) mod materials;
mod numbers;
mod objects;

use std::collections::HashMap;

use dem_contact::law::{Damping, Hooke, LawTable, Laws};

use self::materials::Moduli;
use self::objects::{Normal, PairOfLaws, Tangential};
use crate::error::{GrainsError, Location};
use crate::scene::contact::{ContactModel, NormalLaw};
use crate::value::material_number;

/// The laws of all pairs of materials.
///
/// # Errors
/// Those of a model without meaning, with its key.
pub(crate) fn laws(model: &ContactModel) -> Result<LawTable, GrainsError> {
    table(model, PairOfLaws::object)
}

/// The normal laws of all pairs of materials without tangential forces, as if nothing stuck or yielded. Tangential laws
/// are checked nevertheless.
///
/// # Errors
/// As [`laws`].
pub(crate) fn normal_laws(model: &ContactModel) -> Result<LawTable, GrainsError> {
    table(model, |pair| PairOfLaws { normal: pair.elastic, tangential: Tangential::NONE, ..pair }.object())
}

/// Laws that only tell which surfaces touch.
///
/// # Errors
/// None: the stiffness is a number.
pub(crate) fn laws_of_touch() -> Result<LawTable, GrainsError> {
    let normal = Normal::Hooke(Hooke::new(1.0, Damping::NONE).map_err(GrainsError::refused("contact"))?);
    Ok(PairOfLaws { normal, elastic: normal, tangential: Tangential::NONE }.object().into())
}

/// Whether contacts of these laws keep a history.
pub(crate) fn remember(laws: &LawTable) -> bool {
    let pairs = || (0..laws.materials()).flat_map(|b| (0..=b).map(move |a| (a, b)));
    pairs().any(|(a, b)| laws.between(a, b).traits().layout.width() > 0)
}

fn table(model: &ContactModel, object: impl Fn(PairOfLaws) -> Laws) -> Result<LawTable, GrainsError> {
    model.check_materials()?;
    model.check_sticking()?;
    let general = by_numbers(model, "contact")?;
    let moduli = Moduli::new(model)?;
    let mut own = HashMap::new();
    for (index, (pair, materials)) in model.pairs.iter().zip(numbers_of_pairs(model)?).enumerate() {
        let (whole, key) = (model.with(pair), format!("contact.pairs[{index}]"));
        let laws = by_numbers(&whole, &key)?;
        let of_materials = [("restitution", pair.restitution.is_some()), ("friction", pair.friction.is_some())];
        if let (Some(_), Some((name, _))) = (&laws, of_materials.into_iter().find(|(_, given)| *given)) {
            let problem =
                "belongs to materials, beside the normal law `hertz-mindlin`; give `damping` and `tangential`";
            return Err(GrainsError::Conflict { at: Location::of(format!("{key}.{name}")), problem });
        }
        own.insert(materials, laws);
    }
    let between = |a: usize, b: usize| {
        let pair = [a.min(b), a.max(b)];
        let given = *own.get(&pair).unwrap_or(&general);
        given.map_or_else(|| moduli.between(pair), Ok).map(&object)
    };
    let at = if general.is_some() { "contact.pairs" } else { "contact.materials" };
    LawTable::new(model.names().len(), between).map_err(GrainsError::refused(at))
}

/// The laws of `model` at `key`, if the scene gives their numbers.
fn by_numbers(model: &ContactModel, key: &str) -> Result<Option<PairOfLaws>, GrainsError> {
    let (elastic, normal) = match model.normal {
        NormalLaw::Hooke { stiffness } => numbers::hooke(model, stiffness, key)?,
        NormalLaw::Hertz { modulus } => numbers::hertz(model, modulus, key)?,
        NormalLaw::HertzMindlin => return Ok(None),
    };
    Ok(Some(PairOfLaws { elastic, normal, tangential: numbers::tangential(model, key)? }))
}

/// The numbers of the materials of each pair, the smaller one first.
///
/// # Errors
/// For an unknown material, and for a pair that is given twice.
fn numbers_of_pairs(model: &ContactModel) -> Result<Vec<[usize; 2]>, GrainsError> {
    let (names, mut found) = (model.names(), Vec::new());
    for (index, pair) in model.pairs.iter().enumerate() {
        let key = format!("contact.pairs[{index}]");
        let number = |name: &String| material_number(&names, name, &format!("{key}.between")).map(usize::from);
        let mut numbers = [number(&pair.between[0])?, number(&pair.between[1])?];
        numbers.sort_unstable();
        if found.contains(&numbers) {
            let problem = "the law between these two materials is given twice";
            return Err(GrainsError::Conflict { at: Location::of(key), problem });
        }
        found.push(numbers);
    }
    Ok(found)
}
