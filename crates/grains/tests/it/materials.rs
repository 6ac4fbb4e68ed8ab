//! Contact laws derived from moduli of materials in scenes.

use std::path::Path;

use grains::{Estimate, Scene};

use crate::refused::{assert_refused, refusal};
use crate::support::{ended, simulation, with};

const SLIDER: &str = r#"
    gravity = [0.0, 0.0, -10.0]
    integrator = "verlet"
    time = { dt = 1e-5, duration = 0.02 }
    bodies = [{ place = { list = [[0.0, 0.0, Z]] }, radius = 0.5, mass = 1.0, velocity = [1.0, 0.0, 0.0] }]
    walls = [{ plane = { point = [0.0, 0.0, 0.0], normal = [0.0, 0.0, 1.0] } }]
    [contact]
    normal = "hertz-mindlin"
    wall-materials = ["steel"]
    materials = [
        { name = "glass", young = 5e6, poisson = 0.25, restitution = 0.36, friction = 0.16 },
        { name = "steel", young = 2e7, poisson = 0.3, restitution = 0.81, friction = 0.25 },
    ]
"#;

/// Computes the overlap under the weight of a sphere by `m g = 4/3 E* √R δ^{3/2}`.
fn overlap() -> f64 {
    let modulus = 1.0 / ((1.0 - 0.25 * 0.25) / 5e6 + (1.0 - 0.3 * 0.3) / 2e7);
    (10.0 / (4.0 / 3.0 * modulus * 0.5_f64.sqrt())).powf(2.0 / 3.0)
}

fn slider() -> String {
    SLIDER.replace('Z', &format!("{:?}", 0.5 - overlap()))
}

/// Returns final horizontal and vertical velocity, and depth.
fn end(text: &str) -> [f64; 3] {
    let simulation = ended(text);
    let state = simulation.state();
    [state.velocity().get(0).x, state.velocity().get(0).z, state.position().get(0).z - 0.5]
}

#[test]
fn moduli_add_up_and_friction_is_the_geometric_mean() {
    let [along, up, depth] = end(&slider());
    assert!(up.abs() < 1e-6 && (depth + overlap()).abs() < 1e-6 * overlap(), "{up} {depth}");
    // Friction of a sliding sphere is μ m g.
    assert!((along - (1.0 - 0.2 * 10.0 * 0.02)).abs() < 1e-3, "{along}");
    let pair = "pairs = [{ between = [\"steel\", \"glass\"], friction = 0.1 }]\n";
    let [along, ..] = end(&(slider() + pair));
    assert!((along - (1.0 - 0.1 * 10.0 * 0.02)).abs() < 1e-3, "{along}");
    // Walls without a material have the first one.
    let [_, _, depth] = end(&slider().replace("wall-materials", "#"));
    assert!(depth > -0.5 && (depth + overlap()).abs() > 0.1 * overlap(), "{depth}");
}

#[test]
fn restitution_is_mixed_or_that_of_the_pair() {
    let falling = slider().replace("velocity = [1.0, 0.0, 0.0]", "velocity = [0.0, 0.0, -1.0]");
    let falling = falling.replace("gravity = [0.0, 0.0, -10.0]", "").replace(&format!("{:?}", 0.5 - overlap()), "0.5");
    let [_, up, _] = end(&falling);
    assert!((up - 0.54).abs() < 2e-3, "{up}");
    let pair = "pairs = [{ between = [\"steel\", \"glass\"], restitution = 0.9 }]\n";
    let [_, up, _] = end(&format!("{falling}{pair}"));
    assert!((up - 0.9).abs() < 2e-3, "{up}");
    let implicit = falling.replace("\"verlet\"", "{ implicit = { alpha = 0.5 } }");
    let [_, up, _] = end(&implicit);
    assert!((up - 0.54).abs() < 5e-3, "{up}");
}

/// Contacts of soft grains with stiff walls set the step; walls have no contacts with walls.
#[test]
fn stiff_walls_ask_for_no_shorter_steps_than_contacts_with_them() {
    let text = slider().replace("young = 2e7", "young = 2e11").replace("duration = 0.02", "duration = 0.2");
    let stiff = |name: &str| format!("{name} = {{ stiffness = 1e9, friction = 0.1 }}");
    // A slider that the other material lacks acts on no contact.
    let text = text.replace("friction = 0.25", &format!("friction = 0.25, {}", stiff("rolling")));
    let [along, ..] = end(&text.replace("dt = 1e-5", "dt = 1e-4"));
    assert!(along > 0.5, "{along}");
    assert_refused(&text, "dt = 1e-5 => dt = 5e-3 | too long");
    let automatic = simulation(&text.replace("dt = 1e-5", "dt = \"auto\""));
    assert!(automatic.steps() < 5000, "{}", automatic.steps());
    // Fixed bodies do not shorten the step either.
    let fixed = "{ place = { list = [[9.0, 0.0, 0.5]] }, radius = 0.5, fixed = true, material = \"steel\" }";
    let bed = with(&text, "[1.0, 0.0, 0.0] }", &format!("[1.0, 0.0, 0.0] }}, {fixed}"));
    let [along, ..] = end(&bed.replace("dt = 1e-5", "dt = 1e-4"));
    assert!(along > 0.5, "{along}");
    // `check` tries a bed of free grains, whichever material comes first.
    let swapped = slider().replace("\"glass\"", "\"\"").replace("\"steel\"", "\"glass\"").replace("\"\"", "\"steel\"");
    let swapped = swapped.replace("young = 5e6", &format!("young = 2e11, {}", stiff("rolling")));
    let swapped = swapped.replace("wall-materials = [\"glass\"]", "wall-materials = [\"steel\"]");
    let swapped =
        swapped.replace("radius = 0.5", "radius = 0.5, material = \"glass\"").replace("dt = 1e-5", "dt = 1e-4");
    let scene = Scene::parse(&swapped.replace("duration = 0.02", "duration = 2.0")).unwrap();
    let estimate = Estimate::new(&scene, Path::new("."), false).unwrap();
    assert!(estimate.recommended_dt.unwrap() > 5e-5, "{estimate}");
    let both = text.replace("friction = 0.16", &format!("friction = 0.16, {}", stiff("rolling")));
    assert_refused(&both, "dt = 1e-5 => dt = 1e-4 | too long");
}

