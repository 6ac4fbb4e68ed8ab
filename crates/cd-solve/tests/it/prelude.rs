//! Names that most tests use, for `use crate::prelude::*`.

pub(crate) use crate::friction::with_spheres;
pub(crate) use crate::support::*;
pub(crate) use cd_solve::conformance::{Assembly, FrictionSpheres, Pyramid, Species};
pub(crate) use cd_solve::faer::Mat;
pub(crate) use cd_solve::friction::{
    AcceleratedSweeps, ContactMap, ConvexNewton, CoulombSolver, Frame, FrictionContact, FrictionLaw, FrictionProblem,
    FrictionSolver, ProximalNewton, Resistance,
};
pub(crate) use cd_solve::linear::{ConjugateGradient, LinearSolver};
pub(crate) use cd_solve::pgs::SweepOrder;
pub(crate) use cd_solve::{
    Apgd, BodyBlocks, BodyPair, CompatibilityProblem, CompatibilitySolver, CompatibleForces, ContactJacobian, Delassus,
    Lcp, LcpMatrix, LcpSolver, Options, ProjectedGaussSeidel, SolveError, Status,
};
pub(crate) use rand::{RngExt, SeedableRng};
pub(crate) use rand_chacha::ChaCha8Rng;
