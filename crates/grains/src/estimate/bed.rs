//! Trial bed of grains that touch each other and a floor, for the late steps of a run whose bodies hardly touch at
//! first.

use std::path::Path;
use std::time::Duration;

use rrp_geom::glam::DVec3;

use super::FEWEST_STEPS;
use super::results::Results;
use super::spent::{Spent, Watch};
use crate::scene::Scene;
use crate::scene::bodies::{BodyGroup, Place};
use crate::scene::bonds::BondGroups;
use crate::scene::contact::ContactModel;
use crate::scene::liquid::LiquidGroup;
use crate::scene::time::{TimeStep, Timing};
use crate::scene::walls::motion::WallDrive;
use crate::scene::walls::{WallGroup, WallShape};
use crate::simulation::Simulation;

/// Shortest clock time of the trial steps of a bed.
const TRIAL: Duration = Duration::from_millis(500);
/// Largest number of bodies of a trial bed; costs are extrapolated to larger beds in proportion to their bodies.
const MOST: usize = 8000;
/// Distance of neighbours in a trial bed, in radii. They overlap by a thousandth of a diameter, so that rounding opens
/// no contact.
const APART: f64 = 1.998;
/// Factor between the cost of steps of a bed that flows or slides and that of a bed at rest on a lattice: the list of
/// pairs is rebuilt, and bodies touch more walls.
const IN_MOTION: f64 = 2.0;

#[derive(Debug, Clone, Copy)]
pub(super) struct Bed {
    pub(super) step: Spent,
    /// Costs of the results of the whole run with its bodies in a bed.
    pub(super) results: Results,
}

impl Bed {
    /// Takes trial steps of a bed of `count` grains like those of `simulation`, each of which touches six others, and
    /// returns the costs of the bed; none if these steps fail. `steps` is the number of steps of the run.
    pub(super) fn tried(scene: &Scene, simulation: &Simulation, count: usize, steps: u64, quick: bool) -> Option<Self> {
        let grain = Grain::of(scene, simulation)?;
        let side = (count.min(MOST) as f64).cbrt().ceil().max(1.0) as usize;
        let factor = count as f64 / side.pow(3) as f64;
        let dense = dense(scene, &grain, side, simulation.dt());
        let mut bed = Simulation::new(&dense, Path::new(""), false).ok()?;
        bed.drop_unwritten();
        let watch = Watch::start();
        while !bed.is_over() && (bed.steps_taken() < FEWEST_STEPS || watch.clock.elapsed() < TRIAL) {
            bed.step().ok()?;
        }
        let step = watch.spent().times(IN_MOTION * factor / bed.steps_taken().max(1) as f64);
        let results = Results::tried(&dense, &bed, steps, quick).ok()?.times(factor);
        Some(Self { step, results })
    }
}

struct Grain {
    radius: f64,
    mass: f64,
    material: Option<String>,
}

impl Grain {
    /// Returns a grain like the first free body, or else like the first grain of a source, if any.
    fn of(scene: &Scene, simulation: &Simulation) -> Option<Self> {
        let bodies = simulation.bodies();
        let is_free = |i: &usize| bodies.inverse_mass()[*i] > 0.0 && bodies.radius()[*i] > 0.0;
        if let Some(body) = (0..bodies.len()).find(is_free) {
            // Materials of fixed bodies may be too stiff for these steps, so the material is that of a free group.
            let group = scene.bodies.iter().find(|group| !group.fixed);
            let material = match group {
                Some(group) => group.material.clone(),
                None => scene.sources.first().and_then(|source| source.material.clone()),
            };
            return Some(Self { radius: bodies.radius()[body], mass: bodies.mass()[body], material });
        }
        let source = simulation.sources.first()?;
        let radius = source.grains.size(0).0;
        let material = scene.sources.first().and_then(|source| source.material.clone());
        Some(Self { radius, mass: source.body(radius).mass, material })
    }
}

/// Makes the scene of a bed of `side`³ grains on a floor, in steps of `dt` (s).
fn dense(scene: &Scene, grain: &Grain, side: usize, dt: f64) -> Scene {
    let radius = grain.radius;
    let place = Place::Lattice { origin: [0.0; 3], count: [side; 3], spacing: [APART * radius; 3] };
    let mass = Some(grain.mass);
    let material = grain.material.clone();
    let group = BodyGroup { place, radius: Some(radius), mass, material, ..BodyGroup::default() };
    let contact = scene.contact.clone().map(|model| ContactModel { wall_materials: Vec::new(), ..model });
    let floor = WallShape::Plane {
        point: [0.0, 0.0, -radius],
        normal: [0.0, 0.0, 1.0],
        velocity: [0.0; 3],
        spin: [0.0; 3],
        pivot: None,
    };
    let floor = WallGroup { name: None, material: None, groups: Vec::new(), shape: floor, drive: WallDrive::default() };
    Scene {
        contact,
        gravity: [0.0, 0.0, -DVec3::from_array(scene.gravity).length()],
        time: Timing { dt: TimeStep::Fixed(dt), duration: Some(1e6 * dt), quick: None },
        simulation_box: None,
        bodies: vec![group],
        walls: vec![floor],
        liquid: scene.liquid.clone().map(|liquid| LiquidGroup { walls: Vec::new(), ..liquid }),
        bonds: BondGroups::default(),
        ties: None,
        start: None,
        stages: Vec::new(),
        sources: Vec::new(),
        gates: Vec::new(),
        measures: Vec::new(),
        ..scene.clone()
    }
}
