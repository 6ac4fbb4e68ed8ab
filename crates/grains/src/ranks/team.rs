//! What rank 0 has of a run on several ranks.

use dem_ranks::RanksError;

use super::{Order, Post, send};
use crate::engine::on_ranks::{Gathered, Transport, Whole};
use crate::error::{GrainsError, OnRanksError};

/// Rank 0 and the others, which do what it orders.
pub(crate) struct Team {
    /// None after an error.
    post: Option<Post>,
    /// Whether all ranks have their share of the present bodies.
    is_shared: bool,
    /// Whether steps were taken since all was gathered.
    is_ahead: bool,
    /// Steps of the run when the whole was shared out.
    first: u64,
}

impl Team {
    /// A team of ranks that [serve](super::serve) this one, rank 0.
    pub(crate) fn new(ranks: Transport) -> Self {
        Self { post: Some(Post::Idle(ranks)), is_shared: false, is_ahead: false, first: 0 }
    }

    /// Whether a step can be taken before the whole is shared out.
    pub(crate) fn is_shared(&self) -> bool {
        self.is_shared
    }

    /// What was shared out is outdated. The next step is taken after [`share`](Self::share).
    pub(crate) fn outdate(&mut self) {
        self.is_shared = false;
    }

    /// Gives each rank its share of the whole, after so many steps of the run.
    ///
    /// # Errors
    /// Those of ranks.
    pub(crate) fn share(&mut self, whole: Whole, steps: u64) -> Result<(), GrainsError> {
        self.first = steps;
        let mut post = self.post.take().ok_or_else(ended)?;
        let order = Order::Share(Box::new(whole));
        send(post.ranks(), &order)?;
        let Order::Share(whole) = order else { return Err(ended().into()) };
        self.post = Some(post.take_share(*whole)?);
        self.is_shared = true;
        Ok(())
    }

    /// Takes a step with all ranks. Returns the time (s) after it.
    ///
    /// # Errors
    /// Those of the step and of ranks.
    pub(crate) fn step(&mut self) -> Result<f64, GrainsError> {
        let Some(post @ Post::Working(_)) = &mut self.post else { return Err(ended().into()) };
        send(post.ranks(), &Order::Step)?;
        let Post::Working(share) = post else { return Err(ended().into()) };
        share.step().map_err(OnRanksError::from)?;
        self.is_ahead = true;
        Ok(share.time())
    }

    /// All bodies and contacts; none if no step was taken since the last call.
    ///
    /// # Errors
    /// Those of the last step and of ranks.
    pub(crate) fn gather(&mut self) -> Result<Option<Gathered>, GrainsError> {
        if !self.is_ahead {
            return Ok(None);
        }
        let Some(post @ Post::Working(_)) = &mut self.post else { return Err(ended().into()) };
        send(post.ranks(), &Order::Gather)?;
        let Post::Working(share) = post else { return Err(ended().into()) };
        let gathered = share.gather()?;
        self.is_ahead = false;
        Ok(gathered)
    }

    /// Steps of the run when the whole was shared out.
    pub(crate) fn first(&self) -> u64 {
        self.first
    }
}

impl Drop for Team {
    fn drop(&mut self) {
        if let Some(post) = &mut self.post {
            // Ranks that have ended need no order.
            let _sent = send(post.ranks(), &Order::End);
        }
    }
}

/// After an error there are no ranks any longer.
fn ended() -> OnRanksError {
    RanksError::from(dem_ranks::TransportError::RankEnded { rank: 0 }).into()
}
