//! Helpers of several tests.

use std::collections::HashMap;
use std::sync::Arc;

use dem_contact::law::PairLaw;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::prelude::*;

pub(crate) fn path(name: &str) -> std::path::PathBuf {
    std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

/// Reads the rows of a CSV file of `tests/data` by the names of their columns.
pub(crate) fn csv(name: &str) -> Vec<HashMap<String, String>> {
    let text = std::fs::read_to_string(path(name)).unwrap();
    let mut lines = text.lines();
    let names: Vec<&str> = lines.next().unwrap().split(',').collect();
    let row = |line: &str| names.iter().zip(line.split(',')).map(|(n, v)| ((*n).to_owned(), v.to_owned())).collect();
    lines.map(row).collect()
}

pub(crate) fn number(row: &HashMap<String, String>, name: &str) -> f64 {
    row[name].parse().unwrap()
}

/// Makes equal spheres of mass and diameter one at these centres.
pub(crate) fn spheres(centers: &[DVec3]) -> (Bodies, State) {
    placed(centers.iter().map(|_| Body::sphere(1.0, 0.5)), centers.iter().copied())
}

/// Returns these bodies with a state at rest at these centres.
pub(crate) fn placed(
    rows: impl IntoIterator<Item = Body>,
    centers: impl IntoIterator<Item = impl Into<DVec3>>,
) -> (Bodies, State) {
    let bodies = Bodies::new(rows).unwrap();
    let mut state = State::at_rest(bodies.len());
    centers.into_iter().enumerate().for_each(|(i, center)| state.position_mut().set(i, center.into()));
    (bodies, state)
}

/// Makes equal spheres of mass and diameter one with these centres and velocities.
pub(crate) fn moving(spheres: &[[DVec3; 2]]) -> (Bodies, State) {
    let (bodies, mut state) = placed(spheres.iter().map(|_| Body::sphere(1.0, 0.5)), spheres.iter().map(|row| row[0]));
    spheres.iter().enumerate().for_each(|(i, row)| state.velocity_mut().set(i, row[1]));
    (bodies, state)
}

/// Makes a list of pairs in open space.
pub(crate) fn open_list(skin: f64) -> NeighborList {
    NeighborList::new(Domain::OPEN, skin).unwrap()
}

/// Makes contacts of the pairs in `list`.
pub(crate) fn contacts(
    list: NeighborList,
    law: impl ContactLaw + 'static,
    tangential: impl TangentialLaw + 'static,
) -> ContactForce {
    ContactForce::new(list, Laws::of(law, tangential))
}

/// Makes contacts in open space.
pub(crate) fn open(law: impl ContactLaw + 'static, tangential: impl TangentialLaw + 'static) -> ContactForce {
    contacts(open_list(0.1), law, tangential)
}

/// Contacts of the pairs in `list` with laws by the materials of the bodies.
pub(crate) fn by_material(
    list: NeighborList,
    laws: &LawTable,
    materials: impl IntoIterator<Item = u16>,
) -> Result<ContactForce, DemError> {
    ContactForce::by_material(list, laws.clone(), materials)
}

/// Stores a state and contacts, and restores both with the same laws.
#[cfg(feature = "serde")]
pub(crate) fn restored(state: &State, field: &ContactForce) -> (State, ContactForce) {
    let stored = serde_json::to_string(&(state, field.stored())).unwrap();
    let (state, stored): (_, StoredContacts) = serde_json::from_str(&stored).unwrap();
    (state, stored.restore(field.laws().clone()).unwrap())
}

/// Stores a run, restores it and lets both go on for `steps` steps: states, contacts, loads and energies are the same.
#[cfg(feature = "serde")]
pub(crate) fn assert_goes_on(bodies: &Bodies, field: &mut ContactForce, state: &mut State, dt: f64, steps: usize) {
    let (mut other, mut other_field) = restored(state, field);
    advance(bodies, field, state, dt, steps);
    advance(bodies, &mut other_field, &mut other, dt, steps);
    assert!(bits(state) == bits(&other));
    assert_eq!(field.contacts(bodies, state).unwrap(), other_field.contacts(bodies, &other).unwrap());
    assert_eq!(field.wall_loads(), other_field.wall_loads());
    assert_eq!(energies(bodies, field, state), energies(bodies, &other_field, &other));
}

/// Computes the energies of contacts without other fields.
pub(crate) fn energies(bodies: &Bodies, field: &ContactForce, state: &State) -> Ledger {
    Ledger::read(field, &NoForce, bodies, state).unwrap()
}

/// Returns the result of `run` on this many threads.
pub(crate) fn on_threads<T: Send>(threads: usize, run: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(run)
}

/// Returns the result of `run` on one thread, and checks that each of these numbers of threads gives an equal one.
pub(crate) fn same_on_threads<T: PartialEq + Send>(others: &[usize], run: impl Fn() -> T + Sync) -> T {
    let one = on_threads(1, &run);
    for &threads in others {
        assert!(on_threads(threads, &run) == one, "{threads} threads");
    }
    one
}

pub(crate) fn advance(bodies: &Bodies, field: &mut dyn ForceField, state: &mut State, dt: f64, steps: usize) {
    let mut map = Explicit::new(Map::Verlet, dt).unwrap();
    for _ in 0..steps {
        map.step(bodies, field, state).unwrap();
    }
}

/// Computes the wrenches of `field` at `state`.
pub(crate) fn wrenches(bodies: &Bodies, field: &mut dyn ForceField, state: &State) -> Wrenches {
    wrenches_after(bodies, field, state, 0.0)
}

/// Computes the wrenches of `field` at `state`, this time (s) after the committed state.
pub(crate) fn wrenches_after(bodies: &Bodies, field: &mut dyn ForceField, state: &State, elapsed: f64) -> Wrenches {
    let mut out = Wrenches::zeros(bodies.len());
    field.accumulate(bodies, state, elapsed, &mut out).unwrap();
    out
}

/// Returns the largest distance between rows of two columns.
pub(crate) fn apart(one: &VectorColumn, other: &VectorColumn) -> f64 {
    one.iter().zip(other.iter()).map(|(a, b)| (a - b).length()).fold(0.0, f64::max)
}

/// Checks that a value has the form of a pattern. Shows the value, and the message if there is one, where it has not.
macro_rules! assert_matches {
    ($value:expr, $pattern:pat $(if $guard:expr)? $(, $($message:tt)+)?) => {
        match $value {
            $pattern $(if $guard)? => (),
            ref other => {
                let case = String::new() $(+ ": " + &format!($($message)+))?;
                panic!("{other:?} is not {}{case}", stringify!($pattern))
            }
        }
    };
}
pub(crate) use assert_matches;

/// Returns the error of contacts inside the error of a step.
pub(crate) fn cause(error: IntegrateError) -> DemError {
    let (IntegrateError::Field(source) | IntegrateError::Method(source)) = error else { panic!("{error}") };
    *source.downcast().unwrap()
}

/// Field that fails in its next evaluations after the start of a step, by this number.
pub(crate) struct Fails(pub(crate) usize);

impl ForceField for Fails {
    fn accumulate(&mut self, _: &Bodies, _: &State, elapsed: f64, _: &mut Wrenches) -> Result<(), FieldError> {
        let fails = self.0 > 0 && elapsed > 0.0;
        self.0 -= usize::from(fails);
        if fails { Err("it fails".into()) } else { Ok(()) }
    }
}

/// Stiffness in N/m of the unit spheres of LAMMPS' runs.
pub(crate) const STIFFNESS: f64 = 195_000.0;

/// Contact time in s of two of these spheres, undamped.
pub(crate) fn time_of_contact() -> f64 {
    std::f64::consts::PI * (0.5 / STIFFNESS).sqrt()
}

/// Random numbers that are equal in every run and on every machine.
pub(crate) struct Random(ChaCha8Rng);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(ChaCha8Rng::seed_from_u64(seed))
    }

    /// Returns the next number in [0, 1).
    pub(crate) fn next(&mut self) -> f64 {
        self.0.random()
    }

    /// Returns the next three numbers in [0, 1).
    pub(crate) fn vector(&mut self) -> DVec3 {
        DVec3::from_array(self.0.random())
    }
}

