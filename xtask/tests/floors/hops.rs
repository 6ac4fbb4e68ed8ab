//! The calls that ARCHITECTURE.md lists for a pair and for a wall contact in an evaluation: their files and functions
//! exist, and they are few.

use std::fs;
use std::path::Path;

/// Heading of the section on pairs.
const SECTION: &str = "## One evaluation of contacts with friction springs\n";

/// Heading of the section on contacts with walls.
const WALL_SECTION: &str = "## One evaluation of a wall contact\n";

/// Largest number of calls into another file from `accumulate` to the law and back.
const MOST_HOPS: usize = 8;

/// Largest number of calls into another file that answer a question.
const MOST_TO_ANSWER: usize = 2;

/// A place in the code: a file below the source of a crate, and a function there.
#[derive(Debug, PartialEq)]
struct Hop<'a> {
    file: &'a str,
    function: &'a str,
}

/// The section of a page between its heading and the next one.
fn section<'a>(page: &'a str, heading: &str) -> &'a str {
    let start = page.find(heading).expect("the section is there") + heading.len();
    page[start..].split("\n## ").next().unwrap()
}

/// The numbered lists of a section. An item begins like ``1. `file`, `function`: ``.
fn lists(section: &str) -> Vec<Vec<Hop<'_>>> {
    let mut lists = Vec::new();
    for line in section.lines() {
        let Some((number, rest)) = line.split_once(". ") else { continue };
        let Ok(number) = number.parse::<usize>() else { continue };
        if number == 1 {
            lists.push(Vec::new());
        }
        let list: &mut Vec<Hop<'_>> = lists.last_mut().expect("a list begins with 1");
        let words: Vec<&str> = rest.split('`').collect();
        assert!(words.len() > 4 && words[0].is_empty() && words[2] == ", ", "no file and function: {line}");
        list.push(Hop { file: words[1], function: words[3] });
        assert_eq!(list.len(), number, "{line}");
    }
    lists
}

/// Whether a hop is in these sources, or in those of another crate beside them.
fn exists(hop: &Hop<'_>, source: &Path) -> bool {
    let paths = [source.join(hop.file), source.join("../..").join(hop.file)];
    let code = paths.iter().find_map(|path| fs::read_to_string(path).ok()).unwrap_or_default();
    ["(", "<"].iter().any(|next| code.contains(&format!("fn {}{next}", hop.function)))
}

#[test]
fn the_hops_of_an_evaluation_exist_and_are_few() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let source = root.join("crates/dem-contact/src");
    let page = fs::read_to_string(root.join("ARCHITECTURE.md")).unwrap();
    let pairs = lists(section(&page, SECTION));
    let walls = lists(section(&page, WALL_SECTION));
    let (way, answers) = pairs.split_first().unwrap();
    let [at_wall] = &walls[..] else { panic!("one list: {walls:?}") };
    for way in [way, at_wall] {
        assert!((4..=MOST_HOPS).contains(&way.len()), "{way:?}");
    }
    assert_eq!(answers.len(), 3, "three questions are answered");
    for answer in answers {
        assert!(answer.len() <= MOST_TO_ANSWER, "{answer:?}");
    }
    for hop in pairs.iter().chain(&walls).flatten() {
        assert!(exists(hop, &source), "{hop:?} of ARCHITECTURE.md does not exist");
    }
}

#[test]
fn a_hop_that_is_not_there_is_found() {
    let page = format!(
        "# Page\n\n{SECTION}\n1. `force.rs`, `accumulate`: begins.\n2. `attic.rs`, `evaluate`: ends.\n\n## Next\n1. x\n"
    );
    let lists = lists(section(&page, SECTION));
    let hops = [("force.rs", "accumulate"), ("attic.rs", "evaluate")].map(|(file, function)| Hop { file, function });
    assert_eq!(lists, [hops]);
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/dem-contact/src");
    assert_eq!(lists[0].iter().map(|hop| exists(hop, &source)).collect::<Vec<_>>(), [true, false]);
    assert!(!exists(&Hop { file: "force.rs", function: "accumul" }, &source));
}

/// Paths with a folder in backticks, such as `law/laws.rs`.
fn paths(page: &str) -> Vec<&str> {
    let words = page.split('`').skip(1).step_by(2);
    words.filter(|word| word.ends_with(".rs") && word.contains('/') && !word.contains([' ', '<'])).collect()
}

#[test]
fn files_that_are_named_with_their_folder_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let page = fs::read_to_string(root.join("ARCHITECTURE.md")).unwrap();
    // Sections on one module name files from its folder on.
    let source = "crates/dem-contact/src";
    let homes = ["", "crates", source].map(str::to_owned).into_iter();
    let modules = ["force", "implicit", "contact_dynamics"].map(|module| format!("{source}/{module}"));
    let homes: Vec<_> = homes.chain(modules).map(|home| root.join(home)).collect();
    let is_there = |path: &&str| homes.iter().any(|home| home.join(path).is_file());
    let found = paths(&page);
    assert!(found.len() > 30, "{found:?}");
    assert_eq!(found.into_iter().filter(|path| !is_there(path)).collect::<Vec<_>>(), Vec::<&str>::new());
    assert_eq!(paths("see `law/attic.rs`, `law.rs` and `a b/c.rs`"), ["law/attic.rs"]);
}
