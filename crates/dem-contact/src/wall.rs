//! Walls: surfaces that push bodies, their poses and their motions.
//!
//! A [`Wall`] is a [`Shape`] with a point and a motion. `surface` says what a shape returns: the patches nearest to a
//! centre, with their saddles; implement [`WallShape`] to add a shape. `cylinder`, `revolution` and the folder `mesh`
//! are shapes; `patch_reduction` finds which pieces of a surface are separate contacts. `motion` moves a wall, `table`
//! has motions by tables, `turn` turns by angles; `servo` drives a wall until it bears a given force, which `schedule`
//! may change with time; `servo_memory` measures the stiffness of the bodies. `placed` is a wall at one time, as its
//! callers see it, and `images` are its images in a periodic domain. `crossing` tells whether a centre went through a
//! surface.
//!
//! Walls know neither bodies nor lists. `force`, `implicit`, `statics` and `contact_dynamics` ask walls for patches.

pub(crate) mod crossing;
pub(crate) mod cylinder;
pub(crate) mod images;
mod mesh;
mod motion;
mod patch_reduction;
pub(crate) mod placed;
pub(crate) mod revolution;
mod schedule;
mod servo;
mod servo_memory;
pub(crate) mod shape;
pub(crate) mod surface;
mod table;
mod turn;

pub use self::cylinder::Cylinder;
pub use self::mesh::stl_import::{Solid, StlImport};
pub use self::mesh::triangle_mesh::TriangleMesh;
pub use self::motion::{WallMotion, WallPose};
pub use self::revolution::Revolution;
pub use self::schedule::Schedule;
pub use self::servo::{Drive, Servo};
pub use self::shape::Shape;
pub use self::surface::{Patch, Saddle, Sidedness, WallShape};
pub use self::table::MotionTable;
pub use self::turn::Turn;

use std::sync::Arc;

use rrp_geom::glam::DVec3;

use crate::error::DemError;
use crate::error::wall::{WallError, check_finite};
use crate::wall::cylinder::unit_along;
use crate::wall::images::TouchedPoints;
use crate::wall::motion::{Motion, Prescribed, Steady};
use crate::wall::placed::{Placed, TURNED};

/// Load of all bodies on one wall: force, torque, and number and overlaps of the contacts.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct WallLoad {
    /// Force on the wall in N, world frame.
    pub force: DVec3,
    /// Torque on the wall in N m, world frame, about the point of the wall.
    ///
    /// In a periodic domain, the torque on a plane or an endless cylinder depends on the periodic images of the bodies:
    /// each body counts at the image nearest to its position when the neighbour list was made.
    pub torque: DVec3,
    /// Number of contacts of the wall. One body may touch a wall at several points.
    pub contacts: usize,
    /// Sum of the overlaps of the contacts with the wall in m; zero in contact dynamics and implicit steps.
    pub overlap: f64,
}

/// Wall: a surface that bodies touch, such as a plane, a cylinder, a cone, triangles, or a user's own [`WallShape`]. A
/// wall can have a prescribed motion.
///
/// A contact with a wall follows the law of two bodies, of which the wall has infinite mass and radius. The normal of
/// the contact points from the body into the wall.
///
/// Planes and [cylinders](crate::wall::Cylinder) without ends are endless. Every other shape has images in a periodic
/// domain, a period apart, and bodies touch all images within reach. Where the image of a surface adjoins or overlaps
/// the surface, the surface goes on through the side of the domain, and its edge there is no end. Limit: where surface
/// and image meet at a concave angle, both faces bear the full force; see [`Saddle`].
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Wall {
    point: DVec3,
    /// Vector (m) from the point of the wall to the origin of the frame of its shape, before any rotation.
    offset: DVec3,
    shape: Shape,
    motion: Motion,
    /// Velocity (m/s) at which the surface of the wall runs like a belt, without the motion of the wall.
    running: DVec3,
}

impl Wall {
    /// Makes a wall at rest from a shape; the origin of the shape's frame is at `point` (m).
    #[must_use]
    pub fn new(shape: impl Into<Shape>, point: DVec3) -> Self {
        Self { point, offset: DVec3::ZERO, shape: shape.into(), motion: Motion::default(), running: DVec3::ZERO }
    }

    /// Makes a plane wall at rest. `normal` points to the bodies and may have any length.
    #[must_use]
    pub fn plane(point: DVec3, normal: DVec3) -> Self {
        Self::new(Shape::Plane(unit_along(normal).unwrap_or_default()), point)
    }

    /// Makes the six inner sides of the box from `low` to `high` (m): −x, +x, −y, +y, −z, +z.
    #[must_use]
    pub fn inside_of_box(low: DVec3, high: DVec3) -> [Self; 6] {
        std::array::from_fn(|side| {
            let axis = DVec3::AXES[side / 2];
            if side % 2 == 0 { Self::plane(low, axis) } else { Self::plane(high, -axis) }
        })
    }

