//! `[[measure]]`: tables of measurements, and measurements of stored checkpoints.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use grains::{Run, Scene, Simulation, Stored, measure};

use crate::support::{FRICTION, assert_survives_a_kill, results, start, whole};

/// Means of all, means of a part, and fields.
const MEASURES: &str = r#"
    [[measure]]
    name = "all"
    every = { steps = 4 }
    [[measure]]
    name = "low"
    region = { box = { low = [0.0, 0.1, 0.0], high = [4.0, 4.0, 1.0] } }
    material = "glass"
    least-contacts = 3
    every = { time = 5e-3 }
    [[measure]]
    name = "fields"
    region = { box = { low = [0.0, -4.0, -4.0], high = [4.0, 7.2, 6.8] } }
    grid = { cells = [10, 28, 27], kernel = { gaussian = { width = 0.5 } } }
    every = { steps = 80 }
"#;

/// A grain without weight between two plates that are closer than it is thick.
const PRESSED: &str = r#"
    integrator = "verlet"
    time = { dt = 1e-4, duration = 1e-3 }
    [contact]
    normal = { hooke = { stiffness = 1e4 } }
    [[bodies]]
    place = { list = [[0.0, 0.0, 0.49]] }
    radius = 0.5
    mass = 1.0
    [[walls]]
    plane = { point = [0.0, 0.0, 0.0], normal = [0.0, 0.0, 1.0] }
    [[walls]]
    plane = { point = [0.0, 0.0, 0.98], normal = [0.0, 0.0, -1.0] }
    [output]
    series = { steps = 5 }
    [[measure]]
    name = "press"
    region = { box = { low = [-1.0, -0.5, 0.0], high = [1.0, 0.5, 0.98] } }
    every = { steps = 5 }
"#;

/// A table: its columns and its rows.
fn table(folder: &Path, name: &str) -> (Vec<String>, Vec<Vec<String>>) {
    let text = std::fs::read_to_string(folder.join(name)).unwrap();
    let mut lines = text.lines().map(|line| line.split(',').map(str::to_owned).collect());
    (lines.next().unwrap(), lines.collect())
}

fn value((names, _): &(Vec<String>, Vec<Vec<String>>), row: &[String], name: &str) -> f64 {
    row[names.iter().position(|known| known == name).unwrap()].parse().unwrap()
}

#[test]
fn kills_between_measurements_change_no_byte() {
    // Few cells: each of them is written as a row.
    let text = format!("{FRICTION}{MEASURES}").replace("[10, 28, 27]", "[2, 7, 7]");
    for step in [1, 80, 81, 133] {
        assert_survives_a_kill(&text, step, &format!("after {step} steps"));
    }
}

#[test]
fn measuring_changes_no_other_result() {
    let home = tempfile::tempdir().unwrap();
    let [with, without] = ["with", "without"].map(|name| home.path().join(name));
    whole(&format!("{FRICTION}{MEASURES}"), &with);
    whole(FRICTION, &without);
    let others = |folder: &Path| {
        let kept = |name: &str| !name.starts_with("measure-") && !name.ends_with(".grains") && name != "columns.json";
        results(folder).into_iter().filter(|(name, _)| kept(name)).collect::<Vec<_>>()
    };
    assert!(others(&with) == others(&without));
    let all = table(&with, "measure-all.csv");
    // 160 steps, one row in four, and the first one.
    assert_eq!(all.1.len(), 41);
    assert!(all.1.iter().all(|row| row[2] == "36" && row[4].is_empty()), "the box is open: {:?}", all.1[0]);
    let fields = table(&with, "measure-fields.csv");
    assert_eq!(fields.1.len(), 3 * 10 * 28 * 27);
    let mass: f64 = fields.1[..10 * 28 * 27].iter().map(|row| value(&fields, row, "density") * 0.4_f64.powi(3)).sum();
    assert!((mass - 36.0).abs() < 36e-8, "{mass}");
    let low = table(&with, "measure-low.csv");
    let filled = value(&low, &low.1[0], "solid_fraction");
    assert!((0.3..0.7).contains(&filled), "{filled}");
    // Measurements of the last checkpoint equal the last rows that the run has written.
    let again = measure(&with, None, Stored::Checkpoints).unwrap();
    let last = |name: &str| std::fs::read_to_string(with.join(name)).unwrap().lines().last().unwrap().to_owned();
    for name in ["measure-all.csv", "measure-low.csv", "measure-fields.csv"] {
        let last = last(name);
        assert!(again.lines().any(|line| line == last), "{name}");
    }
    let other = home.path().join("other.toml");
    std::fs::write(&other, PRESSED).unwrap();
    assert!(measure(&with, Some(&other), Stored::Checkpoints).unwrap().starts_with("# press\nstep,time,grains,"));
    assert!(measure(&without, None, Stored::Checkpoints).unwrap_err().to_string().contains("measure"));
}

