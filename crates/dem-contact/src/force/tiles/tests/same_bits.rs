//! Tests that bits do not depend on threads, on numbers of the spheres, or on the build.

use rrp_geom::glam::DMat3;

use super::*;

/// Checks that runs from this state have the same bits on any number of threads and with any numbers of the spheres,
/// and that the first neighbour list has this many tiles.
fn assert_same_bits(what: &str, tiles: usize, (domain, bodies, state): &(Domain, Bodies, State)) {
    let field = |ids: Option<Vec<u32>>| {
        let list = NeighborList::new(*domain, 0.01).unwrap();
        let list = ids.into_iter().fold(list, |list, ids| list.with_ids(ids).unwrap());
        ContactForce::new(list, Laws::of(hooke(), full()))
    };
    let count = bodies.len();
    let mut first = field(None);
    first.list.update(bodies.radius(), state.position()).unwrap();
    assert_eq!(first.list.tiling().tiles.len(), tiles, "{what}");
    let (alone, builds) = in_pool(1, || run(field(None), bodies, state, STEPS));
    assert!(builds > 1, "{what}: {builds} lists");
    let expected = bits(&alone, 0..count);
    assert!(expected != bits(state, 0..count));
    for threads in [2, 5] {
        assert!(bits(&in_pool(threads, || run(field(None), bodies, state, STEPS).0), 0..count) == expected, "{what}");
    }
    let number = |i: usize| (i * 7919 + 13) % count;
    let mut ids = vec![0; count];
    (0..count).for_each(|i| ids[number(i)] = i as u32);
    let shuffled = Bodies::new(ids.iter().map(|&i| bodies.get(i as usize))).unwrap();
    let start = with_spheres(state, ids.iter().map(|&i| i as usize));
    let (end, _) = in_pool(3, || run(field(Some(ids)), &shuffled, &start, STEPS));
    assert!(bits(&end, (0..count).map(number)) == expected, "{what}, {tiles} tiles");
}

fn with_spheres(state: &State, former: impl Iterator<Item = usize> + Clone) -> State {
    let mut chosen = State::at_rest(former.clone().count()).without_attitudes();
    for (number, i) in former.enumerate() {
        chosen.position_mut().set(number, state.position().get(i));
        chosen.velocity_mut().set(number, state.velocity().get(i));
        chosen.angular_momentum_mut().set(number, state.angular_momentum().get(i));
    }
    chosen
}

#[test]
fn bits_are_the_same_for_any_number_of_threads_and_any_numbers_of_the_spheres() {
    assert_same_bits("an open bed", 1, &bed([6, 6, 6], SIDES[1], true));
    assert_same_bits("one size", 2, &bed([12, 12, 12], SIDES[2], false));
    assert_same_bits("a period", 1, &bed([6, 6, 6], SIDES[0], true));
    assert_same_bits("a period", 2, &bed([5, 6, 60], SIDES[0], true));
    let (domain, bodies, state) = bed([5, 6, 90], SIDES[0], true);
    let stay = (0..bodies.len()).filter(|i| *i < bodies.len() / 2 || i % 3 > 0).collect::<Vec<_>>();
    let fewer = Bodies::new(stay.iter().map(|&i| bodies.get(i))).unwrap();
    assert_same_bits("a period", 3, &(domain, fewer, with_spheres(&state, stay.into_iter())));
}

#[test]
fn a_sphere_far_away_spoils_no_bit() {
    let far = |boundary: [Boundary; 3], at: DVec3| {
        let (domain, bodies, mut state) = bed([11, 11, 11], boundary, true);
        state.position_mut().add(7, at);
        (domain, bodies, state)
    };
    assert_same_bits("open", 3, &far(SIDES[1], DVec3::new(1e9, -1e12, 1e15)));
    let (domain, bodies, state) = far([Boundary::Closed; 3], DVec3::splat(3e6));
    let wide = Domain::new(domain.low() - 1.0, DVec3::splat(4e6), domain.boundary()).unwrap();
    assert_same_bits("closed", 3, &(wide, bodies, state));
    let away = 1e3 * DVec3::new(10.89, -10.89, 0.0);
    let (domain, bodies, mut state) = far(SIDES[0], away);
    let gradient = DMat3::from_cols(DVec3::new(-3.0, 0.0, 0.0), DVec3::X * 40.0, DVec3::Z * 2.0);
    state.velocity_mut().add(7, gradient * away);
    assert_same_bits("sheared", 2, &(domain.deforming(0.0, gradient).unwrap(), bodies, state));
}

#[test]
fn mixes_and_exact_zeros_have_bits_of_the_scene_too() {
    let (domain, bodies, state) = bed([40, 40, 1], SIDES[1], false);
    let large = Bodies::new((0..bodies.len()).map(|i| bodies.get(i)).chain([Body::sphere(1e6, 50.0)])).unwrap();
    let mut start = with_spheres(&state, (0..bodies.len()).chain([0]));
    start.position_mut().set(bodies.len(), DVec3::new(20.0, 20.0, 50.9));
    assert_same_bits("a mix", 3, &(domain, large, start));
    let mut planar = with_spheres(&state, 0..bodies.len());
    for i in 0..bodies.len() {
        planar.position_mut().set(i, 0.99 * (state.position().get(i) / 0.99).floor());
        planar.velocity_mut().set(i, DVec3::X * if i % 2 == 0 { 3.0 } else { -0.0 });
        planar.angular_momentum_mut().set(i, DVec3::Z * 0.25);
    }
    assert_same_bits("a plane", 2, &(domain, bodies, planar));
}

/// Checks the hash of a run's last state, which is the same on all processors and in builds without rayon.
#[test]
fn bits_are_those_of_any_build() {
    let (domain, bodies, state) = bed([12, 12, 12], SIDES[2], true);
    let (end, _) = run(ContactForce::new(list(domain), Laws::of(hooke(), spring())), &bodies, &state, STEPS);
    let numbers = bits(&end, 0..bodies.len()).into_iter().flatten();
    let hash = numbers.fold(0_u64, |hash, bits| (hash.rotate_left(5) ^ bits).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    assert_eq!(hash, 0x086e_d3c1_eeac_3b19);
}
