//! What contacts remember: committed and pending, and carried from list to list.
//!
//! A pair is remembered once, in the block of its home, and only while it touches. What is remembered is
//! there in the order of the close pairs, each of which has a slot, so that nothing has to be looked for in a step.

pub(crate) mod block_memory;

use rrp_integrate::Renumbering;

use crate::force::old::carried::{ByPair, Carried};
use crate::force::old::close_pairs::{self, WORD, count, each_bit, rank};
use crate::force::old::close_watch::CloseWatch;
use crate::force::old::exchange::Exchange;
use crate::force::old::half_rows::HalfRows;
use crate::force::old::homes::Homes;
use crate::force::old::slots::Slots;
use crate::law::contact_history::ContactHistory;
use crate::neighbor::NeighborList;
use crate::parallel::fork_join::{PerBlock, all_blocks};

pub(crate) use crate::force::old::pair_memory::block_memory::BlockMemory;

/// The memory of all contacts, and which pairs are close.
#[derive(Debug, Clone)]
pub(crate) struct PairMemory<M> {
    /// By block of the list with the number `list`, if there is one: a bit for each pair that is close.
    close: Vec<Vec<u64>>,
    committed: Vec<Slots<M>>,
    pending: Vec<Slots<M>>,
    list: Option<u64>,
    /// How close they are, and for how long.
    watch: CloseWatch,
    /// What is committed of pairs that this list has not, because the state that it is for may yet be given up; all of it
    /// while there is no list.
    carried: Carried<M>,
}

/// All pairs, which of them are close, and the committed memory, to be read.
#[derive(Debug)]
pub(crate) struct Memories<'a, M> {
    pub(crate) pairs: &'a [HalfRows],
    pub(crate) homes: Homes,
    close: &'a [Vec<u64>],
    committed: &'a [Slots<M>],
}

impl<M> Clone for Memories<'_, M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M> Copy for Memories<'_, M> {}

impl<M: Copy + Default> Memories<'_, M> {
    /// The block of the home of the bodies at two places, and their slot in it.
    pub(crate) fn slot(&self, places: [usize; 2]) -> Option<(usize, usize)> {
        let [home, other] = self.homes.sorted(places);
        let (cut, block) = (self.homes.blocks(), self.homes.blocks().at(home));
        let pair = self.pairs.get(block)?.find(cut.first(block), [home, other])?;
        Some((block, rank(self.close.get(block)?, pair)?))
    }

    /// How many slots a block has.
    pub(crate) fn slots(&self, block: usize) -> usize {
        self.close.get(block).map_or(0, |close| count(close))
    }

    /// What is committed of the bodies at two places, looked up.
    pub(crate) fn of_places(&self, places: [usize; 2]) -> M {
        let known = self.slot(places).and_then(|(block, slot)| self.committed[block].get(slot));
        known.unwrap_or_default()
    }
}

impl<M: ContactHistory> PairMemory<M> {
    const NOTHING: bool = Slots::<M>::NOTHING;

    /// Memory as [`by_pair`](Self::by_pair) gave it.
    pub(crate) fn new(mut carried: ByPair<M>) -> Self {
        carried.iter_mut().for_each(|(pair, _)| pair.sort_unstable());
        Self {
            close: Vec::new(),
            committed: Vec::new(),
            pending: Vec::new(),
            list: None,
            watch: CloseWatch::default(),
            carried: Carried::new(carried),
        }
    }

    /// The committed memory; `list` is the one that was followed last.
    #[cfg(feature = "serde")]
    pub(crate) fn by_pair(&self, list: &NeighborList) -> ByPair<M> {
        if self.list.is_none() {
            return self.carried.iter().collect();
        }
        self.gathered(list, &|pair, memory| (pair, memory)).iter().collect()
    }

