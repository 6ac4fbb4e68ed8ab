//! Results for the eye: plots and pages say what the files say, and foreign text stays text.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use grains::{GrainsError, PictureRequest, PlotRequest, Run, RunOptions, film, picture, plot, report};
use serde_json::Value;

use crate::support::{FRICTION, RIGID, start, whole};

/// Measurements of all grains, and of layers.
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

/// The columns of a table in a folder of results.
pub(crate) fn column(folder: &Path, file: &str, name: &str) -> Vec<f64> {
    let text = fs::read_to_string(folder.join(file)).unwrap();
    let mut lines = text.lines();
    let index = lines.next().unwrap().split(',').position(|known| known == name).unwrap();
    lines.map(|line| line.split(',').nth(index).unwrap().parse().unwrap_or(f64::NAN)).collect()
}

/// The data of all plots of a page, without those of its views.
pub(crate) fn plots(page: &str) -> Vec<Value> {
    let scripts = page.split("<script type=\"application/json\"").skip(1);
    let text = |script: &str| script.split_once('>').unwrap().1.split("</script>").next().unwrap().to_owned();
    let data = scripts.map(|script| serde_json::from_str::<Value>(&text(script)).unwrap());
    data.filter(|data| data["series"].is_array()).collect()
}

/// Runs the command, and returns what it printed.
pub(crate) fn printed(arguments: &[&str], paths: &[&Path]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_grains")).args(arguments).args(paths).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

pub(crate) fn request(runs: &[&PathBuf], columns: &[&str]) -> PlotRequest {
    PlotRequest {
        runs: runs.iter().map(|run| (*run).clone()).collect(),
        columns: columns.iter().map(|&column| column.to_owned()).collect(),
        ..PlotRequest::default()
    }
}

#[test]
fn plots_have_the_numbers_of_the_files_with_units() {
    let home = tempfile::tempdir().unwrap();
    let [one, other] = ["one", "other"].map(|name| home.path().join(name));
    whole(&format!("{FRICTION}{MEASURES}"), &one);
    whole(&FRICTION.replace("friction = 0.5", "friction = 0.1"), &other);
    let drawn = plot(&request(&[&one], &["kinetic_translation", "elastic"])).unwrap();
    let [kinetic, elastic] = &drawn.series[..] else { panic!("{drawn:?}") };
    let times = column(&one, "series.csv", "time");
    for (series, name) in [(kinetic, "kinetic_translation"), (elastic, "elastic")] {
        let expected = times.iter().copied().zip(column(&one, "series.csv", name)).collect::<Vec<_>>();
        assert_eq!((series.points.clone(), &series.name[..]), (expected, &name.replace('_', " ")[..]));
    }
    assert_eq!([&drawn.x.unit[..], &drawn.y.unit], ["s", "J"]);
    // Two runs, a wall by its number, and one column against another.
    let drawn = plot(&request(&[&one, &other], &["wall0_fz"])).unwrap();
    assert_eq!(drawn.series.iter().map(|series| &series.name[..]).collect::<Vec<_>>(), ["one", "other"]);
    assert_eq!((&drawn.y.quantity[..], &drawn.y.unit[..]), ("wall0 fz", "N"));
    let against = PlotRequest { against: Some("contacts".into()), ..request(&[&one], &["elastic"]) };
    let abscissae = plot(&against).unwrap().series[0].points.iter().map(|(x, _)| *x).collect::<Vec<_>>();
    assert_eq!(abscissae, column(&one, "series.csv", "contacts"));
    // Between two times.
    let part = PlotRequest { from: Some(0.02), until: Some(0.05), ..request(&[&one], &["elastic"]) };
    let shown = plot(&part).unwrap().series[0].points.iter().map(|(time, _)| *time).collect::<Vec<_>>();
    let inside = times.iter().copied().filter(|time| (0.02..=0.05).contains(time)).collect::<Vec<_>>();
    assert!(shown == inside && !inside.is_empty(), "{shown:?}");
    let late = plot(&PlotRequest { from: Some(0.1), ..part }).unwrap_err().to_string();
    assert!(late.contains("series.csv: no row is between these times; its rows go from 0 to 0.0"), "{late}");
    // A profile at the last time.
    let profile = plot(&request(&[&one], &["layers:density"])).unwrap();
    let heights = profile.series[0].points.iter().map(|(z, _)| *z).collect::<Vec<_>>();
    assert_eq!(heights, [0.25, 0.75, 1.25, 1.75, 2.25, 2.75, 3.25, 3.75]);
    assert_eq!([&profile.x.quantity[..], &profile.y.unit], ["z", "kg/m³"]);
    let all = column(&one, "measure-layers.csv", "density");
    assert_eq!(profile.series[0].points.iter().map(|(_, y)| *y).collect::<Vec<_>>(), all[all.len() - 8..]);
}

#[test]
fn unknown_columns_and_foreign_folders_are_refused_with_what_there_is() {
    let home = tempfile::tempdir().unwrap();
    let run = home.path().join("run");
    whole(FRICTION, &run);
    let refused = |request: &PlotRequest| plot(request).unwrap_err().to_string();
    let said = refused(&request(&[&run], &["elastik"]));
    assert!(said.contains("did you mean `elastic`?") && said.contains("series.csv"), "{said}");
    let said = refused(&request(&[&run], &["all:pressure"]));
    assert!(said.contains("measure-all.csv") && said.contains("this run has series.csv"), "{said}");
    let empty = home.path().join("empty");
    fs::create_dir(&empty).unwrap();
    fs::write(empty.join("letter.txt"), "dear reader").unwrap();
    let error = report(std::slice::from_ref(&empty), &home.path().join("page.html"), false).unwrap_err();
    assert!(matches!(error, GrainsError::NoResults { .. }), "{error}");
    let missing = home.path().join("nowhere");
    assert!(matches!(plot(&request(&[&missing], &["time"])), Err(GrainsError::NoResults { .. })));
    assert_eq!(fs::read_dir(home.path()).unwrap().count(), 2, "nothing was written");
    // A table that was cut anywhere is read up to its last whole line.
    let series = fs::read(run.join("series.csv")).unwrap();
    fs::write(run.join("series.csv"), &series[..series.len() - 7]).unwrap();
    let rows = plot(&request(&[&run], &["elastic"])).unwrap().series[0].points.len();
    assert_eq!(rows, column(&run, "series.csv", "step").len() - 1);
    fs::write(run.join("series.csv"), [&series[..], b"1,2,3\n"].concat()).unwrap();
    let said = refused(&request(&[&run], &["elastic"]));
    assert!(said.contains("line 57") && said.contains("as many fields as the header has"), "{said}");
}

#[test]
fn a_page_shows_what_the_files_say_and_replaces_itself_alone() {
    let home = tempfile::tempdir().unwrap();
    let run = home.path().join("run");
    whole(&format!("{FRICTION}{MEASURES}"), &run);
    let page = run.join("report.html");
    report(std::slice::from_ref(&run), &page, false).unwrap();
    let text = fs::read_to_string(&page).unwrap();
    assert!(text.contains("id=\"data-view0\"") && text.contains("id=\"block-view0-0\""), "no view");
    let found = plots(&text);
    let titled = |title: &str| found.iter().find(|plot| plot["title"] == title).unwrap_or_else(|| panic!("{title}"));
    let contacts = &titled("Contacts")["series"][0]["points"];
    let expected = column(&run, "series.csv", "time").into_iter().zip(column(&run, "series.csv", "contacts"));
    let expected: Vec<f64> = expected.flat_map(|(time, count)| [time, count]).collect();
    let drawn: Vec<f64> = contacts.as_array().unwrap().iter().map(|value| value.as_f64().unwrap()).collect();
    assert_eq!(drawn.len(), expected.len());
    assert!(drawn.iter().zip(&expected).all(|(one, other)| (one - other).abs() <= 1e-6 * other.abs().max(1e-3)));
    for (title, unit) in [
        ("Kinetic energy", "[J]"),
        ("wall0: force of the grains", "[N]"),
        ("Mean velocity", "[m/s]"),
        ("Distribution of normal forces", ""),
        ("density, at the last time", "[kg/m³]"),
    ] {
        let label = titled(title)["y"]["label"].as_str().unwrap();
        assert!(label.contains(unit), "{title}: {label}");
    }
    assert!(found.iter().all(|plot| !plot["series"].as_array().unwrap().is_empty()));
    // It is written again, but another file is left alone.
    report(std::slice::from_ref(&run), &page, false).unwrap();
    let other = home.path().join("other.html");
    fs::write(&other, "mine").unwrap();
    assert!(matches!(report(std::slice::from_ref(&run), &other, false), Err(GrainsError::Exists { .. })));
    assert_eq!(fs::read_to_string(&other).unwrap(), "mine");
    report(std::slice::from_ref(&run), &other, true).unwrap();
    // Results are never replaced.
    let series = run.join("series.csv");
    assert!(matches!(report(std::slice::from_ref(&run), &series, true), Err(GrainsError::Taken { .. })));
}

#[test]
fn names_in_a_scene_cannot_become_script() {
    const MARKUP: &str = "<img src=x onerror=alert(1)>";
    let home = tempfile::tempdir().unwrap();
    let [one, other] = ["one", "other"].map(|name| home.path().join(format!("{name} {MARKUP}")));
    let text = FRICTION
        .replace("title = \"friction\"", &format!("title = \"</title></script>{MARKUP}\""))
        .replace("glass", MARKUP)
        .replacen("[[bodies]]", &format!("[[bodies]]\n name = \"{MARKUP}\""), 1);
    whole(&text, &one);
    whole(&text, &other);
    let page = home.path().join("page.html");
    report(&[one, other], &page, false).unwrap();
    let text = fs::read_to_string(&page).unwrap();
    assert!(!text.contains("<img") && !text.contains("<script>alert"), "markup of a scene is in the page");
    assert_eq!(text.matches("<script").count(), text.matches("</script").count());
    assert!(text.matches("onerror=alert(1)").count() > 5, "the names are shown as text");
}

#[test]
fn several_runs_are_on_the_same_axes_named_by_what_differs() {
    let home = tempfile::tempdir().unwrap();
    let [one, other] = ["one", "other"].map(|name| home.path().join(name));
    whole(FRICTION, &one);
    let changed =
        FRICTION.replace("restitution = 0.7", "restitution = 0.2").replace("friction = 0.2", "friction = 0.1");
    whole(&changed, &other);
    let page = home.path().join("page.html");
    report(&[one, other], &page, false).unwrap();
    let found = plots(&fs::read_to_string(&page).unwrap());
    let contacts = found.iter().find(|plot| plot["title"] == "Contacts").unwrap();
    let names = contacts["series"].as_array().unwrap().iter().map(|series| series["name"].as_str().unwrap());
    let names = names.collect::<Vec<_>>();
    assert_eq!(names, ["restitution = 0.7, friction = 0.2", "restitution = 0.2, friction = 0.1"]);
}

#[test]
fn columns_travel_with_their_units_and_a_run_that_goes_on_has_a_page() {
    let home = tempfile::tempdir().unwrap();
    let run = home.path().join("run");
    let mut under_way = start(RIGID, &run);
    for _ in 0..20 {
        under_way.advance().unwrap();
    }
    let page = run.join("report.html");
    report(std::slice::from_ref(&run), &page, false).unwrap();
    under_way.complete().unwrap();
    under_way.finish().unwrap();
    let columns: Value = serde_json::from_str(&fs::read_to_string(run.join("columns.json")).unwrap()).unwrap();
    let header = fs::read_to_string(run.join("series.csv")).unwrap();
    for column in header.lines().next().unwrap().split(',') {
        assert!(columns["series.csv"][column]["unit"].is_string(), "{column}: {columns}");
    }
    assert_eq!(columns["series.csv"]["wall0_fz"]["unit"], "N");
    assert_eq!(columns["series.csv"]["step"]["unit"], "");
    assert_eq!(columns["contacts.csv"]["gap"]["unit"], "m");
    assert_eq!(columns["frames.pvd"]["spin"]["unit"], "rad/s");
}

#[test]
fn commands_answer_in_json_when_they_are_asked() {
    let home = tempfile::tempdir().unwrap();
    let scene = home.path().join("scene.toml");
    fs::write(&scene, format!("{FRICTION}{MEASURES}")).unwrap();
    let json =
        |arguments: &[&str], path: &Path| -> Value { serde_json::from_str(&printed(arguments, &[path])).unwrap() };
    let estimate = json(&["check", "--json"], &scene);
    assert_eq!((&estimate["bodies"], &estimate["dt"]), (&36.into(), &5e-4.into()));
    assert_eq!(json(&["info", "--json"], &scene)["groups_of_bodies"], 1);
    let told = printed(&["run", "--json"], &[&scene]);
    let last: Value = serde_json::from_str(told.lines().last().unwrap()).unwrap();
    assert_eq!((&last["event"], &last["step"], &last["share"]), (&"end".into(), &160.into(), &1.0.into()));
    let run = PathBuf::from(last["folder"].as_str().unwrap());
    assert_eq!(json(&["info", "--json"], &run)["steps"], 160);
    let tables = json(&["measure", "--json"], &run);
    assert_eq!((&tables[0]["name"], &tables[0]["columns"][2]), (&"all".into(), &"grains".into()));
    assert_eq!(tables[0]["rows"][0][2], 36.0);
    // Tables in files are plotted as those of the run are, and are never replaced.
    let measured = home.path().join("measured");
    let into = |folder: &Path| {
        let arguments = [run.as_os_str(), "--frames".as_ref(), "-o".as_ref(), folder.as_os_str()];
        Command::new(env!("CARGO_BIN_EXE_grains")).arg("measure").args(arguments).output().unwrap()
    };
    assert!(into(&measured).status.success());
    let drawn = plot(&request(&[&measured], &["all:grains"])).unwrap();
    assert_eq!(drawn.series[0].points.iter().map(|(_, grains)| *grains).collect::<Vec<_>>(), [36.0; 9]);
    let before = fs::read(run.join("measure-all.csv")).unwrap();
    for folder in [&measured, &run] {
        let said = into(folder).stderr;
        assert!(String::from_utf8_lossy(&said).contains("measure-all.csv: there is such a file already"));
    }
    assert_eq!(fs::read(run.join("measure-all.csv")).unwrap(), before);
    let file = home.path().join("elastic.png");
    let arguments = ["plot", run.to_str().unwrap(), "elastic", "--log", "y", "-o"];
    printed(&arguments, &[&file]);
    assert!(fs::read(&file).unwrap().starts_with(b"\x89PNG"));
    let again = Command::new(env!("CARGO_BIN_EXE_grains")).args(arguments).arg(&file).output().unwrap();
    assert!(String::from_utf8_lossy(&again.stderr).contains("--overwrite"));
}

#[test]
fn pictures_show_the_frame_that_is_asked_for() {
    let home = tempfile::tempdir().unwrap();
    let run = home.path().join("run");
    whole(FRICTION, &run);
    let path = |name: &str| home.path().join(name);
    let request = PictureRequest { size: [300, 240], forces: true, ..PictureRequest::default() };
    picture(&run, &request, None, &path("last.png"), false).unwrap();
    picture(&run, &request, Some(0.0), &path("first.png"), false).unwrap();
    picture(&run, &request, Some(0.08), &path("end.png"), false).unwrap();
    let bytes = |name: &str| fs::read(path(name)).unwrap();
    assert!(bytes("last.png").starts_with(b"\x89PNG") && bytes("last.png") == bytes("end.png"));
    assert_ne!(bytes("first.png"), bytes("last.png"));
    for colour in ["diameter", "overlap", "id", "velocity_z", "force", "contacts"] {
        let request = PictureRequest { colour: colour.to_owned(), ..request.clone() };
        picture(&run, &request, None, &path(&format!("{colour}.png")), false).unwrap();
    }
    let film = film(&run, &request, &path("film.png"), false).unwrap();
    assert_eq!(film.pictures.len(), 9);
    assert!(film.pictures.iter().all(|picture| picture.is_file()));
    let refused = |request: &PictureRequest, to: &str| picture(&run, request, None, &path(to), false).unwrap_err();
    let unknown = PictureRequest { colour: "sped".to_owned(), ..request.clone() };
    assert!(refused(&unknown, "new.png").to_string().contains("did you mean `speed`?"));
    assert!(matches!(refused(&request, "last.png"), GrainsError::Exists { .. }));
    assert!(matches!(refused(&request, "last.gif"), GrainsError::UnknownFormat { .. }));
    fs::remove_file(run.join("frames.pvd")).unwrap();
    assert!(matches!(refused(&request, "new.png"), GrainsError::NoFrames { .. }));
    // A list that leads out of the folder is none of ours.
    fs::write(run.join("frames.pvd"), "<DataSet timestep=\"0\" part=\"0\" file=\"../secret.vtp\"/>\n").unwrap();
    assert!(refused(&request, "new.png").to_string().contains("the name of a frame"));
}

/// Every column that any scene of the examples can write is explained by name.
#[test]
fn no_column_of_any_example_is_without_an_explanation() {
    let scenes = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
    let home = tempfile::tempdir().unwrap();
    let mut checked = 0;
    for entry in fs::read_dir(scenes).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|ending| ending != "toml") {
            continue;
        }
        let folder = home.path().join(path.file_stem().unwrap());
        let options = RunOptions { quick: true, ..RunOptions::default() };
        Run::of_file(&path, Some(&folder), options).unwrap().finish().unwrap();
        let columns: Value = serde_json::from_str(&fs::read_to_string(folder.join("columns.json")).unwrap()).unwrap();
        for (file, explained) in columns.as_object().unwrap() {
            if file == "frames.pvd" {
                continue;
            }
            let table = fs::read_to_string(folder.join(file)).unwrap();
            for column in table.lines().next().unwrap().split(',') {
                assert!(explained[column]["meaning"].is_string(), "{}: {file}: {column}", path.display());
                checked += 1;
            }
        }
    }
    assert!(checked > 300, "{checked}");
}
