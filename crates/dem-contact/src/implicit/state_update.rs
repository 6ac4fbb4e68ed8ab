//! End of an implicit step: checks the solution, records the loads of walls, moves the state.

use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, State, Turn, VectorColumn};
use rrp_parallel::for_each_item;

use crate::error::DemError;
use crate::force::ContactForce;
use crate::force::deepest_overlap::DeepestOverlap;
use crate::force::histories::keyed_rows::KeyedRows;
use crate::force::histories::pair_history::PairHistories;
use crate::force::histories::wall_history::WallKey;
use crate::implicit::body_equations::BodyEquations;
use crate::implicit::system::StepSystem;
use crate::implicit::wall_contact::TouchedPart;
use crate::implicit::weights::StepContext;
use crate::wall::WallLoad;

/// Velocities that solve the equations of a step, and the impulses, in the order of the neighbour list.
#[derive(Clone, Copy)]
pub(super) struct StepSolution<'a, const D: usize> {
    pub(super) velocity: &'a [[f64; D]],
    pub(super) impulse: &'a [[f64; D]],
    /// Number of contacts that overlap by a radius or more, for which no law is valid.
    pub(super) too_deep: usize,
}

/// Refuses overlaps of a radius or more, for which no law is valid, with the error for the deepest overlap.
pub(super) fn check_overlaps<const D: usize>(
    contacts: &ContactForce,
    system: &StepSystem,
    context: &StepContext<'_>,
    solution: StepSolution<'_, D>,
) -> Result<(), DemError> {
    if solution.too_deep == 0 {
        return Ok(());
    }
    let list = contacts.list();
    let equations = BodyEquations::new(system, contacts, context, solution.velocity, false);
    let shifts = list.shifts();
    let time = context.weights.evaluation_time;
    let mut deepest = DeepestOverlap::new();
    for (places, code) in list.tiling().pairs() {
        let [a, b] = places.map(|place| equations.body(place));
        let separation = (b.origin - a.origin) + DVec3::from_slice(&shifts[code][..3]);
        let distance = (separation + (b.velocity - a.velocity) * time).length();
        let overlap = a.radius + b.radius - distance;
        let radius = a.radius.min(b.radius);
        deepest.offer_pair([a.body, b.body].map(|body| body as usize), overlap, radius);
    }
    for w in 0..contacts.walls().len() {
        for a in (0..list.len()).map(|place| equations.body(place)).filter(|a| a.inverse_mass > 0.0) {
            equations.each_wall_contact(w, &a, &mut |contact, _| {
                deepest.offer_wall(a.body as usize, w, contact.geometry.overlap, a.radius);
            });
        }
    }
    Err(deepest.into_error())
}

/// Stores the mean wall loads of the step and the histories of wall contacts, pending until the step is accepted.
pub(super) fn record_wall_loads<const D: usize>(
    contacts: &mut ContactForce,
    system: &StepSystem,
    context: &StepContext<'_>,
    solution: StepSolution<'_, D>,
) {
    let list = contacts.list();
    let laws = contacts.law_assignment();
    let walls = contacts.walls();
    let weights = context.weights;
    let mut pending = KeyedRows::new();
    let mut after = Vec::new();
    let mut loads = vec![WallLoad::default(); walls.len()];
    let equations = BodyEquations::new(system, contacts, context, solution.velocity, false);
    for (w, (wall, load)) in walls.iter().zip(&mut loads).enumerate() {
        let origin = wall.point_at(context.time + weights.evaluation_time);
        for a in (0..list.len()).map(|place| equations.body(place)).filter(|a| a.inverse_mass > 0.0) {
            equations.each_wall_contact(w, &a, &mut |contact, part| {
                let elastic = contact.elastic_force() * weights.whole_elastic;
                let dissipative = contact.dissipative_force() * weights.whole_dissipative;
                let force = (elastic + dissipative) / weights.step;
                let here = a.origin + a.velocity * weights.evaluation_time;
                load.force += force;
                load.torque += (here + contact.geometry.arm * contact.geometry.normal - origin).cross(force);
                if let Some(TouchedPart { feature, normal, history }) = part {
                    load.contacts += 1;
                    let index = laws.index_at_wall(a.body, w);
                    let traits = laws.by_index(index).traits();
                    equations.write_history(traits, &contact.geometry, history, &mut after);
                    let key = WallKey { wall: w as u32, body: a.body, feature, law: index as u32, normal };
                    if traits.layout.width() > 0 {
                        pending.push(key, &after);
                    }
                }
            });
        }
    }
    contacts.set_pending_walls(loads, pending);
}

