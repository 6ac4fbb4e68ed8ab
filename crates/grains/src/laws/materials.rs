//! Contact laws derived from the moduli of materials.

use dem_contact::contact_dynamics::RigidMaterials;
use dem_contact::error::DemError;
use dem_contact::law::{Material as LawMaterial, Materials, TangentialLaw as _};

use super::numbers::{slider, sticking, sticking_partial_slip};
use super::objects::{Normal, PairOfLaws, Slip, Tangential};
use crate::error::GrainsError;
use crate::scene::contact::{ContactModel, Material, NormalLaw, PairLaw};
use crate::scene::tangential::TangentLaw;
use crate::value::{material_number, not_negative, word_of};

/// Makes the materials of contact dynamics from the contact model of a scene.
///
/// # Errors
/// For invalid materials; the error names the key.
pub(crate) fn rigid(model: &ContactModel) -> Result<RigidMaterials, GrainsError> {
    RigidMaterials::of_materials(&Moduli::new(model)?.materials).map_err(GrainsError::refused("contact.materials"))
}

/// The materials of a scene, with the values for pairs of materials from `contact.pairs`.
pub(super) struct Moduli<'a> {
    model: &'a ContactModel,
    /// Numbers of the two materials of each of `model.pairs`, the smaller number first.
    pub(super) numbers: Vec<[usize; 2]>,
    materials: Materials,
}

impl<'a> Moduli<'a> {
    /// Reads the materials and pairs of the contact model, if it has any.
    ///
    /// # Errors
    /// For invalid values, and for laws that conflict with those of materials.
    pub(super) fn new(model: &'a ContactModel) -> Result<Self, GrainsError> {
        let materials = model.materials.iter().enumerate().map(|(index, one)| material(model, index, one));
        let mut materials = Materials::new(materials.collect::<Result<Vec<_>, _>>()?);
        let numbers = numbers_of_pairs(model)?;
        if model.normal == NormalLaw::HertzMindlin {
            refuse_damping(model, "contact")?;
            refuse_general_resistances(model)?;
            check_tangential(model, "contact")?;
        }
        if let Some(adhesion) = model.adhesion {
            not_negative(format!("contact.adhesion.{}", word_of(&adhesion)), adhesion.work())?;
        }
        for (index, (pair, &[a, b])) in model.pairs.iter().zip(&numbers).enumerate() {
            let whole = model.with(pair);
            let key = format!("contact.pairs[{index}]");
            if whole.normal != NormalLaw::HertzMindlin {
                continue;
            }
            refuse_damping(&whole, &key)?;
            check_tangential(&whole, &key)?;
            pair.adhesion.map(|work| not_negative(format!("{key}.adhesion"), work)).transpose()?;
            materials = with_pair(materials, [a, b], pair, &key)?;
        }
        Ok(Self { model, numbers, materials })
    }

    /// Returns the laws between two materials, the smaller number first.
    ///
    /// # Errors
    /// For invalid constants.
    pub(super) fn between(&self, [a, b]: [usize; 2]) -> Result<PairOfLaws, DemError> {
        let model = self.model;
        let pair = self.materials.pair(a, b)?;
        let own = self.numbers.iter().position(|numbers| *numbers == [a, b]).map(|index| &model.pairs[index]);
        let whole = own.map_or_else(|| model.clone(), |own| model.with(own));
        let elastic = Normal::Hertz(pair.hertz());
        let normal = match model.adhesion {
            None => elastic,
            Some(law) => sticking(pair.hertz(), law.with_work(model.work_of_adhesion(law, [a, b], own)))?,
        };
        let law = whole.tangential.unwrap_or(TangentLaw::OF_MATERIALS);
        let spring = pair.mindlin_spring()?;
        let resists = pair.rolling().or(pair.twisting()).is_some();
        let slip = match law {
            _ if !spring.is_active() && !resists => Slip::Frictionless,
            TangentLaw::MindlinDeresiewicz { .. } => Slip::MindlinDeresiewicz(pair.mindlin_deresiewicz()?),
            TangentLaw::MindlinSpring { .. } => Slip::MindlinSpring(spring),
            _ => return Ok(PairOfLaws { elastic, normal, tangential: Tangential::NONE }),
        };
        let rolling = pair.rolling();
        let twisting = pair.twisting();
        let tangential = Tangential { slip, rolling, twisting, is_objective: law.is_objective() };
        Ok(PairOfLaws { elastic, normal, tangential })
    }
}

