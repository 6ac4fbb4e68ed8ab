//! Runs on several ranks, with the bits of a run on one.
//!
//! Rank 0 has the [`Simulation`](crate::Simulation) and writes all results; the others [serve] it. Before the first
//! step rank 0 sends all ranks the whole, and each takes its share. Then every step is an order. What is read, stored
//! or changed between steps is the simulation of rank 0, after it has gathered all bodies and contacts. So readings,
//! files and stages know nothing of ranks. After a change the whole is shared out again.
//!
//! `team` is what rank 0 has, `refusals` what is not done on ranks.

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

/// Function that makes the rule by which tiles are assigned to ranks; it is called whenever bodies are shared out. All
/// ranks have to use the same function. The rule changes no bit of a run.
pub type MakeOwners = fn() -> Box<dyn TileOwners>;

/// Makes the rule that assigns consecutive tiles with about the same work to each rank.
pub(crate) fn even_runs() -> Box<dyn TileOwners> {
    Box::new(EvenRuns)
}

/// State of one rank, with or without a share of the bodies; it holds the transport.
enum Post {
    /// State of a rank that has no share of the bodies yet.
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

    /// Takes this rank's share of the whole run, instead of its present share.
    fn take_share(self, whole: Whole, owners: MakeOwners) -> Result<Self, GrainsError> {
        let ranks = match self {
            Self::Idle(ranks) => ranks,
            Self::Working(share) => share.leave(),
        };
        share(ranks, whole, owners()).map(Self::Working)
    }
}

/// Serves rank 0: takes the steps of this rank, another one, until rank 0 ends the run.
///
/// # Errors
/// [`GrainsError::OnRanks`], where rank 0 has an error as well.
pub fn serve(ranks: Box<dyn Ranks + Send>) -> Result<(), GrainsError> {
    serve_with_owners(ranks, even_runs)
}

/// Serves rank 0 as [`serve`] does, with the same rule `owners` for assigning tiles as [`on_ranks_with_owners`] on rank
/// 0.
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

/// Waits for the next order of rank 0, and returns it.
fn receive(ranks: &mut dyn Ranks) -> Result<Order, OnRanksError> {
    let rank = ranks.rank();
    let received = ranks.exchange(Vec::new(), &[0]).map_err(dem_ranks::RanksError::from)?;
    let order = received.first().and_then(|message| postcard::from_bytes(&message.bytes).ok());
    order.ok_or(OnRanksError::Order { rank })
}

/// Sends an order to all other ranks.
fn send(ranks: &mut dyn Ranks, order: &Order) -> Result<(), OnRanksError> {
    let bytes = postcard::to_stdvec(order).map_err(|_| OnRanksError::Order { rank: 0 })?;
    let outgoing = (1..ranks.size()).map(|rank| Message { rank, bytes: bytes.clone() }).collect();
    ranks.exchange(outgoing, &[]).map_err(dem_ranks::RanksError::from)?;
    Ok(())
}
