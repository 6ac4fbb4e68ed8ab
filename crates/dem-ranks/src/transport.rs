//! Communication of ranks: a trait of few calls, and implementations without a system library.
//!
//! [`Alone`] is a single rank. [`Threads`] are ranks in one process, each on its own thread.

pub(crate) mod alone;
pub(crate) mod threads;
pub(crate) mod waiting;

pub use self::alone::Alone;
pub use self::threads::Threads;
pub use self::waiting::poll_for_a_while;

use crate::error::TransportError;

/// Message to another rank or from another rank.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// Number of the rank that receives an outgoing message, or that has sent an incoming one.
    pub rank: usize,
    /// Content of the message as bytes, which the transport does not interpret.
    pub bytes: Vec<u8>,
}

/// Transport between ranks: the calls by which the ranks of a run communicate.
///
/// All ranks make the same calls in the same order, except for `rank` and `size`. If a rank was dropped, the others get
/// an error from the call that needs it: no call waits for ever.
pub trait Ranks {
    /// Number of this rank, below [`size`](Self::size).
    fn rank(&self) -> usize;

    /// Number of ranks that communicate with each other.
    fn size(&self) -> usize;

    /// Sends these messages, at most one to each rank, waits for one message from each of `senders`, and returns them
    /// in the order of `senders`.
    ///
    /// # Errors
    /// [`TransportError::RankEnded`] or [`NoSuchRank`](TransportError::NoSuchRank).
    fn exchange(&mut self, outgoing: Vec<Message>, senders: &[usize]) -> Result<Vec<Message>, TransportError>;

    /// Begins to find the maximum of each of these numbers over all ranks, without waiting. Numbers must not be NaN.
    ///
    /// # Errors
    /// [`TransportError::RankEnded`].
    fn begin_max(&mut self, numbers: [f64; 2]) -> Result<(), TransportError>;

    /// Waits for the maxima over all ranks of the last [`begin_max`](Self::begin_max).
    ///
    /// # Errors
    /// [`TransportError::RankEnded`].
    fn end_max(&mut self) -> Result<[f64; 2], TransportError>;
}

/// Returns all rank numbers below `size` except `own`.
pub(crate) fn others(own: usize, size: usize) -> impl Iterator<Item = usize> {
    (0..size).filter(move |&rank| rank != own)
}

impl<R: Ranks + ?Sized> Ranks for Box<R> {
    fn rank(&self) -> usize {
        (**self).rank()
    }

    fn size(&self) -> usize {
        (**self).size()
    }

    fn exchange(&mut self, outgoing: Vec<Message>, senders: &[usize]) -> Result<Vec<Message>, TransportError> {
        (**self).exchange(outgoing, senders)
    }

    fn begin_max(&mut self, numbers: [f64; 2]) -> Result<(), TransportError> {
        (**self).begin_max(numbers)
    }

    fn end_max(&mut self) -> Result<[f64; 2], TransportError> {
        (**self).end_max()
    }
}
