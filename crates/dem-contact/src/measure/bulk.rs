//! Sums over a part of space, with stress, fabric and other means derived from them.

use rrp_geom::glam::{DMat3, DVec3};

use super::outer;
use super::snapshot::{Segment, Snapshot};
use super::window::{Extent, Window};
use crate::error::DemError;
use crate::law::contact::PowerByMotion;

/// Selection of the grains that are measured.
#[derive(Debug, Clone, PartialEq)]
pub struct Selection {
    /// Part of space in which grains and their contacts are counted.
    pub extent: Extent,
    /// Whether each body takes part, for example by material or group; `None` selects all bodies.
    pub members: Option<Vec<bool>>,
    /// Number of contacts below which a grain is a [rattler](Snapshot::rattlers); four hold a frictionless sphere.
    pub least_contacts: usize,
}

impl Selection {
    /// Selects all grains in an extent of space; rattlers are grains with fewer than four contacts.
    #[must_use]
    pub fn of(extent: Extent) -> Self {
        Self { extent, members: None, least_contacts: 4 }
    }

    /// Restricts the selection to bodies whose entry in `members` is true, with one entry for each body.
    #[must_use]
    pub fn with_members(self, members: Vec<bool>) -> Self {
        Self { members: Some(members), ..self }
    }
}

/// Sums over the grains of a [`Selection`]. Grains are counted by their centres; volumes, and lines from centres to
/// contacts, are cut at the border. In a box that deforms, velocities are relative to the uniform flow of the box.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bulk {
    /// Volume of the measured part of space in m³; `None` for a whole domain with an open side.
    pub volume: Option<f64>,
    /// Number of grains whose centres are in the measured part of space.
    pub grains: usize,
    /// Mass of the counted grains in kg.
    pub mass: f64,
    /// Moment Σ m x of the counted grains in kg m; stored centres x may be periods away in a periodic domain.
    pub moment: DVec3,
    /// Corners in m of the smallest box around the counted grains, whole spheres at their stored centres; `None`
    /// without grains.
    pub bounds: Option<[DVec3; 2]>,
    /// Momentum Σ m v of the counted grains in kg m/s.
    pub momentum: DVec3,
    /// Sum Σ m v' v'ᵀ over the counted grains in J, with masses m and velocities v' relative to the mean velocity.
    pub fluctuation: DMat3,
    /// Volume in m³ of the spheres in the measured part of space; overlaps of two spheres count twice.
    pub solid_volume: f64,
    /// Virial Σ F lᵀ in J: force F of a grain on its partner, inner part l of the line from its centre to the contact.
    pub virial: DMat3,
    /// Number of [closed](super::Touch::is_closed) contacts of the counted grains with grains and walls; contacts
    /// between counted grains count twice.
    pub ends: usize,
    /// Sum Σ n nᵀ over the closed contacts of the counted grains with the unit normals n.
    pub normals: DMat3,
    /// Number of counted grains that are [rattlers](Snapshot::rattlers), which bear no load.
    pub rattlers: usize,
    /// Number of closed contacts of counted non-rattlers with non-rattlers and walls.
    pub bearing_ends: usize,
    /// Power in W dissipated by contacts of counted grains; a grain has half of the power of a contact with a grain.
    pub power: PowerByMotion,
    /// Part of `power` in W dissipated at walls and fixed bodies.
    pub power_at_walls: PowerByMotion,
}

impl Snapshot<'_> {
    /// Measures the selected grains and their contacts, as sums: masses, momenta, volumes, virial, normals, power.
    ///
    /// # Errors
    /// [`DemError::LengthMismatch`] unless there is a member entry for each body; errors of [`Extent::check`].
    pub fn bulk(&self, selection: &Selection) -> Result<Bulk, DemError> {
        let largest_radius = self.grains().map(|grain| self.bodies.radius()[grain]).fold(0.0, f64::max);
        let window = Window::new(selection.extent, &self.domain, largest_radius)?;
        self.check_members(selection.members.as_deref())?;
        let is_member = |body: usize| selection.members.as_ref().is_none_or(|members| members[body]);
        let rattles = self.rattlers(selection.least_contacts);
        let mut bulk = Bulk::empty(window.volume);
        let mut counts = vec![0_usize; self.bodies.len()];
        for grain in self.grains().filter(|&grain| is_member(grain)) {
            let center = self.state.position().get(grain);
            let count = window.count(center);
            counts[grain] = count;
            bulk.grains += count;
            bulk.rattlers += if rattles[grain] { count } else { 0 };
            let mass = count as f64 * self.bodies.mass()[grain];
            bulk.mass += mass;
            bulk.moment += mass * center;
            if count > 0 {
                let radius = self.bodies.radius()[grain];
                let [low, high] = bulk.bounds.unwrap_or([center; 2]);
                bulk.bounds = Some([low.min(center - radius), high.max(center + radius)]);
            }
            bulk.momentum += mass * self.velocity(grain);
            bulk.solid_volume += window.volume_of(center, self.bodies.radius()[grain]);
        }
        let mean = bulk.mean_velocity();
        for grain in self.grains().filter(|&grain| counts[grain] > 0) {
            let fluctuation = self.velocity(grain) - mean;
            bulk.fluctuation += counts[grain] as f64 * self.bodies.mass()[grain] * outer(fluctuation, fluctuation);
        }
        for Segment { grain, start, arm, force, normal, other, power, is_closed } in self.segments() {
            if !is_member(grain) {
                continue;
            }
            let power = power.times(counts[grain] as f64);
            bulk.power += power;
            if other.is_none() {
                bulk.power_at_walls += power;
            }
            bulk.virial += window.share(start, arm) * outer(force, arm);
            if is_closed {
                bulk.ends += counts[grain];
                bulk.normals += counts[grain] as f64 * outer(normal, normal);
                let is_bearing = !rattles[grain] && other.is_none_or(|other| !rattles[other]);
                bulk.bearing_ends += if is_bearing { counts[grain] } else { 0 };
            }
        }
        Ok(bulk)
    }
}

