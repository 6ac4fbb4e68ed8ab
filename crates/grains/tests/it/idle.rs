//! Parts of a scene without effect are reported: before the run by notes, at the end of each stage, and when a step
//! fails.

use grains::{Scene, Simulation};

/// A ball above a floor.
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

fn made(text: &str) -> Simulation {
    Simulation::new(&Scene::parse(text).unwrap(), ".", false).unwrap()
}

/// Returns all notes on `BALL` with more tables.
fn notes(more: &str) -> String {
    notes_on(&format!("{BALL}{more}"))
}

fn notes_on(text: &str) -> String {
    made(text).notes().iter().map(|note| format!("{note}\n")).collect()
}

/// `BALL` with other laws of contacts.
fn ball_with(laws: &str) -> String {
    BALL.replace("normal = { hooke = { stiffness = 1e6 } }", laws)
}

/// Returns the reasons why the stages of a scene ended.
fn ends_of(text: &str) -> Vec<String> {
    let mut simulation = made(text);
    let mut said = Vec::new();
    while !simulation.is_over() {
        simulation.step().unwrap();
        said.extend(simulation.take_ended());
    }
    said
}

#[test]
fn what_does_nothing_is_noted() {
    let stage = "[[stage]]\nduration = 1.0\n";
    assert_eq!(notes(stage), "");
    let tube =
        "[[walls]]\nname = \"tube\"\ncylinder = { point = [0.0, 0.0, 0.0], axis = [0.0, 0.0, 1.0], radius = 0.5 }\n";
    let source = |normal: &str| {
        format!(
            "[[sources]]\nname = \"feed\"\nregion = {{ disc = {{ point = [0.0, 0.0, 2.0], normal = [0.0, 0.0, 1.0], radius = 0.5 }} }}\n\
             rate = {{ count = 10.0 }}\nsizes = {{ radius = 0.05 }}\ndensity = 2500.0\n\
             [[gates]]\nshape = {{ plane = {{ point = [0.0, 0.0, -1.0], normal = {normal} }} }}\nremove = true\n{stage}"
        )
    };
    let cases = [
        (format!("{tube}{stage}walls.tube.move.velocity = [0.0, 0.0, -0.1]\n"), "only drags the grains"),
        (tube.replace("radius = 0.5", "radius = 0.5, velocity = [0.0, 0.0, 0.1]") + stage, "only drags the grains"),
        (format!("{stage}end.kinetic-energy = 1e-6\n"), "nothing takes energy away"),
        (format!("{stage}end.kinetic-energy = 1e-6\nglobal-damping = \"off\"\n"), "nothing takes energy away"),
        (format!("{stage}walls.floor.move.servo = {{ force = -1.0, speed = 0.1 }}\n"), "bear less than nothing"),
        (source("[0.0, 0.0, -1.0]"), "the source `feed` is behind the gate `gate0`"),
        (format!("[units]\nlength = \"mm\"\nmass = \"g\"\ntime = \"s\"\n{stage}"), "in mm/s² it is 9810"),
    ];
    for (more, expected) in cases {
        let said = notes(&more);
        assert!(said.contains(expected), "{expected}: {said}");
    }
    assert!(!notes(&source("[0.0, 0.0, 1.0]")).contains("behind the gate"));
    for (normal, height, falls) in
        [("[0.0, 0.0, 1.0]", 0.3, false), ("[1.0, 0.0, 0.0]", 0.3, true), ("[0.0, 0.0, -1.0]", -0.3, true)]
    {
        let text = BALL.replace("normal = [0.0, 0.0, 1.0]", &format!("normal = {normal}"));
        let said = notes_on(&(text.replace("[[0.0, 0.0, 0.3]]", &format!("[[0.5, 0.0, {height}]]")) + stage));
        assert_eq!(said.contains("they fall for ever"), falls, "{normal}: {said}");
    }
    let fixed = "[[bodies]]\nplace = { list = [[0.0, 0.0, -0.5]] }\nradius = 0.1\nfixed = true\n";
    let unheld = BALL.split_once("[[walls]]").unwrap().0;
    assert!(notes_on(&format!("{unheld}{stage}")).contains("they fall for ever"));
    assert!(!notes_on(&format!("{unheld}{fixed}{stage}")).contains("they fall for ever"));
    let laws = "normal = { hertz = { modulus = 5e7 } }, tangential = { friction-spring = { stiffness = 1e4, friction = 0.4 } }";
    let said = notes_on(&(ball_with(laws) + stage));
    assert!(said.contains("mindlin-spring = { modulus = 6.000e7, friction = 0.4 }"), "{said}");
    // Sideways a cylinder carries grains along.
    let sideways = format!("{tube}{stage}walls.tube.move.velocity = [0.1, 0.0, -0.1]\n");
    assert!(!notes(&sideways).contains("drags"));
    // A pulling servo is noted once, at the key that gives it, and not again for later stages.
    let pulls = notes(&format!("{stage}walls.floor.move.servo = {{ force = -1.0, speed = 0.1 }}\n{stage}"));
    assert_eq!(pulls.matches("bear less than nothing").count(), 1, "{pulls}");
    assert!(pulls.contains("stage[0].walls.floor.move.servo"), "{pulls}");
}

