//! Names that most tests use, for `use crate::prelude::*`.

pub(crate) use crate::methods::{ALL, MAPS, Method, RODRIGUES_23, RODRIGUES_25, VERLET};
pub(crate) use crate::problems::{
    Random, System, Tether, bits, field, on_threads, part, pendulum, tethered, wrench_bits,
};
pub(crate) use crate::reference::{Reference, close, difference, reference};
pub(crate) use rrp_geom::Attitude;
pub(crate) use rrp_geom::glam::{DQuat, DVec3};
pub(crate) use rrp_integrate::column::AttitudeColumn;
pub(crate) use rrp_integrate::step::{BodyFrameRodrigues, ImplicitRodrigues};
pub(crate) use rrp_integrate::{
    Bodies, Body, Explicit, FieldError, ForceField, Gravity, IntegrateError, Integrator, Map, NoForce, PivotedWeight,
    State, Turn, VectorColumn, Wrenches, kinetic_energy,
};