    /// The same, with what `seen` makes of each entry.
    fn gathered(&self, list: &NeighborList, seen: &impl Fn([u32; 2], M) -> ([u32; 2], M)) -> Carried<M> {
        let carried = self.carried.iter().map(|(pair, memory)| seen(pair, memory));
        if Self::NOTHING || self.list.is_none() {
            return Carried::new(carried.collect());
        }
        let remembered = Carried::collect(list.len(), |show| {
            self.each_remembered(list, &mut |pair, memory| {
                let (pair, memory) = seen(pair, memory);
                show(pair, memory);
            });
        });
        if self.carried.is_empty() { remembered } else { Carried::new(remembered.iter().chain(carried).collect()) }
    }

    /// Shows all pairs that are remembered but those that are carried.
    fn each_remembered(&self, list: &NeighborList, show: &mut impl FnMut([u32; 2], M)) {
        let (order, cut) = (list.order(), list.blocks());
        for (block, (pairs, slots)) in list.half_rows().iter().zip(&self.committed).enumerate() {
            let (first, mut slot) = (cut.first(block), 0);
            each_bit(&self.close[block], |pair| {
                if let Some(memory) = slots.get(slot) {
                    let [a, b] = pairs.places(first, pair).map(|place| order[place]);
                    show([a.min(b), a.max(b)], memory);
                }
                slot += 1;
            });
        }
    }

    /// What is committed of one pair of bodies.
    pub(crate) fn of_pair(&self, list: &NeighborList, mut pair: [u32; 2]) -> M {
        if Self::NOTHING {
            return M::default();
        }
        pair.sort_unstable();
        if let Some(memory) = self.carried.find(pair) {
            return memory;
        }
        let place = |body: u32| list.slot_of_body().get(body as usize).map(|&place| place as usize);
        match pair.map(place) {
            [Some(a), Some(b)] if self.list.is_some() => self.view(list).of_places([a, b]),
            _ => M::default(),
        }
    }

    /// Saves what is committed from a list that is about to be replaced, and gives up all other storage.
    pub(crate) fn carry(&mut self, list: &NeighborList) {
        if self.list.is_some() {
            self.carry_as(list, &|pair, memory| (pair, memory));
        }
    }

    fn carry_as(&mut self, list: &NeighborList, seen: &impl Fn([u32; 2], M) -> ([u32; 2], M)) {
        self.pending = Vec::new();
        self.carried = self.gathered(list, seen);
        self.committed = Vec::new();
        self.close = Vec::new();
        self.list = None;
    }

    /// How many bodies there are at least, as far as they are remembered while there is no list.
    pub(crate) fn bodies(&self) -> usize {
        self.carried.iter().map(|([_, high], _)| high as usize + 1).max().unwrap_or(0)
    }

    /// Gives bodies other numbers, of each former one the present, and [carries](Self::carry) what is committed.
    pub(crate) fn renumber(&mut self, list: &NeighborList, now: &Renumbering) {
        self.carry_as(list, &|pair, memory| {
            let [a, b] = pair.map(|i| now.former()[i as usize] as u32);
            // It is seen from the lower number.
            if a < b { ([a, b], memory) } else { ([b, a], memory.reversed()) }
        });
    }

    /// Finds out in which blocks the close pairs may not be all that can touch: these are to be
    /// [renewed](BlockMemory::renew) before their contacts are evaluated. `exchange` follows the same list.
    pub(crate) fn follow(&mut self, list: &NeighborList, exchange: &Exchange) {
        if self.list != Some(list.builds()) {
            self.watch.begin(list, false);
            self.adopt(list);
        } else {
            self.watch.follow(list, exchange);
        }
    }

    /// Makes all pairs of `list` the close ones; nothing has to be renewed then.
    pub(crate) fn follow_all(&mut self, list: &NeighborList) {
        if self.list != Some(list.builds()) {
            self.watch.begin(list, true);
            self.adopt(list);
        } else if self.watch.widen() {
            all_blocks(list.len(), PerBlock(&mut self.blocks()), &|first, _, blocks| {
                blocks.0.iter_mut().for_each(|block| block.renew(list, first));
                true
            });
        }
    }