/// Stores the histories of pairs at the end of the step, pending until the step is accepted.
pub(super) fn record_pair_histories<const D: usize>(
    contacts: &mut ContactForce,
    system: &StepSystem,
    context: &StepContext<'_>,
    solution: StepSolution<'_, D>,
) {
    let list = contacts.list();
    let laws = contacts.law_assignment();
    if !laws.remember() {
        return;
    }
    let listed = contacts.listed_histories();
    let equations = BodyEquations::new(system, contacts, context, solution.velocity, false);
    let tiles = &list.tiling().tiles;
    let mut pending: Vec<_> = tiles.iter().map(|tile| PairHistories::for_tile(tile, laws)).collect();
    for_each_item(&mut pending, &|tile, pending| {
        let mut after = Vec::new();
        for (index, pair) in tiles[tile].iter_pairs().enumerate() {
            let committed = || listed.pairs[tile].committed.get(index);
            if equations.write_pair_history(pair.places(), pair.code(), committed, &mut after) {
                pending.push(index, &after);
            }
        }
    });
    contacts.set_pending_pairs(pending);
}

/// Moves the state `next` from the first half kick, with the positions of `old`, to the end of the step. `order` has
/// the body numbers in the order of the list, `compensation` the rounding errors of positions, if kept.
///
/// # Errors
/// [`DemError::Integrate`] if a body turns too far in the step.
pub(super) fn update_state<const D: usize>(
    order: &[u32],
    bodies: &Bodies,
    old: &State,
    next: &mut State,
    step: f64,
    solution: StepSolution<'_, D>,
    compensation: &mut [[f64; 3]],
) -> Result<(), DemError> {
    let turning = D > 3 && old.has_attitudes();
    // Angular momenta at the middle of the step, if they change.
    let mut middle = VectorColumn::zeros(if turning { old.len() } else { 0 });
    for ((&i, v), impulse) in order.iter().zip(solution.velocity).zip(solution.impulse) {
        let i = i as usize;
        let from = old.position().get(i);
        let mut moved = step * DVec3::from_slice(v);
        if let Some(compensation) = compensation.get_mut(i) {
            moved += DVec3::from_array(*compensation);
            // Exact rounding error of the sum (Knuth's two-sum), whichever term is larger.
            let to = from + moved;
            let shown = to - from;
            *compensation = ((from - (to - shown)) + (moved - shown)).to_array();
        }
        next.position_mut().set(i, from + moved);
        next.velocity_mut().add(i, bodies.inverse_mass()[i] * DVec3::from_slice(impulse));
        if D > 3 {
            next.angular_momentum_mut().add(i, DVec3::from_slice(&impulse[3..]));
        }
        if turning && bodies.inverse_mass()[i] > 0.0 {
            middle.set(i, bodies.inertia().get(i) * DVec3::from_slice(&v[3..]));
        }
    }
    if old.has_attitudes() {
        let mut attitude = std::mem::take(next.attitude_mut());
        let momentum = if D > 3 { &middle } else { next.angular_momentum() };
        let turned = Turn::Cayley.advance(step, bodies, momentum, old.attitude(), &mut attitude);
        *next.attitude_mut() = attitude;
        turned?;
    }
    Ok(())
}
