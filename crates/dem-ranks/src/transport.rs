//! Communication of ranks: a trait of few calls, and its implementations without a system library.
//!
//! [`Alone`] is one rank. [`Threads`] are ranks in one process, a thread each.

pub(crate) mod alone;
pub(crate) mod threads;
pub(crate) mod waiting;

pub use self::alone::Alone;
pub use self::threads::Threads;
pub use self::waiting::poll_for_a_while;

use crate::error::TransportError;

/// Message to a rank or from a rank.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// The receiver, or the sender.
    pub rank: usize,
    /// The bytes that are sent.
    pub bytes: Vec<u8>,
}

/// Calls by which ranks communicate.
///
/// All ranks make the same calls in the same order, except for those to `rank` and `size`. Where a rank was dropped,
/// the others get an error from the call that needs it: no call waits for ever.
pub trait Ranks {
    /// The number of this rank, below [`size`](Self::size).
    fn rank(&self) -> usize;

    /// Number of ranks.
    fn size(&self) -> usize;

    /// Sends these messages, one to a rank at most, and waits for one message of each of `senders`, in their order.
    ///
    /// # Errors
    /// [`TransportError::RankEnded`] or [`NoSuchRank`](TransportError::NoSuchRank).
    fn exchange(&mut self, outgoing: Vec<Message>, senders: &[usize]) -> Result<Vec<Message>, TransportError>;

    /// Begins to find the largest of each of these numbers over all ranks, and does not wait. Send no NaN.
    ///
    /// # Errors
    /// [`TransportError::RankEnded`].
    fn begin_max(&mut self, numbers: [f64; 2]) -> Result<(), TransportError>;

    /// Waits for the largest numbers of the last [`begin_max`](Self::begin_max).
    ///
    /// # Errors
    /// [`TransportError::RankEnded`].
    fn end_max(&mut self) -> Result<[f64; 2], TransportError>;
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
