//! Servos: walls that move until bodies load them with a given force.

use rrp_geom::glam::DVec3;

use crate::error::DemError;
use crate::error::parameter::{finite, positive};
use crate::wall::cylinder::unit_along;
use crate::wall::motion::{Motion, Steady};
use crate::wall::schedule::Schedule;
use crate::wall::servo_memory::{Pressed, ServoMemory};
use crate::wall::{Wall, WallLoad};

/// Servo that moves a wall along a direction until the bodies push against it with a given force.
///
/// Before each step the servo reads the load of the last accepted step and sets the motion of the wall in the next
/// step, see [`ContactForce::steer`](crate::force::ContactForce::steer). Within a step the acceleration of the wall is
/// constant. So the velocity does not jump, and the energy ledger closes to second order with the work of the wall.
///
/// A servo has no state: what it needs for the next step is in the wall and its load. A restored run has the same bits
/// as an uninterrupted one.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Servo {
    direction: DVec3,
    force: Schedule,
    drive: Drive,
}

/// Drive of a servo: the law by which the servo moves its wall.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Drive {
    /// Drive by a controller. Within τ/4 the velocity approaches (F* - F)/(K τ), at most `speed`, where F is the force
    /// of the bodies, F* the target force, τ the `response` and K the stiffness of the bodies behind the wall. So a
    /// small error of the force decays as exp(-2 t/τ), without oscillation. Without contact the velocity approaches
    /// `speed` towards the bodies.
    ///
    /// K is measured while the wall moves: the change of the force within τ over the motion of the wall. Until it is
    /// measured, and as its upper bound, K is the stiffness of the contacts of the wall: number of contacts times force
    /// over the sum of overlaps. A bed of many layers is softer than one layer, so its first response takes longer than
    /// τ.
    ///
    /// Take some contact times for τ: with less than one, dampers of contacts would shake the wall. A force cannot
    /// respond faster than waves run through the bodies and back, about one contact time for each layer.
    Controlled {
        /// Largest speed in m/s at which the controller of the servo moves the wall.
        speed: f64,
        /// Response time τ in s of the controller: the force reaches its target within some τ.
        response: f64,
    },
    /// Drive by inertia: forces accelerate the wall like a body of this mass (kg), with the same half kicks and drifts.
    Mass(f64),
}

impl Servo {
    /// Makes a servo that pushes bodies with `force` (N) along `direction`, a vector of any length from the wall
    /// towards the bodies. The force can change with the time since the motion of the wall began.
    ///
    /// # Errors
    /// [`DemError::InvalidParameter`] for a direction of length zero, a force that is not finite, or numbers of the
    /// drive that are not finite and positive.
    pub fn new(direction: DVec3, force: impl Into<Schedule>, drive: Drive) -> Result<Self, DemError> {
        let Some(direction) = unit_along(direction) else {
            let parameter = "length of the direction of a servo";
            let range = "positive and finite";
            return Err(DemError::InvalidParameter { parameter, range, value: direction.length() });
        };
        let force = force.into();
        force.values().try_for_each(|force| finite("the force of a servo", force).map(drop))?;
        match drive {
            Drive::Controlled { speed, response } => {
                positive("the speed of a servo", speed)?;
                positive("the response of a servo", response)?;
            }
            Drive::Mass(mass) => {
                positive("the mass of a wall", mass)?;
            }
        }
        Ok(Self { direction, force, drive })
    }

    /// Unit vector along which the servo pushes its wall, towards the bodies.
    #[must_use]
    pub fn direction(&self) -> DVec3 {
        self.direction
    }

    /// Target force in N at `time` (s) of the servo on `wall`.
    #[must_use]
    pub fn force(&self, wall: &Wall, time: f64) -> f64 {
        self.force.at(time - wall.began())
    }

    /// Drive of the servo: the law by which the servo moves its wall.
    #[must_use]
    pub fn drive(&self) -> Drive {
        self.drive
    }

    /// Force in N with which the bodies push back against the servo, from the `load` on its wall.
    #[must_use]
    pub fn pressing(&self, load: &WallLoad) -> f64 {
        -load.force.dot(self.direction)
    }

    /// Whether the bodies push back with the target force at `time` (s), from the `load` on `wall`, within the fraction
    /// `share` of the target, and the target no longer changes.
    #[must_use]
    pub fn is_met(&self, wall: &Wall, load: &WallLoad, time: f64, share: f64) -> bool {
        let force = self.force(wall, time);
        self.force.is_over(time - wall.began()) && (force - self.pressing(load)).abs() <= share * force.abs()
    }

