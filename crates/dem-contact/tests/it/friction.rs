//! Friction with memory against closed forms.

use dem_contact::*;
use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, Body, Explicit, Gravity, Integrator, Map, State};

use crate::support::open;

const STIFFNESS: f64 = 1e5;
const RADIUS: f64 = 0.5;

fn hooke() -> Hooke {
    Hooke::new(STIFFNESS, Damping::coefficient(60.0).unwrap()).unwrap()
}

fn spring(friction: f64) -> FrictionSpring {
    FrictionSpring::beside(STIFFNESS, 60.0, friction).unwrap()
}

/// One body on a plane that is inclined by `angle`, with unit mass under unit gravity.
struct Incline<T: TangentialLaw> {
    bodies: Bodies,
    state: State,
    field: Both<Gravity, ContactForce<Hooke, T>>,
    dt: f64,
}

impl<T: TangentialLaw> Incline<T> {
    /// At rest in the contact; `inertia` in units of that of a sphere.
    fn new(law: T, angle: f64, inertia: f64) -> Self {
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

    fn moving(mut self, velocity: DVec3, spin: DVec3) -> Self {
        self.state.velocity_mut().set(0, velocity);
        self.state.set_spin(&self.bodies, 0, spin);
        self
    }

    fn ledger(&self) -> Ledger {
        Ledger::read(&self.field.1, &self.field.0, &self.bodies, &self.state).unwrap()
    }

    fn contact(&self) -> Contact {
        self.field.1.contacts(&self.bodies, &self.state).unwrap()[0]
    }

    /// Runs until `time`; returns the velocity along x, the spin about y and the largest deviation of the balance.
    fn run(&mut self, time: f64) -> (f64, f64, f64) {
        let mut map = Explicit::new(Map::VelocityVerlet, self.dt).unwrap();
        let start = self.ledger().balance();
        let mut worst = 0.0_f64;
        while self.state.time() < time - 0.5 * self.dt {
            map.step(&self.bodies, &mut self.field, &mut self.state).unwrap();
            worst = worst.max((self.ledger().balance() - start).abs());
        }
        (self.state.velocity().get(0).x, self.state.spin(&self.bodies, 0).y, worst)
    }
}

fn close(value: f64, expected: f64) {
    assert!((value - expected).abs() <= 0.01 * expected.abs(), "{value}, not {expected}");
}

/// So much inertia that it does not roll.
const BLOCK: f64 = 1e9;

#[test]
fn a_block_slides_with_coulomb_s_force_and_friction_gets_its_energy() {
    let mut block = Incline::new(Metered::new(spring(0.3)), 0.0, BLOCK).moving(DVec3::X, DVec3::ZERO);
    let (velocity, _, _) = block.run(1.0);
    close(velocity, 0.7);
    let (ledger, contact) = (block.ledger(), block.contact());
    close(contact.tangential_force.length(), 0.3);
    close(ledger.dissipated, 0.5 - 0.245);
    close(contact.friction_work.unwrap(), 0.5 - 0.245);
    // (μ N)²/(2 k_t)
    close(ledger.tangential, 0.09 / (4.0 / 7.0 * STIFFNESS));
    assert!((contact.tangential_energy - ledger.tangential).abs() < 1e-15);
}

#[test]
fn a_block_sticks_below_the_angle_of_friction_and_slides_above() {
    for tangent in [0.1_f64, 0.29] {
        let angle = tangent.atan();
        let mut block = Incline::new(spring(0.3), angle, BLOCK);
        let (velocity, _, _) = block.run(1.0);
        assert!(velocity.abs() < 1e-6, "{velocity}");
        close(block.contact().tangential_force.length(), angle.sin());
        close(block.state.position().get(0).x, angle.sin() / (2.0 / 7.0 * STIFFNESS));
    }
    for tangent in [0.32_f64, 0.6] {
        let angle = tangent.atan();
        let (velocity, _, _) = Incline::new(spring(0.3), angle, BLOCK).run(1.0);
        close(velocity, angle.sin() - 0.3 * angle.cos());
    }
}

#[test]
fn a_sphere_rolls_up_to_seven_halves_of_the_friction_and_slips_above() {
    let friction = 0.2_f64;
    for part in [0.3, 0.97] {
        let angle = (part * 3.5 * friction).atan();
        let (velocity, spin, _) = Incline::new(spring(friction), angle, 1.0).run(1.0);
        close(velocity, 5.0 / 7.0 * angle.sin());
        close(spin, velocity / RADIUS);
    }
    for part in [1.05, 1.5] {
        let angle = (part * 3.5 * friction).atan();
        let (velocity, spin, _) = Incline::new(spring(friction), angle, 1.0).run(1.0);
        close(velocity, angle.sin() - friction * angle.cos());
        close(spin, 2.5 * friction * angle.cos() / RADIUS);
    }
}

#[test]
fn a_sphere_that_is_thrown_or_spun_ends_rolling() {
    let (velocity, spin, _) = Incline::new(spring(0.3), 0.0, 1.0).moving(DVec3::X, DVec3::ZERO).run(2.0);
    close(velocity, 5.0 / 7.0);
    close(spin, 5.0 / 7.0 / RADIUS);
    // Two sevenths of the speed at the rim.
    let (velocity, _, _) = Incline::new(spring(0.3), 0.0, 1.0).moving(DVec3::ZERO, DVec3::Y * 2.0).run(2.0);
    close(velocity, 2.0 / 7.0 * 2.0 * RADIUS);
}

#[test]
fn rolling_resistance_holds_a_sphere_up_to_its_coefficient() {
    let rolling = |tangent: f64| {
        let resistance = SpringSlider::new(1e4, 60.0, 0.1).unwrap();
        Incline::new(Rolling::new(spring(0.5), resistance), tangent.atan(), 1.0)
    };
    let mut held = rolling(0.095);
    let (velocity, _, _) = held.run(1.0);
    assert!(velocity.abs() < 1e-6, "{velocity}");
    close(held.contact().couple.length(), RADIUS * 0.095_f64.atan().sin());
    for tangent in [0.12_f64, 0.4] {
        let (velocity, _, _) = rolling(tangent).run(1.0);
        close(velocity, 5.0 / 7.0 * (tangent.atan().sin() - 0.1 * tangent.atan().cos()));
    }
}

#[test]
fn twisting_resistance_stops_a_top_in_the_time_it_should() {
    let twisting = SpringSlider::new(1e3, 1.0, 0.05).unwrap();
    let law = Rolling::twisting_alone(spring(0.5), twisting);
    let mut top = Incline::new(law, 0.0, 1.0).moving(DVec3::ZERO, DVec3::Z * 2.0);
    top.run(1.0);
    close(top.state.spin(&top.bodies, 0).z, 2.0 - 0.05 / 0.1);
    close(top.ledger().dissipated, 0.05 * (4.0 - 1.5 * 1.5));
    top.run(5.0);
    assert!(top.state.spin(&top.bodies, 0).length() < 1e-3);
}

#[test]
fn the_balance_closes_with_the_step_sliding_sticking_and_rolling() {
    let resistance = SpringSlider::new(1e4, 60.0, 0.05).unwrap();
    let law = Metered::new(Rolling::new(spring(0.3), resistance).with_twisting(resistance));
    // Slides, then sticks; rolls; swings in its spring.
    for (name, angle, inertia, velocity) in
        [("slides", 0.0, BLOCK, 0.05), ("sticks", 0.2, BLOCK, 0.0), ("rolls", 0.3, 1.0, 0.0), ("skids", 0.0, 1.0, 0.2)]
    {
        let worst = [4e-4, 2e-4, 1e-4].map(|dt| {
            let mut run = Incline::new(law, angle, inertia).moving(DVec3::X * velocity, DVec3::Z);
            run.dt = dt;
            run.run(0.5).2
        });
        let order = (worst[0] / worst[2]).log2() / 2.0;
        println!("{name}: the balance is off by {worst:?}, order {order:.2}");
        assert!(worst[2] < 1e-4 && order > 0.9, "{name}: {worst:?}");
    }
}

#[test]
fn metered_contacts_add_up_to_what_the_ledger_says() {
    let hooke = Hooke::new(STIFFNESS, Damping::NONE).unwrap();
    let law = Metered::new(FrictionSpring::new(STIFFNESS, 30.0, 0.3).unwrap());
    let (bodies, mut state) = crate::support::spheres(&[DVec3::ZERO, DVec3::X * 0.999]);
    state.velocity_mut().set(1, DVec3::new(0.0, 0.1, 0.0));
    let mut field = open(hooke, law).with_ledger();
    let mut map = Explicit::new(Map::VelocityVerlet, 1e-6).unwrap();
    for _ in 0..1000 {
        map.step(&bodies, &mut field, &mut state).unwrap();
    }
    let ledger = Ledger::read(&field, &rrp_integrate::Free, &bodies, &state).unwrap();
    let work = field.contacts(&bodies, &state).unwrap()[0].friction_work.unwrap();
    assert!(ledger.dissipated > 1e-6);
    close(work, ledger.dissipated);
}
