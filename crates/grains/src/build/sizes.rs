//! Numbers of bodies and pairs of a scene, and the memory that they take, before they are made.

use dem_contact::neighbor::Domain;
use rrp_integrate::{Bodies, State};

use crate::error::{GrainsError, Location};
use crate::memory::{available, require};
use crate::scene::Scene;
use crate::scene::bodies::{BodyGroup, Place};

/// Largest number of bodies of a group: the largest number that a neighbour list can index.
pub(super) const MOST: usize = 1 << 26;

/// Bytes of memory for a body with its contacts while a scene is built, runs and is stored (docs/decisions/0021).
pub(crate) const OF_BODY: u64 = 2500;
/// Bytes of memory for a wall and its keys in each stage: about ten copies of some 400 bytes each.
const OF_WALL: u64 = 4000;
/// Bytes of memory for the contact law of a pair of materials.
const OF_LAW: u64 = 300;
/// Bytes of memory for a bond while bonds are made and the run lasts.
pub(super) const OF_BOND: u64 = 500;
/// Bytes of memory for a pair in a list (`OF_PAIR`), and for a contact of contact dynamics (`OF_RIGID_PAIR`).
pub(super) const OF_PAIR: u64 = 32;
pub(super) const OF_RIGID_PAIR: u64 = 600;
/// Number of bodies whose neighbours are counted to estimate the number of pairs of all bodies.
const SAMPLE: usize = 64;

/// Returns the number of bodies that a group will have, if known before they are placed.
pub(super) fn count(group: &BodyGroup, key: &str) -> Result<Option<usize>, GrainsError> {
    let count = match &group.place {
        Place::List(list) => list.len(),
        Place::File { .. } => return Ok(None),
        Place::Lattice { count, .. } => count.iter().fold(1, |product: usize, &count| product.saturating_mul(count)),
        Place::Pyramid { layers, .. } => (1..=(*layers).min(1000)).map(|side| side * side).sum(),
        Place::Ring { count, .. } => *count,
        Place::Pour { .. } | Place::PourWith { .. } => return Ok(None),
    };
    if count > MOST {
        return Err(GrainsError::out_of_range(format!("{key}.place"), "at most 67108864 bodies", count as f64));
    }
    Ok(Some(count))
}

/// Refuses a scene with more bodies, walls or materials than the memory holds, before they are made. [`refuse_bodies`]
/// refuses pours later, when their bodies are counted.
///
/// # Errors
/// [`GrainsError::TooLarge`], and errors of places with too many bodies.
pub(super) fn refuse_too_many(scene: &Scene) -> Result<(), GrainsError> {
    let mut total = 0;
    for (index, group) in scene.bodies.iter().enumerate() {
        let key = format!("bodies[{index}]");
        total += count(group, &key)?.unwrap_or(0);
        refuse_bodies(total, &format!("{key}.place"))?;
    }
    let walls: usize = scene.walls.iter().map(|group| group.shape.count()).sum();
    let in_stages = (walls as u64).saturating_mul(1 + scene.stages.len() as u64);
    require(Location::of("walls"), in_stages.saturating_mul(OF_WALL), || format!("{walls} walls"))?;
    if let Some(model) = &scene.contact {
        // An upper bound of the number of materials suffices where it is small; otherwise the distinct names are
        // counted.
        let most = if model.materials.is_empty() { 1 + 2 * model.pairs.len() } else { model.materials.len() };
        let materials = if most < 1000 { most as u64 } else { model.names().len() as u64 };
        let bytes = (materials * (materials + 1) / 2).saturating_mul(OF_LAW);
        require(Location::of(model.key_of_materials()), bytes, || format!("laws of {materials} materials"))?;
    }
    Ok(())
}

/// Refuses `count` bodies, which `key` asks for, if the memory does not hold them.
///
/// # Errors
/// [`GrainsError::TooLarge`].
pub(super) fn refuse_bodies(count: usize, key: &str) -> Result<(), GrainsError> {
    require(Location::of(key), (count as u64).saturating_mul(OF_BODY), || format!("{count} bodies"))
}

/// Returns the largest number of bodies that the memory holds.
pub(super) fn most_bodies() -> usize {
    available().map_or(MOST, |bytes| usize::try_from(bytes / OF_BODY).unwrap_or(usize::MAX).min(MOST))
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Packing<'a> {
    pub(super) bodies: &'a Bodies,
    pub(super) state: &'a State,
    pub(super) domain: Domain,
}

impl Packing<'_> {
    /// Refuses a list of all pairs of bodies within `gap` (m), with `bytes` of memory for each pair, if the memory does
    /// not hold it. The number of pairs is extrapolated from a sample of bodies.
    ///
    /// # Errors
    /// [`GrainsError::TooLarge`].
    pub(super) fn refuse_pairs(&self, gap: f64, bytes: u64, key: &str) -> Result<(), GrainsError> {
        let Self { bodies, state, domain } = *self;
        let count = bodies.len();
        let all = count as u64 * (count as u64).saturating_sub(1) / 2;
        let (at, what) = (Location::of(key), |pairs: u64| format!("{pairs} pairs of bodies within a gap of {gap}"));
        if require(at.clone(), all.saturating_mul(bytes), String::new).is_ok() {
            return Ok(());
        }
        let step = count.div_ceil(SAMPLE).max(1);
        let mut tried = 0_u64;
        let mut partners = 0_u64;
        for a in (0..count).step_by(step) {
            let at = state.position().get(a);
            let radius = bodies.radius()[a];
            let near = |b: &usize| {
                domain.separation(at, state.position().get(*b)).length() <= radius + bodies.radius()[*b] + gap
            };
            partners += (0..count).filter(near).count() as u64 - 1;
            tried += 1;
        }
        let pairs = (0.5 * count as f64 * partners as f64 / tried.max(1) as f64) as u64;
        require(at, pairs.saturating_mul(bytes), || what(pairs))
    }
}
