//! Where the energy is, and where it went.

use rrp_geom::glam::DVec3;
use rrp_integrate::body::KineticEnergy;
use rrp_integrate::{Bodies, Potential, Renumbering, State, Wrenches, kinetic_energy};

use crate::error::DemError;
use crate::force::ContactForce;
use crate::law::contact_law::{ContactLaw, TangentialLaw};

#[cfg(feature = "serde")]
use crate::error::parameter::finite;

/// The energies of a state and the work done on the way to it, in J.
///
/// [`balance`](Self::balance) stays constant up to the order of the integrator: kinetic, elastic and external energy
/// plus what was dissipated minus what walls have put in. What fixed bodies that are driven at a velocity put in is not
/// recorded.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Ledger {
    /// Of translation and rotation.
    pub kinetic: KineticEnergy,
    /// Stored in contacts by their normal laws.
    pub elastic: f64,
    /// Stored in contacts by their tangential laws: springs against slip, rolling and twisting.
    pub tangential: f64,
    /// Of all other fields, gravity above all.
    pub external: f64,
    /// Work that damping and friction have taken out for good since the ledger was opened: that of all contact forces that are
    /// not elastic, less what is [stored](Self::tangential). What springs hold when their contact ends counts from then on.
    pub dissipated: f64,
    /// Work that moving walls have done on the bodies since the ledger was opened.
    pub wall_work: f64,
}

impl Ledger {
    /// Reads the energies of `state` and the work that `contacts` has recorded; changes nothing.
    ///
    /// `external` is the energy of all fields but the contacts. Without
    /// [`ContactForce::with_ledger`] both works are zero; in a ledger that was opened in the course of a run, what springs held
    /// then is missing from what is dissipated.
    ///
    /// # Errors
    /// Those of [`ContactForce::contacts`].
    pub fn read<L: ContactLaw, T: TangentialLaw>(
        contacts: &ContactForce<L, T>,
        external: &dyn Potential,
        bodies: &Bodies,
        state: &State,
    ) -> Result<Self, DemError> {
        state.check_columns(bodies)?;
        let tangential = contacts.tangential_energy(bodies, state)?;
        let work = contacts.work.as_ref().map_or_else(Default::default, |book| book.committed);
        Ok(Self {
            kinetic: kinetic_energy(bodies, state),
            elastic: contacts.elastic_energy(bodies, state)?,
            external: external.energy(bodies, state),
            tangential,
            dissipated: work.dissipated - if contacts.work.is_some() { tangential } else { 0.0 },
            wall_work: work.by_walls,
        })
    }

    /// Kinetic, elastic, tangential and external energy in J.
    #[must_use]
    pub fn mechanical(&self) -> f64 {
        self.kinetic.total() + self.elastic + self.tangential + self.external
    }

    /// Mechanical energy plus what was dissipated minus the work of walls, in J.
    #[must_use]
    pub fn balance(&self) -> f64 {
        self.mechanical() + self.dissipated - self.wall_work
    }
}

/// Work since the ledger was opened, in J.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Work {
    dissipated: f64,
    by_walls: f64,
}

/// Integrates work over steps.
///
/// Over a step of length h the forces F₀ and F₁ at its ends do the work h/2 (F₀ + F₁)·V with V the velocity in its
/// middle: that is the change of kinetic energy of a kick-drift-kick step, up to a term that telescopes.
#[derive(Debug, Clone, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct WorkBook {
    pub(crate) committed: Work,
    #[cfg_attr(feature = "serde", serde(skip))]
    pending: Work,
    /// Forces that are not elastic at the committed state, and at the last one evaluated.
    start: Forces,
    #[cfg_attr(feature = "serde", serde(skip))]
    end: Forces,
}

#[derive(Debug, Clone, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Forces {
    on_bodies: Wrenches,
    /// By wall: the power of the whole force on it, and of the part that is not elastic.
    on_walls: Vec<[f64; 2]>,
}

impl Forces {
    fn are_finite(&self) -> bool {
        let Wrenches { force, torque } = &self.on_bodies;
        let vectors = || force.iter().chain(torque.iter());
        vectors().all(|vector| vector.is_finite()) && self.on_walls.iter().flatten().all(|power| power.is_finite())
    }
}

