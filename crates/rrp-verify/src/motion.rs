use rrp_geom::Attitude;
use rrp_geom::glam::DVec3;

/// Position, orientation and velocities of one body at one instant, world frame.
///
/// Quantities that a system does not have stay zero ([`Motion::turning`] for a pivoted body, [`Motion::sliding`] for a
/// point), so they add nothing to norms.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Motion {
    /// Position x of the centre of mass (m).
    pub position: DVec3,
    /// Velocity v of the centre of mass (m/s).
    pub velocity: DVec3,
    /// Orientation R of the body, body to world.
    pub attitude: Attitude,
    /// Angular velocity Ω = R ω of the body in the world frame (rad/s).
    pub spin: DVec3,
}

impl Motion {
    /// Motion of a body that only turns: position and velocity are zero.
    #[must_use]
    pub fn turning(attitude: Attitude, spin: DVec3) -> Self {
        Self { position: DVec3::ZERO, velocity: DVec3::ZERO, attitude, spin }
    }

    /// Motion of a body that only moves: the attitude is the identity, the spin is zero.
    #[must_use]
    pub fn sliding(position: DVec3, velocity: DVec3) -> Self {
        Self { position, velocity, attitude: Attitude::IDENTITY, spin: DVec3::ZERO }
    }

    /// The squared norm |x|² + |v|² + θ² + |Ω|² of position, velocity, attitude angle θ ∈ [0, π] and spin: the
    /// integrand of `[BG21] (35)`, which mixes units.
    #[must_use]
    pub fn norm_squared(&self) -> f64 {
        self.norm_squared_in(1.0)
    }

    /// The squared distance of two motions: |Δx|² + |Δv|² + |ΔΩ|², plus the squared angle (rad) between the attitudes.
    ///
    /// The distance vanishes only where the motions agree, unlike the difference of two norms.
    #[must_use]
    pub fn distance_squared(&self, other: &Self) -> f64 {
        self.distance_squared_in(other, 1.0)
    }

    pub(crate) fn largest(&self) -> f64 {
        let columns = [self.position, self.velocity, self.spin].map(|column| column.abs().max_element());
        columns.into_iter().fold(self.attitude.angle(), f64::max)
    }

    /// The squared norm with all quantities divided by `unit`, so that squares do not overflow.
    pub(crate) fn norm_squared_in(&self, unit: f64) -> f64 {
        let [position, velocity, spin] = [self.position, self.velocity, self.spin].map(|column| column / unit);
        let theta = self.attitude.angle() / unit;
        position.length_squared() + velocity.length_squared() + theta * theta + spin.length_squared()
    }

    /// The squared distance with all differences divided by `unit`, so that squares do not overflow.
    pub(crate) fn distance_squared_in(&self, other: &Self, unit: f64) -> f64 {
        let angle = self.attitude.angle_to(other.attitude) / unit;
        let [position, velocity, spin] =
            [self.position - other.position, self.velocity - other.velocity, self.spin - other.spin]
                .map(|column| (column / unit).length_squared());
        position + velocity + angle * angle + spin
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::{FRAC_PI_2, PI};

    #[test]
    fn each_column_enters_once() {
        let attitude = Attitude::from_rotation_vector(DVec3::new(0.0, 0.5, 0.0)).unwrap();
        let motion = Motion {
            position: DVec3::new(1.0, 2.0, 2.0),
            velocity: DVec3::new(0.0, 3.0, 4.0),
            attitude,
            spin: DVec3::new(6.0, 0.0, 8.0),
        };
        assert!((motion.norm_squared() - (9.0 + 25.0 + 0.25 + 100.0)).abs() < 1e-13);
        let rest = Motion::sliding(DVec3::ZERO, DVec3::ZERO);
        assert!((motion.distance_squared(&rest) - motion.norm_squared()).abs() < 1e-13);
    }

    #[test]
    fn angles_are_folded_to_a_half_turn() {
        let attitude = Attitude::from_rotation_vector(DVec3::Z * (PI + FRAC_PI_2)).unwrap();
        let motion = Motion::turning(attitude, DVec3::ZERO);
        assert!((motion.norm_squared() - FRAC_PI_2 * FRAC_PI_2).abs() < 1e-14);
    }

    #[test]
    fn equal_norms_are_not_equal_motions() {
        let turn = |axis: DVec3| Motion::turning(Attitude::from_rotation_vector(axis * 0.3).unwrap(), axis);
        let a = turn(DVec3::X);
        let b = turn(DVec3::Y);
        assert!((a.norm_squared() - b.norm_squared()).abs() < 1e-15);
        assert!(a.distance_squared(&b) > 2.0);
    }
}
