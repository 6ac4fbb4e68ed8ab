//! Forces between bodies and walls.
//!
//! [`WallForces`] owns the walls and the loads on them. The evaluation of a tile includes the contacts of its bodies
//! with walls (`tile_walls`): `near_walls` has the walls near each body, `wall_moments` is a wall at the end and in the
//! middle of a step with the slip there, and `wall_sums` adds up the loads. `felt_walls` says which bodies feel which
//! walls, `crossings` finds bodies that went through a wall within a step.

pub(crate) mod crossings;
pub(crate) mod felt_walls;
pub(crate) mod near_walls;
pub(crate) mod tile_walls;
pub(crate) mod wall_moments;
pub(crate) mod wall_sums;

use rrp_parallel::ExactSum;

use crate::error::DemError;
use crate::error::wall::check_finite;
use crate::force::tiles::scene::Needs;
use crate::force::wall_forces::near_walls::NearWalls;
use crate::force::wall_forces::wall_moments::WallMoments;
use crate::force::wall_forces::wall_sums::WallSums;
use crate::neighbor::NeighborList;
use crate::wall::{Servo, Wall, WallLoad};

/// Walls of a run, the loads of the bodies on them, and which bodies are near them.
#[derive(Debug, Clone, Default)]
pub(super) struct WallForces {
    pub(super) walls: Vec<Wall>,
    /// Walls near the bodies of each tile of the list with number `list`, counted by [`NeighborList::builds`].
    near: Vec<NearWalls>,
    list: u64,
    /// Load of the bodies on each wall at the last accepted state; `pending_loads` has the loads of the last
    /// evaluation.
    pub(super) loads: Vec<WallLoad>,
    pub(super) pending_loads: Vec<WallLoad>,
    /// Load in the last evaluation of the bodies of each tile (outer index) on each wall (inner index). Empty before
    /// the first evaluation; the inner vectors are empty if there are no walls.
    pub(super) of_tiles: Vec<Vec<WallSums>>,
    /// Power in W, for each wall, of the whole force of the bodies on the wall, and of the part of this force that is
    /// not elastic, in the last evaluation.
    pub(super) powers: Vec<[f64; 2]>,
    /// Energy in J that the springs of wall contacts store at the last evaluated state, if an energy ledger is kept.
    pub(super) stored: f64,
}

impl WallForces {
    pub(super) fn new(walls: Vec<Wall>) -> Self {
        let loads = vec![WallLoad::default(); walls.len()];
        Self { walls, pending_loads: loads.clone(), loads, ..Self::default() }
    }

    /// Returns all walls in their poses at `time` (s), and at the beginning and in the middle of the step that ends
    /// then.
    ///
    /// # Errors
    /// Errors of walls whose motion has no finite value.
    pub(super) fn moving<'a>(
        walls: &'a [Wall],
        list: &NeighborList,
        needs: &Needs,
        time: f64,
    ) -> Result<Vec<WallMoments<'a>>, DemError> {
        let periods = list.domain().periods();
        let moving = walls.iter().enumerate().map(|(number, wall)| {
            let end = wall.placed(time);
            let middle = wall.placed(time - 0.5 * needs.elapsed);
            end.check(number, periods)?;
            middle.check(number, periods)?;
            let begin = wall.placed(time - needs.elapsed);
            let way = end.moved(&begin.motionless(), end.extent());
            Ok(WallMoments { begin, middle, end, way })
        });
        moving.collect()
    }

    pub(super) fn near_bodies(&mut self, list: &NeighborList) -> (&[Wall], &mut [NearWalls]) {
        if self.near.is_empty() || self.list != list.builds() {
            (self.list, self.near) = (list.builds(), vec![NearWalls::default(); list.tiling().tiles.len()]);
        }
        (&self.walls, &mut self.near)
    }

    /// Sums the loads on walls over all tiles, exactly, so that the order of the tiles is irrelevant.
    pub(super) fn sum_loads(&mut self, tiles: Vec<Vec<WallSums>>) {
        self.powers.clear();
        let mut stored = ExactSum::ZERO;
        for (number, load) in self.pending_loads.iter_mut().enumerate() {
            let total = WallSums::sum(tiles.iter().filter_map(|tile| tile.get(number)));
            *load = total.load;
            self.powers.push(total.powers);
            stored.add(total.stored);
        }
        (self.stored, self.of_tiles) = (stored.value(), tiles);
    }

    pub(super) fn forget_near(&mut self) {
        self.near.clear();
    }

    pub(super) fn replace(&mut self, number: usize, wall: Wall) {
        self.walls[number] = wall;
        self.near.clear();
    }

    /// Lets a servo set the motion of the wall, under this load, in the next step of `dt` (s) from `time` (s) on. The
    /// wall stays at its place, so the bodies near it stay known.
    pub(super) fn steer(
        &mut self,
        number: usize,
        servo: &Servo,
        load: &WallLoad,
        time: f64,
        dt: f64,
    ) -> Result<(), DemError> {
        let mut wall = self.walls[number].clone();
        servo.steer(&mut wall, load, time, dt);
        let end = wall.pose(time + dt);
        let velocity = wall.pose(time).velocity;
        check_finite(number, [("point", wall.point()), ("velocity", velocity), ("acceleration", end.velocity)])?;
        self.walls[number] = wall;
        Ok(())
    }

    pub(super) fn remove(&mut self, number: usize) {
        self.walls.remove(number);
        self.loads.remove(number);
        self.pending_loads.remove(number);
        self.powers.clear();
        self.near.clear();
    }

    pub(super) fn commit(&mut self) {
        self.loads.copy_from_slice(&self.pending_loads);
    }

    /// Accepts the loads of the last evaluation, of a state that a caller modified between steps. Loads that are not
    /// finite come from an invalid modification and are ignored.
    pub(super) fn show_loads(&mut self) {
        if self.pending_loads.iter().all(|load| load.force.is_finite() && load.torque.is_finite()) {
            self.loads.copy_from_slice(&self.pending_loads);
        }
    }

    /// Whether any wall has images in a periodic domain; centres of bodies then have to stay inside the domain.
    pub(super) fn have_images(&self) -> bool {
        self.walls.iter().any(Wall::has_images)
    }
}
