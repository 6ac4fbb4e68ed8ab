//! Reading the present centres in list order, and whether the list holds for them.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use pulp::{Arch, Simd, WithSimd};
use rrp_integrate::{ScalarColumn, VectorColumn};

use crate::force::old::prefetch::fetch_ahead;
use crate::neighbor::block_motion::BlockMotion;
use crate::neighbor::gather_order::GatherOrder;
use crate::neighbor::minimum_image::{MinimumImage, SET};
use crate::neighbor::{NeighborList, RebuildCriterion, Standing};
use crate::parallel::fork_join::{PerBlock, all_light_blocks, is_parallel};

/// So many rows stay in the cache while forces are summed.
const FEW: usize = 8192;

/// What is done at some places, given all packed centres, of which those that their rows refer to are present.
type Work<'a> = dyn FnMut(&NeighborList, &[[f64; 4]], Range<usize>) + 'a;

/// What centres are read from.
struct Reader<'a> {
    near: MinimumImage,
    radius: &'a ScalarColumn,
    /// The radius of all, if it is the same.
    equal: Option<f64>,
    position: [&'a [f64]; 3],
}

/// The square of the furthest way of a centre that was read.
///
/// Numbers that are not negative are ordered as their bits are, and a maximum does not depend on the order.
struct Furthest {
    square: AtomicU64,
}

impl Furthest {
    fn new() -> Self {
        Self { square: AtomicU64::new(0) }
    }

    fn record(&self, ways: &Ways) {
        let square = if ways.same { ways.far } else { f64::INFINITY };
        self.square.fetch_max(square.to_bits(), Ordering::Relaxed);
    }

    /// In m; infinity if a radius has changed or something is not a number.
    fn distance(self) -> f64 {
        f64::from_bits(self.square.into_inner()).sqrt()
    }
}

impl NeighborList {
    /// Reads the present centres; true if the list holds for them.
    ///
    /// Where a centre was when the list was made is looked up only when the steps since may add up to too much.
    pub(super) fn gather(&mut self, radius: &ScalarColumn, position: &VectorColumn) -> bool {
        if self.standing != Standing::Accepted {
            return false;
        }
        let (mut packed, mut drifts) = (std::mem::take(&mut self.packed), std::mem::take(&mut self.drifts));
        drifts.resize(if self.with_drifts { self.blocks().count() } else { 0 }, BlockMotion::default());
        let way = self.read(radius, position, (&mut packed, &mut drifts), |row, _| [row[0], row[1], row[2]]);
        (self.packed, self.drifts) = (packed, drifts);
        self.went(way, radius, position)
    }

    /// The same, and `work` at one place after the other while the centres that rows refer to are in the cache: what it makes
    /// of them is to be thrown away if the list turns out not to hold. Where all centres stay in the cache, or there are threads,
    /// they are read in one pass.
    pub(crate) fn gather_while(&mut self, radius: &ScalarColumn, position: &VectorColumn, work: &mut Work<'_>) -> bool {
        // Next to rows of a state that was given up no one knows which image is meant.
        let known = self.standing == Standing::Accepted && self.validity.covers(self.moved);
        if !known || self.with_drifts || self.len() <= FEW || is_parallel(self.len()) {
            return self.gather(radius, position) && {
                work(self, &self.packed, 0..self.len());
                true
            };
        }
        let mut packed = std::mem::take(&mut self.packed);
        let (reader, furthest) = (self.reader(radius, position), Furthest::new());
        let reading_order = self.reading_order.get_or_init(|| GatherOrder::new(self));
        let (mut read, cut) = (0, self.blocks());
        for own in 0..self.blocks.len() {
            let ahead = reading_order.ahead(own, read);
            for &block in ahead {
                let places = cut.range(block as usize);
                let (rows, order) = (&mut packed[places.clone()], &self.order[places]);
                furthest.record(&reader.read::<false>(order, rows, [0.0; 3], |row, _| [row[0], row[1], row[2]]));
            }
            read += ahead.len();
            work(self, &packed, cut.range(own));
        }
        self.packed = packed;
        self.went(furthest.distance(), radius, position)
    }

    /// Whether the list holds after the furthest centre went this way, in m, since centres were read before.
    fn went(&mut self, way: f64, radius: &ScalarColumn, position: &VectorColumn) -> bool {
        self.reads += 1;
        self.moved += way;
        self.travelled += way;
        if self.validity.covers(self.moved) || self.looks_valid() {
            return true;
        }
        // After a state that could not be, packed centres may be any images; these are the nearest to the reference.
        let mut packed = std::mem::take(&mut self.packed);
        self.moved = self.read(radius, position, (&mut packed, &mut []), |_, i| self.reference[i]);
        self.packed = packed;
        self.validity = RebuildCriterion::of_new(self.skin);
        self.validity.covers(self.moved) || self.looks_valid()
    }

