//! Neighbour lists that hold for the trial points of a step.

use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, State, VectorColumn};

use crate::bond::ties::Ties;
use crate::error::DemError;
use crate::error::step::StepError;
use crate::force::ContactForce;
use crate::implicit::system::StepSystem;
use crate::implicit::weights::Setting;
use crate::law::contact_law::{ContactLaw, TangentialLaw};
use crate::neighbor::list_kind::ListKind;

/// The bodies of a step, and what their list is to reach.
pub(crate) struct TrialList<'a> {
    pub(crate) bodies: &'a Bodies,
    /// At the start of the step, before and after the first half kick.
    pub(crate) old: &'a State,
    pub(crate) kicked: &'a State,
    /// The skin that lists are made with unless a step needs a larger one, in m.
    pub(crate) skin: f64,
    /// What rounding took from the positions at the start, by body; empty if nothing.
    pub(crate) residue: &'a [[f64; 3]],
    /// What the list was made for before the first one that was made in this step.
    pub(crate) former: Option<(Vec<[f64; 3]>, f64)>,
}

impl TrialList<'_> {
    /// Makes a list that holds wherever this trial has forces evaluated, unless the present one does; true if one was made.
    /// The unknowns and the stage are then in its order.
    pub(crate) fn cover<L: ContactLaw, T: TangentialLaw, const D: usize>(
        &mut self,
        contacts: &mut ContactForce<L, T>,
        stage: &mut StepSystem,
        setting: &Setting<'_>,
        unknowns: [&mut Vec<f64>; 3],
    ) -> Result<bool, DemError> {
        let weights = &setting.weights;
        let time = if weights.exact { weights.step } else { weights.reach };
        let fastest = stage.fastest(unknowns[0].as_chunks::<D>().0);
        let periods = contacts.list.domain().periods().to_array();
        let period = periods.into_iter().filter(|&period| period > 0.0).fold(f64::INFINITY, f64::min);
        let travel = time * fastest;
        // Beyond half a period the image that a body goes to is not the nearest one.
        if travel >= 0.4 * period || !travel.is_finite() {
            let speeds = unknowns[0].as_chunks::<D>().0.iter().map(|v| DVec3::from_slice(v).length());
            let place = speeds.zip(0..).find(|&(speed, _)| speed >= fastest * (1.0 - 1e-9) || speed.is_nan());
            let body = place.map_or(0, |(_, place): (f64, usize)| contacts.list.order()[place] as usize);
            return Err(DemError::Step(StepError::StepTooFar {
                time: setting.time,
                body,
                travel,
                limit: 0.4 * period,
            }));
        }
        // Rounding must not make half a skin longer.
        let half = 0.5 * contacts.list.basis().1 * (1.0 - 1e-9);
        if stage.moved + travel <= half {
            return Ok(false);
        }
        if (!weights.exact || stage.moved <= half)
            && self.furthest::<L, T, D>(contacts, stage, time, unknowns[0]) <= half
        {
            return Ok(false);
        }
        // Both ends of the step for the form of exact energy, else where forces are evaluated.
        let (middle, skin) = if weights.exact {
            (0.5 * time, self.skin.max(0.5 * self.skin + 1.01 * travel))
        } else {
            (time, self.skin)
        };
        self.remake::<L, T, D>(contacts, stage, middle, skin, unknowns)?;
        Ok(true)
    }

    /// Largest distance of a centre from where the list was made for it after `time`.
    fn furthest<L: ContactLaw, T: TangentialLaw, const D: usize>(
        &self,
        contacts: &ContactForce<L, T>,
        stage: &StepSystem,
        time: f64,
        trial: &[f64],
    ) -> f64 {
        let (reference, _) = contacts.list.basis();
        let places = contacts.list.order().iter().zip(&stage.origin).zip(trial.as_chunks::<D>().0);
        let square = places.map(|((&i, origin), v)| {
            let here = DVec3::from_slice(&origin[..3]) + time * DVec3::from_slice(v);
            (here - DVec3::from_array(reference[i as usize])).length_squared()
        });
        // NaN counts as the furthest.
        square.fold(0.0_f64, |most, far| if far > most || far.is_nan() { far } else { most }).sqrt()
    }

    /// Makes a list for where the trial is at `time`.
    fn remake<L: ContactLaw, T: TangentialLaw, const D: usize>(
        &mut self,
        contacts: &mut ContactForce<L, T>,
        stage: &mut StepSystem,
        time: f64,
        skin: f64,
        unknowns: [&mut Vec<f64>; 3],
    ) -> Result<(), DemError> {
        let (reference, former_skin) = contacts.list.basis();
        if self.former.is_none() {
            self.former = Some((reference.to_vec(), former_skin));
        }
        let mut place = VectorColumn::zeros(self.bodies.len());
        let order: Vec<u32> = contacts.list.order().to_vec();
        for (&i, v) in order.iter().zip(unknowns[0].as_chunks::<D>().0) {
            place.set(i as usize, self.old.position().get(i as usize) + time * DVec3::from_slice(v));
        }
        contacts.history.carry(&contacts.list);
        let remade = contacts.list.remake(self.bodies.radius(), &place, skin);
        if remade.is_err() {
            // The former list again, in the order that the stage has: other trials may fit it.
            contacts.list.revive(self.bodies.radius(), |_| ())?;
        }
        contacts.history.follow_all(&contacts.list);
        remade?;
        // Places of the old list, in the new order.
        let mut rank = vec![0_u32; order.len()];
        (0..).zip(&order).for_each(|(k, &i)| rank[i as usize] = k);
        let from: Vec<u32> = contacts.list.order().iter().map(|&i| rank[i as usize]).collect();
        for column in unknowns {
            let old = column.clone();
            let old = old.as_chunks::<D>().0;
            for (to, &k) in column.as_chunks_mut::<D>().0.iter_mut().zip(&from) {
                *to = old[k as usize];
            }
        }
        if !stage.extra.is_empty() {
            stage.extra = from.iter().map(|&k| stage.extra[k as usize]).collect();
        }
        self.load::<L, T, D>(contacts, stage);
        Ok(())
    }

    /// Makes list and stage ready for a step.
    pub(crate) fn begin<L: ContactLaw, T: TangentialLaw, const D: usize>(
        &mut self,
        contacts: &mut ContactForce<L, T>,
        stage: &mut StepSystem,
        setting: &Setting<'_>,
    ) -> Result<(), DemError> {
        let bodies = self.bodies;
        self.old.check_columns(bodies)?;
        contacts.laws.check_bodies(bodies.len())?;
        if let Some(found) = setting.ties.map(Ties::bodies).filter(|&found| found != bodies.len()) {
            return Err(DemError::LengthMismatch { what: "bodies of ties", expected: bodies.len(), found });
        }
        if contacts.list.fixed() != bodies.fixed() {
            contacts.history.carry(&contacts.list);
            contacts.list.set_fixed(bodies.fixed().into());
        }
        let ContactForce { list, history, .. } = &mut *contacts;
        // What contacts remember is kept by pair.
        list.use_kind(if size_of::<T::History>() > 0 { ListKind::Both } else { ListKind::Full });
        if !list.revive(bodies.radius(), |list| history.carry(list))? {
            let (reference, skin) = contacts.list.basis();
            self.former = Some((reference.to_vec(), skin));
            contacts.history.carry(&contacts.list);
            contacts.list.remake(bodies.radius(), self.old.position(), self.skin)?;
        }
        contacts.history.follow_all(&contacts.list);
        stage.extra.clear();
        self.load::<L, T, D>(contacts, stage);
        Ok(())
    }

    fn load<L: ContactLaw, T: TangentialLaw, const D: usize>(
        &self,
        contacts: &ContactForce<L, T>,
        stage: &mut StepSystem,
    ) {
        stage.load(contacts, self.bodies, self.old, self.kicked, D > 3);
        stage.residue.clear();
        if self.residue.len() == self.bodies.len() {
            stage.residue.extend(contacts.list.order().iter().map(|&i| self.residue[i as usize]));
        }
    }
}
