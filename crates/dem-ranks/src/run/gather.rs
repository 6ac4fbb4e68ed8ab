//! Gathering of all bodies and contacts on rank 0, for results and restarts.

use dem_contact::force::{ContactForce, WallLoadsOfTiles};
use rrp_integrate::{State, VectorColumn};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::collective::all_to_all;
use crate::error::RanksError;
use crate::migration::in_order;
use crate::run::{NumberedCentre, RankRun};
use crate::transport::Ranks;

impl<R: Ranks> RankRun<R> {
    /// Returns the state of all bodies, on rank 0; `None` on other ranks. All ranks must call this method.
    ///
    /// # Errors
    /// [`RanksError::Transport`] or, if ranks disagree on owners, [`RanksError::State`].
    pub fn gather(&mut self) -> Result<Option<State>, RanksError> {
        let own = (self.own_numbers().to_vec(), self.state.clone());
        let states = self.send_to_rank_0(own)?;
        let all: Vec<u32> = (0..self.scene.bodies.len() as u32).collect();
        Ok(states.map(|states| in_order(states, &all)).transpose()?)
    }

    /// Returns the contacts of all bodies, on rank 0; `None` on other ranks. All ranks must call this method. A run on
    /// one rank continues from these contacts with bitwise equal results, and stores them with equal bytes.
    ///
    /// # Errors
    /// [`RanksError::Transport`] or, if ranks disagree on owners, [`RanksError::Contacts`].
    pub fn gather_contacts(&mut self) -> Result<Option<ContactForce>, RanksError> {
        let own = self.own_numbers().len();
        let contacts = &mut self.field.1.0.contacts;
        let numbers = &self.numbers;
        let number = |body: usize| numbers.get(body).map(|&number| number as usize);
        let mut histories = contacts.all_histories();
        let mut work = contacts.take_work_record();
        histories.renumber_bodies(number);
        work.renumber_bodies(number);
        let made_for = contacts.list().accepted_centres().unwrap_or_default();
        let centre = |(&number, centre): (&u32, _)| (number, <[f64; 3]>::from(centre));
        let centres: Vec<NumberedCentre> = numbers[..own].iter().zip(made_for.iter()).map(centre).collect();
        let loads = contacts.wall_loads_of_tiles();
        let box_load = contacts.box_load_parts().cloned();
        let list = contacts.list();
        let domain = *list.first_domain().unwrap_or(list.domain());
        let Some(of_ranks) = self.send_to_rank_0((centres, histories, loads, box_load, work))? else { return Ok(None) };
        let mut all_centres = VectorColumn::zeros(self.scene.bodies.len());
        let mut all_histories = self.scene.contacts.no_histories();
        let mut all_loads = WallLoadsOfTiles::default();
        let mut records = Vec::new();
        let mut box_loads = Vec::new();
        for (centres, histories, loads, box_load, work) in of_ranks {
            records.push(work);
            box_loads.push(box_load);
            all_loads.join(loads);
            centres.into_iter().for_each(|(body, centre)| all_centres.set(body as usize, centre.into()));
            all_histories.join(histories);
        }
        self.scene.contacts.add_work_of(&records, self.scene.bodies.len());
        if let Some(all) = self.box_load_of(box_loads) {
            self.scene.contacts.take_box_load(&self.field.1.0.contacts, &all);
        }
        let contacts = self.scene.contacts.clone().with_list_made_for(&all_centres, domain);
        let contacts = contacts.with_histories(all_histories, self.scene.bodies.len())?;
        Ok(Some(contacts.with_wall_loads(all_loads)))
    }

    /// Sends a value to rank 0, which returns the values of all ranks by rank; `None` on other ranks.
    pub(crate) fn send_to_rank_0<V: Serialize + DeserializeOwned>(
        &mut self,
        value: V,
    ) -> Result<Option<Vec<V>>, RanksError> {
        let ranks = &mut self.field.1.0.ranks;
        let mut outgoing: Vec<Option<V>> = (0..ranks.size()).map(|_| None).collect();
        outgoing[0] = Some(value);
        let incoming: Vec<V> = all_to_all(ranks, outgoing)?.into_iter().flatten().collect();
        Ok((ranks.rank() == 0).then_some(incoming))
    }
}
