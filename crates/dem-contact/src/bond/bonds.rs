use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, FieldError, ForceField, IntegrateError, State, Wrenches};
use rrp_parallel::{Parts, all_parts, for_each_part};

use crate::bond::body_pose::{BodyPose, is_identity};
use crate::bond::breakage::Rupture;
use crate::bond::force::{BondForce, Record};
use crate::bond::incidence::Incidence;
use crate::bond::law::{AnyBondLaw, Bond, ShearForm};
use crate::bond::packing::bonded_pairs;
use crate::error::DemError;
use crate::error::bond::BondError;
use crate::error::list::ListError;
use crate::neighbor::domain::Domain;
use crate::util::length::check_length;

use bond_set::BondSet;
use reference::Reference;

mod bond_set;
mod reference;
#[cfg(feature = "serde")]
mod restart;

/// Elastic bonds between pairs of bodies, each with the law of `[BG21]` section 4 or of a [parallel
/// bond](crate::bond::ParallelBondLaw).
///
/// Bonds store no energy in their reference, the state from which they are made. [`append`](Self::append) adds bonds
/// that were made later, from another state. Two bodies may have several bonds, whose stiffnesses add up. Each bond is
/// evaluated once, then each body sums over its bonds in order, so that forces do not depend on the number of threads.
///
/// Forces are the gradient of an energy until a bond breaks. A bond beyond its strength exerts no force from the first
/// accepted state beyond it. Its energy and the work of the jump of its force are listed in
/// [`ruptures`](Self::ruptures). With the feature `serde` bonds can be stored and restored, broken ones included.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "restart::Parts", into = "restart::Parts"))]
pub struct Bonds {
    pub(super) sets: Vec<BondSet>,
    pub(super) records: Vec<Record>,
    pub(super) intact: Vec<bool>,
    pub(super) ruptures: Vec<Rupture>,
    breakable: bool,
    /// Bonds of each body; built at the first evaluation, so that a stored number of bodies alone reserves no memory.
    pub(super) incidence: Incidence,
    pub(super) bodies: usize,
    /// Bonds found beyond their strength at the state where a run starts; the first step commits their ruptures.
    starting: Vec<Rupture>,
    pending: Vec<Rupture>,
    /// Poses of all bodies, one block for each `BondSet` in `sets`, relative to the reference state of this set.
    poses: Vec<BodyPose>,
    pub(super) actions: Vec<BondForce>,
}

impl Bonds {
    /// Makes bonds whose reference is `state`, where they store no energy, with [`ShearForm::Decoupled`].
    ///
    /// # Errors
    /// For the first bond that is not valid:
    /// - [`InvalidBond`](BondError::InvalidBond) for a stiffness or strength out of range.
    /// - [`InvalidLink`](BondError::InvalidLink) for a pair that is not two of the bodies.
    /// - [`BondWithoutLength`](BondError::BondWithoutLength) for bodies at one point.
    /// - [`BondOverlap`](BondError::BondOverlap) if the bodies overlap by more than 1e-9 of their mean diameter
    ///   although the bond has a contact stiffness: it would be prestressed, see [`prestressed`](Self::prestressed).
    ///
    /// Also [`ListError::TooManyBodies`], and the errors of [`State::check_columns`] inside [`DemError::Integrate`].
    pub fn new(bodies: &Bodies, state: &State, bonds: impl IntoIterator<Item = Bond>) -> Result<Self, DemError> {
        Self::build(bodies, state, &Domain::OPEN, bonds.into_iter(), false)
    }

    /// Makes bonds as [`new`](Self::new) does, in a domain with periodic sides. A bond joins the nearest images of its
    /// bodies and keeps to these images. [`bonded_pairs_in`](crate::bond::bonded_pairs_in) finds the pairs.
    ///
    /// # Errors
    /// Errors of [`new`](Self::new), and [`ListError::Deforms`] if a bond crosses a side of a domain that deforms.
    pub fn across_sides(
        bodies: &Bodies,
        state: &State,
        domain: &Domain,
        bonds: impl IntoIterator<Item = Bond>,
    ) -> Result<Self, DemError> {
        Self::build(bodies, state, domain, bonds.into_iter(), false)
    }

    /// Makes bonds as [`new`](Self::new) does, for bodies that may overlap: contact stiffnesses push from the start.
    ///
    /// # Errors
    /// Errors of [`new`](Self::new), without [`BondError::BondOverlap`].
    pub fn prestressed(
        bodies: &Bodies,
        state: &State,
        bonds: impl IntoIterator<Item = Bond>,
    ) -> Result<Self, DemError> {
        Self::build(bodies, state, &Domain::OPEN, bonds.into_iter(), true)
    }

