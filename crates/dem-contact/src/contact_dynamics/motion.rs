//! The motion of bodies in a step: free velocities without contacts, and the final positions.

use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, State, Turn};

use crate::error::DemError;

#[derive(Debug, Clone, Default)]
pub(super) struct Velocities {
    pub(super) linear: Vec<DVec3>,
    /// Angular velocities of the bodies in rad/s; empty if no body turns.
    pub(super) angular: Vec<DVec3>,
}

/// Motion of all bodies in a step without contacts: velocities before and after, and angular momenta.
#[derive(Debug)]
pub(super) struct FreeMotion {
    pub(super) start: Velocities,
    /// Velocities of all bodies in the step without contacts, `[OK18] (12)`: v + dt M⁻¹ F.
    pub(super) free: Velocities,
    /// Angular momenta of the bodies in the step without contacts, in kg m²/s.
    pub(super) momentum: Vec<DVec3>,
}

impl FreeMotion {
    /// Computes the motion without contacts from `state`, which has wrenches, in a step of `dt` (s).
    pub(super) fn new(bodies: &Bodies, state: &State, dt: f64) -> Self {
        let angular = |momentum: &dyn Fn(usize) -> DVec3| {
            (0..bodies.len()).map(|body| spin(bodies, state, body, momentum(body))).collect()
        };
        let start = Velocities {
            linear: state.velocity().iter().collect(),
            angular: angular(&|body| state.angular_momentum().get(body)),
        };
        let (force, torque) = loads(state, bodies.len());
        let momentum: Vec<DVec3> =
            (0..bodies.len()).map(|body| state.angular_momentum().get(body) + dt * torque(body)).collect();
        let pushed = |body: usize| start.linear[body] + dt * bodies.inverse_mass()[body] * force(body);
        let free =
            Velocities { linear: (0..bodies.len()).map(pushed).collect(), angular: angular(&|body| momentum[body]) };
        Self { start, free, momentum }
    }

    /// Speed of the fastest body in m/s, at the start of the step or after it.
    pub(super) fn fastest(&self) -> f64 {
        self.start.linear.iter().chain(&self.free.linear).map(|velocity| velocity.length()).fold(0.0, f64::max)
    }
}

/// State at the start of a step of contact dynamics, and the velocities (m/s) with which the bodies move in the step.
#[derive(Clone, Copy)]
pub(super) struct Moved<'a> {
    pub(super) bodies: &'a Bodies,
    pub(super) state: &'a State,
    pub(super) velocity: &'a [DVec3],
    pub(super) dt: f64,
}

/// Writes velocities, positions, attitudes and angular momenta after the step to a state, `[OK18] (17)`; `momentum` has
/// the new angular momenta.
pub(super) fn write_state(
    Moved { bodies, state, velocity, dt }: Moved<'_>,
    mut momentum: Vec<DVec3>,
    next: &mut State,
) -> Result<(), DemError> {
    for &body in bodies.fixed() {
        momentum[body] = state.angular_momentum().get(body);
    }
    for (body, momentum) in momentum.into_iter().enumerate() {
        let linear = velocity[body];
        next.velocity_mut().set(body, linear);
        next.position_mut().set(body, state.position().get(body) + dt * linear);
        next.angular_momentum_mut().set(body, momentum);
    }
    if state.has_attitudes() && !state.is_empty() {
        let turn = if bodies.check_spherical().is_ok() { Turn::Cayley } else { Turn::CayleySplitting };
        let momentum = next.angular_momentum().clone();
        turn.advance(dt, bodies, &momentum, state.attitude(), next.attitude_mut())?;
    }
    Ok(())
}

/// Returns functions for the force (N) and torque (N m) of the state on each body.
pub(super) fn loads(state: &State, len: usize) -> (impl Fn(usize) -> DVec3 + '_, impl Fn(usize) -> DVec3 + '_) {
    let wrenches = state.wrenches().filter(|wrenches| wrenches.len() == len);
    let force = move |body: usize| wrenches.map_or(DVec3::ZERO, |wrenches| wrenches.force.get(body));
    let torque = move |body: usize| wrenches.map_or(DVec3::ZERO, |wrenches| wrenches.torque.get(body));
    (force, torque)
}

/// Angular velocity of `body`, world frame, for the attitude in `state` and the angular momentum `momentum`.
fn spin(bodies: &Bodies, state: &State, body: usize, momentum: DVec3) -> DVec3 {
    let inverse = bodies.inverse_inertia().get(body);
    if inverse == DVec3::splat(inverse.x) {
        return momentum * inverse.x;
    }
    let attitude = state.attitude().get(body);
    attitude.rotate(inverse * attitude.rotate_inverse(momentum))
}
