//! An order of contacts that several threads can sweep.
//!
//! `newton/sweep/level_order.rs` cuts bodies into subdomains of two colours, in which subdomains of one colour may
//! touch. Here contacts that are swept at the same time must not share a body.

use rrp_parallel::{Extent, Parts, Split, for_each_part};

use crate::friction::contact_rows::DOF;
use crate::friction::subdomain_walk::Walk;
use crate::problem::rows::FIXED;

/// Smallest size of a subdomain: number of bodies, and number of layers of bodies at one distance from the rim.
#[derive(Debug, Clone, Copy)]
struct Least {
    bodies: usize,
    /// Number of layers: in a thinner subdomain most contacts lead to other subdomains.
    levels: usize,
}

const LEAST: Least = Least { bodies: 1024, levels: 3 };

/// Fewest bodies, and fewest contacts, for which sweeps over contacts cut the bodies into subdomains.
const FEWEST: usize = 4 * LEAST.bodies;

/// Bodies cut into subdomains, and their contacts in three stages. Bodies are sorted by their distance, in contacts,
/// from a body at the rim of the packing, and cut between two distances, so a contact joins bodies of one subdomain or
/// of neighbouring ones. Contacts within subdomains are swept first, then those at every second interface, then those
/// at the remaining interfaces. Contacts of different parts of a stage share no free body. The order depends only on
/// the contacts, not on the threads.
#[derive(Debug, Clone, Default)]
pub(super) struct Subdomains {
    /// Contacts in the order of sweeps: by [stage](Stage), by part of the stage, then in the given order.
    order: Vec<u32>,
    /// The two bodies of each contact in the order of sweeps, as slots (places in the order of bodies) relative to the
    /// first slot of the part that the contact is in.
    pair: Vec<[u32; 2]>,
    /// For each contact, its place in the order in which sweeps visit the contacts.
    place: Vec<u32>,
    stages: [Stage; 3],
    walk: Walk,
    /// Slot of the first body of each subdomain, and at the end the number of bodies.
    starts: Vec<usize>,
    slot: Vec<u32>,
    subdomain: Vec<u32>,
}

/// One stage of a sweep: contacts in parts without common bodies, which threads can sweep at the same time.
#[derive(Debug, Clone, Default)]
struct Stage {
    /// Slot (place in the order of the bodies) after the last body of each part, which one thread takes.
    slot_ends: Vec<usize>,
    /// Index, in the order of sweeps, after the last contact of each part of the stage; one thread takes one part.
    place_ends: Vec<usize>,
}

/// Contacts of one part of a stage, which one thread takes one after the other, with the bodies of this part.
#[derive(Debug)]
pub(super) struct Stretch<'a, const M: usize> {
    /// Place, in the order of sweeps, of the first contact of this part.
    pub(super) first: usize,
    /// Local vector of each contact of this part, such as its force: components along its normal and tangents.
    pub(super) local: &'a mut [[f64; M]],
    /// Velocities of the bodies of this part, six numbers each, in the order of the bodies (by slot).
    pub(super) velocity: &'a mut [f64],
}

impl Subdomains {
    /// Cuts the `bodies` bodies into subdomains; `pairs` has the two bodies of each contact.
    pub(super) fn lay_out(&mut self, bodies: usize, pairs: &[[u32; 2]]) {
        self.starts.clear();
        if bodies >= FEWEST && pairs.len() >= FEWEST {
            self.lay_out_in(LEAST, bodies, pairs);
        }
    }

    pub(super) fn are_several(&self) -> bool {
        self.starts.len() > 2
    }

    fn lay_out_in(&mut self, least: Least, bodies: usize, pairs: &[[u32; 2]]) {
        self.walk.find_levels(bodies, pairs);
        self.cut(least);
        let subdomains = self.starts.len() - 1;
        let [inner, even, odd] = &mut self.stages;
        let ends = &self.starts[1..];
        inner.set_slots(ends.iter().copied());
        let is_even = subdomains.is_multiple_of(2);
        even.set_slots(ends.iter().copied().skip(1).step_by(2).chain((!is_even).then_some(bodies)));
        odd.set_slots(ends.iter().copied().step_by(2).chain(is_even.then_some(bodies)));
        self.sort(pairs);
    }

