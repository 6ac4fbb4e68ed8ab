//! Systems of the tests of bonds: the torus of `[BG21]` section 4.1, and the pair of the reference file.

use dem_contact::bond::BondLedger;

use crate::prelude::*;

pub(crate) const RING: usize = 80;

/// The binder of `[BG21]` section 4.1.
pub(crate) const BINDER: BondLaw =
    BondLaw { bending: 10.0, stretching: 200.0, shearing: 200.0, contact: 2100.0, strength: Strength::UNBREAKABLE };

/// A torus of `[BG21]` before a wall.
#[derive(Clone)]
pub(crate) struct Torus {
    pub(crate) bodies: Bodies,
    pub(crate) field: Both<Bonds, ElasticWall>,
    pub(crate) state: State,
}

impl Torus {
    /// Makes a torus of diameter `diameter`, which just touches the wall x = 0 and moves towards it at unit speed.
    pub(crate) fn new(diameter: f64, form: ShearForm, map: Map) -> Self {
        let grain = diameter * (std::f64::consts::PI / RING as f64).sin();
        let body = Body { radius: 0.5 * grain, ..Body::spherical(1.0, 1.0) };
        let bodies = Bodies::new([body; RING]).unwrap();
        let mut state = State::at_rest(RING);
        for k in 0..RING {
            let angle = std::f64::consts::TAU * k as f64 / RING as f64;
            let centre = DVec3::X * 0.5 * (diameter + grain);
            state.position_mut().set(k, centre + 0.5 * diameter * DVec3::new(angle.cos(), angle.sin(), 0.0));
            state.velocity_mut().set(k, -DVec3::X);
        }
        let ring = (0..RING).map(|k| Bond::new(k, (k + 1) % RING, BINDER));
        let bonds = Bonds::new(&bodies, &state, ring).unwrap().with_shear(form);
        let weight = if map == Map::Rodrigues27 { 1.0 } else { 0.5 };
        let wall = ElasticWall::new(DVec3::ZERO, DVec3::X, BINDER.contact).unwrap();
        let field = Both(bonds, wall.with_old_force_weight(weight).unwrap());
        Self { bodies, field, state }
    }

    pub(crate) fn run(&mut self, map: Map, h: f64, steps: usize, mut observe: impl FnMut(&State)) {
        let mut map = Explicit::new(map, h).unwrap();
        run(&mut map, &self.bodies, &mut self.field, &mut self.state, steps, |state| observe(state)).unwrap();
    }

    pub(crate) fn ledger(&self) -> BondLedger {
        BondLedger::read(&self.bodies, &self.state, &self.field.0, &[&self.field.1], &NoForce)
    }
}

/// The diameter of the torus whose grains have the diameter one.
pub(crate) fn unit_grains() -> f64 {
    1.0 / (std::f64::consts::PI / RING as f64).sin()
}

/// Returns the pair of the reference file, with its bond changed by `change`.
pub(crate) fn pair(form: ShearForm, change: impl Fn(BondLaw) -> BondLaw) -> (Bodies, Bonds, State) {
    let row = reference("bond");
    let number = |name: &str| row.at(name).number();
    let law = BondLaw {
        bending: number("Km"),
        stretching: number("Ka"),
        shearing: number("Ks"),
        contact: number("Kpp"),
        strength: Strength::UNBREAKABLE,
    };
    let body = Body { radius: 0.5 * number("D"), ..Body::spherical(1.0, 1.0) };
    let bodies = Bodies::new([body; 2]).unwrap();
    let mut state = State::at_rest(2);
    let place = |state: &mut State, name: [&str; 2]| {
        (0..2).for_each(|i| state.position_mut().set(i, row.at(name[i]).vector()));
    };
    place(&mut state, ["x10", "x20"]);
    let bonds = Bonds::prestressed(&bodies, &state, [Bond::new(0, 1, change(law))]).unwrap().with_shear(form);
    place(&mut state, ["x1", "x2"]);
    let row = reference("two_bodies").at("initial");
    for (i, suffix) in ["1", "2"].into_iter().enumerate() {
        let column = |name: &str| row.at(&format!("{name}{suffix}"));
        state.attitude_mut().set(i, column("alpha").rodrigues());
        state.velocity_mut().set(i, column("v").vector());
        state.angular_momentum_mut().set(i, column("Omega").vector());
    }
    (bodies, bonds, state)
}
