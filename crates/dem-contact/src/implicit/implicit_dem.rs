//! The implicit integrator of `[DK21]`.

use rrp_geom::glam::DVec3;
use rrp_integrate::step::HalfKicks;
use rrp_integrate::{Bodies, ForceField, IntegrateError, Integrator, Scheme, State, StepReport};
use rrp_parallel::{Parts, in_pool};

use crate::bond::ties::Ties;
use crate::error::DemError;
use crate::error::law::LawError;
use crate::error::wall::WallError;
use crate::force::ContactForce;
use crate::implicit::block_jacobian::BlockRows;
use crate::implicit::form::DiscreteForm;
use crate::implicit::newton::{Newton, StepProblem};
use crate::implicit::options::{LinearMethod, NewtonOptions};
use crate::implicit::report::ImplicitReport;
use crate::implicit::residual_norms::ResidualNorms;
use crate::implicit::state_update::{
    StepSolution, check_overlaps, record_pair_histories, record_wall_loads, update_state,
};
use crate::implicit::system::StepSystem;
use crate::implicit::trial_list::TrialList;
use crate::implicit::weights::{StepContext, StepWeights};
use crate::law::lever_arm::LeverArm;
use crate::stiffness::pair_matrix::PairMatrix;
use crate::wall::Wall;
use crate::wall::shape::Shape;

/// Variational integrator of `[DK21]` for contacts of spheres, implicit and stable for steps longer than a contact.
///
/// The integrator owns the contacts, with their list, laws and walls, and optionally [`Ties`]. All other fields, such
/// as gravity, are given to [`step`](Integrator::step) and act in half kicks before and after the solve. Newton's
/// method with a line search on the residual solves the equations of a [`DiscreteForm`].
///
/// Runs with equal settings, contacts and state have the same bits for any number of threads. A restart needs the
/// state, the [stored integrator](Self::stored) (with the feature `serde`), and the laws. The form of exact energy also
/// stores the rounding errors of the last positions.
///
/// A step that fails leaves the state, the list and the contact histories as they were, with a [`DemError`] in
/// [`IntegrateError::Method`].
#[derive(Debug, Clone)]
pub struct ImplicitDem {
    contacts: ContactForce,
    ties: Option<Ties>,
    form: DiscreteForm,
    options: NewtonOptions,
    skin: f64,
    kicks: HalfKicks,
    /// Rounding errors of the positions after the last step, by body number, in m. Only the form of exact energy keeps
    /// them; without them energy drifts by the force times the rounding error of a position.
    compensation: Vec<[f64; 3]>,
    /// Rounding errors of the positions after a step that is not yet accepted, by body number, in m.
    pending_compensation: Vec<[f64; 3]>,
    system: StepSystem,
    newton: Newton,
    matrices: Matrices,
}

/// Jacobians: symmetric part for bodies that do not turn (`pairs`), whole blocks for bodies that do not turn (`three`)
/// or turn (`six`). All Newton iterations of an implicit step use one of these matrices.
#[derive(Debug, Clone, Default)]
struct Matrices {
    pairs: PairMatrix,
    three: BlockRows<3>,
    six: BlockRows<6>,
}

