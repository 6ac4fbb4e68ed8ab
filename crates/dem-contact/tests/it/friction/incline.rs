//! One body on an inclined plane, for tests of friction.

use crate::prelude::*;

pub(crate) const STIFFNESS: f64 = 1e5;
pub(crate) const RADIUS: f64 = 0.5;

pub(crate) fn hooke() -> Hooke {
    Hooke::new(STIFFNESS, Damping::coefficient(60.0).unwrap()).unwrap()
}

/// Returns a friction spring with enough damping to come to rest soon where the body sticks.
pub(crate) fn spring(friction: f64) -> FrictionSpring {
    FrictionSpring::matching_hooke(&hooke(), friction).unwrap()
}

/// Returns a friction spring without damping, so that a spring that slides is stretched exactly to the limit.
pub(crate) fn dry(friction: f64) -> FrictionSpring {
    spring(friction).with_damping(0.0).unwrap()
}

/// One body on a plane that is inclined by `angle`, with unit mass under unit gravity.
pub(crate) struct Incline {
    pub(crate) bodies: Bodies,
    pub(crate) state: State,
    pub(crate) field: Both<Gravity, ContactForce>,
    pub(crate) dt: f64,
}

impl Incline {
    /// Makes a body at rest in the contact; `inertia` in units of that of a sphere.
    pub(crate) fn new(law: impl TangentialLaw + Copy + 'static, angle: f64, inertia: f64) -> Self {
        let mut body = Body::sphere(1.0, RADIUS);
        body.inertia *= inertia;
        let bodies = Bodies::new([body]).unwrap();
        let mut state = State::at_rest(1);
        state.position_mut().set(0, DVec3::Z * (RADIUS - angle.cos() / STIFFNESS));
        let gravity = Gravity { acceleration: DVec3::new(angle.sin(), 0.0, -angle.cos()) };
        let floor = Wall::plane(DVec3::ZERO, DVec3::Z);
        let contacts = open(hooke(), law).with_walls([floor]).unwrap().with_ledger();
        Self { bodies, state, field: Both(gravity, contacts), dt: 2e-4 }
    }

    pub(crate) fn moving(mut self, velocity: DVec3, spin: DVec3) -> Self {
        self.state.velocity_mut().set(0, velocity);
        self.state.set_spin(&self.bodies, 0, spin);
        self
    }

    pub(crate) fn ledger(&self) -> Ledger {
        Ledger::read(&self.field.1, &self.field.0, &self.bodies, &self.state).unwrap()
    }

    pub(crate) fn contact(&self) -> Contact {
        self.field.1.contacts(&self.bodies, &self.state).unwrap()[0]
    }

    /// Runs until `time`; returns the velocity along x, the spin about y and the largest deviation of the balance.
    pub(crate) fn run(&mut self, time: f64) -> (f64, f64, f64) {
        let mut map = Explicit::new(Map::Verlet, self.dt).unwrap();
        let start = self.ledger().balance();
        let mut worst = 0.0_f64;
        while self.state.time() < time - 0.5 * self.dt {
            map.step(&self.bodies, &mut self.field, &mut self.state).unwrap();
            worst = worst.max((self.ledger().balance() - start).abs());
        }
        (self.state.velocity().get(0).x, self.state.spin(&self.bodies, 0).y, worst)
    }
}

/// Checks that a value is within one per cent of the expected one.
pub(crate) fn close(value: f64, expected: f64) {
    assert!((value - expected).abs() <= 0.01 * expected.abs(), "{value}, not {expected}");
}

/// Inertia, in units of that of a sphere, with which a body practically does not roll.
pub(crate) const BLOCK: f64 = 1e9;
