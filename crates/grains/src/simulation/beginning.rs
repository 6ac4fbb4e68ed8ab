//! The initial bodies of a run: those of its groups, or those of the checkpoint of another run.

use std::path::Path;

use dem_contact::bridge::Moisture;
use dem_contact::force::AllHistories;
use dem_contact::neighbor::Domain;
use rrp_geom::glam::DVec3;
use rrp_integrate::State;

use crate::build::bodies::{InitialBodies, smallest_radius};
use crate::build::domain::domain;
use crate::build::parts::{Handover, Parts};
use crate::build::situation::{MaterialNumbers, wall_materials};
use crate::engine;
use crate::error::{GrainsError, Note};
use crate::plan::Plan;
use crate::progress::groups::Groups;
use crate::progress::identities::Identities;
use crate::scene::Scene;
use crate::scene::contact::OTHER;
use crate::scene::walls::WallGroup;
use crate::storage::{self, StoredRun};
use crate::value::material_number;

/// The initial bodies of a run, with contacts and other data from an earlier run.
#[derive(Debug)]
pub(super) struct Beginning {
    pub(super) initial: InitialBodies,
    pub(super) materials: MaterialNumbers,
    pub(super) identities: Identities,
    pub(super) groups: Groups,
    pub(super) handover: Handover,
}

impl Beginning {
    /// Makes the initial bodies of `scene` with files from `folder`.
    ///
    /// # Errors
    /// For invalid groups of bodies, and for a `start` that cannot be read.
    pub(super) fn new(scene: &Scene, folder: &Path) -> Result<Self, GrainsError> {
        match &scene.start {
            Some(path) if scene.bodies.is_empty() => Self::of_run(scene, &folder.join(path)),
            Some(_) => {
                let problem = "a scene has either `bodies` or a `start`: leave out `bodies`, or `start`";
                Err(GrainsError::conflict("start", problem))
            }
            None => {
                let initial = InitialBodies::new(scene, folder)?;
                let materials = MaterialNumbers::new(scene, &initial)?;
                let identities = Identities::first(initial.bodies.len());
                let groups = Groups::new(scene, initial.sizes_of_groups());
                Ok(Self { initial, materials, identities, groups, handover: Handover::default() })
            }
        }
    }

    /// Takes over the bodies of the checkpoint at `path`, and sets their time to zero. Materials and walls are matched
    /// by name.
    fn of_run(scene: &Scene, path: &Path) -> Result<Self, GrainsError> {
        let (stored, former, _) = storage::read(path, "start")?;
        let unusable = storage::unusable(path);
        let StoredRun { progress, bodies, state, engine, .. } = stored;
        let plan = Plan::new(&former).map_err(|error| unusable(error.to_string()))?;
        let stage = plan.stages.get(progress.clock.stage).ok_or_else(|| unusable("there is no such stage".into()))?;
        let restored = Parts::bare(&stage.scene, smallest_radius(&bodies))
            .map_err(engine::RestoreError::from)
            .and_then(|parts| engine::restore(&stage.scene, parts, progress.clock.dt, &engine));
        let engine = restored.map_err(|error| unusable(error.to_string()))?;
        let mut handover = engine.hand_over();
        if let Some(domain) = progress.domain {
            check_box(scene, domain, state.time(), &unusable)?;
        }
        let numbers = wall_numbers(&former, scene);
        handover.moisture = handover.moisture.map(|moisture| {
            // The work of walls in the former run does not count here.
            Moisture { wall_work: 0.0, ..moisture.with_walls(|wall| numbers.of(wall)) }
        });
        let materials = MaterialNumbers {
            bodies: materials(&former, scene, &progress.materials.bodies, bodies.len())?,
            walls: wall_materials(scene)?,
        };
        let mut notes = Vec::new();
        if let Some(histories) = &mut handover.histories {
            notes.extend(notes_on_unknown_walls(&former, &numbers, histories));
            histories.renumber_walls(numbers.count, |wall| numbers.of(wall));
        }
        let mut state = with_attitudes(state);
        state.set_time(0.0);
        let groups = progress.groups.with_sources(scene);
        // Groups driven in the former run are at rest until a stage drives them.
        let was_driven = |group: u32| progress.drivers.iter().any(|driver| driver.group == group);
        state.drive_fixed(&bodies, |body, _| was_driven(groups.all()[body]).then_some(DVec3::ZERO));
        state.discard_wrenches();
        let initial = InitialBodies::continued(bodies, state, notes);
        Ok(Self { initial, materials, identities: progress.identities, groups, handover })
    }
}

