//! Reading present centres in slot order, and whether the list holds for them.
//!
//! A gather replaces each packed centre by the image of the present one that is nearest to it, and bounds how far the
//! furthest one moved. The sum of these bounds tells when displacements from the reference have to be inspected.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use pulp::{Arch, Simd, WithSimd};
use rrp_integrate::{ScalarColumn, VectorColumn};

use crate::force::old::prefetch::fetch_ahead;
use crate::neighbor::block_motion::BlockMotion;
use crate::neighbor::gather_order::GatherOrder;
use crate::neighbor::minimum_image::{MinimumImage, SET};
use crate::neighbor::rebuild_criterion::RebuildCriterion;
use crate::neighbor::{ListState, NeighborList};
use crate::parallel::fork_join::{PerBlock, all_light_blocks, is_parallel};

/// So many rows stay in the cache while forces are summed.
const FEW: usize = 8192;

/// Work on some slots, given all packed centres. The centres that the rows of these slots refer to are present ones.
type Work<'a> = dyn FnMut(&NeighborList, &[[f64; 4]], Range<usize>) + 'a;

/// Reads centres from the columns of a state.
struct Reader<'a> {
    minimum_image: MinimumImage,
    radius: &'a ScalarColumn,
    /// The radius of all bodies, if it is the same.
    uniform_radius: Option<f64>,
    position: [&'a [f64]; 3],
}

/// The largest square of a displacement in one gather.
///
/// The bits of numbers that are not negative are ordered as the numbers, and a maximum does not depend on the order of
/// threads.
struct LargestSquare {
    bits: AtomicU64,
}

impl LargestSquare {
    fn new() -> Self {
        Self { bits: AtomicU64::new(0) }
    }

    fn record(&self, moved: &Displacements) {
        let square = if moved.are_known { moved.largest_square } else { f64::INFINITY };
        self.bits.fetch_max(square.to_bits(), Ordering::Relaxed);
    }

    /// The largest displacement in m; infinite if a radius has changed or a number is not one.
    fn displacement(self) -> f64 {
        f64::from_bits(self.bits.into_inner()).sqrt()
    }
}

impl NeighborList {
    /// Reads the present centres (m); true if the list holds for them.
    pub(super) fn gather(&mut self, radius: &ScalarColumn, position: &VectorColumn) -> bool {
        if self.state != ListState::Accepted {
            return false;
        }
        let (mut packed, mut motions) = (std::mem::take(&mut self.packed), std::mem::take(&mut self.block_motions));
        motions.resize(if self.tracks_block_motion { self.blocks().count() } else { 0 }, BlockMotion::default());
        let reader = self.reader(radius, position);
        let moved = self.read_all(&reader, &mut packed, &mut motions, |row, _| [row[0], row[1], row[2]]);
        (self.packed, self.block_motions) = (packed, motions);
        self.holds_after(moved, radius, position)
    }

    /// [`gather`](Self::gather), with `work` on one block of slots after the other while the centres it needs are in
    /// the cache. If the list turns out not to hold, drop the results of `work`.
    ///
    /// With few bodies or several threads all centres are read first.
    pub(crate) fn gather_while(&mut self, radius: &ScalarColumn, position: &VectorColumn, work: &mut Work<'_>) -> bool {
        // Packed centres of a state that was given up may be any images.
        let are_known = self.state == ListState::Accepted && self.criterion.covers(self.displacement);
        if !are_known || self.tracks_block_motion || self.len() <= FEW || is_parallel(self.len()) {
            return self.gather(radius, position) && {
                work(self, &self.packed, 0..self.len());
                true
            };
        }
        let mut packed = std::mem::take(&mut self.packed);
        let (reader, largest) = (self.reader(radius, position), LargestSquare::new());
        let gather_order = self.gather_order.get_or_init(|| GatherOrder::new(self.rows(), self.blocks()));
        let (mut read, cut) = (0, self.blocks());
        for own in 0..self.full_rows.len() {
            let ahead = gather_order.ahead(own, read);
            for &block in ahead {
                let slots = cut.range(block as usize);
                let (rows, order) = (&mut packed[slots.clone()], &self.order[slots]);
                largest.record(&reader.read::<false>(order, rows, [0.0; 3], |row, _| [row[0], row[1], row[2]]));
            }
            read += ahead.len();
            work(self, &packed, cut.range(own));
        }
        self.packed = packed;
        self.holds_after(largest.displacement(), radius, position)
    }

    /// Whether the list holds after the furthest centre moved by `moved` (m) since the gather before.
    fn holds_after(&mut self, moved: f64, radius: &ScalarColumn, position: &VectorColumn) -> bool {
        self.gathers += 1;
        self.displacement += moved;
        self.path_length += moved;
        if self.criterion.covers(self.displacement) || self.passes_inspection() {
            return true;
        }
        // After a state that was refused packed centres may be any images. Read those nearest to the reference.
        let mut packed = std::mem::take(&mut self.packed);
        let reader = self.reader(radius, position);
        self.displacement = self.read_all(&reader, &mut packed, &mut [], |_, body| self.reference[body]);
        self.packed = packed;
        self.criterion = RebuildCriterion::at_build(self.skin);
        self.criterion.covers(self.displacement) || self.passes_inspection()
    }

