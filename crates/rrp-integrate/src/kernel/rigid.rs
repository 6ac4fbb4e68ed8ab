use rrp_geom::glam::{DMat3, DQuat, DVec3};
use rrp_geom::{Attitude, RodriguesVector};

/// Newton iterations after which the Moser-Veselov equation counts as unsolvable; three or four are usual.
const MAX_ITERATIONS: usize = 20;

/// Reason why the turn of one body fails.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Fault {
    /// The sine h|P| of the angle of the turn is not below one, for the angular velocity P and the time step h.
    TooLarge { sine: f64 },
    /// Newton's method for the Moser-Veselov equation did not converge.
    NotConverged { iterations: usize, residual: f64 },
    /// The angular momentum, or the attitude after the turn, is not finite.
    NotFinite,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Turned {
    pub(crate) attitude: Attitude,
    /// Number of Newton iterations; zero for an explicit formula.
    pub(crate) iterations: usize,
}

/// Turns a body of any shape over the time `h`, by the discrete Moser-Veselov equation `h S(p) = F J_d − J_d Fᵀ`. F =
/// R(a) is the body-frame rotation over the step, S(p) b = p × b, and `J_d = tr(J)/2 I − J` for the moments of inertia
/// J. In Rodrigues parameters a the equation is quadratic, g(a) = J a + (a × J a)/2 − (1 + |a|²/4) h p = 0, with the
/// angular momentum p in the body frame (`angular_momentum` in the world frame).
pub(crate) fn moser_veselov_turn(
    h: f64,
    inertia: DVec3,
    inverse_inertia: DVec3,
    angular_momentum: DVec3,
    from: Attitude,
) -> Result<Turned, Fault> {
    let hp = h * from.rotate_inverse(angular_momentum);
    let mut a = inverse_inertia * hp;
    let size = hp.abs().element_sum();
    let mut previous = f64::INFINITY;
    for iterations in 0..MAX_ITERATIONS {
        let ja = inertia * a;
        let g = ja + 0.5 * a.cross(ja) - (1.0 + 0.25 * a.length_squared()) * hp;
        let residual = g.abs().element_sum();
        // Round-off may keep the residual above the tolerance; the residual then stops falling.
        if residual <= 4e-16 * size + f64::MIN_POSITIVE || (residual >= previous && residual <= 1e-14 * size) {
            let increment = RodriguesVector::new(a).map_err(|_| Fault::NotFinite)?;
            return Ok(Turned { attitude: from.turned_in_body(increment), iterations });
        }
        if !residual.is_finite() {
            return Err(Fault::NotConverged { iterations, residual });
        }
        previous = residual;
        let skew = cross_times_diagonal(a, inertia) - cross_times_diagonal(ja, DVec3::ONE);
        let jacobian =
            DMat3::from_diagonal(inertia) + 0.5 * skew - 0.5 * DMat3::from_cols(hp * a.x, hp * a.y, hp * a.z);
        a -= jacobian.inverse() * g;
    }
    Err(Fault::NotConverged { iterations: MAX_ITERATIONS, residual: previous / size })
}

/// The matrix S(a) diag(d), with S(a) b = a × b.
fn cross_times_diagonal(a: DVec3, d: DVec3) -> DMat3 {
    DMat3::from_cols(
        DVec3::new(0.0, a.z, -a.y) * d.x,
        DVec3::new(-a.z, 0.0, a.x) * d.y,
        DVec3::new(a.y, -a.x, 0.0) * d.z,
    )
}

/// Turns a body of any shape by Cayley maps about its body axes 1, 2, 3, 2, 1 over h/2, h/2, h, h/2, h/2. Each turn is
/// the exact flow of a modified one-axis rotor, so the product is symplectic and reversible without solving an
/// equation.
pub(crate) fn splitting_turn(h: f64, inverse_inertia: DVec3, angular_momentum: DVec3, from: Attitude) -> Attitude {
    let mut p = from.rotate_inverse(angular_momentum).to_array();
    let mut increment = DQuat::IDENTITY;
    for (axis, time) in [(0, 0.5 * h), (1, 0.5 * h), (2, h), (1, 0.5 * h), (0, 0.5 * h)] {
        let half = 0.5 * time * p[axis] * inverse_inertia[axis];
        let scale = (1.0 + half * half).recip();
        let cosine = (1.0 - half * half) * scale;
        let sine = 2.0 * half * scale;
        // Turn of the body-frame momentum, p ← R(a)ᵀ p with a = 2·half along the axis.
        let next = (axis + 1) % 3;
        let last = (axis + 2) % 3;
        (p[next], p[last]) = (cosine * p[next] + sine * p[last], cosine * p[last] - sine * p[next]);
        // The quaternion (1, half), scaled so that its larger component is one and cannot overflow.
        let length = half.abs().max(1.0);
        let mut vector = DVec3::ZERO;
        vector[axis] = half / length;
        increment *= DQuat::from_xyzw(vector.x, vector.y, vector.z, length.recip());
    }
    Attitude::from_quaternion_unchecked((from.to_quaternion() * increment).normalize())
}
