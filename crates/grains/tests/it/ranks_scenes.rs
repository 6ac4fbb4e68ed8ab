//! Scenes that runs on ranks leave the same files of: together they have all kinds of laws, walls, sources, bonds and
//! measurements that ranks know, see `ranks_list`.

use crate::driven::SHEARED;
use crate::ranks_laws::{OTHER_LAWS, SPRINGS};
use crate::support::FRICTION;
use crate::turning::WHEEL;

/// Spheres of two materials and three sizes in four tiles: on a floor, between periodic sides, beside a wall that moves
/// and a cylinder that swings. The skin is thin, so that lists are made often.
const BED: &str = r#"
    title = "bed"
    gravity = [1.0, 0.0, -9.0]
    integrator = "rodrigues-25"
    time = { dt = 4e-4, duration = 0.012 }
    box = { low = [0.0, 0.0, -1.0], high = [8.0, 8.0, 99.0], boundary = ["periodic", "open", "open"] }
    [contact]
    skin = 0.02
    LAWS
    [[bodies]]
    name = "low"
    place = { lattice = { origin = [0.5, 0.6, 0.49], count = [8, 8, 20], spacing = [1.0, 0.99, 0.99] } }
    material = "glass"
    radius = 0.5
    mass = 1.0
    velocity = [3.0, 0.1, -2.0]
    spin = [0.0, 9.0, 5.0]
    [[bodies]]
    place = { lattice = { origin = [0.45, 0.6, 20.26], count = [8, 8, 6], spacing = [0.98, 0.99, 0.94] } }
    material = "steel"
    radius = 0.47
    mass = 1.0
    velocity = [0.3, 0.1, 3.0]
    spin = [0.0, 9.0, 5.0]
    [[bodies]]
    place = { lattice = { origin = [0.5, 0.6, 26.0], count = [8, 8, 8], spacing = [0.99, 0.98, 0.97] } }
    material = "glass"
    radius = 0.488
    mass = 1.0
    velocity = [-3.0, 4.0, -1.0]
    spin = [0.0, 9.0, 5.0]
    [[walls]]
    material = "steel"
    plane = { point = [0.0, 0.0, 0.0], normal = [0.0, 0.0, 1.0] }
    [[walls]]
    plane = { point = [0.0, 0.1, 0.0], normal = [0.0, 1.0, 0.0], velocity = [0.2, 0.5, 0.0] }
    [[walls]]
    cylinder = { point = [4.0, 8.95, 10.39], axis = [1.0, 0.0, 0.0], radius = 0.95, outside = true }
    oscillation = { amplitude = [0.0, 0.0, 0.01], frequency = 50.0, phase = 0.2 }
    [output]
    series = { steps = 3 }
    contacts = { steps = 20 }
    frames = { steps = 15 }
    checkpoints = { steps = 7 }
"#;

/// The bed with these laws.
pub(crate) fn bed(laws: &str) -> String {
    BED.replace("LAWS", laws)
}

/// A lower bed of two tiles, whose border cuts through the steel. Fewer steps, with two lists or more; neither
/// contacts nor frames.
pub(crate) fn low_bed(laws: &str) -> String {
    let often = "series = { steps = 3 }\n    contacts = { steps = 20 }\n    frames = { steps = 15 }\n    \
                 checkpoints = { steps = 7 }";
    let lower = [
        ("8, 20]", "8, 10]"),
        ("20.26", "10.36"),
        ("26.0", "16.1"),
        ("0.012", "0.0056"),
        (often, "series = { steps = 7 }\n    checkpoints = { steps = 10 }"),
    ];
    lower.into_iter().fold(bed(laws), |text, (from, to)| text.replacen(from, to, 1))
}

/// The low bed with friction springs and these tables before its walls.
pub(crate) fn bed_with(tables: &str) -> String {
    low_bed(SPRINGS).replacen("    [[walls]]", &format!("    {tables}\n    [[walls]]"), 1)
}

/// Returns the scene with contacts and frames beside the time series.
fn with_frames(text: &str) -> String {
    let series = "series = { steps = 7 }";
    assert!(text.contains(series));
    text.replace(series, &format!("{series}\n    contacts = {{ steps = 7 }}\n    frames = {{ steps = 7 }}"))
}

