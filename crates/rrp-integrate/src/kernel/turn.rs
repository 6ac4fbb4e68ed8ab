use std::sync::atomic::{AtomicUsize, Ordering};

use rrp_geom::glam::{DQuat, DVec3};
use rrp_geom::{Attitude, RodriguesVector};
use rrp_parallel::all_parts;

use crate::body::bodies::{Bodies, Moments};
use crate::column::attitude::AttitudeColumn;
use crate::column::vector::VectorColumn;
use crate::error::IntegrateError;
use crate::kernel::rigid::{self, Fault, Turned};
use crate::kernel::turn_lanes::{self, Cayley, Exponential, Legendre};
use crate::leaves::{Piece, leaves};

/// Formula for the turn of bodies in a step at constant angular momenta. Explicit [maps](crate::Map) of order 2 differ
/// only in this formula.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Turn {
    /// Turn of a sphere by the Rodrigues vector 2h/(1+√(1−h²|P|²)) P for the angular velocity P and the time h, with
    /// h|P| < 1: the exact discrete Legendre transform, `[BG21] (23b)`.
    Legendre,
    /// Turn of a sphere by the Rodrigues vector hP for the angular velocity P and the time h: the Cayley map, `[BG21]
    /// (25b)`.
    Cayley,
    /// Turn of a sphere by the rotation vector hP for the angular velocity P and the time h: the exact flow, by
    /// trigonometry.
    Exponential,
    /// Turn of a body of any shape by the discrete Moser-Veselov equations, solved by Newton's method. The equations
    /// have no solution for turns of much more than half a radian per step.
    MoserVeselov,
    /// Turn of a body of any shape by Cayley maps about its body axes 1, 2, 3, 2, 1; explicit.
    CayleySplitting,
}

impl Turn {
    /// Turns attitudes `from` over the time `h` (s) into `to`, at constant `angular_momentum` (kg m²/s, world frame).
    ///
    /// # Errors
    /// [`IntegrateError::LengthMismatch`]; [`NotSpherical`](IntegrateError::NotSpherical) for a turn that needs
    /// spheres; [`TurnTooLarge`](IntegrateError::TurnTooLarge), [`NotConverged`](IntegrateError::NotConverged) or
    /// [`StateNotFinite`](IntegrateError::StateNotFinite) with the first body concerned. `to` is then partly
    /// overwritten.
    pub fn advance(
        self,
        h: f64,
        bodies: &Bodies,
        angular_momentum: &VectorColumn,
        from: &AttitudeColumn,
        to: &mut AttitudeColumn,
    ) -> Result<(), IntegrateError> {
        for (column, found) in
            [("angular momentum", angular_momentum.len()), ("attitude", from.len()), ("turned attitude", to.len())]
        {
            if found != bodies.len() {
                return Err(IntegrateError::LengthMismatch { column, expected: bodies.len(), found });
            }
        }
        self.check_inertia(bodies)?;
        let columns = (angular_momentum.slices(), bodies.moments(), from.slices(), to.slices_mut());
        let newton = AtomicUsize::new(0);
        if all_parts(leaves(bodies.len()), columns, &|_, (l, moments, q, out)| {
            self.leaf(h, moments, l, q, out, &newton)
        }) {
            return Ok(());
        }
        // Rounding can let a body pass the scalar check although the vectorised check has refused it.
        let lost = || {
            let body = to.iter().position(|attitude| !is_unit(attitude)).unwrap_or(0);
            IntegrateError::StateNotFinite {
                column: "turned attitude",
                body,
                value: to.get(body).to_quaternion().xyz(),
            }
        };
        Err(self.first_fault(h, bodies, angular_momentum, from).unwrap_or_else(lost))
    }

    /// Checks that this formula holds for the shapes of all bodies: some formulas are for spheres only.
    pub(crate) fn check_inertia(self, bodies: &Bodies) -> Result<(), IntegrateError> {
        match self {
            Self::Legendre | Self::Cayley | Self::Exponential => bodies.check_spherical(),
            Self::MoserVeselov | Self::CayleySplitting => Ok(()),
        }
    }

