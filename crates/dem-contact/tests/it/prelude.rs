//! Names that most tests use, for `use crate::prelude::*`.

pub(crate) use cd_solve::{Apgd, LcpSolver, Options, ProjectedGaussSeidel};
pub(crate) use dem_contact::bond::{
    Bond, BondLaw, Bonds, ElasticWall, ParallelBondLaw, ShearForm, Strength, StressLimits, Ties, bonded_pairs,
};
pub(crate) use dem_contact::contact_dynamics::{CompatibleLaw, ContactDynamics};
pub(crate) use dem_contact::cuboid::{Cuboid, CuboidForce};
pub(crate) use dem_contact::error::{BondError, ContactError, DemError, LawError, ListError, WallError};
#[cfg(feature = "serde")]
pub(crate) use dem_contact::force::StoredContacts;
pub(crate) use dem_contact::force::{ContactForce, EnergyGuard, Ledger, contact_time};
pub(crate) use dem_contact::implicit::{DiscreteForm, ImplicitDem, LinearMethod, NewtonOptions};
pub(crate) use dem_contact::io::{LammpsData, VtpFrame};
pub(crate) use dem_contact::law::{
    CoRotating, Contact, ContactKinematics, ContactLaw, CoulombViscous, Damping, FrictionSpring, Frictionless, Hertz,
    Hooke, Jkr, LawTable, Laws, Material, Materials, MindlinDeresiewicz, MindlinSpring, Partner, PlasticHooke, Rolling,
    SpringSlider, TangentialLaw, Viscous,
};
pub(crate) use dem_contact::neighbor::{Boundary, Domain, NeighborList};
pub(crate) use dem_contact::packing::CannonballPyramid;
pub(crate) use dem_contact::statics::{EnergyMinimizer, gravity_load};
pub(crate) use dem_contact::wall::{
    Cylinder, Patch, Revolution, Shape, Sidedness, TriangleMesh, Wall, WallMotion, WallPose, WallShape,
};
pub(crate) use rrp_geom::Attitude;
pub(crate) use rrp_geom::glam::{DQuat, DVec3};
pub(crate) use rrp_integrate::{
    Bodies, Body, Both, Explicit, FieldError, ForceField, Gravity, IntegrateError, Integrator, Map, NoForce, Potential,
    State, VectorColumn, Wrenches, angular_momentum, kinetic_energy, linear_momentum, run,
};

pub(crate) use crate::bonds::problems::Torus;
pub(crate) use crate::bonds::reference::reference;
pub(crate) use crate::support::*;
