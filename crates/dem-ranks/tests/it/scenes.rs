//! Beds that move, and how tests run them.

use std::num::NonZeroUsize;

use dem_contact::force::ContactForce;
use dem_contact::law::{CoRotating, Damping, FrictionSpring, Hooke, LawTable, Laws, Rolling, SpringSlider};
use dem_contact::neighbor::{Boundary, Domain, NeighborList};
use dem_contact::wall::Wall;
use dem_ranks::{RankRun, RanksError, Scene, Threads, TileOwners};
use rrp_geom::glam::DVec3;
use rrp_integrate::field::Blocked;
use rrp_integrate::{Bodies, Body, Both, Explicit, Gravity, Integrator as _, Map, State};

/// Springs with friction and resistance against rolling.
pub(crate) fn laws(friction: f64) -> Laws {
    let hooke = Hooke::new(1e5, Damping::coefficient(20.0).unwrap()).unwrap();
    let slip = FrictionSpring::matching_hooke(&hooke, friction).unwrap();
    Laws::of(hooke, CoRotating::new(Rolling::new(slip, SpringSlider::new(1e4, 1.0, 0.1).unwrap())))
}

/// A generator of numbers in `[-0.5, 0.5)`.
fn random(mut seed: u64) -> impl FnMut() -> f64 {
    move || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
    }
}

/// Spheres that touch, with random velocities, in a box with these sides. `cells` counts the spheres along each edge.
pub(crate) fn bed(cells: [usize; 3], sides: [Boundary; 3], radius: impl Fn(usize) -> f64) -> (Scene, State) {
    let count = cells.iter().product();
    let mut unit = random(5);
    let bodies = Bodies::new((0..count).map(|i| Body::sphere(1.0, radius(i)))).unwrap();
    let mut state = State::at_rest(count);
    let mut vector = || DVec3::new(unit(), unit(), unit());
    for i in 0..count {
        let cell = [i % cells[0], i / cells[0] % cells[1], i / cells[0] / cells[1]].map(|k| k as f64 + 0.5);
        state.position_mut().set(i, 0.99 * DVec3::from_array(cell) + 0.04 * vector());
        state.velocity_mut().set(i, 12.0 * vector());
        state.angular_momentum_mut().set(i, 0.3 * vector());
    }
    let size = 0.99 * DVec3::from_array(cells.map(|cells| cells as f64));
    let list = NeighborList::new(Domain::new(DVec3::ZERO, size, sides).unwrap(), 0.02).unwrap();
    let contacts = ContactForce::new(list, laws(0.4));
    let gravity = Gravity { acceleration: DVec3::new(0.0, 0.3, -9.81) };
    let integrator = Explicit::new(Map::Rodrigues25, 2e-4).unwrap().into();
    (Scene { bodies, contacts, gravity, blocked: Blocked::default(), integrator }, state)
}

pub(crate) fn equal(_: usize) -> f64 {
    0.5
}

/// Eight tiles between two periodic sides, on a floor that slides. Sizes and materials differ, and some spheres are
/// fixed.
pub(crate) fn mixed_bed() -> (Scene, State) {
    let sides = [Boundary::Periodic, Boundary::Open, Boundary::Open];
    let (scene, mut state) = bed([12, 13, 36], sides, |i| [0.5, 0.47, 0.54, 0.3][i % 4]);
    let is_fixed = |i: usize| i % 41 == 7;
    let bodies = &scene.bodies;
    let rows = (0..bodies.len()).map(|i| if is_fixed(i) { Body::fixed(bodies.radius()[i]) } else { bodies.get(i) });
    let bodies = Bodies::new(rows).unwrap();
    bodies.fixed().iter().for_each(|&i| {
        state.velocity_mut().set(i, DVec3::ZERO);
        state.angular_momentum_mut().set(i, DVec3::ZERO);
    });
    let between = |a: usize, b: usize| Ok::<_, dem_contact::error::DemError>(laws(0.2 + 0.1 * (a + b) as f64));
    let materials = (0..bodies.len()).map(|i| (i % 3 == 0).into());
    let list = scene.contacts.list().clone();
    let contacts = ContactForce::by_material(list, LawTable::new(2, between).unwrap(), materials).unwrap();
    let contacts = contacts.with_walls([Wall::plane(DVec3::ZERO, DVec3::Z).moving(DVec3::X)]).unwrap();
    (Scene { bodies, contacts, ..scene }, state)
}

/// The state and contacts after a run alone.
pub(crate) fn alone(scene: &Scene, start: &State, steps: usize) -> (State, ContactForce) {
    let Scene { bodies, contacts, gravity, blocked, mut integrator } = scene.clone();
    let mut field = Both(contacts, Both(gravity, blocked));
    let mut state = start.clone();
    (0..steps).for_each(|_| integrator.step(&bodies, &mut field, &mut state).map(drop).unwrap());
    (state, field.0)
}

/// Results of `work` on each of `ranks` ranks, whose tiles have these owners.
pub(crate) fn on_ranks<V: Send>(
    ranks: usize,
    (scene, start): &(Scene, State),
    owners: impl TileOwners + Clone + Sync + 'static,
    work: impl Fn(&mut RankRun<Threads>) -> Result<V, RanksError> + Sync,
) -> Vec<Result<V, RanksError>> {
    let ranks = NonZeroUsize::new(ranks).unwrap();
    let of_rank = |rank| work(&mut RankRun::new(rank, scene.clone(), start, Box::new(owners.clone()))?);
    Threads::run(ranks, of_rank).unwrap()
}

/// Bits of everything that a step changes.
pub(crate) fn bits(state: &State) -> Vec<u64> {
    let vectors = [state.position(), state.velocity(), state.angular_momentum()];
    let numbers = vectors.into_iter().flat_map(|column| column.slices()).chain(state.attitude().slices());
    let wrenches = state.wrenches().expect("forces");
    let loads = [&wrenches.force, &wrenches.torque].into_iter().filter_map(|column| column.slices()).flatten();
    numbers.chain(loads).flatten().map(|number| number.to_bits()).chain([state.time().to_bits()]).collect()
}
