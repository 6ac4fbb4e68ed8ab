//! From the contact model of a scene to laws of `dem-contact`.
//!
//! A loop over contacts is compiled for each pair of types of laws: most of what this crate costs to compile. So there
//! are few types. Tangential laws with equal histories are one enum ([`tangential`]). The normal law is a type of its
//! own where the loop over contacts is the hot one, in explicit steps and static equilibrium, and an enum for implicit
//! steps ([`normal`]). Contacts that stick or yield are one pair of types ([`adhesive`]). Types are chosen once, when
//! the engine is built; [`table`] fills them by pair of materials,
//! [`materials`] by moduli.

pub(crate) mod adhesive;
pub(crate) mod materials;
pub(crate) mod normal;
pub(crate) mod table;
pub(crate) mod tangential;

use dem_contact::error::DemError;
use dem_contact::law::{Hertz, Hooke, LawTable, PartialSlip, Rolling};

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

/// Does `task` with the laws of `model`, each normal law as a type of its own.
///
/// # Errors
/// Those of a model without meaning, with its key.
pub(crate) fn with_explicit_laws<W: WithLaws>(model: &ContactModel, task: W) -> Result<W::Output, GrainsError> {
    if model.key_of_sticking().is_some() {
        return Ok(task.with(adhesive::laws(model)?));
    }
    let resists = !model.keys_of_resistance().is_empty();
    Ok(match (model.normal, resists, Slip::of(model)?) {
        (NormalLaw::Hertz { .. }, true, Slip::Partial) => task.with(law_table::<Hertz, Rolling<PartialSlip>>(model)?),
        (NormalLaw::Hertz { .. }, false, Slip::Partial) => task.with(law_table::<Hertz, PartialSlip>(model)?),
        (NormalLaw::Hooke { .. }, true, _) => task.with(law_table::<Hooke, Rolling<AnyTangential>>(model)?),
        (NormalLaw::Hertz { .. }, true, _) => task.with(law_table::<Hertz, Rolling<AnyTangential>>(model)?),
        (NormalLaw::HertzMindlin, true, _) => task.with(materials::rolling::<Hertz>(model)?),
        (NormalLaw::Hooke { .. }, _, Slip::Memoryless) => task.with(law_table::<Hooke, Memoryless>(model)?),
        (NormalLaw::Hooke { .. }, ..) => task.with(law_table::<Hooke, Spring>(model)?),
        (NormalLaw::Hertz { .. }, _, Slip::Memoryless) => task.with(law_table::<Hertz, Memoryless>(model)?),
        (NormalLaw::Hertz { .. }, ..) => task.with(law_table::<Hertz, Spring>(model)?),
        (NormalLaw::HertzMindlin, ..) if model.key_of_friction().is_none() => {
            task.with(materials::frictionless::<Hertz>(model)?)
        }
        (NormalLaw::HertzMindlin, ..) => task.with(materials::partial_slip::<Hertz>(model)?),
    })
}

/// Does `task` with the laws of `model`, without resistance to rolling and twisting. The normal law is an enum: an
/// implicit step solves linear equations, beside which choosing the law at each contact costs nothing.
///
/// # Errors
/// As [`with_explicit_laws`].
pub(crate) fn with_implicit_laws<W: WithLaws>(model: &ContactModel, task: W) -> Result<W::Output, GrainsError> {
    Ok(match (model.normal, Slip::of(model)?) {
        (NormalLaw::HertzMindlin, _) if model.key_of_friction().is_none() => {
            task.with(materials::frictionless::<AnyNormal>(model)?)
        }
        (NormalLaw::HertzMindlin, _) => task.with(materials::partial_slip::<AnyNormal>(model)?),
        (_, Slip::Partial) => task.with(law_table::<AnyNormal, PartialSlip>(model)?),
        (_, Slip::Memoryless) => task.with(law_table::<AnyNormal, Memoryless>(model)?),
        (_, Slip::Spring) => task.with(law_table::<AnyNormal, Spring>(model)?),
    })
}

/// Does `task` with the normal laws of `model`, each as a type of its own, without tangential forces. Tangential laws are
/// checked nevertheless.
///
/// # Errors
/// As [`with_explicit_laws`].
pub(crate) fn with_normal_laws<W: WithLaws>(model: &ContactModel, task: W) -> Result<W::Output, GrainsError> {
    Ok(match model.normal {
        NormalLaw::Hooke { .. } => task.with(frictionless_table::<Hooke>(model)?),
        NormalLaw::Hertz { .. } => task.with(frictionless_table::<Hertz>(model)?),
        NormalLaw::HertzMindlin => task.with(materials::frictionless::<Hertz>(model)?),
    })
}

fn frictionless_table<L: Normal>(model: &ContactModel) -> Result<LawTable<L, Memoryless>, GrainsError> {
    let laws = match Slip::of(model)? {
        Slip::Partial => without_friction(&law_table::<L, Rolling<PartialSlip>>(model)?),
        _ => without_friction(&law_table::<L, Rolling<AnyTangential>>(model)?),
    };
    laws.map_err(GrainsError::refused("contact"))
}

/// The same normal laws without tangential forces.
fn without_friction<L: Normal, T>(laws: &LawTable<L, T>) -> Result<LawTable<L, Memoryless>, DemError> {
    LawTable::new(laws.materials(), |a, b| Ok((laws.between(a, b).0, Memoryless::Frictionless)))
}