impl Bulk {
    fn empty(volume: Option<f64>) -> Self {
        Self {
            volume,
            grains: 0,
            mass: 0.0,
            moment: DVec3::ZERO,
            bounds: None,
            momentum: DVec3::ZERO,
            fluctuation: DMat3::ZERO,
            solid_volume: 0.0,
            virial: DMat3::ZERO,
            ends: 0,
            normals: DMat3::ZERO,
            rattlers: 0,
            bearing_ends: 0,
            power: PowerByMotion::default(),
            power_at_walls: PowerByMotion::default(),
        }
    }

    /// Mean velocity of the counted grains in m/s, weighted by mass; zero without grains.
    #[must_use]
    pub fn mean_velocity(&self) -> DVec3 {
        if self.mass > 0.0 { self.momentum / self.mass } else { DVec3::ZERO }
    }

    /// Centre of mass of the counted grains in m; `None` without grains.
    #[must_use]
    pub fn center_of_mass(&self) -> Option<DVec3> {
        (self.mass > 0.0).then(|| self.moment / self.mass)
    }

    /// Contact stress in Pa, positive in compression: the mean over the measured volume, as in `[Gol10]`; `None` if
    /// that volume is not defined.
    #[must_use]
    pub fn contact_stress(&self) -> Option<DMat3> {
        self.volume.map(|volume| self.virial * volume.recip())
    }

    /// Kinetic stress in Pa: Σ m v' v'ᵀ over the measured volume, with masses m and velocities v' relative to the mean
    /// velocity; `None` if that volume is not defined.
    #[must_use]
    pub fn kinetic_stress(&self) -> Option<DMat3> {
        self.volume.map(|volume| self.fluctuation * volume.recip())
    }

    /// Total stress in Pa: the sum of contact stress and kinetic stress; `None` if the measured volume is not defined.
    #[must_use]
    pub fn stress(&self) -> Option<DMat3> {
        Some(self.contact_stress()? + self.kinetic_stress()?)
    }

    /// Pressure in Pa: a third of the trace of the [stress](Self::stress); `None` if the measured volume is not
    /// defined.
    #[must_use]
    pub fn pressure(&self) -> Option<f64> {
        self.stress().map(|stress| trace(stress) / 3.0)
    }

    /// Solid fraction: volume of the spheres in the measured part of space over its volume; `None` if that volume is
    /// not defined.
    #[must_use]
    pub fn solid_fraction(&self) -> Option<f64> {
        self.volume.map(|volume| self.solid_volume / volume)
    }

    /// Fabric tensor Σ n nᵀ over the number of closed contacts of the counted grains, with normals n; zero without
    /// contacts.
    #[must_use]
    pub fn fabric(&self) -> DMat3 {
        if self.ends > 0 { self.normals * (self.ends as f64).recip() } else { DMat3::ZERO }
    }

    /// Coordination number: mean number of closed contacts of a counted grain; zero without grains.
    #[must_use]
    pub fn coordination(&self) -> f64 {
        if self.grains > 0 { self.ends as f64 / self.grains as f64 } else { 0.0 }
    }

    /// Coordination number without rattlers: mean number of closed contacts of a non-rattler with non-rattlers and
    /// walls; zero if all grains are rattlers.
    #[must_use]
    pub fn bearing_coordination(&self) -> f64 {
        let bearing = self.grains - self.rattlers;
        if bearing > 0 { self.bearing_ends as f64 / bearing as f64 } else { 0.0 }
    }

    /// Granular temperature in m²/s²: Σ m v'² over three times the mass; v' is relative to the mean velocity. Zero
    /// without grains.
    #[must_use]
    pub fn temperature(&self) -> f64 {
        if self.mass > 0.0 { trace(self.fluctuation) / (3.0 * self.mass) } else { 0.0 }
    }
}

fn trace(matrix: DMat3) -> f64 {
    matrix.x_axis.x + matrix.y_axis.y + matrix.z_axis.z
}

#[cfg(test)]
mod tests;
