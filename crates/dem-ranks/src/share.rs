//! Assignment of tiles to ranks, and the share of each rank.
//!
//! Each rank divides space into tiles from the centres of all bodies, and finds the pairs of its own tiles only.

use dem_contact::force::{AllHistories, ContactForce, WorkRecord};
use dem_contact::neighbor::{Decomposition, Domain, Subdomain};
use rrp_integrate::{Bodies, IntegrateError, Renumbering, State, VectorColumn};

use crate::error::RanksError;
use crate::failure::{Failure, Moment};
use crate::ghosts::GhostExchange;
use crate::owners::TileOwners;
use crate::scene::Scene;
use crate::transport::Ranks;

/// Division of all bodies into tiles, boxes of space, with the rank that owns each tile.
pub(crate) struct Cut {
    decomposition: Decomposition,
    /// Rank that owns each tile.
    owners: Vec<usize>,
    /// Rank that owns each body of the run.
    owner_of_body: Vec<u32>,
}

impl Cut {
    /// Divides all bodies, with these centres (m) in this domain, into tiles with owners. `pairs` has the number of
    /// pairs of each body in the previous neighbour list, if any. All ranks get the same tiles, or the same error.
    pub(crate) fn new(
        ranks: usize,
        scene: &mut Scene,
        centres: &VectorColumn,
        domain: Domain,
        pairs: &[u32],
        owners: &dyn TileOwners,
    ) -> Result<Self, RanksError> {
        let decomposition = scene.contacts.decompose(&scene.bodies, centres, domain)?;
        let tiles = decomposition.tiles();
        let of_body = |&body: &u32| 1 + u64::from(pairs.get(body as usize).copied().unwrap_or(0));
        let work: Vec<u64> = (0..tiles).map(|tile| decomposition.bodies(tile).iter().map(of_body).sum()).collect();
        let owners = owners.owners(&work, ranks);
        let is_invalid = |&tile: &usize| owners.get(tile).is_none_or(|&owner| owner >= ranks);
        if let Some(tile) = (0..tiles).find(is_invalid) {
            return Err(RanksError::InvalidOwner { tile, tiles, owner: owners.get(tile).copied(), ranks });
        }
        let mut owner_of_body = vec![0; scene.bodies.len()];
        for (tile, &owner) in owners.iter().enumerate().take(tiles) {
            decomposition.bodies(tile).iter().for_each(|&body| owner_of_body[body as usize] = owner as u32);
        }
        Ok(Self { decomposition, owners, owner_of_body })
    }

    /// Returns the subdomain of this rank: its tiles with their bodies, ghosts and pairs.
    pub(crate) fn subdomain<R: Ranks>(&self, ranks: &mut R, when: Moment) -> Result<Subdomain, RanksError> {
        let rank = ranks.rank();
        let found = self.decomposition.subdomain(|tile| self.owners[tile] == rank);
        match found {
            Ok(subdomain) => Failure::agree(ranks, None).map(|()| subdomain),
            // `agree` fails on all ranks, since this rank has failed.
            Err(error) => {
                let failure = Failure::of_contacts(when, error, &[]);
                Failure::agree(ranks, Some(failure.clone()))?;
                Err(failure.for_all(rank))
            }
        }
    }

    /// Returns the rank that owns a body, given by its number among all bodies.
    pub(crate) fn owner(&self, body: u32) -> usize {
        self.owner_of_body[body as usize] as usize
    }
}

/// Contacts, own bodies and ghosts of one rank until the next neighbour list.
pub(crate) struct Share {
    pub(crate) contacts: ContactForce,
    /// Constants, such as masses and radii, of the rank's own bodies, then of its ghosts.
    pub(crate) bodies: Bodies,
    pub(crate) ghosts: GhostExchange,
    /// Number among all bodies of each body of this rank: own bodies first, then ghosts.
    pub(crate) numbers: Vec<u32>,
    pub(crate) own: usize,
}

impl Share {
    /// Makes contacts and bodies of this rank's tiles, `subdomain`, with their contact histories and recorded forces.
    /// Agrees with all ranks on the ghosts to be sent.
    pub(crate) fn new<R: Ranks>(
        ranks: &mut R,
        scene: &Scene,
        cut: &Cut,
        subdomain: Subdomain,
        (histories, work): (AllHistories, WorkRecord),
    ) -> Result<Self, RanksError> {
        let numbers = subdomain.bodies().to_vec();
        let own = subdomain.own().len();
        let bodies = of_numbers(&scene.bodies, &numbers)?;
        let ghosts = GhostExchange::agreed(ranks, &numbers, own, |body| cut.owner(body))?;
        let contacts = scene.contacts.on_subdomain(subdomain, histories, work)?;
        Ok(Self { contacts, bodies, ghosts, numbers, own })
    }

    pub(crate) fn own_bodies(&self, scene: &Scene) -> Result<Bodies, RanksError> {
        Ok(of_numbers(&scene.bodies, &self.numbers[..self.own])?)
    }
}

fn of_numbers(bodies: &Bodies, numbers: &[u32]) -> Result<Bodies, IntegrateError> {
    Bodies::new(numbers.iter().map(|&number| bodies.get(number as usize)))
}

/// Extracts the state of the own bodies of a subdomain from the state of all bodies.
pub(crate) fn own_state(subdomain: &Subdomain, all: &State) -> Result<State, RanksError> {
    let own = subdomain.bodies()[subdomain.own()].iter().map(|&number| number as usize);
    Ok(Renumbering::with_changes(all.len(), 0, own)?.state(all)?)
}
