//! Detection of the contacts that may close within a step.

use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, State};

use crate::contact_dynamics::motion::Velocities;
use crate::contact_dynamics::rigid_contact::RigidContact;
use crate::cuboid::contact::sphere_contact;
use crate::cuboid::shape::Cuboid;
use crate::error::DemError;
use crate::error::contact::ContactError;
use crate::error::wall::WallError;
use crate::law::PowerByMotion;
use crate::neighbor::NeighborList;
use crate::wall::Wall;
use crate::wall::images::{Touched, TouchedPoints};
use crate::wall::placed::Placed;

/// Detected contact of rigid bodies, from which the row of the matrix B (gradient of the gap) is computed.
#[derive(Debug, Clone, Copy)]
pub(super) struct DetectedContact {
    pub(super) contact: RigidContact,
    /// Lever r × n in m of the contact normal n about the centre of each body, for the gap's rate; zero for spheres.
    pub(super) levers: [DVec3; 2],
    /// Vectors from the centres of both bodies to the contact point on their surfaces, in m; zero for the wall.
    pub(super) arms: [DVec3; 2],
    /// Velocity of the wall along the normal of the contact in m/s; zero for two bodies.
    pub(super) wall_rate: f64,
    /// Velocity of the touched wall at the contact point in m/s; zero for two bodies.
    pub(super) wall_velocity: DVec3,
    /// Angular velocity of the touched wall in rad/s; zero for two bodies.
    pub(super) wall_spin: DVec3,
}

impl DetectedContact {
    fn of_pair(contact: RigidContact, levers: [DVec3; 2], arms: [DVec3; 2]) -> Self {
        Self { contact, levers, arms, wall_rate: 0.0, wall_velocity: DVec3::ZERO, wall_spin: DVec3::ZERO }
    }
}

/// Detector of contacts between rigid bodies: the neighbour list of bodies, with the walls and cuboids.
#[derive(Debug, Clone)]
pub(super) struct ContactDetector {
    list: NeighborList,
    /// Skin in m that was asked for; the neighbour list may have a thicker skin.
    skin: f64,
    pub(super) walls: Vec<Wall>,
    pub(super) cuboids: Vec<Cuboid>,
}

impl ContactDetector {
    pub(super) fn new(list: NeighborList) -> Self {
        Self { skin: list.skin(), list, walls: Vec::new(), cuboids: Vec::new() }
    }

    pub(super) fn list(&self) -> &NeighborList {
        &self.list
    }

    /// Replaces all walls.
    ///
    /// # Errors
    /// [`WallError::InvalidWall`] or [`WallError::WallAcrossPeriodic`].
    pub(super) fn set_walls(&mut self, walls: impl IntoIterator<Item = Wall>) -> Result<(), DemError> {
        self.walls = walls.into_iter().collect();
        let periods = self.list.domain().periods();
        self.walls.iter().enumerate().try_for_each(|(w, wall)| wall.check(w, periods))
    }

    /// Replaces all cuboids.
    ///
    /// # Errors
    /// [`StepError::InvalidCuboid`](crate::error::StepError::InvalidCuboid).
    pub(super) fn set_cuboids(&mut self, cuboids: impl IntoIterator<Item = Cuboid>) -> Result<(), DemError> {
        self.cuboids = cuboids.into_iter().collect();
        Cuboid::check_shapes(&self.cuboids)
    }

    pub(super) fn skin(&self) -> f64 {
        self.skin
    }

    /// Displacement per angle of the point of a body's surface that turning moves furthest, in m; zero for a sphere.
    fn turning_radius(&self, body: usize) -> f64 {
        self.cuboids.iter().find(|cuboid| cuboid.body == body).map_or(0.0, Cuboid::bounding_radius)
    }

    /// Bound in m on the displacement of the surface of `body` in a step of `dt` (s), turning of cuboids included.
    pub(super) fn travel(&self, velocity: &Velocities, body: usize, dt: f64) -> f64 {
        let angular = velocity.angular.get(body).copied().unwrap_or_default();
        dt * (velocity.linear[body].length() + self.turning_radius(body) * angular.length())
    }

    /// Finds all contacts at `state` that may close in a step of `dt` (s): the gap is at most the distance that both
    /// bodies may move by `travel_bound` (m), or the body and the wall. Contacts are sorted, pairs of bodies first.
    ///
    /// # Errors
    /// Errors of cuboids or walls that do not fit, of two spheres at one point, and of building the neighbour list.
    pub(super) fn detect(
        &mut self,
        bodies: &Bodies,
        state: &State,
        dt: f64,
        travel_bound: &[f64],
    ) -> Result<Vec<DetectedContact>, DemError> {
        let most = travel_bound.iter().fold(0.0_f64, |most, bound| most.max(*bound));
        let largest = bodies.radius().iter().fold(0.0_f64, |most, radius| most.max(*radius));
        Cuboid::check_all(&self.cuboids, bodies, self.list.domain(), largest + 2.0 * most)?;
        self.update_list(bodies, state, 2.0 * most)?;
        let mut found = self.detect_pairs(bodies, state, travel_bound)?;
        self.detect_cuboids(bodies, state, travel_bound, &mut found);
        self.detect_walls(bodies, state, dt, travel_bound, &mut found)?;
        found.sort_unstable_by_key(|found| found.contact.key());
        Ok(found)
    }

