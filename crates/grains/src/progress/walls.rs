//! The walls of a run: which are there, and how they move.

use dem_contact::wall::{Shape, Wall};
use rrp_geom::glam::DVec3;
use serde::{Deserialize, Serialize};

use crate::build::walls::group_of;
use crate::plan::PlannedStage;
use crate::scene::stages::WallChange;
use crate::scene::walls::WallMotion;

/// A wall that may come and go. Walls have the same numbers in all stages.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct StagedWall {
    wall: Wall,
    is_there: bool,
}

impl StagedWall {
    /// A wall that is there.
    pub(crate) fn new(wall: Wall) -> Self {
        Self { wall, is_there: true }
    }

    /// The wall for an engine, which keeps the number of one that is not there.
    pub(crate) fn as_it_acts(&self) -> Wall {
        if self.is_there { self.wall.clone() } else { Wall::new(Shape::Nowhere, self.wall.point()) }
    }

    fn change(&mut self, change: WallChange, scene: WallMotion, time: f64) {
        self.wall = self.wall.held_at(time);
        self.is_there = change != WallChange::Gone;
        let (motion, pivot) = match change {
            WallChange::Gone | WallChange::Rest => return,
            // It turns about the point that it had, which has moved with it.
            WallChange::There => (scene, None),
            WallChange::Move(motion) => (motion, motion.pivot),
        };
        let [velocity, spin] = [motion.velocity, motion.spin].map(DVec3::from_array);
        let wall = match pivot {
            Some(pivot) => self.wall.clone().about(DVec3::from_array(pivot)),
            None => self.wall.clone(),
        };
        self.wall = wall.moving(velocity).rotating(spin);
    }
}

/// Changes `walls` as a stage says that begins at `time` (s). Returns the numbers of walls that came.
pub(crate) fn begin_stage(walls: &mut [StagedWall], stage: &PlannedStage, time: f64) -> Vec<usize> {
    let mut came = Vec::new();
    for (number, wall) in walls.iter_mut().enumerate() {
        let group = group_of(&stage.scene, number);
        for &(_, change) in stage.changes.iter().filter(|(changed, _)| *changed == group) {
            let was_there = wall.is_there;
            wall.change(change, stage.scene.walls[group].shape.motion(), time);
            if wall.is_there && !was_there {
                came.push(number);
            }
        }
    }
    came
}