/// Frames are of other times than most rows. Where they are of the same, they give the same numbers to rounding.
#[test]
fn frames_are_measured_as_the_run_was() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("run");
    let named = "[[bodies]]\n    name = \"crowd\"";
    let of_group = "name = \"low\"\n    group = \"crowd\"";
    let text = format!("{FRICTION}{MEASURES}").replace("[[bodies]]", named).replace("name = \"low\"", of_group);
    whole(&text, &folder);
    let again = measure(&folder, None, Stored::Frames).unwrap();
    for (name, of_frames) in ["all", "low", "fields"].into_iter().zip(again.split("# ").skip(1)) {
        let (names, rows) = table(&folder, &format!("measure-{name}.csv"));
        let mut lines = of_frames.trim().lines();
        assert_eq!((lines.next(), lines.next().unwrap()), (Some(name), names.join(",").as_str()));
        let mut same = 0;
        // By time, and by place where there are fields.
        let key = |row: &[&str]| row[1..if name == "fields" { 5 } else { 2 }].join(",");
        let rows: HashMap<String, Vec<String>> =
            rows.into_iter().map(|row| (key(&row.iter().map(String::as_str).collect::<Vec<_>>()), row)).collect();
        for line in lines {
            let found: Vec<&str> = line.split(',').collect();
            let Some(row) = rows.get(&key(&found)) else { continue };
            same += 1;
            let scale = row[2..].iter().filter_map(|word| word.parse::<f64>().ok()).map(f64::abs).fold(0.0, f64::max);
            for (found, expected) in found[2..].iter().zip(&row[2..]) {
                let near = || {
                    let [one, other] = [*found, expected.as_str()].map(|word| word.parse::<f64>().unwrap());
                    (one - other).abs() <= 1e-12 * scale
                };
                assert!(found == expected || near(), "{name} at {}: {found} {expected}", row[1]);
            }
        }
        // Frames are written every 20 steps of 160.
        assert!(same >= 9 || name == "fields" && same == 3 * 10 * 28 * 27, "{name}: {same}");
    }
    // No frame takes the time of another one whose time cannot be read.
    let list = fs::read_to_string(folder.join("frames.pvd")).unwrap();
    fs::write(folder.join("frames.pvd"), list.replacen("timestep=\"", "timestep=\"x", 1)).unwrap();
    let error = measure(&folder, None, Stored::Frames).unwrap_err().to_string();
    assert!(error.contains("frames.pvd") && error.contains("timestep"), "{error}");
}

#[test]
fn the_stress_between_plates_is_their_force_over_the_area() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("run");
    whole(PRESSED, &folder);
    let series = table(&folder, "series.csv");
    let press = table(&folder, "measure-press.csv");
    assert_eq!((series.1.len(), press.1.len()), (3, 3));
    for (force, row) in series.1.iter().zip(&press.1) {
        let stress = value(&press, row, "contact_zz");
        assert!((stress - 50.0).abs() < 1e-9, "{row:?}");
        // The load of a wall is known from the first step on.
        let load = if row[0] == "0" { 100.0 } else { value(&series, force, "wall1_fz") };
        assert!((stress - load / 2.0).abs() < 1e-9, "{row:?} {force:?}");
    }
}

