//! Engines, which move the bodies of a scene: one per kind of integrator, behind the trait [`Engine`].
//!
//! An engine is built from the [parts](crate::build::parts) of a scene, or restored from its stored bytes.
//! [`Simulation`](crate::Simulation) calls it once per step by a virtual call, so that all code above is compiled once.
//! [`on_ranks`] is the part of an explicit engine on one of several ranks.

mod explicit;
mod explicit_integrator;
mod implicit;
pub(crate) mod on_ranks;
mod recorded_solver;
mod rigid;
mod static_equilibrium;
mod surroundings;

use cd_solve::fclib::{FclibError, StoredProblem};
use dem_contact::bond::Bonds;
use dem_contact::error::DemError;
use dem_contact::force::BoxDrive;
use dem_contact::neighbor::Domain;
use dem_contact::wall::{Servo, Shape, Wall};
use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, IntegrateError, Renumbering, State};
use thiserror::Error;

use crate::build::parts::{Handover, Parts};
use crate::error::{GrainsError, Note};
use crate::laws::{laws, normal_laws};
use crate::plan::{Plan, PlannedStage};
use crate::reading::{Energies, Reading};
use crate::scene::Scene;
use crate::scene::integrator::Method;

/// Bodies that sources insert between two steps.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ComingBodies<'a> {
    pub(crate) bodies: &'a Bodies,
    /// Number of the material of each inserted body; empty for a single material.
    pub(crate) materials: &'a [u16],
    /// Number of the group of each inserted body.
    pub(crate) groups: &'a [u32],
    /// Volume of liquid on each inserted body in m³; empty for a scene without liquid.
    pub(crate) liquid: &'a [f64],
}

/// Bodies that gates remove from a run between two steps.
#[derive(Debug)]
pub(crate) struct LeavingBodies<'a> {
    /// Flag for every body of the run: true for a body that leaves.
    pub(crate) leaves: &'a [bool],
    /// Constants, such as masses, of the leaving bodies alone, by ascending body number.
    pub(crate) bodies: Bodies,
    /// State of the leaving bodies alone.
    pub(crate) state: State,
}

/// An integrator of a whole scene, with all of its forces.
pub(crate) trait Engine: Send {
    /// Takes one step and returns the number of iterations of the engine's solver.
    ///
    /// # Errors
    /// Errors of the integrator; the state is then unchanged.
    fn step(&mut self, bodies: &Bodies, state: &mut State) -> Result<usize, IntegrateError>;

    /// Returns the residual of the last step if its contact problem was not solved to the tolerance, but accepted.
    fn unsolved(&self) -> Option<f64> {
        None
    }

    /// Evaluates forces anew at a state between two steps, in engines whose steps reuse the forces at the end of the
    /// last step.
    ///
    /// # Errors
    /// Errors of contacts and other forces.
    fn evaluate(&mut self, _: &Bodies, _: &mut State) -> Result<(), IntegrateError> {
        Ok(())
    }

    /// Returns energies, contacts and loads on walls at this state.
    ///
    /// # Errors
    /// Errors of reading contacts.
    fn read(&self, bodies: &Bodies, state: &State) -> Result<Reading, DemError>;

    /// Serialises everything that a restart of the engine needs besides bodies, state and scene.
    ///
    /// # Errors
    /// Errors of the format.
    fn store(&self) -> Result<Vec<u8>, postcard::Error>;

    /// Returns contact histories, bonds and other parts for the engine of the next stage, which may be of another kind.
    fn hand_over(&self) -> Handover {
        Handover::default()
    }

    /// Returns the energies of leaving bodies and of their contacts, by which the total of a reading falls when these
    /// bodies leave. The dissipated energy is negative: the ledger counts the energy stored in these contacts as
    /// dissipated. All energies are zero in engines from which no body can leave.
    ///
    /// # Errors
    /// Errors of reading contacts.
    fn energies_of(&self, _leaving: &LeavingBodies<'_>, _: &Bodies, _: &State) -> Result<Energies, DemError> {
        Ok(Energies::default())
    }

    /// Applies a renumbering, which adds or removes bodies, to contacts and forces.
    ///
    /// # Errors
    /// If a removed body has bonds, and in engines that keep all bodies; nothing is then changed.
    fn renumber(&mut self, numbering: &Renumbering, coming: ComingBodies<'_>) -> Result<(), DemError> {
        let expected = numbering.before();
        let found = numbering.former().len() + coming.materials.len();
        Err(DemError::LengthMismatch { what: "bodies of steps that are not explicit", expected, found })
    }

