//! Contact dynamics: rigid bodies at large steps, without friction `[OK18]` and with it, Moreau (1988) and Jean (1999).
//!
//! `rigid_dynamics` is the integrator, `step` one step of it: `motion` computes the motion without contacts,
//! `detection` finds contacts, a `rigid_law` their forces, `travel_bounds` check that no contact was missed, and
//! `separation` removes overlaps. The laws are `frictionless` and, with the coefficients of `rigid_materials`,
//! `moreau_jean`. They pose their problems by `problem` and `solvers` to `cd-solve`, and handle impacts in
//! `impact_passes`. Results are a `rigid_contact` for each contact, a `report`, and `wall_loads`. `compatible_law` is
//! the elastic law whose rigid limit makes forces unique. The folder uses `neighbor`, `wall` and `cuboid`.

pub(crate) mod compatible_law;
pub(crate) mod detection;
pub(crate) mod frictionless;
pub(crate) mod impact_passes;
pub(crate) mod moreau_jean;
pub(crate) mod motion;
pub(crate) mod problem;
pub(crate) mod report;
pub(crate) mod rigid_contact;
pub(crate) mod rigid_dynamics;
pub(crate) mod rigid_law;
pub(crate) mod rigid_materials;
pub(crate) mod separation;
pub(crate) mod solvers;
pub(crate) mod step;
pub(crate) mod travel_bounds;
pub(crate) mod wall_loads;

pub use self::compatible_law::CompatibleLaw;
pub use self::frictionless::{ContactDynamics, Frictionless};
pub use self::moreau_jean::{CoulombFriction, MoreauJean, Unsolved};
pub use self::report::DynamicsReport;
pub use self::rigid_contact::RigidContact;
pub use self::rigid_dynamics::RigidDynamics;
pub use self::rigid_materials::{ContactCoefficients, RigidMaterials};
