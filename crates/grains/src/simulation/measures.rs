//! Measurements of the present state.

use dem_contact::error::DemError;
use dem_contact::measure::{Bulk, GridFields, Selection, Snapshot, Touch};
use dem_contact::neighbor::Domain;
use rrp_geom::glam::DVec3;

use super::Simulation;
use crate::build::domain::domain;
use crate::build::measures::{PlannedMeasure, planned_measures};
use crate::error::GrainsError;
use crate::reading::{ContactRow, Reading};
use crate::scene::Scene;

/// What was measured.
#[derive(Debug)]
pub(crate) enum Measured {
    Means(Box<Bulk>),
    Fields(GridFields),
}

impl Simulation {
    /// Takes these measurements of `scene`, by their numbers. `reading` is that of the present state. Changes nothing.
    ///
    /// # Errors
    /// Those of measurements without meaning, with the key, and [`GrainsError::Reading`].
    pub(crate) fn measure(
        &self,
        scene: &Scene,
        numbers: &[usize],
        reading: &Reading,
    ) -> Result<Vec<Measured>, GrainsError> {
        let time = self.state.time();
        let unreadable = |source: DemError| GrainsError::Reading { time, source: Box::new(source) };
        let domain = self.domain()?;
        let snapshot = Snapshot::new(&self.bodies, &self.state, &domain, touches(reading)).map_err(unreadable)?;
        let planned = planned_measures(scene)?;
        let taken = numbers.iter().filter_map(|&number| planned.get(number)).map(|planned| {
            let members = self.members(planned);
            match planned.grid {
                Some((grid, kernel)) => snapshot.fields(members.as_deref(), grid, kernel).map(Measured::Fields),
                None => {
                    let &PlannedMeasure { extent, least_contacts, .. } = planned;
                    let selection = Selection { extent, members, least_contacts };
                    snapshot.bulk(&selection).map(|bulk| Measured::Means(Box::new(bulk)))
                }
            }
        });
        taken.collect::<Result<_, _>>().map_err(unreadable)
    }

    /// The present box.
    ///
    /// # Errors
    /// For a box without meaning.
    pub(crate) fn domain(&self) -> Result<Domain, GrainsError> {
        self.progress.domain.map_or_else(|| domain(&self.plan.stages[0].scene), Ok)
    }

    /// By body: whether it is of the material that is measured. None stands for all.
    fn members(&self, planned: &PlannedMeasure) -> Option<Vec<bool>> {
        let wanted = planned.material?;
        let materials = &self.progress.materials.bodies;
        let of_body = |body: usize| materials.get(body).copied().unwrap_or(0) == wanted;
        Some((0..self.bodies.len()).map(of_body).collect())
    }
}

/// The contacts of a reading.
pub(crate) fn touches(reading: &Reading) -> Vec<Touch> {
    reading.contacts.iter().map(touch).collect()
}

fn touch(row: &ContactRow) -> Touch {
    let &ContactRow { a, b, gap, normal, normal_force, tangential_force, power_by_motion: power, .. } = row;
    let force = normal_force * normal + tangential_force;
    Touch { a, b, normal, overlap: -gap, force, couple: DVec3::ZERO, power }
}
