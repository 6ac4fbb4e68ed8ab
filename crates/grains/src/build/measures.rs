//! Measurements of a scene, checked and translated for `dem-contact`.

use dem_contact::measure::{Extent, Grid, Kernel};

use super::domain::domain;
use crate::error::{GrainsError, Location, Note};
use crate::memory::require;
use crate::scene::Scene;
use crate::scene::contact::ContactModel;
use crate::scene::measures::{FragmentSizes, Measure, MeasureGrid, MeasureRegion};
use crate::scene::regions::{BoxRegion, CylinderRegion};
use crate::scene::walls::WallGroup;
use crate::value::{corners, direction, material_number, positive, vector};

/// Bytes of memory for one grid point of a measurement: its fields, and one line of text.
const OF_POINT: u64 = 1000;

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PlannedMeasure {
    pub(crate) extent: Extent,
    /// Number of the material of the measured grains; none for grains of all materials.
    pub(crate) material: Option<u16>,
    /// Name of the group of the measured grains; none for grains of all groups.
    pub(crate) group: Option<String>,
    pub(crate) least_contacts: usize,
    /// Grid and kernel of a measurement of fields.
    pub(crate) grid: Option<(Grid, Kernel)>,
    /// Cells in which kinds of grains are counted for the mixing index, if the measurement has one.
    pub(crate) mixing: Option<Grid>,
    /// Smallest number of grains of a fragment in the table of fragments; none if fragments are not measured.
    pub(crate) least_grains: Option<usize>,
}

/// Checks and translates the measurements of `scene`.
///
/// # Errors
/// For an invalid measurement; the error names the key.
pub(crate) fn planned_measures(scene: &Scene) -> Result<Vec<PlannedMeasure>, GrainsError> {
    let all = scene.measures.iter().enumerate();
    all.map(|(index, measure)| {
        check_name(&scene.measures[..index], measure, index)?;
        PlannedMeasure::new(scene, measure, &format!("measure[{index}]"))
    })
    .collect()
}

/// Refuses measurements of fragments in a scene whose grains never have bonds.
///
/// # Errors
/// [`GrainsError::Conflict`].
pub(crate) fn refuse_fragments_without_bonds(scene: &Scene) -> Result<(), GrainsError> {
    // Bodies of a start may have bonds.
    if scene.has_bonds_in_any_stage() || scene.start.is_some() {
        return Ok(());
    }
    match scene.measures.iter().position(|measure| measure.fragments.is_some()) {
        Some(index) => {
            let problem = "needs `bonds`, without which each grain is a fragment of its own";
            Err(GrainsError::conflict(format!("measure[{index}].fragments"), problem))
        }
        None => Ok(()),
    }
}

pub(crate) fn left_out(scene: &Scene) -> Option<Note> {
    let is_elastic = |wall: &WallGroup| wall.shape.elastic_stiffness().is_some();
    let others = scene.has_bonds_in_any_stage() || scene.ties.is_some() || scene.walls.iter().any(is_elastic);
    let has_stress = scene.measures.iter().any(|measure| measure.fragments.is_none());
    let text = "measures contacts: forces of bonds, ties and elastic walls are not in the stress";
    (others && has_stress).then(|| Note::new("measure", text))
}

fn check_name(before: &[Measure], measure: &Measure, index: usize) -> Result<(), GrainsError> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let problem = if measure.name.is_empty() || !measure.name.chars().all(is_plain) {
        "must be letters, digits, `-` and `_`: it is a part of the name of a file"
    } else if before.iter().any(|other| other.name.eq_ignore_ascii_case(&measure.name)) {
        "there is another measurement of this name"
    } else {
        return Ok(());
    };
    Err(GrainsError::conflict(format!("measure[{index}].name"), problem))
}

