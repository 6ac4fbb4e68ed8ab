//! Measurements of the present and of stored states of a run.

use std::borrow::Cow;

use dem_contact::bond::Bonds;
use dem_contact::measure::{Bulk, Extent, Fragment, GridFields, Selection, Snapshot, Touch};
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
use crate::scene::output::Interval;
use crate::value::named;

#[derive(Debug)]
pub(crate) enum Measured {
    Means(Box<Means>),
    /// Means over time of the numbers in a row of the table of means, in column order.
    TimeMeans(Vec<f64>),
    Fields(GridFields),
    /// Fragments of bonded grains, the heaviest first.
    Fragments(Vec<NamedFragment>),
}

/// A fragment of bonded grains, named by an id.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct NamedFragment {
    /// Smallest id of all grains of the fragment, measured or not.
    pub(crate) id: u64,
    /// Number of measured grains of the fragment.
    pub(crate) grains: usize,
    /// Mass in kg of the measured grains of the fragment.
    pub(crate) mass: f64,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct FragmentTally {
    /// Number of fragments with a free grain.
    pub(crate) count: usize,
    /// Mass of the heaviest fragment in kg, without fixed grains; zero without fragments.
    pub(crate) largest: f64,
}

#[derive(Debug)]
pub(crate) struct Means {
    pub(crate) bulk: Bulk,
    /// Lacey's mixing index, if measured and if there are two kinds of grains.
    pub(crate) mixing: Option<f64>,
}

/// A state of a run with all data for measurements.
#[derive(Debug, Clone)]
pub(crate) struct Measurable<'a> {
    pub(crate) bodies: &'a Bodies,
    pub(crate) state: &'a State,
    pub(crate) domain: Domain,
    pub(crate) touches: Vec<Touch>,
    /// Number of the material of each body; empty for a single material.
    pub(crate) materials: &'a [u16],
    pub(crate) groups: &'a Groups,
    pub(crate) ids: &'a [u64],
    /// Fragment of each body, as the smallest number of its bodies; empty without bonds.
    pub(crate) fragments: Cow<'a, [usize]>,
}

impl Measurable<'_> {
    /// Takes the measurements of `scene` with these numbers.
    ///
    /// # Errors
    /// Errors of invalid measurements, with the key, and [`GrainsError::Reading`].
    pub(crate) fn measure(&self, scene: &Scene, numbers: &[usize]) -> Result<Vec<Measured>, GrainsError> {
        let unreadable = GrainsError::unreadable(self.state.time());
        let snapshot =
            Snapshot::new(self.bodies, self.state, &self.domain, self.touches.clone()).map_err(unreadable)?;
        check_groups(scene, self.groups)?;
        let planned = planned_measures(scene)?;
        let taken = numbers.iter().filter_map(|&number| planned.get(number)).map(|planned| {
            let members = self.members(planned);
            let &PlannedMeasure { extent, least_contacts, .. } = planned;
            match (planned.grid, planned.least_grains) {
                (Some((grid, kernel)), _) => snapshot.fields(members.as_deref(), grid, kernel).map(Measured::Fields),
                (None, Some(least)) => {
                    let selection = Selection { extent, members, least_contacts };
                    let all = snapshot.fragments(&selection, &self.labels())?.into_iter();
                    let wanted = all.filter(|fragment| fragment.grains >= least);
                    Ok(Measured::Fragments(wanted.map(|fragment| self.named(fragment)).collect()))
                }
                (None, None) => {
                    let mixing = planned.mixing.zip(members.as_ref());
                    let mixing = mixing.map_or(Ok(None), |(grid, members)| snapshot.mixing(members, grid))?;
                    let selection = Selection { extent, members, least_contacts };
                    snapshot.bulk(&selection).map(|bulk| Measured::Means(Box::new(Means { bulk, mixing })))
                }
            }
        });
        taken.collect::<Result<_, _>>().map_err(unreadable)
    }

    fn labels(&self) -> Cow<'_, [usize]> {
        if self.fragments.is_empty() { (0..self.bodies.len()).collect() } else { Cow::Borrowed(&self.fragments) }
    }

    fn named(&self, Fragment { label, grains, mass }: Fragment) -> NamedFragment {
        NamedFragment { id: self.ids.get(label).copied().unwrap_or(label as u64), grains, mass }
    }

    /// Returns for each body whether it has the measured material and group; none if all bodies are measured.
    fn members(&self, planned: &PlannedMeasure) -> Option<Vec<bool>> {
        let PlannedMeasure { material, group, .. } = planned;
        if material.is_none() && group.is_none() {
            return None;
        }
        let materials = self.materials;
        let groups = self.groups;
        let number = group.as_ref().and_then(|name| groups.find(name));
        let has_material =
            |body: usize| material.is_none_or(|wanted| materials.get(body).copied().unwrap_or(0) == wanted);
        let is_of_group = |body: usize| group.is_none() || number == groups.all().get(body).copied();
        Some((0..self.bodies.len()).map(|body| has_material(body) && is_of_group(body)).collect())
    }
}