    /// Turns a run of bodies that one task works on; true if no turn failed. `newton` becomes the largest number of
    /// Newton iterations of a body if that is larger.
    pub(crate) fn leaf(
        self,
        h: f64,
        moments: Moments<'_>,
        angular_momentum: [&[f64]; 3],
        from: [&[f64]; 4],
        mut to: [&mut [f64]; 4],
        newton: &AtomicUsize,
    ) -> bool {
        match self {
            Self::Legendre => turn_lanes::turn(h, Legendre, moments.inverse[0].leaf(), angular_momentum, from, to),
            Self::Cayley => turn_lanes::turn(h, Cayley, moments.inverse[0].leaf(), angular_momentum, from, to),
            Self::Exponential | Self::MoserVeselov | Self::CayleySplitting => {
                let by_series = self == Self::Exponential;
                let room = to.each_mut().map(|column| &mut **column);
                let inverse = moments.inverse[0];
                if by_series && turn_lanes::turn(h, Exponential, inverse.leaf(), angular_momentum, from, room) {
                    return true;
                }
                let vector = |[x, y, z]: [&[f64]; 3], i: usize| DVec3::new(x[i], y[i], z[i]);
                let row = |pieces: [Piece<'_>; 3], i| DVec3::from_array(pieces.map(|piece| piece.get(i)));
                let [qw, qx, qy, qz] = from;
                let [tw, tx, ty, tz] = to;
                let mut all = true;
                let mut most = 0;
                for i in 0..qw.len() {
                    if by_series && tw[i].is_finite() {
                        continue;
                    }
                    let quaternion = DQuat::from_xyzw(qx[i], qy[i], qz[i], qw[i]);
                    let turned = self.one(
                        h,
                        row(moments.inertia, i),
                        row(moments.inverse, i),
                        vector(angular_momentum, i),
                        Attitude::from_quaternion_unchecked(quaternion),
                    );
                    match turned {
                        Ok(Turned { attitude, iterations }) => {
                            (tx[i], ty[i], tz[i], tw[i]) = attitude.to_quaternion().into();
                            most = most.max(iterations);
                        }
                        Err(_) => all = false,
                    }
                }
                if most > 0 {
                    newton.fetch_max(most, Ordering::Relaxed);
                }
                all
            }
        }
    }

    /// Turns one body over the time `h` (s) from the attitude `from`, without vector instructions.
    pub(crate) fn one(
        self,
        h: f64,
        inertia: DVec3,
        inverse_inertia: DVec3,
        angular_momentum: DVec3,
        from: Attitude,
    ) -> Result<Turned, Fault> {
        if inverse_inertia == DVec3::ZERO && angular_momentum.is_finite() {
            return Ok(Turned { attitude: from, iterations: 0 });
        }
        let turn = h * angular_momentum * inverse_inertia.x;
        if !turn.is_finite() {
            return Err(Fault::NotFinite);
        }
        let increment = |vector| RodriguesVector::new(vector).map_err(|_| Fault::NotFinite);
        let attitude = match self {
            Self::Legendre => {
                let sine = turn.length();
                // A few last bits below one, so that the scalar check also refuses each turn that the vectorised check
                // refuses.
                if sine >= 1.0 - 4.0 * f64::EPSILON {
                    return Err(Fault::TooLarge { sine });
                }
                from.turned(increment(2.0 / (1.0 + (1.0 - sine * sine).sqrt()) * turn)?)
            }
            Self::Cayley => from.turned(increment(turn)?),
            Self::Exponential => from.then(Attitude::from_rotation_vector(turn).map_err(|_| Fault::NotFinite)?),
            Self::MoserVeselov => {
                let turned = rigid::moser_veselov_turn(h, inertia, inverse_inertia, angular_momentum, from)?;
                return if is_unit(turned.attitude) { Ok(turned) } else { Err(Fault::NotFinite) };
            }
            Self::CayleySplitting => rigid::splitting_turn(h, inverse_inertia, angular_momentum, from),
        };
        if is_unit(attitude) { Ok(Turned { attitude, iterations: 0 }) } else { Err(Fault::NotFinite) }
    }

    pub(crate) fn first_fault(
        self,
        h: f64,
        bodies: &Bodies,
        angular_momentum: &VectorColumn,
        from: &AttitudeColumn,
    ) -> Option<IntegrateError> {
        let fault = |body: usize| {
            let momentum = angular_momentum.get(body);
            let inertia = bodies.inertia().get(body);
            let inverse = bodies.inverse_inertia().get(body);
            self.one(h, inertia, inverse, momentum, from.get(body)).err().map(|fault| (body, momentum, fault))
        };
        (0..bodies.len()).find_map(fault).map(|(body, value, fault)| match fault {
            Fault::TooLarge { sine } => IntegrateError::TurnTooLarge { body, turn: sine, dt_limit: h / sine },
            Fault::NotConverged { iterations, residual } => IntegrateError::NotConverged { body, iterations, residual },
            Fault::NotFinite => match Attitude::from_quaternion(from.get(body).to_quaternion()) {
                Err(source) => IntegrateError::InvalidAttitude { body, source },
                Ok(_) => IntegrateError::StateNotFinite { column: "turn under the angular momentum", body, value },
            },
        })
    }
}

/// Whether the quaternion has roughly unit length: a failed turn gives NaN or a very different length.
fn is_unit(attitude: Attitude) -> bool {
    (attitude.to_quaternion().length_squared() - 1.0).abs() < 1e-6
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::rigid_body::Body;

    #[test]
    fn spheres_turn_by_the_rotation_vector_hp_whether_by_series_or_not() {
        let angles = [0.0, 1e-9, 1e-3, 0.3, 0.499_999, 0.500_001, 3.0, 40.0, 0.1];
        let bodies = Bodies::new([Body::spherical(1.0, 1.0); 9]).unwrap();
        let direction = DVec3::new(2.0, -1.0, 2.0) / 3.0;
        let momenta: VectorColumn = angles.into_iter().map(|angle| direction * (angle / 0.1)).collect();
        let from = Attitude::from_rotation_vector(DVec3::new(0.3, 0.2, -1.0)).unwrap();
        let from: AttitudeColumn = std::iter::repeat_n(from, 9).collect();
        let mut to = from.clone();
        Turn::Exponential.advance(0.1, &bodies, &momenta, &from, &mut to).unwrap();
        for (i, angle) in angles.into_iter().enumerate() {
            let expected = from.get(i).then(Attitude::from_rotation_vector(direction * angle).unwrap());
            let off = to.get(i).to_quaternion() - expected.to_quaternion();
            assert!(off.length() < 4e-16 * angle.max(1.0), "{angle}: {}", off.length());
        }
    }
}
