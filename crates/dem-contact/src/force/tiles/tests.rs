//! Tests that bits depend only on the scene, and that forces are those of the laws.

mod box_servo;
mod coming_and_leaving;
mod felt_walls;
mod owners;
mod range;
mod same_bits;
mod shear;
mod walls;

use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, Body, Explicit, ForceField as _, Integrator as _, Map, Renumbering, State, Wrenches};

use crate::error::DemError;
use crate::force::ContactForce;
use crate::force::contact_model::{ContactState, contact_forces, relative_velocity};
use crate::force::histories::ListedHistories;
use crate::law::{
    CoRotating, ContactLaw, CoulombViscous, Damping, FrictionSpring, Frictionless, Hertz, Hooke, LawTraits, Laws,
    Rolling, SpringSlider, TangentialLaw,
};
use crate::neighbor::{Boundary, Domain, NeighborList};

fn hooke() -> Hooke {
    Hooke::new(1e5, Damping::coefficient(20.0).unwrap()).unwrap()
}

fn list(domain: Domain) -> NeighborList {
    NeighborList::new(domain, 0.03).unwrap()
}

fn spring() -> FrictionSpring {
    FrictionSpring::matching_hooke(&hooke(), 0.4).unwrap()
}

type Full = CoRotating<Rolling<FrictionSpring>>;

fn full() -> Full {
    CoRotating::new(Rolling::new(spring(), SpringSlider::new(1e4, 1.0, 0.1).unwrap()))
}

/// Returns a moving bed of spheres of one or several sizes, `cells` along each edge, in a box with these boundaries.
fn bed(cells: [usize; 3], boundary: [Boundary; 3], mixed: bool) -> (Domain, Bodies, State) {
    let mut random = ChaCha8Rng::seed_from_u64(5);
    let mut unit = || random.random::<f64>() - 0.5;
    let count: usize = cells.iter().product();
    let radius = |i: usize| if mixed { [0.5, 0.47, 0.54][i % 3] } else { 0.5 };
    let bodies = Bodies::new((0..count).map(|i| Body::sphere(1.0, radius(i)))).unwrap();
    let mut state = State::at_rest(count).without_attitudes();
    for i in 0..count {
        let cell = [i % cells[0], i / cells[0] % cells[1], i / cells[0] / cells[1]].map(|k| k as f64 + 0.5);
        state.position_mut().set(i, 0.99 * DVec3::from_array(cell) + 0.04 * DVec3::new(unit(), unit(), unit()));
        state.velocity_mut().set(i, 3.0 * DVec3::new(unit(), unit(), unit()));
        state.angular_momentum_mut().set(i, 0.3 * DVec3::new(unit(), unit(), unit()));
    }
    let size = 0.99 * DVec3::from_array(cells.map(|cells| cells as f64));
    (Domain::new(DVec3::ZERO, size, boundary).unwrap(), bodies, state)
}

fn bits(state: &State, numbers: impl Iterator<Item = usize>) -> Vec<[u64; 9]> {
    let columns = [state.position(), state.velocity(), state.angular_momentum()];
    numbers
        .map(|i| {
            let values: Vec<f64> = columns.iter().flat_map(|column| column.get(i).to_array()).collect();
            std::array::from_fn(|k| values[k].to_bits())
        })
        .collect()
}

fn run(mut field: ContactForce, bodies: &Bodies, state: &State, steps: usize) -> (State, u64) {
    let mut state = state.clone();
    let mut map = Explicit::new(Map::Rodrigues25, 2e-4).unwrap();
    (0..steps).for_each(|_| map.step(bodies, &mut field, &mut state).map(drop).unwrap());
    (state, field.list().builds())
}

fn in_pool<R: Send>(threads: usize, work: impl FnOnce() -> R + Send) -> R {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
}

const SIDES: [[Boundary; 3]; 3] =
    [[Boundary::Periodic; 3], [Boundary::Open; 3], [Boundary::Periodic, Boundary::Open, Boundary::Periodic]];

/// Number of steps of a test run: a neighbour list with a thin skin is then made several times.
const STEPS: usize = 24;

