//! Equations of one body in an implicit step, as a sum over its contacts.

use rrp_geom::glam::DVec3;

use crate::force::ContactForce;
use crate::force::histories::ListedHistories;
use crate::implicit::contact::{ImplicitContact, arm};
use crate::implicit::contact_jacobian::CoupledBody;
use crate::implicit::residual_norms::ResidualNorms;
use crate::implicit::step_matrix::StepMatrix;
use crate::implicit::system::StepSystem;
use crate::implicit::weights::{StepContext, StepWeights};
use crate::law::material::assignment::LawAssignment;
use crate::neighbor::NeighborList;
use crate::neighbor::image_shift::{INDEX_BITS, INDEX_MASK};
use crate::neighbor::tiles::full_rows::FullRows;
use crate::util::numbers::larger;
use crate::wall::Wall;

/// Discrete equations of all bodies in one implicit step. Bodies are in the order of the neighbour list.
pub(super) struct BodyEquations<'a, const D: usize> {
    pub(super) system: &'a StepSystem,
    point: &'a [[f64; D]],
    pub(super) context: &'a StepContext<'a>,
    pub(super) laws: &'a LawAssignment,
    pub(super) dissipates: bool,
    /// Whether the Jacobian needs derivatives of tangential forces.
    pub(super) slopes: bool,
    pub(super) list: &'a NeighborList,
    rows: &'a FullRows,
    pub(super) walls: &'a [Wall],
    pub(super) histories: &'a ListedHistories,
    /// Zeros for the history of a new contact, as many as the widest history of any law has.
    pub(super) zeros: Vec<f64>,
    shifts: [[f64; 4]; 32],
    /// Index of each body in the order of the neighbour list, by body number; empty without ties.
    place: &'a [u32],
}

/// Residual and impulse of one body in an implicit step, with its diagonal block of the Jacobian.
pub(super) struct BodyRow<O, G, const D: usize> {
    pub(super) residual: [f64; D],
    /// Impulse on the body over the whole step, in kg m/s and kg m²/s.
    pub(super) impulse: [f64; D],
    pub(super) own: O,
    pub(super) diagonal: G,
}

impl<O, G, const D: usize> BodyRow<O, G, D> {
    fn fixed((own, diagonal): (O, G)) -> Self {
        Self { residual: [0.0; D], impulse: [0.0; D], own, diagonal }
    }
}

/// Sums over the contacts of one body of the forces on the other body or wall of each contact.
#[derive(Default)]
struct ContactSums {
    elastic: DVec3,
    dissipative: DVec3,
    /// Sum of n × `F_t` (contact normal and tangential force) times the lever arm of the body.
    torque: DVec3,
    /// Bound in N on the rounding of forces: sum of stiffness times the lengths whose difference is the overlap.
    rounding: f64,
    /// Trace of the contacts' part of the body's diagonal block of the Jacobian.
    trace: f64,
    too_deep: usize,
}

/// Number of neighbours of a body that are searched at once for contacts.
pub(super) const NEAR: usize = 32;

/// Neighbour that a body may touch, in coordinates relative to this body.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct NeighborState {
    place: u32,
    /// Index of the neighbour in the body's row of the neighbour list.
    entry: u32,
    /// Separation in m from the body to the neighbour at the start of the step.
    separation: [f64; 3],
    /// Velocity in m/s of the neighbour relative to the body during the step.
    velocity: [f64; 3],
}

/// One body of a contact: its data at the start of the implicit step, with its velocities during the step.
#[derive(Clone, Copy)]
pub(super) struct ContactBody {
    /// Number of the body in the state, which differs from its index in the order of the neighbour list.
    pub(super) body: u32,
    pub(super) id: u32,
    pub(super) origin: DVec3,
    pub(super) compensation: DVec3,
    pub(super) radius: f64,
    pub(super) inverse_mass: f64,
    pub(super) velocity: DVec3,
    pub(super) spin: DVec3,
}

impl<'a, const D: usize> BodyEquations<'a, D> {
    pub(super) fn new(
        system: &'a StepSystem,
        contacts: &'a ContactForce,
        context: &'a StepContext<'a>,
        point: &'a [[f64; D]],
        slopes: bool,
    ) -> Self {
        let list = contacts.list();
        let laws = contacts.law_assignment();
        Self {
            system,
            point,
            context,
            laws,
            dissipates: laws.dissipate(),
            slopes,
            list,
            rows: list.full_rows(),
            walls: contacts.walls(),
            histories: contacts.listed_histories(),
            zeros: vec![0.0; laws.pairs.all().iter().map(|laws| laws.traits().layout.width()).max().unwrap_or(0)],
            shifts: list.shifts(),
            place: if context.ties.is_some() { list.place() } else { &[] },
        }
    }

    /// Whether all contact forces are elastic and evaluated at one point of the step, for the simpler kernel.
    pub(super) fn is_elastic(&self) -> bool {
        !self.dissipates && !self.context.weights.exact
    }

