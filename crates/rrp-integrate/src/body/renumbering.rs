use crate::body::bodies::Bodies;
use crate::body::state::State;
use crate::body::wrenches::Wrenches;
use crate::column::load::LoadColumn;
use crate::column::vector::VectorColumn;
use crate::error::IntegrateError;

/// A renumbering of bodies: the former number of each body. A renumbering may also remove bodies and add new ones.
///
/// [`new`](Self::new) keeps all bodies and only changes their order. Large packings run faster if bodies near each
/// other in space have neighbouring numbers. Use [`insertion`](Self::insertion), [`removal`](Self::removal) and
/// [`with_changes`](Self::with_changes) between two steps to add and remove bodies.
///
/// The mechanics do not depend on the numbers, but the order of sums does: after a renumbering a run rounds
/// differently. Force fields and integrators that store numbers of bodies must be renumbered, or made anew. After
/// making fields anew in the course of a run, call [`State::discard_wrenches`], so that the next step evaluates the
/// fields at the present state.
///
/// ```
/// # use rrp_integrate::{Bodies, Body, Renumbering, State};
/// let (mut bodies, mut state) = (Bodies::new([Body::sphere(1.0, 0.5); 3])?, State::at_rest(3));
/// // Body 1 leaves, and two bodies of half the size come: they get the numbers 2 and 3.
/// let numbering = Renumbering::with_changes(3, 2, [0, 2, 3, 4])?;
/// numbering.apply_with(&mut state, &State::at_rest(2))?;
/// numbering.apply_to_bodies_with(&mut bodies, &Bodies::new([Body::sphere(0.125, 0.25); 2])?)?;
/// assert_eq!((bodies.len(), bodies.radius()[3]), (4, 0.25));
/// # Ok::<_, rrp_integrate::IntegrateError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Renumbering {
    /// Former number of each body, by new number. Added bodies count on from the last former number.
    former: Box<[usize]>,
    before: usize,
    new: usize,
}

impl Renumbering {
    /// Makes the renumbering in which body `i` is the body that had the number `former[i]`.
    ///
    /// # Errors
    /// [`IntegrateError::InvalidNumbering`] unless `former` has each number below its length once.
    pub fn new(former: impl IntoIterator<Item = usize>) -> Result<Self, IntegrateError> {
        let former: Box<[usize]> = former.into_iter().collect();
        Self::with_changes(former.len(), 0, former)
    }

    /// Makes the renumbering of `before` former and `new` added bodies in which body `i` is former body `former[i]` if
    /// `former[i]` is below `before`, else added body `former[i] - before`. Former bodies that do not occur are
    /// removed.
    ///
    /// # Errors
    /// [`IntegrateError::InvalidNumbering`] if a number occurs twice or is not below `before + new`,
    /// [`LengthMismatch`](IntegrateError::LengthMismatch) if a new body does not occur.
    pub fn with_changes(
        before: usize,
        new: usize,
        former: impl IntoIterator<Item = usize>,
    ) -> Result<Self, IntegrateError> {
        let former: Box<[usize]> = former.into_iter().collect();
        let bodies = before.saturating_add(new);
        // The `former.len()` rows cannot hold more new bodies, so an absurd `new` allocates no memory.
        let mut seen = vec![false; before.saturating_add(new.min(former.len()))];
        for (body, &number) in former.iter().enumerate() {
            match seen.get_mut(number) {
                Some(seen) if !*seen => *seen = true,
                _ => return Err(IntegrateError::InvalidNumbering { body, former: number, bodies }),
            }
        }
        let found = seen[before..].iter().filter(|&&seen| seen).count();
        check("new bodies in a numbering", new, found)?;
        Ok(Self { former, before, new })
    }

    /// Makes the renumbering that appends `new` bodies to `before` bodies, with the next higher numbers.
    #[must_use]
    pub fn insertion(before: usize, new: usize) -> Self {
        Self { former: (0..before + new).collect(), before, new }
    }

    /// Makes the renumbering that removes each of `before` bodies for which `leaves` is true; the remaining bodies keep
    /// their order.
    #[must_use]
    pub fn removal(before: usize, leaves: impl Fn(usize) -> bool) -> Self {
        Self { former: (0..before).filter(|&body| !leaves(body)).collect(), before, new: 0 }
    }

