//! The only door to rayon: what is done to each body is the same with any number of threads, and without.

use std::ops::Range;
#[cfg(feature = "rayon")]
use std::sync::atomic::{AtomicBool, Ordering};

/// Bodies in one leaf: small enough for a core's cache.
pub(crate) const LEAF: usize = 512;

/// Numbers of a column that are in one line of the cache, which two tasks do not both write to if columns begin with one.
#[cfg(feature = "rayon")]
const LINE: usize = 8;

/// Bodies in one task at most. Small systems have one task for each of two threads, so that what is done to the same bodies in one
/// loop after the other is done by the same thread: what another core has takes longer to come than to compute.
#[cfg(feature = "rayon")]
const TASK: usize = 4 * LEAF;

/// Below this many bodies threads cost more than they bring to a caller that is one of them.
#[cfg(feature = "rayon")]
const PARALLEL: usize = 4 * LEAF;

/// The same for a caller outside the pool, who hands each loop over to it and waits.
#[cfg(feature = "rayon")]
const HANDED_OVER: usize = 32 * LEAF;

/// Columns that can be cut at a body.
pub(crate) trait Split: Sized + Send {
    /// Number of bodies.
    fn bodies(&self) -> usize;

    /// The first `mid` bodies and the others.
    fn cut(self, mid: usize) -> (Self, Self);
}

impl Split for &[f64] {
    fn bodies(&self) -> usize {
        self.len()
    }

    fn cut(self, mid: usize) -> (Self, Self) {
        self.split_at(mid)
    }
}

impl Split for &mut [f64] {
    fn bodies(&self) -> usize {
        self.len()
    }

    fn cut(self, mid: usize) -> (Self, Self) {
        self.split_at_mut(mid)
    }
}

/// The numbers of bodies.
impl Split for Range<usize> {
    fn bodies(&self) -> usize {
        self.len()
    }

    fn cut(self, mid: usize) -> (Self, Self) {
        (self.start..self.start + mid, self.start + mid..self.end)
    }
}

/// So many copies are kept of a number that all bodies have: a leaf of few bodies need not write them.
pub(crate) const COPIES: usize = 32;

/// A column that may be the same for all bodies, of which then some [`COPIES`] are kept at most.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Piece<'a> {
    pub(crate) values: &'a [f64],
    pub(crate) bodies: usize,
    pub(crate) repeated: bool,
}

impl<'a> Piece<'a> {
    /// The values of the bodies of a leaf; copies of one are written to `room` if fewer are kept.
    #[inline]
    pub(crate) fn leaf<'room>(self, room: &'room mut Option<[f64; LEAF]>) -> &'room [f64]
    where
        'a: 'room,
    {
        match self.values.get(..self.bodies) {
            Some(values) => values,
            None => &room.insert([self.values[0]; LEAF])[..self.bodies],
        }
    }

    /// The value of body `i` of a leaf.
    #[inline]
    pub(crate) fn get(self, i: usize) -> f64 {
        self.values[if self.repeated { 0 } else { i }]
    }
}

impl Split for Piece<'_> {
    fn bodies(&self) -> usize {
        self.bodies
    }

    fn cut(self, mid: usize) -> (Self, Self) {
        let Self { values, bodies, repeated } = self;
        let (lower, upper) = if repeated { (values, values) } else { values.split_at(mid) };
        (Self { values: lower, bodies: mid, repeated }, Self { values: upper, bodies: bodies - mid, repeated })
    }
}

/// Columns that are there for all bodies or for none; never the first of a group.
impl<T: Split> Split for Option<T> {
    fn bodies(&self) -> usize {
        self.as_ref().map_or(0, T::bodies)
    }

    fn cut(self, mid: usize) -> (Self, Self) {
        self.map(|columns| columns.cut(mid)).unzip()
    }
}

impl<T: Split, const N: usize> Split for [T; N] {
    fn bodies(&self) -> usize {
        self.first().map_or(0, T::bodies)
    }

    fn cut(self, mid: usize) -> (Self, Self) {
        let mut upper: [Option<T>; N] = [const { None }; N];
        let mut slots = upper.iter_mut();
        let lower = self.map(|column| {
            let (lower, rest) = column.cut(mid);
            if let Some(slot) = slots.next() {
                *slot = Some(rest);
            }
            lower
        });
        (lower, upper.map(|rest| rest.expect("one slot was filled per column")))
    }
}