    /// Updates the neighbour list, so that it has all pairs with gaps up to `need` (m).
    fn update_list(&mut self, bodies: &Bodies, state: &State, need: f64) -> Result<(), DemError> {
        let radius = bodies.radius();
        let position = state.position();
        self.list.set_fixed(bodies.fixed());
        // A skin thicker than needed lets the list serve several steps.
        let thick = 1.5 * need.max(self.skin);
        if self.list.skin() < need || self.list.skin() > 4.0 * thick {
            let largest = radius.iter().fold(0.0_f64, |most, radius| most.max(*radius));
            let fits = self.list.domain().check_cutoff(2.0 * largest + thick).is_ok();
            self.list = self.list.fresh(if fits { thick } else { need })?;
        }
        self.list.update(radius, position)?;
        if self.list.current.covered_gap() < need {
            self.list.forget();
            self.list.update(radius, position)?;
        }
        Ok(())
    }

    fn detect_pairs(
        &self,
        bodies: &Bodies,
        state: &State,
        travel_bound: &[f64],
    ) -> Result<Vec<DetectedContact>, DemError> {
        let position = state.position();
        let mut found = Vec::new();
        for [a, b] in self.list.pairs() {
            let separation = self.list.domain().separation(position.get(a), position.get(b));
            let (distance, [ra, rb]) = (separation.length(), [a, b].map(|i| bodies.radius()[i]));
            let gap = distance - (ra + rb);
            if gap > travel_bound[a] + travel_bound[b] {
                continue;
            }
            if distance <= 0.0 {
                let radius = ra.min(rb);
                return Err(DemError::Contact(ContactError::OverlapTooLarge { bodies: [a, b], overlap: -gap, radius }));
            }
            let normal = separation / distance;
            let point = position.get(a) + (ra + 0.5 * gap) * normal;
            let contact = RigidContact { radius: ra * rb / (ra + rb), ..rigid_contact(a, b, normal, point, gap) };
            found.push(DetectedContact::of_pair(contact, [DVec3::ZERO; 2], [ra * normal, -rb * normal]));
        }
        Ok(found)
    }

    fn detect_cuboids(&self, bodies: &Bodies, state: &State, travel_bound: &[f64], found: &mut Vec<DetectedContact>) {
        for cuboid in &self.cuboids {
            let body = cuboid.body;
            for sphere in 0..bodies.len() {
                let near = travel_bound[body] + travel_bound[sphere];
                let Some(touch) = sphere_contact(self.list.domain(), cuboid, sphere, bodies, state, near) else {
                    continue;
                };
                if touch.gap > near || is_fixed(bodies, body) && is_fixed(bodies, sphere) {
                    continue;
                }
                let point = state.position().get(body) + touch.arm;
                let mut contact = rigid_contact(body, sphere, touch.normal, point, touch.gap);
                let mut levers = [touch.arm.cross(touch.normal), DVec3::ZERO];
                let mut arms = [touch.arm, -bodies.radius()[sphere] * touch.normal];
                if sphere < body {
                    let from_sphere = state.position().get(sphere) - bodies.radius()[sphere] * touch.normal;
                    let point = from_sphere - touch.gap * touch.normal;
                    contact = rigid_contact(sphere, body, -touch.normal, point, touch.gap);
                    levers = [DVec3::ZERO, -levers[0]];
                    arms.reverse();
                }
                contact.radius = bodies.radius()[sphere];
                found.push(DetectedContact::of_pair(contact, levers, arms));
            }
        }
    }

