//! The commands of the tutorial work one after the other, as they stand on its page.

use std::fs;
use std::path::Path;
use std::process::Command;

const PAGE: &str = include_str!("../../../../docs/guide/src/first-run.md");

/// The text of all code blocks of a language on the page.
fn blocks(language: &str) -> impl Iterator<Item = &'static str> {
    let begin = format!("```{language}\n");
    PAGE.split("```")
        .enumerate()
        .filter(|(k, _)| k % 2 == 1)
        .filter_map(move |(_, block)| block.strip_prefix(begin.trim_start_matches('`')))
}

/// The words of a line of a shell, without its comment. Quotation marks keep a word together.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut is_quoted = false;
    for letter in line.split(" #").next().unwrap().trim().chars() {
        match letter {
            '"' => is_quoted = !is_quoted,
            ' ' if !is_quoted => words.push(String::new()),
            other => words.last_mut().unwrap().push(other),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

#[test]
fn every_command_of_the_tutorial_works() {
    let home = tempfile::tempdir().unwrap();
    let lines = blocks("sh").flat_map(str::lines).map(words).filter(|words| words[0] == "grains");
    let mut count = 0;
    for mut words in lines {
        // The short version of the scene takes a second, and ends before the times that the page plots.
        if words[1] == "run" {
            words.push("--quick".to_owned());
        }
        for word in words.iter_mut().filter(|word| *word == "0.5") {
            *word = "0.05".to_owned();
        }
        // What the page adds to the scene.
        if words[1] == "measure" {
            let scene = home.path().join("drum.toml");
            let text = blocks("toml").fold(fs::read_to_string(&scene).unwrap(), |text, added| text + "\n" + added);
            fs::write(scene, text).unwrap();
        }
        let output = Command::new(env!("CARGO_BIN_EXE_grains")).args(&words[1..]).current_dir(home.path()).output();
        let output = output.unwrap();
        assert!(output.status.success(), "{}: {}", words.join(" "), String::from_utf8_lossy(&output.stderr));
        // A later run removes the page of the first one.
        if words[1] == "report" && words.len() == 3 {
            assert!(home.path().join("drum.out/report.html").is_file());
        }
        count += 1;
    }
    assert!(count >= 17, "{count}");
    let names =
        "drum.png both.html kinetic.png forces.png mixing.png balance.png drum.out/columns.json fast.out/series.csv";
    assert_eq!(names.split(' ').filter(|name| !home.path().join(name).is_file()).collect::<Vec<_>>(), [""; 0]);
    assert_eq!(words("grains run a --set \"b=[1, 2]\"  # all"), ["grains", "run", "a", "--set", "b=[1, 2]"]);
    // The picture on the page is that of these commands, at the end of a whole run.
    let picture = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/drum.png");
    assert!(fs::read(picture).unwrap().starts_with(b"\x89PNG"));
}