/// Σ F lᵀ over the branch vectors l of `contacts.csv` is the virial that is measured, of walls and images too. A
/// cylinder around all has the same one.
#[test]
fn branch_vectors_and_cylinders_have_the_measured_stress() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("run");
    let wide = "box = { low = [-1.5, -0.5, -9.0], high = [1.5, 0.5, 9.0], \
                boundary = [\"periodic\", \"open\", \"open\"] }\n    integrator";
    let two = "place = { list = [[1.2, 0.0, 0.49]] }\n    radius = 0.5\n    mass = 1.0\n    [[bodies]]\n    \
               place = { list = [[-0.84, 0.02, 0.52]] }\n    radius = 0.47";
    let round = "[[measure]]\n    name = \"round\"\n    every = { steps = 5 }\n    \
                 region = { cylinder = { point = [1.6, 0.0, 0.0], axis = [0.0, 0.0, 0.98], radius = 1.2 } }\n";
    let text = PRESSED.replacen("integrator", wide, 1).replace("series = { steps = 5 }", "contacts = { steps = 5 }");
    let text = text.replace("place = { list = [[0.0, 0.0, 0.49]] }\n    radius = 0.5", two);
    let text = text.replace("low = [-1.0, -0.5, 0.0], high = [1.0,", "low = [-1.5, -0.5, 0.0], high = [1.5,");
    whole(&format!("{text}    {round}"), &folder);
    let contacts = table(&folder, "contacts.csv");
    let [press, round] = ["measure-press.csv", "measure-round.csv"].map(|name| table(&folder, name));
    assert!(contacts.1.iter().filter(|row| row[0] == "10").count() >= 4, "{contacts:?}");
    for (row, of_round) in press.1.iter().zip(&round.1) {
        for (i, along) in ["x", "y", "z"].into_iter().enumerate() {
            for direction in ["x", "y", "z"] {
                let virial = |contact: &Vec<String>| {
                    let of = |name: &str| value(&contacts, contact, name);
                    let normal = of("normal_force") * of(["nx", "ny", "nz"][i]);
                    (normal + of(&format!("tangential_f{along}"))) * of(&format!("branch_{direction}"))
                };
                let sum: f64 = contacts.1.iter().filter(|contact| contact[0] == row[0]).map(virial).sum();
                let [measured, in_round] = [(&press, row), (&round, of_round)].map(|(table, row)| {
                    value(table, row, &format!("contact_{along}{direction}")) * value(table, row, "volume")
                });
                assert!((sum - measured).abs() < 1e-9, "{along}{direction}: {sum} {measured}");
                assert!((sum - in_round).abs() < 1e-9, "{along}{direction}: {sum} {in_round}");
            }
        }
        let solid = [(&press, row), (&round, of_round)]
            .map(|(table, row)| value(table, row, "solid_fraction") * value(table, row, "volume"));
        assert!((solid[0] - solid[1]).abs() < 1e-9, "{solid:?}");
    }
}

#[test]
fn measurements_without_meaning_are_refused_with_their_key() {
    let refusal = |from: &str, to: &str| {
        assert!(PRESSED.contains(from), "{from}");
        let scene = Scene::parse(&PRESSED.replacen(from, to, 1));
        scene.and_then(|scene| Simulation::new(&scene, ".", false)).unwrap_err().to_string()
    };
    let name = "name = \"press\"";
    let last = "every = { steps = 5 }\n";
    let every = "region = { box = { low = [-1.0, -0.5, 0.0], high = [1.0, 0.5, 0.98] } }\n    every = { steps = 5 }\n";
    let cylinder = |radius: &str| {
        format!("region = {{ cylinder = {{ point = [0.0, 0.0, 0.0], axis = [0.0, 0.0, 1.0], radius = {radius} }} }}")
    };
    let grid = format!(
        "{}\n    every = {{ steps = 5 }}\n    \
         grid = {{ cells = [1, 1, 1], kernel = {{ lucy = {{ range = 1.0 }} }} }}\n",
        cylinder("1.0")
    );
    let cylinder = format!("{}\n    every = {{ steps = 5 }}\n", cylinder("-1.0"));
    for (from, to, key) in [
        (name, "name = \"a/b\"", "measure[0].name"),
        (name, "name = \"\"", "measure[0].name"),
        (name, "name = \"press\"\n    material = \"steel\"", "measure[0].material"),
        (name, "name = \"press\"\n    group = \"plate\"", "measure[0].group"),
        ("high = [1.0, 0.5, 0.98]", "high = [1.0, -0.5, 0.98]", "measure[0].region.box.high"),
        ("high = [1.0, 0.5, 0.98]", "high = [1.0, nan, 0.98]", "measure[0].region.box.high"),
        (every, "every = { steps = 0 }\n", "measure[0].every.steps"),
        (every, &cylinder, "measure[0].region.cylinder.radius"),
        (every, &grid, "measure[0].grid"),
        (every, "every = { steps = 5 }\n    regoin = {}\n", "region"),
        (
            every,
            "every = { steps = 5 }\n    grid = { cells = [1, 1, 1], kernel = { lucy = { range = 1.0 } } }\n",
            "measure[0].grid",
        ),
        (
            last,
            "every = { steps = 5 }\n    grid = { cells = [1, 0, 1], kernel = { lucy = { range = 1.0 } } }\n",
            "measure[0].grid.cells",
        ),
        (
            last,
            "every = { steps = 5 }\n    grid = { cells = [1, 1, 1], kernel = { lucy = { range = 0.0 } } }\n",
            "measure[0].grid.kernel.lucy.range",
        ),
        (
            last,
            "every = { steps = 5 }\n    grid = { cells = [20000, 10000, 1], kernel = { lucy = { range = 1.0 } } }\n",
            "measure[0].grid.cells",
        ),
        (
            last,
            "every = { steps = 5 }\n    [[measure]]\n    name = \"PRESS\"\n    every = { steps = 1 }\n",
            "measure[1].name",
        ),
    ] {
        let found = refusal(from, to);
        assert!(found.contains(key), "{to}: {found}");
    }
}