    /// Lets a servo set the motion of its wall in the next step of `dt` (s) from `time` (s) on. Returns the moved wall;
    /// none if the engine supports no servos.
    ///
    /// # Errors
    /// For loads that are not finite.
    fn steer(&mut self, _wall: usize, _servo: &Servo, _time: f64, _dt: f64) -> Result<Option<Wall>, DemError> {
        Ok(None)
    }

    /// Sets how the box deforms in the next step from `time` (s) on, by the stress of the contacts if known. Returns
    /// the box; none if the engine supports no deforming box.
    ///
    /// # Errors
    /// For a box whose volume has shrunk to zero.
    fn steer_box(
        &mut self,
        _drive: &mut BoxDrive,
        _time: f64,
        _knows_stress: bool,
    ) -> Result<Option<Domain>, DemError> {
        Ok(None)
    }

    /// Sets the angular velocities (rad/s) of fixed bodies, given by their numbers, until the next call.
    fn spin_fixed(&mut self, _spins: Vec<(usize, DVec3)>) {}

    /// Returns whether walls with servos and the box bear their target loads within the relative tolerance `share` at
    /// the last accepted state, at `time` (s).
    fn bears(&self, _servos: &[(usize, Servo)], _drive: Option<&BoxDrive>, _time: f64, _share: f64) -> bool {
        false
    }

    /// Returns the normal stresses of the box in Pa at the last accepted state, if the engine knows them.
    fn box_stress(&self) -> Option<DVec3> {
        None
    }

    /// Returns the work in J that moving walls have done since the start, to first order in the step, for engines whose
    /// [readings](Self::read) lack this work.
    fn wall_work(&self) -> f64 {
        0.0
    }

    /// Stops recording the work of contacts and walls, so that later readings lack it.
    fn close_ledger(&mut self) {}

    /// Returns whether the engine's steps read attitudes of bodies, which must then be updated.
    fn needs_attitudes(&self) -> bool {
        true
    }

    /// Returns the friction problem of the last step; none if the step had none, or if the scene does not write
    /// friction problems to files.
    ///
    /// # Errors
    /// For a matrix that is too large.
    fn friction_problem(&self) -> Option<Result<StoredProblem, FclibError>> {
        None
    }

    /// Returns the bonds between bodies, for drawing.
    fn bonds(&self) -> Option<&Bonds> {
        None
    }
}

pub(crate) struct Built {
    pub(crate) engine: Box<dyn Engine>,
    /// Number of contacts that start without history, since their histories belong to other laws than those of this
    /// engine.
    pub(crate) lost_histories: usize,
}

/// Reason why an engine could not be restored from a checkpoint.
#[derive(Debug, Error)]
pub(crate) enum RestoreError {
    /// The bytes in the checkpoint do not encode an engine of the scene.
    #[error("{}", in_words(.0))]
    Bytes(#[from] postcard::Error),
    /// The stored contacts do not fit the laws of the scene, or have values out of their range.
    #[error(transparent)]
    Contacts(Box<DemError>),
    /// The scene of the engine that should be restored is refused.
    #[error(transparent)]
    Scene(Box<GrainsError>),
}

impl From<GrainsError> for RestoreError {
    fn from(error: GrainsError) -> Self {
        Self::Scene(error.into())
    }
}

impl From<DemError> for RestoreError {
    fn from(error: DemError) -> Self {
        Self::Contacts(error.into())
    }
}

/// Describes what is wrong with the stored bytes of an engine, since messages of the serialisation format name types of
/// the program.
pub(crate) fn in_words(error: &postcard::Error) -> &'static str {
    match error {
        postcard::Error::DeserializeUnexpectedEnd => "they end too early",
        postcard::Error::SerdeDeCustom => "a value is out of its range",
        _ => "they have a number that this program never writes",
    }
}

/// Builds the engine of `scene` from its parts, for steps of `dt` (s).
///
/// # Errors
/// For an invalid scene; the error names the key.
pub(crate) fn build(scene: &Scene, parts: Parts, dt: f64) -> Result<Built, GrainsError> {
    refuse_ignored_laws(scene)?;
    let is_flat = |wall: &Wall| wall.is_uniform() && matches!(wall.shape(), Shape::Plane(_));
    if matches!(scene.integrator, Method::ExactEnergy) && !parts.contacts.walls.iter().all(is_flat) {
        let problem = "`exact-energy` takes only planes at a constant velocity as walls, and none that is gone: for \
                       other walls write `{ implicit = { alpha = 0.5 } }`";
        return Err(GrainsError::conflict("integrator", problem));
    }
    match &scene.integrator {
        Method::Verlet | Method::Rodrigues23 | Method::Rodrigues25 => explicit::build(scene, parts, dt),
        Method::Implicit(_) | Method::ExactEnergy => implicit::build(scene, parts, laws(scene.contact_model()?)?, dt),
        Method::Static(method) => static_equilibrium::build(method, parts, normal_laws(scene.contact_model()?)?, None),
        Method::ContactDynamics(method) => rigid::build(scene, method, parts, dt),
    }
}

