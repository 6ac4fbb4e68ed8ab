//! The spheres of one size class in one tile, cut into strips.

use std::ops::Range;

use crate::neighbor::tiles::bounds::Bounds;
use crate::neighbor::tiles::boxes::BoxGroups;

/// Spheres of one class and tile that follow each other in one row of cells, or in a few rows with few spheres.
#[derive(Debug, Clone)]
pub(crate) struct Strip {
    pub(crate) places: Range<usize>,
    pub(crate) bounds: Bounds,
}

/// The spheres of one class in one tile.
#[derive(Debug, Clone)]
pub(crate) struct TileClass {
    pub(crate) class: usize,
    pub(crate) bounds: Bounds,
    pub(crate) strips: Vec<Strip>,
    /// The bounds of the strips.
    pub(crate) boxes: BoxGroups,
}

/// Fewest spheres of a strip that ends with a row of cells.
const FEW: usize = 4;

/// Most spheres of a strip.
const MOST: usize = 16;

impl TileClass {
    /// The spheres of one class with these centres and radii (m), which begin at place `first`. `row` tells, by index,
    /// rows of cells apart.
    pub(crate) fn of(class: usize, first: usize, spheres: &[[f64; 4]], row: impl Fn(usize) -> u128) -> Self {
        let mut all = Self {
            class,
            bounds: Bounds::EMPTY,
            strips: Vec::with_capacity(spheres.len() / FEW + 1),
            boxes: BoxGroups::default(),
        };
        let mut from = 0;
        for to in 1..=spheres.len() {
            let length = to - from;
            if to == spheres.len() || length >= MOST || length >= FEW && row(to) != row(to - 1) {
                let bounds = Bounds::of(&spheres[from..to]);
                all.bounds.join(&bounds);
                all.boxes.push(&bounds);
                all.strips.push(Strip { places: first + from..first + to, bounds });
                from = to;
            }
        }
        all
    }
}