#[test]
fn tables_of_measurements_that_were_changed_are_not_continued() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("run");
    whole(PRESSED, &folder);
    std::fs::write(folder.join("measure-press.csv"), "step\n").unwrap();
    assert!(Run::resume(&folder).unwrap_err().to_string().contains("measure-press.csv"));
}

#[test]
fn a_region_that_is_empty_at_the_end_is_told() {
    let with = |low: f64| {
        let region = format!("box = {{ low = [0.0, 0.0, {low:?}], high = [4.0, 4.0, 90.0] }}");
        format!("{FRICTION}[[measure]]\nname = \"bed\"\nevery = {{ steps = 4 }}\nregion = {{ {region} }}\n")
    };
    let ends = |text: &str| {
        let home = tempfile::tempdir().unwrap();
        let mut run = start(text, &home.path().join("run"));
        run.complete().unwrap();
        run.take_ended()
    };
    assert_eq!(ends(&with(80.0)), ["at the end no grain is in the region of the measure `bed`"]);
    assert_eq!(ends(&with(0.0)), Vec::<String>::new());
}

/// A ball lies on the floor of a box.
#[test]
fn columns_are_what_the_page_says_of_box_walls() {
    let tank = |without: &str| {
        format!(
            "integrator = \"verlet\"\ngravity = [0.0, 0.0, -9.81]\ntime = {{ dt = 1e-4, duration = 1e-4 }}\n\
             contact = {{ normal = {{ hooke = {{ stiffness = 1e5 }} }} }}\n\
             bodies = [{{ place = {{ list = [[0.5, 0.5, 0.0999019]] }}, radius = 0.1, mass = 1.0 }}]\n\
             walls = [{{ name = \"tank\", box = {{ low = [0.0, 0.0, 0.0], high = [1.0, 1.0, 1.0], without = {without} }} }}]\n\
             output = {{ series = {{ steps = 1 }} }}\n"
        )
    };
    let rows = |text: &str, file: &str| -> Vec<HashMap<String, f64>> {
        let home = tempfile::tempdir().unwrap();
        whole(text, &home.path().join("run"));
        let text = fs::read_to_string(home.path().join("run").join(file)).unwrap();
        let mut lines = text.lines().map(|line| line.split(',').map(str::to_owned).collect::<Vec<_>>());
        let header = lines.next().unwrap();
        let named = |row: Vec<String>| -> HashMap<String, f64> {
            let fields = header.iter().cloned().zip(row);
            fields.filter_map(|(name, value)| Some((name, value.parse().ok()?))).collect()
        };
        lines.map(named).collect()
    };
    for (without, floor, sides) in [("[]", "tank4_fz", 6), (r#"["-x", "+x"]"#, "tank2_fz", 4)] {
        // Explicit steps know no force on a wall before the first of them.
        let rows = rows(&tank(without), "series.csv");
        let row = rows.last().unwrap();
        assert!((row[floor] + 9.81).abs() < 1e-6, "{row:?}");
        assert_eq!(row.keys().filter(|name| name.starts_with("tank") && name.ends_with("_fx")).count(), sides);
    }
    let sheared = "integrator = \"verlet\"\ntime = { dt = 1e-4, duration = 1e-4 }\n\
        contact = { normal = { hooke = { stiffness = 1e5 } } }\n\
        bodies = [{ place = { list = [[0.5, 0.5, 0.25], [0.5, 0.5, 0.75]] }, radius = 0.1, mass = 1.0 }]\n\
        box = { low = [0.0, 0.0, 0.0], high = [1.0, 1.0, 1.0], boundary = [\"periodic\", \"periodic\", \"periodic\"], \
        shear = { along = \"x\", across = \"z\", rate = 2.0 } }\n\
        measure = [{ name = \"all\", every = { steps = 1 } }]\n";
    // The box rests before the first step. Then its flow is 2/s times the height: 1/2 m/s and 3/2 m/s.
    let sheared = rows(sheared, "measure-all.csv");
    assert!(sheared[0]["vx"].abs() < 1e-12 && sheared[0]["temperature"].abs() < 1e-12, "{:?}", sheared[0]);
    let row = &sheared[1];
    assert!((row["vx"] + 1.0).abs() < 1e-9 && (row["temperature"] - 0.25 / 3.0).abs() < 1e-9, "{row:?}");
}