    /// Whether the shape can have ends, so that the wall has images in a periodic domain.
    pub(crate) fn has_images(&self) -> bool {
        self.shape.has_images()
    }

    /// Sets the point of the wall to `point` (m): torques are taken about it, and rotations turn about it. The shape
    /// stays at its place.
    #[must_use]
    pub fn about(self, point: DVec3) -> Self {
        let offset = self.offset + self.steady_motion().turned.inverse() * (self.point - point);
        Self { offset, point, ..self }
    }

    /// Sets the `velocity` (m/s) of the wall; rotation and oscillation are kept. A [`driven`](Self::driven) wall loses
    /// its own motion.
    #[must_use]
    pub fn moving(self, velocity: DVec3) -> Self {
        self.steady(|steady| steady.velocity = velocity)
    }

    /// Makes the wall rotate about its point at the constant angular velocity `spin` (rad/s, world frame).
    #[must_use]
    pub fn rotating(self, spin: DVec3) -> Self {
        self.steady(|steady| steady.spin = spin)
    }

    /// Returns the wall at rest in its pose of `time` (s). A motion that is set next starts from this pose at `time`.
    /// With [`ContactForce::with_wall`](crate::force::ContactForce::with_wall), this method changes the motion of a
    /// wall during a run.
    ///
    /// ```
    /// # use dem_contact::wall::Wall;
    /// # use rrp_geom::glam::DVec3;
    /// let lid = Wall::plane(DVec3::Z, -DVec3::Z).moving(-0.1 * DVec3::Z);
    /// let lid = lid.held_at(2.0).moving(0.5 * DVec3::Z);
    /// assert!((lid.point_at(3.0).z - 1.3).abs() < 1e-15);
    /// ```
    #[must_use]
    pub fn held_at(&self, time: f64) -> Self {
        let WallPose { displacement, rotation, .. } = self.pose(time);
        let motion = Motion::from(Steady { since: time, turned: rotation, ..Steady::default() });
        Self { point: self.point + displacement, motion, running: DVec3::ZERO, ..self.clone() }
    }

    /// Returns the wall in its pose of `time` (s), moving on at the velocity and spin of that time. A servo that drives
    /// the wall keeps its memory.
    #[must_use]
    pub fn gliding_from(&self, time: f64) -> Self {
        let pose = self.pose(time);
        let held = self.held_at(time).running(self.running).moving(pose.velocity).rotating(pose.spin);
        let servo = self.steady_motion().servo;
        held.steady(|steady| steady.servo = servo)
    }

    fn began(&self) -> f64 {
        let steady = self.steady_motion();
        steady.servo.map_or(steady.since, |servo| servo.began)
    }

    /// Lets the surface of the wall run at `velocity` (m/s, world frame) like a belt, without moving the shape. At each
    /// contact only the component of this velocity along the surface counts. Implicit steps refuse walls with a running
    /// surface; contact dynamics ignores this velocity.
    ///
    /// ```
    /// # use dem_contact::wall::Wall;
    /// # use rrp_geom::glam::DVec3;
    /// let belt = Wall::plane(DVec3::ZERO, DVec3::Z).running(2.0 * DVec3::X);
    /// assert_eq!(belt.point_at(1.0), DVec3::ZERO);
    /// assert_eq!(belt.surface_velocity(), 2.0 * DVec3::X);
    /// ```
    #[must_use]
    pub fn running(self, velocity: DVec3) -> Self {
        Self { running: velocity, ..self }
    }

    /// Velocity (m/s) at which the surface of the wall [runs](Self::running), without the motion of the wall.
    #[must_use]
    pub fn surface_velocity(&self) -> DVec3 {
        self.running
    }

    /// Makes the wall oscillate about its position by `amplitude` sin(2π `frequency` t + `phase`), in m, Hz and rad,
    /// with the time t since its motion began (time zero, or that of [`held_at`](Self::held_at)).
    #[must_use]
    pub fn oscillating(self, amplitude: DVec3, frequency: f64, phase: f64) -> Self {
        self.steady(|steady| {
            (steady.amplitude, steady.frequency, steady.phase) = (amplitude, frequency, phase);
        })
    }

    /// Gives the wall a user-defined motion, which replaces any other motion.
    ///
    /// A wall with such a motion cannot be stored. To store a `ContactForce`, replace the wall by
    /// [`with_wall`](crate::force::ContactForce::with_wall).
    #[must_use]
    pub fn driven(self, motion: impl WallMotion + 'static) -> Self {
        Self { motion: Motion::Own(Arc::new(motion)), ..self }
    }