/// Returns the forces and torques at the second of two `states`, computed pair by pair from the laws of one contact,
/// with springs that begin at the first state.
fn pair_by_pair(traits: &LawTraits, domain: &Domain, bodies: &Bodies, states: [(&State, f64); 2]) -> Wrenches {
    let mut out = Wrenches::zeros(bodies.len());
    let share = traits.lever.share();
    for a in 0..bodies.len() {
        for b in a + 1..bodies.len() {
            let mut history = vec![0.0; traits.layout.width()];
            for (k, (state, elapsed)) in states.into_iter().enumerate() {
                let separation = domain.separation(state.position().get(a), state.position().get(b));
                let [ra, rb] = [a, b].map(|body| bodies.radius()[body]);
                let normal = separation.normalize();
                let overlap = ra + rb - separation.length();
                if overlap <= 0.0 {
                    history.fill(0.0);
                    continue;
                }
                let spin = [a, b].map(|body| state.spin(bodies, body));
                let [arm_a, arm_b] = [ra, rb].map(|radius| radius - 0.5 * share * overlap);
                let centres = state.velocity().get(b) - state.velocity().get(a);
                let contact = ContactState {
                    normal,
                    overlap,
                    radius: ra * rb / (ra + rb),
                    mass: (bodies.inverse_mass()[a] + bodies.inverse_mass()[b]).recip(),
                    velocity: relative_velocity(centres, arm_a * spin[0] + arm_b * spin[1], normal),
                    spin: spin[1] - spin[0],
                    turning: spin[0] + spin[1],
                    elapsed,
                    share: 1.0,
                };
                let forces = contact_forces(traits, &contact, &mut history);
                if k == 1 {
                    out.force.add(a, -forces.total(normal));
                    out.force.add(b, forces.total(normal));
                    out.torque.add(a, -arm_a * normal.cross(forces.tangential) - forces.couple);
                    out.torque.add(b, -arm_b * normal.cross(forces.tangential) + forces.couple);
                }
            }
        }
    }
    out
}

/// Checks the forces that the contact loop finds at a state, with springs that began `elapsed` (s) earlier, against
/// forces that are computed pair by pair.
fn assert_forces_are_those_of(
    law: impl ContactLaw + 'static,
    tangential: impl TangentialLaw + 'static,
    mixed: bool,
    elapsed: f64,
) {
    let (domain, bodies, state) = bed([11, 11, 11], SIDES[2], mixed);
    let mut field = ContactForce::new(list(domain), Laws::of(law, tangential));
    let mut moved = state.clone();
    let mut out = Wrenches::zeros(bodies.len());
    field.accumulate(&bodies, &state, 0.0, &mut out).unwrap();
    field.commit();
    (0..bodies.len()).for_each(|i| moved.position_mut().add(i, 1e-4 * state.velocity().get(i)));
    out.clear();
    field.accumulate(&bodies, &moved, elapsed, &mut out).unwrap();
    let expected = pair_by_pair(field.law().traits(), &domain, &bodies, [(&state, 0.0), (&moved, elapsed)]);
    let largest = expected.force.iter().map(DVec3::length).fold(0.0, f64::max);
    assert!(largest > 100.0, "{largest}");
    for (found, expected) in [(&out.force, &expected.force), (&out.torque, &expected.torque)] {
        for (found, expected) in found.iter().zip(expected.iter()) {
            assert!((found - expected).length() < 1e-12 * largest, "{found} instead of {expected}");
        }
    }
}

#[test]
fn forces_are_those_of_the_laws() {
    let [undamped, damped] = [Damping::NONE, Damping::coefficient(20.0).unwrap()];
    let [undamped, damped] = [undamped, damped].map(|damping| Hertz::new(1e5, damping).unwrap());
    for mixed in [false, true] {
        assert_forces_are_those_of(undamped, Frictionless, mixed, 1e-4);
        assert_forces_are_those_of(damped, Frictionless, mixed, 1e-4);
        // Laws that read the motion at one time only are compared at `elapsed` zero.
        let viscous = CoulombViscous::new(30.0, 0.4).unwrap();
        assert_forces_are_those_of(damped, viscous, mixed, 0.0);
        assert_forces_are_those_of(hooke(), spring().as_in_lammps(), mixed, 1e-4);
    }
}

