//! Test systems, and the bits of their states.

use std::ops::Range;

use rrp_integrate::{Potential, run};

use crate::prelude::*;

/// Bodies in a field, with their state.
#[derive(Debug, Clone)]
pub(crate) struct System<F> {
    pub(crate) bodies: Bodies,
    pub(crate) field: F,
    pub(crate) state: State,
}

impl<F: ForceField> System<F> {
    pub(crate) fn run(&mut self, method: Method, h: f64, steps: usize, mut observe: impl FnMut(&Bodies, &State)) {
        let Self { bodies, field, state } = self;
        run(&mut *method.with_step(h), bodies, field, state, steps, |state| observe(bodies, state)).unwrap();
    }

    pub(crate) fn path(mut self, method: Method, h: f64, steps: usize) -> Vec<(Attitude, DVec3)> {
        let mut path = vec![];
        self.run(method, h, steps, |_, state| path.push((state.attitude().get(0), state.angular_momentum().get(0))));
        path
    }

    pub(crate) fn after(mut self, method: Method, h: f64, steps: usize) -> State {
        self.run(method, h, steps, |_, _| ());
        self.state
    }
}

impl<F: Potential> System<F> {
    pub(crate) fn energy(&self) -> f64 {
        energy(&self.field, &self.bodies, &self.state)
    }
}

pub(crate) fn energy(field: &impl Potential, bodies: &Bodies, state: &State) -> f64 {
    kinetic_energy(bodies, state).total() + field.energy(bodies, state)
}

/// The pendulum of `[BG21] (39)`-(40) with m = g = J = |ρ₀| = 1, tilted by 3π/4.
pub(crate) fn pendulum() -> System<PivotedWeight> {
    let mut state = State::at_rest(1);
    state.attitude_mut().set(0, Attitude::from_rotation_vector(DVec3::Y * 0.75 * std::f64::consts::PI).unwrap());
    state.angular_momentum_mut().set(0, DVec3::new(0.2, 0.0, 0.2));
    System {
        bodies: Bodies::new([Body::spherical(1.0, 1.0)]).unwrap(),
        field: PivotedWeight { arm: DVec3::Z, weight: DVec3::Z },
        state,
    }
}

/// The asymmetric heavy top of the reference file.
pub(crate) fn heavy_top() -> System<PivotedWeight> {
    let setup = reference("tops").at("setup");
    let top = setup.at("heavy_top");
    let attitude = top.at("attitude0_quaternion_wxyz").attitude();
    let mut state = State::at_rest(1);
    state.attitude_mut().set(0, attitude);
    state.angular_momentum_mut().set(0, attitude.rotate(top.at("body_angular_momentum0").vector()));
    System {
        bodies: Bodies::new([Body::rigid(1.0, setup.at("J_body").vector())]).unwrap(),
        field: PivotedWeight { arm: DVec3::Z, weight: DVec3::Z },
        state,
    }
}

/// A spring from a point of each body to a point in space: a simple field that couples x and R nonlinearly.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tether {
    pub(crate) stiffness: f64,
    pub(crate) arm: DVec3,
    pub(crate) anchor: DVec3,
}

impl Tether {
    pub(crate) const TEST: Self =
        Self { stiffness: 1.5, arm: DVec3::new(0.6, -0.3, 0.4), anchor: DVec3::new(0.2, 0.1, -0.5) };

    fn extension(&self, state: &State, i: usize) -> DVec3 {
        state.position().get(i) + state.attitude().get(i).rotate(self.arm) - self.anchor
    }
}

impl ForceField for Tether {
    fn accumulate(&mut self, _: &Bodies, state: &State, _: f64, out: &mut Wrenches) -> Result<(), FieldError> {
        for i in 0..state.len() {
            let force = -self.stiffness * self.extension(state, i);
            out.force.add(i, force);
            out.torque.add(i, state.attitude().get(i).rotate(self.arm).cross(force));
        }
        Ok(())
    }
}

