//! The exchange of ghosts. Once a step, owners send their bodies to the ranks that have them as ghosts; no forces are
//! sent back.

use rrp_integrate::State;

use crate::collective::all_to_all;
use crate::error::TransportError;
use crate::motion::{Presence, packed, unpack};
use crate::transport::{Message, Ranks};

/// Another rank, and the bodies sent to it or received from it, by their numbers on this rank.
#[derive(Debug, Clone)]
struct Partner {
    rank: usize,
    bodies: Vec<u32>,
}

/// Plan of one rank for the exchange of ghosts, valid for one neighbour list.
#[derive(Debug, Clone, Default)]
pub(crate) struct GhostExchange {
    receivers: Vec<Partner>,
    senders: Vec<Partner>,
}

impl GhostExchange {
    /// Agrees with all ranks on the bodies that each rank sends. `bodies` has the number, among all bodies, of each
    /// body of this rank: first its `own` bodies, then its ghosts. `owner` returns the rank that owns a body.
    pub(crate) fn agreed<R: Ranks>(
        ranks: &mut R,
        bodies: &[u32],
        own: usize,
        owner: impl Fn(u32) -> usize,
    ) -> Result<Self, TransportError> {
        let mut senders: Vec<Partner> = (0..ranks.size()).map(|rank| Partner { rank, bodies: Vec::new() }).collect();
        let mut wanted = vec![Vec::new(); ranks.size()];
        for (ghost, &number) in (own as u32..).zip(&bodies[own..]) {
            senders[owner(number)].bodies.push(ghost);
            wanted[owner(number)].push(number);
        }
        let mut own_numbers: Vec<(u32, u32)> = bodies[..own].iter().copied().zip(0..).collect();
        own_numbers.sort_unstable();
        let receiver = |(rank, numbers): (usize, Vec<u32>)| {
            let find = |number| own_numbers.binary_search_by_key(&number, |entry| entry.0);
            let own =
                |number| find(number).map(|at| own_numbers[at].1).map_err(|_| TransportError::Unreadable { rank });
            Ok(Partner { rank, bodies: numbers.into_iter().map(own).collect::<Result<_, _>>()? })
        };
        let asked = all_to_all(ranks, wanted)?.into_iter().enumerate();
        let mut receivers = asked.map(receiver).collect::<Result<Vec<_>, TransportError>>()?;
        for partners in [&mut receivers, &mut senders] {
            partners.retain(|partner| !partner.bodies.is_empty());
        }
        Ok(Self { receivers, senders })
    }

    /// Sends own bodies of `state` to the ranks that have them as ghosts, and reads the ghosts of this rank. Returns
    /// whether a sender has [refused](Self::refuse).
    pub(crate) fn forward<R: Ranks>(&self, ranks: &mut R, state: &mut State) -> Result<Presence, TransportError> {
        let outgoing = self.receivers.iter().map(|to| Message { rank: to.rank, bytes: packed(&to.bodies, state) });
        let received = ranks.exchange(outgoing.collect(), &self.ranks())?;
        let mut presence = Presence::All;
        for (from, Message { bytes, .. }) in self.senders.iter().zip(&received) {
            if unpack(&from.bodies, bytes, state) == Presence::SomeRefused {
                presence = Presence::SomeRefused;
            }
        }
        Ok(presence)
    }

    /// Takes part in the exchange of ghosts with empty messages, by which this rank refuses to take the step.
    pub(crate) fn refuse<R: Ranks>(&self, ranks: &mut R) -> Result<(), TransportError> {
        let outgoing = self.receivers.iter().map(|to| Message { rank: to.rank, bytes: Vec::new() });
        ranks.exchange(outgoing.collect(), &self.ranks()).map(drop)
    }

    fn ranks(&self) -> Vec<usize> {
        self.senders.iter().map(|from| from.rank).collect()
    }
}
