//! The processes of an MPI program as ranks.

use std::thread;
use std::time::Duration;

use dem_ranks::{Message, Ranks, TransportError, poll_for_a_while};
use mpi::point_to_point::MatchedReceiveVec as _;
use mpi::request;
use mpi::topology::{Communicator as _, SimpleCommunicator};
use mpi::traits::{Destination as _, Source as _};

/// Messages are sent in pieces: MPI counts bytes in 32 bits. A piece that is shorter is the last one.
const PIECE: usize = 1 << 30;
/// Tag of messages; those of rounds of a largest number follow.
const MESSAGES: i32 = 0;
/// A nap, after a rank has polled in vain for a while. Ranks that share a processor would otherwise wait for each other.
const NAP: Duration = Duration::from_micros(20);
/// Bytes that two numbers take in the buffer of MPI.
const NUMBERS: usize = 2 * size_of::<f64>() + 256;

/// This process, one of all that were started together. MPI is initialised.
#[derive(Debug)]
pub(crate) struct MpiRanks {
    rank: usize,
    size: usize,
    numbers: [f64; 2],
}

/// All processes.
fn world() -> SimpleCommunicator {
    SimpleCommunicator::world()
}

impl MpiRanks {
    pub(crate) fn new() -> Self {
        let world = world();
        Self { rank: world.rank() as usize, size: world.size() as usize, numbers: [0.0; 2] }
    }

    /// Bytes that MPI has to buffer for [`Ranks::begin_max`].
    pub(crate) fn buffer(&self) -> usize {
        // Nobody is ahead by more than one reduction.
        4 * NUMBERS * (self.rounds().count() + 1)
    }

    /// How far the partners are in each round: after the last one all have been heard of.
    fn rounds(&self) -> impl Iterator<Item = (i32, usize)> + use<> {
        let size = self.size;
        (MESSAGES + 1..).zip(std::iter::successors(Some(1), |step| Some(2 * step)).take_while(move |&step| step < size))
    }

    fn check(&self, rank: usize) -> Result<usize, TransportError> {
        if rank < self.size { Ok(rank) } else { Err(TransportError::NoSuchRank { rank, size: self.size }) }
    }

    fn send_numbers(&self, tag: i32, step: usize) {
        let to = (self.rank + step) % self.size;
        world().process_at_rank(to as i32).buffered_send_with_tag(&self.numbers[..], tag);
    }
}

/// Polls until there is something, and naps after a while.
fn wait<T>(mut poll: impl FnMut() -> Option<T>) -> T {
    let found = poll_for_a_while(&mut poll);
    found.unwrap_or_else(|| {
        loop {
            thread::sleep(NAP);
            if let Some(found) = poll() {
                return found;
            }
        }
    })
}

/// Waits for a piece of a rank.
fn receive<T: mpi::traits::Equivalence>(from: usize, tag: i32) -> Vec<T> {
    let world = world();
    let process = world.process_at_rank(from as i32);
    wait(|| process.immediate_matched_probe_with_tag(tag)).matched_receive_vec().0
}

/// Waits for all pieces of a message.
fn receive_message(rank: usize) -> Message {
    let mut bytes: Vec<u8> = receive(rank, MESSAGES);
    let mut last = bytes.len();
    while last == PIECE {
        let piece: Vec<u8> = receive(rank, MESSAGES);
        last = piece.len();
        bytes.extend(piece);
    }
    Message { rank, bytes }
}

/// The pieces of a message, of which the last one is shorter than the others.
fn pieces(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    (0..=bytes.len() / PIECE).map(|k| &bytes[k * PIECE..bytes.len().min((k + 1) * PIECE)])
}

impl Ranks for MpiRanks {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.size
    }

    fn exchange(&mut self, outgoing: Vec<Message>, senders: &[usize]) -> Result<Vec<Message>, TransportError> {
        let senders = senders.iter().map(|&rank| self.check(rank)).collect::<Result<Vec<_>, _>>()?;
        outgoing.iter().try_for_each(|message| self.check(message.rank).map(drop))?;
        let world = world();
        Ok(request::scope(|scope| {
            let mut sending = Vec::new();
            for Message { rank, bytes } in &outgoing {
                let to = world.process_at_rank(*rank as i32);
                sending.extend(pieces(bytes).map(|piece| to.immediate_send_with_tag(scope, piece, MESSAGES)));
            }
            let received = senders.into_iter().map(receive_message).collect();
            for request in sending {
                let mut request = Some(request);
                wait(|| match request.take()?.test() {
                    Ok(_) => Some(()),
                    Err(still) => {
                        request = Some(still);
                        None
                    }
                });
            }
            received
        }))
    }

    fn begin_max(&mut self, numbers: [f64; 2]) -> Result<(), TransportError> {
        self.numbers = numbers;
        if let Some((tag, step)) = self.rounds().next() {
            self.send_numbers(tag, step);
        }
        Ok(())
    }

    fn end_max(&mut self) -> Result<[f64; 2], TransportError> {
        for (round, (tag, step)) in self.rounds().enumerate() {
            if round > 0 {
                self.send_numbers(tag, step);
            }
            let from = (self.rank + self.size - step) % self.size;
            for (own, other) in self.numbers.iter_mut().zip(receive::<f64>(from, tag)) {
                *own = own.max(other);
            }
        }
        Ok(self.numbers)
    }
}
