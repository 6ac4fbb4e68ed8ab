//! The input of the evaluation of a tile, and the quantities that an evaluation has to compute.

use crate::law::lever_arm::LeverArm;
use crate::law::material::assignment::LawAssignment;
use crate::law::pair_law::LawTraits;
use crate::neighbor::domain::Domain;

/// Velocity, spin, radius and reciprocal mass of a sphere as the contact loop reads them, in one cache line.
#[derive(Debug, Clone, Copy, Default)]
#[repr(align(64))]
pub(in crate::force) struct Motion {
    /// Velocity of the sphere in m/s; the fourth number is its radius in m.
    pub(in crate::force) velocity: [f64; 4],
    /// Spin of the sphere in rad/s, world frame; the fourth number is its reciprocal mass in 1/kg.
    pub(in crate::force) spin: [f64; 4],
}

/// Positions and motions of all spheres, in the order of the tiles. A tile reads only its own spheres and ghosts.
#[derive(Debug, Clone, Copy)]
pub(in crate::force) struct Spheres<'a> {
    pub(in crate::force) order: &'a [u32],
    pub(in crate::force) position: &'a [[f64; 4]],
    /// Motion of each sphere, in the order of the tiles; empty if all forces are elastic.
    pub(in crate::force) motion: &'a [Motion],
    pub(in crate::force) images: &'a Images,
}

/// Displacement and velocity of each periodic image, by the code (below 32) with which a pair of spheres names its
/// image.
#[derive(Debug, Clone)]
pub(in crate::force) struct Images {
    pub(super) shifts: [[f64; 4]; 32],
    /// Velocity in m/s of each periodic image, by its code, in a domain that deforms; otherwise `None`.
    pub(super) velocities: Option<[[f64; 4]; 32]>,
    /// Two axes of the shear: along its flow and along its gradient; `None` unless forces on the box are summed.
    pub(in crate::force) axes: Option<[usize; 2]>,
}

impl Images {
    /// Returns the periodic images of a domain. Forces on the box are summed if the domain deforms or `is_watched`.
    pub(in crate::force) fn of(domain: &Domain, is_watched: bool) -> Self {
        let velocities = domain.is_deforming().then(|| domain.shift_velocities());
        let axes = (is_watched || domain.is_deforming()).then(|| domain.shear());
        Self { shifts: domain.shifts(), velocities, axes }
    }
}

/// Quantities that an evaluation of contact forces has to compute. They depend on laws and ledger, but not on the
/// spheres of one tile.
#[derive(Debug, Clone, Copy)]
pub(in crate::force) struct Needs {
    /// Whether any contact force of this evaluation depends on velocities.
    pub(in crate::force) motion: bool,
    /// Whether forces that are not elastic are also summed separately, for the energy ledger.
    pub(in crate::force) dissipative: bool,
    /// Whether the energy that contacts store is summed in the evaluation, for the energy ledger.
    pub(in crate::force) energy: bool,
    /// Whether the energy ledger records the whole work of all contacts, since some contacts are hysteretic.
    pub(in crate::force) hysteretic: bool,
    /// Radius in m of all spheres; `None` if the contact loop allows for several radii.
    pub(in crate::force) radius: Option<f64>,
    /// Largest radius in m of all bodies of the run, from which laws compute the range of their forces; may be zero if
    /// no law acts at a distance.
    pub(in crate::force) largest_radius: f64,
    pub(in crate::force) elapsed: f64,
}

impl Needs {
    /// Returns the quantities that contacts with these laws need without an energy ledger, `elapsed` (s) after the
    /// accepted state.
    pub(in crate::force) fn of(laws: &LawAssignment, radius: Option<f64>, elapsed: f64) -> Self {
        Self {
            motion: laws.dissipate(),
            dissipative: false,
            energy: false,
            hysteretic: laws.are_hysteretic(),
            radius,
            largest_radius: radius.unwrap_or(0.0),
            elapsed,
        }
    }
}

#[derive(Debug, Clone, Copy)]
pub(in crate::force) struct LawNeeds {
    pub(in crate::force) motion: bool,
    pub(in crate::force) tangential: bool,
    /// Whether the contact law reads relative spins, or the spin of a contact about its normal.
    pub(in crate::force) spin: bool,
    pub(in crate::force) couples: bool,
    /// Largest gap in m at which surfaces act on each other by this law; zero for laws without a range.
    pub(in crate::force) range: f64,
    /// Fraction of the overlap by which the sum of the lever arms of the tangential force is shorter than that of the
    /// radii: 1 or 0.
    pub(in crate::force) lever: f64,
    /// Time in s from the time at which the law reads the slip to the end of the step: half a step or zero.
    pub(in crate::force) slip_before_end: f64,
}

impl LawNeeds {
    pub(in crate::force) fn of(traits: &LawTraits, needs: &Needs) -> Self {
        let in_the_middle = traits.lever == LeverArm::ContactPoint;
        Self {
            // A ledger records the whole work of all contacts if any law is hysteretic.
            motion: needs.motion && (traits.needs_motion() || needs.hysteretic),
            tangential: traits.is_tangential,
            spin: traits.resists_rolling || traits.turns,
            couples: traits.resists_rolling,
            range: if traits.acts_at_a_distance() { traits.normal.range(needs.largest_radius) } else { 0.0 },
            lever: traits.lever.share(),
            slip_before_end: if in_the_middle { 0.5 * needs.elapsed } else { 0.0 },
        }
    }
}
