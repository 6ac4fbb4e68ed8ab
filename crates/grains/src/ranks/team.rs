//! Rank 0's side of a run on several ranks.

use dem_contact::force::BoxDrive;
use dem_contact::neighbor::Domain;
use dem_contact::wall::Wall;
use dem_ranks::{Balance, RanksError};

use super::{MakeOwners, Order, Post, send};
use crate::engine::on_ranks::{Gathered, Share, Transport, Whole};
use crate::error::{GrainsError, OnRanksError};
use crate::progress::drivers::{DrivenMotion, velocity_of};

/// All ranks of a run, as rank 0 commands them by orders.
pub(crate) struct Team {
    /// State of rank 0 itself; none if a distribution of bodies has failed.
    post: Option<Post>,
    owners: MakeOwners,
    /// Whether all ranks have their share of the present bodies.
    is_shared: bool,
    /// Whether the ranks have taken steps since bodies and contacts were last gathered on rank 0.
    is_ahead: bool,
    /// Number of steps of the run at the last distribution of bodies.
    first: u64,
    balance: Balance,
}

impl Team {
    /// Makes the team on rank 0 with the ranks that [serve](super::serve) it.
    pub(crate) fn new(ranks: Transport, owners: MakeOwners) -> Self {
        let post = Some(Post::Idle(ranks));
        let balance = Balance::default();
        Self { post, owners, is_shared: false, is_ahead: false, first: 0, balance }
    }

    /// Returns whether all ranks have their shares of the present bodies; otherwise [`share`](Self::share) must precede
    /// a step.
    pub(crate) fn is_shared(&self) -> bool {
        self.is_shared
    }

    /// Returns the simulated time (s) of the ranks; none if bodies must be distributed before the next step.
    pub(crate) fn time(&self) -> Option<f64> {
        match &self.post {
            Some(Post::Working(share)) if self.is_shared => Some(share.time()),
            _ => None,
        }
    }

    /// Marks the shares of all ranks as outdated: [`share`](Self::share) must precede the next step.
    pub(crate) fn outdate(&mut self) {
        self.is_shared = false;
    }

    /// Gives each rank its share of `whole`, after `steps` steps of the run.
    ///
    /// # Errors
    /// Errors of ranks.
    pub(crate) fn share(&mut self, whole: Whole, steps: u64) -> Result<(), GrainsError> {
        self.first = steps;
        let mut post = self.post.take().ok_or_else(ended)?;
        let order = Order::Share(Box::new(whole));
        send(post.ranks(), &order)?;
        let Order::Share(whole) = order else { return Err(ended().into()) };
        self.post = Some(post.take_share(*whole, self.owners)?);
        self.is_shared = true;
        Ok(())
    }

    /// Sends an order to the other ranks, and returns the share of rank 0, which carries it out too.
    ///
    /// # Errors
    /// Errors of ranks.
    fn order(&mut self, order: &Order) -> Result<&mut dyn Share, GrainsError> {
        let Some(Post::Working(share)) = &mut self.post else { return Err(ended().into()) };
        send(share.ranks(), order)?;
        Ok(&mut **share)
    }

    /// Takes a step with all ranks. Returns the simulated time (s) at its end.
    ///
    /// # Errors
    /// Errors of the step and of ranks.
    pub(crate) fn step(&mut self) -> Result<f64, GrainsError> {
        let share = self.order(&Order::Step)?;
        share.step().map_err(OnRanksError::from)?;
        let time = share.time();
        self.is_ahead = true;
        Ok(time)
    }

    /// Sets the motions of driven groups of fixed bodies in the next step.
    ///
    /// # Errors
    /// Errors of ranks.
    pub(crate) fn drive(&mut self, motions: Vec<DrivenMotion>) -> Result<(), GrainsError> {
        let share = self.order(&Order::Drive(motions.clone()))?;
        share.drive(&|group, place| velocity_of(&motions, group, place));
        Ok(())
    }

    /// Lets servos set the motions of these walls in the next step. Returns the walls.
    ///
    /// # Errors
    /// Errors of ranks.
    pub(crate) fn steer(&mut self, walls: Vec<usize>) -> Result<Vec<Wall>, GrainsError> {
        let share = self.order(&Order::Steer(walls.clone()))?;
        Ok(share.steer(&walls).map_err(OnRanksError::from)?)
    }

    /// Sets the deformation of the box in the next step. Returns the box and the updated drive.
    ///
    /// # Errors
    /// Errors of ranks.
    pub(crate) fn steer_box(&mut self, mut drive: BoxDrive) -> Result<(Domain, BoxDrive), GrainsError> {
        let share = self.order(&Order::SteerBox(Box::new(drive.clone())))?;
        let domain = share.steer_box(&mut drive).map_err(OnRanksError::from)?;
        Ok((domain, drive))
    }

    /// Gathers all bodies and contacts on rank 0; none without a step since the last call.
    ///
    /// # Errors
    /// Errors of the last step and of ranks.
    pub(crate) fn gather(&mut self) -> Result<Option<Gathered>, GrainsError> {
        if !self.is_ahead {
            return Ok(None);
        }
        let gathered = self.order(&Order::Gather)?.gather()?;
        self.is_ahead = false;
        if let Some(Gathered { balance, .. }) = &gathered {
            self.balance.loads.clone_from(&balance.loads);
            self.balance.tally.join(balance.tally);
        }
        Ok(gathered)
    }

    /// Balance of the ranks' work: loads at the last gather, and tally of all steps until then.
    pub(crate) fn balance(&self) -> &Balance {
        &self.balance
    }

    /// Number of steps of the run at the last distribution of bodies.
    pub(crate) fn first(&self) -> u64 {
        self.first
    }
}

impl Drop for Team {
    fn drop(&mut self) {
        if let Some(post) = &mut self.post {
            // Sending fails, without harm, if the ranks have already ended.
            let _sent = send(post.ranks(), &Order::End);
        }
    }
}

/// Makes the error for calls after the end of the ranks.
fn ended() -> OnRanksError {
    RanksError::from(dem_ranks::TransportError::RankEnded { rank: 0 }).into()
}
