//! Other numbers for the same bodies.

use crate::body::bodies::Bodies;
use crate::body::state::State;
use crate::body::wrenches::Wrenches;
use crate::column::vector::VectorColumn;
use crate::error::IntegrateError;

/// A permutation of the bodies: the former number of each.
///
/// Use it to give bodies near each other in space neighbouring numbers: large packings with random numbers run slower.
/// The same bodies are there before and after, only their order changes.
///
/// The mechanics do not depend on numbers, but sums depend on their order: a run with other numbers rounds differently.
/// Force fields and integrators that know bodies by number must be told, or made anew. If fields are made anew in the
/// course of a run, call [`State::discard_wrenches`], so that the next step evaluates them at the present state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Renumbering {
    former: Box<[usize]>,
}

impl Renumbering {
    /// The numbering in which body `i` is the one that was `former[i]`.
    ///
    /// # Errors
    /// [`IntegrateError::InvalidNumbering`] unless each number below their count occurs once.
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

    /// The inverse permutation: the present number of each former one.
    #[must_use]
    pub fn inverse(&self) -> Self {
        let mut now = vec![0; self.former.len()];
        self.former.iter().enumerate().for_each(|(body, &former)| now[former] = body);
        Self { former: now.into() }
    }

    /// Any values of the bodies, one each, in the order of the new numbers.
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

    /// Gives the bodies new numbers, column by column, without a second copy of them in memory.
    ///
    /// # Errors
    /// [`IntegrateError::LengthMismatch`]; the bodies are then as before.
    pub fn apply_to_bodies(&self, bodies: &mut Bodies) -> Result<(), IntegrateError> {
        self.check("bodies", bodies.len())?;
        bodies.renumber(&self.former);
        Ok(())
    }

    /// The state with new numbers, including the wrenches that it carries.
    ///
    /// # Errors
    /// [`IntegrateError::LengthMismatch`].
    pub fn state(&self, state: &State) -> Result<State, IntegrateError> {
        let mut renumbered = state.clone();
        self.apply(&mut renumbered)?;
        Ok(renumbered)
    }

    /// Gives the bodies of `state` new numbers, column by column, without a second copy of the state in memory.
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
    /// [`IntegrateError::LengthMismatch`]; the wrenches are then as before.
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
