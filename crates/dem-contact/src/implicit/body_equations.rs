//! The equations of one body in an implicit step.

use rrp_geom::glam::DVec3;

use crate::force::contact_model::{arm, side};
use crate::force::old::pair_memory::Memories;
use crate::force::old::slots::Slots;
use crate::force::wall_forces::WallForces;
use crate::implicit::contact::{ContactGeometry, Dissipative, Elastic, ImplicitContact};
use crate::implicit::discrete_gradient::mean_force;
use crate::implicit::step_matrix::StepMatrix;
use crate::implicit::system::{ResidualNorms, StepSystem};
use crate::implicit::weights::{Setting, StepWeights};
use crate::law::contact_law::{ContactLaw, TangentialLaw};
use crate::law::material::assignment::LawAssignment;
use crate::neighbor::NeighborList;
use crate::neighbor::image_shift::{INDEX_BITS, INDEX_MASK};

/// What the equations of all places read.
pub(crate) struct BodyEquations<'a, L, T: TangentialLaw, const D: usize> {
    pub(super) stage: &'a StepSystem,
    point: &'a [[f64; D]],
    pub(super) setting: &'a Setting<'a>,
    pub(super) laws: &'a LawAssignment<L, T>,
    pub(super) dissipates: bool,
    /// Whether derivatives of tangential forces are wanted.
    pub(super) slopes: bool,
    list: &'a NeighborList,
    pub(super) walls: &'a WallForces<T::History>,
    shifts: [[f64; 4]; 32],
    /// Places of the bodies, if there are ties.
    rank: &'a [u32],
}

/// Residual and impulse over the whole step, then the blocks of the matrix.
pub(crate) type Row<O, G, const D: usize> = (([f64; D], [f64; D]), (O, G));

/// ResidualNorms over the contacts of one body: of the forces on the others, and of n × `F_t` times the arm.
#[derive(Default)]
struct Sum<const D: usize> {
    elastic: DVec3,
    dissipative: DVec3,
    twist: DVec3,
    /// Of stiffness times what is subtracted for the overlap, whose rounding it multiplies.
    rounding: f64,
    /// Of what contacts add to the diagonal of the Jacobian.
    trace: f64,
    deep: usize,
}

/// Entries of a row that are looked at together.
pub(crate) const NEAR: usize = 32;

/// A body that may be touched: its place, and from the other one to it the separation at the start of the step and the
/// velocity of the step.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct NeighborState {
    other: u32,
    separation: [f64; 3],
    velocity: [f64; 3],
}

/// One of the two bodies of a contact.
#[derive(Clone, Copy)]
pub(crate) struct Side {
    pub(crate) body: u32,
    pub(crate) origin: DVec3,
    pub(super) residue: DVec3,
    pub(crate) radius: f64,
    pub(crate) inverse_mass: f64,
    pub(crate) velocity: DVec3,
    pub(super) spin: DVec3,
}

