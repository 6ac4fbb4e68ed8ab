//! Tests that contact histories turn with their contacts.

use crate::prelude::*;

const TURN: f64 = std::f64::consts::TAU;

/// Direction from the first body to the second.
const NORMAL: DVec3 = DVec3::new(0.6, 0.0, 0.8);
/// Direction in which springs and rolling are stretched.
const ACROSS: DVec3 = DVec3::new(0.48, 0.8, -0.36);

/// Turns a pair that has slipped and rolled a little as one body about `axis`, once around in this many steps. Returns
/// the largest relative difference of force and torque on the second body from those at the start, turned along.
fn turned(law: impl TangentialLaw + Copy + 'static, axis: DVec3, steps: u32) -> f64 {
    let bodies = Bodies::new([Body::sphere(1.0, 0.3), Body::sphere(3.0, 0.5)]).unwrap();
    let mut contacts = open(Hooke::new(1e6, Damping::NONE).unwrap(), law);
    let axis = axis.normalize();
    let away = NORMAL * 0.79;
    let step = 1e-3;
    let mut state = State::at_rest(2).without_attitudes();
    let mut evaluate = |state: &State| {
        let out = wrenches_after(&bodies, &mut contacts, state, step);
        contacts.commit();
        [out.force.get(1), out.torque.get(1)]
    };
    state.position_mut().set(1, away);
    state.velocity_mut().set(1, ACROSS);
    state.set_spin(&bodies, 0, DVec3::new(0.3, -0.2, 0.5));
    let start = evaluate(&state);
    assert!(start[0].dot(ACROSS).abs() > 100.0);
    let mut worst = 0.0_f64;
    for k in 0..=steps {
        let rotation = DQuat::from_axis_angle(axis, TURN * f64::from(k) / f64::from(steps));
        // In the first evaluation the pair has not turned. Later steps turn by 2 atan(h Ω/2).
        let turn = 2.0 / step * (0.5 * TURN / f64::from(steps)).tan();
        let spin = if k > 0 { axis * turn } else { DVec3::ZERO };
        // The velocity of a step leads from the place before to this one.
        let before = if k > 0 { state.position().get(1) } else { rotation * away };
        state.position_mut().set(1, rotation * away);
        state.velocity_mut().set(1, (rotation * away - before) / step);
        (0..2).for_each(|i| state.set_spin(&bodies, i, spin));
        for (now, start) in evaluate(&state).into_iter().zip(start) {
            worst = worst.max((now - rotation * start).length() / start.length());
        }
    }
    worst
}

fn spring() -> FrictionSpring {
    FrictionSpring::new(3e5, 0.0, 0.5).unwrap()
}

/// Springs against every motion of a contact, without damping.
fn all() -> Rolling<FrictionSpring> {
    let resistance = SpringSlider::new(3e4, 0.0, 10.0).unwrap();
    Rolling::new(spring(), resistance).with_twisting(resistance)
}

#[test]
fn a_pair_that_turns_as_one_body_keeps_its_forces() {
    let partial = MindlinDeresiewicz::new(3e6, 0.5).unwrap();
    for axis in [NORMAL.any_orthogonal_vector(), NORMAL, NORMAL + ACROSS, DVec3::new(0.3, -0.7, 0.5)] {
        let along = axis.normalize().dot(NORMAL).abs();
        let found = |steps: u32| {
            [
                turned(CoRotating::new(spring()), axis, steps),
                turned(CoRotating::new(all()), axis, steps),
                turned(CoRotating::new(partial), axis, steps),
            ]
        };
        let coarse = found(100);
        let fine = found(400);
        println!("{along}: {coarse:?} {fine:?}");
        for (coarse, fine) in coarse.into_iter().zip(fine) {
            assert!(coarse < 5e-3 && (fine < 1e-9 || coarse / fine > 14.0), "{axis}: {coarse} {fine}");
        }
        // A known deficiency: without turning, springs lose some force where the normal turns, and stay behind where
        // the pair spins about the normal.
        let alone = turned(spring(), axis, 400);
        assert!(if along > 0.1 { alone > 0.5 } else { (1e-3..0.05).contains(&alone) }, "{along}: {alone}");
    }
}
