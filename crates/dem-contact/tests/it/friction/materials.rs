//! Tests of laws by material, also of pairs that have quite different laws.

use dem_contact::law::{LawTraits, OneContact};

use crate::prelude::*;

/// A contact that is pressed and does not move.
fn pressed(normal_force: f64) -> ContactKinematics {
    ContactKinematics {
        turning: 0.0,
        velocity: DVec3::ZERO,
        normal: DVec3::X,
        normal_force,
        overlap: 1e-3,
        radius: 0.5,
        mass: 1.0,
        elapsed: 1.0,
        share: 1.0,
    }
}

#[test]
fn each_pair_has_its_law_walls_too() {
    let laws = LawTable::new(3, |a, b| {
        let stiffness = 1e3 * [[1.0, 2.0, 3.0], [2.0, 4.0, 5.0], [3.0, 5.0, 6.0]][a][b];
        Ok(Laws::of(Hooke::new(stiffness, Damping::NONE)?, Frictionless))
    })
    .unwrap();
    let (bodies, state) = spheres(&[DVec3::ZERO, DVec3::X * 0.99, DVec3::X * 1.98]);
    let floors = [Wall::plane(DVec3::NEG_Z * 0.49, DVec3::Z), Wall::plane(DVec3::Z * 0.49, DVec3::NEG_Z)];
    let mut field = by_material(open_list(0.1), &laws, [0, 1, 2]).unwrap();
    field = field.with_walls(floors).unwrap().with_wall_materials([1, 2]).unwrap();
    let out = wrenches(&bodies, &mut field, &state);
    let near = |a: f64, b: f64| (a - b).abs() < 1e-9;
    assert!(near(out.force.get(0).x, -20.0) && near(out.force.get(1).x, 20.0 - 50.0) && near(out.force.get(2).x, 50.0));
    // The lower wall is of material 1, the upper one of material 2.
    assert!(near(out.force.get(0).z, 20.0 - 30.0) && near(out.force.get(1).z, 40.0 - 50.0));
    let contacts = field.contacts(&bodies, &state).unwrap();
    assert!(near(contacts[0].normal_force, 20.0) && near(contacts[1].normal_force, 50.0));
    assert!(near(
        field.elastic_energy(&bodies, &state).unwrap(),
        0.5e-4 * 1e3 * (2.0 + 5.0 + 2.0 + 4.0 + 5.0 + 3.0 + 5.0 + 6.0)
    ));
}

#[test]
fn two_names_for_one_material_change_no_more_than_roundings() {
    let hertz = Hertz::new(3e4, Damping::restitution(0.6).unwrap()).unwrap();
    let mindlin = MindlinSpring::matching_hertz(&hertz, 0.4).unwrap().with_damping(10.0).unwrap();
    let hooke = Hooke::new(1e4, Damping::coefficient(20.0).unwrap()).unwrap();
    let resistance = SpringSlider::new(1e3, 1.0, 0.05).unwrap();
    let rolling = Rolling::new(FrictionSpring::matching_hooke(&hooke, 0.4).unwrap(), resistance);
    let turning = CoRotating::new(rolling.with_twisting(resistance));
    for laws in [Laws::of(hertz, mindlin), Laws::of(hooke, turning)] {
        let run = |materials: usize| {
            let (bodies, mut state) = crowd(150, 5.0, 3);
            let laws = LawTable::new(materials, |_, _| Ok(laws.clone())).unwrap();
            let mut field = by_material(open_list(0.1), &laws, (0..150).map(|i| (i % materials) as u16)).unwrap();
            field = field.with_walls(Wall::inside_of_box(DVec3::ZERO, DVec3::splat(5.0))).unwrap();
            advance(&bodies, &mut field, &mut state, 1e-3, 60);
            state
        };
        // Forces are summed in the order of the laws, so several materials round differently.
        let off = apart(run(1).position(), run(3).position());
        assert!(off < 1e-12, "{laws:?}: {off:e}");
    }
}