impl ImplicitDem {
    /// Makes an integrator with steps of `dt` (s) in the form [`DiscreteForm::SECOND_ORDER`].
    ///
    /// # Errors
    /// [`DemError::Integrate`] unless `dt` is finite and positive;
    /// [`LawError::ExplicitOnly`](crate::error::LawError::ExplicitOnly) for laws that act at a distance, stick or
    /// yield, and tangential ones that resist rolling, [turn](crate::law::TangentialLaw::turns) their history or act at
    /// the radius; [`ListError::Deforms`](crate::error::ListError::Deforms) in a box that deforms;
    /// [`WallError::WallNotSupported`] for walls whose surface [runs](Wall::running) or that only some bodies feel;
    /// [`DemError::InvalidParameter`] if fixed bodies [spin](ContactForce::spin_fixed).
    pub fn new(contacts: ContactForce, dt: f64) -> Result<Self, DemError> {
        if contacts.law_assignment().any(|traits| {
            traits.acts_at_a_distance()
                || traits.is_hysteretic
                || traits.resists_rolling
                || traits.turns
                || traits.lever != LeverArm::ContactPoint
        }) {
            return Err(DemError::Law(LawError::ExplicitOnly));
        }
        contacts.list().domain().check_at_rest("an implicit step")?;
        if let Some(wall) = contacts.walls().iter().position(|wall| wall.surface_velocity() != DVec3::ZERO) {
            let what = "a wall of an implicit step";
            let only = "one whose surface does not run";
            return Err(DemError::Wall(WallError::WallNotSupported { wall, what, only }));
        }
        if let Some(wall) = contacts.felt_walls().first_selective() {
            let what = "a wall of an implicit step";
            let only = "one that all bodies feel";
            return Err(DemError::Wall(WallError::WallNotSupported { wall, what, only }));
        }
        if contacts.spins_fixed() {
            let parameter = "the spin of fixed bodies in an implicit step";
            let value = contacts.largest_fixed_spin();
            return Err(DemError::InvalidParameter { parameter, range: "zero", value });
        }
        let skin = contacts.list().skin();
        Ok(Self {
            contacts,
            ties: None,
            form: DiscreteForm::default(),
            options: NewtonOptions::default(),
            skin,
            kicks: HalfKicks::new(dt)?,
            compensation: Vec::new(),
            pending_compensation: Vec::new(),
            system: StepSystem::default(),
            newton: Newton::default(),
            matrices: Matrices::default(),
        })
    }

    /// Sets the form of the discrete equations that a step solves.
    ///
    /// # Errors
    /// [`DemError::InvalidParameter`] unless α is in [0, 1].
    pub fn with_form(self, form: DiscreteForm) -> Result<Self, DemError> {
        form.check()?;
        Ok(Self { form, ..self })
    }

    /// Sets the tolerance, limits and linear solver of Newton's method.
    ///
    /// # Errors
    /// [`DemError::InvalidParameter`] unless the tolerance is finite and positive.
    pub fn with_options(self, options: NewtonOptions) -> Result<Self, DemError> {
        options.check()?;
        Ok(Self { options, ..self })
    }

    /// Sets the ties (spheres that stick together), which replace contacts. Pairs of former ties get no contact back.
    #[must_use]
    pub fn with_ties(self, ties: Ties) -> Self {
        let contacts = self.contacts.without_pairs(ties.pairs().iter().copied());
        Self { contacts, ties: Some(ties), ..self }
    }

    /// Returns the contacts that the integrator owns. Their [`wall_loads`](ContactForce::wall_loads) are means over the
    /// last step; with [`DiscreteForm::Paper`] they lack the half of the damping at the start of the step. The energy
    /// ledger of the contacts does not cover implicit steps.
    #[must_use]
    pub fn contacts(&self) -> &ContactForce {
        &self.contacts
    }

    /// Returns the contacts with their histories, to continue with explicit steps.
    #[must_use]
    pub fn into_contacts(self) -> ContactForce {
        self.contacts
    }

    /// Returns the integrator without its laws, for storage.
    #[cfg(feature = "serde")]
    #[must_use]
    pub fn stored(&self) -> StoredImplicitDem {
        StoredImplicitDem {
            contacts: self.contacts.stored(),
            ties: self.ties.clone(),
            form: self.form,
            options: self.options,
            skin: self.skin,
            dt: self.dt(),
            compensation: self.compensation.clone(),
        }
    }

    /// Returns the ties (pairs of spheres that stick together) that replace contacts, if there are any.
    #[must_use]
    pub fn ties(&self) -> Option<&Ties> {
        self.ties.as_ref()
    }

    /// Returns the form of the discrete equations that each implicit step solves.
    #[must_use]
    pub fn form(&self) -> DiscreteForm {
        self.form
    }

    /// Returns the options of Newton's method: tolerance, limits and linear solver.
    #[must_use]
    pub fn options(&self) -> NewtonOptions {
        self.options
    }

    /// Time step of the implicit integrator in s.
    #[must_use]
    pub fn dt(&self) -> f64 {
        self.kicks.dt()
    }