    /// Begins with a new list.
    fn adopt(&mut self, list: &NeighborList) {
        self.list = Some(list.builds());
        self.close.resize_with(list.blocks().count(), Vec::new);
        self.committed.resize_with(list.blocks().count(), Slots::default);
        self.pending.resize_with(list.blocks().count(), Slots::default);
        let carried = std::mem::take(&mut self.carried);
        // Where what is remembered of each body begins.
        let start = carried.starts(list.len());
        let find = |a: u32, b: u32| {
            let (low, high) = (a.min(b) as usize, a.max(b));
            let mut known = (*start.get(low)?..*start.get(low + 1)?).filter_map(|at| carried.get(at as usize));
            known.find(|&([_, other], _)| other == high).map(|(_, memory)| memory)
        };
        let (order, watch, cut) = (list.order(), &self.watch, list.blocks());
        let known = |pairs: &HalfRows, first: usize, pair: usize| {
            let [a, b] = pairs.places(first, pair);
            find(order[a], order[b])
        };
        let mut found = 0;
        // What is remembered touched a step ago and is close; if not, all pairs are asked.
        for ask_all in [false, true] {
            all_blocks(list.len(), PerBlock(&mut self.close), &|first, _, close| {
                let (Some(pairs), Some(gap)) = (list.half_rows().get(cut.at(first)), watch.gap(cut.at(first))) else {
                    return true;
                };
                for close in close.0 {
                    close_pairs::mark(list, (first, gap), close);
                    let asked = 0..if ask_all { pairs.len() } else { 0 };
                    asked
                        .filter(|&pair| known(pairs, first, pair).is_some())
                        .for_each(|pair| close[pair / WORD] |= 1 << (pair % WORD));
                }
                true
            });
            reserve(&mut self.committed, &self.close);
            let close = &self.close;
            all_blocks(list.len(), PerBlock(&mut self.committed), &|first, _, committed| {
                let ([committed], Some(pairs)) = (committed.0, list.half_rows().get(cut.at(first))) else {
                    return true;
                };
                committed.clear(count(&close[cut.at(first)]));
                if start.is_empty() {
                    return true;
                }
                let mut slots = 0..;
                each_bit(&close[cut.at(first)], |pair| {
                    if let (Some(slot), Some(memory)) = (slots.next(), known(pairs, first, pair)) {
                        committed.set(slot, memory);
                    }
                });
                true
            });
            found = self.committed.iter().map(|slots| count(&slots.touched)).sum();
            if found == carried.len() {
                break;
            }
        }
        if found < carried.len() {
            // Pairs that are not listed stay behind.
            self.carried = Carried::new(carried.iter().filter(|&(pair, _)| !list.has_pair(pair)).collect());
        }
        // What is written anew comes last, when what was carried has gone.
        drop((carried, start));
        let close = &self.close;
        reserve(&mut self.pending, close);
        all_blocks(list.len(), PerBlock(&mut self.pending), &|first, _, pending| {
            pending.0.iter_mut().for_each(|pending| pending.clear(count(&close[cut.at(first)])));
            true
        });
    }