#[test]
fn materials_mix_as_they_should() {
    let steel = Material::new(2e11, 0.3, 0.9, 0.4);
    let rubber = Material::new(1e6, 0.49, 0.4, 0.9);
    let laws = Materials::new([steel, rubber]).hertz_mindlin().unwrap();
    // The stiffness of a hard and a soft material is that of the soft one.
    let hertz = &laws.between(0, 1).traits().normal;
    let plane = 4.0 / 3.0 * 1e6 / (1.0 - 0.49 * 0.49);
    assert!((hertz.force(1.0, 1.0) / plane - 1.0).abs() < 1e-5);
    // Two like materials have the stiffness of `from_material`.
    let own = Hertz::from_material(2e11, 0.3, Damping::restitution(0.9).unwrap()).unwrap();
    let LawTraits { normal: hertz, tangential: spring, layout, .. } = laws.between(0, 0).traits();
    let force = |spring: &dyn OneContact, slip: &ContactKinematics| {
        spring.force_and_couple(slip, DVec3::ZERO, &mut vec![0.0; layout.width()])[0]
    };
    assert!((hertz.force(1e-3, 0.1) / own.force(1e-3, 0.1) - 1.0).abs() < 1e-12);
    // By Mindlin the ratio of the stiffnesses is 2 (1 − ν)/(2 − ν).
    let slip = ContactKinematics { velocity: DVec3::Y, radius: 0.1, mass: 1e-30, elapsed: 1e-6, ..pressed(1e30) };
    let ratio = -force(&**spring, &slip).y / 1e-6 / hertz.stiffness(1e-3, 0.1);
    assert!((ratio - 1.4 / 1.7).abs() < 1e-3, "{ratio}");
    // Friction is the geometric mean, or the value given for the pair.
    let friction = |laws: &LawTable| {
        let weak = ContactKinematics { normal_force: 1.0, elapsed: 1.0, ..slip };
        force(&*laws.between(1, 0).traits().tangential, &weak).length()
    };
    assert!((friction(&laws) - 0.6).abs() < 1e-9);
    let laws = Materials::new([steel, rubber]).with_pair(1, 0, 0.5, 0.77).unwrap().hertz_mindlin().unwrap();
    assert!((friction(&laws) - 0.77).abs() < 1e-9);
}

#[test]
fn restitution_is_that_of_the_pair() {
    let materials = [Material::new(1e7, 0.3, 0.81, 0.0), Material::new(3e7, 0.2, 0.49, 0.0)];
    let laws = Materials::new(materials).hertz_mindlin().unwrap();
    let (bodies, mut state) = moving(&[[DVec3::ZERO, DVec3::X], [DVec3::X, DVec3::ZERO]]);
    let mut field = by_material(open_list(0.1), &laws, [0, 1]).unwrap();
    advance(&bodies, &mut field, &mut state, 1e-6, 8000);
    assert!(field.contacts(&bodies, &state).unwrap().is_empty());
    let parting = state.velocity().get(1).x - state.velocity().get(0).x;
    assert!((parting - (0.81_f64 * 0.49).sqrt()).abs() < 2e-3, "{parting}");
}

/// The torque of a pair of materials against rolling or twisting is compared at its limit.
#[test]
fn resistances_are_mixed_or_those_of_the_pair() {
    let resistance = |friction: f64| SpringSlider::new(1e3, 0.0, friction).unwrap();
    let soft = Material::new(1e7, 0.3, 0.8, 0.5);
    let rough = Material { rolling: Some(resistance(0.4)), twisting: Some(resistance(0.2)), ..soft };
    let fine = Material { rolling: Some(resistance(0.1)), ..soft };
    let limits = |materials: &Materials, a: usize, b: usize| {
        let laws = materials.hertz_mindlin().unwrap();
        let LawTraits { tangential, layout, .. } = laws.between(a, b).traits();
        [DVec3::Y, DVec3::X]
            .map(|spin| tangential.force_and_couple(&pressed(10.0), spin, &mut vec![0.0; layout.width()])[1].length())
    };
    let near = |found: [f64; 2], expected: [f64; 2]| {
        assert!((0..2).all(|k| (found[k] - expected[k]).abs() < 1e-12), "{found:?} {expected:?}");
    };
    let materials = Materials::new([rough, fine, soft]);
    // The limit of rolling is μ R |F_n|, of twisting μ |F_n|, for pairs in which both materials resist.
    near(limits(&materials, 0, 0), [0.4 * 5.0, 0.2 * 10.0]);
    near(limits(&materials, 0, 1), [0.2 * 5.0, 0.0]);
    near(limits(&materials, 0, 2), [0.0, 0.0]);
    let own = materials.with_rolling(2, 0, Some(resistance(0.3))).unwrap().with_rolling(1, 0, None).unwrap();
    let own = own.with_twisting(1, 0, Some(resistance(0.7))).unwrap();
    near(limits(&own, 0, 2), [0.3 * 5.0, 0.0]);
    near(limits(&own, 1, 0), [0.0, 0.7 * 10.0]);
    near(limits(&own, 0, 0), [0.4 * 5.0, 0.2 * 10.0]);
    let unknown = own.with_twisting(1, 7, None).unwrap_err();
    assert_matches!(unknown, DemError::Law(LawError::InvalidPair { materials: [1, 7], .. }));
}