    /// Evaluates the equations of the body with the index `place` in the neighbour list's order, writes its row of the
    /// matrix and adds to `norms`. `ELASTIC` asserts that all forces are [elastic](Self::is_elastic).
    #[inline(always)]
    pub(super) fn evaluate<M: StepMatrix<D>, const ELASTIC: bool>(
        &self,
        place: usize,
        rows: &mut M::Rows,
        neighbors: &mut [NeighborState; NEAR],
        norms: &mut ResidualNorms,
    ) -> BodyRow<M::Own, M::Diagonal, D> {
        let a = self.body(place);
        let weights = &self.context.weights;
        if a.inverse_mass <= 0.0 {
            return BodyRow::fixed(M::alone(1.0, 1.0));
        }
        let mass = a.inverse_mass.recip();
        let inertia = if D > 3 { self.system.spin[place][3].recip() } else { 1.0 };
        let mut own = M::alone(mass, inertia);
        let mut sums = ContactSums::default();
        let committed = (!self.zeros.is_empty()).then(|| self.histories.pairs_of(place));
        for (chunk, entries) in self.rows.row(place).chunks(NEAR).enumerate() {
            let touching = self.find_touching::<ELASTIC>(&a, NEAR * chunk, entries, neighbors);
            for neighbor in &neighbors[..touching] {
                let other = neighbor.place as usize;
                let b = self.body(other);
                let pair = || self.rows.pairs_of_row(place)[neighbor.entry as usize] as usize;
                let history = committed.and_then(|committed| committed.get(pair()));
                let separation = DVec3::from_slice(&neighbor.separation);
                let velocity = DVec3::from_slice(&neighbor.velocity);
                let Some(contact) = self.pair::<ELASTIC>(separation, velocity, [&a, &b], history) else {
                    continue;
                };
                sums.too_deep += usize::from(contact.geometry.overlap >= a.radius.min(b.radius));
                let other_arm = arm(b.radius, contact.geometry.overlap);
                sums.add(&contact, weights, a.radius + b.radius);
                let moves = b.inverse_mass > 0.0;
                let partner = moves.then_some(CoupledBody { place: other, arm: other_arm });
                M::couple(rows, &mut own, &contact, weights, partner);
            }
        }
        for w in 0..self.walls.len() {
            self.each_wall_contact(w, &a, &mut |contact, _| {
                sums.too_deep += usize::from(contact.geometry.overlap >= a.radius);
                sums.add(contact, weights, a.radius);
                M::couple(rows, &mut own, contact, weights, None);
            });
        }
        if let Some(ties) = self.context.ties {
            for &[_, body] in ties.of_body(a.body as usize) {
                let other = self.place[body as usize] as usize;
                let b = self.body(other);
                let separation = ties.domain().separation(a.origin, b.origin) + (b.compensation - a.compensation);
                let contact = self.tie(ties.stiffness(), separation, b.velocity - a.velocity, [&a, &b]);
                sums.add(&contact, weights, a.radius + b.radius);
                let moves = b.inverse_mass > 0.0;
                let partner = moves.then_some(CoupledBody { place: other, arm: 0.0 });
                M::couple(rows, &mut own, &contact, weights, partner);
            }
        }
        let (residual, impulse) = self.momentum_balance(place, &a, &sums, norms);
        let (own, diagonal) = own;
        BodyRow { residual, impulse, own, diagonal }
    }

    /// Copies the neighbours among `entries` that body `a` may touch to the front of `neighbors`, and returns their
    /// number. `entries` are at most [`NEAR`] entries of the row of `a`, from index `first` on.
    ///
    /// The code has no branch on contact, which the processor could not predict.
    #[inline(always)]
    fn find_touching<const ELASTIC: bool>(
        &self,
        a: &ContactBody,
        first: usize,
        entries: &[u32],
        neighbors: &mut [NeighborState; NEAR],
    ) -> usize {
        let mut found = 0;
        for (index, &entry) in (first as u32..).zip(entries) {
            let other = (entry & INDEX_MASK) as usize;
            let separation = self.separation(a, other, (entry >> INDEX_BITS) as usize);
            let velocity = DVec3::from_slice(&self.point[other]) - a.velocity;
            let neighbor = &mut neighbors[found & (NEAR - 1)];
            (neighbor.place, neighbor.entry) = (other as u32, index);
            neighbor.separation = separation.to_array();
            neighbor.velocity = velocity.to_array();
            found +=
                usize::from(self.may_touch::<ELASTIC>(separation, velocity, a.radius + self.system.origin[other][3]));
        }
        found
    }

    /// Separation in m at the start of the step from body `a` to the periodic image `code` of the body `other`.
    #[inline(always)]
    fn separation(&self, a: &ContactBody, other: usize, code: usize) -> DVec3 {
        let ([x, y, z, _], [sx, sy, sz, _]) = (self.system.origin[other], self.shifts[code]);
        // In this order the other body computes the exactly opposite separation.
        let separation = (DVec3::new(x, y, z) - a.origin) + DVec3::new(sx, sy, sz);
        match self.system.compensation.get(other) {
            Some(&compensation) => separation + (DVec3::from_array(compensation) - a.compensation),
            None => separation,
        }
    }

