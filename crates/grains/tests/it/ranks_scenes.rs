//! Scenes for runs on ranks: together they have all kinds of laws, walls, sources, bonds and measurements that ranks
//! support; see `ranks_list`.

use crate::driven::SHEARED;
use crate::ranks_laws::{OTHER_LAWS, SPRINGS};
use crate::support::{FRICTION, with};
use crate::turning::WHEEL;

const BED: &str = include_str!("../data/bed.toml");

pub(crate) fn bed(laws: &str) -> String {
    with(BED, "normal = { hooke = { stiffness = 2e4 } }", laws)
}

/// A lower bed of two tiles with the border in the steel; fewer steps, but at least two lists; no contacts or frames.
pub(crate) fn low_bed(laws: &str) -> String {
    let often = "series = { steps = 3 }\ncontacts = { steps = 20 }\nframes = { steps = 15 }\n\
                 checkpoints = { steps = 7 }";
    let lower = [
        ("8, 20]", "8, 10]"),
        ("20.26", "10.36"),
        ("26.0", "16.1"),
        ("0.012", "0.0056"),
        (often, "series = { steps = 7 }\ncheckpoints = { steps = 10 }"),
    ];
    lower.into_iter().fold(bed(laws), |text, (from, to)| text.replacen(from, to, 1))
}

pub(crate) fn bed_with(tables: &str) -> String {
    low_bed(SPRINGS).replacen("[[walls]]", &format!("{tables}\n[[walls]]"), 1)
}

fn with_frames(text: &str) -> String {
    let series = "series = { steps = 7 }";
    assert!(text.contains(series));
    text.replace(series, &format!("{series}\ncontacts = {{ steps = 7 }}\nframes = {{ steps = 7 }}"))
}