    /// Returns the report on the solution of the last step, successful or failed.
    #[must_use]
    pub fn last_report(&self) -> &ImplicitReport {
        &self.newton.report
    }

    /// Elastic energy of all contacts and ties at `state` in J.
    ///
    /// # Errors
    /// Errors of [`ContactForce::elastic_energy`].
    pub fn elastic_energy(&self, bodies: &Bodies, state: &State) -> Result<f64, DemError> {
        let ties = self.ties.as_ref().map_or(0.0, |ties| rrp_integrate::Potential::energy(ties, bodies, state));
        Ok(self.contacts.elastic_energy(bodies, state)? + ties)
    }
}

impl ImplicitDem {
    /// Checks that all walls have valid poses during a step from `time` (s) on, and that the form supports them.
    fn check_walls(&self, time: f64) -> Result<(), DemError> {
        let periods = self.contacts.list().domain().periods();
        for (w, wall) in self.contacts.walls().iter().enumerate() {
            wall.placed(time).check(w, periods)?;
            wall.placed(time + self.form.alpha() * self.dt()).check(w, periods)?;
        }
        if self.form != DiscreteForm::ExactEnergy {
            return Ok(());
        }
        let known = |wall: &Wall| wall.is_uniform() && matches!(wall.shape(), Shape::Plane(_));
        match self.contacts.walls().iter().position(|wall| !known(wall)) {
            Some(wall) => {
                let what = "a wall of steps with exact energy";
                let only = "a plane at a constant velocity";
                Err(DemError::Wall(WallError::WallNotSupported { wall, what, only }))
            }
            None => Ok(()),
        }
    }

    fn dissipates(&self) -> bool {
        self.contacts.law_assignment().dissipate()
    }
}

impl Integrator for ImplicitDem {
    fn scheme(&self) -> Scheme {
        let conserves = !self.dissipates();
        let symmetric = match self.form {
            DiscreteForm::Paper { alpha } => conserves && (alpha - 0.5).abs() <= 0.0,
            DiscreteForm::MarsdenWest { alpha } => (alpha - 0.5).abs() <= 0.0,
            DiscreteForm::ExactEnergy => true,
        };
        Scheme {
            dt: self.dt(),
            order: if symmetric { 2 } else { 1 },
            symplectic: conserves && self.form != DiscreteForm::ExactEnergy,
            reversible: conserves && symmetric,
        }
    }

    fn step(
        &mut self,
        bodies: &Bodies,
        field: &mut dyn ForceField,
        state: &mut State,
    ) -> Result<StepReport, IntegrateError> {
        bodies.check_spherical()?;
        self.check_walls(state.time()).map_err(|error| IntegrateError::Method(error.into()))?;
        let mut twice = None;
        field.each_replaced_pair(&mut |pair| {
            twice = twice.or_else(|| self.contacts.has_contact(pair).then_some(pair));
        });
        if let Some(pair) = twice {
            return Err(IntegrateError::ContactReplacedTwice { pair });
        }
        let turns = self.contacts.law_assignment().are_tangential();
        let method = self.options.linear.for_bodies(bodies.len());
        let kept = if self.form == DiscreteForm::ExactEnergy { bodies.len() } else { 0 };
        if self.compensation.len() != kept {
            self.compensation.clear();
            self.compensation.resize(kept, [0.0; 3]);
        }
        self.pending_compensation.clone_from(&self.compensation);
        let weights = StepWeights::new(self.form, self.kicks.dt(), method.is_exact());
        let Self { contacts, ties, form, options, skin, kicks, system, newton, matrices, .. } = self;
        let compensation = &self.compensation;
        let pending = &mut self.pending_compensation;
        let outcome = kicks.step(bodies, field, state, |old, next| {
            let context = StepContext { weights, ties: ties.as_ref(), time: old.time() };
            let trial_list = TrialList { bodies, old, kicked: &*next, skin: *skin, compensation };
            let mut problem = StepProblem { contacts, system, context, trial_list, options: *options };
            let paper = matches!(form, DiscreteForm::Paper { .. });
            let solved = in_pool(Parts::blocks(bodies.len()), || match (turns, method) {
                (true, _) => newton.solve_step::<_, 6>(&mut problem, &mut matrices.six, paper),
                (false, LinearMethod::ConjugateGradient) => {
                    newton.solve_step::<_, 3>(&mut problem, &mut matrices.pairs, paper)
                }
                (false, _) => newton.solve_step::<_, 3>(&mut problem, &mut matrices.three, paper),
            });
            let mut step = SolvedStep { contacts, system, newton, context, bodies, old, next, compensation: pending };
            let updated =
                solved.and_then(|norms| if turns { step.finish::<6>(norms) } else { step.finish::<3>(norms) });
            updated.map_err(|error| IntegrateError::Method(error.into()))?;
            let report = &newton.report;
            Ok(StepReport { evaluations: report.evaluations, iterations: report.newton_iterations })
        });
        match &outcome {
            Ok(_) => {
                contacts.commit_without_work();
                std::mem::swap(&mut self.compensation, &mut self.pending_compensation);
            }
            Err(_) => contacts.list_mut().give_up(),
        }
        outcome
    }
}