    fn reader<'a>(&self, radius: &'a ScalarColumn, position: &'a VectorColumn) -> Reader<'a> {
        Reader { near: self.near(), radius, equal: radius.uniform(), position: position.slices() }
    }

    /// Writes the image of each present centre that is nearest to `from`, given its row and body; returns how far the
    /// furthest is, infinity if a radius has changed or something is not a number. Drifts are asked for if there is room.
    fn read(
        &self,
        radius: &ScalarColumn,
        position: &VectorColumn,
        (packed, drifts): (&mut [[f64; 4]], &mut [BlockMotion]),
        from: impl Fn(&[f64; 4], usize) -> [f64; 3] + Sync,
    ) -> f64 {
        let (reader, furthest) = (self.reader(radius, position), Furthest::new());
        all_light_blocks(radius.len(), (packed, PerBlock(drifts)), &|first, count, (packed, drifts)| {
            let order = &self.order[first..first + count];
            let [drift] = drifts.0 else {
                furthest.record(&reader.read::<false>(order, packed, [0.0; 3], &from));
                return true;
            };
            let common = reader.common(order, packed, &from);
            let ways = reader.read::<true>(order, packed, common, &from);
            *drift = BlockMotion { common, apart: ways.apart.sqrt() };
            furthest.record(&ways);
            true
        });
        furthest.distance()
    }
}

impl Reader<'_> {
    /// How far some centres of a block go on average.
    fn common(&self, order: &[u32], rows: &[[f64; 4]], from: impl Fn(&[f64; 4], usize) -> [f64; 3]) -> [f64; 3] {
        let ([x, y, z], mut common) = (self.position, [0.0; 3]);
        let every = order.len().div_ceil(BlockMotion::SAMPLE).max(1);
        let share = (order.len().div_ceil(every) as f64).recip();
        for (row, &i) in rows.iter().zip(order).step_by(every) {
            let (from, i) = (from(row, i as usize), i as usize);
            let (now, _) = self.near.wrap([x[i], y[i], z[i]], from);
            (0..3).for_each(|c| common[c] += share * (now[c] - from[c]));
        }
        common
    }

    /// Writes the images to the rows of one block. `APART` says that what they go beside `common` is asked for.
    fn read<const APART: bool>(
        &self,
        order: &[u32],
        rows: &mut [[f64; 4]],
        common: [f64; 3],
        from: impl Fn(&[f64; 4], usize) -> [f64; 3],
    ) -> Ways {
        Arch::new().dispatch(Pass::<_, APART> { reader: self, order, rows, common, from })
    }
}

/// How the centres of one block went.
struct Ways {
    /// Whether all radii are what they were, all ways are numbers and all images can be counted.
    same: bool,
    /// The square of the furthest way, or of one that is longer, and that of the furthest beside what all have in common.
    far: f64,
    apart: f64,
}

struct Pass<'a, F, const APART: bool> {
    reader: &'a Reader<'a>,
    order: &'a [u32],
    rows: &'a mut [[f64; 4]],
    common: [f64; 3],
    from: F,
}

impl<F: Fn(&[f64; 4], usize) -> [f64; 3], const APART: bool> WithSimd for Pass<'_, F, APART> {
    type Output = Ways;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> Ways {
        let Self { reader: Reader { near, radius, equal, position }, order, rows, common, from } = self;
        // Of one length, so that a number is compared with it once.
        let [x, y, z] = position.map(|component| &component[..radius.len()]);
        let (mut ways, mut countable) = (Ways { same: true, far: 0.0, apart: 0.0 }, SET);
        let common = [common[0], common[1], common[2], 0.0];
        for (at, (row, &i)) in rows.iter_mut().zip(order).enumerate() {
            fetch_ahead(order, at, [x, y, z]);
            let i = i as usize;
            let [fx, fy, fz] = from(row, i);
            let (now, way) = near.wrap_row([x[i], y[i], z[i], row[3]], [fx, fy, fz, row[3]], &mut countable);
            let way: [f64; 4] = if APART { std::array::from_fn(|c| way[c] - common[c]) } else { way };
            let square = way[0] * way[0] + way[1] * way[1] + way[2] * way[2];
            let furthest = if APART { &mut ways.apart } else { &mut ways.far };
            *furthest = if square > *furthest { square } else { *furthest };
            let radius = equal.unwrap_or_else(|| radius[i]);
            ways.same &= (row[3].to_bits() == radius.to_bits()) & !square.is_nan();
            *row = [now[0], now[1], now[2], row[3]];
        }
        if APART {
            // At most; rounding must not make it less.
            let together = (common[0] * common[0] + common[1] * common[1] + common[2] * common[2]).sqrt();
            ways.far = (together + ways.apart.sqrt()).powi(2) * (1.0 + 1e-12);
        }
        ways.same &= countable == SET;
        ways
    }
}