/// Finds the numbers of the two materials of each entry of `contact.pairs`, the smaller number first.
///
/// # Errors
/// For an unknown material, and for a pair that is given twice.
fn numbers_of_pairs(model: &ContactModel) -> Result<Vec<[usize; 2]>, GrainsError> {
    let names = model.names();
    let mut found = Vec::new();
    for (index, pair) in model.pairs.iter().enumerate() {
        let key = format!("contact.pairs[{index}]");
        let number = |name: &String| material_number(&names, name, &format!("{key}.between")).map(usize::from);
        let mut numbers = [number(&pair.between[0])?, number(&pair.between[1])?];
        numbers.sort_unstable();
        if found.contains(&numbers) {
            let problem = "the same two materials have an entry of `contact.pairs` already: write all keys in that one";
            return Err(GrainsError::conflict(key, problem));
        }
        found.push(numbers);
    }
    Ok(found)
}

/// Refuses a `damping` below `key`, since damping follows from the restitution of materials.
fn refuse_damping(model: &ContactModel, key: &str) -> Result<(), GrainsError> {
    let problem = "with the normal law `hertz-mindlin` damping follows from `restitution` in `contact.materials`, or \
                   in `contact.pairs` for a pair: leave it out";
    GrainsError::refuse_given(key, &[("damping", model.damping.is_some())], problem)
}

/// Refuses resistances to rolling and twisting of `contact` for all contacts, since they are keys of materials.
fn refuse_general_resistances(model: &ContactModel) -> Result<(), GrainsError> {
    let problem = "with the normal law `hertz-mindlin` this is a key of materials: write it in each of \
                   `contact.materials`, or in `contact.pairs` for a pair";
    let given = [("rolling", model.rolling.is_some()), ("twisting", model.twisting.is_some())];
    GrainsError::refuse_given("contact", &given, problem)
}

/// Checks that the tangential law below `key` is one with numbers from the moduli of materials.
fn check_tangential(model: &ContactModel, key: &str) -> Result<(), GrainsError> {
    let problem = match model.tangential {
        Some(TangentLaw::MindlinSpring { .. } | TangentLaw::MindlinDeresiewicz { .. }) => {
            "with the normal law `hertz-mindlin` its numbers follow from `young`, `poisson` and `friction` in \
             `contact.materials`: write the name of the law without numbers, such as `\"mindlin-spring\"`"
        }
        _ => {
            "with the normal law `hertz-mindlin` write `\"mindlin-spring\"`, `\"mindlin-deresiewicz\"` or \
             `\"frictionless\"`, without numbers: they follow from `young`, `poisson` and `friction` in \
             `contact.materials`"
        }
    };
    match model.tangential {
        Some(law) if !law.follows_from_moduli() => Err(GrainsError::conflict(format!("{key}.tangential"), problem)),
        Some(TangentLaw::MindlinDeresiewicz { .. }) if model.adhesion.is_some() => Err(sticking_partial_slip(key)),
        _ => Ok(()),
    }
}

fn material(model: &ContactModel, index: usize, one: &Material) -> Result<LawMaterial, GrainsError> {
    let key = format!("contact.materials[{index}]");
    if model.materials[..index].iter().any(|other| other.name == one.name) {
        let problem = "another material has this name already: write a different one";
        return Err(GrainsError::conflict(format!("{key}.name"), problem));
    }
    refuse_no_restitution(&key, one.restitution)?;
    let made = LawMaterial::new(one.young, one.poisson, one.restitution, one.friction);
    made.check().map_err(GrainsError::refused_number(key.as_str()))?;
    one.adhesion.map(|work| not_negative(format!("{key}.adhesion"), work)).transpose()?;
    let resists = |name: &str, resistance| slider(format!("{key}.{name}"), resistance);
    Ok(LawMaterial {
        rolling: one.rolling.map(|resistance| resists("rolling", resistance)).transpose()?,
        twisting: one.twisting.map(|resistance| resists("twisting", resistance)).transpose()?,
        ..made
    })
}

/// Returns the materials `made` with the values of `contact.pairs` for the pair at `key`. The pair's other values
/// remain means of both materials.
fn with_pair(mut made: Materials, [a, b]: [usize; 2], pair: &PairLaw, key: &str) -> Result<Materials, GrainsError> {
    let refused = |error| GrainsError::refused_number(key)(error);
    let own = |name: &str, resistance| slider(format!("{key}.{name}"), resistance).map(Some);
    if let Some(value) = pair.restitution {
        refuse_no_restitution(key, value)?;
        made = made.with_restitution(a, b, value).map_err(refused)?;
    }
    if let Some(friction) = pair.friction {
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

/// Refuses a `restitution` of zero below `key`.
fn refuse_no_restitution(key: &str, restitution: f64) -> Result<(), GrainsError> {
    if restitution.abs() > 0.0 || restitution.is_nan() {
        return Ok(());
    }
    let problem = "must be above 0, since no spring with damping takes all speed: write a small number such as 0.01. In \
                   contact dynamics `restitution = 0.0` in `[integrator.contact-dynamics]` is that of all contacts, \
                   whatever materials have";
    Err(GrainsError::conflict(format!("{key}.restitution"), problem))
}
