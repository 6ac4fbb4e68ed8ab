//! Other numbers for the same bodies.

use crate::{Bodies, IntegrateError, State, VectorColumn, Wrenches};

/// Another numbering of bodies: of each its former number.
///
/// Bodies that meet should be near each other in memory: packings whose bodies are numbered at random take longer, the more
/// the larger they are. Numbers mean nothing to the mechanics, but sums depend on their order, so a run with others has other
/// rounding. Force fields and integrators that know bodies by number have to be told, or made after bodies were renumbered: in the
/// course of a run [`State::discard_wrenches`] then lets fields made anew begin with the state itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Renumbering {
    former: Box<[usize]>,
}

impl Renumbering {
    /// The numbering in which body `i` is the one that was `former[i]`.
    ///
    /// # Errors
    /// [`IntegrateError::InvalidNumbering`] unless each number below their count is there once.
    pub fn new(former: impl IntoIterator<Item = usize>) -> Result<Self, IntegrateError> {
        let former: Box<[usize]> = former.into_iter().collect();
        let mut seen = vec![false; former.len()];
        for (body, &number) in former.iter().enumerate() {
            match seen.get_mut(number) {
                Some(seen) if !*seen => *seen = true,
                _ => return Err(IntegrateError::InvalidNumbering { body, former: number, bodies: former.len() }),
            }
        }
        Ok(Self { former })
    }

    /// The former number of each body.
    #[must_use]
    pub fn former(&self) -> &[usize] {
        &self.former
    }

    /// The way back: the present number of each former one.
    #[must_use]
    pub fn inverse(&self) -> Self {
        let mut now = vec![0; self.former.len()];
        self.former.iter().enumerate().for_each(|(body, &former)| now[former] = body);
        Self { former: now.into() }
    }

    /// What there is one of for each body, in the order of the new numbers.
    ///
    /// # Errors
    /// [`IntegrateError::LengthMismatch`].
    pub fn column<T: Clone>(&self, by_body: &[T]) -> Result<Vec<T>, IntegrateError> {
        self.check("column", by_body.len())?;
        Ok(self.former.iter().map(|&former| by_body[former].clone()).collect())
    }

    /// The bodies with new numbers.
    ///
    /// # Errors
    /// [`IntegrateError::LengthMismatch`].
    pub fn bodies(&self, bodies: &Bodies) -> Result<Bodies, IntegrateError> {
        self.check("bodies", bodies.len())?;
        let mut renumbered = bodies.clone();
        renumbered.renumber(&self.former);
        Ok(renumbered)
    }

    /// Gives the bodies new numbers, column by column: without room for two of them.
    ///
    /// # Errors
    /// [`IntegrateError::LengthMismatch`]; they are then as before.
    pub fn apply_to_bodies(&self, bodies: &mut Bodies) -> Result<(), IntegrateError> {
        self.check("bodies", bodies.len())?;
        bodies.renumber(&self.former);
        Ok(())
    }

    /// The state with new numbers; the wrenches that its last step left behind go with it.
    ///
    /// # Errors
    /// [`IntegrateError::LengthMismatch`].
    pub fn state(&self, state: &State) -> Result<State, IntegrateError> {
        let mut renumbered = state.clone();
        self.apply(&mut renumbered)?;
        Ok(renumbered)
    }

    /// Gives the bodies of `state` new numbers, column by column: without room for two of it.
    ///
    /// # Errors
    /// [`IntegrateError::LengthMismatch`]; the state is then as before.
    pub fn apply(&self, state: &mut State) -> Result<(), IntegrateError> {
        state.check_length(self.former.len())?;
        for column in [&mut state.position, &mut state.velocity, &mut state.angular_momentum] {
            self.vectors(column);
        }
        if state.has_attitudes() {
            let attitude = &state.attitude;
            state.attitude = self.former.iter().map(|&former| attitude.get(former)).collect();
        }
        if state.wrenches_current { self.apply_to_wrenches(&mut state.wrenches) } else { Ok(()) }
    }

    /// Gives the bodies on which forces and torques act new numbers.
    ///
    /// # Errors
    /// [`IntegrateError::LengthMismatch`]; they are then as before.
    pub fn apply_to_wrenches(&self, wrenches: &mut Wrenches) -> Result<(), IntegrateError> {
        wrenches.check_length(self.former.len())?;
        for loads in [&mut wrenches.force, &mut wrenches.torque] {
            if !loads.is_untouched() {
                self.vectors(loads.touch());
            }
        }
        Ok(())
    }

    fn vectors(&self, column: &mut VectorColumn) {
        for component in column.slices_mut() {
            let renumbered: Vec<f64> = self.former.iter().map(|&former| component[former]).collect();
            component.copy_from_slice(&renumbered);
        }
    }