    /// Numbers the bodies by distance from one at the rim, and cuts this order between two distances into subdomains.
    fn cut(&mut self, least: Least) {
        let order = &self.walk.order;
        let bodies = self.walk.order.len();
        let levels = self.walk.level_ends.len();
        let is_enough = |bodies: usize, levels: usize| bodies >= least.bodies && levels >= least.levels;
        self.starts.clear();
        self.starts.push(0);
        let mut start = 0;
        let mut first_level = 0;
        for (level, &end) in (1..).zip(&self.walk.level_ends) {
            if is_enough(end - start, level - first_level) && is_enough(bodies - end, levels - level) {
                self.starts.push(end);
                (start, first_level) = (end, level);
            }
        }
        self.starts.push(bodies);
        self.slot.resize(bodies, 0);
        self.subdomain.resize(bodies, 0);
        for (number, ends) in self.starts.windows(2).enumerate() {
            for (slot, &body) in (ends[0]..ends[1]).zip(&order[ends[0]..]) {
                self.slot[body as usize] = slot as u32;
                self.subdomain[body as usize] = number as u32;
            }
        }
    }

    /// Sorts the contacts by stage of the sweep and by part of the stage, which one thread takes.
    fn sort(&mut self, pairs: &[[u32; 2]]) {
        let Self { order, pair, place, stages, starts, slot, subdomain, .. } = self;
        let bin = |bodies: &[u32; 2]| {
            let [a, b] = bodies.map(|body| subdomain.get(body as usize).copied());
            let (a, b) = (a.or(b).unwrap_or(0), b.or(a).unwrap_or(0));
            debug_assert!(a.abs_diff(b) < 2, "levels of bodies in contact differ by one at most");
            let lower = a.min(b) as usize;
            if a == b { (0, lower) } else { (1 + lower % 2, lower.div_ceil(2)) }
        };
        for bodies in pairs {
            let (stage, part) = bin(bodies);
            stages[stage].place_ends[part] += 1;
        }
        let mut end = 0;
        for place_end in stages.iter_mut().flat_map(|stage| &mut stage.place_ends) {
            // This is the first place of the part; it advances to the end as contacts are placed.
            end += std::mem::replace(place_end, end);
        }
        order.resize(pairs.len(), 0);
        pair.resize(pairs.len(), [0; 2]);
        place.resize(pairs.len(), 0);
        for (contact, bodies) in pairs.iter().enumerate() {
            let (stage, part) = bin(bodies);
            let next = &mut stages[stage].place_ends[part];
            // A part of the first stage is one subdomain; a part of a later stage is two, of which this is the lower.
            let first_subdomain = if stage == 0 { part } else { 2 * part - (stage - 1) };
            let first = starts[first_subdomain] as u32;
            order[*next] = contact as u32;
            pair[*next] = bodies.map(|body| slot.get(body as usize).map_or(FIXED, |slot| slot - first));
            place[contact] = *next as u32;
            *next += 1;
        }
    }

    pub(crate) fn order(&self) -> &[u32] {
        &self.order
    }

    /// The two bodies of each contact in the order of sweeps, as slots relative to the first slot of the part of the
    /// contact.
    pub(super) fn pair(&self) -> &[[u32; 2]] {
        &self.pair
    }

    pub(super) fn place(&self) -> &[u32] {
        &self.place
    }

