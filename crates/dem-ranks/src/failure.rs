//! Failures of ranks and their exchange: all ranks end with the error of a run on one rank.

use dem_contact::error::{ContactError, DemError, ListError};
use rrp_integrate::{IntegrateError, State};
use serde::{Deserialize, Serialize};

use crate::collective::all_gather;
use crate::error::{BehindWall, RanksError};
use crate::transport::Ranks;

/// Failure of a step on one rank, in the form that is sent to the other ranks.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Failure {
    when: Moment,
    stage: Stage,
    /// Overlap over radius of a pair that overlaps too much, to report the deepest pair of all ranks; else zero.
    depth: f64,
    /// Numbers, among all bodies of the run, of the bodies that the error message names.
    bodies: Vec<usize>,
    behind_wall: Option<Box<BehindWall>>,
    message: String,
}

/// Number of steps and time of a run at the start of a step.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct Moment {
    /// Number of steps that the run had taken before this step.
    pub(crate) steps: u64,
    /// Time in s of the run at which this step starts.
    pub(crate) time: f64,
}

/// Parts of a step in which it can fail, in the order in which a run on one rank meets them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
enum Stage {
    Motion,
    List,
    Pairs,
    /// Part of a step with the forces at walls; also stands for all errors of contacts that belong to no other part.
    Contacts,
    WholeForces,
    /// Part of a step that sums up all forces on each body, which fails if a sum is not finite.
    Sums,
}

impl Failure {
    /// Converts the error of a step of this rank, whose own bodies have this `state`, to the form for other ranks.
    /// `bodies` has the number of each body of this rank among all bodies.
    pub(crate) fn of_step(when: Moment, error: IntegrateError, bodies: &[u32], state: &State) -> Self {
        match error {
            IntegrateError::Field(error) => match error.downcast::<DemError>() {
                Ok(error) => {
                    let behind_wall = behind_wall(&error, state).map(Box::new);
                    Self { behind_wall, ..Self::of_contacts(when, *error, bodies) }
                }
                Err(error) => Self::new(when, Stage::Contacts, Vec::new(), &IntegrateError::Field(error)),
            },
            other => Self::of_motion(when, other, bodies),
        }
    }

    /// Converts an error of the forces evaluated with all bodies, which numbers bodies among all bodies.
    pub(crate) fn of_whole_forces(when: Moment, error: IntegrateError) -> Self {
        Self { stage: Stage::WholeForces, depth: 0.0, ..Self::of_step(when, error, &[], &State::at_rest(0)) }
    }

    /// Converts the error of a motion of the bodies that this rank owns to the form for other ranks.
    fn of_motion(when: Moment, mut error: IntegrateError, bodies: &[u32]) -> Self {
        let stage = match error {
            IntegrateError::ForceNotFinite { .. } => Stage::Sums,
            _ => Stage::Motion,
        };
        let mut named = Vec::new();
        if let IntegrateError::StateNotFinite { body, .. }
        | IntegrateError::TurnTooLarge { body, .. }
        | IntegrateError::NotConverged { body, .. }
        | IntegrateError::InvalidAttitude { body, .. }
        | IntegrateError::ForceNotFinite { body, .. } = &mut error
        {
            *body = number_among_all(bodies, *body);
            named.push(*body);
        }
        Self::new(when, stage, named, &error)
    }

    /// Converts the error of an evaluation of contacts to the form for other ranks. `bodies` has the number of each
    /// body of this rank among all bodies.
    pub(crate) fn of_contacts(when: Moment, mut error: DemError, bodies: &[u32]) -> Self {
        let number = |body| number_among_all(bodies, body);
        let mut depth = 0.0;
        let (stage, named) = match &mut error {
            DemError::Contact(ContactError::OverlapTooLarge { bodies: pair, overlap, radius }) => {
                *pair = pair.map(number);
                pair.sort_unstable();
                // `deepest_pair` examines a pair on the rank that owns its first body; other ranks may lack the depth.
                depth = if *radius > 0.0 { *overlap / *radius } else { f64::NEG_INFINITY };
                (Stage::Pairs, pair.to_vec())
            }
            DemError::Contact(ContactError::BehindWall { body, .. } | ContactError::CrossedWall { body, .. }) => {
                *body = number(*body);
                (Stage::Contacts, vec![*body])
            }
            DemError::List(ListError::PositionNotFinite { body, .. } | ListError::OutsideDomain { body, .. }) => {
                (Stage::List, vec![*body])
            }
            DemError::List(_) => (Stage::List, Vec::new()),
            _ => (Stage::Contacts, Vec::new()),
        };
        Self { depth, ..Self::new(when, stage, named, &IntegrateError::Field(error.into())) }
    }