macro_rules! split_tuple {
    ($($name:ident),+) => {
        impl<$($name: Split),+> Split for ($($name,)+) {
            fn bodies(&self) -> usize {
                self.0.bodies()
            }

            #[allow(non_snake_case, reason = "the columns are named after their types")]
            fn cut(self, mid: usize) -> (Self, Self) {
                let ($($name,)+) = self;
                $(let $name = $name.cut(mid);)+
                (($($name.0,)+), ($($name.1,)+))
            }
        }
    };
}
split_tuple!(A, B);
split_tuple!(A, B, C);
split_tuple!(A, B, C, D);
split_tuple!(A, B, C, D, E);
split_tuple!(A, B, C, D, E, F);

/// Runs `leaf` on consecutive pieces of at most [`LEAF`] bodies; true if it was true for all of them.
pub(crate) fn all_leaves<T: Split>(columns: T, leaf: &(impl Fn(T) -> bool + Sync)) -> bool {
    #[cfg(feature = "rayon")]
    if is_parallel(columns.bodies()) {
        let task = columns.bodies().div_ceil(rayon::current_num_threads()).next_multiple_of(LEAF).min(TASK);
        let few = columns.bodies() <= task * rayon::current_num_threads();
        return fork(columns, (task, few), leaf);
    }
    sequence(columns, leaf)
}

/// Whether there are threads, and enough bodies for them.
#[cfg(feature = "rayon")]
fn is_parallel(bodies: usize) -> bool {
    let least = if rayon::current_thread_index().is_some() { PARALLEL } else { HANDED_OVER };
    bodies >= least && rayon::current_num_threads() > 1
}

fn sequence<T: Split>(mut columns: T, leaf: &impl Fn(T) -> bool) -> bool {
    let mut all = true;
    while columns.bodies() > LEAF {
        let (first, rest) = columns.cut(LEAF);
        all &= leaf(first);
        columns = rest;
    }
    all & leaf(columns)
}

#[cfg(feature = "rayon")]
fn fork<T: Split>(columns: T, (task, few): (usize, bool), leaf: &(impl Fn(T) -> bool + Sync)) -> bool {
    let bodies = columns.bodies();
    let half = (bodies / 2).next_multiple_of(LINE);
    if bodies <= task {
        return sequence(columns, leaf);
    }
    let (lower, upper) = columns.cut(half);
    let [lower, upper] = [lower, upper].map(|columns| || fork(columns, (task, few), leaf));
    let (lower, upper) = if few { join(lower, upper) } else { rayon::join(lower, upper) };
    lower & upper
}

/// How often a caller of [`join`] looks.
#[cfg(feature = "rayon")]
const LOOKS: usize = 1000;

/// As `rayon::join`; but if the caller is done first, it looks for some tens of microseconds at most whether the other one is too, which takes less
/// time than to look for other work and to give the processor up in between. For loops with no more tasks than threads: there is no other work. It
/// has a twin in `dem-contact`.
#[cfg(feature = "rayon")]
fn join<A: Send, B: Send>(own: impl FnOnce() -> A + Send, other: impl FnOnce() -> B + Send) -> (A, B) {
    let is_running = AtomicBool::new(false);
    rayon::join(
        || {
            let outcome = own();
            let looks = (0..LOOKS).take_while(|_| is_running.load(Ordering::Relaxed));
            looks.for_each(|_| std::hint::spin_loop());
            outcome
        },
        || {
            is_running.store(true, Ordering::Relaxed);
            let outcome = other();
            is_running.store(false, Ordering::Relaxed);
            outcome
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_body_is_visited_once_whatever_the_length() {
        for bodies in [0, 1, LEAF - 1, LEAF, LEAF + 1, 9 * LEAF + 7, 40 * LEAF + 1] {
            let input: Vec<f64> = (0..bodies).map(|i| i as f64).collect();
            let mut column: Vec<f64> = vec![0.0; bodies];
            let all = all_leaves((&input[..], [&mut column[..]]), &|(input, [output])| {
                assert!(input.len() <= LEAF && input.len() == output.len());
                output.iter_mut().zip(input).for_each(|(o, i)| *o += i + 1.0);
                true
            });
            assert!(all && column.iter().zip(&input).all(|(o, i)| (o - i - 1.0).abs() < 0.5));
        }
    }

    #[test]
    fn one_failing_leaf_is_reported() {
        let input: Vec<f64> = (0..40 * LEAF).map(|i| i as f64).collect();
        assert!(!all_leaves(&input[..], &|piece| !piece.contains(&(15.0 * LEAF as f64))));
        assert!(all_leaves(&input[..], &|piece| !piece.contains(&-1.0)));
    }
}
