//! From the contact model of a scene to laws of `dem-contact`.
//!
//! A loop over contacts is compiled for each pair of types of laws: most of what this crate costs to compile. So there
//! are few types: normal laws are one enum ([`normal`]), and so are tangential laws with equal histories
//! ([`tangential`]); loops choose among their laws once for many contacts. Contacts that stick or yield are one pair of
//! types ([`adhesive`]). Types are chosen once, when the engine is built; [`table`] fills them by pair of materials,
//! [`materials`] by moduli.

pub(crate) mod adhesive;
pub(crate) mod materials;
pub(crate) mod normal;
pub(crate) mod table;
pub(crate) mod tangential;

use dem_contact::error::DemError;
use dem_contact::law::{LawTable, PartialSlip, Rolling};

use self::normal::{AnyNormal, Normal};
use self::table::law_table;
use self::tangential::{AnyTangential, Memoryless, Slip, Spring, Tangential};
use crate::error::GrainsError;
use crate::scene::contact::{ContactModel, NormalLaw};

/// A task that needs the types of the laws.
pub(crate) trait WithLaws {
    /// Its result.
    type Output;

    /// Does the task.
    fn with<L: Normal, T: Tangential>(self, laws: LawTable<L, T>) -> Self::Output;
}

/// Does `task` with the laws of `model`.
///
/// # Errors
/// Those of a model without meaning, with its key.
pub(crate) fn with_explicit_laws<W: WithLaws>(model: &ContactModel, task: W) -> Result<W::Output, GrainsError> {
    if model.key_of_sticking().is_some() {
        return Ok(task.with(adhesive::laws(model)?));
    }
    if model.keys_of_resistance().is_empty() {
        return with_implicit_laws(model, task);
    }
    Ok(match (model.normal, Slip::of(model)?) {
        (NormalLaw::HertzMindlin, _) => task.with(materials::rolling(model)?),
        (_, Slip::Partial) => task.with(law_table::<AnyNormal, Rolling<PartialSlip>>(model)?),
        _ => task.with(law_table::<AnyNormal, Rolling<AnyTangential>>(model)?),
    })
}

/// Does `task` with the laws of `model`, without resistance to rolling and twisting.
///
/// # Errors
/// As [`with_explicit_laws`].
pub(crate) fn with_implicit_laws<W: WithLaws>(model: &ContactModel, task: W) -> Result<W::Output, GrainsError> {
    Ok(match (model.normal, Slip::of(model)?) {
        (NormalLaw::HertzMindlin, _) if model.key_of_friction().is_none() => task.with(materials::frictionless(model)?),
        (NormalLaw::HertzMindlin, _) => task.with(materials::partial_slip(model)?),
        (_, Slip::Partial) => task.with(law_table::<AnyNormal, PartialSlip>(model)?),
        (_, Slip::Memoryless) => task.with(law_table::<AnyNormal, Memoryless>(model)?),
        (_, Slip::Spring) => task.with(law_table::<AnyNormal, Spring>(model)?),
    })
}

/// The normal laws of `model`, without tangential forces. Tangential laws are checked nevertheless.
///
/// # Errors
/// As [`with_explicit_laws`].
pub(crate) fn normal_laws(model: &ContactModel) -> Result<LawTable<AnyNormal, Memoryless>, GrainsError> {
    let laws = match (model.normal, Slip::of(model)?) {
        (NormalLaw::HertzMindlin, _) => return materials::frictionless(model),
        (_, Slip::Partial) => without_friction(&law_table::<AnyNormal, Rolling<PartialSlip>>(model)?),
        _ => without_friction(&law_table::<AnyNormal, Rolling<AnyTangential>>(model)?),
    };
    laws.map_err(GrainsError::refused("contact"))
}

/// The same normal laws without tangential forces.
fn without_friction<T>(laws: &LawTable<AnyNormal, T>) -> Result<LawTable<AnyNormal, Memoryless>, DemError> {
    LawTable::new(laws.materials(), |a, b| Ok((laws.between(a, b).0, Memoryless::Frictionless)))
}
