//! `[[measure]]`: tables of measurements, and measurements of stored states.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use grains::{Run, Stored, measure};

use crate::refused::assert_refused;
use crate::support::{FRICTION, results, start, whole};
use crate::table::Table;

/// Means of all grains, means of some, and fields.
pub(crate) const MEASURES: &str = r#"
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

/// A weightless grain squeezed between two plates.
const PRESSED: &str = r#"
    integrator = "verlet"
    time = { dt = 1e-4, duration = 1e-3 }
    contact = { normal = { hooke = { stiffness = 1e4 } } }
    output = { series = { steps = 5 } }
    [[bodies]]
    place = { list = [[0.0, 0.0, 0.49]] }
    radius = 0.5
    mass = 1.0
    [[walls]]
    plane = { point = [0.0, 0.0, 0.0], normal = [0.0, 0.0, 1.0] }
    [[walls]]
    plane = { point = [0.0, 0.0, 0.98], normal = [0.0, 0.0, -1.0] }
    [[measure]]
    name = "press"
    region = { box = { low = [-1.0, -0.5, 0.0], high = [1.0, 0.5, 0.98] } }
    every = { steps = 5 }
"#;

/// Frames and most rows are at different times. At equal times their numbers agree up to rounding.
#[test]
fn measuring_changes_no_other_result_and_frames_are_measured_as_the_run_was() {
    let home = tempfile::tempdir().unwrap();
    let [with, without] = ["with", "without"].map(|name| home.path().join(name));
    let plain = FRICTION.replace("[[bodies]]", "[[bodies]]\n    name = \"crowd\"");
    let measures = MEASURES.replace("name = \"low\"", "name = \"low\"\n    group = \"crowd\"");
    whole(&format!("{plain}{measures}"), &with);
    whole(&plain, &without);
    let others = |folder: &Path| {
        let kept = |name: &str| !name.starts_with("measure-") && !name.ends_with(".grains") && name != "columns.json";
        results(folder).into_iter().filter(|(name, _)| kept(name)).collect::<Vec<_>>()
    };
    assert!(others(&with) == others(&without));
    let names = ["all", "low", "fields"];
    let tables = names.map(|name| Table::read(with.join(format!("measure-{name}.csv"))));
    let [all, low, fields] = &tables;
    // 160 steps with a row every fourth step, plus the first row.
    assert_eq!(all.rows.len(), 41);
    assert!(all.rows.iter().all(|row| row[2] == "36" && row[4].is_empty()), "the box is open: {:?}", all.rows[0]);
    assert_eq!(fields.rows.len(), 3 * 10 * 28 * 27);
    let density = fields.rows[..10 * 28 * 27].iter().map(|row| fields.value(row, "density") * 0.4_f64.powi(3));
    let mass: f64 = density.sum();
    assert!((mass - 36.0).abs() < 36e-8, "{mass}");
    let filled = low.column("solid_fraction")[0];
    assert!((0.3..0.7).contains(&filled), "{filled}");
    // Measurements of the last checkpoint equal the last rows of the run.
    let again = measure(&with, None, Stored::Checkpoints).unwrap();
    for (name, table) in names.iter().zip(&tables) {
        let last = table.rows.last().unwrap().join(",");
        assert!(again.iter().any(|of| of.name == *name && of.csv.lines().any(|line| line == last)), "{name}");
    }
    let other = home.path().join("other.toml");
    fs::write(&other, PRESSED).unwrap();
    let pressed = &measure(&with, Some(&other), Stored::Checkpoints).unwrap()[0];
    assert!(pressed.name == "press" && pressed.csv.starts_with("step,time,grains,"), "{pressed:?}");
    assert!(measure(&without, None, Stored::Checkpoints).unwrap_err().to_string().contains("measure"));
    let again = measure(&with, None, Stored::Frames).unwrap();
    for ((name, table), of_frames) in names.into_iter().zip(&tables).zip(&again) {
        let title = &of_frames.name[..];
        let of_frames = Table::of(&of_frames.csv);
        assert_eq!((title, &of_frames.names), (name, &table.names));
        // Rows are matched by time, and by place for fields.
        let key = |row: &Vec<String>| row[1..if name == "fields" { 5 } else { 2 }].join(",");
        let rows: HashMap<String, &Vec<String>> = table.rows.iter().map(|row| (key(row), row)).collect();
        let mut same = 0;
        for found in &of_frames.rows {
            let Some(row) = rows.get(&key(found)) else { continue };
            same += 1;
            let scale = row[2..].iter().filter_map(|word| word.parse::<f64>().ok()).map(f64::abs).fold(0.0, f64::max);
            for (found, expected) in found[2..].iter().zip(&row[2..]) {
                let near = || {
                    let [one, other] = [found, expected].map(|word| word.parse::<f64>().unwrap());
                    (one - other).abs() <= 1e-12 * scale
                };
                assert!(found == expected || near(), "{name} at {}: {found} {expected}", row[1]);
            }
        }
        assert!(same >= 9 || name == "fields" && same == 3 * 10 * 28 * 27, "{name}: {same}");
    }
    // A frame with an unreadable time is an error.
    let list = fs::read_to_string(with.join("frames.pvd")).unwrap();
    fs::write(with.join("frames.pvd"), list.replacen("timestep=\"", "timestep=\"x", 1)).unwrap();
    let error = measure(&with, None, Stored::Frames).unwrap_err().to_string();
    assert!(error.contains("frames.pvd") && error.contains("timestep"), "{error}");
}

