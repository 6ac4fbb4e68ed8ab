//! Frames for ParaView: their parts, and where they show bodies.

use std::fs;
use std::path::Path;

use dem_contact::io::{LammpsData, VtpPoints};
use grains::{ConvertOptions, convert};

use crate::support::{FRICTION, assert_survives_a_kill, whole};

/// Checks that the page of columns explains the arrays of points and lines in each of these frames.
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

/// A pipe that is at rest, turns in the second stage, and rests again elsewhere, beside bonds.
#[test]
fn walls_at_rest_are_written_once_and_bonds_are_a_part() {
    let home = tempfile::tempdir().unwrap();
    let text = r#"
        integrator = "verlet"
        time = { dt = 1e-3 }
        contact = { normal = { hooke = { stiffness = 1000.0 } } }
        bonds = { gap = 0.1, stretching = 10.0 }
        [[bodies]]
        place = { list = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]] }
        radius = 0.5
        mass = 1.0
        [[walls]]
        name = "pipe"
        revolution = { point = [0.0, 0.0, 0.0], axis = [1.0, 0.0, 0.0], profile = [[3.0, 5.0], [3.0, -5.0]] }
        [output]
        frames = { steps = 10 }
        checkpoints = { steps = 7 }
        [[stage]]
        duration = 0.03
        [[stage]]
        duration = 0.02
        walls.pipe.move.spin = [1.0, 0.0, 0.0]
        [[stage]]
        duration = 0.03
        walls.pipe = "rest"
    "#;
    let folder = home.path().join("run");
    whole(text, &folder);
    let list = fs::read_to_string(folder.join("frames.pvd")).unwrap();
    let of_part = |part: usize| {
        let lines = list.lines().filter(|line| line.contains(&format!("part=\"{part}\"")));
        lines
            .map(|line| line.split("file=\"").nth(1).unwrap().split('"').next().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    let numbers =
        |part| of_part(part).iter().map(|name| name[name.len() - 5..name.len() - 4].to_owned()).collect::<String>();
    // Nine frames; the third stage begins with the sixth.
    assert_eq!([0, 3, 4].map(numbers), ["012345678", "012345678", "000044666"].map(str::to_owned));
    assert!(of_part(3)[8] == "bonds-000008.vtp" && of_part(4)[8] == "walls-at-rest-000006.vtp", "{list}");
    assert_explained(&folder, &["frames-000008.vtp", "contacts-000008.vtp", "walls-000000.vtp", "bonds-000008.vtp"]);
    assert!(of_part(4).iter().all(|name| folder.join(name).exists()));
    assert!(!folder.join("walls-at-rest-000001.vtp").exists());
    for steps in [15, 45, 65] {
        assert_survives_a_kill(text, steps, &format!("after {steps} steps"));
    }
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
        // Glass is the second material of the scene.
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
