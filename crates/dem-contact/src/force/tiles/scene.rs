//! What the evaluation of a tile reads.

use crate::law::contact_law::{ContactLaw, TangentialLaw};
use crate::law::material::assignment::LawAssignment;
use crate::law::tangential::lever_arm::LeverArm;
use crate::neighbor::domain::Domain;

/// How a sphere moves, in one line of the cache.
#[derive(Debug, Clone, Copy, Default)]
#[repr(align(64))]
pub(crate) struct Motion {
    /// Velocity in m/s, and the reciprocal mass in 1/kg.
    pub(crate) velocity: [f64; 4],
    /// Spin in rad/s, world frame; the last number is zero.
    pub(crate) spin: [f64; 4],
}

/// The spheres by place. Those that a tile neither owns nor has as ghosts are not read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Spheres<'a> {
    /// The sphere in each place.
    pub(crate) order: &'a [u32],
    /// Centre and radius, in m.
    pub(crate) position: &'a [[f64; 4]],
    /// Empty where forces are elastic only.
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
    /// Along which direction, and across which one, images are displaced, if forces on the box are summed.
    pub(crate) axes: Option<[usize; 2]>,
}

impl Images {
    /// Those of a domain. The forces on it are summed if it deforms or `is_watched`.
    pub(crate) fn of(domain: &Domain, is_watched: bool) -> Self {
        let velocities = domain.is_deforming().then(|| domain.shift_velocities());
        let axes = (is_watched || domain.is_deforming()).then(|| domain.shear().0);
        Self { shifts: domain.shifts(), velocities, axes }
    }
}

/// What the loop has to know of the laws. The scene decides it, never the spheres of a tile.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Needs {
    /// Whether forces depend on velocities.
    pub(crate) motion: bool,
    /// Whether laws resist rolling.
    pub(crate) spin: bool,
    /// Whether forces that are not elastic are also summed on their own, for a ledger.
    pub(crate) dissipative: bool,
    /// Whether the energy that springs store is summed, for a ledger.
    pub(crate) stored: bool,
    /// The radius of all spheres in m, if it is the same.
    pub(crate) radius: Option<f64>,
    /// The largest gap in m at which laws act.
    pub(crate) range: f64,
    /// Whether normal forces depend on histories, or jump.
    pub(crate) hysteretic: bool,
    /// The share of the overlap that is taken off the arm of tangential forces.
    pub(crate) lever: f64,
    /// Time since the committed state, in s.
    pub(crate) elapsed: f64,
    /// Time in s from the moment that the slip belongs to until the end of the step.
    pub(crate) slip_before_end: f64,
}

impl Needs {
    /// Those of these laws between bodies that touch, `elapsed` (s) after the committed state.
    ///
    /// Laws see the slip in the middle of the step, those that act at the radius as in LAMMPS at its end.
    pub(crate) fn of<L: ContactLaw, T: TangentialLaw>(
        laws: &LawAssignment<L, T>,
        radius: Option<f64>,
        elapsed: f64,
    ) -> Self {
        let in_the_middle = laws.first().1.lever() == LeverArm::ContactPoint;
        Self {
            motion: laws.dissipate(),
            spin: laws.any(|_, law| law.resists_rolling()),
            dissipative: false,
            stored: false,
            radius,
            range: 0.0,
            hysteretic: laws.are_hysteretic(),
            lever: laws.lever(),
            elapsed,
            slip_before_end: if in_the_middle { 0.5 * elapsed } else { 0.0 },
        }
    }
}
