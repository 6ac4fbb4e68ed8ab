//! Tangential laws, implementations of [`TangentialLaw`](crate::law::TangentialLaw).
//!
//! `memoryless` has the laws without history. `friction_spring` and `mindlin_spring` keep one spring as history, with
//! parts from `spring_slider`; `mindlin_deresiewicz` keeps many springs. Two laws wrap another law: `rolling` adds
//! resistance to rolling and twisting, `co_rotating` turns the history with the contact.

pub(crate) mod co_rotating;
pub(crate) mod friction_spring;
pub(crate) mod memoryless;
pub(crate) mod mindlin_deresiewicz;
pub(crate) mod mindlin_spring;
pub(crate) mod rolling;
pub(crate) mod spring_slider;
