//! The implicit integrator.

use rrp_integrate::{Bodies, ForceField, HalfKicks, IntegrateError, Integrator, Scheme, State, StepReport};

use crate::bond::ties::Ties;
use crate::error::DemError;
use crate::error::law::LawError;
use crate::error::wall::WallError;
use crate::force::ContactForce;
use crate::implicit::block_jacobian::BlockRows;
use crate::implicit::form::DiscreteForm;
use crate::implicit::newton::{Newton, Problem};
use crate::implicit::options::{LinearMethod, NewtonOptions};
use crate::implicit::report::ImplicitReport;
use crate::implicit::state_update::{finish, write};
use crate::implicit::system::StepSystem;
use crate::implicit::trial_list::TrialList;
use crate::implicit::weights::{Setting, StepWeights};
use crate::law::contact_law::{ContactLaw, TangentialLaw};
use crate::law::tangential::lever_arm::LeverArm;
use crate::parallel::fork_join::inside;
use crate::stiffness::pair_matrix::PairMatrix;
use crate::wall::Wall;
use crate::wall::shape::Shape;

/// The variational integrator for contacts of spheres of `[DK21]`, implicit and stable for steps longer than a contact.
///
/// It owns the contacts, with their list, laws and walls, and maybe [`Ties`]; every other field (gravity above all) is given
/// to [`step`](Integrator::step) and acts in half kicks before and after the solve. The equations are those of a
/// [`DiscreteForm`], solved by Newton's method with a line search on the residual. Steps with one α, the same contacts and
/// the same state have the same bits for any number of threads, and a state is all that a restart needs beside this; the form
/// of exact energy also keeps what rounding took from the positions of its last step.
///
/// A step that fails leaves the state, the list and the memory of contacts as they were, with a
/// [`DemError`] in [`IntegrateError::Method`].
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(
        try_from = "crate::implicit::restart::Parts<L, T>",
        into = "crate::implicit::restart::Parts<L, T>",
        bound(
            serialize = "L: ContactLaw + Clone + serde::Serialize, T: Clone + serde::Serialize, T::History: serde::Serialize",
            deserialize = "L: ContactLaw + serde::de::DeserializeOwned, T: serde::de::DeserializeOwned, T::History: serde::de::DeserializeOwned"
        )
    )
)]
pub struct ImplicitDem<L, T: TangentialLaw> {
    contacts: ContactForce<L, T>,
    ties: Option<Ties>,
    form: DiscreteForm,
    options: NewtonOptions,
    /// Skin of the lists, in m.
    skin: f64,
    kicks: HalfKicks,
    /// What rounding took from the positions of the last step, by body, and of one that may yet be given up. The form of
    /// exact energy keeps it: else energy drifts by the force times what rounding moves a body.
    residue: Vec<[f64; 3]>,
    pending_residue: Vec<[f64; 3]>,
    stage: StepSystem,
    newton: Newton,
    pairs: PairMatrix,
    three: BlockRows<3>,
    six: BlockRows<6>,
}

impl<L: ContactLaw, T: TangentialLaw> ImplicitDem<L, T> {
    /// Steps of `dt` (s) in the form that is second order, [`DiscreteForm::SECOND_ORDER`].
    ///
    /// # Errors
    /// [`DemError::Integrate`] unless `dt` is finite and positive; [`LawError::ExplicitOnly`](crate::error::LawError::ExplicitOnly) for tangential laws that
    /// resist rolling, [turn](TangentialLaw::turns) what they remember or act at the radius.
    pub fn new(contacts: ContactForce<L, T>, dt: f64) -> Result<Self, DemError> {
        if contacts.laws.any(|_, tangential| {
            tangential.resists_rolling() || tangential.turns() || tangential.lever() != LeverArm::ContactPoint
        }) {
            return Err(DemError::Law(LawError::ExplicitOnly));
        }
        let skin = contacts.list.basis().1;
        Ok(Self {
            contacts,
            ties: None,
            form: DiscreteForm::default(),
            options: NewtonOptions::default(),
            skin,
            kicks: HalfKicks::new(dt)?,
            residue: Vec::new(),
            pending_residue: Vec::new(),
            stage: StepSystem::default(),
            newton: Newton::default(),
            pairs: PairMatrix::default(),
            three: BlockRows::default(),
            six: BlockRows::default(),
        })
    }

    /// The same with another form.
    ///
    /// # Errors
    /// [`DemError::InvalidParameter`] unless α is in [0, 1].
    pub fn with_form(self, form: DiscreteForm) -> Result<Self, DemError> {
        form.check()?;
        Ok(Self { form, ..self })
    }

    /// The same with other tolerances, limits or linear solver.
    ///
    /// # Errors
    /// [`DemError::InvalidParameter`] unless the tolerance is finite and positive.
    pub fn with_options(self, options: NewtonOptions) -> Result<Self, DemError> {
        options.check()?;
        Ok(Self { options, ..self })
    }

    /// The same with these ties, which replace the contacts of their pairs. Pairs that were tied before stay without contacts.
    #[must_use]
    pub fn with_ties(mut self, ties: Ties) -> Self {
        self.contacts.history.carry(&self.contacts.list);
        self.contacts.list = self.contacts.list.without_pairs(ties.pairs().iter().copied());
        Self { ties: Some(ties), ..self }
    }

    /// The contacts. Their [`wall_loads`](ContactForce::wall_loads) are means over the last step, in
    /// the paper's form without the half of the damping at its start. A ledger of theirs does not see implicit steps.
    #[must_use]
    pub fn contacts(&self) -> &ContactForce<L, T> {
        &self.contacts
    }

