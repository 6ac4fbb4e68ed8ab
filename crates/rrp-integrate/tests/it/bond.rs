//! Bond laws between two bodies, of `[BG21]` section 4: bending (47), stretching (50), shear (53) as printed and in two
//! objective forms, contact (57).
//!
//! A test-only force field on bodies 0 and 1: it couples positions and attitudes in every way that a pair force can.

use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, FieldError, ForceField, Potential, State, Wrenches};

/// The shear law.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Shear {
    None,
    /// The law (53) as printed: neither objective nor symmetric.
    Printed,
    /// The energy K/2 |P|² with P the part across n of the mean bond axis.
    A,
    /// The energy K (1 − n·e).
    B,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Bond {
    pub(crate) bending: f64,
    pub(crate) stretching: f64,
    pub(crate) shearing: f64,
    pub(crate) contact: f64,
    /// Mean diameter D of the contact.
    pub(crate) diameter: f64,
    /// Reference length r₀.
    pub(crate) length: f64,
    /// Reference direction n₀, body frame of both bodies.
    pub(crate) direction: DVec3,
    pub(crate) shear: Shear,
}

/// The outcome of a bond: its energy, the force on body 0, the torques on both. The force on body 1 is the opposite.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Action {
    pub(crate) energy: f64,
    pub(crate) force: DVec3,
    pub(crate) torques: [DVec3; 2],
}

impl std::ops::Add for Action {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            energy: self.energy + other.energy,
            force: self.force + other.force,
            torques: [self.torques[0] + other.torques[0], self.torques[1] + other.torques[1]],
        }
    }
}

impl Bond {
    pub(crate) fn act(&self, state: &State) -> Action {
        let apart = state.position().get(0) - state.position().get(1);
        let r = apart.length();
        let n = apart.normalize();
        self.bend(state) + self.stretch(r, n) + self.shear(state, r, n) + self.touch(r, n)
    }

    fn bend(&self, state: &State) -> Action {
        let theta = state.attitude().get(0).inverse().then(state.attitude().get(1)).to_rotation_vector();
        let torque = self.bending * theta;
        Action { energy: 0.5 * self.bending * theta.length_squared(), force: DVec3::ZERO, torques: [torque, -torque] }
    }

    fn stretch(&self, r: f64, n: DVec3) -> Action {
        let strain = r / self.length - 1.0;
        Action {
            energy: 0.5 * self.stretching * strain * strain,
            force: -self.stretching / self.length * strain * n,
            ..Action::default()
        }
    }

    fn touch(&self, r: f64, n: DVec3) -> Action {
        let overlap = (1.0 - r / self.diameter).max(0.0);
        Action {
            energy: 0.4 * self.contact * overlap.powf(2.5),
            force: self.contact / self.diameter * overlap.powf(1.5) * n,
            ..Action::default()
        }
    }

    fn shear(&self, state: &State, r: f64, n: DVec3) -> Action {
        let (k, attitude) = (self.shearing, |i| state.attitude().get(i));
        let axes = [0, 1].map(|i| attitude(i).rotate(self.direction));
        let mean = 0.5 * (axes[0] + axes[1]);
        let along = n.dot(mean);
        let across = mean - along * n;
        match self.shear {
            Shear::None => Action::default(),
            Shear::Printed => {
                let turned = attitude(1).rotate(n);
                let lost = 1.0 - axes[0].dot(turned);
                let back = attitude(1).rotate_inverse(axes[0]);
                let torque = k * lost * axes[0].cross(turned);
                Action {
                    energy: 0.5 * k * lost * lost,
                    force: k * lost / r * (back - n.dot(back) * n),
                    torques: [torque, -torque],
                }
            }
            Shear::A => Action {
                energy: 0.5 * k * across.length_squared(),
                force: k * along / r * across,
                torques: axes.map(|axis| -0.5 * k * axis.cross(across)),
            },
            Shear::B => Action {
                energy: k * (1.0 - along),
                force: k / r * across,
                torques: axes.map(|axis| 0.5 * k * axis.cross(n)),
            },
        }
    }
}

impl ForceField for Bond {
    fn accumulate(&mut self, _: &Bodies, state: &State, _: f64, out: &mut Wrenches) -> Result<(), FieldError> {
        let action = self.act(state);
        for (i, force) in [action.force, -action.force].into_iter().enumerate() {
            out.force.add(i, force);
            out.torque.add(i, action.torques[i]);
        }
        Ok(())
    }
}

impl Potential for Bond {
    fn energy(&self, _: &Bodies, state: &State) -> f64 {
        self.act(state).energy
    }
}
