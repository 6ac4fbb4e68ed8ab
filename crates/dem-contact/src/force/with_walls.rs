//! Adding, replacing, driving and reading the walls of contacts.

use crate::error::DemError;
use crate::force::ContactForce;
use crate::force::histories::wall_history::WallHistories;
use crate::force::wall_forces::WallForces;
use crate::force::wall_forces::felt_walls::FeltWalls;
use crate::wall::{Servo, Wall, WallLoad};

impl ContactForce {
    /// Replaces all walls by `walls`. Histories of wall contacts are dropped; materials stay with the numbers of walls.
    ///
    /// # Errors
    /// [`WallError::InvalidWall`](crate::error::WallError::InvalidWall),
    /// [`WallError::InvalidShape`](crate::error::WallError::InvalidShape) or
    /// [`WallError::WallAcrossPeriodic`](crate::error::WallError::WallAcrossPeriodic).
    pub fn with_walls(mut self, walls: impl IntoIterator<Item = Wall>) -> Result<Self, DemError> {
        let walls: Vec<Wall> = walls.into_iter().collect();
        for (w, wall) in walls.iter().enumerate() {
            wall.check(w, self.list.domain().periods())?;
        }
        if let Some(book) = &mut self.work {
            book.change_walls(Vec::clear);
        }
        self.histories.change_walls(|_| WallHistories::new());
        self.setup.felt = FeltWalls::default();
        Ok(Self { walls: WallForces::new(walls), ..self }.kept_inside())
    }

    /// Replaces the wall of this number by `wall`, which takes over contacts, histories and material of the former
    /// wall.
    ///
    /// Use this method to change the motion of a wall, or to store a run whose wall has a motion or a shape of your
    /// own, which cannot be stored: replace the wall by another one, store, restore, and replace it back.
    ///
    /// A state carries the forces of the former wall. If the new wall is elsewhere or at another velocity, call
    /// [`State::discard_wrenches`](rrp_integrate::State::discard_wrenches).
    ///
    /// # Errors
    /// [`DemError::InvalidParameter`] if there is no such wall; errors of [`with_walls`](Self::with_walls).
    pub fn with_wall(mut self, number: usize, wall: Wall) -> Result<Self, DemError> {
        self.check_number(number)?;
        wall.check(number, self.list.domain().periods())?;
        self.walls.replace(number, wall);
        Ok(self.kept_inside())
    }

    /// Sets which groups of bodies feel which walls; bodies of other groups pass through a wall.
    /// [`with_walls`](Self::with_walls) resets this setting. Give the groups of added bodies with
    /// [`NewBodies`](crate::force::NewBodies).
    ///
    /// # Errors
    /// [`DemError::InvalidParameter`] for more walls than there are.
    pub fn with_felt_walls(mut self, felt: FeltWalls) -> Result<Self, DemError> {
        if let Some(last) = felt.groups_of_wall.len().checked_sub(1) {
            self.check_number(last)?;
        }
        self.setup.felt = felt;
        self.walls.forget_near();
        Ok(self)
    }

    /// Returns which groups of bodies feel which walls.
    #[must_use]
    pub fn felt_walls(&self) -> &FeltWalls {
        &self.setup.felt
    }

    fn kept_inside(mut self) -> Self {
        self.list.keep_inside(self.walls.have_images());
        self
    }

    /// Removes the wall of this number, such as the plug of a hopper. The numbers of later walls decrease by one; later
    /// walls keep their materials and histories.
    ///
    /// A state still carries the forces of the wall: call
    /// [`State::discard_wrenches`](rrp_integrate::State::discard_wrenches).
    ///
    /// # Errors
    /// [`DemError::InvalidParameter`] if there is no such wall.
    pub fn without_wall(mut self, wall: usize) -> Result<Self, DemError> {
        self.check_number(wall)?;
        self.walls.remove(wall);
        self.setup.felt.remove_wall(wall);
        self.histories.change_walls(|entries| {
            let mut left = entries.filtered(|key| key.wall as usize != wall);
            left.keys_mut().iter_mut().for_each(|key| key.wall -= u32::from(key.wall as usize > wall));
            left
        });
        if wall < self.setup.laws.of_wall.len() {
            self.setup.laws.of_wall.remove(wall);
        }
        if let Some(book) = &mut self.work {
            book.change_walls(|powers| {
                if wall < powers.len() {
                    powers.remove(wall);
                }
            });
        }
        Ok(self.kept_inside())
    }

    /// Lets a servo set the motion of the wall of this number in the next step of `dt` (s), from its load at the last
    /// accepted state. Call this before each step with the time (s) of the state, unless the state has no wrenches yet:
    /// the load is then not known. If the step fails, call this again with the same time.
    ///
    /// ```
    /// # use dem_contact::force::ContactForce;
    /// # use dem_contact::law::{Damping, Frictionless, Hooke, Laws};
    /// # use dem_contact::neighbor::{Domain, NeighborList};
    /// # use dem_contact::wall::{Drive, Servo, Wall};
    /// # use rrp_geom::glam::DVec3;
    /// # use rrp_integrate::{Bodies, Body, Explicit, Integrator, Map, State};
    /// let bodies = Bodies::new([Body::sphere(1.0, 0.5)])?;
    /// let mut state = State::at_rest(1);
    /// state.position_mut().set(0, 0.5 * DVec3::Z);
    /// let walls = [Wall::plane(DVec3::ZERO, DVec3::Z), Wall::plane(1.01 * DVec3::Z, -DVec3::Z)];
    /// let list = NeighborList::new(Domain::OPEN, 0.1)?;
    /// let law = Hooke::new(1e4, Damping::restitution(0.5)?)?;
    /// let mut contacts = ContactForce::new(list, Laws::of(law, Frictionless)).with_walls(walls)?;
    /// let servo = Servo::new(-DVec3::Z, 20.0, Drive::Controlled { speed: 0.1, response: 0.1 })?;
    /// let mut steps = Explicit::new(Map::Verlet, 1e-3)?;
    /// for _ in 0..3000 {
    ///     if state.wrenches().is_some() {
    ///         contacts.steer(1, &servo, state.time(), 1e-3)?;
    ///     }
    ///     steps.step(&bodies, &mut contacts, &mut state)?;
    /// }
    /// assert!((contacts.wall_loads()[1].force.z - 20.0).abs() < 1e-3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`DemError::InvalidParameter`] if there is no such wall;
    /// [`WallError::InvalidWall`](crate::error::WallError::InvalidWall) for times or loads that are not finite.
    pub fn steer(&mut self, wall: usize, servo: &Servo, time: f64, dt: f64) -> Result<(), DemError> {
        self.check_number(wall)?;
        let load = self.walls.loads[wall];
        self.walls.steer(wall, servo, &load, time, dt)
    }

    pub(super) fn check_number(&self, wall: usize) -> Result<(), DemError> {
        if wall < self.walls.walls.len() {
            return Ok(());
        }
        let parameter = "the number of a wall";
        let range = "the number of a wall that is there";
        Err(DemError::InvalidParameter { parameter, range, value: wall as f64 })
    }

    /// Walls that bodies may touch, by wall number.
    #[must_use]
    pub fn walls(&self) -> &[Wall] {
        &self.walls.walls
    }

    /// Force and torque on each wall at the last accepted state.
    #[must_use]
    pub fn wall_loads(&self) -> &[WallLoad] {
        &self.walls.loads
    }
}
