//! Tests of bodies that are added and removed between steps: remaining bodies keep ids, histories and bits.

use std::collections::BTreeMap;

use rrp_geom::glam::DVec3;
use rrp_integrate::step::evaluate_wrenches;
use rrp_integrate::{Bodies, Body, Explicit, Integrator as _, Map, NoForce, Renumbering, State};

use super::walls::walls;
use super::{Disturb, assert_one_end, bed, bits, full, hooke, list, spring};
use crate::error::{DemError, LawError, ListError};
use crate::force::histories::wall_history::WallKey;
use crate::force::ledger::Ledger;
use crate::force::{ContactForce, NewBodies};
use crate::law::{LawTable, Laws};
use crate::neighbor::{Boundary, Domain, NeighborList};
use crate::wall::WallLoad;

type Field = ContactForce;
type Scene = (Field, Bodies, State);

/// Applies a numbering to contacts, bodies and state. New bodies are two spheres that touch each other, then single
/// ones, far away in a row that begins at `at`.
fn apply(numbering: &Renumbering, at: DVec3, (field, bodies, state): &mut Scene) {
    let new_bodies = Bodies::new((0..numbering.new_bodies()).map(|_| Body::sphere(1.0, 0.5))).unwrap();
    let mut new = State::at_rest(new_bodies.len()).without_attitudes();
    for k in 0..new.len() {
        new.position_mut().set(k, at + DVec3::X * if k < 2 { 0.99 * k as f64 } else { 2.0 * k as f64 });
        new.velocity_mut().set(k, DVec3::Y * if k == 0 { 0.5 } else { -0.5 });
    }
    evaluate_wrenches(&new_bodies, &mut NoForce, &mut new).unwrap();
    field.renumber(numbering).unwrap();
    numbering.apply_with(state, &new).unwrap();
    numbering.apply_to_bodies_with(bodies, &new_bodies).unwrap();
}

/// Returns two spheres that touch each other far away, with the numbers 0 and 1, and a bed in an open domain. The ids
/// of all spheres are their numbers.
fn two_and_a_bed(cells: [usize; 3]) -> Scene {
    let (_, near, near_state) = bed(cells, [Boundary::Open; 3], true);
    let mut scene: Scene =
        (ContactForce::new(list(Domain::OPEN), Laws::of(hooke(), spring())).with_ledger(), near, near_state);
    let count = scene.1.len();
    apply(
        &Renumbering::with_changes(count, 2, (0..count + 2).map(|i| (i + count) % (count + 2))).unwrap(),
        FAR,
        &mut scene,
    );
    scene.2.discard_wrenches();
    scene.0 = ContactForce::new(list(Domain::OPEN), Laws::of(hooke(), spring())).with_ledger();
    scene
}

const FAR: DVec3 = DVec3::new(0.0, 0.0, -20.0);
const ABOVE: DVec3 = DVec3::new(5.0, 5.0, 20.0);

/// Returns the committed histories of pairs by ids, and of wall contacts by id, wall and feature, as text.
fn histories(field: &Field) -> BTreeMap<[u32; 3], String> {
    let (all, id) = (field.histories.committed(field.law_assignment()), |body| field.list.id(body));
    let pairs = all.pairs.iter().map(|(key, row)| ([id(key.a), id(key.b), u32::MAX], format!("{row:?}")));
    let of_wall =
        |(key, row): (&WallKey, _)| ([id(key.body), key.wall, key.feature], format!("{:?} {row:?}", key.normal));
    pairs.chain(all.walls.iter().map(of_wall)).collect()
}

fn by_id((field, bodies, state): &Scene) -> BTreeMap<u32, [u64; 9]> {
    let ids = (0..bodies.len() as u32).map(|body| field.list.id(body));
    ids.zip(bits(state, 0..bodies.len())).collect()
}

fn step(map: &mut Explicit, (field, bodies, state): &mut Scene) {
    map.step(bodies, field, state).unwrap();
}

