//! Pages and plots of servo targets, flow rates, tables of contacts, passed grains, and maps.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use grains::{plot, report};
use serde_json::Value;

use crate::driven::SHEARED;
use crate::show::{column, plots, printed, request};
use crate::support::{FRICTION, command, outcome, start, stop, whole};

fn page(run: &Path) -> String {
    let page = run.join("report.html");
    report(&[run.to_owned()], &page, false).unwrap();
    fs::read_to_string(page).unwrap()
}

/// Finds the plot with a title among the data of all plots of a page.
fn titled<'a>(plots: &'a [Value], title: &str) -> &'a Value {
    let titles = || plots.iter().map(|plot| plot["title"].as_str().unwrap()).collect::<Vec<_>>();
    plots.iter().find(|plot| plot["title"] == title).unwrap_or_else(|| panic!("{title}: {:?}", titles()))
}

fn points(series: &Value) -> Vec<(f64, f64)> {
    let numbers = series["points"].as_array().unwrap().iter().map(|value| value.as_f64().unwrap_or(f64::NAN));
    let numbers = numbers.collect::<Vec<_>>();
    numbers.as_chunks::<2>().0.iter().map(|&[x, y]| (x, y)).collect()
}

#[track_caller]
fn assert_near(one: f64, other: f64, scale: f64) {
    assert!((one - other).abs() <= 1e-6 * scale, "{one} instead of {other}");
}

/// Grains below a lid whose servo first has a constant target force, then a growing one, and is at rest at the end. The
/// first stage ends early.
const PRESSED: &str = r#"
    integrator = "verlet"
    blocked = ["x", "y", "spin-x", "spin-y", "spin-z"]
    time = { dt = 2e-5 }
    [contact]
    normal = { hooke = { stiffness = 2e4 } }
    damping = { restitution = 0.5 }
    [[bodies]]
    place = { lattice = { origin = [0.0, 0.0, 0.005], count = [1, 1, 2], spacing = [1.0, 1.0, 0.01] } }
    radius = 0.005
    density = 2500.0
    [[walls]]
    name = "floor"
    plane = { point = [0.0, 0.0, 0.0], normal = [0.0, 0.0, 1.0] }
    [[walls]]
    name = "lid"
    plane = { point = [0.0, 0.0, 0.02], normal = [0.0, 0.0, -1.0] }
    servo = { force = 10.0, speed = 0.2, response = 4e-3 }
    [output]
    series = { steps = 70 }
    [[stage]]
    duration = 0.5
    end = { servo-at-rest = 0.05 }
    [[stage]]
    duration = 0.06
    walls.lid.move = { servo = { force = [[0.0, 20.0], [0.05, 40.0]], speed = 0.2, response = 4e-3 } }
    [[stage]]
    duration = 0.02
    walls.lid = "rest"
"#;

