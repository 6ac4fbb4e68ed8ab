//! Tests of liquid bridges in motion: conserved liquid, balanced energy, equal bits on all threads, misuse.

use dem_contact::bridge::{Bridges, Capillary, WetWall};
use dem_contact::error::BridgeError;
use rrp_integrate::Renumbering;

use crate::prelude::*;

const TENSION: f64 = 0.5;

fn liquid() -> Capillary {
    Capillary::new(TENSION, 0.2).unwrap()
}

/// Makes two unit spheres, the first with liquid, with this gap and speed of approach.
fn pair(gap: f64, approach: f64) -> (Bodies, State, Bridges) {
    let rows = [Body::sphere(1.0, 0.5), Body::sphere(2.0, 0.7)];
    let (bodies, mut state) = placed(rows, [DVec3::ZERO, DVec3::X * (1.2 + gap)]);
    state.velocity_mut().set(1, DVec3::NEG_X * approach);
    let bridges = Bridges::new(&bodies, Domain::OPEN, liquid(), 0.5, vec![0.02, 0.0]).unwrap();
    (bodies, state, bridges)
}

/// A bridge exists from the first contact to the rupture gap, not before and not beyond.
#[test]
fn bridges_begin_at_contact_and_end_at_the_rupture_gap() {
    let (bodies, mut state, mut bridges) = pair(1e-3, 0.0);
    let at = |state: &mut State, gap: f64| state.position_mut().set(1, DVec3::X * (1.2 + gap));
    assert!(wrenches_after(&bodies, &mut bridges, &state, 0.1).force.get(0) == DVec3::ZERO);
    bridges.commit();
    assert!(bridges.moisture().bridges.is_empty());
    at(&mut state, -1e-3);
    let radius = 2.0 * 0.5 * 0.7 / 1.2;
    let pull = wrenches_after(&bodies, &mut bridges, &state, 0.1);
    assert!((pull.force.get(0).x / liquid().force(0.0, radius, 0.01) - 1.0).abs() < 1e-12);
    assert!(pull.force.get(0) == -pull.force.get(1) && bridges.moisture().bridges.is_empty(), "not committed");
    bridges.commit();
    let moisture = bridges.moisture();
    assert!(moisture.on_bodies == [0.01, 0.0] && (moisture.bridges[0].volume - 0.01).abs() < 1e-16);
    let end = liquid().rupture_gap(radius, 0.01);
    for gap in [0.3 * end, 0.999 * end] {
        at(&mut state, gap);
        let pull = wrenches_after(&bodies, &mut bridges, &state, 0.1).force.get(0).x;
        assert!((pull / liquid().force(gap, radius, 0.01) - 1.0).abs() < 1e-12);
        bridges.commit();
    }
    at(&mut state, 1.001 * end);
    assert!(wrenches_after(&bodies, &mut bridges, &state, 0.1).force.get(0) == DVec3::ZERO);
    assert_eq!(bridges.moisture().bridges.len(), 1, "not committed");
    bridges.commit();
    assert!(bridges.moisture().bridges.is_empty());
    // Each body has got half of the volume back.
    assert!((bridges.moisture().on_bodies[0] - 0.015).abs() < 1e-16);
    assert!((bridges.moisture().on_bodies[1] - 0.005).abs() < 1e-16);
}

#[test]
fn a_time_before_the_committed_state_is_refused() {
    let (bodies, state, mut bridges) = pair(-1e-3, 0.0);
    let before = bridges.moisture().clone();
    for elapsed in [-0.1, f64::NAN, f64::INFINITY] {
        assert!(bridges.accumulate(&bodies, &state, elapsed, &mut Wrenches::zeros(2)).is_err(), "{elapsed}");
    }
    assert!(bridges.moisture() == &before, "a refused evaluation changes nothing");
}