    /// Displaces the wall by a table, in addition to its other motion, from the time when that motion begins. A
    /// [`driven`](Self::driven) wall loses its own motion.
    #[must_use]
    pub fn following(self, table: MotionTable) -> Self {
        self.prescribed(|motion| motion.table = Some(Box::new(table)))
    }

    /// Turns the wall about its point by the angle of `turn`, in addition to its other motion, from the time when that
    /// motion begins. A constant spin must be along the axis of the turn. A [`driven`](Self::driven) wall loses its own
    /// motion.
    #[must_use]
    pub fn turning(self, turn: Turn) -> Self {
        self.prescribed(|motion| motion.turn = Some(Box::new(turn)))
    }

    fn steady(self, change: impl FnOnce(&mut Steady)) -> Self {
        self.prescribed(|motion| change(&mut motion.steady))
    }

    fn prescribed(mut self, change: impl FnOnce(&mut Prescribed)) -> Self {
        let mut prescribed = match self.motion {
            Motion::Prescribed(prescribed) => prescribed,
            Motion::Own(_) => Prescribed::default(),
        };
        change(&mut prescribed);
        self.motion = Motion::Prescribed(prescribed);
        self
    }

    fn set_motion(&mut self, motion: Motion) {
        self.motion = motion;
    }

    fn point_mut(&mut self) -> &mut DVec3 {
        &mut self.point
    }

    /// Returns the steady part of the wall's prescribed motion, or that of a wall at rest if the user implements the
    /// motion.
    fn steady_motion(&self) -> Steady {
        match &self.motion {
            Motion::Prescribed(prescribed) => prescribed.steady,
            Motion::Own(_) => Steady::default(),
        }
    }

    /// Point in m about which torques on the wall are taken, at the beginning of the motion and without oscillation. A
    /// motion begins at time zero unless the wall was [held](Self::held_at). The point of a plane is on the plane,
    /// unless [`about`](Self::about) has moved the point.
    #[must_use]
    pub fn point(&self) -> DVec3 {
        self.point
    }

    /// Shape of the wall, in coordinates of a frame that moves with the wall.
    #[must_use]
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Returns displacement, rotation and velocities of the wall at `time` (s).
    #[must_use]
    pub fn pose(&self, time: f64) -> WallPose {
        self.motion.pose(time)
    }

    /// Point of the wall in m, about which torques are taken, at `time` (s).
    #[must_use]
    pub fn point_at(&self, time: f64) -> DVec3 {
        self.point + self.pose(time).displacement
    }

    /// Origin of the frame of the wall's shape at `time` (s), in m.
    #[must_use]
    pub fn origin_at(&self, time: f64) -> DVec3 {
        self.placed(time).world(DVec3::ZERO)
    }

    /// Normal of a plane wall at `time` (s), towards the bodies; `None` for other shapes.
    #[must_use]
    pub fn normal_at(&self, time: f64) -> Option<DVec3> {
        match self.shape {
            Shape::Plane(normal) => Some(self.placed(time).turn(normal)),
            _ => None,
        }
    }

    /// Distance in m of `position` (m) from the wall at `time` (s), negative behind the wall; `None` for distances of
    /// `reach` (m) or more. Periodic images of the wall are left out.
    #[must_use]
    pub fn distance(&self, position: DVec3, time: f64, reach: f64) -> Option<f64> {
        let mut points = TouchedPoints::default();
        self.placed(time).touch(position, reach, DVec3::ZERO, &mut points);
        points.touched.iter().map(|touched| touched.patch.distance).reduce(f64::min)
    }

    /// Whether `position` (m) is, at `time` (s), in the solid that the wall bounds: behind a plane or a cylinder
    /// without ends, in a closed mesh or a closed profile, or in an image of the wall in a domain with these `periods`
    /// (m, zero in directions that are not periodic). The answer is `false` for surfaces with open edges or two sides,
    /// which bound no solid, and for a user's own shape.
    #[must_use]
    pub fn is_in_solid(&self, position: DVec3, time: f64, periods: DVec3) -> bool {
        let placed = self.placed(time);
        let is_behind = |local: DVec3| match &self.shape {
            Shape::Plane(normal) => local.dot(*normal) < 0.0,
            Shape::Cylinder(cylinder) => cylinder.signed_distance(local) < 0.0,
            Shape::Revolution(revolution) => revolution.is_behind(local),
            Shape::Mesh(mesh) => mesh.is_behind(local),
            Shape::Nowhere | Shape::Own(_) => false,
        };
        // If the solid surrounds a container, it is everywhere except in the container and its images.
        let is_around = self.shape.bounds().is_some_and(|[low, high]| is_behind(high + (high - low) + 1.0));
        let mut images = placed.shifts(position, 0.0, periods).into_iter().map(|shift| placed.local(position + shift));
        if is_around { images.all(is_behind) } else { images.any(is_behind) }
    }