    pub(crate) fn steer(&self, wall: &mut Wall, load: &WallLoad, time: f64, dt: f64) {
        let former = wall.steady_motion();
        let now = wall.pose(time);
        let force = self.pressing(load);
        let pressed = Pressed { time, place: (wall.point() + now.displacement).dot(self.direction), force };
        let mut memory = former.servo.unwrap_or_else(|| ServoMemory::new(former.since, pressed));
        let speed = now.velocity.dot(self.direction);
        let lacking = self.force.at(time - memory.began) - force;
        let (speed, acceleration) = match self.drive {
            Drive::Controlled { speed: most, response } => {
                let wanted = if let Some(contacts) = stiffness(force, load) {
                    memory.look(pressed, contacts, response);
                    // A smaller stiffness would let the wall follow dampers of contacts from step to step
                    // (docs/decisions/0025).
                    let stiffness = memory.stiffness(contacts, 2.0 * dt / response);
                    (lacking * stiffness.recip() / response).clamp(-most, most)
                } else {
                    memory.restart(pressed);
                    if lacking > 0.0 {
                        most
                    } else if lacking < 0.0 {
                        -most
                    } else {
                        0.0
                    }
                };
                // If the wall reached this velocity within one step, its jump would make contacts bounce.
                (speed, (wanted - speed) / (dt + 0.25 * response))
            }
            Drive::Mass(mass) => {
                let acceleration = lacking / mass;
                // The velocity includes a whole kick by the former force. The present force replaces the second half of
                // this kick.
                let since = (time - former.since).clamp(0.0, dt);
                let kick = acceleration - former.acceleration.dot(self.direction);
                (speed + 0.5 * since * kick, acceleration)
            }
        };
        let [velocity, acceleration] = [speed, acceleration].map(|along| along * self.direction);
        *wall.point_mut() += now.displacement;
        let Steady { spin, .. } = former;
        let servo = Some(memory);
        let steady =
            Steady { since: time, turned: now.rotation, velocity, acceleration, spin, servo, ..Steady::default() };
        wall.set_motion(Motion::from(steady));
    }
}

/// Stiffness (N/m) of the contacts of a wall with this `load`: number of contacts times force over sum of overlaps.
/// `None` if no body presses the wall.
fn stiffness(pressing: f64, load: &WallLoad) -> Option<f64> {
    let stiffness = load.contacts as f64 * pressing / load.overlap;
    let is_usable = load.overlap > 0.0 && stiffness > 0.0 && stiffness.is_finite() && stiffness.recip().is_finite();
    is_usable.then_some(stiffness)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(lid: &Wall, time: f64) -> WallLoad {
        let overlap = (1.0 - lid.point_at(time).z).max(0.0);
        let contacts = usize::from(overlap > 0.0);
        WallLoad { force: 1000.0 * overlap * DVec3::Z, overlap, contacts, ..WallLoad::default() }
    }

    fn lid(height: f64) -> Wall {
        Wall::plane(height * DVec3::Z, -DVec3::Z)
    }

    #[test]
    fn a_controlled_lid_comes_down_at_its_speed_and_loads_a_spring_as_wanted() {
        let servo = Servo::new(-DVec3::Z, 2.0, Drive::Controlled { speed: 0.1, response: 5e-3 }).unwrap();
        let mut lid = lid(1.01);
        let dt = 1e-4;
        let mut fastest = 0.0_f64;
        for step in 0..2500 {
            let time = f64::from(step) * dt;
            let load = load(&lid, time);
            servo.steer(&mut lid, &load, time, dt);
            fastest = fastest.max(lid.pose(time + dt).velocity.length());
        }
        let pressing = servo.pressing(&load(&lid, 0.25));
        assert!((pressing - 2.0).abs() < 1e-9, "{pressing}");
        assert!((0.0999..=0.1 + 1e-12).contains(&fastest), "{fastest}");
    }

    #[test]
    fn a_lid_with_mass_swings_on_a_spring_at_second_order() {
        // Half a period from rest: from no load to twice the static displacement.
        let mass = 0.4;
        let force = 3.0;
        let servo = Servo::new(-DVec3::Z, force, Drive::Mass(mass)).unwrap();
        let half = std::f64::consts::PI * f64::sqrt(mass / 1000.0);
        let error = |steps: u32| {
            let mut lid = lid(1.0);
            let dt = 0.7 * half / f64::from(steps);
            for step in 0..=steps {
                let time = f64::from(step) * dt;
                let load = load(&lid, time);
                servo.steer(&mut lid, &load, time, dt);
            }
            let time = 0.7 * half;
            let phase = 0.7 * std::f64::consts::PI;
            let sinking = force / 1000.0 * (1.0 - phase.cos());
            let speed = force / 1000.0 * f64::sqrt(1000.0 / mass) * phase.sin();
            let pose = lid.pose(time);
            [(1.0 - lid.point_at(time).z - sinking).abs(), (-pose.velocity.z - speed).abs()]
        };
        let coarse = error(50);
        let fine = error(100);
        for k in 0..2 {
            let ratio = coarse[k] / fine[k];
            assert!((3.8..4.2).contains(&ratio), "{coarse:?} {fine:?}");
        }
    }

    #[test]
    fn to_steer_twice_at_one_time_is_to_steer_once() {
        for drive in [Drive::Mass(0.4), Drive::Controlled { speed: 0.1, response: 5e-3 }] {
            let servo = Servo::new(-DVec3::Z, 3.0, drive).unwrap();
            let mut lid = lid(0.999);
            for step in 0..3 {
                let time = f64::from(step) * 1e-3;
                let load = load(&lid, time);
                servo.steer(&mut lid, &load, time, 1e-3);
                let once = lid.pose(time + 1e-3);
                servo.steer(&mut lid, &load, time, 1e-3);
                assert_eq!(lid.pose(time + 1e-3), once);
            }
        }
    }

    #[test]
    fn servos_without_meaning_are_refused() {
        let controlled = |speed, response| Drive::Controlled { speed, response };
        assert!(Servo::new(DVec3::ZERO, 1.0, Drive::Mass(1.0)).is_err());
        assert!(Servo::new(DVec3::Z, f64::NAN, Drive::Mass(1.0)).is_err());
        assert!(Servo::new(DVec3::Z, 1.0, Drive::Mass(0.0)).is_err());
        assert!(Servo::new(DVec3::Z, 1.0, controlled(-1.0, 1.0)).is_err());
        assert!(Servo::new(DVec3::Z, 1.0, controlled(1.0, f64::INFINITY)).is_err());
    }
}
