//! What readers ask of plots, pictures, pages and measurements, and what they are told.

use std::fs;
use std::path::{Path, PathBuf};

use grains::scene::units::Units;
use grains::{PictureRequest, picture, plot, report};
use grains_pages::plot::Plot;
use serde_json::Value;

use crate::show::{plots, printed, request};
use crate::support::{FRICTION, called, command, outcome, start, stop, whole, with};

const MEASURES: &str = r#"
    [[measure]]
    name = "all"
    every = { steps = 10 }
    [[measure]]
    name = "layers"
    region = { box = { low = [0.0, 0.0, 0.0], high = [4.0, 4.0, 4.0] } }
    grid = { cells = [1, 1, 8], kernel = { gaussian = { width = 0.5 } } }
    every = { steps = 80 }
"#;

/// Two grains in a drum that turns; one of them touches it.
const DRUM: &str = r#"
    gravity = [0.0, 0.0, -9.81]
    integrator = "verlet"
    time = { dt = 1e-3, duration = 0.05 }
    contact = { normal = { hooke = { stiffness = 1e3 } } }
    output = { series = { time = 0.01 }, frames = { time = 0.01 } }
    [[bodies]]
    place = { list = [[0.0, 0.0, -0.905], [0.3, 0.0, -0.7]] }
    radius = 0.1
    mass = 1.0
    [[walls]]
    name = "drum"
    cylinder = { point = [0.0, 0.0, 0.0], axis = [0.0, 1.0, 0.0], radius = 1.0, spin = [0.0, 2.0, 0.0] }
"#;

/// Makes the page of some runs, and returns its text.
fn page(runs: &[&PathBuf], home: &Path) -> String {
    let page = home.join("page.html");
    let runs = runs.iter().map(|run| (*run).clone()).collect::<Vec<_>>();
    report(&runs, &page, true).unwrap();
    fs::read_to_string(page).unwrap()
}

#[test]
fn measured_tables_are_replaced_when_that_is_asked_and_never_those_of_the_run() {
    let home = tempfile::tempdir().unwrap();
    let [run, plain, measured] = ["run", "plain", "measured"].map(|name| home.path().join(name));
    whole(&format!("{FRICTION}{MEASURES}"), &run);
    whole(FRICTION, &plain);
    let into = |folder: &Path, more: &[&str]| {
        outcome(&command().arg("measure").arg(&run).args(["--frames", "-o"]).arg(folder).args(more).output().unwrap())
    };
    assert_eq!(into(&measured, &[]).1, 0);
    let table = measured.join("measure-all.csv");
    let first = fs::read_to_string(&table).unwrap();
    fs::write(&table, "old").unwrap();
    let (said, code) = into(&measured, &[]);
    assert!(code == 2 && said.contains("measure-all.csv: there is such a file already; `--overwrite`"), "{said}");
    assert_eq!(fs::read_to_string(&table).unwrap(), "old");
    assert_eq!(into(&measured, &["--overwrite"]).1, 0);
    assert_eq!(fs::read_to_string(&table).unwrap(), first);
    let own = fs::read(run.join("measure-all.csv")).unwrap();
    let (said, code) = into(&run, &["--overwrite"]);
    assert!(code == 2 && said.contains("measure-all.csv: there is such a file already; choose another name"), "{said}");
    assert_eq!(fs::read(run.join("measure-all.csv")).unwrap(), own);
    // Columns without numbers are explained, those with numbers are not.
    let (said, _) = into(&measured, &["--overwrite"]);
    assert!(said.contains("note: all: step is empty: frames do not store the number of their step\n"), "{said}");
    assert!(said.contains("note: all: volume, solid_fraction, pressure, contact_xx,"), "{said}");
    assert!(
        said.contains("kinetic_zz are empty: an open box has no volume; give the measurement a `region`\n"),
        "{said}"
    );
    assert!(said.contains("note: all: mixing is empty: the measurement has no `mixing`\n"), "{said}");
    assert!(!said.contains("grains,") && !said.contains("note: layers: density"), "{said}");
    // A run without measurements needs a scene with some.
    let (said, code) = called!("measure", &plain);
    assert!(code == 2 && said.contains("nothing to measure") && said.contains("`--scene`"), "{said}");
}

#[test]
fn a_plot_without_columns_lists_them_with_their_units() {
    let home = tempfile::tempdir().unwrap();
    let run = home.path().join("run");
    whole(&format!("{FRICTION}{MEASURES}"), &run);
    let listed = printed(&["plot"], &[&run]);
    let has = |name: &str, unit: &str| listed.lines().any(|line| line.split_whitespace().eq([name, unit]));
    assert!(has("time", "s") && has("kinetic_translation", "J") && has("wall0_fz", "N"), "{listed}");
    assert!(has("measure-layers:density", "kg/m³") && has("contacts:gap", "m"), "{listed}");
    assert!(listed.lines().any(|line| line == "measure-all:grains"), "{listed}");
    assert!(listed.lines().any(|line| line.starts_with("measure-all:volume") && line.ends_with("(no numbers)")));
    // Each name in the list can be plotted.
    for name in ["measure-layers:density", "contacts:gap", "measure-all:grains"] {
        plot(&request(&[&run], &[name])).unwrap();
    }
    // A profile says of which time it is.
    assert!(plot(&request(&[&run], &["layers:density"])).unwrap().title.ends_with("layers:density, at 0.08 s"));
}

