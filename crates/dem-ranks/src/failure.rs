//! What a rank tells the others when it cannot go on: all end with one message, that of a run alone.

use dem_contact::error::{ContactError, DemError};
use rrp_integrate::IntegrateError;
use serde::{Deserialize, Serialize};

use crate::collective::all_gather;
use crate::error::RanksError;
use crate::transport::Ranks;

/// The failure of one rank.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Failure {
    /// Steps that were taken before.
    steps: u64,
    stage: Stage,
    /// Overlap over radius of a pair that is too deep.
    depth: f64,
    /// The body that is named first, by its number among all.
    body: usize,
    message: String,
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
    /// Why a step after so many others failed. `bodies` has the number among all bodies of each body of the subdomain.
    pub(crate) fn of_step(steps: u64, error: IntegrateError, bodies: &[u32]) -> Self {
        let number = |body| number_among_all(bodies, body);
        match error {
            IntegrateError::Field(error) => match error.downcast::<DemError>() {
                Ok(error) => Self::of_contacts(steps, *error, bodies),
                Err(error) => Self::new(steps, Stage::Others, 0, &IntegrateError::Field(error)),
            },
            other => Self::of_motion(steps, other, number),
        }
    }

    /// Why own bodies cannot be moved.
    fn of_motion(steps: u64, mut error: IntegrateError, number: impl Fn(usize) -> usize) -> Self {
        let stage = match error {
            IntegrateError::ForceNotFinite { .. } => Stage::Others,
            _ => Stage::Motion,
        };
        let mut first = 0;
        if let IntegrateError::StateNotFinite { body, .. }
        | IntegrateError::TurnTooLarge { body, .. }
        | IntegrateError::NotConverged { body, .. }
        | IntegrateError::InvalidAttitude { body, .. }
        | IntegrateError::ForceNotFinite { body, .. } = &mut error
        {
            *body = number(*body);
            first = *body;
        }
        Self::new(steps, stage, first, &error)
    }

    /// Why contacts cannot be evaluated.
    pub(crate) fn of_contacts(steps: u64, error: DemError, bodies: &[u32]) -> Self {
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
                Self { depth, ..Self::new(steps, Stage::Pairs, bodies[0], &of_field(error)) }
            }
            DemError::Contact(ContactError::BehindWall { body, wall, overlap, radius }) => {
                let body = number(body);
                let error = DemError::Contact(ContactError::BehindWall { body, wall, overlap, radius });
                Self::new(steps, Stage::Others, body, &of_field(error))
            }
            DemError::List(_) => Self::new(steps, Stage::List, 0, &of_field(error)),
            other => Self::new(steps, Stage::Others, 0, &of_field(other)),
        }
    }

    fn new(steps: u64, stage: Stage, body: usize, error: &IntegrateError) -> Self {
        Self { steps, stage, depth: 0.0, body, message: error.to_string() }
    }

    /// The error of all ranks if some have these failures, by rank: the one that a run alone would meet first.
    pub(crate) fn first(failures: Vec<Option<Self>>) -> Option<RanksError> {
        let failed = failures.into_iter().enumerate().filter_map(|(rank, failure)| Some((rank, failure?)));
        let earlier = |(_, a): &(usize, Self), (_, b): &(usize, Self)| {
            let when = |failure: &Self| (failure.steps, failure.stage);
            when(a).cmp(&when(b)).then(b.depth.total_cmp(&a.depth)).then(a.body.cmp(&b.body))
        };
        let (rank, Self { steps, message, .. }) = failed.min_by(earlier)?;
        Some(RanksError::StepFailed { rank, steps, message })
    }

    /// The error of all ranks if all have this failure, or if this `rank` has it and reaches no other one.
    pub(crate) fn for_all(self, rank: usize) -> RanksError {
        RanksError::StepFailed { rank, steps: self.steps, message: self.message }
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