#[test]
fn both_tiles_of_a_border_keep_the_same_history() {
    for (boundary, planar) in SIDES.into_iter().flat_map(|boundary| [(boundary, false), (boundary, true)]) {
        let (domain, bodies, mut state) = bed([13, 13, 13], boundary, !planar);
        if planar {
            // Centres on axes and equal velocities give exact zeros.
            for i in 0..bodies.len() {
                let at = (state.position().get(i) / 0.99).floor() + 0.5;
                state.position_mut().set(i, 0.99 * at);
                state.velocity_mut().set(i, DVec3::X * if i % 2 == 0 { 1.0 } else { -0.0 });
                state.angular_momentum_mut().set(i, DVec3::Z * 0.25);
            }
        }
        let mut field = ContactForce::new(list(domain), Laws::of(hooke(), full()));
        let mut map = Explicit::new(Map::Rodrigues25, 2e-4).unwrap();
        (0..20).for_each(|_| map.step(&bodies, &mut field, &mut state).map(drop).unwrap());
        let mut seen = std::collections::HashMap::new();
        let mut shared = 0;
        let ListedHistories { tiling, pairs: histories, .. } = &field.histories.listed;
        for (tile, histories) in tiling.tiles.iter().zip(histories) {
            for (pair, history) in histories.committed.iter() {
                // The debug format shows all digits and the sign of zero.
                let shown = format!("{history:?}");
                if let Some(other) = seen.insert(tile.pair(pair).places(), shown.clone()) {
                    assert_eq!(other, shown);
                    shared += 1;
                }
            }
        }
        assert!(shared > 50, "{shared}");
    }
}

type Disturb<'a> = &'a mut dyn FnMut(usize, &mut ContactForce, &mut Bodies, &mut State);

fn by_id(field: &ContactForce, bodies: &Bodies, state: &State) -> Vec<[u64; 9]> {
    let mut by_id: Vec<(u32, usize)> = (0..bodies.len()).map(|i| (field.list.id(i as u32), i)).collect();
    by_id.sort_unstable();
    bits(state, by_id.into_iter().map(|(_, number)| number))
}

