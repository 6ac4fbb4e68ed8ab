//! Bits that depend on nothing but the scene, and springs at one time level.

use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use rrp_geom::glam::DVec3;
use rrp_integrate::{Body, Both, Explicit, Gravity, Integrator as _, Map};

use super::*;
use crate::error::contact::ContactError;
use crate::force::contact_model::{ContactState, contact_forces, relative_velocity};
use crate::law::contact::ContactKinematics;
use crate::law::normal::damping::Damping;
use crate::law::normal::hertz::Hertz;
use crate::law::normal::hooke::Hooke;
use crate::law::tangential::co_rotating::CoRotating;
use crate::law::tangential::friction_spring::FrictionSpring;
use crate::law::tangential::memoryless::{CoulombViscous, Frictionless};
use crate::law::tangential::metered::WithFrictionWork;
use crate::law::tangential::rolling::Rolling;
use crate::law::tangential::spring_slider::SpringSlider;
use crate::neighbor::domain::Boundary;

fn hooke() -> Hooke {
    Hooke::new(1e5, Damping::coefficient(20.0).unwrap()).unwrap()
}

fn spring() -> FrictionSpring {
    FrictionSpring::matching_hooke(&hooke(), 0.4).unwrap()
}

/// A moving bed: a box with these sides, and spheres of one size or of many. `cells` along each edge.
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

/// Bits of centres, velocities and angular momenta, in the order of `numbers`.
fn bits(state: &State, numbers: impl Iterator<Item = usize>) -> Vec<[u64; 9]> {
    let columns = [state.position(), state.velocity(), state.angular_momentum()];
    numbers
        .map(|i| {
            let values: Vec<f64> = columns.iter().flat_map(|column| column.get(i).to_array()).collect();
            std::array::from_fn(|k| values[k].to_bits())
        })
        .collect()
}

fn run<L: ContactLaw, T: TangentialLaw>(
    mut field: TileForce<L, T>,
    bodies: &Bodies,
    state: &State,
    steps: usize,
) -> (State, u64) {
    let (mut state, mut map) = (state.clone(), Explicit::new(Map::Rodrigues25, 2e-4).unwrap());
    (0..steps).for_each(|_| map.step(bodies, &mut field, &mut state).map(drop).unwrap());
    (state, field.builds())
}

fn in_pool<R: Send>(threads: usize, work: impl FnOnce() -> R + Send) -> R {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
}

const SIDES: [[Boundary; 3]; 3] =
    [[Boundary::Periodic; 3], [Boundary::Open; 3], [Boundary::Periodic, Boundary::Open, Boundary::Periodic]];

#[test]
fn bits_are_the_same_for_any_number_of_threads_and_any_numbers_of_the_spheres() {
    // One tile, two and several in a direction.
    for (cells, mixed) in [([6, 6, 6], true), ([12, 12, 12], false), ([5, 6, 60], true)] {
        for boundary in SIDES {
            let (domain, bodies, state) = bed(cells, boundary, mixed);
            let law = CoRotating::new(WithFrictionWork::new(Rolling::new(
                spring(),
                SpringSlider::new(1e4, 1.0, 0.1).unwrap(),
            )));
            let field = || TileForce::new(domain, 0.03, hooke(), law).unwrap();
            let (alone, builds) = in_pool(1, || run(field(), &bodies, &state, 60));
            assert!(builds > 1, "{builds} lists");
            let count = bodies.len();
            let expected = bits(&alone, 0..count);
            for threads in [2, 3, 5] {
                assert!(bits(&in_pool(threads, || run(field(), &bodies, &state, 60).0), 0..count) == expected);
            }
            // Sphere i gets number `number(i)`, and keeps its id.
            let number = |i: usize| (i * 7919 + 13) % count;
            let mut ids = vec![0; count];
            (0..count).for_each(|i| ids[number(i)] = i as u32);
            let shuffled = Bodies::new(ids.iter().map(|&i| bodies.get(i as usize))).unwrap();
            let mut start = State::at_rest(count).without_attitudes();
            for (number, &i) in ids.iter().enumerate() {
                start.position_mut().set(number, state.position().get(i as usize));
                start.velocity_mut().set(number, state.velocity().get(i as usize));
                start.angular_momentum_mut().set(number, state.angular_momentum().get(i as usize));
            }
            let (end, _) = run(field().with_ids(ids), &shuffled, &start, 60);
            assert!(bits(&end, (0..count).map(number)) == expected, "{cells:?}, {boundary:?}");
        }
    }
}

