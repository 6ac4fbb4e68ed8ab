//! The duration of contacts, and the time step that follows from it.

use std::f64::consts::PI;

use rrp_integrate::Bodies;

use crate::error::DemError;
use crate::error::contact::ContactError;
use crate::error::parameter::positive;
use crate::force::ContactForce;
use crate::force::contact_rate::{BodyKind, kinds, overlap_of_energy};
use crate::law::contact_law::ContactLaw;
use crate::law::material::pair_table::LawTable;

/// Number of steps in the shortest contact of two bodies, on which [`ContactForce::recommended_dt`] is based.
///
/// With this number the energy of an undamped impact is conserved to about one percent; with five times as many steps,
/// to a few parts in ten thousand.
pub const STEPS_PER_CONTACT: f64 = 32.0;

/// Returns the duration in s of an undamped impact at `speed` (m/s) between bodies of the reduced `radius` (m) and the
/// reduced `mass` (kg).
///
/// # Errors
/// [`DemError::InvalidParameter`] unless `radius`, `mass` and `speed` are finite and positive.
pub fn contact_time(law: &dyn ContactLaw, radius: f64, mass: f64, speed: f64) -> Result<f64, DemError> {
    positive("the reduced radius", radius)?;
    positive("the reduced mass", mass)?;
    positive("the speed", speed)?;
    let energy = 0.5 * mass * speed * speed;
    // t = 2 ∫ dδ/v with v² = v₀² − 2V/m; the substitution δ = δ_max sin θ removes the singularity at the end.
    let deepest = overlap_of_energy(law, radius, energy);
    let panels = 64;
    let sum: f64 = (0..panels)
        .map(|k| {
            let angle = 0.5 * PI * (f64::from(k) + 0.5) / f64::from(panels);
            let left = 1.0 - law.energy(deepest * angle.sin(), radius) / energy;
            angle.cos() / left.max(f64::MIN_POSITIVE).sqrt()
        })
        .sum();
    Ok(PI / f64::from(panels) * sum * deepest / speed)
}

impl LawTable {
    /// Returns the duration in s of the shortest impact at `speed` (m/s) between two bodies like one of `bodies`, one
    /// of its own material and the other one of any material of a body or wall; infinite if no free body has a radius.
    ///
    /// The pair of slices has the material of each body and of each wall; bodies without a material are of material 0.
    ///
    /// # Errors
    /// [`DemError::InvalidParameter`] unless `speed` is finite and positive.
    pub fn shortest_contact_time(
        &self,
        bodies: &Bodies,
        (of_body, of_walls): (&[u16], &[u16]),
        speed: f64,
    ) -> Result<f64, DemError> {
        positive("the speed", speed)?;
        let (kinds, met) = kinds(bodies, of_body, of_walls);
        let mut shortest = f64::INFINITY;
        for BodyKind { mass, radius, material, .. } in kinds {
            for &other in &met {
                let law = &self.between(material.into(), other.into()).traits().normal;
                shortest = shortest.min(contact_time(&**law, 0.5 * radius, 0.5 * mass, speed)?);
            }
        }
        Ok(shortest)
    }
}

impl ContactForce {
    /// Returns the duration in s of the shortest impact at `speed` (m/s) between two bodies like one of `bodies`, one
    /// of its own material and the other one of any material of a body or wall; infinite if no free body has a radius.
    ///
    /// # Errors
    /// [`DemError::InvalidParameter`] unless `speed` is finite and positive.
    pub fn shortest_contact_time(&self, bodies: &Bodies, speed: f64) -> Result<f64, DemError> {
        let of_walls = self.materials_of_walls();
        self.laws().shortest_contact_time(bodies, (&self.setup.laws.of_body, &of_walls), speed)
    }

    fn materials_of_walls(&self) -> Vec<u16> {
        let of_wall = |wall: usize| self.setup.laws.of_wall.get(wall).copied().unwrap_or(0);
        (0..self.walls.walls.len()).map(of_wall).collect()
    }

    /// Returns a time step in s: the shortest contact time at `speed` (m/s) over [`STEPS_PER_CONTACT`], or less if the
    /// [`ContactRate`](crate::force::ContactRate) of a damper or a tangential spring requires it. Use the speed of the
    /// fastest impact to come.
    ///
    /// Attraction between surfaces that are apart is ignored: choose a step that resolves the attraction too.
    ///
    /// # Errors
    /// Errors of [`shortest_contact_time`](Self::shortest_contact_time), and [`ContactError::NothingCanTouch`] if no
    /// free body has a radius.
    pub fn recommended_dt(&self, bodies: &Bodies, speed: f64) -> Result<f64, DemError> {
        let shortest = self.shortest_contact_time(bodies, speed)?;
        if shortest.is_finite() {
            let of_walls = self.materials_of_walls();
            let fastest = self.laws().fastest_contact_rate(bodies, (&self.setup.laws.of_body, &of_walls), speed)?;
            let step = fastest.map_or(f64::INFINITY, |fastest| fastest.step());
            return Ok((shortest / STEPS_PER_CONTACT).min(step));
        }
        Err(DemError::Contact(ContactError::NothingCanTouch { free: bodies.len() - bodies.fixed().len() }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law::{Damping, Hertz, Hooke};

    #[test]
    fn hooke_and_hertz_last_as_long_as_the_textbook_says() {
        let hooke = Hooke::new(195_000.0, Damping::NONE).unwrap();
        let time = contact_time(&hooke, 0.25, 0.5, 1.0).unwrap();
        assert!((time / (PI * (0.5_f64 / 195_000.0).sqrt()) - 1.0).abs() < 1e-9);
        // t = 2.94327 δ_max/v with δ_max = (5 m v²/(4 K √R))^(2/5).
        let hertz = Hertz::new(6.0e6, Damping::NONE).unwrap();
        let radius = 0.25_f64;
        let mass = 0.5;
        let speed = 0.3;
        let deepest = (1.25 * mass * speed * speed / (6.0e6 * radius.sqrt())).powf(0.4);
        let time = contact_time(&hertz, radius, mass, speed).unwrap();
        assert!((time * speed / deepest - 2.943_275).abs() < 1e-4, "{}", time * speed / deepest);
    }

    #[test]
    fn nonsense_is_refused() {
        let hooke = Hooke::new(1.0, Damping::NONE).unwrap();
        assert!(contact_time(&hooke, 1.0, 1.0, 0.0).is_err());
        assert!(contact_time(&hooke, f64::NAN, 1.0, 1.0).is_err());
    }
}