#[test]
fn the_stress_between_plates_is_their_force_over_the_area() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("run");
    whole(PRESSED, &folder);
    let [series, press] = ["series.csv", "measure-press.csv"].map(|name| Table::read(folder.join(name)));
    assert_eq!((series.rows.len(), press.rows.len()), (3, 3));
    for (force, row) in series.rows.iter().zip(&press.rows) {
        let stress = press.value(row, "contact_zz");
        assert!((stress - 50.0).abs() < 1e-9, "{row:?}");
        // The load of a wall is known from the first step on.
        let load = if row[0] == "0" { 100.0 } else { series.value(force, "wall1_fz") };
        assert!((stress - load / 2.0).abs() < 1e-9, "{row:?} {force:?}");
    }
    // A run with a changed table is not continued.
    fs::write(folder.join("measure-press.csv"), "step\n").unwrap();
    assert!(Run::resume(&folder).unwrap_err().to_string().contains("measure-press.csv"));
}

/// Σ F lᵀ over the branch vectors l of `contacts.csv` equals the measured virial, including walls and images. A
/// cylinder around all grains gives the same virial.
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
    let [contacts, press, round] =
        ["contacts.csv", "measure-press.csv", "measure-round.csv"].map(|name| Table::read(folder.join(name)));
    assert!(contacts.rows.iter().filter(|row| row[0] == "10").count() >= 4, "{contacts:?}");
    for (row, of_round) in press.rows.iter().zip(&round.rows) {
        for (i, along) in ["x", "y", "z"].into_iter().enumerate() {
            for direction in ["x", "y", "z"] {
                let virial = |contact: &Vec<String>| {
                    let of = |name: &str| contacts.value(contact, name);
                    let normal = of("normal_force") * of(["nx", "ny", "nz"][i]);
                    (normal + of(&format!("tangential_f{along}"))) * of(&format!("branch_{direction}"))
                };
                let sum: f64 = contacts.rows.iter().filter(|contact| contact[0] == row[0]).map(virial).sum();
                let [measured, in_round] = [(&press, row), (&round, of_round)].map(|(table, row)| {
                    table.value(row, &format!("contact_{along}{direction}")) * table.value(row, "volume")
                });
                assert!((sum - measured).abs() < 1e-9, "{along}{direction}: {sum} {measured}");
                assert!((sum - in_round).abs() < 1e-9, "{along}{direction}: {sum} {in_round}");
            }
        }
        let solid = [(&press, row), (&round, of_round)]
            .map(|(table, row)| table.value(row, "solid_fraction") * table.value(row, "volume"));
        assert!((solid[0] - solid[1]).abs() < 1e-9, "{solid:?}");
    }
}