#[test]
fn loads_of_servos_are_beside_what_was_asked() {
    let home = tempfile::tempdir().unwrap();
    let [run, boxed] = ["run", "boxed"].map(|name| home.path().join(name));
    let mut pressed = start(PRESSED, &run);
    while pressed.simulation().stage() == 0 {
        pressed.advance().unwrap();
    }
    // The last step taken began the second stage.
    let steps = pressed.simulation().steps_taken() - 1;
    pressed.complete().unwrap();
    pressed.finish().unwrap();
    let begin = steps as f64 * 2e-5;
    assert!(begin < 0.4, "the first stage did not end early");
    let expected = |time: f64| if time < begin { 10.0 } else { (20.0 + 400.0 * (time - begin)).min(40.0) };
    let drawn = plot(&request(&[&run], &["lid_fz"])).unwrap();
    let [borne, asked] = &drawn.series[..] else { panic!("{drawn:?}") };
    assert_eq!([&borne.name[..], &asked.name], ["lid fz", "lid fz, asked of the servo"]);
    let rows = column(&run, "series.csv", "time").into_iter().zip(column(&run, "series.csv", "lid_fz"));
    assert_eq!(borne.points, rows.collect::<Vec<_>>());
    assert!(asked.points.len() > 20);
    // At the start of the second stage both targets apply, at a rounded time.
    let asked_for = |(time, load): (f64, f64)| {
        let is_before = time < begin + 1e-6 && load < 15.0;
        if is_before { 10.0 } else { expected(time.max(begin)) }
    };
    for point in &asked.points {
        assert_near(point.1, asked_for(*point), 1.0);
    }
    let [(first, _), (last, _)] = [asked.points[0], asked.points[asked.points.len() - 1]];
    assert_near(first, 0.0, 1.0);
    assert_near(last, begin + 0.06, 1.0);
    // The measured force follows the target.
    let (time, force) = borne.points[borne.points.iter().rposition(|(time, _)| *time < begin + 0.059).unwrap()];
    assert!((force / expected(time) - 1.0).abs() < 0.1, "{force} at {time}");
    // A page, of one run or of several, has both curves, the target with dashes.
    let text = page(&run);
    let found = plots(&text);
    let lid = &titled(&found, "lid: force of the grains")["series"];
    assert_eq!((&lid[1]["name"], &lid[1]["colours"]), (&"lid fz, asked of the servo".into(), &lid[0]["colours"]));
    assert!(lid[0]["pattern"].is_null() && lid[1]["pattern"].is_string());
    for point in points(&lid[1]) {
        assert_near(point.1, asked_for(point), 100.0);
    }
    whole(SHEARED, &boxed);
    let both = home.path().join("both.html");
    report(&[boxed.clone(), run], &both, false).unwrap();
    let found = plots(&page(&boxed));
    let stresses = titled(&found, "Stresses of the box")["series"].as_array().unwrap();
    let asked = stresses.iter().find(|series| series["name"] == "stress y, asked of the servo").unwrap();
    assert!(points(asked).iter().all(|(_, load)| (load - 2000.0).abs() < 1e-9));
    let found = plots(&fs::read_to_string(both).unwrap());
    assert_eq!(
        titled(&found, "Stresses of the box: stress y")["series"][1]["name"],
        "boxed: stress y, asked of the servo"
    );
}

const GATE: &str = r#"
    [[gates]]
    name = "sieve"
    shape = { plane = { point = [0.0, 0.0, 1.46], normal = [0.0, 0.0, 1.0] } }
    every = { steps = 2 }
"#;

#[test]
fn flows_are_changes_of_sums_over_time_and_grains_that_passed_have_sizes() {
    let home = tempfile::tempdir().unwrap();
    let run = home.path().join("run");
    let polydisperse = FRICTION
        .replace("radius = 0.5\n    mass = 1.0", "sizes = { uniform = { low = 0.4, high = 0.5 } }\n    density = 2.0");
    whole(&format!("{polydisperse}{GATE}"), &run);
    let [times, masses, counts] = ["time", "sieve_mass", "sieve_count"].map(|name| column(&run, "series.csv", name));
    assert!(counts.last() > Some(&5.0), "{counts:?}");
    let found = plots(&page(&run));
    for (title, sums, unit) in [("sieve: mass flow", &masses, "[kg/s]"), ("sieve: flow of grains", &counts, "[1/s]")] {
        let plot = titled(&found, title);
        assert!(plot["y"]["label"].as_str().unwrap().ends_with(unit), "{plot}");
        let drawn = points(&plot["series"][0]);
        assert_eq!(drawn.len(), 2 * (times.len() - 1));
        for (k, pair) in drawn.as_chunks::<2>().0.iter().enumerate() {
            let rate = (sums[k + 1] - sums[k]) / (times[k + 1] - times[k]);
            for (drawn, time) in pair.iter().zip(&times[k..]) {
                assert_near(drawn.0, *time, 1.0);
                assert_near(drawn.1, rate, 1e4);
            }
        }
    }
    let sizes = titled(&found, "Size distribution of the grains that passed");
    let drawn = points(&sizes["series"][0]);
    let radii = column(&run, "passed.csv", "radius");
    assert_eq!((drawn.len(), &sizes["series"][0]["name"]), (2 * radii.len(), &"sieve".into()));
    assert_near(drawn[0].0, 2.0 * radii.iter().copied().fold(f64::MAX, f64::min), 1.0);
    assert_near(drawn[drawn.len() - 1].1, 100.0, 100.0);
    // All passed grains in order.
    let drawn = plot(&request(&[&run], &["passed:radius"])).unwrap();
    assert_eq!(drawn.series[0].points.iter().map(|(_, radius)| *radius).collect::<Vec<_>>(), radii);
}