impl Simulation {
    /// Takes the measurements of `scene` with these numbers at the present state and its `reading`.
    ///
    /// # Errors
    /// As [`Measurable::measure`].
    pub(crate) fn measure(
        &self,
        scene: &Scene,
        numbers: &[usize],
        reading: &Reading,
    ) -> Result<Vec<Measured>, GrainsError> {
        let wants_fragments = |&number: &usize| scene.measures.get(number).is_some_and(|one| one.fragments.is_some());
        let bonds = self.bonds().filter(|_| numbers.iter().any(wants_fragments));
        let measurable = Measurable {
            bodies: &self.bodies,
            state: &self.state,
            domain: self.domain()?,
            touches: touches(reading),
            materials: &self.progress.materials.bodies,
            groups: &self.progress.groups,
            ids: self.ids(),
            fragments: bonds.map(Bonds::fragments).unwrap_or_default().into(),
        };
        measurable.measure(scene, numbers)
    }

    pub(crate) fn has_bonds_at_any_time(&self) -> bool {
        self.plan.has_bonds() || self.bonds().is_some()
    }

    /// Returns the number of fragments and the largest mass of one; none in a run without bonds. After
    /// [`gather`](Self::gather) the result is independent of the number of ranks.
    ///
    /// # Errors
    /// [`GrainsError::Reading`].
    pub(crate) fn tally_fragments(&self) -> Result<Option<FragmentTally>, GrainsError> {
        if !self.has_bonds_at_any_time() {
            return Ok(None);
        }
        let unreadable = GrainsError::unreadable(self.state.time());
        let labels = self.bonds().map_or_else(|| (0..self.bodies.len()).collect(), Bonds::fragments);
        let snapshot = Snapshot::new(&self.bodies, &self.state, &self.domain()?, Vec::new()).map_err(unreadable)?;
        let all = snapshot.fragments(&Selection::of(Extent::Whole), &labels).map_err(unreadable)?;
        let largest = all.first().map_or(0.0, |heaviest| heaviest.mass);
        Ok(Some(FragmentTally { count: all.len(), largest }))
    }

    /// Adds the energies dissipated by contacts since the last sum, if the scene asks for them and a sum is due.
    ///
    /// # Errors
    /// Errors of reading, and of ranks.
    pub(super) fn sum_dissipation(&mut self) -> Result<(), GrainsError> {
        let clock = self.progress.clock;
        let output = &self.plan.stages[clock.stage].scene.output;
        let Some(every) = output.dissipation else { return Ok(()) };
        let is_due = |every: Interval| clock.in_stage().is_multiple_of(every.steps(clock.dt));
        if clock.is_stage_over() || is_due(every) || output.series.is_some_and(is_due) {
            self.gather()?;
            let reading = self.read_engine()?;
            self.progress.dissipation.look(&reading);
        }
        Ok(())
    }

    /// Returns the present box of the run.
    ///
    /// # Errors
    /// For an invalid box.
    pub(crate) fn domain(&self) -> Result<Domain, GrainsError> {
        self.progress.domain.map_or_else(|| domain(&self.plan.stages[0].scene), Ok)
    }
}

pub(crate) fn touches(reading: &Reading) -> Vec<Touch> {
    reading.contacts.iter().map(touch).collect()
}

fn touch(row: &ContactRow) -> Touch {
    let &ContactRow { a, b, gap, normal, normal_force, tangential_force, power_by_motion: power, .. } = row;
    let force = normal_force * normal + tangential_force;
    Touch { a, b, normal, overlap: -gap, force, couple: DVec3::ZERO, power }
}

/// Checks that the groups of measurements exist.
///
/// # Errors
/// [`GrainsError::UndefinedName`].
pub(super) fn check_groups(scene: &Scene, groups: &Groups) -> Result<(), GrainsError> {
    let given = scene.measures.iter().enumerate().filter_map(|(index, measure)| Some((index, measure.group.as_ref()?)));
    given
        .into_iter()
        .try_for_each(|(index, name)| named(groups.names(), name, &format!("measure[{index}].group")).map(|_| ()))
}
