//! Migration of bodies to their owners after a new neighbour list, with their forces and contact histories.

use dem_contact::force::{AllHistories, ContactForce, WorkRecord};
use rrp_integrate::{IntegrateError, Renumbering, State};

use crate::collective::all_to_all;
use crate::error::RanksError;
use crate::transport::Ranks;

/// Sends bodies to their new owners, and returns the state of the bodies that this rank now owns, in the order
/// `wanted`.
///
/// `numbers` has the number among all bodies of each body of `state`, `wanted` those of the bodies that this rank now
/// owns.
pub(crate) fn migrate_bodies<R: Ranks>(
    ranks: &mut R,
    state: &State,
    numbers: &[u32],
    wanted: &[u32],
    owner: impl Fn(u32) -> usize,
) -> Result<State, RanksError> {
    let of_rank = |rank: usize| {
        let leaves = |&body: &usize| owner(numbers[body]) == rank;
        let bodies: Vec<usize> = (0..numbers.len()).filter(leaves).collect();
        let sent: Vec<u32> = bodies.iter().map(|&body| numbers[body]).collect();
        Ok((sent, Renumbering::with_changes(numbers.len(), 0, bodies)?.state(state)?))
    };
    let outgoing = (0..ranks.size()).map(of_rank).collect::<Result<Vec<_>, IntegrateError>>()?;
    let incoming = all_to_all(ranks, outgoing)?;
    Ok(in_order(incoming, wanted)?)
}

/// Merges states, each with the numbers of its bodies among all bodies, into one state in the order `wanted`.
pub(crate) fn in_order(states: Vec<(Vec<u32>, State)>, wanted: &[u32]) -> Result<State, IntegrateError> {
    let mut numbers = Vec::new();
    let mut all = None::<State>;
    for (more, state) in states {
        match &mut all {
            None => all = Some(state),
            Some(all) => Renumbering::insertion(numbers.len(), more.len()).apply_with(all, &state)?,
        }
        numbers.extend(more);
    }
    let mut index: Vec<(u32, usize)> = numbers.iter().copied().zip(0..).collect();
    index.sort_unstable();
    let find = |number: &u32| {
        let found = index.binary_search_by_key(number, |entry| entry.0);
        found.map_or(usize::MAX, |at| index[at].1)
    };
    // `with_changes` refuses `usize::MAX`, the number for a body that no rank sent.
    let order = Renumbering::with_changes(numbers.len(), 0, wanted.iter().map(find))?;
    order.state(&all.unwrap_or_else(|| State::at_rest(0)))
}

/// Sends each contact history to the ranks that own one of its bodies. Returns the histories for this rank, with bodies
/// numbered among all bodies.
pub(crate) fn migrate_histories<R: Ranks>(
    ranks: &mut R,
    contacts: &ContactForce,
    bodies: &[u32],
    owner: impl Fn(u32) -> usize,
) -> Result<AllHistories, RanksError> {
    let mut known = contacts.all_histories();
    known.renumber_bodies(|body| bodies.get(body).map(|&number| number as usize));
    let incoming = all_to_all(ranks, known.split(ranks.size(), |body| owner(body as u32)))?;
    let mut incoming = incoming.into_iter();
    let mut all = incoming.next().unwrap_or(known);
    incoming.for_each(|others| all.join(others));
    Ok(all)
}

/// Returns the work of contacts recorded on this rank for the energy ledger, with the recorded forces on the bodies
/// that it now owns, which other ranks send. Bodies are numbered among all bodies.
pub(crate) fn migrate_work<R: Ranks>(
    ranks: &mut R,
    contacts: &mut ContactForce,
    bodies: &[u32],
    owner: impl Fn(u32) -> usize,
) -> Result<WorkRecord, RanksError> {
    if !contacts.has_ledger() {
        return Ok(WorkRecord::default());
    }
    let mut known = contacts.take_work_record();
    known.renumber_bodies(|body| bodies.get(body).map(|&number| number as usize));
    let incoming = all_to_all(ranks, known.split(ranks.size(), |body| owner(body as u32)))?;
    Ok(known.with_forces_of(incoming))
}
