//! Reports on parts of a scene without effect: notes before the run, messages at the end of each stage and with a
//! failed step.

use crate::refused::{Case, assert_refused, cases};
use crate::support::{notes, simulation, with};

const BALL: &str = r#"
    gravity = [0.0, 0.0, -9.81]
    integrator = "verlet"
    contact = { normal = { hooke = { stiffness = 1e6 } } }
    [[bodies]]
    name = "ball"
    place = { list = [[0.0, 0.0, 0.3]] }
    radius = 0.1
    density = 2500.0
    [[walls]]
    name = "floor"
    plane = { point = [0.0, 0.0, 0.0], normal = [0.0, 0.0, 1.0] }
"#;

fn notes_with(more: &str) -> String {
    notes_on(&format!("{BALL}{more}"))
}

fn notes_on(text: &str) -> String {
    notes(&simulation(text)).join("\n")
}

fn ends_of(text: &str) -> Vec<String> {
    let mut simulation = simulation(text);
    let mut said = Vec::new();
    while !simulation.is_over() {
        simulation.step().unwrap();
        said.extend(simulation.take_messages());
    }
    said
}

/// Checks each case of a table, as for refused scenes: some note has all parts, or none has a part that begins with
/// `no:`.
#[track_caller]
fn assert_noted(good: &str, table: &str) {
    for Case { from, to, parts } in cases(table) {
        let said = notes_on(&with(good, &from, &to));
        for part in parts {
            let is_right = part.strip_prefix("no: ").map_or_else(|| said.contains(&part), |part| !said.contains(part));
            assert!(is_right, "{from} => {to}: {part}: {said}");
        }
    }
}

#[test]
fn what_does_nothing_is_noted() {
    assert_eq!(notes_with("[[stage]]\nduration = 1.0\n"), "");
    let table = r#"
        MORE => TUBE }\nSTAGE\nwalls.tube.move.velocity = [0.0, 0.0, -0.1] | only drags the grains
        MORE => TUBE, velocity = [0.0, 0.0, 0.1] }\nSTAGE | only drags the grains
        # Sideways a cylinder carries grains along.
        MORE => TUBE }\nSTAGE\nwalls.tube.move.velocity = [0.1, 0.0, -0.1] | no: drags
        MORE => STAGE\nend.kinetic-energy = 1e-6 | nothing takes energy away
        MORE => STAGE\nend.kinetic-energy = 1e-6\nglobal-damping = "off" | nothing takes energy away
        MORE => STAGE\nend.kinetic-energy = 1e-6\nglobal-damping = { viscous = 5.0 } | no: nothing takes energy
        MORE => STAGE\nwalls.floor.move.servo = { force = -1.0, speed = 0.1 } | bear less than nothing
        MORE => [units]\nlength = "mm"\nmass = "g"\ntime = "s"\nSTAGE | in mm/s², by the `units` of this scene, it is 9810
        MORE => SOURCE\nSTAGE\n[[gates]]\nshape.plane = { point = [0.0, 0.0, -1.0], normal = [0.0, 0.0, -1.0] }\nremove = true
            | the source `feed` is behind the gate `gate0`
        MORE => SOURCE\nSTAGE\n[[gates]]\nshape.plane = { point = [0.0, 0.0, -1.0], normal = [0.0, 0.0, 1.0] }\nremove = true
            | no: behind the gate
        # A body wider than the cylinder around it would touch the cylinder all around.
        MORE => [[walls]]\ncylinder = { AXIS, radius = 0.095 }\nSTAGE
            | walls[1].cylinder.radius | body 0 has the radius 0.1
        MORE => [[walls]]\ncylinder = { AXIS, radius = 0.1 }\nSTAGE | no: radius
        MORE => STAGE\n[[gates]]\nshape.plane = { point = [0.0, 0.0, 1.0], normal = [0.0, 0.0, 1.0] }\nremove = true
            | takes away all 1 bodies before the first step | Reverse
        MORE => STAGE\n[[gates]]\nshape.plane = { point = [0.0, 0.0, 0.0], normal = [0.0, 0.0, 1.0] }\nremove = true
            | no: takes away
        MORE => STAGE\n[[gates]]\nshape.plane = { point = [0.0, 0.0, 1.0], normal = [0.0, 0.0, 1.0] } | no: takes away
    "#;
    let source = r#"[[sources]]\nname = "feed"\nrate.count = 10.0\nsizes.radius = 0.05\ndensity = 2500.0\nDISC"#;
    let disc = "region.disc = { point = [0.0, 0.0, 2.0], normal = [0.0, 0.0, 1.0], radius = 0.5 }";
    let table = table
        .replace("TUBE", r#"[[walls]]\nname = "tube"\ncylinder = { AXIS, radius = 0.5"#)
        .replace("AXIS", "point = [0.0, 0.0, 0.0], axis = [0.0, 0.0, 1.0]")
        .replace("SOURCE", &source.replace("DISC", disc))
        .replace("STAGE", r"[[stage]]\nduration = 1.0");
    assert_noted(&format!("{BALL}MORE\n"), &table);
    let stage = "[[stage]]\nduration = 1.0\n";
    for (normal, height, falls) in
        [("[0.0, 0.0, 1.0]", 0.3, false), ("[1.0, 0.0, 0.0]", 0.3, true), ("[0.0, 0.0, -1.0]", -0.3, true)]
    {
        let text = BALL.replace("normal = [0.0, 0.0, 1.0]", &format!("normal = {normal}"));
        let said = notes_on(&(text.replace("[[0.0, 0.0, 0.3]]", &format!("[[0.5, 0.0, {height}]]")) + stage));
        assert_eq!(said.contains("they fall for ever"), falls, "{normal}: {said}");
    }
    let table = r"
        MORE => | they fall for ever
        MORE => [[bodies]]\nplace = { list = [[0.0, 0.0, -0.5]] }\nradius = 0.1\nfixed = true | no: they fall for ever
    ";
    assert_noted(&format!("{}MORE\n{stage}", BALL.split_once("[[walls]]").unwrap().0), table);
    let table = r"
        hooke = { stiffness = 1e6 } }
            => hertz = { modulus = 5e7 } }, tangential = { friction-spring = { stiffness = 1e4, friction = 0.4 } }
            | mindlin-spring = { modulus = 6.000e7, friction = 0.4 }
    ";
    assert_noted(&format!("{BALL}{stage}"), table);
    // A servo that pulls is noted once, at its key, and not again for later stages.
    let pulls = notes_with(&format!("{stage}walls.floor.move.servo = {{ force = -1.0, speed = 0.1 }}\n{stage}"));
    assert_eq!(pulls.matches("bear less than nothing").count(), 1, "{pulls}");
    assert!(pulls.contains("stage[0].walls.floor.move.servo"), "{pulls}");
}

