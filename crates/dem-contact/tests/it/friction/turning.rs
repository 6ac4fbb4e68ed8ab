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
    let mut out = Wrenches::zeros(2);
    let mut evaluate = |state: &State| {
        out.clear();
        contacts.accumulate(&bodies, state, step, &mut out).unwrap();
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

/// Returns the force on a sphere that has slipped along x on a floor and then turned with the floor by a quarter.
fn after_a_quarter(law: impl TangentialLaw + Copy + 'static) -> DVec3 {
    let step = 1e-3;
    let quarter = 250_u32;
    let bodies = Bodies::new([Body::sphere(1.0, 0.5)]).unwrap();
    let spin = DVec3::Z * (0.25 * TURN / (f64::from(quarter) * step));
    let contacts = open(Hooke::new(1e6, Damping::NONE).unwrap(), law);
    let mut contacts = contacts.with_walls([Wall::plane(DVec3::ZERO, DVec3::Z).rotating(spin)]).unwrap();
    let mut state = State::at_rest(1).without_attitudes();
    state.position_mut().set(0, DVec3::Z * 0.49);
    state.velocity_mut().set(0, DVec3::X * 0.1);
    state.set_spin(&bodies, 0, spin);
    let mut out = Wrenches::zeros(1);
    // The sphere slips in the middle of the first step, at a place half a step off the axis.
    for k in 0..quarter {
        out.clear();
        contacts.accumulate(&bodies, &state, step, &mut out).unwrap();
        contacts.commit();
        state.velocity_mut().set(0, DVec3::ZERO);
        state.set_spin(&bodies, 0, spin);
        state.set_time(f64::from(k + 1) * step);
    }
    out.force.get(0)
}

#[test]
fn a_wall_that_turns_with_a_body_turns_the_spring() {
    let with = after_a_quarter(CoRotating::new(spring()));
    let without = after_a_quarter(spring());
    println!("{with} {without}");
    // A quarter of a turn from −x leads to −y. Half a step away from its axis the wall slips a little along y too.
    let slip = DVec3::new(0.1, TURN * 0.5e-4, 0.0);
    assert!((with.y + 300.0 * slip.length()).abs() < 1e-6 && with.x.abs() < 1e-6, "{with}");
    assert!((without.truncate() + 300.0 * slip.truncate()).length() < 1e-6, "{without}");
}

/// Slip and arm belong to one moment, so that friction holds a block on a turntable.
#[test]
fn a_block_on_a_turntable_stays_where_it_is() {
    let turning = 5.0;
    let radius = 1.0;
    let time = 1.0;
    let crept = |dt: f64, table: Wall| {
        let block = Body { inertia: DVec3::splat(1e9), ..Body::sphere(1.0, 0.5) };
        let bodies = Bodies::new([block]).unwrap();
        let mut state = State::at_rest(1).without_attitudes();
        state.position_mut().set(0, DVec3::new(radius, 0.0, 0.49));
        state.velocity_mut().set(0, DVec3::Y * (turning * radius));
        state.set_spin(&bodies, 0, DVec3::Z * turning);
        let law = CoRotating::new(FrictionSpring::new(1e5, 100.0, 0.9).unwrap());
        let contacts = open(Hooke::new(1e4, Damping::NONE).unwrap(), law);
        let contacts = contacts.with_walls([table.rotating(DVec3::Z * turning)]).unwrap();
        let mut field = Both(Gravity { acceleration: DVec3::NEG_Z * 100.0 }, contacts);
        let distance = |state: &State| state.position().get(0).truncate().length();
        // The spring is stretched in the first half of the run.
        advance(&bodies, &mut field, &mut state, dt, (time / dt) as usize);
        let before = distance(&state);
        advance(&bodies, &mut field, &mut state, dt, (time / dt) as usize);
        1.0 - distance(&state) / before
    };
    let plane = || Wall::plane(DVec3::ZERO, DVec3::Z);
    let cylinder = || Wall::new(Cylinder::outside(DVec3::X, 30.0).unwrap(), DVec3::NEG_Z * 30.0);
    let mesh = || {
        let corners = [[-3.0, -3.0], [3.0, -3.0], [3.0, 3.0], [-3.0, 3.0]].map(|[x, y]| DVec3::new(x, y, 0.0));
        Wall::new(TriangleMesh::open(corners.to_vec(), vec![[0, 1, 2], [0, 2, 3]]).unwrap(), DVec3::ZERO)
    };
    for table in [plane, cylinder as fn() -> Wall, mesh] {
        let coarse = crept(4e-4, table());
        let fine = crept(2e-4, table());
        println!("{coarse} {fine}");
        // With the slip at the end of the step the block would creep by half the step times the square of the rate,
        // 5e-3 and 2.5e-3. The rest is the settling of the spring.
        assert!(coarse.abs() < 1e-9 && (coarse - fine).abs() < 1e-11, "{coarse} {fine}");
    }
}
