//! Separation of overlapping bodies at constant velocities: after each step with friction, and before a step without
//! friction that follows no contact.
//!
//! Projected Moreau-Jean scheme, Acary (2013): the least move in the metric of the masses that leaves no linearised gap
//! negative, 0 ≤ λ ⟂ Φ + B δx ≥ 0 with δx = M⁻¹ Bᵀ λ. Friction does not act, and bodies do not turn. If velocities
//! closed the overlaps instead, bodies would keep that speed.

use cd_solve::Apgd;
use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, State, VectorColumn};

use crate::contact_dynamics::detection::{ContactDetector, DetectedContact, is_fixed};
use crate::contact_dynamics::motion::{Velocities, loads};
use crate::contact_dynamics::problem::VelocityProblem;
use crate::contact_dynamics::solvers::complementarity;
use crate::error::DemError;

/// Gap or overlap over the reduced radius up to which a contact counts as closed; by default overlaps up to this size
/// stay. A ball that rolls in a wedge opens contacts by the square of its displacement, less than the solver's
/// tolerance.
pub(super) const CLOSED: f64 = 1e-9;

/// Largest number of separating moves. Each leaves only the errors of linearised gaps and of the solver.
const MOVES: usize = 20;

#[derive(Clone, Copy)]
pub(super) struct Allowed<'a> {
    /// Largest overlap that may stay, over the reduced radius of the contact.
    pub(super) overlap: f64,
    /// Upper bound in m on the travel of each body in the step, for the detection of contacts.
    pub(super) travel_bound: &'a [f64],
    /// Length in s of the step before or after which bodies are separated.
    pub(super) dt: f64,
}

#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Separation {
    pub(super) overlap: f64,
    pub(super) moves: usize,
    /// Largest overlap in m after the separation if above the allowed one; else zero.
    pub(super) left: f64,
    pub(super) work: f64,
}

/// Moves bodies of the state `moved` apart that overlap by more than is allowed. The work of this move is that of the
/// forces of the state `loaded`.
///
/// # Errors
/// Errors of detection and of the solver, such as for bodies that have no room.
pub(super) fn separate(
    detector: &mut ContactDetector,
    bodies: &Bodies,
    loaded: &State,
    moved: &mut State,
    Allowed { overlap: allowed, travel_bound, dt }: Allowed<'_>,
) -> Result<Separation, DemError> {
    let mut separation = Separation::default();
    let mut bound = travel_bound.to_vec();
    let mut before = None;
    loop {
        let mut found = detector.detect(bodies, moved, dt, &bound)?;
        let deepest = found.iter().fold(0.0_f64, |deepest, found| deepest.max(-found.contact.gap));
        if separation.moves == 0 {
            separation.overlap = deepest;
        }
        // A corner has no radius, so the largest radius of all contacts defines its allowed overlap.
        let largest = found.iter().fold(0.0_f64, |largest, found| largest.max(found.contact.radius));
        let is_deep = |found: &DetectedContact| {
            let radius = if found.contact.radius > 0.0 { found.contact.radius } else { largest };
            -found.contact.gap > allowed * radius
        };
        if !found.iter().any(is_deep) {
            break;
        }
        // Contacts with larger gaps cannot close by the move.
        found.retain(|found| found.contact.gap <= 10.0 * deepest);
        found.iter_mut().for_each(|found| found.levers = [DVec3::ZERO; 2]);
        let zero = Velocities { linear: vec![DVec3::ZERO; bodies.len()], angular: Vec::new() };
        let can_move = separation.moves < MOVES;
        let problem = if can_move { VelocityProblem::new(&found, bodies, moved, &zero, 1.0)? } else { None };
        let Some(problem) = problem else {
            separation.left = deepest;
            break;
        };
        let gap: Vec<f64> = found.iter().map(|found| found.contact.gap).collect();
        let solution = complementarity(&mut Apgd::default(), &problem, &gap, vec![0.0; gap.len()])?;
        let mut displacement = zero;
        problem.scatter(&solution.velocity, &mut displacement);
        before.get_or_insert_with(|| moved.position().clone());
        for (body, &displacement) in displacement.linear.iter().enumerate() {
            if displacement != DVec3::ZERO {
                let position = moved.position().get(body) + displacement;
                moved.position_mut().set(body, position);
                bound[body] = bound[body].max(2.0 * displacement.length());
            }
        }
        separation.moves += 1;
    }
    separation.work = before.map_or(0.0, |before| work_on_moved(bodies, loaded, &before, moved.position()));
    Ok(separation)
}

/// Work in J of the forces of `state` on free bodies that are displaced from `before` to `after`.
fn work_on_moved(bodies: &Bodies, state: &State, before: &VectorColumn, after: &VectorColumn) -> f64 {
    let (force, _) = loads(state, bodies.len());
    let work = |body: usize| force(body).dot(after.get(body) - before.get(body));
    (0..bodies.len()).filter(|&body| !is_fixed(bodies, body)).map(work).sum()
}