#[test]
fn what_takes_energy_is_known() {
    let table = r#"
        LAWS => normal = { hertz = { modulus = 1e7 } }, adhesion = { jkr = 0.1 } | no: nothing takes energy
        LAWS => GLASS }] | `glass` is smooth and rebounds without loss
        LAWS => GLASS, restitution = 0.5 }] | no: rebounds without loss
        LAWS => GLASS }], adhesion = { jkr = 0.1 } | no: rebounds without loss
    "#;
    let glass = r#"normal = "hertz-mindlin", materials = [{ name = "glass", young = 1e7, poisson = 0.3"#;
    let rest = with(BALL, "normal = { hooke = { stiffness = 1e6 } }", "LAWS") + "[[stage]]\nduration = 1.0\n";
    assert_noted(&(rest + "end.kinetic-energy = 1e-6\n"), &table.replace("GLASS", glass));
}

#[test]
fn stages_say_why_they_ended_and_what_is_undone() {
    let lid = "[[walls]]\nname = \"lid\"\nplane = { point = [0.0, 0.0, 5.0], normal = [0.0, 0.0, -1.0] }\n";
    let stages = "[[stage]]\nduration = 0.5\nend.behind = { point = [0.0, 0.0, 0.25], normal = [0.0, 0.0, 1.0] }\n\
                  [[stage]]\nduration = 0.01\nwalls.lid.move.servo = { force = 100.0, speed = 0.1 }\n";
    let said = ends_of(&format!("{BALL}{lid}{stages}"));
    assert_eq!(said.len(), 2, "{said:?}");
    assert!(said[0].starts_with("stage 1 of 2 ended") && said[0].ends_with("behind the plane"), "{said:?}");
    let undone = "its duration is over; the servo of the wall `lid` does not bear its force of 100.0";
    assert!(said[1].ends_with(undone), "{said:?}");
}

#[test]
fn a_single_stage_tells_what_is_undone_and_no_load_is_not_missed() {
    let lying = BALL.replace("[[0.0, 0.0, 0.3]]", "[[0.0, 0.0, 0.099]]");
    let held = |force: &str| {
        let servo = format!("walls.floor.move.servo = {{ force = {force}, speed = 0.1 }}");
        ends_of(&format!("{lying}[[stage]]\nduration = 0.01\n{servo}\n"))
    };
    assert_eq!(held("50.0"), ["at the end the servo of the wall `floor` does not bear its force of 50.0"]);
    // A relative tolerance is meaningless for a target force of zero.
    assert_eq!(held("0.0"), Vec::<String>::new());
}

