//! Steps: from a state and a force field to the next state.
//!
//! [`Integrator`] is the interface and [`Explicit`] its main implementation; `kick_drift_kick` is the step, to be read
//! beside `[BG21]` (23) and (25), and [`Map`] selects the formulas. [`Damped`] adds [`GlobalDamping`], and
//! [`ExplicitIntegrator`] is one or the other. [`ImplicitRodrigues`] and [`BodyFrameRodrigues`] are other maps of the
//! paper. [`take_step`] and [`HalfKicks`] serve integrators of other crates. All steps write to a second state and
//! exchange it with the first on success (`trial`). The folder uses all other folders.

pub(crate) mod body_frame_rodrigues;
mod columns;
pub(crate) mod damped;
pub(crate) mod evaluation;
pub(crate) mod explicit;
pub(crate) mod explicit_integrator;
pub(crate) mod global_damping;
pub(crate) mod half_kicks;
pub(crate) mod implicit_rodrigues;
pub(crate) mod integrator;
pub(crate) mod kick_drift_kick;
pub(crate) mod kick_in_place;
pub(crate) mod map;
pub(crate) mod take_step;
pub(crate) mod trial;

pub use body_frame_rodrigues::BodyFrameRodrigues;
pub use damped::Damped;
pub use evaluation::evaluate_wrenches;
pub use explicit::Explicit;
pub use explicit_integrator::ExplicitIntegrator;
pub use global_damping::GlobalDamping;
pub use half_kicks::HalfKicks;
pub use implicit_rodrigues::ImplicitRodrigues;
pub use integrator::{Integrator, Scheme, StepReport, run};
pub use map::Map;
pub use take_step::take_step;
