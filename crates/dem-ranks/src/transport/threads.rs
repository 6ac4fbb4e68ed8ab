//! Ranks in one process, each on its own thread.

use std::num::NonZeroUsize;
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::thread;

use crate::error::TransportError;
use crate::transport::{Message, Ranks, others, poll_for_a_while};

/// Transport of ranks that are threads of one process, with a channel to each other rank.
///
/// A rank that ends drops its ends of the channels. Ranks that wait for it then get [`TransportError::RankEnded`].
#[derive(Debug)]
pub struct Threads {
    rank: usize,
    /// Channels for messages to and from each rank; the one of a rank with itself is unused.
    messages: Vec<Link<Vec<u8>>>,
    /// Channels for the numbers of maxima by rank: separate, so that messages can be exchanged meanwhile.
    numbers: Vec<Link<[f64; 2]>>,
    own_numbers: [f64; 2],
}

/// Two channels of a rank to another one, for sending and for receiving.
#[derive(Debug)]
struct Link<T> {
    to: Sender<T>,
    from: Receiver<T>,
}

impl<T> Link<T> {
    /// Waits for the next value of the other rank; `None` if that rank has ended.
    fn receive(&self) -> Option<T> {
        let polled = poll_for_a_while(|| match self.from.try_recv() {
            Err(TryRecvError::Empty) => None,
            other => Some(other.ok()),
        });
        polled.unwrap_or_else(|| self.from.recv().ok())
    }
}

impl Threads {
    /// Runs `work` on `ranks` ranks, each on its own thread, and returns the results by rank.
    ///
    /// # Errors
    /// [`TransportError::NoThread`] if the system gives too few threads, and [`TransportError::RankEnded`] for the
    /// first rank that panicked. All ranks have then ended.
    pub fn run<T: Send>(ranks: NonZeroUsize, work: impl Fn(Self) -> T + Sync) -> Result<Vec<T>, TransportError> {
        thread::scope(|scope| {
            let work = &work;
            let spawn = |rank: Self| {
                let number = rank.rank;
                let size = rank.messages.len();
                let spawned = thread::Builder::new().spawn_scoped(scope, move || work(rank));
                spawned.map_err(|error| TransportError::NoThread { rank: number, size, problem: error.to_string() })
            };
            let mut refused = None;
            // Ranks without a thread are dropped here, so that ranks that wait for them end.
            let running: Vec<_> = team(ranks.get())
                .into_iter()
                .map_while(|rank| spawn(rank).map_err(|error| refused = Some(error)).ok())
                .collect();
            // All threads have ended before an error is returned.
            let ended: Vec<_> = running.into_iter().map(thread::ScopedJoinHandle::join).collect();
            if let Some(error) = refused {
                return Err(error);
            }
            let result =
                |(rank, ended): (usize, thread::Result<T>)| ended.map_err(|_| TransportError::RankEnded { rank });
            ended.into_iter().enumerate().map(result).collect()
        })
    }

    fn link<T>(links: &[Link<T>], rank: usize) -> Result<&Link<T>, TransportError> {
        links.get(rank).ok_or(TransportError::NoSuchRank { rank, size: links.len() })
    }
}

fn team(size: usize) -> Vec<Threads> {
    let mut messages = links(size);
    let mut numbers = links(size);
    let ranks = 0..size;
    ranks
        .map(|rank| Threads { rank, messages: messages.remove(0), numbers: numbers.remove(0), own_numbers: [0.0; 2] })
        .collect()
}

fn links<T>(size: usize) -> Vec<Vec<Link<T>>> {
    let mut to: Vec<Vec<Sender<T>>> = (0..size).map(|_| Vec::new()).collect();
    let mut from: Vec<Vec<Receiver<T>>> = (0..size).map(|_| Vec::new()).collect();
    for senders in &mut to {
        for receivers in &mut from {
            let (sender, receiver) = channel();
            senders.push(sender);
            receivers.push(receiver);
        }
    }
    let of_rank = |(to, from): (Vec<Sender<T>>, Vec<Receiver<T>>)| {
        to.into_iter().zip(from).map(|(to, from)| Link { to, from }).collect()
    };
    to.into_iter().zip(from).map(of_rank).collect()
}

impl Ranks for Threads {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.messages.len()
    }

    fn exchange(&mut self, outgoing: Vec<Message>, senders: &[usize]) -> Result<Vec<Message>, TransportError> {
        for Message { rank, bytes } in outgoing {
            let sent = Self::link(&self.messages, rank)?.to.send(bytes);
            sent.map_err(|_| TransportError::RankEnded { rank })?;
        }
        let received = |&rank: &usize| {
            let bytes = Self::link(&self.messages, rank)?.receive();
            Ok(Message { rank, bytes: bytes.ok_or(TransportError::RankEnded { rank })? })
        };
        senders.iter().map(received).collect()
    }

    fn begin_max(&mut self, numbers: [f64; 2]) -> Result<(), TransportError> {
        self.own_numbers = numbers;
        others(self.rank, self.messages.len())
            .try_for_each(|rank| self.numbers[rank].to.send(numbers).map_err(|_| TransportError::RankEnded { rank }))
    }

    fn end_max(&mut self) -> Result<[f64; 2], TransportError> {
        others(self.rank, self.messages.len()).try_fold(self.own_numbers, |largest, rank| {
            let numbers = self.numbers[rank].receive().ok_or(TransportError::RankEnded { rank })?;
            Ok([0, 1].map(|k| largest[k].max(numbers[k])))
        })
    }
}