#[test]
fn a_picture_tells_which_frame_it_shows_and_that_there_is_none_near() {
    let home = tempfile::tempdir().unwrap();
    let run = home.path().join("run");
    whole(FRICTION, &run);
    let drawn = |name: &str, more: &[&str]| {
        let to = home.path().join(name);
        let arguments = ["picture", "--size", "300,240", "-o"];
        let (said, code) = outcome(&command().args(arguments).arg(&to).args(more).arg(&run).output().unwrap());
        assert_eq!(code, 0, "{said}");
        (said, fs::read(to).unwrap())
    };
    // Frames are 0.01 s apart.
    let (said, _) = drawn("near.png", &["--at", "0.0512"]);
    assert!(said.ends_with("near.png: the frame at 0.050 s\n") && !said.contains("note"), "{said}");
    let (said, late) = drawn("late.png", &["--at", "50"]);
    let expected = "note: there is no frame near 50 s: the frames go from 0.000 s to 0.080 s\n";
    assert!(said.starts_with(expected) && said.ends_with("the frame at 0.080 s\n"), "{said}");
    let (_, last) = drawn("last.png", &[]);
    assert!(late == last);
    // With forces grains are grey: one colour bar is enough. A column that is asked for colours them.
    let (_, forces) = drawn("forces.png", &["--forces"]);
    let (_, both) = drawn("both.png", &["--forces", "--colour", "speed"]);
    let grey = PictureRequest { colour: String::new(), size: [300, 240], forces: true, ..PictureRequest::default() };
    let to = home.path().join("grey.png");
    picture(&run, &grey, None, &to, false).unwrap();
    assert!(forces == fs::read(to).unwrap() && forces != both);
}

#[test]
fn a_page_begins_at_the_time_that_is_asked_for_and_tells_what_does_not_change() {
    let home = tempfile::tempdir().unwrap();
    let run = home.path().join("run");
    whole(FRICTION, &run);
    let to = home.path().join("late.html");
    let (said, code) = called!("report", &run, "--from", "0.02", "--until", "0.05", "-o", &to);
    assert_eq!(code, 0, "{said}");
    let text = fs::read_to_string(&to).unwrap();
    assert!(text.contains("Shown from 0.02 s until 0.05 s. Constant: "), "no note");
    let found = plots(&text);
    let over_time: Vec<&Value> = found.iter().filter(|plot| plot["x"]["label"] == "time [s]").collect();
    assert!(over_time.len() > 5);
    for plot in over_time {
        let points = plot["series"][0]["points"].as_array().unwrap();
        let times = points.iter().step_by(2).filter_map(Value::as_f64).collect::<Vec<_>>();
        let is_inside = times.iter().all(|time| (0.02..=0.05).contains(time));
        assert!(is_inside && times.len() > 10, "{}: {times:?}", plot["title"]);
    }
    // The number of grains is told, not plotted.
    assert!(text.contains("bodies 36") && found.iter().all(|plot| plot["title"] != "Grains"));
    let (said, code) = called!("report", &run, "--from", "9", "-o", home.path().join("never.html"));
    assert!(code == 2 && said.contains("series.csv: no row is between these times"), "{said}");
}

/// Where nearly all numbers are far below a peak, a linear axis would show them as a line at zero.
#[test]
fn a_peak_that_hides_the_rest_of_a_curve_makes_its_axis_logarithmic() {
    let home = tempfile::tempdir().unwrap();
    let run = home.path().join("run");
    whole(FRICTION, &run);
    let is_log = |title: &str| {
        let found = plots(&page(&[&run], home.path()));
        let plot = found.iter().find(|plot| plot["title"] == title).unwrap_or_else(|| panic!("{title}"));
        plot["y"]["log"].as_bool().unwrap()
    };
    assert!(!is_log("Kinetic energy") && !is_log("Momentum"));
    let series = run.join("series.csv");
    let text = fs::read_to_string(&series).unwrap();
    let mut lines: Vec<Vec<String>> = text.lines().map(|line| line.split(',').map(str::to_owned).collect()).collect();
    for name in ["kinetic_translation", "pz"] {
        let column = lines[0].iter().position(|known| known == name).unwrap();
        lines[3][column] = "1e9".to_owned();
    }
    let text = lines.iter().map(|line| line.join(",") + "\n").collect::<String>();
    fs::write(&series, text).unwrap();
    // Components of vectors have both signs.
    assert!(is_log("Kinetic energy") && !is_log("Momentum"));
}

