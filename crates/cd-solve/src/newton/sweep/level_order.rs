use std::ops::Range;

use rrp_parallel::Parts;

use crate::problem::rows::{FIXED, Rows};

/// Fewest bodies in one subdomain, which one thread sweeps. The number of subdomains depends only on the number of
/// bodies, so results do not depend on threads.
const SUBDOMAIN_SIZE: usize = 2048;

/// Least thickness of a subdomain, in bodies: thinner ones transmit loads along the packing too slowly.
const THICKNESS: f64 = 6.0;

/// Marker of a body that the walk has not reached.
const NONE: u32 = u32::MAX;

/// Bodies by their distance, in contacts, from fixed ones, cut across these levels into subdomains of two colours.
/// Loads run from level to level, so sweeps in this order carry them from one end of a packing to the other, in every
/// subdomain. Subdomains are cut by the distance from a body at the rim, so that subdomains of one colour hardly touch.
/// A slot is the place of a body in this order; the first colour has the first slots.
#[derive(Debug, Clone, Default)]
pub(super) struct LevelOrder {
    /// Number of the body at each slot, a place in the order of the sweep, and the slot of each body.
    pub(crate) order: Vec<u32>,
    pub(super) slot: Vec<u32>,
    /// Bodies by distance from the fixed bodies, and by distance from a body at the rim.
    levels: Vec<u32>,
    across: Vec<u32>,
    /// Next free slot (place in the order) of each subdomain while bodies are put in order.
    next: Vec<usize>,
    subdomain_size: usize,
}

impl LevelOrder {
    /// Number of subdomains into which `bodies` bodies are cut for sweeps by several threads: even, or one.
    pub(super) fn subdomains_for(bodies: usize) -> usize {
        if bodies < 2 * SUBDOMAIN_SIZE {
            return 1;
        }
        let thick_enough = ((bodies as f64).cbrt() / THICKNESS) as usize;
        ((bodies / SUBDOMAIN_SIZE).min(thick_enough) / 2 * 2).max(2)
    }

    /// Orders the bodies for sweeps over the contacts of `rows`, in `subdomains` subdomains of equal size, except the
    /// last.
    pub(super) fn lay_out<const D: usize, const K: usize>(&mut self, rows: &Rows<D, K>, subdomains: usize) {
        let Self { order, slot, levels, across, next, subdomain_size } = self;
        let bodies = rows.bodies();
        let held =
            |body: usize| rows.of_body(body).any(|(contact, side)| rows.contacts[contact].body[1 - side] == FIXED);
        breadth_first(rows, (0..bodies).filter(|&body| held(body)), slot, levels);
        order.clear();
        *subdomain_size = bodies.div_ceil(subdomains).max(1);
        if subdomains < 2 {
            order.extend(&*levels);
        } else {
            breadth_first(rows, levels.first().map(|&body| body as usize), slot, across);
            let rim = across.iter().rev().map(|&body| body as usize).find(|&body| held(body));
            breadth_first(rows, rim.or(across.last().map(|&body| body as usize)), slot, across);
            for (at, &body) in across.iter().enumerate() {
                let number = at / *subdomain_size;
                slot[body as usize] = (number / 2 + number % 2 * (subdomains / 2)) as u32;
            }
            next.clear();
            next.extend((0..subdomains).map(|number| number * *subdomain_size));
            order.resize(bodies, 0);
            for &body in &*levels {
                let free = &mut next[slot[body as usize] as usize];
                order[*free] = body;
                *free += 1;
            }
        }
        slot.resize(bodies, 0);
        for (at, &body) in order.iter().enumerate() {
            slot[body as usize] = at as u32;
        }
    }

    /// Number of bodies in one subdomain; the last one may have fewer.
    pub(super) fn subdomain_size(&self) -> usize {
        self.subdomain_size
    }

    pub(super) fn slots(&self, number: usize) -> Range<usize> {
        let first = number * self.subdomain_size;
        first..(first + self.subdomain_size).min(self.order.len())
    }

    pub(super) fn subdomains(&self) -> usize {
        self.order.len().div_ceil(self.subdomain_size.max(1))
    }

    /// For each colour, the ranges of slots (places in the order) of its subdomains, which threads can sweep at the
    /// same time.
    pub(super) fn colours(&self) -> [Parts<'static>; 2] {
        let first = self.first_colour();
        [first, self.order.len() - first].map(|slots| Parts::of_size(slots, self.subdomain_size))
    }

    /// Number of slots (places of bodies in the order) of the first colour; the other slots are of the second.
    pub(super) fn first_colour(&self) -> usize {
        let subdomains = self.subdomains();
        if subdomains < 2 { self.order.len() } else { subdomains / 2 * self.subdomain_size }
    }
}

/// Writes all bodies to `queue`, breadth first from `seeds`, then from bodies that were not reached.
fn breadth_first<const D: usize, const K: usize>(
    rows: &Rows<D, K>,
    seeds: impl IntoIterator<Item = usize>,
    seen: &mut Vec<u32>,
    queue: &mut Vec<u32>,
) {
    seen.clear();
    seen.resize(rows.bodies(), NONE);
    queue.clear();
    for body in seeds {
        seen[body] = 0;
        queue.push(body as u32);
    }
    let mut head = 0;
    for start in 0..=rows.bodies() {
        while let Some(&body) = queue.get(head) {
            head += 1;
            for (contact, side) in rows.of_body(body as usize) {
                let other = rows.contacts[contact].body[1 - side];
                if other != FIXED && seen[other as usize] == NONE {
                    seen[other as usize] = 0;
                    queue.push(other);
                }
            }
        }
        if seen.get(start) == Some(&NONE) {
            seen[start] = 0;
            queue.push(start as u32);
        }
    }
}