#[test]
fn those_who_stay_keep_ids_histories_and_bits() {
    // Sums are taken in the order of the list, which is made again when bodies are added or removed. With one tile, and
    // lists made at the same steps in both runs, the orders agree.
    let mut scene = two_and_a_bed([6, 6, 6]);
    let mut alone = two_and_a_bed([6, 6, 6]);
    apply(&Renumbering::removal(alone.1.len(), |body| body < 2), FAR, &mut alone);
    let mut map = Explicit::new(Map::Rodrigues25, 2e-4).unwrap();
    let mut other = Explicit::new(Map::Rodrigues25, 2e-4).unwrap();
    for number in 0..20 {
        step(&mut map, &mut scene);
        step(&mut other, &mut alone);
        let count = scene.1.len();
        let numbering = match number {
            7 => Renumbering::removal(count, |body| body == 1),
            13 => Renumbering::with_changes(count, 2, (0..count + 2).map(|i| (i * 31 + 5) % (count + 2))).unwrap(),
            _ => continue,
        };
        let before = histories(&scene.0);
        let gone = scene.0.list.id(1);
        apply(&numbering, FAR + 5.0 * DVec3::X, &mut scene);
        let expected = before.into_iter().filter(|(key, _)| number != 7 || key[0] != gone && key[1] != gone);
        assert_eq!(histories(&scene.0), expected.collect());
        alone.0.list.forget();
    }
    let found = by_id(&scene);
    let expected = by_id(&alone);
    let staying: BTreeMap<_, _> = found.iter().filter(|(id, _)| expected.contains_key(id)).collect();
    assert!(staying == expected.iter().collect() && staying.len() == 216);
    assert_eq!(found.keys().copied().filter(|id| !expected.contains_key(id)).collect::<Vec<_>>(), [0, 218, 219]);
    let of_bed = histories(&scene.0).into_iter().filter(|(key, _)| key[0] > 1 && key[0] < 218);
    assert!(of_bed.eq(histories(&alone.0)) && histories(&scene.0).contains_key(&[218, 219, u32::MAX]));
    let dissipated =
        [&scene, &alone].map(|(field, bodies, state)| Ledger::read(field, &NoForce, bodies, state).unwrap());
    assert!(dissipated[1].dissipated > 0.01 && dissipated[0].dissipated > dissipated[1].dissipated);
}

/// Runs an open box with moving walls in which bodies are removed and added. Returns the bits of all bodies in the last
/// state by id, and the wall loads.
fn run(disturb: Disturb<'_>) -> (BTreeMap<u32, [u64; 9]>, Vec<WallLoad>) {
    let (domain, bodies, state) = bed([11, 11, 11], [Boundary::Open; 3], true);
    let field = ContactForce::new(list(domain), Laws::of(hooke(), full()));
    let mut scene = (field.with_walls(walls(domain.high())).unwrap().with_ledger(), bodies, state);
    let mut map = Explicit::new(Map::Rodrigues25, 2e-4).unwrap();
    let mut at_walls = 0;
    let mut made_by_motion = 0;
    for number in 0..40 {
        let builds = scene.0.list.builds();
        step(&mut map, &mut scene);
        // A step after bodies have come or left makes a list anyway.
        made_by_motion += usize::from(scene.0.list.builds() != builds && number % 6 != 4);
        if number % 6 == 3 {
            let before = histories(&scene.0);
            let id: Vec<u32> = (0..scene.1.len() as u32).map(|body| scene.0.list.id(body)).collect();
            let leaves = |id: u32| id % 97 == number as u32;
            let numbering = Renumbering::removal(id.len(), |body| leaves(id[body]));
            let new = Renumbering::insertion(numbering.former().len(), 3);
            apply(&numbering, ABOVE, &mut scene);
            apply(&new, ABOVE + DVec3::Z * number as f64, &mut scene);
            let stays = |key: &[u32; 3]| !leaves(key[0]) && (key[2] != u32::MAX || !leaves(key[1]));
            let expected: BTreeMap<_, _> = before.iter().filter(|(key, _)| stays(key)).collect();
            assert!(expected == histories(&scene.0).iter().collect() && expected.len() < before.len());
            at_walls += expected.keys().filter(|key| key[2] != u32::MAX).count();
        }
        disturb(number, &mut scene.0, &mut scene.1, &mut scene.2);
    }
    let loads = scene.0.wall_loads().to_vec();
    assert!(made_by_motion > 1, "{made_by_motion}");
    assert!(at_walls > 100 && loads.iter().all(|load| load.contacts > 10), "{at_walls} {loads:?}");
    (by_id(&scene), loads)
}

#[test]
fn coming_and_leaving_gives_the_same_bits_for_threads_numbers_and_restarts() {
    assert_one_end(run);
}

