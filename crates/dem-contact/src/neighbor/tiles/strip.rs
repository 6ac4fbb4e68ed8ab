//! Strips: short runs of spheres that follow each other in space, the units of the search for pairs.

use std::ops::Range;

use crate::neighbor::tiles::bounds::Bounds;
use crate::neighbor::tiles::order::TileKey;

/// Run of spheres of one size class in a tile, from one row of grid cells or from a few sparse rows.
#[derive(Debug, Clone)]
pub(super) struct Strip {
    pub(super) class: usize,
    pub(super) places: Range<usize>,
    /// Box around the spheres of the strip whose radius is not zero.
    pub(super) bounds: Bounds,
}

/// Smallest number of spheres of a strip that ends with its row of grid cells; a shorter strip goes on in the next row.
const FEW: usize = 4;

const MOST: usize = 16;

/// Cuts the sorted spheres of a tile into strips. Their places begin at `first`; `rows` has centres and radii (m) by
/// sphere number.
pub(super) fn strips(keys: &[TileKey], first: usize, rows: &[[f64; 4]]) -> Vec<Strip> {
    let mut strips = Vec::with_capacity(keys.len() / FEW + 1);
    let mut from = 0;
    for to in 1..=keys.len() {
        let length = to - from;
        let last = &keys[to - 1];
        let is_end = keys.get(to).is_none_or(|next| {
            length >= MOST || next.class() != last.class() || length >= FEW && next.row() != last.row()
        });
        if is_end {
            let spheres = keys[from..to].iter().map(|key| rows[key.number as usize]);
            let bounds = Bounds::of(spheres.filter(|sphere| sphere[3] > 0.0));
            strips.push(Strip { class: last.class(), places: first + from..first + to, bounds });
            from = to;
        }
    }
    strips
}