    fn check(&self, column: &'static str, found: usize) -> Result<(), IntegrateError> {
        let expected = self.former.len();
        if found == expected { Ok(()) } else { Err(IntegrateError::LengthMismatch { column, expected, found }) }
    }
}

#[cfg(test)]
mod tests {
    use rrp_geom::Attitude;
    use rrp_geom::glam::DVec3;

    use super::*;
    use crate::{Body, Explicit, Gravity, Integrator, Map};

    /// Three bodies, all different, in motion.
    fn sample() -> (Bodies, State) {
        let shape = Body::rigid(3.0, DVec3::new(1.0, 2.0, 2.5));
        let bodies = Bodies::new([Body::sphere(1.0, 0.5), Body::fixed(0.25), shape]).unwrap();
        let mut state = State::at_rest(3);
        for i in 0..3 {
            let value = DVec3::new(i as f64, 1.0, -0.5 * i as f64);
            state.position_mut().set(i, value);
            state.velocity_mut().set(i, 2.0 * value);
            state.angular_momentum_mut().set(i, 3.0 * value);
            state.attitude_mut().set(i, Attitude::from_rotation_vector(0.1 * value).unwrap());
        }
        state.set_time(0.7);
        (bodies, state)
    }

    #[test]
    fn each_body_keeps_what_is_its_own_and_the_way_back_leads_back() {
        let (bodies, state) = sample();
        let numbering = Renumbering::new([2, 0, 1]).unwrap();
        let (other_bodies, other) = (numbering.bodies(&bodies).unwrap(), numbering.state(&state).unwrap());
        assert_eq!(other_bodies.get(0), bodies.get(2));
        assert_eq!(other_bodies.fixed(), [2]);
        assert_eq!(other.attitude().get(1), state.attitude().get(0));
        assert_eq!(other.time().to_bits(), state.time().to_bits());
        let mut in_place = bodies.clone();
        numbering.apply_to_bodies(&mut in_place).unwrap();
        assert_eq!(in_place, Bodies::new([2, 0, 1].map(|former| bodies.get(former))).unwrap());
        assert_eq!(numbering.column(&["a", "b", "c"]).unwrap(), ["c", "a", "b"]);
        let back = numbering.inverse();
        assert_eq!(back.bodies(&other_bodies).unwrap(), bodies);
        assert_eq!(back.state(&other).unwrap(), state);
        assert!(!numbering.state(&state.without_attitudes()).unwrap().has_attitudes());
    }

    #[test]
    fn bodies_that_do_not_meet_move_as_before() {
        let (bodies, mut state) = sample();
        let numbering = Renumbering::new([1, 2, 0]).unwrap();
        let (other_bodies, mut other) = (numbering.bodies(&bodies).unwrap(), numbering.state(&state).unwrap());
        let mut field = Gravity { acceleration: DVec3::new(0.0, 0.3, -9.81) };
        let mut map = Explicit::new(Map::Newton, 1e-3).unwrap();
        for _ in 0..20 {
            map.step(&bodies, &mut field, &mut state).unwrap();
            map.step(&other_bodies, &mut field, &mut other).unwrap();
        }
        let (found, expected) = (numbering.inverse().state(&other).unwrap(), numbering.state(&state).unwrap());
        let again = numbering.state(&found).unwrap();
        assert!(again == expected && again.wrenches().is_some() && again.wrenches() == expected.wrenches());
    }

    #[test]
    fn what_is_no_numbering_is_refused_by_number() {
        for (former, at) in [(vec![0, 2], 1), (vec![1, 1, 0], 1), (vec![usize::MAX], 0)] {
            let error = Renumbering::new(former).unwrap_err();
            assert!(matches!(error, IntegrateError::InvalidNumbering { body, .. } if body == at), "{error}");
        }
        let (bodies, state) = sample();
        let two = Renumbering::new([1, 0]).unwrap();
        assert!(matches!(two.bodies(&bodies), Err(IntegrateError::LengthMismatch { expected: 2, found: 3, .. })));
        assert!(matches!(two.state(&state), Err(IntegrateError::LengthMismatch { expected: 2, found: 3, .. })));
        assert!(two.column(&[0; 3]).is_err());
        let mut same = bodies.clone();
        assert!(two.apply_to_bodies(&mut same).is_err() && same == bodies);
        let (mut kept, mut loads) = (state.clone(), Wrenches::zeros(3));
        assert!(matches!(two.apply(&mut kept), Err(IntegrateError::LengthMismatch { expected: 2, found: 3, .. })));
        loads.force.set(0, DVec3::X);
        assert!(two.apply_to_wrenches(&mut loads).is_err());
        assert_eq!((kept, loads.force.get(0)), (state, DVec3::X));
    }
}
