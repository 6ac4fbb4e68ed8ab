//! Search for many bodies at one place before lists of pairs are made: the number of pairs of a crowd grows with the
//! square of its bodies.

use std::collections::HashMap;

use dem_contact::neighbor::{Boundary, Domain};
use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, State};

/// Number of fixed bodies in one cell above which their overlaps are refused. Fixed bodies may overlap, but each free
/// body near them is compared with all of them.
const MOST_FIXED: usize = 1000;

/// Finds two bodies in one cell of a grid that overlap by more than a tenth of the smaller radius. Fixed bodies count
/// only in cells with more than `MOST_FIXED` bodies.
///
/// There is a grid for each power of two of radii. Its cells are as wide as the smallest radius, so that two bodies in
/// one cell always overlap, and a cell without a crowd has at most one free body.
/// short.
pub(super) fn crowd(bodies: &Bodies, state: &State, domain: Domain) -> Option<[usize; 2]> {
    let mut cells: HashMap<(i32, [i64; 3]), (usize, usize)> = HashMap::new();
    let is_free = |body: usize| bodies.inverse_mass()[body] > 0.0;
    for (body, position) in state.position().iter().enumerate() {
        let radius = bodies.radius()[body];
        if !(radius.is_normal() && radius > 0.0) {
            continue;
        }
        let class = radius.log2().floor();
        let cell = (wrapped(position, domain) / class.exp2()).to_array().map(|x| x.floor() as i64);
        let (first, count) = cells.entry((class as i32, cell)).or_insert((body, 0));
        *count += 1;
        let apart = domain.separation(state.position().get(*first), position).length();
        let overlap = radius + bodies.radius()[*first] - apart;
        let counts = is_free(body) || is_free(*first) || *count > MOST_FIXED;
        if *first != body && counts && overlap > 0.1 * radius.min(bodies.radius()[*first]) {
            return Some([*first, body]);
        }
        // Later bodies in the cell are compared with the last free body, since nothing may overlap a free body.
        if is_free(body) {
            *first = body;
        }
    }
    None
}

fn wrapped(position: DVec3, domain: Domain) -> DVec3 {
    let mut inside = position;
    for (c, boundary) in domain.boundary().into_iter().enumerate() {
        if boundary == Boundary::Periodic {
            inside[c] = domain.low()[c] + (position[c] - domain.low()[c]).rem_euclid(domain.periods()[c]);
        }
    }
    inside
}