impl WorkBook {
    /// Passes a book of numbers. One of other bodies or walls begins anew with the next step.
    #[cfg(feature = "serde")]
    pub(crate) fn check(&self) -> Result<(), DemError> {
        let on_bodies = &self.start.on_bodies;
        let vectors = on_bodies.force.iter().chain(on_bodies.torque.iter()).flat_map(|vector| vector.to_array());
        let powers = self.start.on_walls.iter().flatten().copied();
        let work = [self.committed.dissipated, self.committed.by_walls];
        for number in work.into_iter().chain(powers).chain(vectors) {
            finite("each number of a ledger", number)?;
        }
        Ok(())
    }

    /// Takes the walls for others, on which no forces are known yet.
    pub(crate) fn forget_walls(&mut self) {
        self.start.on_walls.clear();
        self.end.on_walls.clear();
    }

    /// How many bodies it knows forces on; 0 before the first step.
    pub(crate) fn bodies(&self) -> usize {
        self.start.on_bodies.len()
    }

    /// Gives the bodies other numbers.
    pub(crate) fn renumber(&mut self, numbering: &Renumbering) -> Result<(), DemError> {
        if self.bodies() > 0 {
            numbering.apply_to_wrenches(&mut self.start.on_bodies)?;
        }
        Ok(())
    }

    /// Records the forces at `state`: `wrench` gives those on a body that are not elastic, `walls` the power (W) of the
    /// whole force on each wall and of the part that is not elastic.
    pub(crate) fn record(
        &mut self,
        bodies: &Bodies,
        state: &State,
        elapsed: f64,
        wrench: impl Fn(usize) -> [DVec3; 2],
        walls: &[[f64; 2]],
    ) {
        let len = bodies.len();
        for forces in [&mut self.start, &mut self.end] {
            if forces.on_bodies.len() != len {
                forces.on_bodies = Wrenches::zeros(len);
            }
        }
        let (start, end) = (&self.start, &mut self.end);
        let mut on_bodies = 0.0;
        for i in 0..len {
            let [force, torque] = wrench(i);
            on_bodies += (start.on_bodies.force.get(i) + force).dot(state.velocity().get(i));
            on_bodies += (start.on_bodies.torque.get(i) + torque).dot(state.spin(bodies, i));
            end.on_bodies.force.set(i, force);
            end.on_bodies.torque.set(i, torque);
        }
        let (mut on_walls, mut by_walls) = (0.0, 0.0);
        end.on_walls.clear();
        for (w, powers) in walls.iter().enumerate() {
            let [before, dissipative_before] = start.on_walls.get(w).copied().unwrap_or_default();
            by_walls -= before + powers[0];
            on_walls += dissipative_before + powers[1];
            end.on_walls.push(*powers);
        }
        self.pending = self.committed;
        if elapsed > 0.0 {
            self.pending.dissipated -= 0.5 * elapsed * (on_bodies + on_walls);
            self.pending.by_walls += 0.5 * elapsed * by_walls;
        } else if self.end.are_finite() {
            // This is the committed state itself.
            self.start.clone_from(&self.end);
        }
    }

    pub(crate) fn commit(&mut self) {
        self.committed = self.pending;
        std::mem::swap(&mut self.start, &mut self.end);
    }
}

#[cfg(all(test, feature = "serde"))]
mod tests {
    use super::*;

    #[test]
    fn a_book_that_no_run_has_stored_is_refused() {
        let good = || {
            let mut book = WorkBook::default();
            book.start.on_bodies = Wrenches::zeros(3);
            book.start.on_walls = vec![[1.0, -2.0]; 2];
            book
        };
        assert!(good().check().is_ok() && WorkBook::default().check().is_ok());
        for spoil in [
            |book: &mut WorkBook| book.committed.dissipated = f64::NAN,
            |book: &mut WorkBook| book.committed.by_walls = f64::INFINITY,
            |book: &mut WorkBook| book.start.on_walls[1][0] = f64::NAN,
            |book: &mut WorkBook| book.start.on_bodies.torque.set(2, DVec3::NAN),
        ] {
            let mut book = good();
            spoil(&mut book);
            assert!(matches!(book.check(), Err(DemError::InvalidParameter { .. })));
        }
    }
}