/// Grains between a floor and a lid, so fast that lists are made anew, and that they go round the period.
pub(crate) fn grains(laws: impl Into<Arc<dyn PairLaw>>, count: usize, skin: f64) -> (Bodies, State, ContactForce) {
    let side = 1.05 * (count as f64).cbrt();
    let (bodies, mut state) = crowd(count, side, 5);
    state.velocity_mut().slices_mut()[0].iter_mut().for_each(|vx| *vx *= 4.0);
    let boundary = [Boundary::Periodic, Boundary::Periodic, Boundary::Closed];
    let domain = Domain::new(DVec3::NEG_Z, DVec3::splat(side) + DVec3::Z, boundary).unwrap();
    let walls = [Wall::plane(DVec3::Z * -0.1, DVec3::Z), Wall::plane(DVec3::Z * (side + 0.1), DVec3::NEG_Z)];
    let field = ContactForce::new(NeighborList::new(domain, skin).unwrap(), laws.into());
    (bodies, state, field.with_walls(walls).unwrap().with_ledger())
}

pub(crate) fn bits(state: &State) -> Vec<u64> {
    let vectors = [state.position(), state.velocity(), state.angular_momentum()];
    let components = vectors.into_iter().flat_map(|column| column.slices()).flatten();
    components.chain(state.attitude().slices().into_iter().flatten()).map(|value| value.to_bits()).collect()
}

/// A crowd of spheres of different sizes that overlap a little, at random velocities and spins.
pub(crate) fn crowd(count: usize, side: f64, seed: u64) -> (Bodies, State) {
    let mut random = Random::new(seed);
    let bodies = Bodies::new((0..count).map(|_| {
        let radius = 0.3 + 0.3 * random.next();
        Body::sphere(8.0 * radius * radius * radius, radius)
    }))
    .unwrap();
    let mut state = State::at_rest(count);
    let per_side = (count as f64).cbrt().ceil() as usize;
    for i in 0..count {
        let cell =
            DVec3::from_array([i % per_side, i / per_side % per_side, i / per_side / per_side].map(|k| k as f64));
        let center = (cell + 0.5 + 0.1 * (random.vector() - 0.5)) * (side / per_side as f64);
        state.position_mut().set(i, center);
        state.velocity_mut().set(i, random.vector() - 0.5);
        state.set_spin(&bodies, i, 4.0 * (random.vector() - 0.5));
    }
    (bodies, state)
}