/// A rolling ball is slowed by 5/7 μ g; a pair may have its own resistance.
#[test]
fn materials_may_resist_rolling() {
    let rolling = "rolling = { stiffness = 3e4, damping = 20.0, friction = 0.08 }";
    let ball = slider()
        .replace("duration = 0.02", "duration = 0.2")
        .replace("velocity = [1.0, 0.0, 0.0]", "velocity = [1.0, 0.0, 0.0], spin = [0.0, 2.0, 0.0]");
    let speed = |text: &str| end(text)[0];
    let one = ball.replace("friction = 0.16", &format!("friction = 0.16, {rolling}"));
    assert!((speed(&one) - 1.0).abs() < 1e-3, "both materials have to resist: {}", speed(&one));
    let both = one.replace("friction = 0.25", &format!("friction = 0.25, {}", rolling.replace("0.08", "0.02")));
    let slowed = 1.0 - 5.0 / 7.0 * 0.04 * 10.0 * 0.2;
    assert!((speed(&both) - slowed).abs() < 2e-3, "{} {slowed}", speed(&both));
    let own = format!("{ball}pairs = [{{ between = [\"steel\", \"glass\"], {} }}]\n", rolling.replace("0.08", "0.04"));
    assert!((speed(&own) - slowed).abs() < 2e-3, "{} {slowed}", speed(&own));
}

#[test]
fn materials_that_are_none_are_refused_with_their_key() {
    let table = r#"
        young = 5e6 => young = -1.0 | `contact.materials[0].young` | positive
        poisson = 0.3 => poisson = 0.6 | `contact.materials[1].poisson` | at most 1/2
        restitution = 0.81 => restitution = 0.0 | `contact.materials[1].restitution` | above 0
        friction = 0.16 => friction = -0.16 | `contact.materials[0].friction` | not negative
        name = "glass" => name = "steel" | `contact.materials[1].name` | another material
        ["steel"] => ["stel"] | `contact.wall-materials[0]` | did you mean `steel`
        radius = 0.5 => radius = 0.5, material = "glas" | `bodies[0].material` | did you mean `glass`
        "hertz-mindlin" => { hertz = { modulus = 1e5 } } | `contact.materials` | `hertz-mindlin`
        "hertz-mindlin" => "hertz-mindlin"\ndamping = { restitution = 0.5 } | `contact.damping` | materials
        "hertz-mindlin" => "hertz-mindlin"\ndamping = "none" | `contact.damping` | materials
        "hertz-mindlin" => "hertz-mindlin"\ntangential = { viscous = { gamma = 1.0 } }
            | `contact.tangential` | without numbers
        wall-materials = ["steel"] => wall-materials = ["steel"]\npairs = [{ between = ["glass", "gold"] }]
            | `contact.pairs[0].between` | `gold`
        wall-materials = ["steel"] => wall-materials = ["steel"]\npairs = [{ between = ["glass", "steel"], friction = -1.0 }]
            | `contact.pairs[0].friction` | not negative
        wall-materials = ["steel"] => wall-materials = ["steel"]\npairs = [{ between = ["glass", "steel"], damping = "none" }]
            | `contact.pairs[0].damping` | materials
        "verlet" => { static = {} } | `contact.materials[0].friction` | without friction
    "#;
    assert_refused(&slider(), table);
    let smooth = slider().replace(", friction = 0.16", "").replace(", friction = 0.25", "");
    assert_refused(&smooth, "\"verlet\" => { static = {} } | `contact.materials` | one material");
    let head = SLIDER.split_once("[contact]").unwrap().0.replace('Z', "0.5");
    let text = format!("{head}contact = {{ normal = \"hertz-mindlin\" }}\n");
    let error = Estimate::new(&Scene::parse(&text).unwrap(), Path::new("."), false).unwrap_err().to_string();
    for error in [error, refusal(&text), refusal(&text.replace("radius = 0.5", "radius = 0.5, material = \"glass\""))] {
        assert!(error.contains("`materials` is missing"), "{error}");
    }
}
