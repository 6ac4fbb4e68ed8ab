//! Frames for ParaView: their parts and the places of bodies.

use std::fs;
use std::path::Path;

use dem_contact::io::{LammpsData, VtpPoints};
use grains::{ConvertOptions, Scene, Stored, convert, measure};
use rrp_geom::glam::DVec3;

use crate::refused::assert_refused;
use crate::support::{
    FRICTION, assert_survives_kills, assert_survives_kills_in, go_on, plate, simulation, start_in, whole, with,
};

/// Returns the listed files of a frame without their number, and checks that they exist.
fn parts(folder: &Path, number: usize) -> Vec<String> {
    let list = fs::read_to_string(folder.join("frames.pvd")).unwrap();
    let ending = format!("-{number:06}.vtp\"/>");
    let files = list.lines().filter_map(|line| line.split("file=\"").nth(1)?.strip_suffix(&ending));
    let mut files: Vec<String> = files.map(str::to_owned).collect();
    files.dedup();
    assert!(files.iter().all(|name| folder.join(format!("{name}-{number:06}.vtp")).exists()), "{list}");
    files
}

/// Checks that the page of columns explains the arrays of these frames.
fn assert_explained(folder: &Path, names: &[&str]) {
    let frames = grains::reference::COLUMNS.split("## Frames").nth(1).unwrap();
    let parts: Vec<&str> = frames.split("\nPart ").collect();
    for name in names {
        let bytes = fs::read(folder.join(name)).unwrap();
        let text = String::from_utf8_lossy(&bytes);
        let data = text.split("<Points>").next().unwrap();
        let part =
            parts.iter().find(|part| part.contains(&format!("`{}", name.replace(char::is_numeric, "0")))).unwrap();
        let mut arrays = data.split(" Name=\"").skip(1).map(|rest| rest.split('"').next().unwrap());
        assert!(arrays.all(|array| array == "TimeValue" || part.contains(&format!("`{array}`"))), "{name}: {data}");
    }
}

/// A pipe that is at rest, turns in the second stage, and then rests elsewhere, with bonds beside it.
const PIPE: &str = r#"
    integrator = "verlet"
    time = { dt = 1e-3 }
    contact = { normal = { hooke = { stiffness = 1000.0 } } }
    bonds = { gap = 0.1, stretching = 10.0 }
    bodies = [{ place = { list = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]] }, radius = 0.5, mass = 1.0 }]
    output = { frames = { steps = 10 }, checkpoints = { steps = 7 } }
    stage = [
        { duration = 0.03 },
        { duration = 0.02, walls.pipe.move.spin = [1.0, 0.0, 0.0] },
        { duration = 0.03, walls.pipe = "rest" },
    ]
    [[walls]]
    name = "pipe"
    revolution = { point = [0.0, 0.0, 0.0], axis = [1.0, 0.0, 0.0], profile = [[3.0, 5.0], [3.0, -5.0]] }
"#;

#[test]
fn walls_at_rest_are_written_once_and_bonds_are_a_part() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("run");
    whole(PIPE, &folder);
    let list = fs::read_to_string(folder.join("frames.pvd")).unwrap();
    let of_part = |part: usize| -> Vec<&str> {
        let lines = list.lines().filter(|line| line.contains(&format!("part=\"{part}\"")));
        lines.map(|line| line.split("file=\"").nth(1).unwrap().split('"').next().unwrap()).collect()
    };
    let numbers = |part| of_part(part).iter().map(|name| &name[name.len() - 5..name.len() - 4]).collect::<String>();
    assert_eq!([0, 3, 4].map(numbers), ["012345678", "012345678", "000044666"].map(str::to_owned));
    assert!(of_part(3)[8] == "bonds-000008.vtp" && of_part(4)[8] == "walls-at-rest-000006.vtp", "{list}");
    assert_explained(&folder, &["frames-000008.vtp", "contacts-000008.vtp", "walls-000000.vtp", "bonds-000008.vtp"]);
    assert!(of_part(4).iter().all(|name| folder.join(name).exists()));
    assert!(!folder.join("walls-at-rest-000001.vtp").exists());
    assert_survives_kills(PIPE, &[15, 45, 65], "walls that rest and turn");
}

