//! Forces, torques and stresses of a parallel bond at a pose, the gradient of
//! U = `k_n` A/2 (r − r₀)² + `k_s` A/2 r₀² |P|² + `k_n` I/2 β² + `k_s` J/2 φ².
//!
//! n points from the second body to the first; aᵢ = Qᵢ n₀ is the reference direction turned with body i. The section is
//! where the spheres touch, at the fraction λ = Rᵢ/(Rᵢ + Rⱼ) of the way from body i: e = λ aᵢ + (1 − λ) aⱼ, and r₀ P
//! with P = e − (n·e) n is its shear. β is the angle between aᵢ and aⱼ, φ the twist of body j against body i.

use rrp_geom::glam::DVec3;

use crate::bond::body_pose::{BodyPose, half_angle_factor};
use crate::bond::energies::BondEnergies;
use crate::bond::force::{BondForce, BondLine};
use crate::bond::parallel_law::{ParallelBondLaw, Stiffnesses};

impl ParallelBondLaw {
    /// Computes forces and energies of a parallel bond, also in the state in which the bond breaks.
    #[inline(always)]
    pub(super) fn act(&self, first: &BodyPose, second: &BodyPose, line: BondLine) -> BondForce {
        let BondLine { reference_length, reference_axis, length, axis: n } = line;
        let Stiffnesses { stretching, shearing, bending, torsion } = self.stiffnesses();
        let a_i = first.rotate(reference_axis);
        let a_j = second.rotate(reference_axis);

        let elongation = length - reference_length;
        let tension = stretching * elongation;

        let diameter = first.radius + second.radius;
        let lambda = if diameter > 0.0 { first.radius / diameter } else { 0.5 };
        let e = lambda * a_i + (1.0 - lambda) * a_j;
        let along = n.dot(e);
        let p = e - along * n;
        let k = shearing * reference_length * reference_length;
        let shear_force = k * along / length * p;

        let twist = Twist::of(first, second, a_i, a_j);
        let moment = bending * twist.bend;
        let torque = torsion * twist.turn;
        // Couple on the first body; the second body has the opposite couple.
        let couple = torque * twist.turn_axis + bending * twist.bend_over_sine * a_i.cross(a_j);

        let strength = self.strength;
        let breaking = strength.is_finite() && {
            let area = self.area();
            let radius = self.radius;
            tension / area + moment * radius / self.moment_of_area() > strength.tension
                || shear_force.length() / area + torque.abs() * radius / self.polar_moment_of_area() > strength.shear
        };
        BondForce {
            force: shear_force - tension * n,
            torques: [couple - k * lambda * a_i.cross(p), -couple - k * (1.0 - lambda) * a_j.cross(p)],
            energies: BondEnergies {
                bending: 0.5 * (moment * twist.bend + torque * twist.turn),
                stretching: 0.5 * tension * elongation,
                shearing: 0.5 * k * p.length_squared(),
                contact: 0.0,
            },
            breaking,
        }
    }
}

/// Rotation of body j against body i since the reference state: a turn about the bond's axis, then a bend of the axis.
struct Twist {
    /// Angle β ≥ 0 in radians between the directions aᵢ and aⱼ, the axis of the bond turned with body i and body j.
    bend: f64,
    /// Factor β/sin β of the bending torque.
    bend_over_sine: f64,
    /// Angle φ, |φ| ≤ π, in radians of the twist of body j against body i about the axis of the bond.
    turn: f64,
    /// Gradient (aᵢ + aⱼ)/(1 + aᵢ·aⱼ) of the twist φ with respect to rotations of body j.
    turn_axis: DVec3,
}

impl Twist {
    #[inline(always)]
    fn of(first: &BodyPose, second: &BodyPose, a_i: DVec3, a_j: DVec3) -> Self {
        // |aᵢ − aⱼ| = 2 sin(β/2) has no cancellation at small angles.
        let sine = 0.25 * (a_i - a_j).length_squared();
        let cosine = (0.25 * (a_i + a_j).length_squared()).sqrt();
        let factor = half_angle_factor(sine, cosine);
        let (w, v) = first.rotation_to(second);
        let s = v.dot(a_i);
        Self {
            bend: factor * sine.sqrt(),
            bend_over_sine: 0.5 * factor / cosine,
            turn: half_angle_factor(s * s, w) * s,
            turn_axis: (a_i + a_j) / (2.0 * cosine * cosine),
        }
    }
}
