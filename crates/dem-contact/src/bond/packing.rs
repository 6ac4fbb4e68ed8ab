//! Search for the pairs of a packing that are close enough to be bonded.

use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, State};

use crate::error::DemError;
use crate::error::list::ListError;
use crate::error::parameter::not_negative;
use crate::neighbor::NeighborList;
use crate::neighbor::domain::Domain;
use crate::util::length::check_length;

/// Returns all pairs of bodies whose surfaces are at most `gap` (m) apart, lower number first, in lexicographic order.
///
/// Memory is proportional to the number of bodies. Time is too if radii differ by a factor of a few and no body is far
/// away from all others. Periodic images are not searched; see [`bonded_pairs_in`].
///
/// # Errors
/// [`DemError::InvalidParameter`] for a gap that is negative or not finite; [`DemError::LengthMismatch`];
/// [`ListError::PositionNotFinite`].
pub fn bonded_pairs(bodies: &Bodies, state: &State, gap: f64) -> Result<Vec<[usize; 2]>, DemError> {
    not_negative("the gap", gap)?;
    let len = bodies.len();
    check_length("state", len, state.len())?;
    let position: Vec<DVec3> = state.position().iter().collect();
    if let Some(body) = position.iter().position(|x| !x.is_finite()) {
        return Err(DemError::List(ListError::PositionNotFinite { body, position: position[body] }));
    }
    let radius = bodies.radius();
    let cutoff = 2.0 * radius.iter().copied().fold(0.0, f64::max) + gap;
    let grid = Grid::new(&position, cutoff);
    let mut pairs = Vec::new();
    for i in 0..len {
        let start = pairs.len();
        grid.near(position[i], |j| {
            if j > i && (position[i] - position[j]).length() <= radius[i] + radius[j] + gap {
                pairs.push([i, j]);
            }
        });
        pairs[start..].sort_unstable();
    }
    Ok(pairs)
}

/// Finds pairs as [`bonded_pairs`] does, between nearest images of bodies in a domain with periodic sides.
///
/// # Errors
/// Errors of [`bonded_pairs`], and errors of a [`NeighborList`] with pairs up to this gap, such as
/// [`ListError::CutoffTooLarge`] for a domain narrower than two cutoffs.
pub fn bonded_pairs_in(bodies: &Bodies, state: &State, domain: &Domain, gap: f64) -> Result<Vec<[usize; 2]>, DemError> {
    if !domain.is_periodic() || bodies.is_empty() {
        return bonded_pairs(bodies, state, gap);
    }
    not_negative("the gap", gap)?;
    let radius = bodies.radius();
    let smallest = radius.iter().copied().fold(f64::INFINITY, f64::min);
    let mut list = NeighborList::new(*domain, gap.max(1e-3 * smallest))?;
    list.update(radius, state.position())?;
    let is_close = |&[a, b]: &[usize; 2]| {
        let separation = domain.separation(state.position().get(a), state.position().get(b));
        separation.length() <= radius[a] + radius[b] + gap
    };
    Ok(list.pairs().into_iter().filter(is_close).collect())
}

/// Grid of cubic cells of the side `width` (m) from the corner `low` on, with the bodies in each cell. A cell is wider
/// than the cutoff, the largest distance of the centres of a pair.
struct Grid {
    low: DVec3,
    width: f64,
    cells: [usize; 3],
    /// Index in `members` of the first body of each cell, and the number of bodies at the end.
    starts: Vec<usize>,
    members: Vec<usize>,
}

impl Grid {
    fn new(position: &[DVec3], cutoff: f64) -> Self {
        let low = position.iter().copied().fold(DVec3::INFINITY, DVec3::min);
        let high = position.iter().copied().fold(DVec3::NEG_INFINITY, DVec3::max);
        // The difference of two finite positions may overflow; an infinite extent could not be divided into cells.
        let extent = if position.is_empty() { DVec3::ZERO } else { (high - low).min(DVec3::splat(f64::MAX)) };
        // Widening the cells limits their number to a few per body. A cell is a little wider than the cutoff, so that
        // rounding does not put the bodies of a pair two cells apart.
        let mut width = (cutoff * (1.0 + 1e-9)).max(f64::MIN_POSITIVE);
        let limit = 4 * position.len() + 64;
        let count = |width: f64| extent.to_array().map(|length| (length / width).min(1e6) as usize + 1);
        let mut cells = count(width);
        while cells.iter().product::<usize>() > limit {
            width *= 1.25;
            cells = count(width);
        }
        let mut grid =
            Self { low, width, cells, starts: vec![0; cells.iter().product::<usize>() + 1], members: Vec::new() };
        let cell_of: Vec<usize> = position.iter().map(|&x| grid.index(grid.cell(x))).collect();
        for &cell in &cell_of {
            grid.starts[cell + 1] += 1;
        }
        for cell in 1..grid.starts.len() {
            grid.starts[cell] += grid.starts[cell - 1];
        }
        let mut next = grid.starts.clone();
        grid.members = vec![0; position.len()];
        for (body, &cell) in cell_of.iter().enumerate() {
            grid.members[next[cell]] = body;
            next[cell] += 1;
        }
        grid
    }

    fn cell(&self, x: DVec3) -> [usize; 3] {
        let at = (x - self.low) / self.width;
        std::array::from_fn(|c| (at[c] as usize).min(self.cells[c] - 1))
    }

    fn index(&self, [x, y, z]: [usize; 3]) -> usize {
        (z * self.cells[1] + y) * self.cells[0] + x
    }

    /// Visits the bodies in the cell of the point `x` and in the neighbouring cells.
    fn near(&self, x: DVec3, mut visit: impl FnMut(usize)) {
        let cell = self.cell(x);
        let range = |c: usize| cell[c].saturating_sub(1)..=(cell[c] + 1).min(self.cells[c] - 1);
        for z in range(2) {
            for y in range(1) {
                // Cells that are neighbours along x follow each other in memory.
                let row = range(0);
                let first = self.starts[self.index([*row.start(), y, z])];
                let last = self.starts[self.index([*row.end(), y, z]) + 1];
                self.members[first..last].iter().for_each(|&body| visit(body));
            }
        }
    }
}