/// Forces and torques by the laws, pair by pair, with springs that begin at the first state.
fn pair_by_pair<L: ContactLaw, T: TangentialLaw>(
    (law, tangential): (&L, &T),
    domain: &Domain,
    bodies: &Bodies,
    states: [(&State, f64); 2],
) -> Wrenches {
    let mut out = Wrenches::zeros(bodies.len());
    let share = tangential.lever().share();
    for a in 0..bodies.len() {
        for b in a + 1..bodies.len() {
            let mut history = T::History::default();
            for (k, (state, elapsed)) in states.into_iter().enumerate() {
                let separation = domain.separation(state.position().get(a), state.position().get(b));
                let [ra, rb] = [a, b].map(|body| bodies.radius()[body]);
                let (normal, overlap) = (separation.normalize(), ra + rb - separation.length());
                if overlap <= 0.0 {
                    history = T::History::default();
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
                let forces = contact_forces(law, tangential, law.is_capped(), &contact, &mut history);
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

fn assert_forces_are_those_of<L: ContactLaw + Copy, T: TangentialLaw + Copy>(law: L, tangential: T, mixed: bool) {
    let (domain, bodies, state) = bed([11, 11, 11], SIDES[2], mixed);
    let mut field = TileForce::new(domain, 0.03, law, tangential).unwrap();
    let (mut moved, mut out) = (state.clone(), Wrenches::zeros(bodies.len()));
    field.accumulate(&bodies, &state, 0.0, &mut out).unwrap();
    field.commit();
    (0..bodies.len()).for_each(|i| moved.position_mut().add(i, 1e-4 * state.velocity().get(i)));
    out.clear();
    field.accumulate(&bodies, &moved, 1e-4, &mut out).unwrap();
    let expected = pair_by_pair((&law, &tangential), &domain, &bodies, [(&state, 0.0), (&moved, 1e-4)]);
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
    let undamped = Hooke::new(1e5, Damping::NONE).unwrap();
    for mixed in [false, true] {
        assert_forces_are_those_of(undamped, Frictionless, mixed);
        assert_forces_are_those_of(hooke(), Frictionless, mixed);
        assert_forces_are_those_of(Hertz::new(1e5, Damping::coefficient(20.0).unwrap()).unwrap(), Frictionless, mixed);
        assert_forces_are_those_of(hooke(), CoulombViscous::new(30.0, 0.4).unwrap(), mixed);
        // With the slip at the end of the step.
        assert_forces_are_those_of(hooke(), spring().as_in_lammps(), mixed);
    }
}

#[test]
fn a_tile_reads_its_own_spheres_and_its_ghosts_alone() {
    for boundary in SIDES {
        let (domain, bodies, state) = bed([13, 13, 13], boundary, true);
        let mut field = TileForce::new(domain, 0.03, hooke(), spring()).unwrap();
        let mut map = Explicit::new(Map::Rodrigues25, 2e-4).unwrap();
        let mut state = state;
        (0..5).for_each(|_| map.step(&bodies, &mut field, &mut state).map(drop).unwrap());
        field.evaluate(&bodies, &state, 2e-4, &mut Wrenches::zeros(bodies.len())).unwrap();
        let all = field.sums.clone();
        let Listed { tiling, histories } = field.listed().unwrap();
        assert!(tiling.tiles().len() > 1);
        for (tile, history) in tiling.tiles().iter().zip(histories) {
            let ghosts = tile.ghosts();
            let is_known = |place: usize| tile.places.contains(&place) || ghosts.binary_search(&place).is_ok();
            let (mut position, mut motion) = (field.position.clone(), field.motion.clone());
            for place in (0..position.len()).filter(|&place| !is_known(place)) {
                position[place] = [f64::NAN; 4];
                motion[place] = Motion { velocity: [f64::NAN; 4], spin: [f64::NAN; 4] };
            }
            let needs = Needs::of(&field.laws, None, 2e-4);
            let shifts = shifts(domain.periods());
            let spheres = Spheres { order: tiling.order(), position: &position, motion: &motion, shifts: &shifts };
            let (mut history, mut own) = (history.clone(), Sums::default());
            own.resize(tile.places.len(), true, false);
            let mut work = TileWork {
                places: tile.places.clone(),
                pairs: &tile.pairs,
                history: &mut history,
                sums: own.as_parts(),
                is_too_deep: false,
            };
            kernel::evaluate(&field.laws, &spheres, &needs, &mut work);
            let same = |(a, b): (&Row, &Row)| a.map(f64::to_bits) == b.map(f64::to_bits);
            for (own, all) in [(&own.force, &all.force), (&own.torque, &all.torque)] {
                assert!(own.iter().zip(&all[tile.places.clone()]).all(same));
            }
        }
    }
}

#[test]
fn a_trial_that_is_given_up_changes_no_bit() {
    let (domain, bodies, state) = bed([10, 10, 10], SIDES[0], false);
    let run = |disturbed: bool| {
        let mut field = TileForce::new(domain, 0.03, hooke(), spring()).unwrap();
        let (mut state, mut map) = (state.clone(), Explicit::new(Map::Rodrigues25, 2e-4).unwrap());
        let mut out = Wrenches::zeros(bodies.len());
        for step in 0..40 {
            if disturbed && step % 7 == 3 {
                let mut far = state.clone();
                (0..bodies.len())
                    .for_each(|i| far.position_mut().add(i, DVec3::X * if i % 2 == 0 { 0.03 } else { -0.02 }));
                field.accumulate(&bodies, &far, 1e-3, &mut out).unwrap();
                // Two spheres at one point.
                let next = far.position().get(1);
                far.position_mut().set(0, next);
                let error = field.evaluate(&bodies, &far, 1e-3, &mut out).unwrap_err();
                assert!(matches!(error, DemError::Contact(ContactError::OverlapTooLarge { .. })), "{error}");
                far.position_mut().set(0, DVec3::NAN);
                assert!(field.evaluate(&bodies, &far, 1e-3, &mut out).is_err());
            }
            map.step(&bodies, &mut field, &mut state).unwrap();
        }
        bits(&state, 0..bodies.len())
    };
    assert!(run(false) == run(true));
}

/// A spring along the normal that pulls and pushes, at rest with an overlap of 0.1 m.
#[derive(Debug, Clone, Copy)]
struct Tie;

impl ContactLaw for Tie {
    fn energy(&self, overlap: f64, _: f64) -> f64 {
        0.5 * 1e4 * (overlap - 0.1).powi(2)
    }

    fn force(&self, overlap: f64, _: f64) -> f64 {
        1e4 * (overlap - 0.1)
    }

    fn stiffness(&self, _: f64, _: f64) -> f64 {
        1e4
    }
}

/// A tangential spring without a limit.
#[derive(Debug, Clone, Copy)]
struct Grip;

impl TangentialLaw for Grip {
    type History = DVec3;

    fn force(&self, contact: &ContactKinematics, history: &mut DVec3) -> DVec3 {
        let spring = *history + contact.velocity * contact.elapsed;
        *history = spring - contact.normal * spring.dot(contact.normal);
        *history * -3e3
    }
}

/// Two free spheres that are tied and spin, with some slip, for `time` (s): the largest relative change of the energy, and
/// its slope in 1/s.
fn spinning_pair(step: f64, time: f64) -> [f64; 2] {
    let bodies = Bodies::new([Body::sphere(1.0, 1.0); 2]).unwrap();
    let (mut state, spin) = (State::at_rest(2).without_attitudes(), DVec3::new(1.5, 3.5, 5.5));
    for (i, x) in [-0.95, 0.95].into_iter().enumerate() {
        let centre = DVec3::X * x;
        state.position_mut().set(i, centre);
        state.velocity_mut().set(i, spin.cross(centre) + DVec3::new(0.0, 0.2, 0.1) * x);
        state.angular_momentum_mut().set(i, bodies.inertia().get(i) * spin);
    }
    let mut field = TileForce::new(Domain::OPEN, 0.1, Tie, CoRotating::new(Grip)).unwrap();
    let mut map = Explicit::new(Map::Rodrigues25, step).unwrap();
    let energy = |state: &State, field: &TileForce<Tie, CoRotating<Grip>>| {
        let separation = state.position().get(1) - state.position().get(0);
        let histories = field.accepted.iter().flat_map(|listed| listed.histories[0].committed.iter());
        let stretch: DVec3 = histories.map(|(_, history)| history.inner).sum();
        let kinetic = rrp_integrate::kinetic_energy(&bodies, state).total();
        kinetic + Tie.energy(2.0 - separation.length(), 0.5) + 0.5 * 3e3 * stretch.length_squared()
    };
    let steps = (time / step).round() as usize;
    let (mut first, mut worst, mut means) = (None, 0.0_f64, [0.0; 2]);
    for k in 0..steps {
        map.step(&bodies, &mut field, &mut state).unwrap();
        let now = energy(&state, &field);
        let error = now / *first.get_or_insert(now) - 1.0;
        worst = worst.max(error.abs());
        means[2 * k / steps] += error / (0.5 * steps as f64);
    }
    [worst, (means[1] - means[0]) / (0.5 * time)]
}

#[test]
fn an_undamped_pair_that_spins_keeps_its_energy_to_second_order() {
    let [coarse, fine] = [2e-3, 1e-3].map(|step| spinning_pair(step, 20.0));
    let order = (coarse[0] / fine[0]).log2();
    assert!((order - 2.0).abs() < 0.2, "order {order}");
    assert!(coarse[0] < 1e-3 && coarse[1].abs() < 1e-7, "{coarse:?}");
}

/// The angle in degrees from the vertical at which a grain that rolls off two fixed spheres, `ratio` times as large, leaves
/// them; 180 if it goes round.
fn departure(ratio: f64, step: f64) -> f64 {
    let (large, small) = (5e-3, 5e-3 / ratio);
    let mass = |radius: f64| 2500.0 * 4.0 / 3.0 * std::f64::consts::PI * f64::powi(radius, 3);
    let bodies = [Body::fixed(large), Body::fixed(large), Body::sphere(mass(small), small)];
    let bodies = Bodies::new(bodies).unwrap();
    let mut state = State::at_rest(3).without_attitudes();
    state.position_mut().set(0, DVec3::X * large);
    state.position_mut().set(1, DVec3::NEG_X * large);
    let (height, tilt) = (((large + small).powi(2) - large * large).sqrt(), 1.0_f64.to_radians());
    state.position_mut().set(2, DVec3::new(0.0, tilt.sin(), tilt.cos()) * height);
    let hooke = Hooke::new(1e4, Damping::restitution(0.5).unwrap()).unwrap();
    let law = FrictionSpring::new(8235.0, 0.0, 0.5).unwrap();
    let contacts = TileForce::new(Domain::OPEN, 0.2 * small, hooke, law).unwrap();
    let mut field = Both(contacts, Gravity { acceleration: DVec3::new(0.0, 0.0, -9.81) });
    let mut map = Explicit::new(Map::Rodrigues25, step).unwrap();
    for _ in 0..(1.0 / step) as usize {
        map.step(&bodies, &mut field, &mut state).unwrap();
        let at = state.position().get(2);
        let angle = at.y.atan2(at.z).to_degrees();
        let listed = field.0.accepted.as_ref().unwrap();
        let touches = listed.histories.iter().any(|histories| histories.committed.iter().next().is_some());
        if !touches && angle > 60.0 {
            return angle;
        }
        if angle > 150.0 {
            break;
        }
    }
    180.0
}

#[test]
fn a_small_grain_rolls_off_large_ones_and_leaves_them() {
    // The angles to which shorter steps converge. With the slip at the end of the step it goes round.
    for (ratio, limit) in [(10.0, 63.764), (20.0, 71.174)] {
        let angle = departure(ratio, 2e-6);
        assert!((angle - limit).abs() < 0.2, "ratio {ratio}: {angle}");
    }
}