/// Spheres meet on springs, stick, and separate. The energy lost at jumps is the work to rupture, and the balance is of
/// second order in spite of two jumps of the force.
#[test]
fn a_wet_impact_loses_the_work_to_rupture() {
    let off = |dt: f64| {
        let (bodies, mut state, bridges) = pair(0.01, 2.0);
        let hooke = Hooke::new(2e3, Damping::NONE).unwrap();
        let contacts = open(hooke, Frictionless);
        let mut field = Both(contacts, bridges);
        let start = kinetic_energy(&bodies, &state).total();
        let mut map = Explicit::new(Map::Verlet, dt).unwrap();
        map.run(&bodies, &mut field, &mut state, (0.6 / dt) as usize).unwrap();
        let Both(contacts, bridges) = field;
        assert!(bridges.moisture().bridges.is_empty() && bridges.moisture().on_bodies[1] > 0.0);
        let elastic = Ledger::read(&contacts, &NoForce, &bodies, &state).unwrap().elastic;
        assert!(elastic.abs() < 1e-300);
        let lost = bridges.moisture().lost;
        let kinetic = kinetic_energy(&bodies, &state).total();
        let radius = 2.0 * 0.5 * 0.7 / 1.2;
        let work = -liquid().energy(0.0, radius, 0.01);
        assert!((lost / work - 1.0).abs() < 20.0 * dt, "{lost}, not {work}");
        ((kinetic + lost) / start - 1.0).abs()
    };
    let errors = [8e-4, 2e-4, 5e-5].map(off);
    println!("off by {errors:?}");
    // The phases of both jumps in their steps vary, so that only a bound on the error is of second order.
    for (error, dt) in errors.into_iter().zip([8e-4_f64, 2e-4, 5e-5]) {
        assert!(error < 300.0 * dt * dt, "{dt}: {error}");
    }
}

type CrowdForces = Both<Gravity, Both<ContactForce, Bridges>>;

/// Makes a crowd of wet and dry spheres in a periodic box above a wet floor.
fn crowd() -> (Bodies, State, CrowdForces) {
    let sides = [Boundary::Periodic, Boundary::Periodic, Boundary::Open];
    let domain = Domain::new(DVec3::ZERO, DVec3::new(4.4, 4.4, 20.0), sides).unwrap();
    let radius = |i: usize| 0.4 + 0.05 * (i % 3) as f64;
    let place = |i: usize| [i % 4, i / 4 % 4, i / 16].map(|c| 0.55 + 1.1 * c as f64);
    let (bodies, mut state) = placed((0..64).map(|i| Body::sphere(1.0, radius(i))), (0..64).map(place));
    for i in 0..64 {
        let phase = i as f64 * 0.618;
        state.velocity_mut().set(i, 2.0 * DVec3::new(phase.sin(), phase.cos(), (1.7 * phase).sin()));
    }
    let hooke = Hooke::new(5e3, Damping::coefficient(5.0).unwrap()).unwrap();
    let contacts = ContactForce::new(NeighborList::new(domain, 0.1).unwrap(), Laws::of(hooke, Frictionless));
    let contacts = contacts.with_walls([Wall::plane(DVec3::ZERO, DVec3::Z)]).unwrap();
    let wet = (0..64).map(|i| if i % 2 == 0 { 1e-3 } else { 0.0 }).collect();
    let bridges = Bridges::new(&bodies, domain, liquid(), 0.4, wet).unwrap();
    let floor = WetWall { number: 0, wall: Wall::plane(DVec3::ZERO, DVec3::Z * 2.0) };
    let bridges = bridges.with_walls([floor]).unwrap();
    (bodies, state, Both(Gravity { acceleration: DVec3::NEG_Z * 5.0 }, Both(contacts, bridges)))
}

fn run_crowd(steps: usize, mut watch: impl FnMut(&Bridges)) -> (State, Bridges) {
    let (bodies, mut state, mut field) = crowd();
    let mut map = Explicit::new(Map::Verlet, 1e-3).unwrap();
    for _ in 0..steps {
        run(&mut map, &bodies, &mut field, &mut state, 1, |_| ()).unwrap();
        watch(&field.1.1);
    }
    (state, field.1.1)
}

