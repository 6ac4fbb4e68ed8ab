//! The walls of a run: whether they are present, and how they move.

use dem_contact::wall::{Servo, Shape, Wall};
use rrp_geom::glam::DVec3;
use serde::{Deserialize, Serialize};

use crate::build::drives::driven;
use crate::build::walls::group_of;
use crate::error::GrainsError;
use crate::plan::PlannedStage;
use crate::scene::stages::WallChange;
use crate::scene::walls::motion::WallMotion;

/// A wall that may come and go with stages. A wall has the same number in all stages.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct StagedWall {
    wall: Wall,
    is_there: bool,
}

impl StagedWall {
    pub(crate) fn new(wall: Wall) -> Self {
        Self { wall, is_there: true }
    }

    /// Returns the wall for an engine. `Shape::Nowhere` replaces an absent wall, so that other walls keep their
    /// numbers.
    pub(crate) fn as_it_acts(&self) -> Wall {
        if self.is_there { self.wall.clone() } else { Wall::new(Shape::Nowhere, self.wall.point()) }
    }

    /// Returns the reference point of the wall in m at `time` (s); an absent wall keeps its last one.
    pub(crate) fn point_at(&self, time: f64) -> DVec3 {
        self.wall.point_at(time)
    }

    pub(crate) fn shape(&self) -> &Shape {
        self.wall.shape()
    }

    pub(crate) fn is_there(&self) -> bool {
        self.is_there
    }

    /// Returns the target force in N of this wall's `servo` at `time` (s).
    pub(crate) fn force_of(&self, servo: &Servo, time: f64) -> f64 {
        servo.force(&self.wall, time)
    }

    /// Takes over the wall after a motion by the engine.
    pub(crate) fn follow(&mut self, wall: Wall) {
        self.wall = wall;
    }

    /// Lets the wall continue with its velocity and spin at `time` (s), without a new start of its servo.
    pub(crate) fn glide(&mut self, time: f64) {
        self.wall = self.wall.gliding_from(time);
    }

    /// Applies the change of a stage, with keys under `at`, to the wall at `time` (s). `scene` is the motion of an
    /// added wall in the scene of this stage.
    fn change(&mut self, change: &WallChange, scene: &WallMotion, time: f64, at: &str) -> Result<(), GrainsError> {
        self.wall = self.wall.held_at(time);
        self.is_there = *change != WallChange::Gone;
        let (motion, pivot) = match change {
            WallChange::Gone | WallChange::Rest => return Ok(()),
            // The wall turns about its former point, which has moved with it, unless the motion gives a pivot.
            WallChange::There => (scene, None),
            WallChange::Move(motion) => (motion.as_ref(), motion.pivot),
        };
        let [velocity, spin] = [motion.velocity, motion.spin].map(DVec3::from_array);
        let wall = match pivot {
            Some(pivot) => self.wall.clone().about(DVec3::from_array(pivot)),
            None => self.wall.clone(),
        };
        self.wall = driven(wall.moving(velocity).rotating(spin), &motion.drive(), at)?;
        Ok(())
    }
}

/// Applies the changes of a stage to `walls` at `time` (s), the start of the stage. Returns the numbers of the walls
/// that it adds.
///
/// # Errors
/// For invalid motions; the error names the key.
pub(crate) fn begin_stage(
    walls: &mut [StagedWall],
    stage: &PlannedStage,
    time: f64,
) -> Result<Vec<usize>, GrainsError> {
    let mut came = Vec::new();
    for (number, wall) in walls.iter_mut().enumerate() {
        let group = group_of(&stage.scene, number);
        for (_, change) in stage.changes.iter().filter(|(changed, _)| *changed == group) {
            let was_there = wall.is_there;
            wall.change(change, &stage.scene.walls[group].motion(), time, &stage.key_of("walls"))?;
            if wall.is_there && !was_there {
                came.push(number);
            }
        }
    }
    Ok(came)
}
