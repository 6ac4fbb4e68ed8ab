//! Tests of contact dynamics: the beam and the pyramid of [OK18], impacts, conservation, walls, cuboids, failures.

mod beam;
mod conservation;
mod cuboids;
mod determinism;
mod failure;
mod forces;
mod pour;
mod pyramid;
mod restitution;
pub(crate) mod support;
