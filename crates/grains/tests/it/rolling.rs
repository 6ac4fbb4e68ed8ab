//! Resistance to rolling and twisting in scenes.

use crate::refused::assert_refused;
use crate::support::{change_of_balance, simulation};

/// A sphere that rolls on a floor, or spins on the spot.
pub(crate) const BALL: &str = r#"
    gravity = [0.0, 0.0, -10.0]
    integrator = "rodrigues-25"
    time = { dt = 1e-4, duration = 1.0 }
    [contact]
    normal = { hooke = { stiffness = 1e5 } }
    damping = { coefficient = 100.0 }
    tangential = { friction-spring = { stiffness = 3e4, gamma = 50.0, friction = 0.8 } }
    rolling = { stiffness = 3e4, damping = 20.0, friction = 0.05 }
    twisting = { stiffness = 500.0, damping = 1.0, friction = 0.02 }
    [[bodies]]
    place = { list = [[0.0, 0.0, 0.4999]] }
    radius = 0.5
    mass = 1.0
    velocity = [1.0, 0.0, 0.0]
    spin = [0.0, 2.0, 3.0]
    [[walls]]
    plane = { point = [0.0, 0.0, 0.0], normal = [0.0, 0.0, 1.0] }
"#;

/// Returns velocity and spin at the end, and the change of the balance.
fn end(text: &str) -> ([f64; 3], f64) {
    let mut simulation = simulation(text);
    let (_, change) = change_of_balance(&mut simulation);
    let state = simulation.state();
    let spin = state.spin(simulation.bodies(), 0);
    ([state.velocity().get(0).x, spin.y, spin.z], change)
}

/// The rolling torque μ R N slows v by 5/7 μ g a second; the twisting torque μ N slows the spin by μ m g/J.
#[test]
fn a_ball_that_rolls_is_slowed_as_it_should_be() {
    let by_coefficients =
        BALL.replace("stiffness = 3e4, damping = 20.0, ", "").replace("stiffness = 500.0, damping = 1.0, ", "");
    for text in [BALL, &by_coefficients] {
        let ([speed, turning, twisting], drift) = end(text);
        let inertia = 0.4 * 0.25;
        assert!((speed - (1.0 - 5.0 / 7.0 * 0.05 * 10.0)).abs() < 2e-3, "{speed}");
        assert!((turning - 2.0 * speed).abs() < 1e-2, "{turning} {speed}");
        assert!((twisting - (3.0 - 0.02 * 10.0 / inertia)).abs() < 1e-2, "{twisting}");
        assert!(drift.abs() < 2e-3, "{drift}");
    }
}

/// `stiffness = "tangential"` is the stiffness of the tangential spring, at all contacts or at those of a pair.
#[test]
fn a_resistance_may_be_as_stiff_as_the_tangential_spring() {
    let rolling = "rolling = { stiffness = 3e4, damping = 20.0, friction = 0.05 }";
    // The twisting spring has 3e4 N/m times R².
    let twisting = "twisting = { stiffness = 500.0, damping = 1.0, friction = 0.02 }";
    let fixed = BALL.replace(twisting, "twisting = { stiffness = 7500.0, damping = 1.0, friction = 0.02 }");
    let derived = BALL
        .replace(rolling, "rolling = { stiffness = \"tangential\", damping = 20.0, friction = 0.05 }")
        .replace(twisting, "twisting = { stiffness = \"tangential\", damping = 1.0, friction = 0.02 }");
    let ([speed, turning, twist], _) = end(&fixed);
    let (found, drift) = end(&derived);
    assert!([speed, turning, twist].iter().zip(&found).all(|(one, other)| (one - other).abs() < 1e-12), "{found:?}");
    assert!(drift.abs() < 2e-3, "{drift}");
    // On a slope below the coefficient of rolling the ball rests, also with Mindlin's spring.
    let slope = derived
        .replace("gravity = [0.0, 0.0, -10.0]", "gravity = [0.4, 0.0, -10.0]")
        .replace("velocity = [1.0, 0.0, 0.0]\n    spin = [0.0, 2.0, 3.0]", "");
    let mindlin = slope.replace("hooke = { stiffness = 1e5 }", "hertz = { modulus = 1e7 }").replace(
        "friction-spring = { stiffness = 3e4, gamma = 50.0,",
        "mindlin-spring = { modulus = 1e7, gamma = 5e3,",
    );
    for text in [&slope, &mindlin] {
        let ([speed, ..], _) = end(text);
        assert!(speed.abs() < 1e-5, "{speed}");
    }
    let by_coefficient = slope.replace("stiffness = \"tangential\", damping = 20.0, ", "");
    assert!(end(&by_coefficient).0[0] > 5e-5, "the constant torque creeps");
    let table = r#"
        friction-spring = { stiffness = 3e4, => coulomb-viscous = { | contact.rolling.stiffness | no tangential spring
        "tangential" => "tangent" | tangential
    "#;
    assert_refused(&derived, table);
}

#[test]
fn without_resistance_it_goes_on() {
    let text = BALL.replace("    rolling =", "    #").replace("    twisting =", "    #");
    let ([speed, _, twisting], _) = end(&text);
    assert!((speed - 1.0).abs() < 1e-3 && (twisting - 3.0).abs() < 1e-9, "{speed} {twisting}");
}

/// A pair of materials may have a resistance that other pairs lack.
#[test]
fn resistance_is_a_matter_of_materials() {
    let plain = BALL.replace("    rolling =", "    #").replace("    twisting =", "    #");
    let pair = "wall-materials = [\"felt\"]\n[[contact.pairs]]\nbetween = [\"other\", \"felt\"]\n\
                rolling = { stiffness = 3e4, damping = 20.0, friction = 0.05 }\n[[bodies]]";
    let ([speed, ..], _) = end(&plain.replace("[[bodies]]", pair));
    assert!((speed - (1.0 - 5.0 / 7.0 * 0.05 * 10.0)).abs() < 2e-3, "{speed}");
    // The pair may have the only tangential spring, whose stiffness the resistance shares.
    let slip = "tangential = { friction-spring = { stiffness = 3e4, gamma = 50.0, friction = 0.8 } }\n";
    let derived =
        pair.replace("rolling = { stiffness = 3e4,", &format!("{slip}rolling = {{ stiffness = \"tangential\","));
    let ([speed, ..], _) = end(&plain.replace(slip, "").replace("[[bodies]]", &derived));
    assert!((speed - (1.0 - 5.0 / 7.0 * 0.05 * 10.0)).abs() < 2e-3, "{speed}");
    let elsewhere = pair.replace("\"other\", \"felt\"", "\"felt\", \"felt\"");
    let ([speed, ..], _) = end(&plain.replace("[[bodies]]", &elsewhere));
    assert!((speed - 1.0).abs() < 1e-3, "{speed}");
}