/// Restores the engine of `scene` from the bytes that it stored.
///
/// # Errors
/// [`RestoreError`].
pub(crate) fn restore(scene: &Scene, parts: Parts, dt: f64, bytes: &[u8]) -> Result<Box<dyn Engine>, RestoreError> {
    match &scene.integrator {
        Method::Verlet | Method::Rodrigues23 | Method::Rodrigues25 => explicit::restore(scene, dt, bytes),
        Method::Implicit(_) | Method::ExactEnergy => implicit::restore(scene, laws(scene.contact_model()?)?, bytes),
        Method::Static(method) => {
            static_equilibrium::restore(method, parts, normal_laws(scene.contact_model()?)?, bytes)
        }
        Method::ContactDynamics(method) => rigid::restore(scene, method, parts, dt, bytes),
    }
}

/// Returns notes on accepted keys of the table `contact` that no stage of the run uses.
pub(crate) fn unused(plan: &Plan) -> Vec<Note> {
    let is_rigid = |stage: &PlannedStage| matches!(stage.scene.integrator, Method::ContactDynamics(_));
    let model = plan.stages.first().and_then(|stage| stage.scene.contact.as_ref());
    let Some(model) = model.filter(|_| plan.stages.iter().all(is_rigid)) else { return Vec::new() };
    let note = |key: String, text: &str| Note::new(key, text);
    if !model.materials.is_empty() {
        let text = "bodies of contact dynamics are rigid: `young`, `poisson`, and `stiffness` and `damping` of \
                    `rolling` and `twisting` are not used; impacts lose no energy where `restitution` is not given";
        return vec![note("contact.materials".to_owned(), text)];
    }
    let text = "is not used by contact dynamics, whose bodies are rigid: impacts lose energy by `restitution` of \
                `integrator.contact-dynamics`";
    model.key_of_damping().map(|key| note(key, text)).into_iter().collect()
}

/// Refuses a scene with contact laws that the integrator would ignore, such as friction in static equilibrium.
fn refuse_ignored_laws(scene: &Scene) -> Result<(), GrainsError> {
    let Some(model) = &scene.contact else { return Ok(()) };
    model.check_sticking()?;
    let resistance = || model.resistances().next().map(|(key, _)| key);
    let (ignored, problem) = match scene.integrator {
        Method::Verlet | Method::Rodrigues23 | Method::Rodrigues25 => return Ok(()),
        Method::Implicit(_) | Method::ExactEnergy => match (resistance(), model.key_of_objective()) {
            (None, turns) => (
                turns,
                "only explicit integrators turn springs with their contact: take `verlet`, or leave out `objective`",
            ),
            (resists, _) => (
                resists,
                "only explicit integrators have resistance to rolling and twisting: take `verlet`, or leave it out",
            ),
        },
        Method::Static(_) => (
            model.key_of_friction().or_else(resistance),
            "static equilibrium is sought without friction and without resistance to rolling and twisting: leave it \
             out, or take another integrator",
        ),
        // Rigid contacts have the friction, restitution and resistances of materials.
        Method::ContactDynamics(_) if !model.materials.is_empty() => {
            let key = model.key_of_own_laws();
            let is_normal = key.as_ref().is_some_and(|key| key.ends_with(".normal"));
            let problem = if is_normal {
                "contact dynamics takes restitution, friction and resistances from `contact.materials` only: write \
                 `normal = \"hertz-mindlin\"`"
            } else {
                "contact dynamics takes restitution, friction and resistances from `contact.materials` only: leave it \
                 out"
            };
            (key, problem)
        }
        Method::ContactDynamics(_) => (
            model.key_of_friction().or_else(resistance),
            "contact dynamics is without friction and without resistance to rolling and twisting, except for those of \
             `contact.materials`: write `materials` and `normal = \"hertz-mindlin\"`, or leave it out",
        ),
    };
    if let Some(key) = ignored {
        return Err(GrainsError::conflict(key, problem));
    }
    if let Some(key) = model.key_of_sticking() {
        let problem = "only explicit integrators have contacts that stick or yield: take `verlet`, or leave it out";
        return Err(GrainsError::conflict(key, problem));
    }
    if matches!(scene.integrator, Method::Static(_)) && model.names().len() > 1 {
        let problem = "static equilibrium is sought with one material only: leave out the others, or take another \
                       integrator";
        return Err(GrainsError::conflict(model.key_of_materials(), problem));
    }
    Ok(())
}
