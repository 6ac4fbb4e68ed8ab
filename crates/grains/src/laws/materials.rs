//! Laws from the moduli of materials.

use dem_contact::contact_dynamics::RigidMaterials;
use dem_contact::error::DemError;
use dem_contact::law::{Material as LawMaterial, Materials, SpringSlider, TangentialLaw as _};

use super::numbers::{refuse_sticking_slip, slider, sticking};
use super::numbers_of_pairs;
use super::objects::{Normal, PairOfLaws, Slip, Tangential};
use crate::error::{GrainsError, Location};
use crate::scene::contact::{ContactModel, Material, NormalLaw, PairLaw};
use crate::scene::tangential::TangentLaw;
use crate::value::{not_negative, positive};

/// Friction, restitution and resistances of rigid contacts.
pub(crate) fn rigid(model: &ContactModel) -> Result<RigidMaterials, GrainsError> {
    RigidMaterials::of_materials(&Moduli::new(model)?.materials).map_err(GrainsError::refused("contact.materials"))
}

/// The materials of a scene, with the values that pairs have of their own.
pub(super) struct Moduli<'a> {
    model: &'a ContactModel,
    /// The numbers of the materials of each of `model.pairs`, the smaller one first.
    numbers: Vec<[usize; 2]>,
    materials: Materials,
}

impl<'a> Moduli<'a> {
    /// The materials of `model`; none without moduli.
    ///
    /// # Errors
    /// For values without meaning, and for laws that are given beside those of materials.
    pub(super) fn new(model: &'a ContactModel) -> Result<Self, GrainsError> {
        let materials = model.materials.iter().enumerate().map(|(index, one)| material(model, index, one));
        let mut materials = Materials::new(materials.collect::<Result<Vec<_>, _>>()?);
        let numbers = numbers_of_pairs(model)?;
        if model.normal == NormalLaw::HertzMindlin {
            let laws = [
                ("damping", model.damping.is_some()),
                ("rolling", model.rolling.is_some()),
                ("twisting", model.twisting.is_some()),
            ];
            refuse_laws(laws, "contact")?;
            check_tangential(model, "contact")?;
        }
        if let Some(adhesion) = model.adhesion {
            not_negative(format!("contact.adhesion.{}", adhesion.name()), adhesion.work())?;
        }
        for (index, (pair, &[a, b])) in model.pairs.iter().zip(&numbers).enumerate() {
            let (whole, key) = (model.with(pair), format!("contact.pairs[{index}]"));
            if whole.normal != NormalLaw::HertzMindlin {
                continue;
            }
            refuse_laws([("damping", pair.damping.is_some())], &key)?;
            check_tangential(&whole, &key)?;
            pair.adhesion.map(|work| not_negative(format!("{key}.adhesion"), work)).transpose()?;
            materials = with_pair(materials, [a, b], pair, &key)?;
        }
        Ok(Self { model, numbers, materials })
    }

    /// The laws of two materials, the smaller number first.
    ///
    /// # Errors
    /// For constants without meaning.
    pub(super) fn between(&self, [a, b]: [usize; 2]) -> Result<PairOfLaws, DemError> {
        let (model, pair) = (self.model, self.materials.pair(a, b)?);
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
            // Without friction no history need be kept.
            _ if !spring.is_active() && !resists => Slip::Frictionless,
            TangentLaw::MindlinDeresiewicz { .. } => Slip::MindlinDeresiewicz(pair.mindlin_deresiewicz()?),
            TangentLaw::MindlinSpring { .. } => Slip::MindlinSpring(spring),
            _ => return Ok(PairOfLaws { elastic, normal, tangential: Tangential::NONE }),
        };
        let (rolling, twisting) = (pair.rolling(), pair.twisting());
        let tangential = Tangential { slip, rolling, twisting, is_objective: law.is_objective() };
        Ok(PairOfLaws { elastic, normal, tangential })
    }
}

fn conflict<T>(key: String, problem: &'static str) -> Result<T, GrainsError> {
    Err(GrainsError::Conflict { at: Location::of(key), problem })
}

/// Refuses laws that follow from materials.
fn refuse_laws<const N: usize>(laws: [(&str, bool); N], key: &str) -> Result<(), GrainsError> {
    let problem = "is given by materials where the normal law is `hertz-mindlin`: leave it out";
    let given = laws.into_iter().find(|(_, given)| *given);
    given.map_or(Ok(()), |(name, _)| conflict(format!("{key}.{name}"), problem))
}

/// Checks a tangential law beside moduli.
fn check_tangential(model: &ContactModel, key: &str) -> Result<(), GrainsError> {
    match model.tangential {
        Some(law) if !law.follows_from_moduli() => conflict(
            format!("{key}.tangential"),
            "is given by materials where the normal law is `hertz-mindlin`: give `\"mindlin-spring\"`, \
             `\"mindlin-deresiewicz\"` or `\"frictionless\"`, without numbers",
        ),
        Some(TangentLaw::MindlinDeresiewicz { .. }) if model.adhesion.is_some() => refuse_sticking_slip(key),
        _ => Ok(()),
    }
}

/// One material, with its numbers checked.
fn material(model: &ContactModel, index: usize, one: &Material) -> Result<LawMaterial, GrainsError> {
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
    one.adhesion.map(|work| not_negative(under("adhesion"), work)).transpose()?;
    let resists = |name: &str, resistance| slider(under(name), resistance);
    Ok(LawMaterial {
        rolling: one.rolling.map(|resistance| resists("rolling", resistance)).transpose()?,
        twisting: one.twisting.map(|resistance| resists("twisting", resistance)).transpose()?,
        ..LawMaterial::new(one.young, one.poisson, one.restitution, one.friction)
    })
}

/// Returns `made` with the values that a pair has of its own. Its other values stay means of both materials.
fn with_pair(mut made: Materials, [a, b]: [usize; 2], pair: &PairLaw, key: &str) -> Result<Materials, GrainsError> {
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
