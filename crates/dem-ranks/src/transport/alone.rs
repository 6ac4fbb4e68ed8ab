//! Transport of a single rank.

use crate::error::TransportError;
use crate::transport::{Message, Ranks};

/// Transport of a run with a single rank, which sends nothing.
#[derive(Debug, Clone, Default)]
pub struct Alone {
    numbers: [f64; 2],
}

impl Ranks for Alone {
    fn rank(&self) -> usize {
        0
    }

    fn size(&self) -> usize {
        1
    }

    fn exchange(&mut self, outgoing: Vec<Message>, senders: &[usize]) -> Result<Vec<Message>, TransportError> {
        match outgoing.iter().map(|message| message.rank).chain(senders.iter().copied()).next() {
            Some(rank) => Err(TransportError::NoSuchRank { rank, size: 1 }),
            None => Ok(Vec::new()),
        }
    }

    fn begin_max(&mut self, numbers: [f64; 2]) -> Result<(), TransportError> {
        self.numbers = numbers;
        Ok(())
    }

    fn end_max(&mut self) -> Result<[f64; 2], TransportError> {
        Ok(self.numbers)
    }
}
