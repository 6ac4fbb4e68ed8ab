use rrp_geom::glam::DVec3;
use rrp_parallel::two_sum;

use crate::body::bodies::Bodies;
use crate::body::state::State;

/// Kinetic energy of a set of bodies in J, by kind of motion.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct KineticEnergy {
    /// Energy Σ m |v|²/2 of translation in J.
    pub translation: f64,
    /// Energy Σ Ω·L/2 of rotation in J.
    pub rotation: f64,
}

impl KineticEnergy {
    /// Sum of the translational and the rotational kinetic energy in J.
    #[must_use]
    pub fn total(self) -> f64 {
        self.translation + self.rotation
    }
}

/// Kinetic energy of all bodies that are not fixed, in J.
///
/// # Panics
/// If there are fewer bodies than the state has, or a column of the state was replaced by a shorter one.
#[must_use]
pub fn kinetic_energy(bodies: &Bodies, state: &State) -> KineticEnergy {
    let translation = |i| 0.5 * finite_mass(bodies, i) * state.velocity().get(i).length_squared();
    let rotation = |i| {
        // In body axes the energy is ½ Lᵀ R J⁻¹ Rᵀ L; for a sphere the attitude R cancels.
        let momentum = state.angular_momentum().get(i);
        let inverse = bodies.inverse_inertia().get(i);
        if inverse == DVec3::splat(inverse.x) {
            return 0.5 * inverse.x * momentum.length_squared();
        }
        let body = state.attitude().get(i).rotate_inverse(momentum);
        0.5 * body.dot(inverse * body)
    };
    KineticEnergy {
        translation: compensated((0..state.len()).map(translation)),
        rotation: compensated((0..state.len()).map(rotation)),
    }
}

/// Total linear momentum Σ m v in kg m/s, without fixed bodies.
///
/// # Panics
/// If there are fewer bodies than the state has, or a column of the state was replaced by a shorter one.
#[must_use]
pub fn linear_momentum(bodies: &Bodies, state: &State) -> DVec3 {
    compensated_vector(state.len(), |i| finite_mass(bodies, i) * state.velocity().get(i))
}

/// Total angular momentum Σ x × m v + L about the world origin, in kg m²/s, without fixed bodies.
///
/// # Panics
/// If there are fewer bodies than the state has, or a column of the state was replaced by a shorter one.
#[must_use]
pub fn angular_momentum(bodies: &Bodies, state: &State) -> DVec3 {
    compensated_vector(state.len(), |i| {
        state.position().get(i).cross(finite_mass(bodies, i) * state.velocity().get(i))
            + state.angular_momentum().get(i)
    })
}

/// The sum Σ L = Σ J Ω of the angular momenta of bodies about their own centres, `[BG21] (34)`, in kg m²/s.
///
/// # Panics
/// If a column of the state was replaced by a shorter one.
#[must_use]
pub fn spin_momentum(state: &State) -> DVec3 {
    compensated_vector(state.len(), |i| state.angular_momentum().get(i))
}

/// Mass of body `i` in energies and momenta, in kg: zero for a fixed body, whose mass is infinite.
fn finite_mass(bodies: &Bodies, i: usize) -> f64 {
    let mass = bodies.mass()[i];
    if mass.is_finite() { mass } else { 0.0 }
}

fn compensated_vector(len: usize, value: impl Fn(usize) -> DVec3) -> DVec3 {
    DVec3::from_array(std::array::from_fn(|c| compensated((0..len).map(|i| value(i)[c]))))
}

/// Sums `values` with Neumaier's compensation, so that rounding does not hide a drift of the sum.
fn compensated(values: impl Iterator<Item = f64>) -> f64 {
    let mut sum = 0.0_f64;
    let mut lost = 0.0_f64;
    for value in values {
        let [next, error] = two_sum(sum, value);
        lost += error;
        sum = next;
    }
    sum + lost
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::rigid_body::Body;
    use rrp_geom::Attitude;

    #[test]
    fn two_bodies_by_hand() {
        let bodies = Bodies::new([Body::spherical(2.0, 0.5), Body::rigid(1.0, DVec3::new(1.0, 2.0, 3.0))]).unwrap();
        let mut state = State::at_rest(2);
        state.position_mut().set(0, DVec3::X);
        state.velocity_mut().set(0, DVec3::Y * 3.0);
        state.set_spin(&bodies, 0, DVec3::Z * 2.0);
        // After a quarter turn about z, the first axis of the second body lies along y.
        let quarter = Attitude::from_rotation_vector(DVec3::Z * std::f64::consts::FRAC_PI_2).unwrap();
        state.attitude_mut().set(1, quarter);
        state.set_spin(&bodies, 1, DVec3::Y * 4.0);
        let energy = kinetic_energy(&bodies, &state);
        assert!((energy.translation - 9.0).abs() < 1e-15);
        assert!((energy.rotation - (1.0 + 8.0)).abs() < 1e-14);
        assert!((linear_momentum(&bodies, &state) - DVec3::Y * 6.0).length() < 1e-15);
        assert!((spin_momentum(&state) - DVec3::new(0.0, 4.0, 1.0)).length() < 1e-14);
        assert!((angular_momentum(&bodies, &state) - DVec3::new(0.0, 4.0, 7.0)).length() < 1e-14);
    }

    #[test]
    fn sums_do_not_lose_small_terms() {
        assert!((compensated([1e16, 1.0, -1e16].into_iter()) - 1.0).abs() < 1e-300);
    }
}