    /// Runs `work` on the parts of each [stage](Stage) on several threads, stage after stage. `local` has a vector for
    /// each contact in the order of sweeps, `velocity` six numbers for each body by slot.
    pub(super) fn for_each_part<const M: usize>(
        &self,
        local: &mut [[f64; M]],
        velocity: &mut [f64],
        work: &(dyn Fn(Stretch<'_, M>) + Sync),
    ) {
        let mut rest = LocalColumn { ends: &[], begin: 0, local };
        for stage in &self.stages {
            rest.ends = &stage.place_ends;
            let own = rest.cut(Extent { rows: 0, parts: rest.ends.len() });
            let columns = (own, velocity.as_chunks_mut::<DOF>().0);
            for_each_part(Parts::of(&stage.slot_ends), columns, &|_, (LocalColumn { begin, local, .. }, velocity)| {
                work(Stretch { first: begin, local, velocity: velocity.as_flattened_mut() });
            });
        }
    }
}

impl Stage {
    fn set_slots(&mut self, ends: impl Iterator<Item = usize>) {
        self.slot_ends.clear();
        self.slot_ends.extend(ends);
        self.place_ends.clear();
        self.place_ends.resize(self.slot_ends.len(), 0);
    }
}

/// Local vectors of the contacts of consecutive parts of a stage, to be cut between parts.
struct LocalColumn<'a, const M: usize> {
    /// Index, in the order of sweeps, after the last contact of each part of a stage, where the next part begins.
    ends: &'a [usize],
    begin: usize,
    local: &'a mut [[f64; M]],
}

impl<const M: usize> Split for LocalColumn<'_, M> {
    fn cut(&mut self, first: Extent) -> Self {
        let ends = self.ends.split_off(..first.parts.min(self.ends.len())).unwrap_or_default();
        let begin = self.begin;
        self.begin = ends.last().copied().unwrap_or(begin);
        let local = self.local.split_off_mut(..self.begin - begin).unwrap_or_default();
        Self { ends, begin, local }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn laid_out(least: Least, bodies: usize, pairs: &[[u32; 2]]) -> Subdomains {
        let mut subdomains = Subdomains::default();
        // Buffers are reused from solve to solve: an earlier problem must not change the result.
        subdomains.lay_out_in(Least { bodies: 2, levels: 1 }, 5, &[[0, 1], [1, 2], [2, 3], [3, FIXED], [FIXED, 4]]);
        subdomains.lay_out_in(least, bodies, pairs);
        subdomains
    }

    proptest! {
        /// A part has all bodies of its contacts, and no other part of the stage has any of these bodies.
        #[test]
        fn each_contact_is_taken_once_by_a_part_that_has_its_bodies(
            bodies in 1..80_u32,
            ends in prop::collection::vec((0..80_u32, 0..7_u32), 0..300),
            (size, levels) in (1..12_usize, 1..4_usize),
        ) {
            let second =
                |body: u32, offset: u32| if offset > 0 && body + offset < bodies { body + offset } else { FIXED };
            let pairs: Vec<[u32; 2]> = ends
                .iter()
                .map(|&(body, offset)| (body % bodies, offset))
                .map(|(body, offset)| [body, second(body, offset)])
                .map(|[a, b]| if a % 2 == 0 { [a, b] } else { [b, a] })
                .collect();
            let subdomains = laid_out(Least { bodies: size, levels }, bodies as usize, &pairs);
            let mut velocity = vec![f64::NAN; DOF * bodies as usize];
            for (body, &slot) in subdomains.slot.iter().enumerate() {
                velocity[DOF * slot as usize] = body as f64;
            }
            let mut visits = vec![[0.0; 3]; pairs.len()];
            subdomains.for_each_part(&mut visits, &mut velocity, &|Stretch { first, local, velocity }| {
                for (k, visits) in local.iter_mut().enumerate() {
                    let contact = subdomains.order[first + k] as usize;
                    let own = subdomains.pair[first + k];
                    let body = |slot: u32| if slot == FIXED { FIXED } else { velocity[DOF * slot as usize] as u32 };
                    assert_eq!(own.map(body), pairs[contact]);
                    assert_eq!(subdomains.place[contact] as usize, first + k);
                    visits[0] += 1.0;
                }
            });
            prop_assert!(visits.iter().all(|[visits, ..]| (visits - 1.0).abs() < 0.5));
        }
    }

    #[test]
    fn a_row_of_bodies_in_any_order_is_cut_along_its_length() {
        let bodies = 100;
        let body = |place: u32| 37 * place % bodies;
        let pairs: Vec<[u32; 2]> = (1..bodies).map(|k| [body(k - 1), body(k)]).collect();
        let thick = laid_out(Least { bodies: 1, levels: 25 }, bodies as usize, &pairs);
        assert_eq!(thick.starts, [0, 25, 50, 75, 100]);
        let subdomains = laid_out(Least { bodies: 10, levels: 3 }, bodies as usize, &pairs);
        assert_eq!(subdomains.starts, (0..=10).map(|k| 10 * k).collect::<Vec<usize>>());
        let ends: Vec<&[usize]> = subdomains.stages.iter().map(|stage| &stage.place_ends[..]).collect();
        let inner: Vec<usize> = (1..=10).map(|k| 9 * k).collect();
        assert_eq!(ends, [&inner[..], &[91, 92, 93, 94, 95], &[95, 96, 97, 98, 99, 99]]);
    }
}