#[test]
fn liquid_is_kept_while_bridges_come_and_go() {
    let total = 32.0 * 1e-3;
    let mut most = 0;
    let mut at_floor = false;
    let mut events = 0;
    let mut before = 0;
    run_crowd(1500, |bridges| {
        let moisture = bridges.moisture();
        assert!((moisture.total() / total - 1.0).abs() < 1e-12, "{}", moisture.total());
        assert!(moisture.on_bodies.iter().all(|&liquid| liquid >= 0.0));
        let count = moisture.bridges.len();
        (most, events, before) = (most.max(count), events + usize::from(count < before), count);
        at_floor |= moisture.bridges.iter().any(|bridge| bridge.partner == Partner::Wall(0));
    });
    println!("{most} bridges at most, {events} steps with fewer than before");
    assert!(most > 30 && events > 10 && at_floor, "{most} {events}");
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let (_, moisture) = same_on_threads(&[3], || {
        let (state, bridges) = run_crowd(400, |_| ());
        (state, bridges.moisture().clone())
    });
    assert!(moisture.bridges.len() > 10);
}

#[cfg(feature = "serde")]
#[test]
fn a_restart_goes_on_with_the_same_bits() {
    let (bodies, mut state, mut field) = crowd();
    let mut map = Explicit::new(Map::Verlet, 1e-3).unwrap();
    map.run(&bodies, &mut field, &mut state, 300).unwrap();
    let (mut then, contacts) = crate::support::restored(&state, &field.1.0);
    let text = serde_json::to_string(&(&field.0, &field.1.1)).unwrap();
    let (gravity, bridges) = serde_json::from_str(&text).unwrap();
    let mut again = Both(gravity, Both(contacts, bridges));
    for (field, state) in [(&mut field, &mut state), (&mut again, &mut then)] {
        map.run(&bodies, field, state, 300).unwrap();
    }
    assert!(state == then && field.1.1.moisture() == again.1.1.moisture());
    let broken = serde_json::to_string(&field.1.1).unwrap().replacen("\"body\":", "\"body\":1", 1);
    assert!(serde_json::from_str::<Bridges>(&broken).is_err());
}

#[test]
fn a_step_that_fails_moves_no_liquid() {
    let after = |failures: usize| {
        let (bodies, mut state, bridges) = pair(0.01, 2.0);
        let mut field = Both(bridges, Fails(0));
        let mut map = Explicit::new(Map::Verlet, 2e-3).unwrap();
        for _ in 0..8 {
            field.1.0 = failures;
            let bridges = field.0.moisture().clone();
            (0..failures).for_each(|_| assert!(map.run(&bodies, &mut field, &mut state, 1).is_err()));
            assert!(*field.0.moisture() == bridges);
            map.run(&bodies, &mut field, &mut state, 1).unwrap();
        }
        assert_eq!(field.0.moisture().bridges.len(), 1);
        (state, field.0.moisture().clone())
    };
    assert!(after(0) == after(2));
}

