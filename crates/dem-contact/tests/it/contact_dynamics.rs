//! Contact dynamics: the beam and the pyramid of [OK18], impacts, conservation, walls, planks, failures.

mod beam;
mod conservation;
mod determinism;
mod failure;
mod forces;
mod planks;
mod pour;
mod pyramid;
mod restitution;
mod support;