impl PlannedMeasure {
    fn new(scene: &Scene, measure: &Measure, key: &str) -> Result<Self, GrainsError> {
        measure.every.check(&format!("{key}.every"))?;
        if let Some(samples) = measure.samples {
            positive(format!("{key}.samples"), samples as f64)?;
        }
        let least_grains = measure.fragments.map(|sizes| least_grains(measure, sizes, key)).transpose()?;
        let extent = match measure.region {
            None => Extent::Whole,
            Some(MeasureRegion::Box(BoxRegion { low, high })) => {
                let [low, high] = corners(&format!("{key}.region.box"), low, high)?;
                Extent::Box { low, high }
            }
            Some(MeasureRegion::Cylinder(CylinderRegion { point, axis, radius })) => {
                let under = |name: &str| format!("{key}.region.cylinder.{name}");
                let point = vector(under("point"), point)?;
                let axis = direction(under("axis"), axis)?;
                Extent::Cylinder { point, axis, radius }
            }
        };
        let names = || scene.contact.as_ref().map(ContactModel::names).unwrap_or_default();
        let material = measure.material.as_ref();
        let material = material.map(|name| material_number(&names(), name, &format!("{key}.material"))).transpose()?;
        let grid = measure.grid.map(|grid| planned_grid(scene, extent, grid, &format!("{key}.grid"))).transpose()?;
        let mixing = measure.mixing.map(|mixing| cells_of(scene, extent, mixing.cells, &format!("{key}.mixing")));
        let mixing = mixing.transpose()?;
        let is_of_some = measure.material.is_some() || measure.group.is_some();
        if mixing.is_some() && (grid.is_some() || !is_of_some) {
            let problem = "is for means of the grains of one `group` or `material`: say which mix with all others";
            return Err(GrainsError::conflict(format!("{key}.mixing"), problem));
        }
        extent.check(&domain(scene)?, 0.0).map_err(GrainsError::refused_number(format!("{key}.region")))?;
        let group = measure.group.clone();
        let least_contacts = measure.least_contacts.unwrap_or_else(|| least_contacts(scene));
        Ok(Self { extent, material, group, least_contacts, grid, mixing, least_grains })
    }
}

/// Checks a measurement of fragments, and returns the smallest number of grains of a fragment in its table.
fn least_grains(measure: &Measure, sizes: FragmentSizes, key: &str) -> Result<usize, GrainsError> {
    let others = [
        ("samples", measure.samples.is_some()),
        ("mixing", measure.mixing.is_some()),
        ("least-contacts", measure.least_contacts.is_some()),
        ("grid", measure.grid.is_some()),
    ];
    let problem = "is not for a table of `fragments`: leave it out, or write it in another `[[measure]]`";
    GrainsError::refuse_given(key, &others, problem)?;
    positive(format!("{key}.fragments.least-grains"), sizes.least_grains as f64)?;
    Ok(sizes.least_grains)
}

/// Returns the default number of contacts below which a sphere is a rattler: two with friction, four without.
fn least_contacts(scene: &Scene) -> usize {
    let friction = scene.contact.as_ref().and_then(ContactModel::key_of_friction);
    if friction.is_some() { 2 } else { 4 }
}

fn planned_grid(
    scene: &Scene,
    extent: Extent,
    MeasureGrid { cells, kernel }: MeasureGrid,
    key: &str,
) -> Result<(Grid, Kernel), GrainsError> {
    kernel.check().map_err(GrainsError::refused_number(format!("{key}.kernel")))?;
    let grid = cells_of(scene, extent, cells, key)?;
    grid.extent().check(&domain(scene)?, kernel.range()).map_err(GrainsError::refused(key))?;
    Ok((grid, kernel))
}

/// Returns a grid of `cells` in the region of a measurement, or in the scene's box if the measurement has no region.
fn cells_of(scene: &Scene, extent: Extent, cells: [usize; 3], key: &str) -> Result<Grid, GrainsError> {
    let (low, high) = match extent {
        Extent::Box { low, high } => (low, high),
        Extent::Cylinder { .. } => {
            let problem = "has cells along the axes, so its `region` is a box, not a cylinder";
            return Err(GrainsError::conflict(key, problem));
        }
        _ if scene.simulation_box.is_some() => {
            let domain = domain(scene)?;
            (domain.low(), domain.high())
        }
        _ => {
            let problem = "needs a `region` beside it, or a `box` of the scene";
            return Err(GrainsError::conflict(key, problem));
        }
    };
    let grid = Grid { low, high, cells };
    grid.extent().check(&domain(scene)?, 0.0).map_err(GrainsError::refused(key))?;
    grid.check().map_err(GrainsError::refused(format!("{key}.cells")))?;
    let points = cells.iter().product::<usize>() as u64;
    require(Location::of(format!("{key}.cells")), points * OF_POINT, || format!("fields at {points} points"))?;
    Ok(grid)
}
