use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, Body, State};

use crate::error::DemError;
use crate::error::parameter::{not_negative, positive};

/// Largest number of layers, for which a neighbour list can still number all spheres.
const MOST_LAYERS: usize = 737;

/// Pyramid of `[OK18] section 8.2`: layers of equal spheres in the pits of the layer below, on a fixed base.
///
/// Layer k = 0 … n−1 has (n−k)² spheres with the centres d (i + k/2, j + k/2, k/√2), where d is the diameter. Spheres
/// are numbered from the base up, i before j. All free spheres touch their neighbours, those of their own layer too, at
/// gaps of rounding size.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CannonballPyramid {
    layers: usize,
    radius: f64,
    mass: f64,
    lift: f64,
}

impl CannonballPyramid {
    /// Makes a pyramid of `layers` layers of spheres of this radius (m) and mass (kg).
    ///
    /// # Errors
    /// [`DemError::InvalidParameter`] unless radius and mass are finite and positive and there are at most 737 layers.
    pub fn new(layers: usize, radius: f64, mass: f64) -> Result<Self, DemError> {
        if layers > MOST_LAYERS {
            let parameter = "the number of layers";
            let range = "at most 737";
            return Err(DemError::InvalidParameter { parameter, range, value: layers as f64 });
        }
        Ok(Self { layers, radius: positive("the radius", radius)?, mass: positive("the mass", mass)?, lift: 0.0 })
    }

    /// Lifts each layer by `lift` radii off the layer below, so that layer k rises by k lifts. `[OK18]` has 0.05.
    ///
    /// # Errors
    /// [`DemError::InvalidParameter`] unless `lift` is finite and not negative.
    pub fn lifted(self, lift: f64) -> Result<Self, DemError> {
        Ok(Self { lift: not_negative("the lift", lift)?, ..self })
    }

    /// Number of fixed spheres, which form the base and have the lowest numbers.
    #[must_use]
    pub fn fixed(&self) -> usize {
        self.layers * self.layers
    }

    /// Number of spheres of the pyramid, fixed ones included.
    #[must_use]
    pub fn len(&self) -> usize {
        (1..=self.layers).map(|side| side * side).sum()
    }

    /// Whether the pyramid has no sphere.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.layers == 0
    }

    /// Returns the centres of all spheres of the pyramid in m.
    #[must_use]
    pub fn centres(&self) -> Vec<DVec3> {
        let mut centres = Vec::with_capacity(self.len());
        for k in 0..self.layers {
            let side = self.layers - k;
            let half = 0.5 * k as f64;
            let height = k as f64 * (std::f64::consts::FRAC_1_SQRT_2 + 0.5 * self.lift);
            let places = (0..side).flat_map(|i| (0..side).map(move |j| (i as f64, j as f64)));
            centres.extend(places.map(|(i, j)| 2.0 * self.radius * DVec3::new(i + half, j + half, height)));
        }
        centres
    }

    /// Returns the spheres of the pyramid as bodies, and their state at rest.
    ///
    /// # Errors
    /// [`DemError::Integrate`] if mass and radius give no body.
    pub fn scene(&self) -> Result<(Bodies, State), DemError> {
        let body = |i| if i < self.fixed() { Body::fixed(self.radius) } else { Body::sphere(self.mass, self.radius) };
        let bodies = Bodies::new((0..self.len()).map(body))?;
        let mut state = State::at_rest(self.len());
        for (i, centre) in self.centres().into_iter().enumerate() {
            state.position_mut().set(i, centre);
        }
        Ok((bodies, state))
    }
}