#[test]
fn several_runs_share_sections_and_are_named_by_the_wall_that_differs() {
    let home = tempfile::tempdir().unwrap();
    let [slow, fast] = ["slow", "fast"].map(|name| home.path().join(name));
    whole(DRUM, &slow);
    whole(&with(DRUM, "spin = [0.0, 2.0, 0.0]", "spin = [0.0, 4.0, 0.0]"), &fast);
    let text = page(&[&slow, &fast], home.path());
    let found = plots(&text);
    let names = ["walls.drum.spin = [0.0, 2.0, 0.0]", "walls.drum.spin = [0.0, 4.0, 0.0]"];
    let series = |title: &str| {
        let plot = found.iter().find(|plot| plot["title"] == title).unwrap_or_else(|| panic!("{title}"));
        plot["series"].as_array().unwrap().iter().map(|series| series["name"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(series("drum: force of the grains: drum fz"), names);
    // Both runs are in one plot of the last frame, and both views in one section.
    assert_eq!(series("Contacts of a grain"), names);
    assert_eq!(text.matches("<h2>Grains and contacts in the last frame</h2>").count(), 1);
    assert_eq!((text.matches("<h2>Grains</h2>").count(), text.matches("<figure class=\"grains\"").count()), (1, 2));
}

/// Frames have 48 faces around a drum, in pages and pictures it has four times as many, and marks if it turns.
#[test]
fn a_drum_is_round_and_has_marks_where_it_turns() {
    let home = tempfile::tempdir().unwrap();
    let triangles = |text: &str, name: &str| {
        let run = home.path().join(name);
        whole(text, &run);
        let page = page(&[&run], home.path());
        let data = page.split_once("id=\"data-view0\">").unwrap().1.split("</script>").next().unwrap();
        let data: Value = serde_json::from_str(data).unwrap();
        data["frames"].as_array().unwrap().iter().map(|frame| frame["walls"]["triangles"].clone()).collect::<Vec<_>>()
    };
    let round = 2 * 48 * 4;
    assert_eq!(triangles(DRUM, "turning"), [round + 8; 6]);
    assert_eq!(triangles(&with(DRUM, ", spin = [0.0, 2.0, 0.0]", ""), "still"), [round; 6]);
    // A wall that begins to turn in a later stage is marked from the start.
    let staged = with(DRUM, ", spin = [0.0, 2.0, 0.0]", "")
        .replace("time = { dt = 1e-3, duration = 0.05 }", "time = { dt = 1e-3 }");
    let stages =
        "[[stage]]\nduration = 0.02\n[[stage]]\nduration = 0.02\nwalls.drum.move = { spin = [0.0, 1.0, 0.0] }\n";
    let found = triangles(&format!("{staged}\n{stages}"), "staged");
    assert!(found.len() >= 5 && found.iter().all(|count| *count == round + 8), "{found:?}");
    // So is the page of a run that has not come to that stage.
    let under_way = home.path().join("under-way");
    stop(start(&format!("{staged}\n{stages}"), &under_way), 5);
    assert!(page(&[&under_way], home.path()).contains(&format!("\"triangles\":{}", round + 8)));
}

#[test]
fn axes_and_columns_have_the_units_that_the_scene_names() {
    let home = tempfile::tempdir().unwrap();
    let run = home.path().join("run");
    let units = "units = { length = \"mm\", mass = \"g\", time = \"ms\" }\n";
    whole(&format!("{units}{DRUM}"), &run);
    let columns: Value = serde_json::from_str(&fs::read_to_string(run.join("columns.json")).unwrap()).unwrap();
    let columns_of_series = ["time", "kinetic_translation", "drum_fz", "drum_ty"];
    let named = columns_of_series.map(|column| &columns["series.csv"][column]["unit"]);
    assert_eq!(named, ["ms", "g mm²/ms²", "g mm/ms²", "g mm²/ms²"]);
    assert_eq!(columns["frames.pvd"]["spin"]["unit"], "rad/ms");
    let Plot { x, y, .. } = plot(&request(&[&run], &["kinetic_translation"])).unwrap();
    assert_eq!([&x.unit[..], &y.unit], ["ms", "g mm²/ms²"]);
    let page = page(&[&run], home.path());
    assert!(page.contains("\"timeUnit\":\"ms\"") && page.contains("\"unit\":\"mm\""));
    assert!(!page.contains("\"unit\":\"N\"") && !page.contains("\"unit\":\"m/s\""));
}

#[test]
fn units_of_si_are_written_in_other_names() {
    let units =
        |length: &str, mass: &str, time: &str| Units { length: length.into(), mass: mass.into(), time: time.into() };
    let rows = [
        (Units::default(), "kg m²/s", "kg m²/s"),
        (units("mm", "g", "s"), "Pa", "g/(mm s²)"),
        (units("mm", "g", "s"), "N m", "g mm²/s²"),
        (units("mm", "g", "s"), "W", "g mm²/s³"),
        (units("mm", "g", "s"), "N/m³", "g/(mm² s²)"),
        (units("mm", "g", "s"), "1/m", "1/mm"),
        (units("cm", "g", "s"), "", ""),
        (units("d", "m", "√(d/g)"), "m/s", "d/√(d/g)"),
        (units("d", "m", "√(d/g)"), "m²/s²", "d²/(d/g)"),
    ];
    for (units, si, named) in rows {
        assert_eq!(units.named(si), named, "{si} with {units}");
    }
}
