//! Tests of tables of materials whose pairs have quite different laws.

use crate::prelude::*;

/// Returns the laws of materials a and b, which differ in normal force, width of the history, lever and memory.
fn laws(a: usize, b: usize) -> Laws {
    match a + b {
        0 => {
            let hooke = Hooke::new(1e5, Damping::coefficient(20.0).unwrap()).unwrap();
            Laws::of(hooke, FrictionSpring::matching_hooke(&hooke, 0.4).unwrap())
        }
        1 => {
            let hertz = Hertz::new(1e6, Damping::restitution(0.7).unwrap()).unwrap();
            Laws::of(hertz, CoRotating::new(MindlinSpring::matching_hertz(&hertz, 0.3).unwrap().as_in_lammps()))
        }
        _ => {
            let unloading = Hooke::new(2e5, Damping::NONE).unwrap();
            let plastic = PlasticHooke::new(unloading, 1e5).unwrap().with_adhesion(1e4).unwrap();
            let resistance = SpringSlider::new(1e4, 1.0, 0.1).unwrap();
            let rolling = Rolling::new(FrictionSpring::new(5e4, 0.0, 0.6).unwrap(), resistance);
            Laws::of(plastic, rolling.with_twisting(resistance))
        }
    }
}

fn table() -> LawTable {
    LawTable::new(2, |a, b| Ok(laws(a, b))).unwrap()
}

/// Edge of the bed in spheres.
const EDGE: usize = 11;

/// Returns a bed in which a sphere touches its neighbours before, behind, beside, above and below, and no others.
fn bed() -> (Bodies, State) {
    let mut random = Random::new(8);
    let count = EDGE * EDGE * EDGE;
    let bodies = Bodies::new((0..count).map(|i| Body::sphere(1.0, 0.5 - 0.002 * (i % 3) as f64))).unwrap();
    let mut state = State::at_rest(count).without_attitudes();
    for i in 0..count {
        let cell = DVec3::from_array(cell(i).map(|k| k as f64 + 0.5));
        state.position_mut().set(i, 0.985 * cell + 0.01 * (random.vector() - 0.5));
        state.velocity_mut().set(i, 3.0 * (random.vector() - 0.5));
        state.set_spin(&bodies, i, 6.0 * (random.vector() - 0.5));
    }
    (bodies, state)
}

fn cell(i: usize) -> [usize; 3] {
    [i % EDGE, i / EDGE % EDGE, i / EDGE / EDGE]
}

/// Runs some steps with walls of one material, in which lists are made several times. Returns bits, ledger and number
/// of contacts.
fn run(threads: usize, laws: &LawTable, material: impl Fn(usize) -> u16, of_walls: u16) -> (Vec<u64>, Ledger, usize) {
    let materials: Vec<u16> = (0..EDGE * EDGE * EDGE).map(material).collect();
    on_threads(threads, || {
        let (bodies, mut state) = bed();
        let list = NeighborList::new(Domain::OPEN, 0.02).unwrap();
        let field = ContactForce::by_material(list, laws.clone(), materials).unwrap();
        let walls = [Wall::plane(DVec3::Z * 0.01, DVec3::Z), Wall::plane(DVec3::X * 0.01, DVec3::X).moving(DVec3::X)];
        let field = field.with_walls(walls).unwrap().with_wall_materials([of_walls; 2]).unwrap();
        let mut field = field.with_ledger();
        advance(&bodies, &mut field, &mut state, 2e-4, 40);
        assert!(field.list().builds() > 1);
        let contacts = field.contacts(&bodies, &state).unwrap();
        assert!(contacts.iter().any(|contact| contact.b.wall().is_some()));
        (bits(&state), energies(&bodies, &field, &state), contacts.len())
    })
}

/// If only one pair of materials meets, the laws of this pair alone count.
#[test]
fn each_pair_of_a_table_has_the_bits_of_its_laws() {
    for kind in 0..2 {
        let expected = run(1, &laws(kind, kind).into(), |_| 0, 0);
        assert!(expected.2 > 1000, "{}", expected.2);
        for threads in [1, 2] {
            let found = run(threads, &table(), |_| kind as u16, kind as u16);
            assert!(found.0 == expected.0, "material {kind} on {threads} threads");
        }
    }
    // On a chequered bed only unlike spheres meet. Walls are of a third material, since they meet both kinds.
    let chequered = |i: usize| (cell(i).iter().sum::<usize>() % 2) as u16;
    let unlike = LawTable::new(3, |_, _| Ok(laws(0, 1))).unwrap();
    let table = LawTable::new(3, |a, b| Ok(if b == 2 { laws(0, 1) } else { laws(a, b) })).unwrap();
    let expected = run(1, &unlike, |_| 0, 2);
    for threads in [1, 2] {
        assert!(run(threads, &table, chequered, 2).0 == expected.0, "{threads} threads");
    }
}

#[test]
fn a_bed_of_many_laws_has_the_same_bits_on_any_number_of_threads() {
    let mixed = |i: usize| (i * i / 3 % 2) as u16;
    let expected = run(1, &table(), mixed, 1);
    for threads in [2, 5] {
        assert!(run(threads, &table(), mixed, 1) == expected, "{threads} threads");
    }
    // Each of the laws changes the result.
    for kind in [|_| 0, |_| 1, |i| (i % 2) as u16] {
        assert!(run(1, &table(), kind, 1).0 != expected.0);
    }
}
