//! Tangential laws. They implement [`TangentialLaw`](crate::law::TangentialLaw).
//!
//! Without history: `memoryless`. With a spring as history: `friction_spring`, `mindlin_spring`, `partial_slip`, with
//! parts from `spring_slider`. Around another law: `rolling` adds resistance to rolling and twisting, `co_rotating`
//! turns the history with the contact, `metered` records the work of friction, `adhesive` keeps what a normal law
//! remembers.
//!
//! `lever_arm` says where forces act, `slope` has the derivatives that implicit steps ask for.

pub(crate) mod adhesive;
pub(crate) mod co_rotating;
pub(crate) mod friction_spring;
pub(crate) mod lever_arm;
pub(crate) mod memoryless;
pub(crate) mod metered;
pub(crate) mod mindlin_spring;
pub(crate) mod partial_slip;
pub(crate) mod rolling;
pub(crate) mod slope;
pub(crate) mod spring_slider;