    /// Bonds all pairs of bodies whose surfaces are at most `gap` (m) apart, the body of lower number first, each with
    /// this law. Periodic images are not searched.
    ///
    /// # Errors
    /// Errors of [`bonded_pairs`] and [`new`](Self::new).
    pub fn of_packing(bodies: &Bodies, state: &State, gap: f64, law: impl Into<AnyBondLaw>) -> Result<Self, DemError> {
        let pairs = bonded_pairs(bodies, state, gap)?;
        let law = law.into();
        Self::new(bodies, state, pairs.into_iter().map(|bodies| Bond { bodies, law }))
    }

    /// Sets the form of the shear energy of all bonds with a [`BondLaw`](crate::bond::BondLaw); parallel bonds ignore
    /// it.
    #[must_use]
    pub fn with_shear(mut self, form: ShearForm) -> Self {
        self.sets.iter_mut().for_each(|set| set.form = form);
        self
    }

    fn build(
        bodies: &Bodies,
        state: &State,
        domain: &Domain,
        bonds: impl Iterator<Item = Bond>,
        prestressed: bool,
    ) -> Result<Self, DemError> {
        state.check_columns(bodies)?;
        let len = bodies.len();
        if u32::try_from(len).is_err() {
            return Err(DemError::List(ListError::TooManyBodies { bodies: len, limit: u32::MAX as usize }));
        }
        let reference = Reference { bodies, state, domain, prestressed };
        let record = |(bond, row): (usize, Bond)| reference.record(bond, &row);
        let records = bonds.enumerate().map(record).collect::<Result<Vec<_>, _>>()?;
        if records.len() > Incidence::LIMIT {
            return Err(DemError::Bond(BondError::TooManyBonds { bonds: records.len(), limit: Incidence::LIMIT }));
        }
        let turned = !state.attitude().iter().all(is_identity);
        let reference = turned.then(|| state.attitude().iter().collect());
        let set = BondSet { form: ShearForm::default(), reference };
        let intact = vec![true; records.len()];
        Ok(Self::assemble(len, vec![set], records, intact, Vec::new()))
    }

    /// Assembles the force field of bonds from parts that the caller has checked.
    fn assemble(
        bodies: usize,
        sets: Vec<BondSet>,
        records: Vec<Record>,
        intact: Vec<bool>,
        ruptures: Vec<Rupture>,
    ) -> Self {
        Self {
            sets,
            intact,
            ruptures,
            breakable: records.iter().any(|record| record.law.is_breakable()),
            incidence: Incidence::default(),
            bodies,
            starting: Vec::new(),
            pending: Vec::new(),
            poses: Vec::new(),
            actions: Vec::new(),
            records,
        }
    }

    /// Number of bonds, broken ones included.
    #[must_use]
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether there are no bonds, not even broken ones.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// Number of bodies of the system, bonded or not.
    #[must_use]
    pub fn bodies(&self) -> usize {
        self.bodies
    }

