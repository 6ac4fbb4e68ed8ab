//! Helpers of several tests.

use std::collections::HashMap;

use dem_contact::error::DemError;
use dem_contact::force::ContactForce;
#[cfg(feature = "serde")]
use dem_contact::force::StoredContacts;
use dem_contact::law::{ContactLaw, LawTable, Laws, TangentialLaw};
use dem_contact::neighbor::{Domain, NeighborList};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, Body, Explicit, ForceField, Integrator, Map, State, Wrenches};

/// Path of a file of `tests/data`.
pub(crate) fn path(name: &str) -> std::path::PathBuf {
    std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

/// The rows of a CSV file of `tests/data` by the names of their columns.
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

/// Equal spheres of mass and diameter one at these centres.
pub(crate) fn spheres(centers: &[DVec3]) -> (Bodies, State) {
    let bodies = Bodies::new(centers.iter().map(|_| Body::sphere(1.0, 0.5))).unwrap();
    let mut state = State::at_rest(centers.len());
    for (i, &center) in centers.iter().enumerate() {
        state.position_mut().set(i, center);
    }
    (bodies, state)
}

/// Contacts of the pairs in `list`.
pub(crate) fn contacts(
    list: NeighborList,
    law: impl ContactLaw + 'static,
    tangential: impl TangentialLaw + 'static,
) -> ContactForce {
    ContactForce::new(list, Laws::of(law, tangential))
}

/// Contacts in open space.
pub(crate) fn open(law: impl ContactLaw + 'static, tangential: impl TangentialLaw + 'static) -> ContactForce {
    contacts(NeighborList::new(Domain::OPEN, 0.1).unwrap(), law, tangential)
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

/// Takes `steps` steps of velocity Verlet.
pub(crate) fn advance(bodies: &Bodies, field: &mut dyn ForceField, state: &mut State, dt: f64, steps: usize) {
    let mut map = Explicit::new(Map::Verlet, dt).unwrap();
    for _ in 0..steps {
        map.step(bodies, field, state).unwrap();
    }
}

/// Computes the wrenches of `field` at `state`.
pub(crate) fn wrenches(bodies: &Bodies, field: &mut dyn ForceField, state: &State) -> Wrenches {
    let mut out = Wrenches::zeros(bodies.len());
    field.accumulate(bodies, state, 0.0, &mut out).unwrap();
    out
}

/// A stream of numbers that is the same in every run and on every machine.
pub(crate) struct Random(ChaCha8Rng);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(ChaCha8Rng::seed_from_u64(seed))
    }

    /// The next number in [0, 1).
    pub(crate) fn next(&mut self) -> f64 {
        self.0.random()
    }

    /// The next three numbers in [0, 1).
    pub(crate) fn vector(&mut self) -> DVec3 {
        DVec3::from_array(self.0.random())
    }
}

/// Returns all bits of a state.
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