    fn reader<'a>(&self, radius: &'a ScalarColumn, position: &'a VectorColumn) -> Reader<'a> {
        Reader {
            minimum_image: self.minimum_image(),
            radius,
            uniform_radius: radius.uniform(),
            position: position.slices(),
        }
    }

    /// Writes to `packed` the image of each present centre that is nearest to `from`, given its row and body. Writes
    /// the motions of blocks if there is room for them.
    ///
    /// Returns the largest displacement from `from` in m; infinite if a radius has changed or a number is not one.
    fn read_all(
        &self,
        reader: &Reader<'_>,
        packed: &mut [[f64; 4]],
        motions: &mut [BlockMotion],
        from: impl Fn(&[f64; 4], usize) -> [f64; 3] + Sync,
    ) -> f64 {
        let largest = LargestSquare::new();
        all_light_blocks(reader.radius.len(), (packed, PerBlock(motions)), &|first, count, (packed, motions)| {
            let order = &self.order[first..first + count];
            let [motion] = motions.0 else {
                largest.record(&reader.read::<false>(order, packed, [0.0; 3], &from));
                return true;
            };
            let common = reader.common_displacement(order, packed, &from);
            let moved = reader.read::<true>(order, packed, common, &from);
            *motion = BlockMotion { common, apart: moved.largest_square_apart.sqrt() };
            largest.record(&moved);
            true
        });
        largest.displacement()
    }
}

impl Reader<'_> {
    /// Mean displacement in m of a sample of the centres of a block.
    fn common_displacement(
        &self,
        order: &[u32],
        rows: &[[f64; 4]],
        from: impl Fn(&[f64; 4], usize) -> [f64; 3],
    ) -> [f64; 3] {
        let ([x, y, z], mut common) = (self.position, [0.0; 3]);
        let every = order.len().div_ceil(BlockMotion::SAMPLE).max(1);
        let share = (order.len().div_ceil(every) as f64).recip();
        for (row, &i) in rows.iter().zip(order).step_by(every) {
            let (from, i) = (from(row, i as usize), i as usize);
            let (now, _) = self.minimum_image.wrap([x[i], y[i], z[i]], from);
            (0..3).for_each(|c| common[c] += share * (now[c] - from[c]));
        }
        common
    }

    /// Writes the images to the rows of one block. With `APART` it also measures displacements minus `common`.
    fn read<const APART: bool>(
        &self,
        order: &[u32],
        rows: &mut [[f64; 4]],
        common: [f64; 3],
        from: impl Fn(&[f64; 4], usize) -> [f64; 3],
    ) -> Displacements {
        Arch::new().dispatch(ReadBlock::<_, APART> { reader: self, order, rows, common, from })
    }
}

/// Displacements of the centres of one block.
struct Displacements {
    /// Whether all radii are as before, all displacements are numbers and all images can be counted.
    are_known: bool,
    /// Bound on the square of the largest displacement, in m².
    largest_square: f64,
    /// The same for displacements minus the common one.
    largest_square_apart: f64,
}

struct ReadBlock<'a, F, const APART: bool> {
    reader: &'a Reader<'a>,
    order: &'a [u32],
    rows: &'a mut [[f64; 4]],
    common: [f64; 3],
    from: F,
}

impl<F: Fn(&[f64; 4], usize) -> [f64; 3], const APART: bool> WithSimd for ReadBlock<'_, F, APART> {
    type Output = Displacements;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> Displacements {
        let Self { reader, order, rows, common, from } = self;
        let Reader { minimum_image, radius, uniform_radius, position } = reader;
        // Of one length, so that an index is checked once.
        let [x, y, z] = position.map(|component| &component[..radius.len()]);
        let (mut are_known, mut countable) = (true, SET);
        let (mut largest_square, mut largest_square_apart) = (0.0, 0.0);
        let common = [common[0], common[1], common[2], 0.0];
        for (at, (row, &i)) in rows.iter_mut().zip(order).enumerate() {
            fetch_ahead(order, at, [x, y, z]);
            let i = i as usize;
            let [fx, fy, fz] = from(row, i);
            let (now, moved) = minimum_image.wrap_row([x[i], y[i], z[i], row[3]], [fx, fy, fz, row[3]], &mut countable);
            let moved: [f64; 4] = if APART { std::array::from_fn(|c| moved[c] - common[c]) } else { moved };
            let square = moved[0] * moved[0] + moved[1] * moved[1] + moved[2] * moved[2];
            let largest = if APART { &mut largest_square_apart } else { &mut largest_square };
            *largest = if square > *largest { square } else { *largest };
            let radius = uniform_radius.unwrap_or_else(|| radius[i]);
            are_known &= (row[3].to_bits() == radius.to_bits()) & !square.is_nan();
            *row = [now[0], now[1], now[2], row[3]];
        }
        if APART {
            // An upper bound; rounding must not make it smaller.
            let together = (common[0] * common[0] + common[1] * common[1] + common[2] * common[2]).sqrt();
            largest_square = (together + f64::sqrt(largest_square_apart)).powi(2) * (1.0 + 1e-12);
        }
        are_known &= countable == SET;
        Displacements { are_known, largest_square, largest_square_apart }
    }
}
