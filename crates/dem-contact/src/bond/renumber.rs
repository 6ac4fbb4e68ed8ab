//! Renumbering of bonded and tied bodies.

use rrp_geom::Attitude;
use rrp_integrate::Renumbering;

use crate::bond::bonds::Bonds;
use crate::bond::incidence::Incidence;
use crate::error::DemError;
use crate::error::bond::BondError;
use crate::util::length::check_length;

impl Bonds {
    /// Renumbers the bodies of bonds between two steps. Bonds keep numbers and energies; new bodies have no bonds.
    ///
    /// # Errors
    /// [`DemError::LengthMismatch`] if `numbering` is for another number of bodies, [`BondError::BodyGone`] if a body
    /// with a bond, intact or broken, is removed. Nothing is then changed.
    pub fn renumber(&mut self, numbering: &Renumbering) -> Result<(), DemError> {
        let pairs = self.records.iter().map(|record| record.bodies.map(|body| body as usize));
        let pairs = linked("bond", pairs, numbering, self.bodies)?;
        for reference in self.sets.iter_mut().filter_map(|set| set.reference.as_mut()) {
            *reference = numbering.column_with(reference, &vec![Attitude::IDENTITY; numbering.new_bodies()])?.into();
        }
        for (record, pair) in self.records.iter_mut().zip(pairs) {
            record.bodies = pair.map(|body| body as u32);
        }
        self.bodies = numbering.former().len();
        self.incidence = Incidence::default();
        Ok(())
    }
}

/// Returns the `pairs` of bodies that bonds or ties join, with their new numbers. `bodies` is the number of bodies
/// before the renumbering, `what` the name in errors of what joins a pair: "bond" or "tie".
pub(super) fn linked(
    what: &'static str,
    pairs: impl Iterator<Item = [usize; 2]>,
    numbering: &Renumbering,
    bodies: usize,
) -> Result<Vec<[usize; 2]>, DemError> {
    check_length("numbering", bodies, numbering.before())?;
    let now = numbering.inverse();
    let present = |(which, pair): (usize, [usize; 2])| match pair.into_iter().find(|&body| now.is_new(body)) {
        Some(body) => Err(DemError::Bond(BondError::BodyGone { what, which, body })),
        None => Ok(pair.map(|body| now.former()[body])),
    };
    pairs.enumerate().map(present).collect()
}

#[cfg(test)]
mod tests {
    use rrp_geom::glam::DVec3;
    use rrp_integrate::{Bodies, Body, ForceField as _, State, Wrenches};

    use super::*;
    use crate::bond::breakage::Strength;
    use crate::bond::law::{Bond, BondLaw};
    use crate::bond::ties::Ties;
    use crate::neighbor::domain::Domain;

    #[test]
    fn bonds_and_ties_follow_their_bodies_or_refuse() {
        let bodies = Bodies::new([Body::sphere(1.0, 0.5); 4]).unwrap();
        let mut state = State::at_rest(4);
        (0..4).for_each(|i| {
            state.position_mut().set(i, DVec3::X * i as f64);
            let turn = Attitude::from_rotation_vector(DVec3::Y * 0.1 * i as f64).unwrap();
            state.attitude_mut().set(i, turn);
        });
        let strength = Strength::UNBREAKABLE;
        let law = BondLaw { bending: 1.0, stretching: 2.0, shearing: 3.0, contact: 4.0, strength };
        let mut bonds = Bonds::new(&bodies, &state, [Bond::new(1, 2, law), Bond::new(3, 1, law)]).unwrap();
        let mut ties = Ties::new(Domain::OPEN, 4, [[1, 2], [1, 3]], 5.0).unwrap();
        state.position_mut().set(1, DVec3::new(1.1, 0.2, -0.1));
        let numbering = Renumbering::with_changes(4, 1, [3, 1, 4, 2]).unwrap();
        // Body 0 has no bond: the body is removed, and a new body is added.
        let mut other_bodies = bodies.clone();
        let mut other = state.clone();
        numbering.apply_to_bodies_with(&mut other_bodies, &Bodies::new([Body::sphere(1.0, 0.5)]).unwrap()).unwrap();
        numbering.apply_with(&mut other, &State::at_rest(1)).unwrap();
        let forces = |bodies: &Bodies, state: &State, bonds: &mut Bonds, ties: &mut Ties| {
            let mut out = Wrenches::zeros(4);
            bonds.accumulate(bodies, state, 0.0, &mut out).unwrap();
            ties.accumulate(bodies, state, 0.0, &mut out).unwrap();
            out
        };
        let mut expected = forces(&bodies, &state, &mut bonds, &mut ties);
        assert!(expected.force.get(0) == DVec3::ZERO && expected.torque.get(1).length() > 0.1);
        numbering.apply_to_wrenches_with(&mut expected, &Wrenches::zeros(1)).unwrap();
        bonds.renumber(&numbering).unwrap();
        ties.renumber(&numbering).unwrap();
        assert_eq!(forces(&other_bodies, &other, &mut bonds, &mut ties), expected);
        // Body 1 has two bonds and two ties.
        let gone = Renumbering::removal(4, |body| body == 1);
        for (what, error) in [("bond", bonds.renumber(&gone)), ("tie", ties.renumber(&gone))] {
            let error = error.unwrap_err();
            let named =
                matches!(error, DemError::Bond(BondError::BodyGone { what: w, which: 0, body: 1 }) if w == what);
            assert!(named, "{error}");
        }
        assert_eq!(forces(&other_bodies, &other, &mut bonds, &mut ties), expected);
        let wrong = Renumbering::removal(3, |_| false);
        assert!(matches!(bonds.renumber(&wrong), Err(DemError::LengthMismatch { expected: 4, found: 3, .. })));
    }
}