    fn new(when: Moment, stage: Stage, bodies: Vec<usize>, error: &IntegrateError) -> Self {
        Self { when, stage, depth: 0.0, bodies, behind_wall: None, message: error.to_string() }
    }

    /// Chooses the error of all ranks from their failures: the failure that a run on one rank would meet first.
    pub(crate) fn first(failures: Vec<Option<Self>>) -> Option<RanksError> {
        let failed = failures.into_iter().enumerate().filter_map(|(rank, failure)| Some((rank, failure?)));
        let earlier = |(_, a): &(usize, Self), (_, b): &(usize, Self)| {
            let when = |failure: &Self| (failure.when.steps, failure.stage);
            when(a).cmp(&when(b)).then(b.depth.total_cmp(&a.depth)).then(a.bodies.cmp(&b.bodies))
        };
        failed.min_by(earlier).map(|(rank, failure)| failure.for_all(rank))
    }

    /// Converts this failure to the error that all ranks return, or that this `rank` returns alone because it cannot
    /// reach the others.
    pub(crate) fn for_all(self, rank: usize) -> RanksError {
        let Self { when: Moment { steps, time }, bodies, behind_wall, message, .. } = self;
        RanksError::StepFailed { rank, steps, time, message, bodies, behind_wall }
    }

    /// Exchanges failures with all ranks; returns the error of all ranks if any rank has failed.
    pub(crate) fn agree<R: Ranks>(ranks: &mut R, own: Option<Self>) -> Result<(), RanksError> {
        let failures = all_gather(ranks, own)?;
        Self::first(failures).map_or(Ok(()), Err)
    }
}

/// Converts the number `body` on this rank to the number among all bodies.
fn number_among_all(bodies: &[u32], body: usize) -> usize {
    bodies.get(body).map_or(body, |&number| number as usize)
}

/// Returns the wall and the body's centre if `error` says that a body is behind a wall. `state` has the bodies that
/// this rank owns.
fn behind_wall(error: &DemError, state: &State) -> Option<BehindWall> {
    let DemError::Contact(error) = error else { return None };
    BehindWall::of(error, state)
}

#[cfg(test)]
mod tests {
    use rrp_geom::glam::DVec3;

    use super::*;

    #[test]
    fn contacts_fail_before_whole_forces_and_these_before_sums() {
        let when = Moment { steps: 3, time: 0.1 };
        let state = State::at_rest(2);
        let behind = ContactError::BehindWall { body: 1, wall: 4, overlap: 2.0, radius: 1.0 };
        let behind = IntegrateError::Field(DemError::Contact(behind).into());
        let sums = IntegrateError::ForceNotFinite { body: 0, force: DVec3::NAN, torque: DVec3::ZERO };
        let sums = Failure::of_step(when, sums, &[0, 7], &state);
        let whole = Failure::of_whole_forces(when, IntegrateError::Field("no liquid".into()));
        let contacts = Failure::of_step(when, behind, &[0, 7], &state);
        let rank_of_first = |failures: [&Failure; 2]| {
            let failures = failures.map(|failure| Some(failure.clone())).to_vec();
            match Failure::first(failures) {
                Some(RanksError::StepFailed { rank, behind_wall, .. }) => (rank, behind_wall),
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(rank_of_first([&sums, &whole]), (1, None));
        let of_wall = Box::new(BehindWall { wall: 4, centre: [0.0; 3], way: None });
        assert_eq!(rank_of_first([&whole, &contacts]), (1, Some(of_wall)));
    }
}