#[test]
fn an_id_is_never_used_again() {
    let (domain, bodies, state) = bed([2, 1, 1], [Boundary::Open; 3], false);
    let mut scene: Scene = (ContactForce::new(list(domain), Laws::of(hooke(), spring())), bodies, state);
    let ids = |scene: &Scene| (0..scene.1.len() as u32).map(|body| scene.0.list.id(body)).collect::<Vec<_>>();
    apply(&Renumbering::removal(2, |_| true), FAR, &mut scene);
    apply(&Renumbering::insertion(0, 2), FAR, &mut scene);
    assert_eq!(ids(&scene), [2, 3]);
    apply(&Renumbering::with_changes(2, 1, [2, 1]).unwrap(), FAR, &mut scene);
    assert_eq!(ids(&scene), [4, 3]);
    #[cfg(feature = "serde")]
    {
        apply(&Renumbering::removal(2, |body| body == 0), FAR, &mut scene);
        scene.0 = super::restored(&scene.0);
        apply(&Renumbering::insertion(1, 1), FAR, &mut scene);
        assert_eq!(ids(&scene), [3, 5]);
    }
    let mut last = ContactForce::new(list(domain).with_ids([u32::MAX - 1]).unwrap(), Laws::of(hooke(), spring()));
    let error = last.renumber(&Renumbering::insertion(1, 1)).unwrap_err();
    assert!(matches!(error, DemError::List(ListError::NoIdsLeft { given: u32::MAX, new: 1 })), "{error}");
}

#[test]
fn new_bodies_need_their_materials_and_change_nothing_without() {
    let laws = LawTable::new(2, |_, _| Ok(Laws::of(hooke(), spring()))).unwrap();
    let list = || NeighborList::new(Domain::OPEN, 0.1).unwrap();
    let mut field: Field = ContactForce::by_material(list(), laws, [1, 0]).unwrap();
    let one = Renumbering::with_changes(2, 1, [2, 0]).unwrap();
    let of = |materials| NewBodies { materials, ..NewBodies::default() };
    let missing = field.renumber(&one).unwrap_err();
    assert!(matches!(missing, DemError::LengthMismatch { what: "materials of new bodies", expected: 1, found: 0 }));
    let unknown = field.renumber_with(&one, of(&[2])).unwrap_err();
    assert!(matches!(unknown, DemError::Law(LawError::UnknownMaterial { what: "new body", material: 2, .. })));
    assert_eq!((field.law_assignment().of_body.as_slice(), field.list.ids()), (&[1, 0][..], 0));
    field.renumber_with(&one, of(&[0])).unwrap();
    assert_eq!((field.law_assignment().of_body.as_slice(), field.list.id(0), field.list.id(1)), (&[0, 1][..], 2, 0));
    field.renumber(&Renumbering::removal(2, |_| true)).unwrap();
    field.renumber_with(&Renumbering::insertion(0, 1), of(&[1])).unwrap();
    assert_eq!((field.law_assignment().of_body.as_slice(), field.list.id(0)), (&[1][..], 3));
}

#[test]
fn the_balance_of_a_ledger_changes_by_the_energy_that_leaves() {
    let mut scene = two_and_a_bed([4, 4, 4]);
    let mut map = Explicit::new(Map::Rodrigues25, 1e-4).unwrap();
    (0..10).for_each(|_| step(&mut map, &mut scene));
    let read = |(field, bodies, state): &Scene| Ledger::read(field, &NoForce, bodies, state).unwrap();
    let before = read(&scene);
    // Removed bodies also end contacts of remaining bodies: the stored energy of these contacts is removed too.
    let mut fewer = scene.clone();
    let goes = |body: usize| body % 5 == 1;
    let stored = fewer.0.stored_energy(&fewer.1, &fewer.2, &goes).unwrap();
    apply(&Renumbering::removal(fewer.1.len(), goes), FAR, &mut fewer);
    let after = read(&fewer);
    assert!(stored.elastic > 0.1 && stored.tangential > 1e-4 && stored.elastic < 0.5 * before.elastic, "{stored:?}");
    assert!((before.elastic - after.elastic - stored.elastic).abs() < 1e-12);
    assert!((before.tangential - after.tangential - stored.tangential).abs() < 1e-12);
    assert!((after.dissipated - before.dissipated - stored.in_recorded_work).abs() < 1e-12);
    apply(&Renumbering::removal(scene.1.len(), |body| body < 2), FAR, &mut scene);
    let after = read(&scene);
    let left = before.mechanical() - after.mechanical();
    assert!(left > 0.2 && before.tangential > after.tangential);
    let springs = before.tangential - after.tangential;
    assert!((after.dissipated - before.dissipated - springs).abs() < 1e-12);
    assert!((before.balance() - after.balance() - (left - springs)).abs() < 1e-9);
    (0..10).for_each(|_| step(&mut map, &mut scene));
    assert!((read(&scene).balance() - after.balance()).abs() < 1e-3 * after.mechanical());
}