/// A scene and what it has.
pub(crate) type Named = (&'static str, String);

/// All laws, and all maps.
pub(crate) fn laws() -> Vec<Named> {
    let maps = ["rodrigues-25", "rodrigues-23", "verlet"].into_iter().cycle();
    let scene = |((name, laws), map): (_, &str)| (name, low_bed(laws).replace("rodrigues-25", map));
    OTHER_LAWS.into_iter().zip(maps).map(scene).collect()
}

/// All shapes and motions of walls.
pub(crate) fn walls() -> Vec<Named> {
    let of_shapes = r#"    [[walls]]
    plane = { point = [8.0, 0.0, 0.0], normal = [-1.0, 0.0, 0.0], spin = [0.0, 0.1, 0.0], pivot = [8.0, 0.0, 9.0] }
    [[walls]]
    box = { low = [-9.0, -0.1, -9.0], high = [19.0, 9.0, 99.0], without = ["-x", "+x"] }
    [[walls]]
    box = { low = [-0.01, 0.0, 0.0], high = [8.01, 9.0, 9.0], without = ["-y", "+y", "-z", "+z"] }
    [[walls]]
    [walls.cylinder]
    point = [-0.945, 0.0, 18.04]
    axis = [0.0, 1.0, 0.0]
    radius = 0.95
    outside = true
    velocity = [0.1, 0.0, 0.0]
    spin = [0.0, 3.0, 0.0]
    pivot = [-0.945, 2.0, 18.04]
    [[walls]]
    [walls.revolution]
    point = [3.5, 8.98, 10.0]
    axis = [0.0, 0.0, 1.0]
    profile = [[0.98, 5.0], [0.98, 0.0]]
    velocity = [0.0, -0.1, 0.0]
    spin = [0.0, 0.0, 2.0]
    pivot = [3.5, 8.98, 0.0]
    [[walls]]
    stl = { path = "sheet.stl", scale = 8.0, point = [0.0, 0.0, 0.0], join = 1e-6 }
    surface-velocity = [1.0, 0.0, 0.0]
    [[walls]]
    stl = { path = "sheet.stl", scale = 8.0, point = [0.0, 0.0, -0.01] }
    table = { positions = [[0.0, 0.0, 0.0, 0.0], [0.01, 0.0, 0.0, 0.02]] }
    turn = { axis = [1.0, 0.0, 0.0], table = { angles = [[0.0, 0.0], [0.01, 1e-3]] } }
    [[walls]]
    stl = { path = "container.stl", scale = 1200.0, point = [-8.0, -20.0, 0.0], inside = true }
    [[walls]]
    table = { velocities = [[0.0, 0.0, 0.0, 0.0], [0.01, 0.0, 0.0, -9.0]] }
    [walls.turn]
    axis = [0.0, 2.0, 0.0]
    oscillation = { amplitude = 0.02, frequency = 60.0, phase = 0.4 }
    table = { rates = [[0.0, 0.0], [0.01, -2.0]] }
    [walls.stl]
    path = "gear0.stl"
    closed = true
    point = [4.0, 4.0, 25.32]
    velocity = [0.0, 0.0, -3.0]
    spin = [0.0, 6.0, 0.0]
    pivot = [4.0, 4.0, 25.32]
    [output]"#;
    let of_shapes = low_bed(SPRINGS)
        .replace("    [output]", of_shapes)
        .replace("low = [0.0, 0.0, -1.0], high = [8.0, 8.0, 99.0]", "low = [-9.0, 0.0, -1.0], high = [19.0, 9.0, 99.0]")
        .replace("\"periodic\", \"open\"", "\"closed\", \"open\"")
        .replace("    integrator", "    blocked = [\"spin-x\"]\n    integrator")
        // The upper two groups of grains pass through it, to the side of a box.
        .replace(
            "    plane = { point = [0.0, 0.1, 0.0]",
            "    groups = [\"low\"]\n    plane = { point = [0.0, 0.1, 0.0]",
        );
    let by_loads = r#"    [[walls]]
    name = "lid"
    plane = { point = [0.0, 0.0, 23.37], normal = [0.0, 0.0, -1.0] }
    servo = { pressure = [[0.0, 40.0], [0.01, 60.0]], area = 64.0, speed = 0.3, response = 0.01, direction = [0.0, 0.0, -1.0] }
    [[walls]]
    plane = { point = [0.0, 8.04, 0.0], normal = [0.0, -1.0, 0.0] }
    servo = { force = 900.0, mass = 30.0 }
    [output]"#;
    let by_loads = low_bed(SPRINGS)
        .replace("    [output]", by_loads)
        .replace(", velocity = [0.2, 0.5, 0.0] }", " }\n    servo = { force = 90.0, speed = 0.6 }");
    vec![("shapes", with_frames(&of_shapes)), ("loads", by_loads)]
}

/// Two blocks, each a tile, and the border of tiles amid what comes between them: from sources of all kinds, past gates
/// of all kinds.
pub(crate) const STREAMS: &str = r#"
    gravity = [0.0, 0.0, -9.0]
    integrator = "verlet"
    time = { dt = 4e-4, duration = 0.01 }
    [contact]
    skin = 0.02
    normal = { hooke = { stiffness = 2e4 } }
    damping = { restitution = 0.7 }
    tangential = { friction-spring = { stiffness = 6e3, friction = 0.3 } }
    pairs = [{ between = ["other", "steel"] }]
    [[bodies]]
    place = { lattice = { origin = [0.5, 0.5, 0.5], count = [8, 8, 10], spacing = [0.99, 0.99, 0.99] } }
    radius = 0.5
    mass = 1.0
    velocity = [1.0, 0.0, -6.0]
    [[bodies]]
    place = { lattice = { origin = [12.5, 0.5, 0.5], count = [8, 8, 10], spacing = [0.99, 0.99, 0.99] } }
    radius = 0.5
    mass = 1.0
    velocity = [-1.0, 0.0, -6.0]
    [[sources]]
    name = "feed"
    region = { box = { low = [8.2, 0.0, 0.0], high = [11.8, 8.0, 4.0] } }
    rate = { mass = 9e4 }
    total = { fraction = 0.2 }
    every = { time = 0.0016 }
    sizes = { uniform = { low = 0.2, high = 0.4 } }
    density = 2.0
    velocity = [20.0, 9.0, -9.0]
    spin = [0.0, 0.0, 9.0]
    material = "steel"
    seed = 3
    [[sources]]
    region = { cylinder = { point = [10.0, 4.0, 4.5], axis = [0.0, 0.0, 2.0], radius = 1.5 } }
    rate = { fraction = 60.0 }
    total = { count = 12 }
    every = { steps = 4 }
    sizes = { radius = 0.3 }
    density = 2.0
    velocity = [-20.0, 0.0, 0.0]
    [[sources]]
    region = { disc = { point = [10.0, 4.0, 8.0], normal = [0.0, 0.0, 1.0], radius = 1.7 } }
    rate = { count = 2500.0 }
    total = { mass = 9.0 }
    every = { steps = 4 }
    sizes = { radius = 0.3 }
    density = 2.0
    velocity = [-20.0, 0.0, 0.0]
    [[sources]]
    rate = { count = 4000.0 }
    every = { steps = 4 }
    sizes = { radius = 0.3 }
    density = 2.0
    velocity = [20.0, 0.0, 0.0]
    [sources.region.faces]
    path = "container.stl"
    scale = 150.0
    point = [8.5, 1.0, 10.0]
    inside = true
    facing = [0.0, 0.0, 1.0]
    angle = 0.1
    low = [8.0, 0.0, 9.0]
    high = [12.0, 8.0, 11.0]
    speed = 30.0
    [[gates]]
    name = "floor"
    shape = { plane = { point = [0.0, 0.0, 0.48], normal = [0.0, 0.0, 1.0] } }
    remove = true
    every = { steps = 6 }
    [[gates]]
    shape = { box = { low = [9.0, 0.0, 0.0], high = [11.0, 8.0, 9.0] } }
    every = { time = 0.002 }
    [[gates]]
    shape = { cylinder = { point = [2.0, 2.0, 9.0], axis = [0.0, 0.0, 3.0], radius = 1.0 } }
    remove = true
    every = { steps = 5 }
    [output]
    series = { steps = 3 }
    frames = { steps = 15 }
    checkpoints = { steps = 7 }
"#;

/// Grains of one size that come where nobody was at first.
const LATE: &str = r#"
    gravity = [0.3, 0.0, -9.0]
    integrator = "verlet"
    time = { dt = 4e-4 }
    contact = { normal = { hooke = { stiffness = 2e4 } }, damping = { restitution = 0.6 } }
    walls = [{ plane = { point = [0.0, 0.0, 0.0], normal = [0.0, 0.0, 1.0] } }]
    output = { series = { steps = 7 } }
    stage = [{ duration = 8e-4, sources = { late = "off" } }, { duration = 0.03, sources = { late = "on" } }]
    [[sources]]
    name = "late"
    region = { box = { low = [0.0, 0.0, 0.0], high = [2.0, 2.0, 1.2] } }
    total = { count = 12 }
    sizes = { radius = 0.3 }
    density = 2.0
    velocity = [0.0, 0.0, -20.0]
"#;

/// All sources and gates.
pub(crate) fn streams() -> Vec<Named> {
    vec![("streams", STREAMS.to_owned()), ("late stream", LATE.to_owned())]
}

/// All that holds bodies together beside contacts. Some bonds break. Bonds of groups are made at the start and in a
/// stage, with fragments.
pub(crate) fn bonds() -> Vec<Named> {
    let elastic = "[bonds]\n    gap = 1e-3\n    stretching = 2e3\n    shearing = 900.0\n    bending = 90.0";
    let parallel = "[bonds]\n    gap = 1e-3\n    parallel = { modulus = 2e4, stiffness-ratio = 2.5, \
                    radius-multiplier = 0.9, tensile-strength = 300.0, shear-strength = 200.0 }";
    vec![
        ("bonds by stretch", bed_with(&format!("{elastic}\n    break-stretch = 0.002\n    shear = \"decoupled\""))),
        ("bonds by force", bed_with(&format!("{elastic}\n    break-force = 30.0\n    shear = \"monotone\""))),
        ("printed bonds", bed_with(&format!("{elastic}\n    break-stretch = 0.002\n    shear = \"printed\""))),
        ("parallel bonds", with_frames(&bed_with(parallel))),
        ("bonds of groups and of a stage", cemented(elastic)),
    ]
}

/// The low bed with these bonds in its lower part, and other ones elsewhere from the second stage on.
fn cemented(bonds: &str) -> String {
    let tables = "between = [\"low\", \"low\"]\n    break-stretch = 0.002\n    [[measure]]\n    name = \"pieces\"\n    \
                  every = { steps = 7 }\n    fragments = { least-grains = 2 }";
    let stages = "[[stage]]\n    duration = 0.0028\n    [[stage]]\n    duration = 0.0028\n    \
                  [[stage.bonds]]\n    gap = 0.01\n    between = [\"low\", \"low\"]\n    bending = 50.0\n    \
                  [[stage.bonds]]\n    gap = 0.01\n    parallel = { modulus = 2e4, tensile-strength = 200.0 }\n";
    let bonds = bonds.replace("[bonds]", "[[bonds]]");
    let text = with_frames(&bed_with(&format!("{bonds}\n    {tables}")));
    format!("{}    {stages}", text.replace(", duration = 0.0056", ""))
}

/// Ties, liquid, elastic walls.
pub(crate) fn surroundings() -> Vec<Named> {
    let wet = "[liquid]\n    content = 0.02\n    surface-tension = 30.0\n    contact-angle = 0.1\n    share = 0.6\n    \
               walls = [\"floor\"]";
    // Liquid bridges to the floor follow its motion.
    let floor = "    [[walls]]\n    name = \"floor\"\n    servo = { force = 9e3, speed = 0.1 }";
    let elastic = "[[walls]]\n    elastic = { point = [0.0, 0.0, 0.05], normal = [0.0, 0.0, 1.0], \
                   stiffness = 2100.0 }\n    [output]";
    vec![
        ("ties", bed_with("[ties]\n    stiffness = 3e4")),
        ("liquid", bed_with(wet).replacen("    [[walls]]", floor, 1)),
        ("elastic walls", low_bed(SPRINGS).replace("[output]", elastic)),
    ]
}

/// Groups of fixed grains that are driven.
pub(crate) fn driven() -> Vec<Named> {
    let paddle = |name: &str, y: &str, motion: &str| {
        format!(
            "[[bodies]]\n    name = \"{name}\"\n    place = {{ lattice = {{ origin = [0.5, {y}, 23.9], \
             count = [8, 2, 1], spacing = [1.0, 0.99, 1.0] }} }}\n    material = \"steel\"\n    radius = 0.5\n    \
             fixed = true\n    {motion}\n    "
        )
    };
    let paddles = [
        paddle("swings", "0.6", "oscillation = { amplitude = [0.0, 0.02, 0.05], frequency = 40.0, phase = 0.1 }"),
        paddle("goes", "2.6", "table = { velocities = [[0.0, 0.0, 0.0, 0.0], [0.01, 0.0, 1.0, -9.0]] }"),
        paddle("turns", "6.6", "velocity = [0.0, 0.0, -9.0]\n    spin = [3.0, 0.0, 2.0]\n    pivot = [4.0, 7.1, 23.9]"),
        paddle("moves", "4.6", "table = { positions = [[0.0, 0.0, 0.0, 0.0], [0.01, 0.0, 0.0, -0.1]] }"),
    ];
    let of_few = FRICTION.replace("duration = 0.08", "duration = 0.02").replace(
        "mass = 1.0\n    velocity = [0.3, 0.1, -1.0]\n    spin = [0.0, 2.0, 1.0]",
        "fixed = true\n    oscillation = { amplitude = [0.0, 0.0, 0.01], frequency = 20.0 }",
    );
    // A loose grain rubs on the wheel.
    let wheel = WHEEL
        .replace("[1.0, -1.0, 0.0]", "[1.0, -2.125, 0.0]")
        .replace("duration = 1.0", "duration = 0.02")
        .replace("duration = 0.25", "duration = 0.01")
        .replace("series = { steps = 100 }", "series = { steps = 7 }\n    contacts = { steps = 50 }");
    vec![("driven grains", with_frames(&bed_with(&paddles.concat()))), ("few grains", of_few), ("wheel", wheel)]
}

/// All kinds of damping of all motion.
pub(crate) fn damped() -> Vec<Named> {
    let kinds = [("viscous damping", "viscous = 5.0"), ("Cundall's damping", "cundall = 0.4")];
    let with = |kind: &str| format!("    global-damping = {{ {kind} }}\n    integrator");
    kinds.map(|(what, kind)| (what, low_bed(SPRINGS).replacen("    integrator", &with(kind), 1))).into()
}

/// Periodic boxes that deform, in all ways: two tiles each.
pub(crate) fn deforming() -> Vec<Named> {
    let [sheared_along_x, along_y, along_z] = [("x", "y"), ("y", "z"), ("z", "x")]
        .map(|(along, across)| format!("shear = {{ along = \"{along}\", across = \"{across}\", rate = 9.0 }}"));
    let ways = [
        ("shear and a servo", sheared_along_x, "servo = { y = 2000.0, rate = 3.0 }"),
        ("shear and strain", along_y, "strain-rate = [2.0, -3.0, 0.0]"),
        (
            "shear and servos",
            along_z,
            "servo = { x = [[0.0, 900.0], [0.003, 1200.0]], y = 2000.0, z = 1500.0, rate = 2.0, gain = 2.0 }",
        ),
    ];
    let of = |(what, shear, more): (_, String, &str)| {
        let text = SHEARED
            .replace("shear = { along = \"x\", across = \"y\", rate = 1.0 }", &shear)
            .replace("servo = { y = 2000.0, rate = 1.0 }", more)
            .replace("[4.0, 4.0, 4.0]", "[11.0, 11.0, 11.0]")
            .replace("[4, 4, 4]", "[11, 11, 11]")
            .replace("duration = 0.4", "duration = 0.006")
            .replace("[contact]", "[contact]\n    skin = 0.02")
            .replace("mass = 1.0", "mass = 1.0\n    velocity = [2.0, -1.0, 3.0]");
        (what, text)
    };
    ways.map(of).into()
}

/// All kinds of measurements.
pub(crate) fn measures() -> Vec<Named> {
    let measures = r#"[[measure]]
    name = "all"
    every = { steps = 10 }
    samples = 3
    [[measure]]
    name = "part"
    every = { time = 0.004 }
    region = { box = { low = [1.0, 1.0, 0.5], high = [7.0, 7.0, 18.0] } }
    material = "glass"
    least-contacts = 3
    [[measure]]
    name = "round"
    every = { steps = 7 }
    region = { cylinder = { point = [1.0, 1.0, 0.2], axis = [3.0, 4.0, 15.0], radius = 2.5 } }
    [[measure]]
    name = "group"
    every = { steps = 7 }
    group = "low"
    [[measure]]
    name = "mixing"
    every = { steps = 7 }
    group = "low"
    region = { box = { low = [0.0, 0.0, 0.0], high = [8.0, 8.0, 24.0] } }
    mixing = { cells = [2, 1, 4] }
    [[measure]]
    name = "gauss"
    every = { steps = 15 }
    region = { box = { low = [0.0, 0.0, 0.0], high = [8.0, 8.0, 24.0] } }
    grid = { cells = [2, 1, 4], kernel = { gaussian = { width = 0.5 } } }
    [[measure]]
    name = "lucy"
    every = { steps = 15 }
    region = { box = { low = [0.0, 0.0, 0.0], high = [8.0, 8.0, 24.0] } }
    grid = { cells = [1, 2, 5], kernel = { lucy = { range = 1.5 } } }"#;
    let text = bed_with(measures).replace("[output]", "[output]\n    dissipation = { steps = 7 }");
    vec![("measurements", text)]
}
