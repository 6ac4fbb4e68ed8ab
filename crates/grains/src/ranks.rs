//! Runs on several ranks, bitwise equal to runs on one rank.
//!
//! Rank 0 has the [`Simulation`](crate::Simulation) and writes all results; the other ranks [serve] it. Before the
//! first step rank 0 sends the whole run to all ranks, and each takes its share. Every step is then an order. Between
//! steps, rank 0 first gathers all bodies and contacts in its simulation, which is then read, stored or changed as in a
//! run on one rank. After a change, the whole run is distributed again.
//!
//! `team` is the side of rank 0, `refusals` lists what ranks do not support.

pub(crate) mod refusals;
pub(crate) mod team;

use dem_contact::force::BoxDrive;
pub use dem_ranks::{Balance, EvenRuns, Message, RankLoad, Ranks, Threads, TileOwners, TransportError, WorkTally};
use serde::{Deserialize, Serialize};

use crate::engine::on_ranks::{Share, Transport, Whole, share};
use crate::error::{GrainsError, OnRanksError};
use crate::progress::drivers::{DrivenMotion, velocity_of};

/// Orders that rank 0 sends to the other ranks.
#[derive(Debug, Serialize, Deserialize)]
enum Order {
    /// Order to take a share of the whole run, which the order contains.
    Share(Box<Whole>),
    Step,
    /// Order to set how driven groups of fixed bodies move in the next step.
    Drive(Vec<DrivenMotion>),
    /// Order to let the servos of the walls with these numbers set how the walls move in the next step.
    Steer(Vec<usize>),
    /// Order to set how the box deforms in the next step.
    SteerBox(Box<BoxDrive>),
    /// Order to send all bodies and contacts to rank 0.
    Gather,
    /// Order to stop serving rank 0, since the run is over.
    End,
}

/// Function that makes the rule by which tiles are assigned to ranks; it is called whenever bodies are distributed. All
/// ranks must use the same function. The rule does not change results.
pub type MakeOwners = fn() -> Box<dyn TileOwners>;

pub(crate) fn even_runs() -> Box<dyn TileOwners> {
    Box::new(EvenRuns)
}

/// State of one rank, with or without a share of the bodies.
enum Post {
    /// A rank without a share of the bodies.
    Idle(Transport),
    Working(Box<dyn Share>),
}

impl Post {
    fn ranks(&mut self) -> &mut dyn Ranks {
        match self {
            Self::Idle(ranks) => &mut **ranks,
            Self::Working(share) => share.ranks(),
        }
    }

    /// Replaces this rank's share by its share of `whole`.
    fn take_share(self, whole: Whole, owners: MakeOwners) -> Result<Self, GrainsError> {
        let ranks = match self {
            Self::Idle(ranks) => ranks,
            Self::Working(share) => share.leave(),
        };
        share(ranks, whole, owners()).map(Self::Working)
    }
}

/// Serves rank 0: takes the steps of this rank, one other than 0, until rank 0 ends the run.
///
/// # Errors
/// [`GrainsError::OnRanks`] if rank 0 has an error as well.
pub fn serve(ranks: Box<dyn Ranks + Send>) -> Result<(), GrainsError> {
    serve_with_owners(ranks, even_runs)
}

/// Serves rank 0 as [`serve`] does, with the rule `owners` for assigning tiles, the same as in [`on_ranks_with_owners`]
/// on rank 0.
///
/// # Errors
/// As [`serve`].
///
/// [`on_ranks_with_owners`]: crate::Simulation::on_ranks_with_owners
pub fn serve_with_owners(ranks: Box<dyn Ranks + Send>, owners: MakeOwners) -> Result<(), GrainsError> {
    let mut post = Post::Idle(ranks);
    loop {
        match (receive(post.ranks())?, &mut post) {
            (Order::Share(whole), _) => post = post.take_share(*whole, owners)?,
            (Order::Step, Post::Working(share)) => share.step().map_err(OnRanksError::from)?,
            (Order::Drive(motions), Post::Working(share)) => {
                share.drive(&|group, place| velocity_of(&motions, group, place));
            }
            (Order::Steer(walls), Post::Working(share)) => {
                share.steer(&walls).map_err(OnRanksError::from)?;
            }
            (Order::SteerBox(mut drive), Post::Working(share)) => {
                share.steer_box(&mut drive).map_err(OnRanksError::from)?;
            }
            (Order::Gather, Post::Working(share)) => drop(share.gather()?),
            (Order::End, _) => return Ok(()),
            (_, Post::Idle(ranks)) => return Err(OnRanksError::Order { rank: ranks.rank() }.into()),
        }
    }
}

fn receive(ranks: &mut dyn Ranks) -> Result<Order, OnRanksError> {
    let rank = ranks.rank();
    let received = ranks.exchange(Vec::new(), &[0]).map_err(dem_ranks::RanksError::from)?;
    let order = received.first().and_then(|message| postcard::from_bytes(&message.bytes).ok());
    order.ok_or(OnRanksError::Order { rank })
}

fn send(ranks: &mut dyn Ranks, order: &Order) -> Result<(), OnRanksError> {
    let bytes = postcard::to_stdvec(order).map_err(|_| OnRanksError::Order { rank: 0 })?;
    let outgoing = (1..ranks.size()).map(|rank| Message { rank, bytes: bytes.clone() }).collect();
    ranks.exchange(outgoing, &[]).map_err(dem_ranks::RanksError::from)?;
    Ok(())
}