/// A wet sphere bounces on an oscillating floor: its work is recorded, and the balance is of second order.
#[test]
fn a_wet_wall_in_motion_does_work_through_its_bridges() {
    let off = |dt: f64| {
        let (bodies, mut state) = spheres(&[DVec3::new(0.3, 0.0, 0.51)]);
        let floor = Wall::plane(DVec3::ZERO, DVec3::Z).oscillating(DVec3::Z * 0.03, 3.0, 0.0);
        let hooke = Hooke::new(2e3, Damping::NONE).unwrap();
        let contacts = open(hooke, Frictionless);
        let contacts = contacts.with_walls([floor.clone()]).unwrap().with_ledger();
        let bridges = Bridges::new(&bodies, Domain::OPEN, liquid(), 0.5, vec![0.02]).unwrap();
        let bridges = bridges.with_walls([WetWall { number: 7, wall: floor }]).unwrap();
        let gravity = Gravity { acceleration: DVec3::NEG_Z * 5.0 };
        let mut field = Both(gravity, Both(contacts, bridges));
        let mut map = Explicit::new(Map::Verlet, dt).unwrap();
        let mut worst = 0.0_f64;
        let mut start = None;
        let mut events = 0;
        let mut bridged = 0;
        for _ in 0..(1.0 / dt) as usize {
            map.step(&bodies, &mut field, &mut state).unwrap();
            let Both(contacts, bridges) = &field.1;
            let moisture = bridges.moisture();
            let ledger = Ledger::read(contacts, &gravity, &bodies, &state).unwrap();
            let known = ledger.balance() + bridges.energy(&bodies, &state) + moisture.lost - moisture.wall_work;
            worst = worst.max((known - *start.get_or_insert(known)).abs());
            events += usize::from(moisture.bridges.len() != bridged);
            bridged = moisture.bridges.len();
            let load = bridges.wall_load(7, &bodies, &state);
            assert_eq!(load.contacts, bridged);
            let is_pulled = load.force.z > 0.0 && (load.torque - DVec3::X.cross(load.force) * 0.3).length() < 1e-12;
            assert!(bridged == 0 || is_pulled, "{load:?}");
            assert!(bridges.wall_load(0, &bodies, &state).force == DVec3::ZERO, "a dry wall");
        }
        (worst, events, field.1.1.moisture().wall_work)
    };
    let [one, two, three] = [4e-4, 1e-4, 2.5e-5].map(off);
    println!("{one:?} {two:?} {three:?}");
    assert!(one.2.abs() > 0.05, "the floor does work through the bridge");
    for ((worst, ..), dt) in [one, two, three].into_iter().zip([4e-4_f64, 1e-4, 2.5e-5]) {
        assert!(worst < 1e3 * dt * dt, "{dt}: {worst}");
    }
}

/// Bridges to walls that no longer exist give their liquid back.
#[test]
fn liquid_follows_the_numbers_of_walls() {
    let (bodies, state) = spheres(&[DVec3::Z * 0.499]);
    let floor = |number: usize| WetWall { number, wall: Wall::plane(DVec3::ZERO, DVec3::Z) };
    let made = || Bridges::new(&bodies, Domain::OPEN, liquid(), 0.5, vec![0.02]).unwrap();
    let mut bridges = made().with_walls([floor(3)]).unwrap();
    assert!(wrenches_after(&bodies, &mut bridges, &state, 0.0).force.get(0).z < 0.0);
    let moisture = bridges.moisture().clone();
    assert_eq!(moisture.bridges[0].partner, Partner::Wall(3));
    let kept = made().with_walls([floor(3)]).unwrap().with_moisture(moisture.clone()).unwrap();
    assert_eq!(*kept.moisture(), moisture);
    let renumbered = moisture.clone().with_walls(|wall| (wall == 3).then_some(1));
    let there = made().with_walls([floor(1)]).unwrap().with_moisture(renumbered).unwrap();
    assert_eq!(there.moisture().bridges[0].partner, Partner::Wall(1));
    let gone = made().with_moisture(moisture).unwrap();
    assert!(gone.moisture().bridges.is_empty() && (gone.moisture().on_bodies[0] - 0.02).abs() < 1e-16);
    // A servo moves a wall between two steps.
    bridges.follow(3, &Wall::plane(DVec3::NEG_Z, DVec3::Z));
    assert!(wrenches_after(&bodies, &mut bridges, &state, 0.1).force.get(0) == DVec3::ZERO, "out of reach");
}