#[test]
fn frames_show_bodies_where_the_box_has_them() {
    let home = tempfile::tempdir().unwrap();
    let fast = FRICTION.replace("velocity = [0.3, 0.1, -1.0]", "velocity = [40.0, 0.1, -1.0]");
    let [wrapped, plain] = ["[output]\nwrap = true", "[output]"].map(|output| {
        let folder = home.path().join(output.len().to_string());
        whole(&fast.replace("[output]", output), &folder);
        let data = folder.join("bodies.data");
        let left_out = convert(&folder.join("frames-000008.vtp"), &data, ConvertOptions::default()).unwrap();
        assert_eq!(left_out, ["ids and groups of its bodies"]);
        let LammpsData { bodies, kind, .. } = LammpsData::read_path(&data).unwrap();
        assert!(kind == [2; 36] && bodies.mass().iter().all(|mass| (mass - 1.0).abs() < 1e-12), "{kind:?}");
        let read = |name: &str| fs::read(folder.join(name)).unwrap();
        for (name, part) in [("contacts-000008.vtp", "normal_force"), ("walls-000008.vtp", "wall")] {
            let text = String::from_utf8_lossy(&read(name)).into_owned();
            assert!(text.contains(&format!("Name=\"{part}\"")) && text.contains("vtkZLib"), "{name}: {text}");
        }
        VtpPoints::read(&mut &read("frames-000008.vtp")[..]).unwrap().position
    });
    assert!(plain.iter().any(|place| place.x > 4.0) && wrapped.iter().all(|place| (0.0..=4.0).contains(&place.x)));
    for (wrapped, plain) in wrapped.iter().zip(&plain) {
        let shift = *plain - *wrapped;
        assert!((shift.x / 4.0 - (shift.x / 4.0).round()).abs() < 1e-12 && shift.y.abs() + shift.z.abs() < 1e-15);
    }
}

#[test]
fn frames_of_short_numbers_are_smaller_and_read_back() {
    let home = tempfile::tempdir().unwrap();
    let text = |output: &str| FRICTION.replace("[output]", &format!("[output]\n{output}"));
    let [short, long] = ["frame-numbers = \"float32\"", "frame-numbers = \"float64\""].map(|output| {
        let folder = home.path().join(&output[17..24]);
        whole(&text(output), &folder);
        let files =
            ["frames", "contacts", "walls"].map(|part| fs::read(folder.join(format!("{part}-000008.vtp"))).unwrap());
        let types = files.each_ref().map(|bytes| {
            let head = String::from_utf8_lossy(bytes);
            head.split("<Piece").nth(1).unwrap().matches("\"Float64\"").count()
        });
        let position = VtpPoints::read(&mut &files[0][..]).unwrap().position;
        (types, files.map(|bytes| bytes.len()), position)
    });
    assert!(short.0 == [0; 3] && long.0.iter().all(|&count| count > 0), "{:?} {:?}", short.0, long.0);
    println!("{:?} bytes, {:?} bytes with short numbers", long.1, short.1);
    assert!(short.1[0] < long.1[0] * 4 / 5 && short.1[1] < long.1[1] * 4 / 5);
    assert!(short.2.iter().zip(&long.2).all(|(short, long)| (*short - *long).length() < 1e-6 && short != long));
    assert_survives_kills(&text("frame-numbers = \"float32\""), &[50], "short numbers");
}

#[test]
fn frames_leave_out_what_is_not_wanted() {
    let home = tempfile::tempdir().unwrap();
    let measured = format!("{FRICTION}[[measure]]\nname = \"all\"\nevery = {{ steps = 20 }}\n");
    let run = |output: &str| {
        let folder = home.path().join(output.len().to_string());
        let text = measured.replace("[output]", &format!("[output]\n{output}"));
        whole(&text, &folder);
        folder
    };
    let all = run("");
    assert_eq!(parts(&all, 3), ["frames", "contacts", "walls"]);
    measure(&all, None, Stored::Frames).unwrap();
    let without = run("frames-without = [\"contacts\"]");
    assert_eq!(parts(&without, 3), ["frames", "walls"]);
    assert!(!without.join("contacts-000003.vtp").exists());
    let told = measure(&without, None, Stored::Frames).unwrap_err().to_string();
    assert!(told.contains("output.frames-without") && told.contains("measure checkpoints"), "{told}");
    assert_eq!(parts(&run("frames-without = [\"walls\", \"contacts\", \"bonds\"]"), 3), ["frames"]);
    let told = Scene::parse(&measured.replace("[output]", "[output]\nframes-without = [\"wall\"]")).unwrap_err();
    assert!(told.to_string().contains("walls"), "{told}");
}

