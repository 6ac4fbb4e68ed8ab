//! Mistakes of users of other programs: each is reported with its line, its key, and what to write instead.

use std::fs;

use grains::{Estimate, Run, RunOptions, Scene};
use serde::Deserialize;

use crate::support::{made_in, notes, plate, scene_file};

#[derive(Debug, Deserialize)]
struct Mistakes {
    good: String,
    mistake: Vec<Mistake>,
}

#[derive(Debug, Deserialize)]
struct Mistake {
    of: String,
    from: String,
    to: String,
    line: Option<usize>,
    says: Vec<String>,
}

/// Returns the report on a scene: the error, or else all notes.
fn said(text: &str) -> String {
    let (_home, scene) = scene_file(text);
    match Run::of_file(&scene, None, RunOptions::default()) {
        Err(error) => error.report(false),
        Ok(run) => run.simulation().notes().iter().map(|note| note.report(false)).collect::<Vec<_>>().join("\n"),
    }
}

#[test]
fn mistakes_of_users_of_other_programs_are_told_with_what_to_write() {
    let Mistakes { good, mistake } = toml::from_str(include_str!("../data/mistakes.toml")).unwrap();
    assert_eq!(said(&good), "");
    assert!(mistake.len() >= 60);
    let mut wrong = Vec::new();
    for Mistake { of, from, to, line, says } in mistake {
        assert!(good.contains(&from), "{from}");
        let text = said(&good.replacen(&from, &to, 1));
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let place = line.map_or("scene.toml".to_owned(), |line| format!("scene.toml:{line}:"));
        let silent = std::iter::once(&place).chain(&says).find(|part| !words.contains(part.as_str()));
        if silent.is_some() || line.is_some() && !text.contains("^") {
            wrong.push(format!("{of}: {from:?} -> {to:?}: without {silent:?}:\n{text}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// The complete text of a message.
#[test]
fn a_message_shows_the_line_the_key_and_what_to_write() {
    let text = said("integrator = \"verlet\"\n\n[[walls]]\nplain = 1\n");
    assert!(text.starts_with("error: there is no `plain` here\n --> "), "{text}");
    for part in
        ["4 | plain = 1", "  | ^^^^^ `walls[0].plain`", "= help: did you mean `plane`? Write `plane = { point = ["]
    {
        assert!(text.contains(part), "{text}");
    }
}

#[test]
fn check_and_run_doubt_meshes_in_mm_and_sources_that_bring_nothing() {
    const SCENE: &str = r#"
        integrator = "verlet"
        time = { dt = 1e-3, duration = 0.03 }
        contact = { normal = { hooke = { stiffness = 2000.0 } } }
        bodies = [{ place = { list = [[0.0, 0.0, -9.0]] }, radius = 0.05, fixed = true }]
        walls = [{ stl = { path = "plate.stl" } }]
        [[sources]]
        region = { faces = { path = "plate.stl", facing = [0.0, 0.0, 1.0] } }
        rate = { count = 500.0 }
        sizes = { radius = 0.02 }
        density = 1000.0
        [[sources]]
        region = { box = { low = [-0.03, -0.03, -9.03], high = [0.03, 0.03, -8.97] } }
        rate = { count = 500.0 }
        sizes = { radius = 0.02 }
        density = 1000.0
    "#;
    let home = tempfile::tempdir().unwrap();
    let corners = [[0.0, 0.0, 0.0], [400.0, 0.0, 0.0], [400.0, 400.0, 0.0], [0.0, 400.0, 0.0]];
    fs::write(home.path().join("plate.stl"), plate(corners)).unwrap();
    let checked = |text: &str| -> Vec<String> {
        let estimate = Estimate::new(&Scene::parse(text).unwrap(), home.path(), false).unwrap();
        estimate.notes.iter().map(ToString::to_string).collect()
    };
    let told = checked(SCENE);
    let has = |key: &str, what: &str| told.iter().any(|note| note.contains(key) && note.contains(what));
    assert!(has("walls[0].stl", "scale = 0.001") && has("sources[0].region.faces", "scale = 0.001"), "{told:?}");
    assert!(has("sources[1]", "none came in the 30 steps") && !has("sources[0]", "none came"), "{told:?}");
    let simulation = made_in(home.path(), SCENE).unwrap();
    let told = notes(&simulation);
    assert_eq!(told.iter().filter(|note| note.contains("scale = 0.001")).count(), 2, "{told:?}");
    let scaled = checked(&SCENE.replace("\"plate.stl\"", "\"plate.stl\", scale = 0.001"));
    assert!(!scaled.iter().any(|note| note.contains("scale")), "{scaled:?}");
}