    /// Writes the history of a pair at the end of the step to `after` if the bodies touch, and returns whether they do.
    /// The pair is given by its indices in the neighbour list's order, lower id first, and the code of its periodic
    /// shift; `committed` looks up its history at the start of the step.
    pub(super) fn write_pair_history<'h>(
        &self,
        [first, second]: [usize; 2],
        code: usize,
        committed: impl FnOnce() -> Option<&'h [f64]>,
        after: &mut Vec<f64>,
    ) -> bool {
        let [a, b] = [first, second].map(|place| self.body(place));
        let separation = self.separation(&a, second, code);
        let velocity = b.velocity - a.velocity;
        if !self.may_touch::<true>(separation, velocity, a.radius + b.radius) {
            return false;
        }
        let geometry = self.pair_geometry(separation, velocity, [&a, &b]);
        let touches = geometry.overlap > 0.0;
        if touches {
            self.write_history(self.laws.of_bodies(a.body, b.body).traits(), &geometry, committed(), after);
        }
        touches
    }

    /// Computes the residual of a body and its impulse over the whole step by the equations of the
    /// [`DiscreteForm`](crate::implicit::DiscreteForm), and adds the part of this body to `norms`.
    #[inline(always)]
    fn momentum_balance(
        &self,
        place: usize,
        a: &ContactBody,
        sums: &ContactSums,
        norms: &mut ResidualNorms,
    ) -> ([f64; D], [f64; D]) {
        let mass = a.inverse_mass.recip();
        let known = self.system.known_impulse.get(place).copied().unwrap_or_default();
        let [known, known_torque] = [DVec3::from_slice(&known[..3]), DVec3::from_slice(&known[3..])];
        let [x, y, z, _] = self.system.velocity[place];
        let start = DVec3::new(x, y, z);
        let w = &self.context.weights;
        let half = known - (sums.elastic * w.elastic + sums.dissipative * w.dissipative);
        let whole = known - (sums.elastic * w.whole_elastic + sums.dissipative * w.whole_dissipative);
        let left = (start - a.velocity) * mass + half;
        let mut residual = [0.0; D];
        let mut impulse = [0.0; D];
        residual[..3].copy_from_slice(&left.to_array());
        impulse[..3].copy_from_slice(&whole.to_array());
        let mut size = left.length_squared();
        let mut square = left.length_squared() * a.inverse_mass;
        if D > 3 {
            let [x, y, z, inverse] = self.system.spin[place];
            let inertia = inverse.recip();
            let left = (DVec3::new(x, y, z) - a.spin) * inertia + known_torque - sums.torque * w.dissipative;
            residual[3..].copy_from_slice(&left.to_array());
            impulse[3..].copy_from_slice(&(known_torque - sums.torque * w.whole_dissipative).to_array());
            square += left.length_squared() * inverse;
            // The angular residual divided by the radius of gyration counts as a momentum.
            size += left.length_squared() * (mass * inverse);
        }
        norms.square += square;
        norms.feedback += square * sums.trace * a.inverse_mass * (1.0 / 3.0);
        let size = size.sqrt();
        norms.residual = larger(norms.residual, size);
        let scale = (start.length() * mass).max(half.length());
        norms.scale = norms.scale.max(scale);
        norms.rounding = norms.rounding.max(f64::EPSILON * w.elastic * sums.rounding);
        norms.too_deep += sums.too_deep;
        (residual, impulse)
    }

    /// Returns the data of a body in a contact; `place` is its index in the order of the neighbour list.
    #[inline(always)]
    pub(super) fn body(&self, place: usize) -> ContactBody {
        let [x, y, z, radius] = self.system.origin[place];
        let point = &self.point[place];
        ContactBody {
            body: self.list.order()[place],
            id: self.list.id(self.list.order()[place]),
            origin: DVec3::new(x, y, z),
            compensation: self.system.compensation.get(place).copied().map_or(DVec3::ZERO, DVec3::from_array),
            radius,
            inverse_mass: self.system.velocity[place][3],
            velocity: DVec3::from_slice(point),
            spin: if D > 3 { DVec3::from_slice(&point[D - 3..]) } else { DVec3::ZERO },
        }
    }
}

impl ContactSums {
    /// Adds a contact to the sums of a body; its overlap is a rounded difference of lengths up to `length` (m).
    #[inline(always)]
    fn add(&mut self, contact: &ImplicitContact, weights: &StepWeights, length: f64) {
        self.elastic += contact.elastic_force();
        if contact.dissipative.is_some() {
            self.dissipative += contact.dissipative_force();
            self.torque += contact.torque_per_arm() * contact.geometry.arm;
        }
        self.rounding += length * contact.elastic.slope.abs();
        let [along, across] = contact.stiffness(weights);
        self.trace += along + 2.0 * across;
    }
}
