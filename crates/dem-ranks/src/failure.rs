//! What a rank tells the others when it cannot go on: all end with one message, that of a run alone.

use dem_contact::error::{ContactError, DemError, ListError};
use rrp_integrate::IntegrateError;
use serde::{Deserialize, Serialize};

use crate::collective::all_gather;
use crate::error::RanksError;
use crate::transport::Ranks;

/// The failure of one rank.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Failure {
    when: Moment,
    stage: Stage,
    /// Overlap over radius of a pair that is too deep.
    depth: f64,
    /// The bodies that the message names, by their numbers among all.
    bodies: Vec<usize>,
    message: String,
}

/// Where a run was when a step began.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct Moment {
    /// Steps that were taken before.
    pub(crate) steps: u64,
    /// In s.
    pub(crate) time: f64,
}

/// The parts of a step in which it can fail, in their order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
enum Stage {
    Motion,
    List,
    Pairs,
    Others,
}

impl Failure {
    /// Why a step failed. `bodies` has the number among all bodies of each body of the subdomain.
    pub(crate) fn of_step(when: Moment, error: IntegrateError, bodies: &[u32]) -> Self {
        match error {
            IntegrateError::Field(error) => match error.downcast::<DemError>() {
                Ok(error) => Self::of_contacts(when, *error, bodies),
                Err(error) => Self::new(when, Stage::Others, Vec::new(), &IntegrateError::Field(error)),
            },
            other => Self::of_motion(when, other, bodies),
        }
    }

    /// Why own bodies cannot be moved.
    fn of_motion(when: Moment, mut error: IntegrateError, bodies: &[u32]) -> Self {
        let stage = match error {
            IntegrateError::ForceNotFinite { .. } => Stage::Others,
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

    /// Why contacts cannot be evaluated.
    pub(crate) fn of_contacts(when: Moment, error: DemError, bodies: &[u32]) -> Self {
        let number = |body| number_among_all(bodies, body);
        let of_field = |error: DemError| IntegrateError::Field(error.into());
        match error {
            DemError::Contact(ContactError::OverlapTooLarge { bodies: pair, overlap, radius }) => {
                let mut bodies = pair.map(number);
                bodies.sort_unstable();
                let error = DemError::Contact(ContactError::OverlapTooLarge { bodies, overlap, radius });
                // `deepest_pair` looks at a pair on the rank that owns its first body. On another one the depth may be
                // missing.
                let depth = if radius > 0.0 { overlap / radius } else { f64::NEG_INFINITY };
                Self { depth, ..Self::new(when, Stage::Pairs, bodies.to_vec(), &of_field(error)) }
            }
            DemError::Contact(ContactError::BehindWall { body, wall, overlap, radius }) => {
                let body = number(body);
                let error = DemError::Contact(ContactError::BehindWall { body, wall, overlap, radius });
                Self::new(when, Stage::Others, vec![body], &of_field(error))
            }
            DemError::List(error) => {
                let named = match &error {
                    ListError::PositionNotFinite { body, .. } | ListError::OutsideDomain { body, .. } => vec![*body],
                    _ => Vec::new(),
                };
                Self::new(when, Stage::List, named, &of_field(DemError::List(error)))
            }
            other => Self::new(when, Stage::Others, Vec::new(), &of_field(other)),
        }
    }

    fn new(when: Moment, stage: Stage, bodies: Vec<usize>, error: &IntegrateError) -> Self {
        Self { when, stage, depth: 0.0, bodies, message: error.to_string() }
    }

    /// The error of all ranks if some have these failures, by rank: the one that a run alone would meet first.
    pub(crate) fn first(failures: Vec<Option<Self>>) -> Option<RanksError> {
        let failed = failures.into_iter().enumerate().filter_map(|(rank, failure)| Some((rank, failure?)));
        let earlier = |(_, a): &(usize, Self), (_, b): &(usize, Self)| {
            let when = |failure: &Self| (failure.when.steps, failure.stage);
            when(a).cmp(&when(b)).then(b.depth.total_cmp(&a.depth)).then(a.bodies.cmp(&b.bodies))
        };
        failed.min_by(earlier).map(|(rank, failure)| failure.for_all(rank))
    }

    /// The error of all ranks if all have this failure, or if this `rank` has it and reaches no other one.
    pub(crate) fn for_all(self, rank: usize) -> RanksError {
        let Self { when: Moment { steps, time }, bodies, message, .. } = self;
        RanksError::StepFailed { rank, steps, time, message, bodies }
    }

    /// Tells all ranks whether this one has failed; the error of all if one has.
    pub(crate) fn agree<R: Ranks>(ranks: &mut R, own: Option<Self>) -> Result<(), RanksError> {
        let failures = all_gather(ranks, own)?;
        Self::first(failures).map_or(Ok(()), Err)
    }
}

/// The number among all bodies of a body of the subdomain.
fn number_among_all(bodies: &[u32], body: usize) -> usize {
    bodies.get(body).map_or(body, |&number| number as usize)
}