#[test]
fn measurements_without_meaning_are_refused_with_their_key() {
    let table = r#"
        name = "press" => name = "a/b" | measure[0].name
        name = "press" => name = "" | measure[0].name
        name = "press" => name = "press"\nmaterial = "steel" | measure[0].material
        name = "press" => name = "press"\ngroup = "plate" | measure[0].group
        high = [1.0, 0.5, 0.98] => high = [1.0, -0.5, 0.98] | measure[0].region.box.high
        high = [1.0, 0.5, 0.98] => high = [1.0, nan, 0.98] | measure[0].region.box.high
        every = { steps = 5 } => every = { steps = 0 } | measure[0].every.steps
        BOX => cylinder = { point = [0.0, 0.0, 0.0], axis = [0.0, 0.0, 1.0], radius = -1.0 }
            | measure[0].region.cylinder.radius
        BOX } => cylinder = { point = [0.0, 0.0, 0.0], axis = [0.0, 0.0, 1.0], radius = 1.0 } }\nGRID | measure[0].grid
        region = { BOX } => regoin = {} | region
        region = { BOX } => GRID | measure[0].grid
        every = { steps = 5 } => every = { steps = 5 }\ngrid = { cells = [1, 0, 1], LUCY } | measure[0].grid.cells
        every = { steps = 5 } => every = { steps = 5 }\ngrid = { cells = [1, 1, 1], kernel = { lucy = { range = 0.0 } } }
            | measure[0].grid.kernel.lucy.range
        every = { steps = 5 } => every = { steps = 5 }\ngrid = { cells = [20000, 10000, 1], LUCY } | measure[0].grid.cells
        every = { steps = 5 } => every = { steps = 5 }\n[[measure]]\nname = "PRESS"\nevery = { steps = 1 }
            | measure[1].name
    "#;
    let table = table
        .replace("GRID", "grid = { cells = [1, 1, 1], LUCY }")
        .replace("LUCY", "kernel = { lucy = { range = 1.0 } }");
    assert_refused(PRESSED, &table.replace("BOX", "box = { low = [-1.0, -0.5, 0.0], high = [1.0, 0.5, 0.98] }"));
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
        run.take_messages()
    };
    assert_eq!(ends(&with(80.0)), ["at the end no grain is in the region of the measure `bed`"]);
    assert_eq!(ends(&with(0.0)), Vec::<String>::new());
}

#[test]
fn columns_are_what_the_page_says_of_box_walls() {
    let head = "integrator = \"verlet\"\ntime = { dt = 1e-4, duration = 1e-4 }\n\
                contact = { normal = { hooke = { stiffness = 1e5 } } }\n";
    for (without, floor, sides) in [("[]", "tank4_fz", 6), (r#"["-x", "+x"]"#, "tank2_fz", 4)] {
        let series = Table::of_series(&format!(
            "{head}gravity = [0.0, 0.0, -9.81]\noutput = {{ series = {{ steps = 1 }} }}\n\
             bodies = [{{ place = {{ list = [[0.5, 0.5, 0.0999019]] }}, radius = 0.1, mass = 1.0 }}]\n\
             walls = [{{ name = \"tank\", box = {{ low = [0.0, 0.0, 0.0], high = [1.0, 1.0, 1.0], without = {without} }} }}]\n"
        ));
        // Before their first step, explicit integrators know no force on a wall.
        assert!((series.last(floor) + 9.81).abs() < 1e-6, "{series:?}");
        let is_side = |name: &&String| name.starts_with("tank") && name.ends_with("_fx");
        assert_eq!(series.names.iter().filter(is_side).count(), sides);
    }
    let home = tempfile::tempdir().unwrap();
    let sheared = format!(
        "{head}bodies = [{{ place = {{ list = [[0.5, 0.5, 0.25], [0.5, 0.5, 0.75]] }}, radius = 0.1, mass = 1.0 }}]\n\
         box = {{ low = [0.0, 0.0, 0.0], high = [1.0, 1.0, 1.0], boundary = [\"periodic\", \"periodic\", \"periodic\"], \
         shear = {{ along = \"x\", across = \"z\", rate = 2.0 }} }}\n\
         measure = [{{ name = \"all\", every = {{ steps = 1 }} }}]\n"
    );
    whole(&sheared, home.path());
    // The box is at rest before the first step. Then its flow is 2/s times the height: 1/2 m/s and 3/2 m/s.
    let all = Table::read(home.path().join("measure-all.csv"));
    let [speed, temperature] = ["vx", "temperature"].map(|name| all.column(name));
    assert!(speed[0].abs() < 1e-12 && temperature[0].abs() < 1e-12, "{all:?}");
    assert!((speed[1] + 1.0).abs() < 1e-9 && (temperature[1] - 0.25 / 3.0).abs() < 1e-9, "{all:?}");
}
