//! The maps that the figures compare, each with its name, mark and colour.
use rrp_integrate::Map;

use crate::plot::Marker;

/// The maps (23), (25) and (27) of `[BG21]`.
pub(super) const ALL: [Map; 3] = [Map::Legendre, Map::Newmark, Map::SymplecticEuler];

pub(super) fn name(map: Map) -> &'static str {
    match map {
        Map::Legendre => "(23)",
        Map::Newmark => "(25)",
        _ => "(27)",
    }
}

/// The paper's marks.
pub(super) fn marker(map: Map) -> Marker {
    match map {
        Map::Legendre => Marker::Circle,
        Map::Newmark => Marker::Triangle,
        _ => Marker::Square,
    }
}

/// The same colour in every figure, also in those of the pendulum.
pub(super) fn colour(map: Map) -> usize {
    match map {
        Map::Legendre => 0,
        Map::Newmark => 1,
        _ => 2,
    }
}