    /// All that is remembered, by block.
    pub(crate) fn blocks(&mut self) -> Vec<BlockMemory<'_, M>> {
        let Self { close, committed, pending, watch, .. } = self;
        let slots = committed.iter_mut().zip(pending);
        let blocks = close.iter_mut().zip(slots).zip(watch.blocks());
        blocks
            .map(|((close, (committed, pending)), watched)| BlockMemory { close, committed, pending, watched })
            .collect()
    }

    /// The close pairs, which are [all](Self::follow_all), and what was committed, to read, and what is pending, to write, by
    /// block.
    pub(crate) fn slots<'a>(&'a mut self, list: &'a NeighborList) -> (Memories<'a, M>, &'a mut [Slots<M>]) {
        let Self { close, committed, pending, .. } = self;
        (Memories { pairs: list.half_rows(), homes: list.homes(), close, committed }, pending)
    }

    /// Makes the pending memory the committed one.
    pub(crate) fn commit(&mut self) {
        if !Self::NOTHING && self.list.is_some() {
            std::mem::swap(&mut self.committed, &mut self.pending);
            self.carried = Carried::default();
        }
    }

    fn view<'a>(&'a self, list: &'a NeighborList) -> Memories<'a, M> {
        Memories { pairs: list.half_rows(), homes: list.homes(), close: &self.close, committed: &self.committed }
    }
}

/// Gets room for all close pairs, by the thread that calls: where each thread gets some, what one gives back is of no use to the
/// others. Later a block grows by whichever thread has it.
fn reserve<M: ContactHistory>(slots: &mut [Slots<M>], close: &[Vec<u64>]) {
    slots.iter_mut().zip(close).for_each(|(slots, close)| slots.reserve(count(close)));
}

#[cfg(test)]
mod tests {
    use rrp_geom::glam::DVec3;
    use rrp_integrate::{Bodies, Body, Explicit, ForceField, Integrator, Map, State, Wrenches};

    use crate::force::ContactForce;
    use crate::law::normal::damping::Damping;
    use crate::law::normal::hooke::Hooke;
    use crate::law::tangential::friction_spring::FrictionSpring;
    use crate::neighbor::NeighborList;
    use crate::neighbor::domain::{Boundary, Domain};
    use crate::parallel::blocks::BLOCK;

    /// Positions and velocities after some steps, with all listed pairs at hand or the close ones, how many those are at the
    /// end, and how many lists there were.
    type StepContacts = (Vec<u64>, usize, u64);

    /// A periodic bed of 1331 bodies in motion.
    fn bed(all: bool, skin: f64) -> StepContacts {
        let side = 11;
        let count = side * side * side;
        let bodies = Bodies::new((0..count).map(|_| Body::sphere(1.0, 0.5))).unwrap();
        let mut state = State::at_rest(count).without_attitudes();
        for i in 0..count {
            let at = [i % side, i / side % side, i / side / side].map(|k| k as f64 + 0.5);
            let shift = DVec3::new((i % 5) as f64, (i % 3) as f64, (i % 7) as f64) * 0.008;
            state.position_mut().set(i, DVec3::from_array(at) * 0.995 + shift);
            state.velocity_mut().set(i, DVec3::new((i % 7) as f64 - 3.0, (i % 4) as f64 - 1.5, (i % 3) as f64 - 1.0));
        }
        let domain = Domain::new(DVec3::ZERO, DVec3::splat(0.995 * side as f64), [Boundary::Periodic; 3]).unwrap();
        outcome(all, NeighborList::new(domain, skin).unwrap(), (&bodies, state), 80)
    }

    /// Two layers of a block each, 0.06 apart, or as far through the periodic boundary: one at rest, the other falls on it.
    fn layers(all: bool, [rest, falling]: [f64; 2]) -> StepContacts {
        let bodies = Bodies::new((0..2 * BLOCK).map(|_| Body::sphere(1.0, 0.5))).unwrap();
        let mut state = State::at_rest(2 * BLOCK).without_attitudes();
        for i in 0..2 * BLOCK {
            let (k, z) = (i % BLOCK, if i < BLOCK { rest } else { falling });
            // Off each other's axes, so that friction acts.
            let beside = if i < BLOCK { 0.0 } else { 0.1 };
            let at = DVec3::new(1.2 * (k % 32) as f64 + 0.6 + beside, 1.2 * (k / 32) as f64 + 0.6, z);
            state.position_mut().set(i, at);
            state.velocity_mut().set(i, if i < BLOCK { DVec3::ZERO } else { DVec3::NEG_Z * 10.0 });
        }
        let size = DVec3::new(1.2 * 32.0, 1.2 * 16.0, 10.0);
        let domain = Domain::new(DVec3::ZERO, size, [Boundary::Periodic; 3]).unwrap();
        outcome(all, NeighborList::new(domain, 0.4).unwrap(), (&bodies, state), 90)
    }