    /// Returns the bonds with their laws in the order in which they were given, broken ones included.
    #[must_use]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Bond> + '_ {
        self.records.iter().map(|record| Bond { bodies: record.bodies.map(|i| i as usize), law: record.law })
    }

    /// Distance r₀ in m between the centres of the two bodies of each bond in its reference state.
    #[must_use]
    pub fn lengths(&self) -> impl ExactSizeIterator<Item = f64> + '_ {
        self.records.iter().map(|record| record.length)
    }

    fn evaluate(&mut self, bodies: &Bodies, state: &State, elapsed: f64, out: &mut Wrenches) -> Result<(), DemError> {
        let len = self.bodies;
        check_length("bodies", len, bodies.len())?;
        state.check_columns(bodies)?;
        if !state.has_attitudes() {
            return Err(IntegrateError::NoAttitudes.into());
        }
        out.check_length(len)?;
        if self.incidence.bodies() != len {
            self.incidence = Incidence::new(len, self.records.iter().map(|record| record.bodies));
        }
        self.pending.clear();
        if elapsed <= 0.0 {
            self.starting.clear();
        }
        self.gather_poses(bodies, state);
        // A bond found broken at the start of the step exerts no force at its end: its rupture is only committed then.
        self.starting.iter().for_each(|rupture| self.intact[rupture.bond] = false);
        let outcome = self.act();
        self.starting.iter().for_each(|rupture| self.intact[rupture.bond] = true);
        outcome?;
        if self.breakable {
            self.pending.extend_from_slice(&self.starting);
            let breaking = self.actions.iter().enumerate();
            let breaking = breaking.filter_map(|(bond, action)| Some((bond, action.released()?)));
            let rupture = |(bond, released)| {
                let jump = 0.5 * elapsed * self.binder_power(bodies, state, bond);
                Rupture { bond, time: state.time(), released, jump }
            };
            let ruptures: Vec<Rupture> = breaking.map(rupture).collect();
            self.pending.extend(ruptures);
            if elapsed <= 0.0 {
                self.starting.clone_from(&self.pending);
            }
        }
        self.sum_by_body(out);
        Ok(())
    }

    fn gather_poses(&mut self, bodies: &Bodies, state: &State) {
        let len = self.bodies;
        self.poses.resize(len * self.sets.len(), BodyPose::default());
        let radius = bodies.radius();
        for (set, poses) in self.sets.iter().zip(self.poses.chunks_exact_mut(len.max(1))) {
            let reference = set.reference.as_deref();
            for_each_part(Parts::blocks(len), poses, &|part, poses| {
                for (i, pose) in part.rows.zip(poses) {
                    *pose = BodyPose::of(state, radius[i], reference, i);
                }
            });
        }
    }

    /// Returns the poses of the two bodies of a bond relative to the reference state of this bond.
    fn poses_of(&self, record: &Record) -> [&BodyPose; 2] {
        let first = record.set as usize * self.bodies;
        record.bodies.map(|body| &self.poses[first + body as usize])
    }

    /// Evaluates the force, torques and energies of each bond once and stores them in `actions`.
    fn act(&mut self) -> Result<(), DemError> {
        self.actions.resize(self.records.len(), BondForce::default());
        let mut actions = std::mem::take(&mut self.actions);
        let good = all_parts(Parts::blocks(self.records.len()), &mut actions[..], &|part, actions| {
            let rows = self.records[part.rows.clone()].iter().zip(&self.intact[part.rows]);
            let mut all = true;
            for ((record, &intact), slot) in rows.zip(actions) {
                let [first, second] = self.poses_of(record);
                match record.act(self.form_of(record), intact, first, second) {
                    Some(action) => *slot = action,
                    None => all = false,
                }
            }
            all
        });
        self.actions = actions;
        if good { Ok(()) } else { Err(self.first_collapsed()) }
    }

    /// Power in W of the intact bond number `bond`, without the contact of its bodies, on free bodies.
    fn binder_power(&self, bodies: &Bodies, state: &State, bond: usize) -> f64 {
        let record = self.records[bond].unbreakable();
        let pair = record.bodies.map(|body| body as usize);
        let [first, second] = self.poses_of(&record);
        let Some(action) = record.binder(self.form_of(&record), first, second) else { return 0.0 };
        let power = |(side, force): (usize, DVec3)| {
            let body = pair[side];
            let power = force.dot(state.velocity().get(body)) + action.torques[side].dot(state.spin(bodies, body));
            if bodies.inverse_mass()[body] > 0.0 { power } else { 0.0 }
        };
        [action.force, -action.force].into_iter().enumerate().map(power).sum()
    }

    fn sum_by_body(&self, out: &mut Wrenches) {
        let actions = &self.actions;
        let incidence = &self.incidence;
        let columns = (out.force.slices_mut(), out.torque.slices_mut());
        for_each_part(Parts::blocks(self.bodies), columns, &|part, ([fx, fy, fz], [tx, ty, tz])| {
            for (k, body) in part.rows.enumerate() {
                let mut force = DVec3::ZERO;
                let mut torque = DVec3::ZERO;
                for (bond, side) in incidence.of(body) {
                    let action = &actions[bond];
                    if side == 0 {
                        force += action.force;
                    } else {
                        force -= action.force;
                    }
                    torque += action.torques[side];
                }
                fx[k] += force.x;
                fy[k] += force.y;
                fz[k] += force.z;
                tx[k] += torque.x;
                ty[k] += torque.y;
                tz[k] += torque.z;
            }
        });
    }

    /// Returns the error for the first bond whose bodies have the same centre.
    fn first_collapsed(&self) -> DemError {
        let apart = |record: &Record| {
            let [first, second] = self.poses_of(record);
            first.position - second.position + record.offset
        };
        let lost = |record: &Record| !(apart(record) / apart(record).length()).is_finite();
        let bond = self.records.iter().position(lost).unwrap_or_default();
        let record = &self.records[bond];
        DemError::Bond(BondError::BondWithoutLength {
            bond,
            bodies: record.bodies.map(|i| i as usize),
            length: apart(record).length(),
        })
    }
}

impl ForceField for Bonds {
    fn accumulate(
        &mut self,
        bodies: &Bodies,
        state: &State,
        elapsed: f64,
        out: &mut Wrenches,
    ) -> Result<(), FieldError> {
        self.evaluate(bodies, state, elapsed, out).map_err(Into::into)
    }

    fn commit(&mut self) {
        for rupture in &self.pending {
            self.intact[rupture.bond] = false;
        }
        self.ruptures.append(&mut self.pending);
        self.starting.clear();
    }
}