    /// Whether `position` (m) is, at `time` (s), at the back of a [`Revolution`] with one side, and nearer to the
    /// surface than `reach` (m); also where the surface has open edges and bounds no solid. A body that touches the
    /// back is an error in an evaluation of forces. Periodic images of the wall are left out.
    #[must_use]
    pub fn is_at_back(&self, position: DVec3, time: f64, reach: f64) -> bool {
        let Shape::Revolution(revolution) = &self.shape else { return false };
        revolution.is_at_back(self.placed(time).local(position), reach)
    }

    pub(crate) fn placed(&self, time: f64) -> Placed<'_> {
        let pose = self.pose(time);
        let mut placed = Placed::new(&self.shape, self.point + pose.displacement, self.offset, &pose);
        placed.running = self.running;
        placed
    }

    /// Whether the wall can rotate; true for every motion that the user implements.
    pub(crate) fn turns(&self) -> bool {
        match &self.motion {
            Motion::Prescribed(Prescribed { steady, turn, .. }) => turn.is_some() || steady.spin != DVec3::ZERO,
            Motion::Own(_) => true,
        }
    }

    /// Whether the wall does not rotate and its velocity is constant.
    #[must_use]
    pub fn is_uniform(&self) -> bool {
        match &self.motion {
            Motion::Prescribed(Prescribed { steady, table: None, turn: None }) => {
                let Steady { spin, amplitude, acceleration, .. } = *steady;
                [spin, amplitude, acceleration] == [DVec3::ZERO; 3]
            }
            Motion::Prescribed(_) | Motion::Own(_) => false,
        }
    }

    /// Checks that all numbers of the wall are finite, that its shape is valid, and that a plane or an endless cylinder
    /// is parallel to the directions in which the domain has `periods` (m). The error names the wall by its number
    /// `wall`.
    pub(crate) fn check(&self, wall: usize, periods: DVec3) -> Result<(), DemError> {
        let steady = self.steady_motion();
        let spin = steady.spin;
        check_finite(
            wall,
            [("point", self.point), ("offset", self.offset), ("velocity", steady.velocity), ("spin", spin)],
        )?;
        let rhythm = [("beginning", steady.since), ("frequency", steady.frequency), ("phase", steady.phase)];
        check_finite(wall, [("amplitude", steady.amplitude), ("acceleration", steady.acceleration)])?;
        check_finite(wall, [("velocity of the surface", self.running)])?;
        let (table, turn) = match &self.motion {
            Motion::Prescribed(Prescribed { table, turn, .. }) => (table.as_ref(), turn.as_ref()),
            Motion::Own(_) => (None, None),
        };
        table.map_or(Ok(()), |table| table.check(wall))?;
        if let Some(turn) = turn {
            turn.check(wall)?;
            let value = turn.axis().cross(spin).length();
            if value > ALONG * spin.length() {
                let parameter = "part of the spin across the axis of the turn";
                return Err(DemError::Wall(WallError::InvalidWall { wall, parameter, range: "zero", value }));
            }
        }
        let remembered = steady.servo.map_or([0.0; 6], |servo| servo.numbers());
        check_finite(wall, remembered.map(|value| ("memory of the servo", DVec3::splat(value))))?;
        check_finite(wall, rhythm.map(|(parameter, value)| (parameter, DVec3::splat(value))))?;
        if let Shape::Plane(normal) = self.shape {
            let parameter = "length of the normal";
            let value = normal.length();
            if value.is_nan() || (value - 1.0).abs() > 1e-12 {
                let range = if value > 0.0 { "one" } else { "positive and finite" };
                return Err(DemError::Wall(WallError::InvalidWall { wall, parameter, range, value }));
            }
        }
        self.shape.check()?;
        let begin = WallPose { rotation: steady.turned, ..WallPose::REST };
        let placed = Placed::new(&self.shape, self.point, self.offset, &begin);
        placed.check_periods(wall, periods, if placed.is_turned() { TURNED } else { ALONG })?;
        self.placed(steady.since).check_images(wall, periods)?;
        let axis = turn.map_or(spin, |turn| turn.axis());
        let repeated = !self.has_images();
        match (0..3).find(|&c| repeated && periods[c] > 0.0 && axis.cross(DVec3::AXES[c]).length() > 0.0) {
            Some(direction) => {
                Err(DemError::Wall(WallError::WallAcrossPeriodic { wall, axis: axis.normalize(), direction }))
            }
            None => Ok(()),
        }
    }
}

/// Angle in rad between a plane or an endless cylinder and a periodic direction up to which the two count as parallel:
/// rounding can turn a normal by this angle.
const ALONG: f64 = 1e-12;
