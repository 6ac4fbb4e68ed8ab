//! Mistakes that users of other programs make: each is told with its line, its key, and what to write instead.

use std::fs;

use grains::{Run, RunOptions};
use serde::Deserialize;

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

/// What is said about a scene: the error, or else all notes.
fn said(text: &str) -> String {
    let home = tempfile::tempdir().unwrap();
    let scene = home.path().join("scene.toml");
    fs::write(&scene, text).unwrap();
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
        // Long lines of advice are broken.
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let place = line.map_or("scene.toml".to_owned(), |line| format!("scene.toml:{line}:"));
        let silent = std::iter::once(&place).chain(&says).find(|part| !words.contains(part.as_str()));
        if silent.is_some() || line.is_some() && !text.contains("^") {
            wrong.push(format!("{of}: {from:?} -> {to:?}: without {silent:?}:\n{text}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// The whole of a message, as it is shown.
#[test]
fn a_message_shows_the_line_the_key_and_what_to_write() {
    let text = said("integrator = \"verlet\"\n\n[[walls]]\nplain = 1\n");
    let expected = "\
error: there is no `plain` here
 --> ";
    assert!(text.starts_with(expected), "{text}");
    for line in
        ["4 | plain = 1", "  | ^^^^^ `walls[0].plain`", "  = help: did you mean `plane`? Write `plane = { point = ["]
    {
        assert!(text.contains(line), "{text}");
    }
}
