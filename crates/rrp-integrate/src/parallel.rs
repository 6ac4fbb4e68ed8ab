//! Loops over all bodies, on all threads of the rayon pool: the only module that calls rayon.
//!
//! Columns are cut into leaves of [`LEAF`] bodies. The cuts do not depend on threads, and no leaf reads what another
//! writes, so the results have the same bits for any number of threads and without rayon. It knows no other module.

#[cfg(feature = "rayon")]
use std::sync::atomic::{AtomicBool, Ordering};

/// Bodies in one leaf: small enough for a core's cache.
pub(crate) const LEAF: usize = 512;

/// Numbers of a column in one cache line. Two tasks do not write to the same line if columns begin with a line.
#[cfg(feature = "rayon")]
const LINE: usize = 8;

/// Bodies in one task at most. Small systems have one task for each of two threads, so that the same thread works on
/// the same bodies in one loop after the other: to fetch data from another core takes longer than to compute.
#[cfg(feature = "rayon")]
const TASK: usize = 4 * LEAF;

/// Least number of bodies for which threads pay if the caller is a thread of the pool.
#[cfg(feature = "rayon")]
const PARALLEL: usize = 4 * LEAF;

/// The same for a caller outside the pool, which hands each loop over to it and waits.
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

/// Part of a column. If all bodies have the same number, copies for one leaf are stored at most.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Piece<'a> {
    pub(crate) values: &'a [f64],
    pub(crate) bodies: usize,
    pub(crate) repeated: bool,
}

impl<'a> Piece<'a> {
    /// The values of the bodies of a leaf.
    #[inline]
    pub(crate) fn leaf(self) -> &'a [f64] {
        &self.values[..self.bodies]
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

/// Columns that exist for all bodies or not at all. They must not be the first of a group.
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

/// Implements [`Split`] for a struct of columns. The first field counts the bodies.
macro_rules! split_fields {
    ($name:ident { $first:ident $(, $field:ident)* }) => {
        impl $crate::parallel::Split for $name<'_> {
            fn bodies(&self) -> usize {
                self.$first.bodies()
            }

            fn cut(self, mid: usize) -> (Self, Self) {
                let $first = self.$first.cut(mid);
                $(let $field = self.$field.cut(mid);)*
                (Self { $first: $first.0 $(, $field: $field.0)* }, Self { $first: $first.1 $(, $field: $field.1)* })
            }
        }
    };
}
pub(crate) use split_fields;

/// Runs `leaf` on consecutive pieces of at most [`LEAF`] bodies; true if it was true for all of them.
pub(crate) fn all_leaves<T: Split>(columns: T, leaf: &(impl Fn(T) -> bool + Sync)) -> bool {
    // As a trait object, so that the recursion is compiled once for each type of columns, not for each closure.
    let leaf: &(dyn Fn(T) -> bool + Sync) = leaf;
    #[cfg(feature = "rayon")]
    if is_parallel(columns.bodies()) {
        let (bodies, threads) = (columns.bodies(), rayon::current_num_threads());
        let task = bodies.div_ceil(threads).next_multiple_of(LEAF).min(TASK);
        return fork(columns, &Tasks { bodies: task, one_each: bodies <= task * threads }, leaf);
    }
    sequence(columns, leaf)
}

/// Whether there are threads, and enough bodies for them.
#[cfg(feature = "rayon")]
fn is_parallel(bodies: usize) -> bool {
    let least = if rayon::current_thread_index().is_some() { PARALLEL } else { HANDED_OVER };
    bodies >= least && rayon::current_num_threads() > 1
}

fn sequence<T: Split>(mut columns: T, leaf: &(dyn Fn(T) -> bool + Sync)) -> bool {
    let mut all = true;
    while columns.bodies() > LEAF {
        let (first, rest) = columns.cut(LEAF);
        all &= leaf(first);
        columns = rest;
    }
    all & leaf(columns)
}

/// How bodies are divided among threads.
#[cfg(feature = "rayon")]
struct Tasks {
    /// Bodies in a task at most.
    bodies: usize,
    /// Whether there are no more tasks than threads.
    one_each: bool,
}

#[cfg(feature = "rayon")]
fn fork<T: Split>(columns: T, tasks: &Tasks, leaf: &(dyn Fn(T) -> bool + Sync)) -> bool {
    let bodies = columns.bodies();
    if bodies <= tasks.bodies {
        return sequence(columns, leaf);
    }
    let (lower, upper) = columns.cut((bodies / 2).next_multiple_of(LINE));
    let [lower, upper] = [lower, upper].map(|columns| || fork(columns, tasks, leaf));
    let (lower, upper) = if tasks.one_each { join(lower, upper) } else { rayon::join(lower, upper) };
    lower & upper
}

/// How often the caller of [`join`] checks whether the other task is done, before it looks for other work.
#[cfg(feature = "rayon")]
const SPIN_LIMIT: usize = 1000;

/// As `rayon::join`. A caller that is done first waits some tens of microseconds for the other task, which takes less
/// time than to look for other work and to yield the processor. For loops with no more tasks than threads: they have no
/// other work.
#[cfg(feature = "rayon")]
fn join<A: Send, B: Send>(own: impl FnOnce() -> A + Send, other: impl FnOnce() -> B + Send) -> (A, B) {
    let is_running = AtomicBool::new(false);
    rayon::join(
        || {
            let outcome = own();
            let spins = (0..SPIN_LIMIT).take_while(|_| is_running.load(Ordering::Relaxed));
            spins.for_each(|_| std::hint::spin_loop());
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