impl<'a, L: ContactLaw, T: TangentialLaw, const D: usize> BodyEquations<'a, L, T, D> {
    pub(crate) fn new(
        stage: &'a StepSystem,
        (list, laws, walls): (&'a NeighborList, &'a LawAssignment<L, T>, &'a WallForces<T::History>),
        setting: &'a Setting<'a>,
        point: &'a [[f64; D]],
        slopes: bool,
    ) -> Self {
        Self {
            stage,
            point,
            setting,
            laws,
            dissipates: laws.dissipate(),
            slopes,
            list,
            walls,
            shifts: list.shifts(),
            rank: if setting.ties.is_some() { list.slot_of_body() } else { &[] },
        }
    }

    /// Whether pairs have elastic forces alone, at one point of the step.
    pub(crate) fn is_elastic(&self) -> bool {
        !self.dissipates && !self.setting.weights.exact
    }

    /// The equations of the place `first + k`, in the block that begins at `first`. With `ELASTIC` it knows that it
    /// [`is_elastic`](Self::is_elastic).
    #[inline(always)]
    pub(crate) fn place<M: StepMatrix<D>, const ELASTIC: bool>(
        &self,
        (first, k): (usize, usize),
        (committed, pending): (Memories<'_, T::History>, &mut Slots<T::History>),
        (rows, near): (&mut M::Rows, &mut [NeighborState; NEAR]),
        sums: &mut ResidualNorms,
    ) -> Row<M::Own, M::Diagonal, D> {
        let place = first + k;
        let a = self.side(place);
        let remembers = size_of::<T::History>() > 0;
        if a.inverse_mass <= 0.0 && !remembers {
            return (([0.0; D], [0.0; D]), M::alone(1.0, 1.0));
        }
        let fixed = a.inverse_mass <= 0.0;
        let mass = a.inverse_mass.recip();
        let inertia = if D > 3 { self.stage.spin[place][3].recip() } else { 1.0 };
        let mut own = M::alone(mass, inertia);
        let mut sum = Sum::<D>::default();
        let list_rows = &self.list.rows()[committed.homes.blocks().at(first)];
        let entries = list_rows.start[k] as usize..list_rows.start[k + 1] as usize;
        for entries in list_rows.entries[entries].chunks(NEAR) {
            let touching = self.find::<ELASTIC>(&a, entries, near);
            for near in &near[..touching] {
                let other = near.other as usize;
                let is_home = remembers && committed.homes.is_home(place, other);
                if fixed && !is_home {
                    continue;
                }
                let b = self.side(other);
                let mut memory = if remembers { committed.of_places([place, other]) } else { T::History::default() };
                let (separation, velocity) = (DVec3::from_slice(&near.separation), DVec3::from_slice(&near.velocity));
                let Some(encounter) = self.pair::<ELASTIC>(separation, velocity, (&a, &b), &mut memory) else {
                    continue;
                };
                if is_home && encounter.meeting.overlap > 0.0 {
                    committed.slot([place, other]).into_iter().for_each(|(_, slot)| pending.set(slot, memory));
                }
                if fixed {
                    continue;
                }
                sum.deep += usize::from(encounter.meeting.overlap >= a.radius.min(b.radius));
                let theirs = arm(b.radius, encounter.meeting.overlap);
                sum.add(&encounter, &self.setting.weights, a.radius + b.radius);
                let moves = b.inverse_mass > 0.0;
                M::couple(rows, &mut own, &encounter, &self.setting.weights, moves.then_some((other, theirs)));
            }
        }
        if fixed {
            return (([0.0; D], [0.0; D]), M::alone(1.0, 1.0));
        }
        for (w, wall) in self.walls.walls.iter().enumerate() {
            let body = self.list.order()[place];
            self.at_wall((w, wall), (body, &a), |encounter, _| {
                sum.deep += usize::from(encounter.meeting.overlap >= a.radius);
                sum.add(encounter, &self.setting.weights, a.radius);
                M::couple(rows, &mut own, encounter, &self.setting.weights, None);
            });
        }
        if let Some(ties) = self.setting.ties {
            for &[_, body] in ties.of_body(self.list.order()[place] as usize) {
                let other = self.rank[body as usize] as usize;
                let b = self.side(other);
                let separation = ties.domain().separation(a.origin, b.origin) + (b.residue - a.residue);
                let encounter = self.tie(ties.stiffness(), separation, b.velocity - a.velocity, (&a, &b));
                sum.add(&encounter, &self.setting.weights, a.radius + b.radius);
                let moves = b.inverse_mass > 0.0;
                M::couple(rows, &mut own, &encounter, &self.setting.weights, moves.then_some((other, 0.0)));
            }
        }
        (self.balance(place, (&a, mass, inertia), &sum, sums), own)
    }

    /// Puts the bodies of `entries`, at most [`NEAR`], that `a` may touch at the front of `near`; how
    /// many. Which ones cannot be predicted, so that none is left out by a branch.
    #[inline(always)]
    fn find<const ELASTIC: bool>(&self, a: &Side, entries: &[u32], near: &mut [NeighborState; NEAR]) -> usize {
        let mut found = 0;
        for &entry in entries {
            let (other, shift) = ((entry & INDEX_MASK) as usize, &self.shifts[(entry >> INDEX_BITS) as usize]);
            let [x, y, z, radius] = self.stage.origin[other];
            let [sx, sy, sz, _] = *shift;
            // In this order the separation seen from the other body is exactly opposite.
            let mut separation = (DVec3::new(x, y, z) - a.origin) + DVec3::new(sx, sy, sz);
            if let Some(&[x, y, z]) = self.stage.residue.get(other) {
                separation += DVec3::new(x, y, z) - a.residue;
            }
            let velocity = DVec3::from_slice(&self.point[other]) - a.velocity;
            let to = &mut near[found & (NEAR - 1)];
            to.other = other as u32;
            to.separation = separation.to_array();
            to.velocity = velocity.to_array();
            found += usize::from(self.may_touch::<ELASTIC>(separation, velocity, a.radius + radius));
        }
        found
    }

    /// The residual and the impulses over the whole step.
    #[inline(always)]
    fn balance(
        &self,
        place: usize,
        (a, mass, inertia): (&Side, f64, f64),
        sum: &Sum<D>,
        sums: &mut ResidualNorms,
    ) -> ([f64; D], [f64; D]) {
        let extra = self.stage.extra.get(place).copied().unwrap_or_default();
        let [known, known_twist] = [DVec3::from_slice(&extra[..3]), DVec3::from_slice(&extra[3..])];
        let [x, y, z, _] = self.stage.velocity[place];
        let start = DVec3::new(x, y, z);
        let w = &self.setting.weights;
        let half = known - (sum.elastic * w.elastic + sum.dissipative * w.dissipative);
        let whole = known - (sum.elastic * w.whole_elastic + sum.dissipative * w.whole_dissipative);
        let left = (start - a.velocity) * mass + half;
        let (mut residual, mut impulse) = ([0.0; D], [0.0; D]);
        residual[..3].copy_from_slice(&left.to_array());
        impulse[..3].copy_from_slice(&whole.to_array());
        let (mut size, mut square) = (left.length_squared(), left.length_squared() * a.inverse_mass);
        if D > 3 {
            let [x, y, z, inverse] = self.stage.spin[place];
            let left = (DVec3::new(x, y, z) - a.spin) * inertia + known_twist - sum.twist * w.dissipative;
            residual[3..].copy_from_slice(&left.to_array());
            impulse[3..].copy_from_slice(&(known_twist - sum.twist * w.whole_dissipative).to_array());
            square += left.length_squared() * inverse;
            // A momentum at the gyration radius.
            size += left.length_squared() * (mass * inverse);
        }
        sums.square += square;
        sums.feedback += square * sum.trace * a.inverse_mass * (1.0 / 3.0);
        let size = size.sqrt();
        sums.residual = if size > sums.residual || size.is_nan() { size } else { sums.residual };
        let scale = (start.length() * mass).max(half.length());
        sums.scale = sums.scale.max(scale);
        sums.rounding = sums.rounding.max(f64::EPSILON * w.elastic * sum.rounding);
        sums.deep += sum.deep;
        (residual, impulse)
    }

    #[inline(always)]
    pub(crate) fn side(&self, place: usize) -> Side {
        let [x, y, z, radius] = self.stage.origin[place];
        let point = &self.point[place];
        Side {
            body: self.list.order()[place],
            origin: DVec3::new(x, y, z),
            residue: self.stage.residue.get(place).copied().map_or(DVec3::ZERO, DVec3::from_array),
            radius,
            inverse_mass: self.stage.velocity[place][3],
            velocity: DVec3::from_slice(point),
            spin: if D > 3 { DVec3::from_slice(&point[D - 3..]) } else { DVec3::ZERO },
        }
    }

    /// Whether two bodies at this separation touch where forces are evaluated.
    #[inline(always)]
    fn may_touch<const ELASTIC: bool>(&self, separation: DVec3, velocity: DVec3, sum: f64) -> bool {
        let weights = &self.setting.weights;
        let touches = |time: f64| (separation + velocity * time).length_squared() < sum * sum;
        touches(weights.reach) | (!ELASTIC && weights.exact && (touches(0.0) | touches(weights.step)))
    }

    /// A pair of bodies.
    #[inline(always)]
    fn pair<const ELASTIC: bool>(
        &self,
        separation: DVec3,
        velocity: DVec3,
        sides: (&Side, &Side),
        memory: &mut T::History,
    ) -> Option<ImplicitContact> {
        let (a, b) = sides;
        let (law, tangential) = self.laws.of_bodies(a.body, b.body);
        let (radius, sum) = (a.radius * b.radius / (a.radius + b.radius), a.radius + b.radius);
        let meeting = self.meeting(separation, velocity, sides);
        let elastic = if !ELASTIC && self.setting.weights.exact {
            self.mean_elastic(separation, velocity, sum, |from, to| mean_force(law, from, to, radius))
        } else if meeting.overlap > 0.0 {
            self.elastic(&meeting, law.force(meeting.overlap, radius), law.stiffness(meeting.overlap, radius))
        } else {
            return None;
        };
        let dissipative = (!ELASTIC && self.dissipates && meeting.overlap > 0.0)
            .then(|| Dissipative::new((law, tangential), &meeting, &self.setting.weights, memory, self.slopes));
        Some(ImplicitContact { meeting, elastic, dissipative })
    }

    /// A tie of two bodies.
    fn tie(&self, stiffness: f64, separation: DVec3, velocity: DVec3, sides: (&Side, &Side)) -> ImplicitContact {
        let meeting = self.meeting(separation, velocity, sides);
        let elastic = if self.setting.weights.exact {
            let mean = |from: f64, to: f64| [0.5 * stiffness * (from + to), 0.5 * stiffness];
            self.mean_elastic(separation, velocity, sides.0.radius + sides.1.radius, mean)
        } else {
            self.elastic(&meeting, stiffness * meeting.overlap, stiffness)
        };
        ImplicitContact { meeting, elastic, dissipative: None }
    }

    #[inline(always)]
    fn meeting(&self, separation: DVec3, velocity: DVec3, (a, b): (&Side, &Side)) -> ContactGeometry {
        let here = separation + velocity * self.setting.weights.reach;
        let distance = here.length();
        let (overlap, curvature) = ((a.radius + b.radius) - distance, distance.recip());
        let mut meeting = ContactGeometry {
            normal: here * curvature,
            curvature,
            ridge: (DVec3::ZERO, 0.0),
            overlap,
            arm: arm(a.radius, overlap),
            give: 0.5,
            radius: a.radius * b.radius / (a.radius + b.radius),
            mass: (a.inverse_mass + b.inverse_mass).recip(),
            velocity,
            turning: DVec3::ZERO,
            rolling: DVec3::ZERO,
            side: side(a.body, b.body),
            share: ContactGeometry::WHOLE,
        };
        if D > 3 {
            meeting.turning = a.spin * meeting.arm + b.spin * arm(b.radius, overlap);
            meeting.rolling = (a.spin + b.spin) * meeting.give;
        }
        meeting
    }

    /// The force at the place where forces are evaluated.
    #[inline(always)]
    pub(super) fn elastic(&self, meeting: &ContactGeometry, size: f64, slope: f64) -> Elastic {
        let (direction, falling, turn) = (meeting.normal, meeting.normal, meeting.curvature);
        Elastic { size, slope, direction, falling, turn, reach: self.setting.weights.reach }
    }

    /// The force that changes the energy by what it should: −(V' − V)/(|r'|² − |r|²) (r + r').
    #[inline]
    fn mean_elastic(
        &self,
        separation: DVec3,
        velocity: DVec3,
        sum: f64,
        mean: impl Fn(f64, f64) -> [f64; 2],
    ) -> Elastic {
        let reach = self.setting.weights.step;
        let to = separation + velocity * reach;
        let [before, after] = [separation.length(), to.length()];
        let [size, slope] = mean(sum - before, sum - after);
        let turn = (before + after).recip();
        Elastic { size, slope, direction: (separation + to) * turn, falling: to / after, turn, reach }
    }
}

impl<const D: usize> Sum<D> {
    /// Adds a contact whose overlap is what is left of `length`.
    #[inline(always)]
    fn add(&mut self, encounter: &ImplicitContact, weights: &StepWeights, length: f64) {
        self.elastic += encounter.elastic_force();
        if encounter.dissipative.is_some() {
            self.dissipative += encounter.dissipative_force();
            self.twist += encounter.twist() * encounter.meeting.arm;
        }
        self.rounding += length * encounter.elastic.slope.abs();
        let [along, across] = encounter.stiffness(weights);
        self.trace += along + 2.0 * across;
    }
}