#[test]
fn what_takes_energy_is_known() {
    let rest = "[[stage]]\nduration = 1.0\nend.kinetic-energy = 1e-6\n";
    assert!(!notes(&format!("{rest}global-damping = {{ viscous = 5.0 }}\n")).contains("nothing takes energy"));
    let sticky = ball_with("normal = { hertz = { modulus = 1e7 } }, adhesion = { jkr = 0.1 }") + rest;
    assert!(!notes_on(&sticky).contains("nothing takes energy"));
    let glass = "normal = \"hertz-mindlin\", materials = [{ name = \"glass\", young = 1e7, poisson = 0.3 }]";
    let smooth = |laws: &str| notes_on(&(ball_with(laws) + rest));
    let said = smooth(glass);
    assert!(said.contains("`glass` is smooth and rebounds without loss"), "{said}");
    assert!(!smooth(&glass.replace("0.3 }", "0.3, restitution = 0.5 }")).contains("rebounds without loss"));
    assert!(!smooth(&format!("{glass}, adhesion = {{ jkr = 0.1 }}")).contains("rebounds without loss"));
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
    // The ball presses with 10 N.
    let lying = BALL.replace("[[0.0, 0.0, 0.3]]", "[[0.0, 0.0, 0.099]]");
    let held = |force: &str| {
        let servo = format!("walls.floor.move.servo = {{ force = {force}, speed = 0.1 }}");
        ends_of(&format!("{lying}[[stage]]\nduration = 0.01\n{servo}\n"))
    };
    assert_eq!(held("50.0"), ["at the end the servo of the wall `floor` does not bear its force of 50.0"]);
    // Any load is more than none.
    assert_eq!(held("0.0"), Vec::<String>::new());
}

#[test]
fn a_source_that_found_no_room_is_told_and_one_that_was_not_due_is_not() {
    // In the ball.
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
    // In a place beside the ball that a single grain fills.
    let said = ends_of(&fed("1000.0").replace("[0.0, 0.0, 0.3], normal", "[0.5, 0.0, 0.3], normal"));
    assert_eq!(said, ["at the end the source `feed` found no room for 90 % of what was due (grains that came: 1)"]);
    // The second grain is not wholly due yet.
    assert_eq!(
        ends_of(&fed("145.0").replace("[0.0, 0.0, 0.3], normal", "[0.5, 0.0, 0.3], normal")),
        Vec::<String>::new()
    );
}

/// A body wider than the cylinder around it would touch the cylinder all around.
#[test]
fn a_body_wider_than_the_cylinder_around_it_is_doubted() {
    let tube = |radius: f64| {
        let shape = format!("cylinder = {{ point = [0.0, 0.0, 0.0], axis = [0.0, 0.0, 1.0], radius = {radius:?} }}");
        notes(&format!("[time]\nduration = 1.0\n[[walls]]\n{shape}\n"))
    };
    let said = tube(0.095);
    assert!(said.contains("walls[1].cylinder.radius") && said.contains("body 0 has the radius 0.1"), "{said}");
    assert_eq!(tube(0.1), "");
}

#[test]
fn a_gate_that_takes_all_bodies_at_once_is_doubted() {
    let gate = |height: f64, takes: bool| {
        let shape = format!("plane = {{ point = [0.0, 0.0, {height:?}], normal = [0.0, 0.0, 1.0] }}");
        notes(&format!("[time]\nduration = 1.0\n[[gates]]\nshape.{shape}\nremove = {takes}\n"))
    };
    let said = gate(1.0, true);
    assert!(said.contains("takes away all 1 bodies before the first step") && said.contains("Reverse"), "{said}");
    assert!(!gate(0.0, true).contains("takes away") && !gate(1.0, false).contains("takes away"));
}

#[test]
fn a_body_behind_a_wall_is_told_with_the_name_of_the_wall() {
    // Outside of the tube, which has no outer side, and falls onto it from there.
    let text = format!(
        "{}[[walls]]\nname = \"tube\"\nrevolution = {{ point = [0.0, 0.0, 0.0], axis = [0.0, 0.0, 1.0], profile = [[0.5, 0.0], [0.5, 1.0]] }}\n\
         [time]\nduration = 1.0\n",
        BALL.replace("[[0.0, 0.0, 0.3]]", "[[0.65, 0.0, 0.3]]")
            .replace("radius = 0.1", "radius = 0.1\n    velocity = [-1.0, 0.0, 0.0]")
    );
    let mut simulation = made(&text);
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
    let [by_name, by_number] = ["\"large\"", "0"].map(|group| made(&text(group)));
    assert_eq!(by_name.state().position().get(49), by_number.state().position().get(49));
    let refused =
        |group: &str| Simulation::new(&Scene::parse(&text(group)).unwrap(), ".", false).unwrap_err().to_string();
    assert!(refused("\"lagre\"").contains("large"), "{}", refused("\"lagre\""));
    assert!(refused("\"small\"").contains("of a group with a `pour`"), "{}", refused("\"small\""));
}

/// A ball that rests on the floor and spins about the vertical: nothing resists twisting.
#[test]
fn a_stage_that_misses_its_end_says_what_is_left() {
    let mass = 2500.0 * 4.0 / 3.0 * std::f64::consts::PI * 0.1_f64.powi(3);
    let resting = BALL.replace("0.3]", &format!("{:.9}]", 0.1 - mass * 9.81 / 1e6));
    let spinning = resting.replace("radius = 0.1", "radius = 0.1\nspin = [0.0, 0.0, 2.0]");
    let stage = |end: &str| format!("{spinning}[[stage]]\nduration = 0.1\nend = {{ {end} }}\n");
    let said = ends_of(&stage("kinetic-energy = 1e-6"));
    // 2/5 m r² ω²/2.
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

/// A number with four significant digits.
fn rounded(value: f64) -> f64 {
    format!("{value:.3e}").parse().unwrap()
}
