//! Tests of the guide: every link leads somewhere, every figure that it names exists, every chapter is in its contents.
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::list;

/// Name and text of each chapter.
fn chapters() -> Vec<(PathBuf, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/guide/src");
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    paths.map(|path| (path.clone(), fs::read_to_string(path).unwrap())).collect()
}

/// Returns all pieces of the text between `open` and `close`.
fn between<'a>(text: &'a str, open: &'a str, close: char) -> impl Iterator<Item = &'a str> {
    text.split(open).skip(1).filter_map(move |rest| rest.split_once(close)).map(|(inside, _)| inside)
}

#[test]
fn links_lead_to_chapters_and_all_chapters_are_in_the_summary() {
    let chapters = chapters();
    assert!(chapters.len() > 5);
    for (path, text) in &chapters {
        for link in between(text, "](", ')').filter(|link| !link.contains("://") && !link.starts_with('#')) {
            let file = link.split('#').next().unwrap();
            assert!(path.with_file_name(file).is_file(), "{}: {link}", path.display());
        }
    }
    let summary = &chapters.iter().find(|(path, _)| path.ends_with("SUMMARY.md")).unwrap().1;
    let listed: BTreeSet<&str> = between(summary, "](", ')').collect();
    for (path, _) in chapters.iter().filter(|(path, _)| !path.ends_with("SUMMARY.md")) {
        assert!(listed.contains(path.file_name().unwrap().to_str().unwrap()), "{}", path.display());
    }
}

#[test]
fn figures_that_the_guide_names_exist() {
    let known: BTreeSet<String> = list::figures().into_iter().map(|figure| figure.id).collect();
    let mut named = 0;
    for (path, text) in chapters() {
        // Every second piece is between backticks; a fence of three backticks counts like one.
        for id in text
            .split('`')
            .skip(1)
            .step_by(2)
            .filter(|id| ["bg21-", "dk21-", "ok18-"].iter().any(|p| id.starts_with(p)))
        {
            assert!(known.contains(id), "{}: no figure {id}", path.display());
            named += 1;
        }
    }
    assert!(named > 15, "{named}");
}
