//! Tests of mixes of sizes.

use dem_contact::packing::random_packing;

use crate::prelude::*;

/// A sphere a hundred times as large as the many that it is thrown into, in a box, with friction and rolling resistance.
struct Thrown {
    bodies: Bodies,
    state: State,
    field: ContactForce,
}

impl Thrown {
    fn new() -> Self {
        let radii = [vec![50.0], vec![0.5; 12_000]].concat();
        let size = DVec3::splat(106.0);
        let domain = Domain::new(DVec3::ZERO, size, [Boundary::Closed; 3]).unwrap();
        let mut state = State::at_rest(radii.len()).without_attitudes();
        let mut random = Random::new(7);
        for (i, center) in random_packing(&domain, &radii, 3).unwrap().into_iter().enumerate() {
            state.position_mut().set(i, center);
            let way = if i == 0 { DVec3::new(4.0, -3.0, 5.0) } else { 4.0 * (random.vector() - 0.5) };
            state.velocity_mut().set(i, way);
        }
        let bodies = Bodies::new(radii.iter().map(|r| Body::sphere((2.0 * r).powi(3), *r))).unwrap();
        let hooke = Hooke::new(2e4, Damping::restitution(0.7).unwrap()).unwrap();
        let law = Rolling::new(FrictionSpring::new(6e3, 0.0, 0.4).unwrap(), SpringSlider::new(2e3, 1.0, 0.1).unwrap());
        let field = contacts(NeighborList::new(domain, 0.1).unwrap(), hooke, law);
        let field = field.with_walls(Wall::inside_of_box(DVec3::ZERO, size)).unwrap().with_ledger();
        Self { bodies, state, field }
    }

    fn ledger(&self) -> Ledger {
        Ledger::read(&self.field, &NoForce, &self.bodies, &self.state).unwrap()
    }
}

#[test]
fn one_to_a_hundred_runs_and_its_balance_closes() {
    let start = Thrown::new();
    assert!(start.field.contacts(&start.bodies, &start.state).unwrap().is_empty());
    let before = start.ledger().balance();
    let worst = [1e-4, 5e-5].map(|dt| {
        let mut run = Thrown::new();
        let mut worst = 0.0_f64;
        let mut touched = 0;
        for _ in 0..5 {
            advance(&run.bodies, &mut run.field, &mut run.state, dt, (0.01 / dt).round() as usize);
            worst = worst.max((run.ledger().balance() - before).abs());
            let contacts = run.field.contacts(&run.bodies, &run.state).unwrap();
            touched =
                touched.max(contacts.iter().filter(|contact| contact.b.body().is_some() && contact.a == 0).count());
        }
        assert!(touched >= 20, "{touched}");
        (worst, run.ledger().dissipated)
    });
    let [(coarse, _), (fine, dissipated)] = worst;
    println!("one to a hundred: of {dissipated:.1} J dissipated the balance is off by {coarse:.2e} and {fine:.2e} J");
    assert!(dissipated > 100.0, "{dissipated}");
    assert!(fine < 1e-5 * dissipated && fine < 0.4 * coarse, "{worst:?}");
}
