//! The integration maps of `[BG21]` that figures compare, each with its name, mark and colour.
use rrp_integrate::step::ImplicitRodrigues;
use rrp_integrate::{Explicit, IntegrateError, Integrator, Map};

use super::sabotage;

use grains_pages::plot::{Marker, Series};

/// Integration map of a rotating body, named by its equation in `[BG21]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::figures) enum Method {
    /// Map (23), an explicit variational map of second order with an exact Legendre transformation.
    Rodrigues23,
    /// Map (25), an explicit map of second order of Newmark's type.
    Rodrigues25,
    /// Map (27), the symplectic Euler map of first order.
    Rodrigues27,
    /// Implicit map (26) with the weight φ = 1/2.
    ImplicitHalf,
    /// Implicit map (26) with the weight φ = 0.
    Implicit,
}

impl Method {
    pub(super) const EXPLICIT: [Self; 3] = [Self::Rodrigues23, Self::Rodrigues25, Self::Rodrigues27];
    /// All compared maps: the explicit ones, and the implicit one with two weights.
    pub(super) const ALL: [Self; 5] =
        [Self::Rodrigues23, Self::Rodrigues25, Self::Rodrigues27, Self::ImplicitHalf, Self::Implicit];

    pub(in crate::figures) fn name(self) -> &'static str {
        match self {
            Self::Rodrigues23 => "exact Legendre (23)",
            Self::Rodrigues25 => "Newmark (25)",
            Self::Rodrigues27 => "symplectic Euler (27)",
            Self::ImplicitHalf => "implicit (26), φ = ½",
            Self::Implicit => "implicit (26), φ = 0",
        }
    }

    /// Returns the mark of the map in plots; the maps (23) and (25) have the marks of `[BG21]` Fig. 1.
    pub(in crate::figures) fn marker(self) -> Marker {
        match self {
            Self::Rodrigues23 => Marker::Circle,
            Self::Rodrigues25 => Marker::Triangle,
            Self::Rodrigues27 => Marker::Square,
            Self::ImplicitHalf | Self::Implicit => Marker::Cross,
        }
    }

    pub(in crate::figures) fn colour(self) -> usize {
        self as usize
    }

    /// Makes a line of a plot with the name and colour of the map.
    pub(in crate::figures) fn line(self, points: impl IntoIterator<Item = (f64, f64)>) -> Series {
        Series::line(self.name(), points).colour(self.colour())
    }

    /// Makes an integrator by this map with the time step `h` (s), which tests may have sabotaged.
    pub(super) fn integrator(self, h: f64) -> Result<Box<dyn Integrator>, IntegrateError> {
        let map: Box<dyn Integrator> = match self {
            Self::Rodrigues23 => Box::new(Explicit::new(Map::Rodrigues23, h)?),
            Self::Rodrigues25 => Box::new(Explicit::new(Map::Rodrigues25, h)?),
            Self::Rodrigues27 => Box::new(Explicit::new(Map::Rodrigues27, h)?),
            Self::ImplicitHalf => Box::new(ImplicitRodrigues::new(0.5, h)?),
            Self::Implicit => Box::new(ImplicitRodrigues::new(0.0, h)?),
        };
        Ok(sabotage::applied(map))
    }
}

impl From<Map> for Method {
    /// Returns the method of one of the maps (23), (25) and (27).
    fn from(map: Map) -> Self {
        match map {
            Map::Rodrigues23 => Self::Rodrigues23,
            Map::Rodrigues25 => Self::Rodrigues25,
            _ => Self::Rodrigues27,
        }
    }
}