    fn outcome(all: bool, list: NeighborList, (bodies, mut state): (&Bodies, State), steps: usize) -> StepContacts {
        let hooke = Hooke::new(1e5, Damping::coefficient(20.0).unwrap()).unwrap();
        let spring = FrictionSpring::matching_hooke(&hooke, 0.4).unwrap();
        let mut field = ContactForce::new(list, hooke, spring);
        let mut map = Explicit::new(Map::Rodrigues25, 1e-4).unwrap();
        for step in 0..steps {
            if all && step > 0 {
                field.history.follow_all(&field.list);
            }
            map.step(bodies, &mut field, &mut state).unwrap();
        }
        let columns = [state.position(), state.velocity(), state.angular_momentum()];
        let bits = columns
            .iter()
            .flat_map(|column| column.iter())
            .flat_map(|vector| vector.to_array())
            .map(f64::to_bits)
            .collect();
        (bits, field.history.close.iter().flatten().map(|word| word.count_ones() as usize).sum(), field.list.builds())
    }

    #[test]
    fn which_pairs_are_close_changes_no_bit() {
        for (skin, lists) in [(0.5, 1), (0.02, 2)] {
            let ((bits, few, builds), (bits_of_all, many, _)) = (bed(false, skin), bed(true, skin));
            assert!(builds >= lists, "{builds} lists");
            assert!(5 * few < 4 * many || skin < 0.1, "{few} of {many} pairs");
            assert!(bits == bits_of_all, "skin {skin}");
        }
    }

    /// Within a block nothing moves against anything: only the blocks against each other.
    #[test]
    fn blocks_that_meet_are_looked_for() {
        for heights in [[0.5, 1.56], [9.7, 0.76]] {
            let ((bits, _, builds), (bits_of_all, ..)) = (layers(false, heights), layers(true, heights));
            assert_eq!(builds, 1);
            assert!(bits == bits_of_all, "{heights:?}");
            // The layer at rest was hit.
            assert!(f64::from_bits(bits[3 * 2 * BLOCK + 2]) < 0.0, "{heights:?}");
        }
    }

    /// Pairs of bodies: more than a batch.
    const PAIRS: usize = 40;

    /// Forces of pairs of bodies, of which so many touch from step to step, that slide.
    fn forces_after(touching: &[std::ops::Range<usize>]) -> Vec<DVec3> {
        let bodies = Bodies::new((0..2 * PAIRS).map(|_| Body::sphere(1.0, 0.5))).unwrap();
        let mut state = State::at_rest(2 * PAIRS).without_attitudes();
        let hooke = Hooke::new(1e5, Damping::coefficient(20.0).unwrap()).unwrap();
        let spring = FrictionSpring::matching_hooke(&hooke, 0.4).unwrap();
        let mut field = ContactForce::new(NeighborList::new(Domain::OPEN, 0.5).unwrap(), hooke, spring);
        let mut out = Wrenches::zeros(2 * PAIRS);
        for (step, touching) in touching.iter().enumerate() {
            for pair in 0..PAIRS {
                let distance = if touching.contains(&pair) { 0.99 } else { 1.01 };
                state.position_mut().set(2 * pair, DVec3::X * 4.0 * pair as f64);
                state.position_mut().set(2 * pair + 1, DVec3::X * (4.0 * pair as f64 + distance));
                // Each at a speed of its own.
                state.velocity_mut().set(2 * pair, DVec3::Y * 0.001 * (pair + 1) as f64);
            }
            if step > 0 {
                // All keep their slots.
                field.history.follow_all(&field.list);
            }
            out.clear();
            field.accumulate(&bodies, &state, 1e-3, &mut out).unwrap();
            field.commit();
        }
        assert_eq!(field.list.builds(), 1);
        out.force.iter().collect()
    }