    fn detect_walls(
        &self,
        bodies: &Bodies,
        state: &State,
        dt: f64,
        travel_bound: &[f64],
        found: &mut Vec<DetectedContact>,
    ) -> Result<(), DemError> {
        let periods = self.list.domain().periods();
        for (w, wall) in self.walls.iter().enumerate() {
            let placed = wall.placed(state.time());
            let later = wall.placed(state.time() + dt);
            placed.check(w, periods)?;
            later.check(w, periods)?;
            let Some((origin, out)) = placed.plane().filter(|_| !wall.turns()) else {
                self.detect_surface(
                    w,
                    WallMotion { placed: &placed, later: &later, dt },
                    bodies,
                    state,
                    travel_bound,
                    found,
                )?;
                continue;
            };
            let normal = -out;
            let velocity = if wall.is_uniform() { placed.velocity } else { (later.point - placed.point) / dt };
            let wall_rate = velocity.dot(normal);
            let wall_travel = dt * wall_rate.abs();
            let mut check = |body: usize, corner: u8, arm: DVec3, radius: f64| {
                let centre = state.position().get(body) + arm;
                let gap = (origin - centre).dot(normal) - radius;
                if gap <= travel_bound[body] + wall_travel {
                    let contact = rigid_contact(body, w, normal, centre + (radius + gap) * normal, gap);
                    let contact = RigidContact { with_wall: true, corner, radius, ..contact };
                    found.push(DetectedContact {
                        contact,
                        levers: [arm.cross(normal), DVec3::ZERO],
                        arms: [arm + radius * normal, DVec3::ZERO],
                        wall_rate,
                        wall_velocity: velocity,
                        wall_spin: placed.spin,
                    });
                }
            };
            for body in (0..bodies.len()).filter(|&body| bodies.radius()[body] > 0.0 && !is_fixed(bodies, body)) {
                check(body, 0, DVec3::ZERO, bodies.radius()[body]);
            }
            for cuboid in self.cuboids.iter().filter(|cuboid| !is_fixed(bodies, cuboid.body)) {
                let attitude = state.attitude().get(cuboid.body);
                for (corner, arm) in (0..).zip(cuboid.corners()) {
                    check(cuboid.body, corner, attitude.rotate(arm), 0.0);
                }
            }
        }
        Ok(())
    }

    /// Detects contacts of spheres with a curved or turning wall. The wall velocity is the displacement of the wall's
    /// material in the step over `dt`. Inside a hollow wall a gap shrinks faster than its linearisation, by the square
    /// of the travel over twice the radius of curvature.
    fn detect_surface(
        &self,
        w: usize,
        WallMotion { placed, later, dt }: WallMotion<'_>,
        bodies: &Bodies,
        state: &State,
        travel_bound: &[f64],
        found: &mut Vec<DetectedContact>,
    ) -> Result<(), DemError> {
        if self.cuboids.iter().any(|cuboid| !is_fixed(bodies, cuboid.body)) {
            let what = "a wall beside cuboids that move";
            let only = "a plane that does not turn";
            return Err(DemError::Wall(WallError::WallNotSupported { wall: w, what, only }));
        }
        let mut points = TouchedPoints::default();
        let periods = self.list.domain().periods();
        for body in (0..bodies.len()).filter(|&body| bodies.radius()[body] > 0.0 && !is_fixed(bodies, body)) {
            let at = state.position().get(body);
            let radius = bodies.radius()[body];
            let centre = self.list.domain().inside(at);
            let extent = (centre - placed.point).length() + radius + travel_bound[body];
            let far = travel_bound[body] + later.moved(&placed.motionless(), extent);
            placed.touch(centre, radius + far, periods, &mut points);
            for Touched { patch, shift, .. } in &points.touched {
                let normal = -patch.normal;
                let gap = patch.distance - radius;
                let here = (centre + *shift) + patch.distance * normal;
                let way = later.world(placed.local(here)) - here;
                let contact = rigid_contact(body, w, normal, at + patch.distance * normal, gap);
                let feature = patch.feature;
                let contact = RigidContact { with_wall: true, feature, radius, ..contact };
                found.push(DetectedContact {
                    contact,
                    levers: [DVec3::ZERO; 2],
                    arms: [radius * normal, DVec3::ZERO],
                    wall_rate: way.dot(normal) / dt,
                    wall_velocity: way / dt,
                    wall_spin: 0.5 * (placed.spin + later.spin),
                });
            }
        }
        Ok(())
    }
}

fn rigid_contact(a: usize, b: usize, normal: DVec3, point: DVec3, gap: f64) -> RigidContact {
    RigidContact {
        a,
        b,
        with_wall: false,
        corner: 0,
        feature: 0,
        normal,
        point,
        gap,
        slack: 0.0,
        force: 0.0,
        tangential_force: DVec3::ZERO,
        couple: DVec3::ZERO,
        power_by_motion: PowerByMotion::default(),
        compatible_force: None,
        radius: 0.0,
    }
}

/// Poses of a wall at the start and at the end of a step of `dt` (s).
#[derive(Clone, Copy)]
struct WallMotion<'a> {
    placed: &'a Placed<'a>,
    later: &'a Placed<'a>,
    dt: f64,
}

pub(super) fn is_fixed(bodies: &Bodies, body: usize) -> bool {
    bodies.inverse_mass()[body] <= 0.0
}