/// A scene with its name.
pub(crate) type Named = (&'static str, String);

pub(crate) fn laws() -> Vec<Named> {
    let maps = ["rodrigues-25", "rodrigues-23", "verlet"].into_iter().cycle();
    let scene = |((name, laws), map): (_, &str)| (name, low_bed(laws).replace("rodrigues-25", map));
    OTHER_LAWS.into_iter().zip(maps).map(scene).collect()
}

pub(crate) fn walls() -> Vec<Named> {
    let of_shapes = r#"[[walls]]
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
        .replace("[output]", of_shapes)
        .replace("low = [0.0, 0.0, -1.0], high = [8.0, 8.0, 99.0]", "low = [-9.0, 0.0, -1.0], high = [19.0, 9.0, 99.0]")
        .replace("\"periodic\", \"open\"", "\"closed\", \"open\"")
        .replace("integrator", "blocked = [\"spin-x\"]\nintegrator")
        // The upper two groups of grains pass through the plane to the side of a box.
        .replace("plane = { point = [0.0, 0.1, 0.0]", "groups = [\"low\"]\nplane = { point = [0.0, 0.1, 0.0]");
    let by_loads = r#"[[walls]]
    name = "lid"
    plane = { point = [0.0, 0.0, 23.37], normal = [0.0, 0.0, -1.0] }
    servo = { pressure = [[0.0, 40.0], [0.01, 60.0]], area = 64.0, speed = 0.3, response = 0.01, direction = [0.0, 0.0, -1.0] }
    [[walls]]
    plane = { point = [0.0, 8.04, 0.0], normal = [0.0, -1.0, 0.0] }
    servo = { force = 900.0, mass = 30.0 }
    [output]"#;
    let by_loads = low_bed(SPRINGS)
        .replace("[output]", by_loads)
        .replace(", velocity = [0.2, 0.5, 0.0] }", " }\nservo = { force = 90.0, speed = 0.6 }");
    vec![("shapes", with_frames(&of_shapes)), ("loads", by_loads)]
}

pub(crate) const STREAMS: &str = include_str!("../data/streams.toml");

/// Grains of one size from a source whose region is empty at first.
const LATE: &str = include_str!("../data/late_stream.toml");

pub(crate) fn streams() -> Vec<Named> {
    vec![("streams", STREAMS.to_owned()), ("late stream", LATE.to_owned())]
}

/// All bonds. Some of them break. Bonds between groups are made at the start and in a stage, with fragments.
pub(crate) fn bonds() -> Vec<Named> {
    let elastic = "[bonds]\ngap = 1e-3\nstretching = 2e3\nshearing = 900.0\nbending = 90.0";
    let parallel = "[bonds]\ngap = 1e-3\nparallel = { modulus = 2e4, stiffness-ratio = 2.5, \
                    radius-multiplier = 0.9, tensile-strength = 300.0, shear-strength = 200.0 }";
    vec![
        ("bonds by stretch", bed_with(&format!("{elastic}\nbreak-stretch = 0.002\nshear = \"decoupled\""))),
        ("bonds by force", bed_with(&format!("{elastic}\nbreak-force = 30.0\nshear = \"monotone\""))),
        ("printed bonds", bed_with(&format!("{elastic}\nbreak-stretch = 0.002\nshear = \"printed\""))),
        ("parallel bonds", with_frames(&bed_with(parallel))),
        ("bonds of groups and of a stage", cemented(elastic)),
    ]
}

/// The low bed with these bonds in its lower part, and with other bonds elsewhere from the second stage on.
fn cemented(bonds: &str) -> String {
    let tables = "between = [\"low\", \"low\"]\nbreak-stretch = 0.002\n[[measure]]\nname = \"pieces\"\n\
                  every = { steps = 7 }\nfragments = { least-grains = 2 }";
    let stages = "[[stage]]\nduration = 0.0028\n[[stage]]\nduration = 0.0028\n\
                  [[stage.bonds]]\ngap = 0.01\nbetween = [\"low\", \"low\"]\nbending = 50.0\n\
                  [[stage.bonds]]\ngap = 0.01\nparallel = { modulus = 2e4, tensile-strength = 200.0 }\n";
    let bonds = bonds.replace("[bonds]", "[[bonds]]");
    let text = with_frames(&bed_with(&format!("{bonds}\n{tables}")));
    format!("{}    {stages}", text.replace(", duration = 0.0056", ""))
}

pub(crate) fn surroundings() -> Vec<Named> {
    let wet = "[liquid]\ncontent = 0.02\nsurface-tension = 30.0\ncontact-angle = 0.1\nshare = 0.6\n\
               walls = [\"floor\"]";
    let floor = "[[walls]]\nname = \"floor\"\nservo = { force = 9e3, speed = 0.1 }";
    let elastic = "[[walls]]\nelastic = { point = [0.0, 0.0, 0.05], normal = [0.0, 0.0, 1.0], \
                   stiffness = 2100.0 }\n[output]";
    vec![
        ("ties", bed_with("[ties]\nstiffness = 3e4")),
        ("liquid", bed_with(wet).replacen("[[walls]]", floor, 1)),
        ("elastic walls", low_bed(SPRINGS).replace("[output]", elastic)),
    ]
}

pub(crate) fn driven() -> Vec<Named> {
    let paddle = |name: &str, y: &str, motion: &str| {
        format!(
            "[[bodies]]\nname = \"{name}\"\nplace = {{ lattice = {{ origin = [0.5, {y}, 23.9], \
             count = [8, 2, 1], spacing = [1.0, 0.99, 1.0] }} }}\nmaterial = \"steel\"\nradius = 0.5\n\
             fixed = true\n{motion}\n"
        )
    };
    let paddles = [
        paddle("swings", "0.6", "oscillation = { amplitude = [0.0, 0.02, 0.05], frequency = 40.0, phase = 0.1 }"),
        paddle("goes", "2.6", "table = { velocities = [[0.0, 0.0, 0.0, 0.0], [0.01, 0.0, 1.0, -9.0]] }"),
        paddle("turns", "6.6", "velocity = [0.0, 0.0, -9.0]\nspin = [3.0, 0.0, 2.0]\npivot = [4.0, 7.1, 23.9]"),
        paddle("moves", "4.6", "table = { positions = [[0.0, 0.0, 0.0, 0.0], [0.01, 0.0, 0.0, -0.1]] }"),
    ];
    let of_few = FRICTION.replace("duration = 0.08", "duration = 0.02").replace(
        "mass = 1.0\n    velocity = [0.3, 0.1, -1.0]\n    spin = [0.0, 2.0, 1.0]",
        "fixed = true\noscillation = { amplitude = [0.0, 0.0, 0.01], frequency = 20.0 }",
    );
    let wheel = WHEEL
        .replace("[1.0, -1.0, 0.0]", "[1.0, -2.125, 0.0]")
        .replace("duration = 1.0", "duration = 0.02")
        .replace("duration = 0.25", "duration = 0.01")
        .replace("series = { steps = 100 }", "series = { steps = 7 }\ncontacts = { steps = 50 }");
    vec![("driven grains", with_frames(&bed_with(&paddles.concat()))), ("few grains", of_few), ("wheel", wheel)]
}

/// All kinds of global damping.
pub(crate) fn damped() -> Vec<Named> {
    let kinds = [("viscous damping", "viscous = 5.0"), ("Cundall's damping", "cundall = 0.4")];
    let with = |kind: &str| format!("global-damping = {{ {kind} }}\nintegrator");
    kinds.map(|(what, kind)| (what, low_bed(SPRINGS).replacen("integrator", &with(kind), 1))).into()
}

/// Periodic boxes with all deformations, two tiles each.
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
            .replace("[contact]", "[contact]\nskin = 0.02")
            .replace("mass = 1.0", "mass = 1.0\nvelocity = [2.0, -1.0, 3.0]");
        (what, text)
    };
    ways.map(of).into()
}

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
    let text = bed_with(measures).replace("[output]", "[output]\ndissipation = { steps = 7 }");
    vec![("measurements", text)]
}
