use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, State, VectorColumn};

use crate::bond::ties::Ties;
use crate::error::DemError;
use crate::error::step::StepError;
use crate::force::ContactForce;
use crate::implicit::system::StepSystem;
use crate::implicit::weights::StepContext;
use crate::util::numbers::larger;

/// Keeps the neighbour list valid for the trial velocities of Newton's method.
pub(super) struct TrialList<'a> {
    pub(super) bodies: &'a Bodies,
    /// State before the first half kick.
    pub(super) old: &'a State,
    /// State after the first half kick.
    pub(super) kicked: &'a State,
    /// Skin in m of neighbour lists, unless a step needs a larger one.
    pub(super) skin: f64,
    /// Rounding errors of the positions at the start of the step, by body number, in m; may be empty.
    pub(super) compensation: &'a [[f64; 3]],
}

/// Columns of velocities in the order of the list, which a new list reorders: the trial velocities, for which the list
/// must hold, and two other columns.
pub(super) struct Unknowns<'a> {
    pub(super) trial: &'a mut Vec<f64>,
    pub(super) others: [&'a mut Vec<f64>; 2],
}

impl TrialList<'_> {
    /// Makes the list valid at all points where forces are evaluated for the trial. A new list reorders the unknowns
    /// and `system`. Returns the number of lists that were built: one or none.
    ///
    /// # Errors
    /// [`StepError::StepTooFar`] if a body moves too far to determine its nearest image, and errors of building a list.
    pub(super) fn ensure_valid<const D: usize>(
        &mut self,
        contacts: &mut ContactForce,
        system: &mut StepSystem,
        context: &StepContext<'_>,
        unknowns: Unknowns<'_>,
    ) -> Result<usize, DemError> {
        let weights = &context.weights;
        let time = if weights.exact { weights.step } else { weights.evaluation_time };
        let fastest = system.fastest(unknowns.trial.as_chunks::<D>().0);
        let periods = contacts.list().domain().periods().to_array();
        let period = periods.into_iter().filter(|&period| period > 0.0).fold(f64::INFINITY, f64::min);
        let travel = time * fastest;
        // Beyond half a period the target image of a body is not the nearest one.
        if travel >= 0.4 * period || !travel.is_finite() {
            let speeds = unknowns.trial.as_chunks::<D>().0.iter().map(|v| DVec3::from_slice(v).length());
            let found = speeds.zip(0..).find(|&(speed, _)| speed >= fastest * (1.0 - 1e-9) || speed.is_nan());
            let body = found.map_or(0, |(_, place): (f64, usize)| contacts.list().order()[place] as usize);
            return Err(DemError::Step(StepError::StepTooFar {
                time: context.time,
                body,
                travel,
                limit: 0.4 * period,
            }));
        }
        // Half the skin, less a margin for rounding.
        let half = 0.5 * contacts.list().tiling().skin * (1.0 - 1e-9);
        if system.moved + travel <= half {
            return Ok(0);
        }
        if (!weights.exact || system.moved <= half)
            && self.furthest::<D>(contacts, system, time, unknowns.trial) <= half
        {
            return Ok(0);
        }
        // Exact energy needs a list that is valid at both ends of the step, other forms at the evaluation time.
        let (middle, skin) = if weights.exact {
            (0.5 * time, self.skin.max(0.5 * self.skin + 1.01 * travel))
        } else {
            (time, self.skin)
        };
        self.rebuild::<D>(contacts, system, middle, skin, unknowns)?;
        Ok(1)
    }

    /// Largest distance in m of a centre from its position in the list, `time` (s) after the start of the step.
    fn furthest<const D: usize>(&self, contacts: &ContactForce, system: &StepSystem, time: f64, trial: &[f64]) -> f64 {
        let rows = contacts.list().tiling().reference.iter().zip(&system.origin).zip(trial.as_chunks::<D>().0);
        let squares = rows.map(|((reference, origin), v)| {
            let here = DVec3::from_slice(&origin[..3]) + time * DVec3::from_slice(v);
            (here - DVec3::from_slice(&reference[..3])).length_squared()
        });
        squares.fold(0.0_f64, larger).sqrt()
    }

    /// Builds a neighbour list for the positions after `time` (s) at the trial velocities.
    fn rebuild<const D: usize>(
        &mut self,
        contacts: &mut ContactForce,
        system: &mut StepSystem,
        time: f64,
        skin: f64,
        Unknowns { trial, others: [second, third] }: Unknowns<'_>,
    ) -> Result<(), DemError> {
        let mut position = VectorColumn::zeros(self.bodies.len());
        let order: Vec<u32> = contacts.list().order().to_vec();
        for (&i, v) in order.iter().zip(trial.as_chunks::<D>().0) {
            position.set(i as usize, self.old.position().get(i as usize) + time * DVec3::from_slice(v));
        }
        // After an error the previous list is kept, and may be valid for other trials.
        contacts.list_mut().make_trial(self.bodies.radius(), &position, skin)?;
        contacts.follow_list();
        // Index of each body in the previous list.
        let mut old_place = vec![0_u32; order.len()];
        (0..).zip(&order).for_each(|(place, &i)| old_place[i as usize] = place);
        let from: Vec<u32> = contacts.list().order().iter().map(|&i| old_place[i as usize]).collect();
        for column in [trial, second, third] {
            let old = column.clone();
            let old = old.as_chunks::<D>().0;
            for (to, &k) in column.as_chunks_mut::<D>().0.iter_mut().zip(&from) {
                *to = old[k as usize];
            }
        }
        if !system.known_impulse.is_empty() {
            system.known_impulse = from.iter().map(|&k| system.known_impulse[k as usize]).collect();
        }
        self.load::<D>(contacts, system);
        Ok(())
    }

    /// Prepares the neighbour list and the data of bodies and walls for an implicit step.
    ///
    /// # Errors
    /// Errors for bodies, laws and ties that do not match, and errors of building a list.
    pub(super) fn prepare<const D: usize>(
        &mut self,
        contacts: &mut ContactForce,
        system: &mut StepSystem,
        context: &StepContext<'_>,
    ) -> Result<(), DemError> {
        let bodies = self.bodies;
        self.old.check_columns(bodies)?;
        contacts.law_assignment().check_bodies(bodies.len())?;
        if let Some(found) = context.ties.map(Ties::bodies).filter(|&found| found != bodies.len()) {
            return Err(DemError::LengthMismatch { what: "bodies of ties", expected: bodies.len(), found });
        }
        contacts.describe_bodies(bodies);
        let list = contacts.list_mut();
        if !list.go_back(bodies.radius())? {
            list.make_trial(bodies.radius(), self.old.position(), self.skin)?;
        }
        contacts.follow_list();
        system.known_impulse.clear();
        self.load::<D>(contacts, system);
        Ok(())
    }

    fn load<const D: usize>(&self, contacts: &ContactForce, system: &mut StepSystem) {
        system.load(contacts, self.bodies, self.old, self.kicked, D > 3);
        system.compensation.clear();
        if self.compensation.len() == self.bodies.len() {
            system.compensation.extend(contacts.list().order().iter().map(|&i| self.compensation[i as usize]));
        }
    }
}
