//! Measurements of the present state, and of others of the same run.

use dem_contact::error::DemError;
use dem_contact::measure::{Bulk, GridFields, Selection, Snapshot, Touch};
use dem_contact::neighbor::Domain;
use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, State};

use super::Simulation;
use crate::build::domain::domain;
use crate::build::measures::{PlannedMeasure, planned_measures};
use crate::error::GrainsError;
use crate::progress::groups::Groups;
use crate::reading::{ContactRow, Reading};
use crate::scene::Scene;
use crate::value::named;

/// What was measured.
#[derive(Debug)]
pub(crate) enum Measured {
    Means(Box<Means>),
    /// Means of these over time, in the same order as the columns.
    TimeMeans(Vec<f64>),
    Fields(GridFields),
}

/// Means over a region.
#[derive(Debug)]
pub(crate) struct Means {
    pub(crate) bulk: Bulk,
    /// Lacey's index, if the measurement has one, and there are two kinds of grains.
    pub(crate) mixing: Option<f64>,
}

/// A state that can be measured.
#[derive(Debug, Clone)]
pub(crate) struct Measurable<'a> {
    pub(crate) bodies: &'a Bodies,
    pub(crate) state: &'a State,
    pub(crate) domain: Domain,
    pub(crate) touches: Vec<Touch>,
    /// The number of the material of each body; empty if there is only one.
    pub(crate) materials: &'a [u16],
    pub(crate) groups: &'a Groups,
}

impl Measurable<'_> {
    /// Takes these measurements of `scene`, by their numbers.
    ///
    /// # Errors
    /// Those of measurements without meaning, with the key, and [`GrainsError::Reading`].
    pub(crate) fn measure(&self, scene: &Scene, numbers: &[usize]) -> Result<Vec<Measured>, GrainsError> {
        let time = self.state.time();
        let unreadable = |source: DemError| GrainsError::Reading { time, source: Box::new(source) };
        let snapshot =
            Snapshot::new(self.bodies, self.state, &self.domain, self.touches.clone()).map_err(unreadable)?;
        check_groups(scene, self.groups)?;
        let planned = planned_measures(scene)?;
        let taken = numbers.iter().filter_map(|&number| planned.get(number)).map(|planned| {
            let members = self.members(planned);
            match planned.grid {
                Some((grid, kernel)) => snapshot.fields(members.as_deref(), grid, kernel).map(Measured::Fields),
                None => {
                    let &PlannedMeasure { extent, least_contacts, .. } = planned;
                    let mixing = planned.mixing.zip(members.as_ref());
                    let mixing = mixing.map_or(Ok(None), |(grid, members)| snapshot.mixing(members, grid))?;
                    let selection = Selection { extent, members, least_contacts };
                    snapshot.bulk(&selection).map(|bulk| Measured::Means(Box::new(Means { bulk, mixing })))
                }
            }
        });
        taken.collect::<Result<_, _>>().map_err(unreadable)
    }

    /// By body: whether it is of the material and the group that are measured. None stands for all.
    fn members(&self, planned: &PlannedMeasure) -> Option<Vec<bool>> {
        let PlannedMeasure { material, group, .. } = planned;
        if material.is_none() && group.is_none() {
            return None;
        }
        let (materials, groups) = (self.materials, self.groups);
        let number = group.as_ref().and_then(|name| groups.find(name));
        let has_material =
            |body: usize| material.is_none_or(|wanted| materials.get(body).copied().unwrap_or(0) == wanted);
        let is_of_group = |body: usize| group.is_none() || number == groups.all().get(body).copied();
        Some((0..self.bodies.len()).map(|body| has_material(body) && is_of_group(body)).collect())
    }
}

impl Simulation {
    /// Takes these measurements of `scene`, by their numbers. `reading` is that of the present state. Changes nothing.
    ///
    /// # Errors
    /// As [`Measurable::measure`].
    pub(crate) fn measure(
        &self,
        scene: &Scene,
        numbers: &[usize],
        reading: &Reading,
    ) -> Result<Vec<Measured>, GrainsError> {
        let measurable = Measurable {
            bodies: &self.bodies,
            state: &self.state,
            domain: self.domain()?,
            touches: touches(reading),
            materials: &self.progress.materials.bodies,
            groups: &self.progress.groups,
        };
        measurable.measure(scene, numbers)
    }

    /// Adds up what contacts dissipate, where the scene asks for it.
    ///
    /// # Errors
    /// Those of reading, and of ranks.
    pub(super) fn sum_dissipation(&mut self) -> Result<(), GrainsError> {
        let clock = self.progress.clock;
        let Some(every) = self.plan.stages[clock.stage].scene.output.dissipation else { return Ok(()) };
        if clock.is_stage_over() || clock.in_stage().is_multiple_of(every.steps(clock.dt)) {
            self.gather()?;
            let reading = self.read_engine()?;
            self.progress.dissipation.look(&reading);
        }
        Ok(())
    }

    /// The present box.
    ///
    /// # Errors
    /// For a box without meaning.
    pub(crate) fn domain(&self) -> Result<Domain, GrainsError> {
        self.progress.domain.map_or_else(|| domain(&self.plan.stages[0].scene), Ok)
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

/// Checks that the groups that measurements name are there.
///
/// # Errors
/// [`GrainsError::UndefinedName`].
pub(super) fn check_groups(scene: &Scene, groups: &Groups) -> Result<(), GrainsError> {
    let given = scene.measures.iter().enumerate().filter_map(|(index, measure)| Some((index, measure.group.as_ref()?)));
    given
        .into_iter()
        .try_for_each(|(index, name)| named(&groups.names(), name, &format!("measure[{index}].group")).map(|_| ()))
}