/// Solved step whose result has not yet been written to the state.
struct SolvedStep<'a, 'b> {
    contacts: &'a mut ContactForce,
    system: &'a StepSystem,
    newton: &'a Newton,
    context: StepContext<'b>,
    bodies: &'a Bodies,
    old: &'a State,
    next: &'a mut State,
    compensation: &'a mut [[f64; 3]],
}

impl SolvedStep<'_, '_> {
    /// Checks the solution, records loads of walls and histories, and moves `next` to the end of the step.
    fn finish<const D: usize>(&mut self, norms: ResidualNorms) -> Result<(), DemError> {
        let Self { contacts, system, context, bodies, old, .. } = self;
        let solution = StepSolution::<D> {
            velocity: self.newton.point.as_chunks().0,
            impulse: self.newton.impulse.as_chunks().0,
            too_deep: norms.too_deep,
        };
        check_overlaps(contacts, system, context, solution)?;
        record_wall_loads(contacts, system, context, solution);
        record_pair_histories(contacts, system, context, solution);
        let order = contacts.list().order();
        update_state(order, bodies, old, self.next, context.weights.step, solution, self.compensation)
    }
}

/// Stored form of an [`ImplicitDem`]: contacts, ties, equations and options, without buffers. Laws are not stored,
/// since a program may have laws of its own: give them to [`restore`](Self::restore).
#[cfg(feature = "serde")]
#[derive(Debug, Clone, serde::Serialize, serde::Deserialize)]
pub struct StoredImplicitDem {
    contacts: crate::force::restart::StoredContacts,
    ties: Option<Ties>,
    form: DiscreteForm,
    options: NewtonOptions,
    skin: f64,
    dt: f64,
    compensation: Vec<[f64; 3]>,
}

#[cfg(feature = "serde")]
impl StoredImplicitDem {
    /// Returns the integrator with these laws, which must have the names and history layouts of the stored laws. A run
    /// that continues with the stored state and the same laws has the same bits as an uninterrupted run.
    ///
    /// # Errors
    /// Errors of [`StoredContacts::restore`](crate::force::restart::StoredContacts::restore) and [`ImplicitDem::new`];
    /// [`DemError::InvalidParameter`] for numbers out of range.
    pub fn restore(self, laws: impl Into<crate::law::material::pair_table::LawTable>) -> Result<ImplicitDem, DemError> {
        let Self { contacts, ties, form, options, skin, dt, compensation } = self;
        let integrator = ImplicitDem::new(contacts.restore(laws)?, dt)?.with_form(form)?.with_options(options)?;
        // Rounding errors are far smaller than a skin; larger numbers in a file are discarded.
        let is_small = compensation.iter().flatten().all(|lost| lost.abs() < 1e-6 * skin);
        let compensation = if is_small { compensation } else { Vec::new() };
        let skin = crate::error::parameter::positive("the skin", skin)?;
        // Ties are set last, because the stored list was built without their pairs.
        Ok(ImplicitDem { ties, compensation, skin, ..integrator })
    }
}