#[test]
fn contacts_of_a_table_are_drawn_where_frames_have_none() {
    let home = tempfile::tempdir().unwrap();
    let run = home.path().join("run");
    whole(&FRICTION.replace("frames = { steps = 20 }", ""), &run);
    let found = plots(&page(&run));
    let last = |name: &str| {
        let times = column(&run, "contacts.csv", "time");
        let rows = (0..times.len()).filter(|&row| times[row] >= times[times.len() - 1]);
        let values = column(&run, "contacts.csv", name);
        rows.map(|row| values[row]).collect::<Vec<_>>()
    };
    let overlaps = last("gap").into_iter().map(|gap| -gap).filter(|overlap| *overlap > 0.0).collect::<Vec<_>>();
    // A distribution is drawn as bars: each has four corners, the second of them at its top.
    let bars = |title: &str| {
        let series = &titled(&found, title)["series"][0];
        assert_eq!(series["bars"], true, "{title}");
        points(series)
            .as_chunks::<4>()
            .0
            .iter()
            .map(|[_, left, right, _]| (left.0, right.0, left.1))
            .collect::<Vec<_>>()
    };
    let drawn = bars("Distribution of overlaps");
    let largest = overlaps.iter().copied().fold(0.0, f64::max);
    assert_eq!(drawn.len(), 30);
    assert_near(drawn[29].1, largest, largest);
    // All contacts are in some bar.
    let sum: f64 = drawn.iter().map(|(left, right, density)| density * (right - left)).sum();
    assert_near(sum, 1.0, 10.0);
    // The axis of normal forces is logarithmic, so that bars without height are gaps.
    let forces = points(&titled(&found, "Distribution of normal forces")["series"][0]);
    assert!(forces.iter().all(|(_, density)| density.is_nan() || *density > 0.0), "{forces:?}");
    let drawn = bars("Friction that is mobilised");
    let lengths = ["x", "y", "z"].map(|axis| last(&format!("tangential_f{axis}")));
    let tangential = |k: usize| lengths.iter().map(|forces| forces[k] * forces[k]).sum::<f64>().sqrt();
    let normal = last("normal_force");
    let ratios = (0..normal.len()).filter(|&k| normal[k] > 0.0).map(|k| tangential(k) / normal[k]);
    let largest = ratios.fold(0.0, f64::max);
    assert_near(drawn[29].1, largest, largest);
}

#[test]
fn a_measurement_may_have_the_name_of_another_table() {
    let home = tempfile::tempdir().unwrap();
    let [both, alone] = ["both", "alone"].map(|name| home.path().join(name));
    let measured = format!("{FRICTION}\n[[measure]]\nname = \"contacts\"\nevery = {{ steps = 10 }}\n");
    whole(&measured, &both);
    whole(&measured.replace("    contacts = { steps = 10 }\n", ""), &alone);
    let drawn = |run: &PathBuf, name: &str| {
        let drawn = plot(&request(&[run], &[name])).unwrap();
        drawn.series[0].points.iter().map(|(_, value)| *value).collect::<Vec<_>>()
    };
    let masses = column(&both, "measure-contacts.csv", "mass");
    assert_eq!(drawn(&both, "measure-contacts:mass"), masses);
    assert_eq!(drawn(&alone, "contacts:mass"), masses);
    assert!(!drawn(&both, "contacts:gap").is_empty());
    let elastic = column(&both, "series.csv", "elastic");
    assert_eq!(drawn(&both, "series:elastic"), elastic);
    let error = plot(&request(&[&both], &["contacts:mass"])).unwrap_err().to_string();
    assert!(error.contains("contacts.csv"), "{error}");
}