    /// Former number of each body, by new number; for an added body, [`before`](Self::before) plus its index among the
    /// added bodies.
    #[must_use]
    pub fn former(&self) -> &[usize] {
        &self.former
    }

    /// Number of bodies before the renumbering, including those that it removes.
    #[must_use]
    pub fn before(&self) -> usize {
        self.before
    }

    /// Number of bodies that the renumbering adds.
    #[must_use]
    pub fn new_bodies(&self) -> usize {
        self.new
    }

    /// Whether the renumbering only reorders: no body is removed, and none is added.
    #[must_use]
    pub fn keeps_all(&self) -> bool {
        self.new == 0 && self.former.len() == self.before
    }

    /// Returns the inverse renumbering, from the present numbers to the former ones. The inverse removes the bodies
    /// that this renumbering adds, and adds the bodies that it removes, in the order of their numbers.
    #[must_use]
    pub fn inverse(&self) -> Self {
        let mut now = vec![usize::MAX; self.before + self.new];
        self.former.iter().enumerate().for_each(|(body, &former)| now[former] = body);
        now.truncate(self.before);
        let mut next = self.former.len();
        for number in now.iter_mut().filter(|number| **number == usize::MAX) {
            *number = next;
            next += 1;
        }
        Self { before: self.former.len(), new: next - self.former.len(), former: now.into() }
    }

    /// Whether the body with this new number was added by the renumbering.
    ///
    /// # Panics
    /// If there is no body with this number.
    #[must_use]
    pub fn is_new(&self, body: usize) -> bool {
        self.former[body] >= self.before
    }

    /// Returns the values of a slice, one for each body, in the order of the new numbers.
    ///
    /// # Errors
    /// [`IntegrateError::LengthMismatch`], also if there are new bodies.
    pub fn column<T: Clone>(&self, by_body: &[T]) -> Result<Vec<T>, IntegrateError> {
        self.column_with(by_body, &[])
    }

    /// Returns the values of a slice like [`column`](Self::column), with the values `new` for added bodies.
    ///
    /// # Errors
    /// [`IntegrateError::LengthMismatch`].
    pub fn column_with<T: Clone>(&self, by_body: &[T], new: &[T]) -> Result<Vec<T>, IntegrateError> {
        self.check("column", by_body.len(), new.len())?;
        Ok(self.gather(|body| by_body[body].clone(), |body| new[body].clone()))
    }

    /// Returns a copy of the bodies with new numbers.
    ///
    /// # Errors
    /// [`IntegrateError::LengthMismatch`], also if there are new bodies.
    pub fn bodies(&self, bodies: &Bodies) -> Result<Bodies, IntegrateError> {
        let mut renumbered = bodies.clone();
        self.apply_to_bodies(&mut renumbered)?;
        Ok(renumbered)
    }

    /// Gives the bodies their new numbers in place.
    ///
    /// # Errors
    /// [`IntegrateError::LengthMismatch`], also if there are new bodies; the bodies are then as before.
    pub fn apply_to_bodies(&self, bodies: &mut Bodies) -> Result<(), IntegrateError> {
        self.apply_to_bodies_with(bodies, &Bodies::none())
    }

    /// Renumbers the bodies like [`apply_to_bodies`](Self::apply_to_bodies), with `new` as the new bodies.
    ///
    /// # Errors
    /// [`IntegrateError::LengthMismatch`]; the bodies are then as before.
    pub fn apply_to_bodies_with(&self, bodies: &mut Bodies, new: &Bodies) -> Result<(), IntegrateError> {
        self.check("bodies", bodies.len(), new.len())?;
        *bodies = Bodies::of_rows(&self.gather(|body| bodies.get(body), |body| new.get(body)));
        Ok(())
    }

    /// Returns a copy of the state with new numbers, including the wrenches that it carries.
    ///
    /// # Errors
    /// [`IntegrateError::LengthMismatch`], also if there are new bodies.
    pub fn state(&self, state: &State) -> Result<State, IntegrateError> {
        let mut renumbered = state.clone();
        self.apply(&mut renumbered)?;
        Ok(renumbered)
    }