/// A stiff material of walls alone never meets itself.
#[test]
fn contacts_last_as_long_as_those_that_there_can_be() {
    let kinds = [1e6, 1e7, 1e11].map(|young| Material::new(young, 0.3, 0.8, 0.5));
    let laws = Materials::new(kinds).hertz_mindlin().unwrap();
    let (bodies, _) = spheres(&[DVec3::ZERO, DVec3::X * 9.0]);
    let time = |a: usize, b: usize| contact_time(&*laws.between(a, b).traits().normal, 0.25, 0.5, 0.1).unwrap();
    let field = by_material(open_list(0.1), &laws, [0, 0]).unwrap().with_wall_materials([2]).unwrap();
    let shortest = |field: &ContactForce| field.shortest_contact_time(&bodies, 0.1).unwrap();
    assert!((shortest(&field) / time(0, 0) - 1.0).abs() < 1e-12);
    let walled = field.with_walls([Wall::plane(DVec3::ZERO, DVec3::Z)]).unwrap();
    assert!((shortest(&walled) / time(0, 2) - 1.0).abs() < 1e-12);
    let mixed = by_material(open_list(0.1), &laws, [0, 2]).unwrap();
    assert!((shortest(&mixed) / time(2, 2) - 1.0).abs() < 1e-12);
    let (none, _) = spheres(&[]);
    assert!(mixed.shortest_contact_time(&none, 0.1).unwrap().is_infinite());
    assert_matches!(mixed.shortest_contact_time(&none, f64::NAN).unwrap_err(), DemError::InvalidParameter { .. });
}

#[test]
fn errors_name_the_pair() {
    let good = Material::new(1e7, 0.3, 0.8, 0.5);
    for bad in [
        Material { friction: -0.1, ..good },
        Material { young: 0.0, ..good },
        Material { poisson: 0.6, ..good },
        Material { restitution: 1.1, ..good },
    ] {
        let error = Materials::new([good, bad]).hertz_mindlin().unwrap_err();
        assert_matches!(error, DemError::Law(LawError::InvalidPair { materials: [0, 1], .. }));
        assert!(error.to_string().starts_with("materials 0 and 1: "), "{error}");
    }
    let error = Materials::new([good, good]).with_pair(1, 0, 0.5, -0.2).unwrap_err();
    assert!(error.to_string().contains("materials 0 and 1: the friction coefficient"), "{error}");
    assert_matches!(
        Materials::new([good]).with_pair(0, 3, 0.5, 0.2).unwrap_err(),
        DemError::Law(LawError::InvalidPair { materials: [0, 3], .. })
    );
    let laws = Materials::new([good, good]).hertz_mindlin().unwrap();
    assert_matches!(
        by_material(open_list(0.1), &laws, [0, 1, 2]).unwrap_err(),
        DemError::Law(LawError::UnknownMaterial { which: 2, material: 2, materials: 2, .. })
    );
    let field = by_material(open_list(0.1), &laws, [0, 1]).unwrap();
    assert_matches!(
        field.clone().with_wall_materials([5]).unwrap_err(),
        DemError::Law(LawError::UnknownMaterial { what: "wall", .. })
    );
    // One body has no material; the minimiser takes one material only.
    let (bodies, state) = spheres(&[DVec3::ZERO, DVec3::X * 2.0, DVec3::X * 4.0]);
    let error = field.clone().accumulate(&bodies, &state, 0.0, &mut Wrenches::zeros(3)).unwrap_err();
    assert!(error.to_string().contains("materials"), "{error}");
    let (bodies, mut state) = spheres(&[DVec3::ZERO, DVec3::X * 2.0]);
    let found = EnergyMinimizer::default().minimize(&bodies, &field, &gravity_load(&bodies, DVec3::NEG_Z), &mut state);
    assert_matches!(found.unwrap_err(), DemError::Law(LawError::OneMaterialOnly { materials: 2, .. }));
    assert!(Materials::new([]).hertz_mindlin().is_err());
}

#[test]
fn laws_that_implicit_steps_do_not_know_are_refused() {
    let hooke = Hooke::new(1e4, Damping::NONE).unwrap();
    let spring = FrictionSpring::matching_hooke(&hooke, 0.5).unwrap();
    assert!(ImplicitDem::new(open(hooke, spring), 1e-3).is_ok());
    let resistance = SpringSlider::new(1.0, 0.0, 0.1).unwrap();
    let rolls = ImplicitDem::new(open(hooke, Rolling::new(spring, resistance)), 1e-3);
    assert_matches!(rolls.unwrap_err(), DemError::Law(LawError::ExplicitOnly));
    let turns = CoRotating::new(spring);
    assert_matches!(ImplicitDem::new(open(hooke, turns), 1e-3).unwrap_err(), DemError::Law(LawError::ExplicitOnly));
    assert_matches!(
        ImplicitDem::new(open(hooke, spring.as_in_lammps()), 1e-3).unwrap_err(),
        DemError::Law(LawError::ExplicitOnly)
    );
}

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

/// Runs some steps with walls of one material and several lists. Returns bits, ledger and number of contacts.
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

/// If only one pair of materials meets, only the laws of this pair matter.
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