/// Checks that the box of `scene` is that of the former run at `time` (s).
fn check_box(
    scene: &Scene,
    former: Domain,
    time: f64,
    unusable: impl Fn(String) -> GrainsError,
) -> Result<(), GrainsError> {
    let former = former.at(time).map_err(|error| unusable(error.to_string()))?;
    let [edges, own] = [former, domain(scene)?].map(|domain| domain.high() - domain.low());
    let problem = if former.offset().abs() > 0.0 {
        format!("its box is sheared by {} m, which no `box` of a scene can be", former.offset())
    } else if (edges - own).abs().max_element() > 1e-9 * edges.max_element() {
        let [x, y, z] = edges.to_array();
        format!("its box has the edges {x}, {y} and {z} m at the end: give `box` the same, from the same `low` on")
    } else {
        return Ok(());
    };
    Err(unusable(problem))
}

fn with_attitudes(state: State) -> State {
    if state.has_attitudes() {
        return state;
    }
    let mut same = State::at_rest(state.len());
    *same.position_mut() = state.position().clone();
    *same.velocity_mut() = state.velocity().clone();
    *same.angular_momentum_mut() = state.angular_momentum().clone();
    same
}

/// Finds the number in `scene` of each wall of the scene `former` by name.
fn wall_numbers(former: &Scene, scene: &Scene) -> WallNumbers {
    let first = |scene: &Scene, group: usize| scene.walls[..group].iter().map(|wall| wall.shape.count()).sum::<usize>();
    let mut numbers = Vec::new();
    for wall in &former.walls {
        let same = |other: &WallGroup| {
            wall.name.is_some() && other.name == wall.name && other.shape.count() == wall.shape.count()
        };
        let found = scene.walls.iter().position(same).map(|group| first(scene, group));
        numbers.extend((0..wall.shape.count()).map(|k| found.map(|first| first + k)));
    }
    WallNumbers { now: numbers, count: first(scene, scene.walls.len()) }
}

struct WallNumbers {
    now: Vec<Option<usize>>,
    count: usize,
}

impl WallNumbers {
    fn of(&self, wall: usize) -> Option<usize> {
        self.now.get(wall).copied().flatten()
    }
}

/// Returns notes on walls of the scene `former` without a counterpart in the present scene, although contacts with them
/// have histories.
fn notes_on_unknown_walls(former: &Scene, numbers: &WallNumbers, histories: &AllHistories) -> Vec<Note> {
    let mut notes = Vec::new();
    let mut first = 0;
    for group in &former.walls {
        let walls = first..first + group.shape.count();
        first = walls.end;
        let contacts: usize =
            walls.filter(|&wall| numbers.of(wall).is_none()).map(|wall| histories.at_wall(wall)).sum();
        if contacts == 0 {
            continue;
        }
        let text = match &group.name {
            Some(name) => format!(
                "contacts with the wall `{name}` of the start begin anew: {contacts}. No wall of this scene has this name \
                 and as many parts: give it its former `name` if it is the same wall"
            ),
            None => format!(
                "contacts with a wall of the start that has no `name` begin anew: {contacts}. Give walls a `name` in both \
                 scenes"
            ),
        };
        notes.push(Note::new("start", text));
    }
    notes
}

/// Returns a note on the number of contacts of a `start` that begin without history, if any.
pub(super) fn note_on_lost_histories(contacts: usize) -> Option<Note> {
    let text = format!("contacts whose laws are not those of the start begin anew: {contacts}");
    (contacts > 0).then(|| Note::new("start", text))
}

/// Finds for each body the number of its material in `scene`, by the names of materials in `former` and `scene`; empty
/// for a single material.
fn materials(former: &Scene, scene: &Scene, numbers: &[u16], bodies: usize) -> Result<Vec<u16>, GrainsError> {
    let Some(model) = &scene.contact else { return Ok(Vec::new()) };
    let names = model.names();
    if names.len() <= 1 {
        return Ok(Vec::new());
    }
    let before = former.contact.as_ref().map_or_else(Vec::new, crate::scene::contact::ContactModel::names);
    if numbers.is_empty() && before.len() <= 1 {
        // All bodies have the only material, or one without a name.
        let number = match before.first().filter(|name| *name != OTHER) {
            Some(name) => material_number(&names, name, "start")?,
            None => names.iter().position(|known| known == OTHER).unwrap_or(0) as u16,
        };
        return Ok(vec![number; bodies]);
    }
    let now = before.iter().map(|name| material_number(&names, name, "start")).collect::<Vec<_>>();
    numbers
        .iter()
        .map(|&number| match now.get(number as usize) {
            Some(Ok(number)) => Ok(*number),
            _ => material_number(&names, before.get(number as usize).map_or("", String::as_str), "start"),
        })
        .collect()
}