    /// Renumbers the bodies of `state` in place, column by column, without a second copy of the state in memory.
    ///
    /// # Errors
    /// [`IntegrateError::LengthMismatch`], also if there are new bodies; the state is then as before.
    pub fn apply(&self, state: &mut State) -> Result<(), IntegrateError> {
        self.apply_with(state, &State::at_rest(0))
    }

    /// Renumbers bodies like [`apply`](Self::apply), with `new` as the state of the added bodies. The time of `new` is
    /// ignored.
    ///
    /// The state keeps its wrenches if no body is added, or if `new` carries wrenches too: then the bodies that stay
    /// move on with the same bits as without the change. Call [`evaluate_wrenches`](crate::step::evaluate_wrenches) on
    /// `new` with the fields that act on the added bodies from the start. Otherwise the wrenches are discarded, and the
    /// next step evaluates all forces at the present state.
    ///
    /// In the first half of the next step, kept wrenches still contain the contact forces of a removed body on its
    /// neighbours; [`State::discard_wrenches`] avoids this. Attitudes of added bodies are dropped if `state` has bodies
    /// without attitudes.
    ///
    /// # Errors
    /// [`IntegrateError::LengthMismatch`], or [`NoAttitudes`](IntegrateError::NoAttitudes) if `state` has attitudes and
    /// `new` has none; the state is then as before.
    pub fn apply_with(&self, state: &mut State, new: &State) -> Result<(), IntegrateError> {
        state.check_length(self.before)?;
        new.check_length(self.new)?;
        // The former bodies decide whether the state has attitudes; without any, the new ones do.
        let first = if self.before > 0 { &*state } else { new };
        if first.has_attitudes() {
            new.check_attitudes()?;
            let old = &state.attitude;
            let new = &new.attitude;
            state.attitude = self.gather(|body| old.get(body), |body| new.get(body)).into();
        }
        let columns = [
            (&mut state.position, &new.position),
            (&mut state.velocity, &new.velocity),
            (&mut state.angular_momentum, &new.angular_momentum),
        ];
        columns.into_iter().for_each(|(column, new)| self.vectors(column, new));
        state.wrenches_current &= self.new == 0 || new.wrenches_current;
        if state.wrenches_current {
            self.apply_to_wrenches_with(&mut state.wrenches, &new.wrenches)
        } else {
            state.wrenches = Wrenches::zeros(state.position.len());
            Ok(())
        }
    }

    /// Renumbers forces and torques in place, with `new` as the wrenches on added bodies.
    ///
    /// # Errors
    /// [`IntegrateError::LengthMismatch`]; the wrenches are then as before.
    pub fn apply_to_wrenches_with(&self, wrenches: &mut Wrenches, new: &Wrenches) -> Result<(), IntegrateError> {
        wrenches.check_length(self.before)?;
        new.check_length(self.new)?;
        for (loads, new) in [(&mut wrenches.force, &new.force), (&mut wrenches.torque, &new.torque)] {
            let mut renumbered = LoadColumn::zeros(self.former.len());
            if !(loads.is_untouched() && new.is_untouched()) {
                let rows = self.gather(|body| loads.get(body), |body| new.get(body));
                *renumbered.touch() = rows.into_iter().collect();
            }
            *loads = renumbered;
        }
        Ok(())
    }

    fn vectors(&self, column: &mut VectorColumn, new: &VectorColumn) {
        *column = self.gather(|body| column.get(body), |body| new.get(body)).into_iter().collect();
    }

    /// Returns one value for each body in the new order, from the functions `old` of former and `new` of added bodies.
    fn gather<T>(&self, old: impl Fn(usize) -> T, new: impl Fn(usize) -> T) -> Vec<T> {
        let value = |&body: &usize| if body < self.before { old(body) } else { new(body - self.before) };
        self.former.iter().map(value).collect()
    }

    fn check(&self, column: &'static str, found: usize, new: usize) -> Result<(), IntegrateError> {
        check(column, self.before, found)?;
        check("new bodies", self.new, new)
    }
}

fn check(column: &'static str, expected: usize, found: usize) -> Result<(), IntegrateError> {
    if found == expected { Ok(()) } else { Err(IntegrateError::LengthMismatch { column, expected, found }) }
}
