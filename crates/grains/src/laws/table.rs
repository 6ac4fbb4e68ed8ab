//! Laws by pair of materials.

use std::collections::{HashMap, HashSet};
use std::mem::discriminant;

use dem_contact::law::LawTable;

use super::normal::{Normal, other_kind};
use super::tangential::Tangential;
use crate::error::{GrainsError, Location};
use crate::scene::contact::{ContactModel, PairLaw};
use crate::value::material_number;

/// The laws of all pairs of materials.
///
/// # Errors
/// For values without meaning, and for pairs whose law is of another kind than the general one.
pub(super) fn law_table<L: Normal, T: Tangential>(model: &ContactModel) -> Result<LawTable<L, T>, GrainsError> {
    let names = model.names();
    let general = (L::of(model, "contact")?, T::of(model, "contact")?);
    let (mut special, mut known) = (HashMap::new(), HashSet::new());
    for (index, pair) in model.pairs.iter().enumerate() {
        let whole = model.with(pair);
        let key = format!("contact.pairs[{index}]");
        let of_materials = [("restitution", pair.restitution.is_some()), ("friction", pair.friction.is_some())];
        if let Some((name, _)) = of_materials.into_iter().find(|(_, given)| *given) {
            let problem =
                "belongs to materials, beside the normal law `hertz-mindlin`; give `damping` and `tangential`";
            return Err(GrainsError::Conflict { at: Location::of(format!("{key}.{name}")), problem });
        }
        let numbers = pair_numbers(&names, pair, &key, &mut known)?;
        if discriminant(&whole.normal) != discriminant(&model.normal) {
            return other_kind(&key, "normal");
        }
        special.insert(numbers, (L::of(&whole, &key)?, T::of(&whole, &key)?));
    }
    let between = |a: usize, b: usize| Ok(special.get(&[a.min(b), a.max(b)]).copied().unwrap_or(general));
    LawTable::new(names.len(), between).map_err(GrainsError::refused("contact.pairs"))
}

/// The numbers of a pair of materials, the smaller one first. Adds them to `known`: each pair has one law.
///
/// # Errors
/// For an unknown material, and for a pair that is known already.
pub(super) fn pair_numbers(
    names: &[String],
    pair: &PairLaw,
    key: &str,
    known: &mut HashSet<[usize; 2]>,
) -> Result<[usize; 2], GrainsError> {
    let number = |name: &String| material_number(names, name, &format!("{key}.between")).map(usize::from);
    let mut numbers = [number(&pair.between[0])?, number(&pair.between[1])?];
    numbers.sort_unstable();
    if !known.insert(numbers) {
        let problem = "the law between these two materials is given twice";
        return Err(GrainsError::Conflict { at: Location::of(key), problem });
    }
    Ok(numbers)
}
