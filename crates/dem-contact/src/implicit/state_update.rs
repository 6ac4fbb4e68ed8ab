//! What follows once the equations of a step are solved.

use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, State, Turn, VectorColumn};

use crate::error::DemError;
use crate::error::contact::ContactError;
use crate::force::ContactForce;
use crate::force::wall_forces::history::{ContactKey, WallHistory};
use crate::implicit::body_equations::BodyEquations;
use crate::implicit::residual_only::Unassembled;
use crate::implicit::step_matrix::StepMatrix;
use crate::implicit::system::{ResidualNorms, StepSystem};
use crate::implicit::weights::Setting;
use crate::law::contact_law::{ContactLaw, TangentialLaw};
use crate::wall::WallLoad;

/// Refuses overlaps that no law is good for, and records what walls bear in the mean of the step.
pub(crate) fn finish<L: ContactLaw, T: TangentialLaw, const D: usize>(
    (contacts, stage): (&mut ContactForce<L, T>, &StepSystem),
    setting: &Setting<'_>,
    sums: ResidualNorms,
    point: &[f64],
) -> Result<(), DemError> {
    let point = point.as_chunks::<D>().0;
    if sums.deep > 0 {
        return Err(deepest(contacts, stage, setting, point));
    }
    let ContactForce { list, laws, walls, .. } = contacts;
    let (weights, mut pending) = (setting.weights, WallHistory { entries: Vec::new() });
    let mut loads = std::mem::take(&mut walls.pending_loads);
    let evaluation =
        BodyEquations::new(stage, (&*list, &*laws, &*walls), setting, point, <Unassembled as StepMatrix<D>>::SLOPES);
    for (w, (wall, load)) in walls.walls.iter().zip(&mut loads).enumerate() {
        *load = WallLoad::default();
        let origin = wall.point_at(setting.time + weights.reach);
        for place in 0..list.len() {
            let a = evaluation.side(place);
            if a.inverse_mass <= 0.0 {
                continue;
            }
            let body = list.order()[place];
            evaluation.at_wall((w, wall), (body, &a), |encounter, kept| {
                let elastic = encounter.elastic_force() * weights.whole_elastic;
                let dissipative = encounter.dissipative_force() * weights.whole_dissipative;
                let force = (elastic + dissipative) / weights.step;
                let here = a.origin + a.velocity * weights.reach;
                load.force += force;
                load.torque += (here + encounter.meeting.arm * encounter.meeting.normal - origin).cross(force);
                if let Some((patch, memory)) = kept {
                    load.contacts += 1;
                    let (feature, out) = patch;
                    pending.push(ContactKey { wall: w as u32, body }, feature, out, memory);
                }
            });
        }
    }
    pending.sort();
    walls.pending_loads = loads;
    walls.set_pending(pending);
    Ok(())
}

/// The error for the pair or wall with the largest overlap in terms of the smaller radius.
fn deepest<L: ContactLaw, T: TangentialLaw, const D: usize>(
    contacts: &ContactForce<L, T>,
    stage: &StepSystem,
    setting: &Setting<'_>,
    point: &[[f64; D]],
) -> DemError {
    let ContactForce { list, laws, walls, .. } = contacts;
    let evaluation =
        BodyEquations::new(stage, (list, laws, walls), setting, point, <Unassembled as StepMatrix<D>>::SLOPES);
    let (shifts, reach) = (list.shifts(), setting.weights.reach);
    let mut worst = (
        f64::NEG_INFINITY,
        DemError::Contact(ContactError::OverlapTooLarge { bodies: [0; 2], overlap: 0.0, radius: 0.0 }),
    );
    list.each_entry(&mut |a, b, code| {
        let [p, q] = [a, b].map(|place| evaluation.side(place));
        let separation = (q.origin - p.origin) + DVec3::from_slice(&shifts[code][..3]);
        let distance = (separation + (q.velocity - p.velocity) * reach).length();
        let (overlap, radius) = (p.radius + q.radius - distance, p.radius.min(q.radius));
        if a < b && overlap / radius > worst.0 {
            let mut bodies = [a, b].map(|place| list.order()[place] as usize);
            bodies.sort_unstable();
            worst = (overlap / radius, DemError::Contact(ContactError::OverlapTooLarge { bodies, overlap, radius }));
        }
    });
    for (w, wall) in walls.walls.iter().enumerate() {
        for place in 0..list.len() {
            let a = evaluation.side(place);
            if a.inverse_mass <= 0.0 {
                continue;
            }
            evaluation.at_wall((w, wall), (list.order()[place], &a), |encounter, _| {
                let (overlap, radius) = (encounter.meeting.overlap, a.radius);
                if overlap / radius > worst.0 {
                    let body = list.order()[place] as usize;
                    worst = (
                        overlap / radius,
                        DemError::Contact(ContactError::BehindWall { body, wall: w, overlap, radius }),
                    );
                }
            });
        }
    }
    worst.1
}

/// Moves `next`, which has the positions of `old` and the velocities after the first half kick, to the end of the step.
pub(crate) fn write<const D: usize>(
    order: &[u32],
    (bodies, old, next): (&Bodies, &State, &mut State),
    step: f64,
    (point, impulse): (&[f64], &[f64]),
    residue: &mut [[f64; 3]],
) -> Result<(), DemError> {
    let (point, impulse) = (point.as_chunks::<D>().0, impulse.as_chunks::<D>().0);
    let turning = D > 3 && old.has_attitudes();
    // The angular momenta of the middle of the step, where they change.
    let mut middle = VectorColumn::zeros(if turning { old.len() } else { 0 });
    for ((&i, v), impulse) in order.iter().zip(point).zip(impulse) {
        let i = i as usize;
        let (from, mut moved) = (old.position().get(i), step * DVec3::from_slice(v));
        if let Some(residue) = residue.get_mut(i) {
            moved += DVec3::from_array(*residue);
            // What is lost when the smaller part is added to the larger one, whichever that is.
            let to = from + moved;
            let shown = to - from;
            *residue = ((from - (to - shown)) + (moved - shown)).to_array();
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