    /// The contacts, to go on with explicit steps.
    #[must_use]
    pub fn into_contacts(self) -> ContactForce<L, T> {
        self.contacts
    }

    /// Contacts, ties, the skin of the lists, and what rounding took from positions.
    #[cfg(feature = "serde")]
    pub(super) fn into_parts(self) -> (ContactForce<L, T>, Option<Ties>, f64, Vec<[f64; 3]>) {
        (self.contacts, self.ties, self.skin, self.residue)
    }

    /// The same with the ties that its list was made for, and the skin that lists are made with.
    #[cfg(feature = "serde")]
    pub(super) fn restored(self, ties: Option<Ties>, skin: f64, residue: Vec<[f64; 3]>) -> Result<Self, DemError> {
        // Less than anything that matters, whatever a file says.
        let sane = residue.iter().flatten().all(|lost| lost.abs() < 1e-6 * skin);
        let residue = if sane { residue } else { Vec::new() };
        Ok(Self { ties, residue, skin: crate::error::parameter::positive("the skin", skin)?, ..self })
    }

    /// The ties.
    #[must_use]
    pub fn ties(&self) -> Option<&Ties> {
        self.ties.as_ref()
    }

    /// The discrete equations.
    #[must_use]
    pub fn form(&self) -> DiscreteForm {
        self.form
    }

    /// Tolerance, limits and linear solver.
    #[must_use]
    pub fn options(&self) -> NewtonOptions {
        self.options
    }

    /// The time step in s.
    #[must_use]
    pub fn dt(&self) -> f64 {
        self.kicks.dt()
    }

    /// What the last step took, be it that it failed.
    #[must_use]
    pub fn last_report(&self) -> &ImplicitReport {
        &self.newton.report
    }

    /// Elastic energy of contacts and ties at `state` in J.
    ///
    /// # Errors
    /// As [`ContactForce::elastic_energy`].
    pub fn elastic_energy(&self, bodies: &Bodies, state: &State) -> Result<f64, DemError> {
        let ties = self.ties.as_ref().map_or(0.0, |ties| rrp_integrate::Potential::energy(ties, bodies, state));
        Ok(self.contacts.elastic_energy(bodies, state)? + ties)
    }
}

impl<L: ContactLaw, T: TangentialLaw> ImplicitDem<L, T> {
    /// Passes walls that are somewhere in a step from `time` (s) on, and that the form of the equations knows.
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
                let (what, only) = ("a wall of steps with exact energy", "a plane at a constant velocity");
                Err(DemError::Wall(WallError::WallNotSupported { wall, what, only }))
            }
            None => Ok(()),
        }
    }

    /// Whether anything depends on velocities.
    fn dissipates(&self) -> bool {
        self.contacts.laws.dissipate()
    }
}

impl<L: ContactLaw, T: TangentialLaw> Integrator for ImplicitDem<L, T> {
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
        let spins = self.contacts.laws.are_tangential();
        let method = self.options.linear.for_bodies(bodies.len());
        let Self { contacts, ties, form, options, skin, kicks, stage, newton, pairs, three, six, .. } = self;
        let (residue, pending) = (&mut self.residue, &mut self.pending_residue);
        let kept = if *form == DiscreteForm::ExactEnergy { bodies.len() } else { 0 };
        if residue.len() != kept {
            residue.clear();
            residue.resize(kept, [0.0; 3]);
        }
        pending.clone_from(residue);
        let weights = StepWeights::new(*form, kicks.dt(), method.is_exact());
        let paper = matches!(form, DiscreteForm::Paper { .. });
        let mut former = None;
        let outcome = kicks.step(bodies, field, state, |old, next| {
            let setting = Setting { weights, ties: ties.as_ref(), time: old.time() };
            let reach = TrialList { bodies, old, kicked: &*next, skin: *skin, residue, former: None };
            let mut problem = Problem { contacts, stage, setting, reach, options: *options };
            let solved = inside(bodies.len(), || match (spins, method) {
                (true, _) => newton.step::<L, T, _, 6>(&mut problem, six, paper),
                (false, LinearMethod::ConjugateGradient) => newton.step::<L, T, _, 3>(&mut problem, pairs, paper),
                (false, _) => newton.step::<L, T, _, 3>(&mut problem, three, paper),
            });
            former = problem.reach.former.take();
            let written = solved.and_then(|sums| {
                let point = &newton.point[..];
                if spins {
                    finish::<L, T, 6>((contacts, stage), &setting, sums, point)?;
                    write::<6>(
                        contacts.list.order(),
                        (bodies, old, next),
                        weights.step,
                        (point, &newton.impulse),
                        pending,
                    )
                } else {
                    finish::<L, T, 3>((contacts, stage), &setting, sums, point)?;
                    write::<3>(
                        contacts.list.order(),
                        (bodies, old, next),
                        weights.step,
                        (point, &newton.impulse),
                        pending,
                    )
                }
            });
            written.map_err(|error| IntegrateError::Method(error.into()))?;
            let report = &newton.report;
            Ok(StepReport { evaluations: report.evaluations, iterations: report.newton_iterations })
        });
        match &outcome {
            Ok(_) => {
                contacts.commit_without_work();
                std::mem::swap(residue, pending);
            }
            Err(_) => {
                if let Some(basis) = former {
                    contacts.history.carry(&contacts.list);
                    contacts.list.put_back(basis);
                }
            }
        }
        outcome
    }
}
