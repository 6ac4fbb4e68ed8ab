//! The input of the evaluation of a tile, and the quantities that it has to find.

use crate::law::material::assignment::LawAssignment;
use crate::law::pair_law::LawTraits;
use crate::law::tangential::lever_arm::LeverArm;
use crate::neighbor::domain::Domain;

/// How a sphere moves, in one line of the cache.
#[derive(Debug, Clone, Copy, Default)]
#[repr(align(64))]
pub(crate) struct Motion {
    /// Velocity in m/s, and the radius in m.
    pub(crate) velocity: [f64; 4],
    /// Spin in rad/s, world frame, and the reciprocal mass in 1/kg.
    pub(crate) spin: [f64; 4],
}

/// The spheres by place. A tile reads only spheres that it owns or has as ghosts.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Spheres<'a> {
    /// Number of the sphere in each place.
    pub(crate) order: &'a [u32],
    /// Centre and radius by place, in m.
    pub(crate) position: &'a [[f64; 4]],
    /// Motion by place; empty where forces are elastic only.
    pub(crate) motion: &'a [Motion],
    pub(crate) images: &'a Images,
}

/// The displacement and velocity of each periodic image, by the code of its shift.
#[derive(Debug, Clone)]
pub(crate) struct Images {
    /// Displacements in m.
    pub(crate) shifts: [[f64; 4]; 32],
    /// Velocities in m/s, in a domain that deforms.
    pub(crate) velocities: Option<[[f64; 4]; 32]>,
    /// Axis along which images are displaced, and axis across which; none unless forces on the box are summed.
    pub(crate) axes: Option<[usize; 2]>,
}

impl Images {
    /// Returns the images of a domain. The forces on the box are summed if the domain deforms or `is_watched`.
    pub(crate) fn of(domain: &Domain, is_watched: bool) -> Self {
        let velocities = domain.is_deforming().then(|| domain.shift_velocities());
        let axes = (is_watched || domain.is_deforming()).then(|| domain.shear());
        Self { shifts: domain.shifts(), velocities, axes }
    }
}

/// The quantities that an evaluation has to find. They depend on the scene, never on the spheres of a tile.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Needs {
    /// Whether forces depend on velocities.
    pub(crate) motion: bool,
    /// Whether forces that are not elastic are also summed on their own, for a ledger.
    pub(crate) dissipative: bool,
    /// Whether the energy that contacts store is summed, for a ledger.
    pub(crate) energy: bool,
    /// Whether the ledger records the whole work of all contacts, since some of them are hysteretic.
    pub(crate) hysteretic: bool,
    /// Radius of all spheres in m, if all have one radius.
    pub(crate) radius: Option<f64>,
    /// The largest radius in m of all bodies.
    pub(crate) largest_radius: f64,
    /// Time since the committed state, in s.
    pub(crate) elapsed: f64,
}

impl Needs {
    /// Returns the needs of these laws `elapsed` (s) after the committed state, without a ledger.
    pub(crate) fn of(laws: &LawAssignment, radius: Option<f64>, elapsed: f64) -> Self {
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

/// Needs of the contacts of one pair of laws.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LawNeeds {
    /// Whether forces depend on velocities.
    pub(crate) motion: bool,
    /// Whether there are tangential forces.
    pub(crate) tangential: bool,
    /// Whether relative spins and the turning of contacts are read.
    pub(crate) spin: bool,
    /// Whether there are couples.
    pub(crate) couples: bool,
    /// The largest gap in m at which surfaces act on each other.
    pub(crate) range: f64,
    /// The share of the overlap that is taken off the arm of tangential forces.
    pub(crate) lever: f64,
    /// Time in s from the moment that the slip belongs to until the end of the step.
    pub(crate) slip_before_end: f64,
}

impl LawNeeds {
    /// Returns the needs of laws with these traits in an evaluation.
    pub(crate) fn of(traits: &LawTraits, needs: &Needs) -> Self {
        let in_the_middle = traits.lever == LeverArm::ContactPoint;
        Self {
            // A ledger records the whole work of all contacts if that of any law is hysteretic.
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
