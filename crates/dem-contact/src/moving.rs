//! How bodies move, packed in the order of the list.

use rrp_integrate::{Bodies, State};

use crate::par::{BLOCK, PerBlock, all_blocks};

/// Velocity and the number of the body as a number, spin and reciprocal mass; one cache line, which is read for each contact.
///
/// In the places of numbers that are treated alike: of two bodies, velocities and numbers are subtracted, spins and reciprocal
/// masses added up.
#[derive(Debug, Clone, Copy, Default)]
#[repr(C, align(64))]
pub(crate) struct Moving {
    pub(crate) velocity: [f64; 4],
    pub(crate) spin: [f64; 4],
}

impl Moving {
    pub(crate) fn of(bodies: &Bodies, state: &State, i: u32) -> Self {
        let k = i as usize;
        let (v, w) = (state.velocity().get(k), state.spin(bodies, k));
        Self { velocity: [v.x, v.y, v.z, f64::from(i)], spin: [w.x, w.y, w.z, bodies.inverse_mass()[k]] }
    }
}

/// What rows are made of.
#[derive(Debug, Clone, Copy)]
struct Source<'a> {
    bodies: &'a Bodies,
    state: &'a State,
}

impl Source<'_> {
    /// Fills the rows of these bodies. They are anywhere in memory: it takes a loop without calls and branches to wait for many
    /// of them at the same time.
    fn read(self, rows: &mut [Moving], order: &[u32]) {
        let (inverse_mass, moment) = (self.bodies.inverse_mass(), self.bodies.inverse_inertia().spherical());
        let Some(moment) = moment else {
            rows.iter_mut().zip(order).for_each(|(row, &i)| *row = Moving::of(self.bodies, self.state, i));
            return;
        };
        match ((inverse_mass.uniform(), moment.uniform()), (inverse_mass.slice(), moment.slice())) {
            ((Some(mass), Some(moment)), _) => self.read_spheres(rows, order, |_| (mass, moment)),
            (_, (Some(masses), Some(moments))) => {
                let (masses, moments) = (&masses[..self.bodies.len()], &moments[..self.bodies.len()]);
                self.read_spheres(rows, order, |k| (masses[k], moments[k]));
            }
            _ => self.read_spheres(rows, order, |k| (inverse_mass[k], moment[k])),
        }
    }

    /// The same of spheres with these reciprocal masses and moments of inertia.
    #[inline(always)]
    fn read_spheres(self, rows: &mut [Moving], order: &[u32], constants: impl Fn(usize) -> (f64, f64)) {
        // Of one length, so that a number is compared with it once.
        let len = self.bodies.len();
        let [x, y, z] = self.state.velocity().slices().map(|component| &component[..len]);
        let [lx, ly, lz] = self.state.angular_momentum().slices().map(|component| &component[..len]);
        for (row, &i) in rows.iter_mut().zip(order) {
            let k = i as usize;
            let (mass, moment) = constants(k);
            let spin = [lx[k] * moment, ly[k] * moment, lz[k] * moment, mass];
            *row = Moving { velocity: [x[k], y[k], z[k], f64::from(i)], spin };
        }
    }
}

/// Rows of the blocks that are at work: no contact needs a block once all places up to its end are summed.
#[derive(Debug, Clone, Default)]
pub(crate) struct MovingWindow {
    /// A page for each block, in any order.
    rows: Vec<Moving>,
    /// The page of each block, or [`NONE`].
    page: Vec<u32>,
    /// By page: the block that is to be read into it, or [`NONE`].
    wanted: Vec<u32>,
    free: Vec<u32>,
}

const NONE: u32 = u32::MAX;

impl MovingWindow {
    /// Forgets all of `blocks` blocks.
    pub(crate) fn clear(&mut self, blocks: usize) {
        self.page.clear();
        self.page.resize(blocks, NONE);
        self.wanted.fill(NONE);
        self.free.clear();
        self.free.extend((0..self.wanted.len() as u32).rev());
    }

    /// Reads these blocks, unless they are there.
    pub(crate) fn read(
        &mut self,
        blocks: impl Iterator<Item = u32>,
        order: &[u32],
        (bodies, state): (&Bodies, &State),
    ) {
        let source = Source { bodies, state };
        let mut pages = self.wanted.len();
        for block in blocks {
            let page = &mut self.page[block as usize];
            if *page == NONE {
                *page = self.free.pop().unwrap_or_else(|| {
                    pages += 1;
                    self.wanted.push(NONE);
                    pages as u32 - 1
                });
                self.wanted[*page as usize] = block;
            }
        }
        let len = pages * BLOCK;
        self.rows.reserve_exact(len - self.rows.len());
        self.rows.resize(len, Moving::default());
        all_blocks(len, (&mut self.rows[..], PerBlock(&mut self.wanted)), &|_, _, (rows, wanted)| {
            let [wanted] = wanted.0 else { return true };
            if *wanted != NONE {
                source.read(rows, &order[*wanted as usize * BLOCK..]);
                *wanted = NONE;
            }
            true
        });
    }

    /// Gives the pages of these blocks to others.
    pub(crate) fn release(&mut self, blocks: std::ops::Range<usize>) {
        for page in &mut self.page[blocks] {
            if *page != NONE {
                self.free.push(*page);
                *page = NONE;
            }
        }
    }

    pub(crate) fn rows(&self) -> &[Moving] {
        &self.rows
    }

    /// The rows of a block, which must be there.
    #[inline(always)]
    pub(crate) fn of_block(&self, block: usize) -> &[Moving; BLOCK] {
        &self.rows.as_chunks().0[self.page[block] as usize]
    }

    /// Which row is that of a place, whose block must be there.
    #[inline(always)]
    pub(crate) fn row(&self, place: usize) -> u32 {
        self.page[place / BLOCK] * BLOCK as u32 + (place % BLOCK) as u32
    }
}
