//! The integration maps that the figures of the torus compare, each with its name, mark and colour.
use rrp_integrate::Map;

use grains_pages::plot::Marker;

/// Compared integration maps: (23), (25) and (27) of `[BG21]`.
pub(super) const ALL: [Map; 3] = [Map::Rodrigues23, Map::Rodrigues25, Map::Rodrigues27];

pub(super) fn name(map: Map) -> &'static str {
    match map {
        Map::Rodrigues23 => "exact Legendre (23)",
        Map::Rodrigues25 => "Newmark (25)",
        _ => "symplectic Euler (27)",
    }
}

/// Returns the mark of the map in plots, the same as in `[BG21]`.
pub(super) fn marker(map: Map) -> Marker {
    match map {
        Map::Rodrigues23 => Marker::Circle,
        Map::Rodrigues25 => Marker::Triangle,
        _ => Marker::Square,
    }
}

/// Returns the number of the map's colour in plots, the same as in the figures of the pendulum.
pub(super) fn colour(map: Map) -> usize {
    match map {
        Map::Rodrigues23 => 0,
        Map::Rodrigues25 => 1,
        _ => 2,
    }
}
