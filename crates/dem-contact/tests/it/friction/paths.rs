//! Tests that no law creates energy, whatever the path of a contact.

use proptest::prelude::*;

use crate::prelude::*;

/// One step of a contact.
#[derive(Debug, Clone, Copy)]
struct Move {
    /// Relative velocity in m/s.
    velocity: DVec3,
    /// Relative spin in rad/s.
    spin: DVec3,
    /// Change of the logarithm of the overlap.
    deeper: f64,
    /// Normal force over that of the overlap alone: less than one where damping attracts.
    push: f64,
    /// Rotation of the normal in rad.
    turn: DVec3,
    /// Duration in s.
    elapsed: f64,
}

fn moves() -> impl Strategy<Value = Vec<Move>> {
    let vector = || [-1.0..1.0_f64, -1.0..1.0_f64, -1.0..1.0_f64].prop_map(DVec3::from_array);
    // Speeds span four decades: dashpots of sliding contacts matter at fast slip.
    let one = (vector(), vector(), -2.0..2.0_f64, -0.2..1.5_f64, vector(), -4.0..0.0_f64);
    let one = one.prop_map(|(velocity, spin, deeper, push, turn, speed)| Move {
        velocity: velocity * 10.0_f64.powf(speed),
        spin: spin * 10.0_f64.powf(speed),
        deeper,
        push,
        turn: turn * 0.1,
        elapsed: 1e-3,
    });
    prop::collection::vec(one, 1..40)
}

/// Returns the least dissipation of a step along a path, over the work of the whole path. Dissipation is the work of
/// the force at the end of each step, less the energy that springs take up.
fn least_dissipation<T: TangentialLaw>(law: &T, moves: &[Move]) -> f64 {
    path(law, moves).0
}

/// Returns this least dissipation, and the largest force over the normal force times 0.4.
fn path<T: TangentialLaw>(law: &T, moves: &[Move]) -> (f64, f64) {
    let mut history = T::History::default();
    let mut normal = DVec3::Z;
    let mut log = 0.0_f64;
    let mut stored = 0.0;
    let mut least = 0.0_f64;
    let mut all = 1e-12;
    let mut most = 0.0_f64;
    for one in moves {
        log = (log + one.deeper).clamp(-6.0, 6.0);
        normal = (normal + one.turn.cross(normal)).normalize();
        let overlap = 1e-4 * log.exp();
        let contact = ContactKinematics {
            velocity: one.velocity - normal * normal.dot(one.velocity),
            normal,
            normal_force: one.push * 1e7 * overlap.powf(1.5),
            overlap,
            radius: 0.25,
            mass: 0.5,
            turning: one.spin.x,
            elapsed: one.elapsed,
            share: 1.0,
        };
        let force = law.force(&contact, &mut history);
        most = most.max(force.length() / (0.4 * contact.normal_force.max(1e-12)));
        let couple = if law.resists_rolling() { law.couple(&contact, one.spin, &mut history) } else { DVec3::ZERO };
        let work = -(force.dot(contact.velocity) + couple.dot(one.spin)) * one.elapsed;
        let now = law.stored_energy(&contact, &history);
        // Stored energy is never negative either.
        least = least.min(work - (now - stored)).min(now);
        (stored, all) = (now, all + work.abs() + now);
    }
    (least / all, most)
}

fn damping() -> Damping {
    Damping::restitution(0.3).unwrap()
}

fn mindlin() -> MindlinSpring {
    MindlinSpring::matching_hertz(&Hertz::new(1e7, Damping::NONE).unwrap(), 0.4).unwrap()
}

fn rolling<T: TangentialLaw>(slip: T) -> Rolling<T> {
    let slider = |stiffness: f64, friction: f64| SpringSlider::new(stiffness, 3.0, friction).unwrap();
    Rolling::new(slip, slider(1e4, 0.2)).with_twisting(slider(50.0, 1e-3))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]

    #[test]
    fn no_step_of_any_path_gains_energy(moves in moves()) {
        let spring = FrictionSpring::new(3e4, 0.0, 0.4).unwrap();
        let dashed = spring.with_damping(80.0).unwrap();
        // Without friction of slip there is no spring that rolling could be as stiff as.
        let rolling_as_slip = [(0.4, 1e-3), (0.4, 0.1), (0.4, 1e3), (0.0, 0.1)].map(|(slip, rolling)| {
            let spring = MindlinSpring::matching_hertz(&Hertz::new(1e7, Damping::NONE).unwrap(), slip).unwrap();
            let as_slip = SpringSlider::as_stiff_as_slip(0.0, rolling).unwrap();
            least_dissipation(&Rolling::new(spring, as_slip).with_twisting(as_slip), &moves)
        });
        for (law, least) in [
            ("viscous", least_dissipation(&Viscous::new(20.0).unwrap(), &moves)),
            ("Coulomb and viscous", least_dissipation(&CoulombViscous::new(20.0, 0.4).unwrap(), &moves)),
            ("spring", least_dissipation(&spring, &moves)),
            ("spring and dashpot", least_dissipation(&dashed, &moves)),
            ("Mindlin", least_dissipation(&mindlin(), &moves)),
            ("Mindlin and dashpot", least_dissipation(&mindlin().with_damping(2e4).unwrap(), &moves)),
            ("Mindlin by restitution", least_dissipation(&mindlin().damped(damping()), &moves)),
            ("rolling", least_dissipation(&rolling(dashed), &moves)),
            ("Mindlin and rolling", least_dissipation(&rolling(mindlin().damped(damping())), &moves)),
            ("turning", least_dissipation(&CoRotating::new(rolling(dashed)), &moves)),
            ("turning partial slip", least_dissipation(&CoRotating::new(MindlinDeresiewicz::new(3e6, 0.4).unwrap()), &moves)),
            ("rolling as stiff as slip", rolling_as_slip.into_iter().fold(f64::INFINITY, f64::min)),
        ] {
            prop_assert!(least > -1e-12, "{law}: {least}");
        }
        for damping in [Ok(Damping::NONE), Damping::restitution(0.999), Ok(damping()), Damping::restitution_capped(1e-3)] {
            let law = MindlinDeresiewicz::new(3e6, 0.4).unwrap().damped(damping.unwrap());
            let (least, most) = path(&law, &moves);
            prop_assert!(least > -1e-12 && most <= 1.0 + 1e-12, "{law:?}: {least}, {most}");
        }
    }
}

/// Laws as in LAMMPS gain energy, which shows that the test above can fail.
#[test]
fn springs_of_lammps_gain_energy() {
    let slip = |speed: f64, deeper: f64| Move {
        velocity: DVec3::X * speed,
        spin: DVec3::ZERO,
        deeper,
        push: 1.0,
        turn: DVec3::ZERO,
        elapsed: 1e-3,
    };
    // The contact is sheared, pressed, sheared back and lifted.
    let pressed = [slip(1e-3, 0.0), slip(0.0, 2.0), slip(-1e-3, 0.0), slip(0.0, -2.0)];
    assert!(least_dissipation(&mindlin().as_in_lammps(), &pressed) < -0.1);
    assert!(least_dissipation(&mindlin(), &pressed) > -1e-12);
    // Slip is so fast that the dashpot alone exceeds the limit many times.
    let fast = [slip(3.0, 0.0), slip(1e-3, 0.0)];
    let spring = FrictionSpring::new(3e4, 2000.0, 0.4).unwrap();
    assert!(least_dissipation(&spring.as_in_lammps(), &fast) < -0.1);
    assert!(least_dissipation(&spring, &fast) > -1e-12);
}
