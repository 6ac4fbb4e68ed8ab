//! Laws of contacts that stick or yield: one pair of types for all of them.

use dem_contact::error::DemError;
use dem_contact::law::{Adhesive, AnyAdhesive, Dmt, Hertz, Jkr, LawTable, PlasticHooke, Rolling};

use super::materials;
use super::normal::{Normal, hertz, hooke, other_kind};
use super::table::law_table;
use super::tangential::{AnyTangential, Slip, Spring, Tangential};
use crate::error::GrainsError;
use crate::scene::adhesion::{AdhesionLaw, PlasticLaw};
use crate::scene::contact::{ContactModel, NormalLaw};
use crate::value::{not_negative, positive};

/// Any tangential law beside a normal law that sticks or yields.
pub(super) type Sticking = Adhesive<AnyAdhesive, Rolling<AnyTangential>>;

/// The laws of all pairs of materials.
///
/// # Errors
/// Those of a model without meaning, with its key.
pub(super) fn laws(model: &ContactModel) -> Result<LawTable<AnyAdhesive, Sticking>, GrainsError> {
    model.check_sticking()?;
    Slip::of(model)?;
    match (model.normal, model.adhesion) {
        (NormalLaw::HertzMindlin, Some(adhesion)) => of_materials(model, adhesion),
        _ => law_table(model),
    }
}

/// Hertz' law of materials with adhesion, beside Mindlin's law as one spring.
fn of_materials(model: &ContactModel, adhesion: AdhesionLaw) -> Result<LawTable<AnyAdhesive, Sticking>, GrainsError> {
    let elastic = materials::mindlin_springs(model)?;
    let names = model.names();
    for (index, one) in model.materials.iter().enumerate() {
        one.adhesion.map(|work| not_negative(format!("contact.materials[{index}].adhesion"), work)).transpose()?;
    }
    for (index, pair) in model.pairs.iter().enumerate() {
        pair.adhesion.map(|work| not_negative(format!("contact.pairs[{index}].adhesion"), work)).transpose()?;
    }
    not_negative(format!("contact.adhesion.{}", adhesion.name()), adhesion.work())?;
    let made = LawTable::new(names.len(), |a, b| {
        let is_theirs = |[one, two]: &[String; 2]| [[one, two], [two, one]].contains(&[&names[a], &names[b]]);
        let own = model.pairs.iter().find(|pair| is_theirs(&pair.between));
        let (hertz, rolling) = *elastic.between(a, b);
        let normal = sticking(hertz, adhesion.with_work(model.work_of_adhesion(adhesion, [a, b], own)))?;
        let spring = AnyTangential::Spring(Spring::Mindlin(*rolling.slip()));
        Ok((normal, Adhesive::new(normal, rolling.beside(spring))))
    });
    made.map_err(GrainsError::refused("contact.adhesion"))
}

fn sticking(elastic: Hertz, adhesion: AdhesionLaw) -> Result<AnyAdhesive, DemError> {
    match adhesion {
        AdhesionLaw::Jkr(work) => Jkr::new(elastic, work).map(AnyAdhesive::Jkr),
        AdhesionLaw::Dmt(work) => Dmt::new(elastic, work).map(AnyAdhesive::Dmt),
    }
}

impl Normal for AnyAdhesive {
    fn of(model: &ContactModel, key: &str) -> Result<Self, GrainsError> {
        if let Some(adhesion) = model.adhesion {
            let at = if key == "contact" {
                format!("{key}.adhesion.{}", adhesion.name())
            } else {
                format!("{key}.adhesion")
            };
            not_negative(at.clone(), adhesion.work())?;
            return sticking(hertz(model, key)?, adhesion).map_err(GrainsError::refused(at));
        }
        let Some(PlasticLaw { loading, adhesion }) = model.plastic else { return other_kind(key, "normal") };
        positive("contact.plastic.loading", loading)?;
        not_negative("contact.plastic.adhesion", adhesion)?;
        let law = PlasticHooke::new(hooke(model, key)?, loading).and_then(|law| law.with_adhesion(adhesion));
        law.map(Self::Plastic).map_err(GrainsError::refused("contact.plastic"))
    }
}

impl<T: Tangential> Tangential for Adhesive<AnyAdhesive, T> {
    fn of(model: &ContactModel, key: &str) -> Result<Self, GrainsError> {
        Ok(Self::new(AnyAdhesive::of(model, key)?, T::of(model, key)?))
    }
}