/// A removed body takes its liquid and half of its bridge along; a new body brings its own liquid.
#[test]
fn bodies_come_and_leave_with_their_liquid() {
    let (bodies, state, mut bridges) = pair(-1e-3, 0.0);
    wrenches_after(&bodies, &mut bridges, &state, 0.0);
    assert!(bridges.moisture().bridges.len() == 1, "the committed state itself");
    let new = Bodies::new([Body::sphere(1.0, 0.5)]).unwrap();
    let numbering = Renumbering::with_changes(2, 1, [2, 1]).unwrap();
    assert!(bridges.renumber(&numbering, &new, &[1.0]).is_err(), "more than its volume");
    assert_eq!(bridges.moisture().bridges.len(), 1);
    bridges.renumber(&numbering, &new, &[0.03]).unwrap();
    let moisture = bridges.moisture();
    assert!(moisture.on_bodies == [0.03, 0.005] && moisture.bridges.is_empty());
    assert!((moisture.removed - 0.015).abs() < 1e-16 && (moisture.total() - 0.05).abs() < 1e-15);
}

#[test]
fn misuse_is_refused() {
    let (bodies, state, _) = pair(0.1, 0.0);
    let bridges = |domain: Domain, share: f64, wet: Vec<f64>| Bridges::new(&bodies, domain, liquid(), share, wet);
    for wrong in [-1e-9, 0.6, f64::NAN] {
        let error = bridges(Domain::OPEN, 0.5, vec![wrong, 0.0]).unwrap_err();
        assert_matches!(error, DemError::Bridge(BridgeError::LiquidOutOfRange { body: 0, .. }));
    }
    assert_matches!(bridges(Domain::OPEN, 0.5, vec![0.0]), Err(DemError::LengthMismatch { .. }));
    for share in [0.0, 1.1, f64::NAN] {
        assert_matches!(bridges(Domain::OPEN, share, vec![0.0; 2]), Err(DemError::InvalidParameter { .. }));
    }
    let sides = [Boundary::Periodic, Boundary::Open, Boundary::Open];
    let narrow = Domain::new(DVec3::splat(-1.0), DVec3::splat(1.9), sides).unwrap();
    let wet = |number: usize, wall: Wall| WetWall { number, wall };
    let walls = |walls: Vec<WetWall>| bridges(narrow, 0.5, vec![0.0; 2]).unwrap().with_walls(walls);
    let plane = |normal| Wall::plane(DVec3::ZERO, normal);
    let error = walls(vec![wet(3, plane(DVec3::new(0.1, 0.0, 1.0)))]).unwrap_err();
    assert_matches!(error, DemError::Wall(WallError::WallAcrossPeriodic { wall: 3, direction: 0, .. }));
    assert_matches!(walls(vec![wet(0, plane(DVec3::ZERO))]), Err(DemError::Wall(WallError::InvalidWall { .. })));
    let round = Wall::new(Cylinder::inside(DVec3::X, 1.0).unwrap(), DVec3::ZERO);
    assert_matches!(walls(vec![wet(5, round)]), Err(DemError::Bridge(BridgeError::NoPlane { wall: 5 })));
    let twice = walls(vec![wet(2, plane(DVec3::Z)), wet(2, plane(DVec3::Y))]);
    assert_matches!(twice, Err(DemError::Bridge(BridgeError::SameNumber { wall: 2 })));
    // A bridge that reaches through half the box would see two images.
    let mut touching = state.clone();
    touching.position_mut().set(1, DVec3::X * 1.2);
    let mut field = bridges(narrow, 0.5, vec![0.4, 0.0]).unwrap();
    let error = field.accumulate(&bodies, &touching, 0.1, &mut Wrenches::zeros(2)).unwrap_err();
    assert_matches!(error.downcast_ref(), Some(DemError::List(ListError::CutoffTooLarge { .. })), "{error}");
    let other = Bodies::new([Body::sphere(1.0, 0.5)]).unwrap();
    let mut field = bridges(Domain::OPEN, 0.5, vec![0.0; 2]).unwrap();
    assert!(field.accumulate(&other, &State::at_rest(1), 0.0, &mut Wrenches::zeros(1)).is_err());
    assert!(field.energy(&other, &State::at_rest(1)).is_nan());
}
