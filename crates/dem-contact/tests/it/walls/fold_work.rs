//! Tests of the work at folds of surfaces.

use dem_contact::contact_history;
use dem_contact::law::Sum;

use super::folds::{gravity, hooke, one_sphere, valley};
use crate::prelude::*;

/// The history of a spring and the work of friction since the contact began.
#[derive(Debug, Clone, Copy, Default)]
struct MeteredHistory {
    spring: DVec3,
    work: Sum,
}

contact_history!(MeteredHistory { spring: DVec3, work: Sum });

/// A friction spring that reports the work of friction in place of its stored energy.
#[derive(Debug, Clone, Copy)]
struct Metered(FrictionSpring);

impl TangentialLaw for Metered {
    type History = MeteredHistory;

    fn force(&self, contact: &ContactKinematics, history: &mut MeteredHistory) -> DVec3 {
        let before = self.0.stored_energy(contact, &history.spring);
        let force = self.0.force(contact, &mut history.spring);
        let stored = self.0.stored_energy(contact, &history.spring) - before;
        history.work.0 -= contact.share * (force.dot(contact.velocity) * contact.elapsed + stored);
        force
    }

    fn stored_energy(&self, contact: &ContactKinematics, history: &MeteredHistory) -> f64 {
        // Contacts multiply stored energies by their shares.
        history.work.0 / contact.share
    }
}

/// Each of two facets dissipates its share, and a facet that begins as a part of another starts without earlier work.
#[test]
fn the_work_of_friction_is_counted_once() {
    let slope = 0.02;
    let zone = 0.5 * slope;
    let friction = FrictionSpring::new(3e3, 0.0, 0.1).unwrap();
    let start = |contacts: ContactForce, x: f64, velocity: DVec3| {
        let field = contacts.with_walls([Wall::new(valley(slope), DVec3::ZERO)]).unwrap().with_ledger();
        (Both(field, gravity()), one_sphere(DVec3::new(x, -1.0, 0.499 + slope * x.abs()), velocity))
    };
    let works = |field: &ContactForce, bodies: &Bodies, state: &State| {
        let contacts = field.contacts(bodies, state).unwrap();
        contacts.iter().map(|contact| contact.tangential_energy).collect::<Vec<_>>()
    };
    // The sphere slides along the fold, on both facets all the time.
    let (mut metered, (bodies, mut state)) = start(open(hooke(), Metered(friction)), 0.2 * zone, DVec3::Y);
    advance(&bodies, &mut metered, &mut state, 1e-5, 20_000);
    let works_along = works(&metered.0, &bodies, &state);
    let sum: f64 = works_along.iter().sum();
    let (mut field, (bodies, mut state)) = start(open(hooke(), friction), 0.2 * zone, DVec3::Y);
    let before = Ledger::read(&field.0, &field.1, &bodies, &state).unwrap();
    advance(&bodies, &mut field, &mut state, 1e-5, 20_000);
    let ledger = Ledger::read(&field.0, &field.1, &bodies, &state).unwrap();
    let expected = ledger.dissipated - before.dissipated;
    println!("along the fold: {sum} J of {expected} J");
    assert!(works_along.len() == 2 && (sum / expected - 1.0).abs() < 0.01, "{sum} {expected}");
    // The sphere slides across the fold.
    let (mut field, (bodies, mut state)) = start(open(hooke(), Metered(friction)), -0.2, DVec3::X);
    let mut least = f64::INFINITY;
    for _ in 0..30_000 {
        advance(&bodies, &mut field, &mut state, 1e-5, 1);
        if let [one, other] = works(&field.0, &bodies, &state)[..] {
            least = least.min(one.min(other) / one.max(other));
        }
    }
    assert!(least < 1e-3, "{least}");
}

/// A material that yields makes the ledger record the whole work of all contacts, including those of other materials at
/// a fold.
#[test]
fn the_balance_closes_at_a_fold_beside_a_material_that_yields() {
    let slope = 0.05;
    let yields = PlasticHooke::new(Hooke::new(2e4, Damping::NONE).unwrap(), 1e4).unwrap();
    let of_pair = |a: usize, b: usize| {
        if a + b == 2 { Laws::of(yields, Frictionless) } else { Laws::of(hooke(), Frictionless) }
    };
    let imbalance = |table: LawTable, motion: DVec3| {
        let (bodies, mut state) = one_sphere(DVec3::new(-0.3, 0.3, 0.3 * slope + 0.499), DVec3::new(1.0, 0.0, -slope));
        let list = NeighborList::new(Domain::OPEN, 0.1).unwrap();
        let wall = Wall::new(valley(slope), DVec3::ZERO).moving(motion);
        let field = ContactForce::by_material(list, table, [0]).unwrap().with_walls([wall]).unwrap();
        let mut field = Both(field.with_ledger(), gravity());
        let mut worst = 0.0_f64;
        let mut start = None;
        let mut folds = 0;
        for _ in 0..6000 {
            advance(&bodies, &mut field, &mut state, 1e-4, 1);
            folds += usize::from(field.0.wall_loads()[0].contacts == 2);
            let balance = Ledger::read(&field.0, &field.1, &bodies, &state).unwrap().balance();
            worst = worst.max((balance - *start.get_or_insert(balance)).abs());
        }
        assert!(folds > 100, "{folds}");
        worst
    };
    for motion in [DVec3::ZERO, DVec3::new(0.1, 0.0, 0.3)] {
        let alone = imbalance(of_pair(0, 0).into(), motion);
        let beside = imbalance(LawTable::new(2, |a, b| Ok(of_pair(a, b))).unwrap(), motion);
        println!("wall at {motion} m/s: the balance is off by {alone:e} J alone, {beside:e} J beside");
        assert!(alone < 1e-5 && beside < 1e-5, "{alone:e} {beside:e}");
    }
}
