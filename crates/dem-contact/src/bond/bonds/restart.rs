//! The stored form of bonds, and its checks at a restart.

use crate::bond::bonds::Bonds;
use crate::bond::bonds::bond_set::BondSet;
use crate::bond::breakage::Rupture;
use crate::bond::force::Record;
use crate::bond::incidence::Incidence;
use crate::error::DemError;
use crate::error::bond::BondError;
use crate::error::list::ListError;
use crate::util::length::check_length;

#[derive(serde::Serialize, serde::Deserialize)]
pub(super) struct Parts {
    bodies: usize,
    sets: Vec<BondSet>,
    records: Vec<Record>,
    intact: Vec<bool>,
    ruptures: Vec<Rupture>,
}

impl TryFrom<Parts> for Bonds {
    type Error = DemError;

    fn try_from(parts: Parts) -> Result<Self, DemError> {
        let Parts { bodies, sets, records, intact, ruptures } = parts;
        let invalid = |bond: usize, parameter, range, value: usize| {
            Err(DemError::Bond(BondError::InvalidBond { bond, parameter, range, value: value as f64 }))
        };
        if u32::try_from(bodies).is_err() {
            return Err(DemError::List(ListError::TooManyBodies { bodies, limit: u32::MAX as usize }));
        }
        if records.len() > Incidence::LIMIT {
            return Err(DemError::Bond(BondError::TooManyBonds { bonds: records.len(), limit: Incidence::LIMIT }));
        }
        for (bond, record) in records.iter().enumerate() {
            record.law.check(bond)?;
            let pair = record.bodies.map(|i| i as usize);
            if pair[0] == pair[1] || pair.iter().any(|&body| body >= bodies) {
                return Err(DemError::Bond(BondError::InvalidLink {
                    what: "bond",
                    which: bond,
                    bodies: pair,
                    len: bodies,
                }));
            }
            if record.set as usize >= sets.len() {
                return invalid(bond, "index of its reference", "below the number of references", record.set as usize);
            }
            let length = record.length;
            let unit = (record.axis.length() - 1.0).abs() < 1e-9;
            let whole = record.offset.is_finite();
            if !(length.is_finite() && length.recip().is_finite() && length > 0.0 && unit && whole) {
                return Err(DemError::Bond(BondError::BondWithoutLength { bond, bodies: pair, length }));
            }
        }
        // Sets with a reference hold the attitudes of all bodies. Limiting the other sets keeps a short input from
        // reserving memory for many poses.
        let unturned = sets.iter().filter(|set| set.reference.is_none()).count();
        if unturned > BondSet::FORMS {
            let parameter = "the number of references of bonds without attitudes";
            let range = "at most the number of forms of shear";
            return Err(DemError::InvalidParameter { parameter, range, value: unturned as f64 });
        }
        for reference in sets.iter().filter_map(|set| set.reference.as_ref()) {
            check_length("reference attitudes", bodies, reference.len())?;
        }
        check_length("flags of bonds", records.len(), intact.len())?;
        if let Some(rupture) = ruptures.iter().find(|rupture| rupture.bond >= records.len()) {
            return invalid(rupture.bond, "number in a rupture", "below the number of bonds", rupture.bond);
        }
        for &Rupture { bond, time, released, jump } in &ruptures {
            let numbers =
                [("time of its rupture", time), ("energy released", released.total()), ("work of its jump", jump)];
            for (parameter, value) in numbers {
                if !value.is_finite() {
                    return Err(DemError::Bond(BondError::InvalidBond { bond, parameter, range: "finite", value }));
                }
            }
        }
        // The energy of a broken bond without a rupture would be lost, that of a bond with two ruptures counted twice.
        let mut found = vec![0; records.len()];
        ruptures.iter().for_each(|rupture| found[rupture.bond] += 1);
        if let Some(bond) = (0..records.len()).find(|&bond| found[bond] != usize::from(!intact[bond])) {
            return invalid(bond, "number of its ruptures", "one if it is broken, else zero", found[bond]);
        }
        Ok(Self::assemble(bodies, sets, records, intact, ruptures))
    }
}

impl From<Bonds> for Parts {
    fn from(bonds: Bonds) -> Self {
        let count = bonds.bodies();
        let Bonds { sets, records, intact, ruptures, .. } = bonds;
        Self { bodies: count, sets, records, intact, ruptures }
    }
}

#[cfg(test)]
mod tests {
    use rrp_geom::glam::DVec3;

    use super::*;
    use crate::bond::breakage::Strength;
    use crate::bond::energies::BondEnergies;
    use crate::bond::law::{Bond, BondLaw};

    #[test]
    fn numbers_that_are_none_are_refused() {
        for wrong in [f64::NAN, f64::INFINITY] {
            let bodies = rrp_integrate::Bodies::new([rrp_integrate::Body::sphere(1.0, 0.5); 2]).unwrap();
            let mut state = rrp_integrate::State::at_rest(2);
            state.position_mut().set(1, DVec3::X);
            let law =
                BondLaw { bending: 1.0, stretching: 1.0, shearing: 1.0, contact: 0.0, strength: Strength::UNBREAKABLE };
            let broken = |time: f64, bending: f64| {
                let mut parts = Parts::from(Bonds::new(&bodies, &state, [Bond::new(0, 1, law)]).unwrap());
                let released = BondEnergies { bending, ..BondEnergies::default() };
                parts.ruptures.push(Rupture { bond: 0, time, released, jump: 0.0 });
                parts.intact[0] = false;
                Bonds::try_from(parts)
            };
            broken(1.0, 2.0).unwrap();
            for outcome in [broken(wrong, 2.0), broken(1.0, wrong)] {
                assert!(matches!(outcome, Err(DemError::Bond(BondError::InvalidBond { bond: 0, .. }))), "{outcome:?}");
            }
        }
    }
}