/// Checks that `run` returns the same result on one, two and five threads, with renumberings between its steps, and if
/// contacts, bodies and state are stored and restored between them.
fn assert_one_end<T: PartialEq + Send>(run: impl Fn(Disturb<'_>) -> T + Sync) {
    let expected = in_pool(1, || run(&mut |_, _, _, _| ()));
    for threads in [2, 5] {
        assert!(in_pool(threads, || run(&mut |_, _, _, _| ())) == expected, "{threads} threads");
    }
    let renumbered = run(&mut |step, field, bodies, state| {
        if step % 9 == 4 {
            shuffle(step, field, bodies, state);
        }
    });
    assert!(renumbered == expected, "other numbers");
    #[cfg(feature = "serde")]
    {
        let stored = run(&mut |step, field, bodies, state| {
            if step % 7 == 2 || step < 3 {
                let text = serde_json::to_string(&(&*bodies, &*state)).unwrap();
                (*bodies, *state) = serde_json::from_str(&text).unwrap();
                *field = restored(field);
            }
        });
        assert!(stored == expected, "stored and restored");
    }
}

/// Runs a bed with a change between steps. Returns the bits of the last state, with bodies sorted by id.
fn disturbed_run(disturb: Disturb<'_>) -> Vec<[u64; 9]> {
    let (domain, mut bodies, mut state) = bed([11, 11, 11], SIDES[2], true);
    let mut field = ContactForce::new(list(domain), Laws::of(hooke(), spring()));
    let mut map = Explicit::new(Map::Rodrigues25, 2e-4).unwrap();
    for step in 0..50 {
        map.step(&bodies, &mut field, &mut state).unwrap();
        disturb(step, &mut field, &mut bodies, &mut state);
    }
    assert!(field.list().builds() > 1);
    by_id(&field, &bodies, &state)
}

#[cfg(feature = "serde")]
fn restored(field: &ContactForce) -> ContactForce {
    let text = serde_json::to_string(&field.stored()).unwrap();
    serde_json::from_str::<crate::force::StoredContacts>(&text).unwrap().restore(field.laws().clone()).unwrap()
}

fn shuffle(seed: usize, field: &mut ContactForce, bodies: &mut Bodies, state: &mut State) {
    let count = bodies.len();
    let numbering = Renumbering::new((0..count).map(|i| (i * 7919 + seed) % count)).unwrap();
    field.renumber(&numbering).unwrap();
    numbering.apply(state).unwrap();
    numbering.apply_to_bodies(bodies).unwrap();
}

#[test]
fn bits_of_a_bed_do_not_depend_on_threads_numbers_or_restarts() {
    assert_one_end(disturbed_run);
    assert!(matches!(list(Domain::OPEN).with_ids([3, 1, 3]), Err(DemError::InvalidParameter { .. })));
    let mut field = ContactForce::new(list(Domain::OPEN).with_ids([3, 1, 2]).unwrap(), Laws::of(hooke(), spring()));
    assert!(matches!(field.renumber(&Renumbering::new([1, 0]).unwrap()), Err(DemError::LengthMismatch { .. })));
}

#[cfg(feature = "serde")]
#[test]
fn a_run_that_is_stored_around_a_new_list_keeps_its_bits_and_spoilt_contacts_are_refused() {
    let expected = disturbed_run(&mut |_, _, _, _| ());
    // Restart just after a new list, and while a list is in use.
    for wait in 0..2 {
        let mut made = 0;
        let found = disturbed_run(&mut |step, field, _, _| {
            if made == 0 && field.list().builds() == 2 {
                made = step;
            }
            if made > 0 && step == made + wait {
                *field = restored(field);
            }
        });
        assert!(made > 3 && found == expected, "{made}");
    }
    let (domain, bodies, state) = bed([3, 3, 3], SIDES[1], false);
    let mut field = ContactForce::new(list(domain), Laws::of(hooke(), spring()));
    for _ in 0..2 {
        field.accumulate(&bodies, &state, 1e-4, &mut Wrenches::zeros(bodies.len())).unwrap();
        field.commit();
    }
    let stored = serde_json::to_value(field.stored()).unwrap();
    let refused = |spoil: &dyn Fn(&mut serde_json::Value)| {
        let mut spoilt = stored.clone();
        spoil(&mut spoilt);
        let read = serde_json::from_value::<crate::force::StoredContacts>(spoilt);
        read.map_or(true, |stored| stored.restore(field.laws().clone()).is_err())
    };
    assert!(!refused(&|_| ()) && stored["histories"]["pairs"]["keys"].as_array().unwrap().len() > 1);
    assert!(refused(&|stored| stored["histories"]["pairs"]["keys"][0]["b"] = 1000.into()));
    assert!(refused(
        &|stored| stored["histories"]["pairs"]["keys"][0]["b"] = stored["histories"]["pairs"]["keys"][0]["a"].clone()
    ));
    assert!(refused(&|stored| {
        let entry = &mut stored["histories"]["pairs"]["keys"][0];
        let [a, b] = ["a", "b"].map(|side| entry[side].clone());
        (entry["a"], entry["b"]) = (b, a);
    }));
    assert!(refused(
        &|stored| stored["histories"]["pairs"]["keys"][1] = stored["histories"]["pairs"]["keys"][0].clone()
    ));
    assert!(refused(&|stored| stored["list"]["origin"]["centres"][0] = serde_json::Value::Null));
    assert!(refused(&|stored| stored["list"]["ids"] = vec![0].into()));
    // Without a list, ids tell how many bodies there are.
    let with_ids = |b: Option<u32>| {
        refused(&|stored| {
            stored["list"]["origin"] = serde_json::Value::Null;
            stored["list"]["ids"] = (0..27).collect::<Vec<u32>>().into();
            b.into_iter().for_each(|b| stored["histories"]["pairs"]["keys"][0]["b"] = b.into());
        })
    };
    assert!(!with_ids(None) && with_ids(Some(1000)));
    assert!(refused(&|stored| stored["list"]["skin"] = 0.0.into()));
}