#[test]
fn a_source_that_found_no_room_is_told_and_one_that_was_not_due_is_not() {
    // A source inside the ball.
    let fed = |rate: &str| {
        format!(
            "{BALL}[[sources]]\nname = \"feed\"\nrate = {{ count = {rate} }}\nevery = {{ steps = 1 }}\n\
             sizes = {{ radius = 0.05 }}\ndensity = 2500.0\n\
             region = {{ disc = {{ point = [0.0, 0.0, 0.3], normal = [0.0, 0.0, 1.0], radius = 0.06 }} }}\n\
             [time]\nduration = 0.01\n"
        )
    };
    let said = ends_of(&fed("1000.0"));
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(said[0].starts_with("at the end the source `feed` has brought nothing"), "{said:?}");
    assert_eq!(ends_of(&fed("1.0")), Vec::<String>::new());
    // A source beside the ball, filled by a single grain.
    let said = ends_of(&fed("1000.0").replace("[0.0, 0.0, 0.3], normal", "[0.5, 0.0, 0.3], normal"));
    assert_eq!(said, ["at the end the source `feed` found no room for 90 % of what was due (grains that came: 1)"]);
    // The second grain is not entirely due yet.
    assert_eq!(
        ends_of(&fed("145.0").replace("[0.0, 0.0, 0.3], normal", "[0.5, 0.0, 0.3], normal")),
        Vec::<String>::new()
    );
}

#[test]
fn a_body_behind_a_wall_is_told_with_the_name_of_the_wall() {
    // The ball falls onto the tube from outside, where the tube has no surface.
    let text = format!(
        "{}[[walls]]\nname = \"tube\"\nrevolution = {{ point = [0.0, 0.0, 0.0], axis = [0.0, 0.0, 1.0], profile = [[0.5, 0.0], [0.5, 1.0]] }}\n\
         [time]\nduration = 1.0\n",
        BALL.replace("[[0.0, 0.0, 0.3]]", "[[0.65, 0.0, 0.3]]")
            .replace("radius = 0.1", "radius = 0.1\n    velocity = [-1.0, 0.0, 0.0]")
    );
    let mut simulation = simulation(&text);
    let error = loop {
        match simulation.step() {
            Ok(step) => assert!(step < simulation.steps()),
            Err(error) => break error.to_string(),
        }
    };
    assert!(error.contains("wall 1 is `tube`; the body is at [0.") && error.contains("one side"), "{error}");
}

#[test]
fn a_group_is_poured_with_another_one_by_name() {
    let text = |group: &str| {
        format!(
            "integrator = \"verlet\"\ntime = {{ dt = 1e-4, duration = 1.0 }}\ncontact = {{ normal = {{ hooke = {{ stiffness = 1e4 }} }} }}\n\
             [[bodies]]\nname = \"large\"\nplace = {{ pour = {{ low = [0.0, 0.0, 0.0], high = [1.0, 1.0, 1.0], count = 20 }} }}\n\
             radius = 0.1\ndensity = 2500.0\n\
             [[bodies]]\nname = \"small\"\nplace = {{ pour-with = {{ group = {group}, count = 30 }} }}\nradius = 0.05\ndensity = 2500.0\n"
        )
    };
    let [by_name, by_number] = ["\"large\"", "0"].map(|group| simulation(&text(group)));
    assert_eq!(by_name.state().position().get(49), by_number.state().position().get(49));
    let table = r#"
        group = 0 => group = "lagre" | large
        group = 0 => group = "small" | of a group with a `pour`
    "#;
    assert_refused(&text("0"), table);
}

/// A ball that rests on the floor and spins about the vertical: nothing resists twisting.
#[test]
fn a_stage_that_misses_its_end_says_what_is_left() {
    let mass = 2500.0 * 4.0 / 3.0 * std::f64::consts::PI * 0.1_f64.powi(3);
    let resting = BALL.replace("0.3]", &format!("{:.9}]", 0.1 - mass * 9.81 / 1e6));
    let spinning = resting.replace("radius = 0.1", "radius = 0.1\nspin = [0.0, 0.0, 2.0]");
    let stage = |end: &str| format!("{spinning}[[stage]]\nduration = 0.1\nend = {{ {end} }}\n");
    let said = ends_of(&stage("kinetic-energy = 1e-6"));
    // Rotational energy 2/5 m r² ω²/2.
    let energy = 0.2 * mass * 0.01 * 4.0;
    let expected = format!("and {:?} J of rotation are left, most of it ({0:?} J) of body 0", rounded(energy));
    assert!(said[0].contains(&expected), "{said:?} without {expected}");
    let said = ends_of(&stage("kinetic-translation = 1e-6"));
    assert!(said[0].contains("the kinetic energy of translation is below 1e-6"), "{said:?}");
    let said = ends_of(&stage("behind = { point = [0.0, 0.0, -1.0], normal = [0.0, 0.0, 1.0] }"));
    assert!(said[0].contains("bodies not behind the plane: 1; the farthest, body 0, is 1.1 m"), "{said:?}");
    let said = ends_of(&stage("unbalanced-force = 1e-12"));
    assert!(said[0].contains("the unbalanced force is "), "{said:?}");
}

fn rounded(value: f64) -> f64 {
    format!("{value:.3e}").parse().unwrap()
}
