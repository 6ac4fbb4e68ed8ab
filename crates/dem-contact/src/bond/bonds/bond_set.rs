//! Sets of bonds that were made at different times, each from the state at its time.

use rrp_geom::Attitude;

use crate::bond::bonds::Bonds;
use crate::bond::breakage::Rupture;
use crate::bond::force::Record;
use crate::bond::incidence::Incidence;
use crate::bond::law::ShearForm;
use crate::error::DemError;
use crate::error::bond::BondError;
use crate::util::length::check_length;

/// Properties of a set of bonds that were made together: form of shear and reference attitudes.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(in crate::bond) struct BondSet {
    pub(super) form: ShearForm,
    /// Attitudes of all bodies in the reference state of these bonds; `None` if all are the identity.
    pub(in crate::bond) reference: Option<Box<[Attitude]>>,
}

impl BondSet {
    /// Number of forms of shear. Sets of bonds without reference attitudes differ only in this form, and equal sets are
    /// merged, so there are at most as many of them.
    #[cfg(feature = "serde")]
    pub(super) const FORMS: usize = 3;
}

impl Bonds {
    /// Adds bonds between the same bodies that were made from another state or with another form of shear. Existing
    /// bonds keep their numbers, references and ruptures; added bonds follow. Forces have to be evaluated anew.
    ///
    /// # Errors
    /// [`DemError::LengthMismatch`] for another number of bodies, [`BondError::TooManyBonds`]. Nothing is then changed.
    pub fn append(&mut self, others: Self) -> Result<(), DemError> {
        check_length("bodies of other bonds", self.bodies, others.bodies)?;
        if others.records.is_empty() {
            return Ok(());
        }
        let first = self.records.len();
        let bonds = first.saturating_add(others.records.len());
        if bonds > Incidence::LIMIT {
            return Err(DemError::Bond(BondError::TooManyBonds { bonds, limit: Incidence::LIMIT }));
        }
        let mut sets = std::mem::take(&mut self.sets);
        let mut records = std::mem::take(&mut self.records);
        let places: Vec<u32> = others.sets.into_iter().map(|set| place_of(set, &mut sets)).collect();
        let placed = |record: Record| Record { set: places[record.set as usize], ..record };
        records.extend(others.records.into_iter().map(placed));
        let mut intact = std::mem::take(&mut self.intact);
        intact.extend(others.intact);
        let mut ruptures = std::mem::take(&mut self.ruptures);
        let renumbered = |rupture: Rupture| Rupture { bond: first + rupture.bond, ..rupture };
        ruptures.extend(others.ruptures.into_iter().map(renumbered));
        *self = Self::assemble(self.bodies, sets, records, intact, ruptures);
        Ok(())
    }

    pub(in crate::bond) fn set_of(&self, record: &Record) -> &BondSet {
        &self.sets[record.set as usize]
    }

    pub(in crate::bond) fn form_of(&self, record: &Record) -> ShearForm {
        self.set_of(record).form
    }
}

/// Returns the index in `known` of a set equal to `set`, which is pushed if there is none.
fn place_of(set: BondSet, known: &mut Vec<BondSet>) -> u32 {
    let place = known.iter().position(|other| *other == set).unwrap_or_else(|| {
        known.push(set);
        known.len() - 1
    });
    place as u32
}

#[cfg(test)]
mod tests {
    use rrp_geom::glam::DVec3;
    use rrp_integrate::{Bodies, Body, ForceField as _, State, Wrenches};

    use super::*;
    use crate::bond::breakage::Strength;
    use crate::bond::law::{Bond, BondLaw};

    fn law(strength: Strength) -> BondLaw {
        BondLaw { bending: 1.0, stretching: 2.0, shearing: 3.0, contact: 0.0, strength }
    }

    fn turn(angle: f64) -> Attitude {
        Attitude::from_rotation_vector(DVec3::new(0.3, 1.0, -0.2) * angle).unwrap()
    }

    /// Checks that appended bonds exert the forces that they exert alone, and store no energy in their reference.
    #[test]
    fn appended_bonds_act_as_they_do_alone() {
        let bodies = Bodies::new([Body::sphere(1.0, 0.5); 3]).unwrap();
        let mut state = State::at_rest(3);
        (0..3).for_each(|i| state.position_mut().set(i, DVec3::X * i as f64));
        let first = Bonds::new(&bodies, &state, [Bond::new(0, 1, law(Strength::of_stretch(0.05)))]).unwrap();
        state.attitude_mut().set(1, turn(0.2));
        state.position_mut().set(2, DVec3::new(2.0, 0.1, 0.0));
        let second = Bonds::new(&bodies, &state, [Bond::new(2, 1, law(Strength::UNBREAKABLE))]).unwrap();
        let second = second.with_shear(ShearForm::Monotone);
        let mut together = first.clone();
        together.append(second.clone()).unwrap();
        assert_eq!((together.len(), together.sets.len()), (2, 2));
        // The second bond is at rest here, the first bond is not.
        let stored: Vec<f64> = together.loads(&bodies, &state).map(|load| load.energies.total()).collect();
        assert!(stored[0] > 1e-3 && stored[1].abs() < 1e-12, "{stored:?}");
        state.attitude_mut().set(2, turn(-0.4));
        let mut all = [first, second, together];
        for (x, broken) in [(-0.02, 0), (-0.1, 1)] {
            state.position_mut().set(0, DVec3::new(x, 0.0, 0.02));
            let [first, second, sum] = all.each_mut().map(|bonds| {
                let mut out = Wrenches::zeros(3);
                bonds.accumulate(&bodies, &state, 0.0, &mut out).unwrap();
                bonds.commit();
                out
            });
            for body in 0..3 {
                assert_eq!(sum.force.get(body), first.force.get(body) + second.force.get(body));
                assert_eq!(sum.torque.get(body), first.torque.get(body) + second.torque.get(body));
            }
            assert!(sum.torque.get(2).length() > 0.1 && (first.force.get(0).length() > 0.01) == (broken == 0));
            assert_eq!(all[2].ruptures().len(), broken);
        }
        let [_, second, mut together] = all;
        // An appended bond that is broken keeps its rupture.
        let mut again = second.clone();
        again.append(together.clone()).unwrap();
        assert_eq!((again.ruptures()[0].bond, again.sets.len()), (1, 2));
        assert_eq!(again.intact, [true, false, true]);
        let fewer = Bonds::new(&Bodies::new([]).unwrap(), &State::at_rest(0), []).unwrap();
        assert!(matches!(together.append(fewer), Err(DemError::LengthMismatch { expected: 3, found: 0, .. })));
        assert_eq!(together.len(), 2);
    }
}
