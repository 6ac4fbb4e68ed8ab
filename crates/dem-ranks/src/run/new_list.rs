//! A new neighbour list for all ranks, at the centres after a step.

use rrp_integrate::VectorColumn;

use crate::collective::all_gather;
use crate::contacts::RankContacts;
use crate::error::RanksError;
use crate::failure::Failure;
use crate::migration::{migrate_bodies, migrate_histories, migrate_work};
use crate::run::balance::work_of;
use crate::run::{Census, NumberedCentre, RankRun};
use crate::share::{Cut, Share};
use crate::transport::Ranks;

impl<R: Ranks> RankRun<R> {
    /// Makes a neighbour list for the gathered centres of all bodies, and sends each body to the owner of its new tile.
    /// The state of the run stays that at the start of the step.
    pub(crate) fn make_list(&mut self, Census { centres, pairs, work }: &Census) -> Result<(), RanksError> {
        self.count_work(work);
        let when = self.moment();
        let RankContacts { ranks, contacts, state, .. } = &mut self.field.1.0;
        let fail = |error| match error {
            RanksError::Contacts(error) => Failure::of_contacts(when, error, &[]).for_all(0),
            other => other,
        };
        let domain = self.scene.contacts.list().domain().at(state.time()).map_err(|error| fail(error.into()))?;
        let cut = Cut::new(ranks.size(), &mut self.scene, centres, domain, pairs, &*self.owners).map_err(fail)?;
        let subdomain = cut.subdomain(ranks, when)?;
        let numbers = &self.numbers;
        let own = self.bodies.len();
        let wanted = &subdomain.bodies()[subdomain.own()];
        let owner = |body| cut.owner(body);
        let state = migrate_bodies(ranks, &self.state, &numbers[..own], wanted, owner)?;
        let histories = migrate_histories(ranks, contacts, numbers, owner)?;
        let work = migrate_work(ranks, contacts, numbers, owner)?;
        let share = Share::new(ranks, &self.scene, &cut, subdomain, (histories, work))?;
        self.bodies = share.own_bodies(&self.scene)?;
        self.state = state;
        self.numbers = share.numbers;
        self.field.1.0.evaluate_next(share.contacts, share.bodies, share.ghosts);
        self.follow_owners(&cut);
        self.lists += 1;
        Ok(())
    }

    /// Gathers the centres (m) of all bodies at the last evaluation. All ranks return one error if any rank has failed.
    pub(crate) fn come_together(&mut self, failure: Option<Failure>) -> Result<Census, RanksError> {
        let when = self.moment();
        let own = self.bodies.len();
        let contacts = &mut self.field.1.0;
        let unread = contacts.unread.take().map(|error| Failure::of_contacts(when, error, &self.numbers));
        let of_own: Vec<NumberedCentre> = self.numbers.iter().copied().zip(contacts.own_centres(own)).collect();
        let told = failure.or(unread).map_or_else(|| Ok((of_own, contacts.contacts.list().pairs_of_own())), Err);
        let of_ranks = all_gather(&mut contacts.ranks, told)?;
        let bodies = self.scene.bodies.len();
        let mut census = Census { centres: VectorColumn::zeros(bodies), pairs: vec![0; bodies], work: Vec::new() };
        let mut failures = Vec::new();
        for of_rank in of_ranks {
            let (known, failure): ((Vec<NumberedCentre>, Vec<u32>), _) = match of_rank {
                Ok(known) => (known, None),
                Err(failure) => (Default::default(), Some(failure)),
            };
            failures.push(failure);
            census.work.push(work_of(&known.1));
            for ((body, centre), pairs) in known.0.into_iter().zip(known.1) {
                census.centres.set(body as usize, centre.into());
                census.pairs[body as usize] = pairs;
            }
        }
        Failure::first(failures).map_or(Ok(census), Err)
    }
}
