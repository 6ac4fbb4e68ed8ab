//! Tests of friction with memory against closed forms.

use crate::friction::incline::{BLOCK, Incline, RADIUS, STIFFNESS, close, dry, spring};
use crate::prelude::*;

#[test]
fn a_block_slides_with_coulomb_s_force_and_friction_gets_its_energy() {
    let mut block = Incline::new(dry(0.3), 0.0, BLOCK).moving(DVec3::X, DVec3::ZERO);
    let (velocity, _, _) = block.run(1.0);
    close(velocity, 0.7);
    let ledger = block.ledger();
    let contact = block.contact();
    close(contact.tangential_force.length(), 0.3);
    close(ledger.dissipated, 0.5 - 0.245);
    // The spring stores (μ N)²/(2 k_t).
    close(ledger.tangential, 0.09 / (4.0 / 7.0 * STIFFNESS));
    assert!((contact.tangential_energy - ledger.tangential).abs() < 1e-15);
}

#[test]
fn a_block_sticks_below_the_angle_of_friction_and_slides_above() {
    for tangent in [0.1_f64, 0.29] {
        let angle = tangent.atan();
        let mut block = Incline::new(spring(0.3), angle, BLOCK);
        let (velocity, _, _) = block.run(1.0);
        assert!(velocity.abs() < 1e-6, "{velocity}");
        close(block.contact().tangential_force.length(), angle.sin());
        if tangent < 0.15 {
            // Below half the limit the block did not slide at the onset of the load.
            close(block.state.position().get(0).x, angle.sin() / (2.0 / 7.0 * STIFFNESS));
        }
    }
    for tangent in [0.32_f64, 0.6] {
        let angle = tangent.atan();
        // The motion begins with a swing of the spring, so the acceleration is measured later.
        let mut block = Incline::new(spring(0.3), angle, BLOCK);
        let ((before, _, _), (after, _, _)) = (block.run(0.5), block.run(1.0));
        close(after - before, 0.5 * (angle.sin() - 0.3 * angle.cos()));
    }
}

#[test]
fn a_sphere_rolls_up_to_seven_halves_of_the_friction_and_slips_above() {
    let friction = 0.2_f64;
    for part in [0.3, 0.97] {
        let angle = (part * 3.5 * friction).atan();
        let (velocity, spin, _) = Incline::new(spring(friction), angle, 1.0).run(1.0);
        close(velocity, 5.0 / 7.0 * angle.sin());
        close(spin, velocity / RADIUS);
    }
    for part in [1.05, 1.5] {
        let angle = (part * 3.5 * friction).atan();
        let (velocity, spin, _) = Incline::new(spring(friction), angle, 1.0).run(1.0);
        close(velocity, angle.sin() - friction * angle.cos());
        close(spin, 2.5 * friction * angle.cos() / RADIUS);
    }
}

#[test]
fn a_sphere_that_is_thrown_or_spun_ends_rolling() {
    let (velocity, spin, _) = Incline::new(spring(0.3), 0.0, 1.0).moving(DVec3::X, DVec3::ZERO).run(2.0);
    close(velocity, 5.0 / 7.0);
    close(spin, 5.0 / 7.0 / RADIUS);
    // The sphere ends with two sevenths of the speed at its rim.
    let (velocity, _, _) = Incline::new(spring(0.3), 0.0, 1.0).moving(DVec3::ZERO, DVec3::Y * 2.0).run(2.0);
    close(velocity, 2.0 / 7.0 * 2.0 * RADIUS);
}

#[test]
fn rolling_resistance_holds_a_sphere_up_to_its_coefficient() {
    let rolling = |tangent: f64| {
        let resistance = SpringSlider::new(1e4, 60.0, 0.1).unwrap();
        Incline::new(Rolling::new(spring(0.5), resistance), tangent.atan(), 1.0)
    };
    let mut held = rolling(0.095);
    let (velocity, _, _) = held.run(1.0);
    assert!(velocity.abs() < 1e-6, "{velocity}");
    close(held.contact().couple.length(), RADIUS * 0.095_f64.atan().sin());
    for tangent in [0.12_f64, 0.4] {
        let mut run = rolling(tangent);
        let (before, _, _) = run.run(0.5);
        let (after, _, _) = run.run(1.0);
        close(after - before, 0.5 * 5.0 / 7.0 * (tangent.atan().sin() - 0.1 * tangent.atan().cos()));
    }
}

#[test]
fn twisting_resistance_stops_a_top_in_the_time_it_should() {
    let twisting = SpringSlider::new(1e3, 0.01, 0.05).unwrap();
    let law = Rolling::twisting_alone(spring(0.5), twisting);
    let mut top = Incline::new(law, 0.0, 1.0).moving(DVec3::ZERO, DVec3::Z * 2.0);
    top.run(1.0);
    close(top.state.spin(&top.bodies, 0).z, 2.0 - 0.05 / 0.1);
    close(top.ledger().dissipated, 0.05 * (4.0 - 1.5 * 1.5));
    top.run(4.5);
    // What remains is a swing of the spring, with a spin of at most the limit over √(k I).
    assert!(top.state.spin(&top.bodies, 0).length() < 0.05 / (1e3_f64 * 0.1).sqrt());
}