impl Potential for Tether {
    fn energy(&self, _: &Bodies, state: &State) -> f64 {
        (0..state.len()).map(|i| 0.5 * self.stiffness * self.extension(state, i).length_squared()).sum()
    }
}

struct Function<F>(F);

impl<F: FnMut(&Bodies, &State, &mut Wrenches) -> Result<(), FieldError>> ForceField for Function<F> {
    fn accumulate(&mut self, bodies: &Bodies, state: &State, _: f64, out: &mut Wrenches) -> Result<(), FieldError> {
        self.0(bodies, state, out)
    }
}

pub(crate) fn field(f: impl FnMut(&Bodies, &State, &mut Wrenches) -> Result<(), FieldError>) -> impl ForceField {
    Function(f)
}

pub(crate) fn on_threads<T: Send>(threads: usize, run: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(run)
}

/// One body on a tether, with equal moments of inertia if `spherical`, otherwise with three different ones.
pub(crate) fn tethered(spherical: bool) -> System<Tether> {
    let body = if spherical { Body::spherical(1.3, 0.7) } else { Body::rigid(1.3, DVec3::new(0.5, 0.7, 0.9)) };
    let mut random = Random(7);
    System { bodies: Bodies::new([body]).unwrap(), field: Tether::TEST, state: random.state(1) }
}

/// Random number generator `SplitMix64` of Steele, Lea and Flood, the same on every machine.
#[derive(Debug, Clone)]
pub(crate) struct Random(pub(crate) u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Returns a number from the uniform distribution on [−1, 1).
    pub(crate) fn number(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * (2.0 / (1_u64 << 53) as f64) - 1.0
    }

    /// Returns a vector from the uniform distribution on the cube [−1, 1)³.
    pub(crate) fn vector(&mut self) -> DVec3 {
        DVec3::from_array(std::array::from_fn(|_| self.number()))
    }

    pub(crate) fn attitude(&mut self) -> Attitude {
        let [x, y, z, w] = std::array::from_fn(|_| self.number());
        Attitude::from_quaternion(DQuat::from_xyzw(x, y, z, w).normalize()).unwrap()
    }

    /// Returns a state of bodies with random positions in the cube, attitudes and velocities.
    pub(crate) fn state(&mut self, len: usize) -> State {
        let mut state = State::at_rest(len);
        for i in 0..len {
            state.position_mut().set(i, self.vector());
            state.velocity_mut().set(i, self.vector());
            state.attitude_mut().set(i, self.attitude());
            state.angular_momentum_mut().set(i, self.vector());
        }
        state
    }
}

pub(crate) fn bits(state: &State) -> Vec<u64> {
    let vectors = [state.position(), state.velocity(), state.angular_momentum()];
    let row = |i: usize| {
        let attitude = state.attitude().get(i).to_quaternion().to_array();
        vectors.into_iter().flat_map(move |column| column.get(i).to_array()).chain(attitude)
    };
    (0..state.len()).flat_map(row).chain([state.time()]).map(f64::to_bits).collect()
}

/// Bits of the wrenches of a state, with whether there are torques; `None` without wrenches.
pub(crate) fn wrench_bits(state: &State) -> Option<(bool, Vec<u64>)> {
    let wrenches = state.wrenches()?;
    let vectors = wrenches.force.iter().chain(wrenches.torque.iter());
    let bits = vectors.flat_map(|vector| vector.to_array()).map(f64::to_bits).collect();
    Some((!wrenches.torque.is_untouched(), bits))
}

pub(crate) fn part(state: &State, range: Range<usize>) -> State {
    let mut part = State::at_rest(range.len());
    for (to, from) in range.enumerate() {
        part.position_mut().set(to, state.position().get(from));
        part.attitude_mut().set(to, state.attitude().get(from));
        part.velocity_mut().set(to, state.velocity().get(from));
        part.angular_momentum_mut().set(to, state.angular_momentum().get(from));
    }
    part.set_time(state.time());
    part
}
