//! When the close pairs of a block have to be looked for again.
//!
//! Bodies near each other move alike, be they fast: what counts is by how much gaps may have closed, and each block is
//! asked for itself, with those that its pairs reach into.

use crate::force::old::exchange::Exchange;
use crate::force::old::relay::Links;
use crate::neighbor::NeighborList;

/// Up to which gaps pairs are close, block by block, and for how long that is enough.
#[derive(Debug, Clone, Default)]
pub(crate) struct CloseWatch {
    blocks: Vec<Watched>,
    /// How often the centres of the list had been read.
    reads: u64,
}

/// Up to which gap the pairs of one block are close, and whether that is enough.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Watched {
    /// Longest gap of close pairs, in m; infinite if all are.
    gap: f64,
    /// By how much gaps may have closed since, in m.
    closed: f64,
    is_due: bool,
}

impl Watched {
    /// Up to which gap (m) pairs are close, if they have to be looked for before forces are.
    pub(crate) fn due(&self) -> Option<f64> {
        self.is_due.then_some(self.gap)
    }

    /// They were looked for.
    pub(crate) fn settle(&mut self) {
        self.is_due = false;
    }
}

/// Steps that close pairs should last for: a search costs about as much as a step, and pairs that do not touch yet some share
/// of those that do.
const STEPS: f64 = 20.0;

/// Shortest gap up to which pairs are close, as a share of the skin. Pairs that do not touch have room for what they may remember, and are few
/// at such gaps; at none all blocks would search in the step after a new list.
const LEAST: f64 = 1.0 / 256.0;

impl CloseWatch {
    /// Begins with a new list, of which all pairs are close if `all`; whoever does looks for them in each block.
    pub(crate) fn begin(&mut self, list: &NeighborList, all: bool) {
        // Bodies move in the next list as they did in this one.
        let usual = LEAST * list.skin();
        self.blocks.resize(list.blocks().count(), Watched { gap: usual, closed: 0.0, is_due: false });
        self.reads = list.gathers();
        for block in &mut self.blocks {
            let gap = if block.gap.is_finite() { block.gap } else { usual };
            *block = Watched { gap: if all { f64::INFINITY } else { gap }, closed: 0.0, is_due: false };
        }
    }

    /// Up to which gap, in m, pairs of a block are close.
    pub(crate) fn gap(&self, block: usize) -> Option<f64> {
        self.blocks.get(block).map(|block| block.gap)
    }

    /// Makes all pairs of the list close; true if a block is due.
    pub(crate) fn widen(&mut self) -> bool {
        for block in &mut self.blocks {
            *block = Watched { gap: f64::INFINITY, closed: 0.0, is_due: block.is_due || block.gap.is_finite() };
        }
        self.blocks.iter().any(|block| block.is_due)
    }

    /// Looks at what was read last. A block that is due stays so until it is settled.
    pub(crate) fn follow(&mut self, list: &NeighborList, exchange: &Exchange) {
        let reads = list.gathers() - std::mem::replace(&mut self.reads, list.gathers());
        let drifts = list.block_motions();
        let (least, most) = (LEAST * list.skin(), list.skin() / 4.0);
        for (k, block) in self.blocks.iter_mut().enumerate() {
            if reads == 0 || block.gap.is_infinite() {
                continue;
            }
            let own = drifts.get(k).copied().unwrap_or_default();
            let reach = exchange.targets(k).iter().filter_map(|&target| drifts.get(target as usize));
            let closing = reach.map(|other| own.closing(other)).fold(own.closing(&own), larger);
            block.closed += closing;
            // Rounding in what is compared must not make a gap longer. What was not read here, or is no number, is not enough.
            let holds = reads == 1 && drifts.len() > k && block.closed <= block.gap * (1.0 - 1e-8);
            if !holds {
                *block = Watched { gap: (STEPS * closing).clamp(least, most), closed: 0.0, is_due: true };
                if !block.gap.is_finite() {
                    block.gap = most;
                }
            }
        }
    }

    /// What is known of each block.
    pub(crate) fn blocks(&mut self) -> &mut [Watched] {
        &mut self.blocks
    }
}

/// The larger one, or what is not a number.
fn larger(a: f64, b: f64) -> f64 {
    if a > b || a.is_nan() { a } else { b }
}

#[cfg(test)]
mod tests {
    use rrp_geom::glam::DVec3;
    use rrp_integrate::{ScalarColumn, VectorColumn};

    use super::*;
    use crate::neighbor::domain::Domain;
    use crate::neighbor::list_kind::ListKind;

    #[test]
    fn only_bodies_that_move_against_each_other_are_asked_again() {
        let radius: ScalarColumn = [0.5; 2].into_iter().collect();
        let mut position: VectorColumn = [DVec3::ZERO, DVec3::X * 1.02].into_iter().collect();
        let mut list = NeighborList::new(Domain::OPEN, 0.1).unwrap();
        list.track_block_motion();
        list.use_kind(ListKind::Half);
        assert!(list.update(&radius, &position).unwrap());
        let (mut exchange, mut watch) = (Exchange::default(), CloseWatch::default());
        exchange.follow(&list);
        watch.begin(&list, false);
        assert!(watch.gap(0).is_some_and(|gap| (gap - 0.1 / 256.0).abs() < 1e-15));
        assert!(watch.blocks()[0].due().is_none());
        let mut due = |ways: &[[f64; 2]]| {
            for way in ways {
                (0..2).for_each(|i| position.add(i, DVec3::X * way[i]));
                assert!(!list.update(&radius, &position).unwrap());
            }
            watch.follow(&list, &exchange);
            let is_due = watch.blocks()[0].due().is_some();
            // Whether one looks again or not.
            watch.follow(&list, &exchange);
            let block = &mut watch.blocks()[0];
            assert_eq!(block.due().is_some(), is_due);
            block.settle();
            is_due
        };
        // Together, further than the gap in each step; then apart, by less than it and by more.
        assert!(!due(&[[0.004; 2]]) && !due(&[[0.004; 2]]));
        assert!(!due(&[[0.0003, 0.0]]) && due(&[[0.0003, 0.0]]));
        // Nothing was read in between; what was read unseen is not known.
        assert!(!due(&[]) && !due(&[[1e-9, 0.0]]));
        assert!(due(&[[1e-9, 0.0], [1e-9, 0.0]]));
        for is_new in [true, false] {
            assert_eq!(watch.widen(), is_new);
            assert_eq!(watch.blocks()[0].due(), is_new.then_some(f64::INFINITY));
            watch.blocks()[0].settle();
        }
    }
}