/// Walls that no frame shows give no part; boxes are drawn completely.
#[test]
fn a_part_of_walls_has_something_to_show() {
    let home = tempfile::tempdir().unwrap();
    let bare = "integrator = \"verlet\"\ntime = { dt = 1e-3, duration = 0.01 }\n\
                contact = { normal = { hooke = { stiffness = 1000.0 } } }\noutput = { frames = { steps = 5 } }\n\
                bodies = [{ place = { list = [[0.0, 0.0, 0.0]] }, radius = 0.5, mass = 1.0 }]\n";
    let run = |name: &str, walls: &str| {
        let folder = home.path().join(name);
        whole(&format!("{bare}{walls}"), &folder);
        folder
    };
    assert_eq!(parts(&run("none", ""), 0), ["frames", "contacts"]);
    let pipe = "[[walls]]\nrevolution = { point = [0.0, 0.0, 0.0], axis = [1.0, 0.0, 0.0], profile = [[3.0, 5.0], [3.0, -5.0]]";
    assert_eq!(parts(&run("pipe", &format!("{pipe} }}")), 0), ["frames", "contacts", "walls-at-rest"]);
    let turning = run("turning", &format!("{pipe}, spin = [1.0, 0.0, 0.0] }}"));
    assert_eq!(parts(&turning, 0), ["frames", "contacts", "walls"]);
    let boxed = run("box", "[[walls]]\nbox = { low = [-2.0, -3.0, -4.0], high = [5.0, 6.0, 7.0], without = [\"+z\"] }");
    assert_eq!(parts(&boxed, 1), ["frames", "contacts", "walls"]);
    let corners = VtpPoints::read(&mut &fs::read(boxed.join("walls-000001.vtp")).unwrap()[..]).unwrap().position;
    assert_eq!(corners.len(), 20);
    let corner = |corner: &DVec3| [(corner.x, -2.0, 5.0), (corner.y, -3.0, 6.0), (corner.z, -4.0, 7.0)];
    let is_corner = |(value, low, high): (f64, f64, f64)| (value - low).abs() < 1e-15 || (value - high).abs() < 1e-15;
    assert!(corners.iter().all(|place| corner(place).into_iter().all(is_corner)), "{corners:?}");
}

/// A plate of two triangles at rest with forces on its faces, and a pipe that turns.
#[test]
fn faces_have_the_forces_on_them_in_each_frame() {
    let text = r#"
        integrator = "verlet"
        gravity = [0.0, 0.0, -9.0]
        time = { dt = 1e-3, duration = 0.03 }
        box = { low = [-4.0, -4.0, -4.0], high = [4.0, 4.0, 4.0], boundary = ["periodic", "open", "open"] }
        contact = { normal = { hooke = { stiffness = 1800.0 } } }
        bodies = [{ place = { list = [[0.7, 0.2, 0.095], [0.2, 0.7, 0.095]] }, radius = 0.1, mass = 1.0 }]
        output = { frames = { steps = 10 }, checkpoints = { steps = 7 }, face-forces = true }
        [[walls]]
        stl = { path = "plate.stl" }
        [[walls]]
        revolution = { point = [0.0, 0.0, 0.0], axis = [1.0, 0.0, 0.0], profile = [[3.0, 1.0], [3.0, -1.0]], spin = [1.0, 0.0, 0.0] }
    "#;
    let home = tempfile::tempdir().unwrap();
    let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
    fs::write(home.path().join("plate.stl"), plate(corners)).unwrap();
    let folder = home.path().join("whole");
    go_on(start_in(home.path(), text, &folder));
    for number in 0..4 {
        assert_eq!(parts(&folder, number), ["frames", "contacts", "walls"]);
    }
    assert_explained(&folder, &["walls-000003.vtp"]);
    let bytes = fs::read(folder.join("walls-000003.vtp")).unwrap();
    let head = String::from_utf8_lossy(&bytes);
    assert!(["force", "pressure", "shear"].iter().all(|name| head.contains(&format!("Name=\"{name}\""))), "{head}");
    assert_survives_kills_in(home.path(), text, &[15], "forces on faces");
}

#[test]
fn parts_of_frames_are_refused_where_there_are_no_frames() {
    let text = with(PIPE, "frames = { steps = 10 }, checkpoints = { steps = 7 }", "PLAN");
    let frames = "frames = { time = 0.01 }, face-forces = true, frames-without = [\"contacts\"]";
    simulation(&text.replace("PLAN", frames));
    let table = r#"
        PLAN => face-forces = true | output.face-forces | add `frames`
        PLAN => frames = { time = 0.01 }, face-forces = true, frames-without = ["walls"]
            | output.face-forces | add `frames`
        PLAN => frames-without = ["contacts"] | output.frames-without | add `frames`
    "#;
    assert_refused(&text, table);
}
