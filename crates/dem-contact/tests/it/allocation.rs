//! Memory of a dense bed: bytes per body of bodies, state, integrator and contacts together.

use crate::prelude::*;

/// Cells along each edge of a cube of 6912 spheres; in a larger one, fixed memory would count less per body.
const SIDE: usize = 12;

const COUNT: usize = 4 * SIDE * SIDE * SIDE;

type Run = (Bodies, State, Explicit, ContactForce);

/// Makes a face-centred lattice in which all twelve neighbours touch; a random bed has fewer within the skin.
fn run() -> Run {
    let edge = 0.99 * std::f64::consts::SQRT_2;
    run_with(DVec3::splat(edge), Hooke::new(2e5, Damping::NONE).unwrap(), Frictionless)
}

/// Makes a lattice with friction and its history, in which eight of twelve neighbours touch; in a random bed six touch.
fn run_with_history() -> Run {
    let wide: f64 = 1.03 * std::f64::consts::SQRT_2;
    let low = 2.0 * (0.99_f64.powi(2) - 0.25 * wide * wide).sqrt();
    let hooke = Hooke::new(2e5, Damping::coefficient(50.0).unwrap()).unwrap();
    let spring = FrictionSpring::matching_hooke(&hooke, 0.5).unwrap();
    run_with(DVec3::new(wide, wide, low), hooke, spring)
}

fn run_with(edge: DVec3, hooke: Hooke, law: impl TangentialLaw + 'static) -> Run {
    let bodies = Bodies::new((0..COUNT).map(|_| Body::sphere(1.0, 0.5))).unwrap();
    let mut state = State::at_rest(COUNT).without_attitudes();
    for i in 0..COUNT {
        let cell = i / 4;
        let corner = i % 4;
        let place = [cell % SIDE, cell / SIDE % SIDE, cell / SIDE / SIDE].map(|k| k as f64 + 0.25);
        let face = [[0.0, 0.0, 0.0], [0.0, 0.5, 0.5], [0.5, 0.0, 0.5], [0.5, 0.5, 0.0]][corner];
        state.position_mut().set(i, edge * (DVec3::from_array(place) + DVec3::from_array(face)));
        state.velocity_mut().set(i, DVec3::new(50.0, (i % 7) as f64 - 3.0, 0.0));
    }
    let domain = Domain::new(DVec3::ZERO, edge * SIDE as f64, [Boundary::Periodic; 3]).unwrap();
    let list = NeighborList::new(domain, 0.1).unwrap();
    let mut field = ContactForce::new(list, Laws::of(hooke, law));
    let mut map = Explicit::new(Map::Rodrigues25, 1e-4).unwrap();
    // All spheres move together, far enough for new lists, whose construction counts too.
    while field.list().builds() < 3 {
        map.step(&bodies, &mut field, &mut state).unwrap();
    }
    (bodies, state, map, field)
}

/// Measures bytes per body of `run` at its end and at its peak, on the one thread that does all the work.
fn measured(run: fn() -> Run) -> [f64; 2] {
    on_threads(1, || {
        let mut kept = None;
        let info = allocation_counter::measure(|| kept = Some(run()));
        drop(kept);
        [info.bytes_current as f64, info.bytes_max as f64].map(|bytes| bytes / COUNT as f64)
    })
}

/// State, velocities before the step, packed centres, centres at the build of the list and its rows always exist. Lower
/// bounds show that the counter counts.
///
/// With a history, the state with spins and torques, and its copy for failed steps, take 168 bytes per body; committed
/// and pending histories take 48 a contact, of which there are four per body here and three in a random bed; the rest is
/// the list with its pairs. The peak is reached while a new list is made: histories are then carried with their keys and
/// row ends.
#[test]
fn a_bed_takes_at_most_400_bytes_per_body_at_any_time_or_920_with_history() {
    let with_history = 168.0 + 60.0 + 4.0 * (4.0 + 2.0 * 24.0);
    let bounds = [("frictionless", 400.0, 200.0), ("with history", 920.0, with_history)];
    for (name, most, least) in bounds {
        let [at_the_end, at_most] = measured(if name == "frictionless" { run } else { run_with_history });
        println!("{name}: {at_the_end:.1} bytes per body at the end, {at_most:.1} at most");
        assert!(at_most <= most && at_the_end >= least, "{name}: {at_the_end} bytes per body, {at_most} at most");
    }
}

/// Implicit steps of the lattice take few bytes per body, and allocate nothing more while the list is valid.
#[test]
fn an_implicit_step_takes_at_most_4_kilobytes_per_body_and_later_ones_nothing() {
    let (first, later) = on_threads(1, || {
        let (bodies, mut state, _, field) = run();
        for i in 0..COUNT {
            state.velocity_mut().set(i, DVec3::new((i % 7) as f64 - 3.0, 0.0, 0.1));
        }
        let mut map = None;
        let first = allocation_counter::measure(|| {
            let mut made = ImplicitDem::new(field, 5e-3).unwrap();
            made.step(&bodies, &mut NoForce, &mut state).unwrap();
            made.step(&bodies, &mut NoForce, &mut state).unwrap();
            map = Some(made);
        });
        let mut map = map.unwrap();
        let mut lists = usize::MAX;
        let later = allocation_counter::measure(|| {
            map.step(&bodies, &mut NoForce, &mut state).unwrap();
            lists = map.last_report().lists;
        });
        assert_eq!(lists, 0);
        assert!(map.last_report().newton_iterations > 1, "{:?}", map.last_report());
        (first, later)
    });
    let per_body = first.bytes_max as f64 / COUNT as f64;
    println!("{per_body:.0} bytes per body at most; later {} allocations", later.count_total);
    assert!((300.0..4000.0).contains(&per_body), "{per_body}");
    assert_eq!(later.count_total, 0);
}