    #[test]
    fn what_ended_contacts_remembered_is_forgotten_whoever_else_touches() {
        let fresh = forces_after(&[0..0, 0..PAIRS]);
        assert!(fresh.iter().all(|force| force.y != 0.0));
        // The first pair has come apart while most of a batch begin to touch, or some, or none.
        for others in [1..PAIRS, 1..3, 8..8] {
            let forces = forces_after(&[0..0, 0..1, 0..1, others.clone(), 0..PAIRS]);
            for (pair, (forces, fresh)) in forces.chunks(2).zip(fresh.chunks(2)).enumerate() {
                assert_eq!(forces == fresh, !others.contains(&pair), "{pair} of {others:?}");
            }
        }
    }

    #[test]
    fn a_trial_that_parts_bodies_and_is_given_up_forgets_nothing() {
        // More pairs than marks in a number; the first ones never touch, some are further apart than close pairs ever are.
        const PAIRS: usize = 100;
        let rest: [f64; PAIRS] = std::array::from_fn(|pair| if pair < 60 { 1.01 } else { [0.99, 1.2][pair / 95] });
        let bodies = Bodies::new((0..2 * PAIRS).map(|_| Body::sphere(1.0, 0.5))).unwrap();
        let mut state = State::at_rest(2 * PAIRS).without_attitudes();
        for pair in 0..PAIRS {
            state.velocity_mut().set(2 * pair, DVec3::Y * 0.001 * (pair + 1) as f64);
        }
        let hooke = Hooke::new(1e5, Damping::coefficient(20.0).unwrap()).unwrap();
        let spring = FrictionSpring::matching_hooke(&hooke, 0.4).unwrap();
        let mut field = ContactForce::new(NeighborList::new(Domain::OPEN, 0.5).unwrap(), hooke, spring);
        let mut forces_at = |distance: &[f64], commits: bool| {
            for (pair, &distance) in distance.iter().enumerate() {
                state.position_mut().set(2 * pair, DVec3::X * 4.0 * pair as f64);
                state.position_mut().set(2 * pair + 1, DVec3::X * (4.0 * pair as f64 + distance));
            }
            let mut out = Wrenches::zeros(2 * PAIRS);
            field.accumulate(&bodies, &state, 1e-3, &mut out).unwrap();
            if commits {
                field.commit();
            }
            out.force.iter().collect::<Vec<_>>()
        };
        let fresh = forces_at(&rest, false);
        for _ in 0..3 {
            forces_at(&rest, true);
        }
        let forces = forces_at(&rest, false);
        assert!((60..95).all(|pair| forces[2 * pair] != fresh[2 * pair]));
        // Those that touched part, those that were far are close.
        let parted = forces_at(&rest.map(|distance| if distance > 1.1 { 1.02 } else { 1.2 }), false);
        assert!(parted.iter().all(|&force| force == DVec3::ZERO));
        assert!(forces_at(&rest, false) == forces);
    }

    #[test]
    fn springs_stay_with_their_pairs_while_others_come_and_go() {
        // Most of a batch, some, and most again; those that stay remember as they do alone.
        let alone = forces_after(&[0..0, 3..5, 3..5, 3..5, 3..5]);
        for came in [0..PAIRS, 2..9, 0..5, 3..30, 3..5] {
            for went in [0..PAIRS, 1..9, 3..PAIRS, 0..5, 3..5] {
                let forces = forces_after(&[0..0, 3..5, came.clone(), went.clone(), 3..5]);
                assert_eq!(forces[6..10], alone[6..10], "{came:?}, {went:?}");
            }
        }
    }
}