#[test]
fn maps_have_the_numbers_of_the_grid() {
    let home = tempfile::tempdir().unwrap();
    let run = home.path().join("run");
    let grid = |name: &str, cells: &str| {
        format!(
            "[[measure]]\nname = \"{name}\"\nregion = {{ box = {{ low = [0.0, 0.0, 0.0], high = [4.0, 4.0, 4.0] }} }}\n\
             grid = {{ cells = {cells}, kernel = {{ gaussian = {{ width = 0.5 }} }} }}\nevery = {{ steps = 80 }}\n"
        )
    };
    whole(
        &format!("{FRICTION}\n{}{}{}", grid("flat", "[4, 1, 8]"), grid("cube", "[4, 2, 3]"), grid("line", "[1, 1, 8]")),
        &run,
    );
    let text = page(&run);
    let maps = text.split("<script type=\"application/json\"").skip(1);
    let maps = maps.map(|text| text.split_once('>').unwrap().1.split("</script>").next().unwrap());
    let maps = maps.map(|text| serde_json::from_str::<Value>(text).unwrap());
    let maps: Vec<Value> = maps.filter(|data| data["fields"].is_array()).collect();
    let [cube, flat] = &maps[..] else { panic!("{} maps", maps.len()) };
    assert_eq!(text.matches("data-map=").count(), 2);
    assert_eq!(
        [&cube["title"], &flat["title"]],
        ["Fields over x and z, at the last time, means over y", "Fields over x and z, at the last time"]
    );
    assert_eq!((&flat["x"]["label"], flat["y"]["places"].as_array().unwrap().len()), (&"x [m]".into(), 8));
    let values = |map: &Value, label: &str| {
        let field = map["fields"].as_array().unwrap().iter().find(|field| field["label"] == label);
        let values = field.unwrap_or_else(|| panic!("{label}"))["values"].as_array().unwrap().iter();
        values.map(|value| value.as_f64().unwrap_or(f64::NAN)).collect::<Vec<_>>()
    };
    for (label, name) in [("density [kg/m³]", "density"), ("vz [m/s]", "vz"), ("contact zz [Pa]", "contact_zz")] {
        let all = column(&run, "measure-flat.csv", name);
        let drawn = values(flat, label);
        assert_eq!(drawn.len(), 32);
        for (drawn, expected) in drawn.iter().zip(&all[all.len() - 32..]) {
            assert!(
                (drawn - expected).abs() <= 1e-5 * expected.abs() || expected.is_nan() && drawn.is_nan(),
                "{name}: {drawn}"
            );
        }
    }
    // Means over the direction with the fewest cells; x varies fastest in the file.
    let all = column(&run, "measure-cube.csv", "density");
    let last = &all[all.len() - 24..];
    for (k, drawn) in values(cube, "density [kg/m³]").into_iter().enumerate() {
        let [x, z] = [k % 4, k / 4];
        let expected = 0.5 * (last[8 * z + x] + last[8 * z + 4 + x]);
        assert!((drawn - expected).abs() <= 1e-5 * expected, "{drawn} instead of {expected}");
    }
}

#[test]
fn a_page_says_what_was_run_and_goes_with_a_run_that_is_removed() {
    let home = tempfile::tempdir().unwrap();
    let [scene, run] = ["pushed.toml", "run"].map(|name| home.path().join(name));
    fs::write(&scene, FRICTION).unwrap();
    let again = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_grains"));
        command.arg("run").arg(&scene).args(["--overwrite", "--set", "time.dt=1e-3", "--output"]).arg(&run);
        let (text, code) = outcome(&command.output().unwrap());
        assert_eq!(code, 0, "{text}");
        text
    };
    assert!(!again().contains("report.html"));
    let text = page(&run);
    for said in ["The scene is pushed.toml", "time.dt=1e-3", "Its files were written within", "80 steps"] {
        assert!(text.contains(said), "{said}");
    }
    assert!(!printed(&["info"], &[&run]).contains("report"));
    // The page of a removed run would be taken for that of the new one. A file of another program stays.
    assert!(!again().contains("report.html"));
    assert!(!run.join("report.html").exists());
    fs::write(run.join("report.html"), "mine").unwrap();
    again();
    assert_eq!(fs::read_to_string(run.join("report.html")).unwrap(), "mine");
}

#[test]
fn a_run_that_goes_on_misses_a_new_page_and_a_finished_one_does_not() {
    let home = tempfile::tempdir().unwrap();
    let stopped = home.path().join("stopped");
    // A run that goes on leaves its page behind.
    stop(start(FRICTION, &stopped), 40);
    page(&stopped);
    let resumed = || outcome(&command().arg("resume").arg(&stopped).output().unwrap()).0;
    assert!(resumed().contains("report.html is older than these results; renew it with: grains report"));
    assert!(printed(&["info"], &[&stopped]).contains("grains report"));
    // A finished run that is resumed writes nothing, and its page stays as new as its results.
    page(&stopped);
    let written = || {
        let files = fs::read_dir(&stopped).unwrap().map(|entry| entry.unwrap());
        let mut times: Vec<_> =
            files.map(|file| (file.file_name(), file.metadata().unwrap().modified().unwrap())).collect();
        times.retain(|(name, _)| name != "run.lock");
        times.sort();
        times
    };
    let before = written();
    let said = resumed();
    assert!(said.contains("this run is finished") && !said.contains("report.html"), "{said}");
    assert_eq!(written(), before);
}
