//! Modules beside each other, in all folders of all crates, import each other in one direction.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use crate::{code, rust_files};

/// A folder and the modules in it that import each other in a circle.
type Circle = (String, Vec<String>);

/// The parts of a path such as `force/tiles.rs`, without `mod.rs`; empty for the root of a crate.
fn module_of(file: &Path, source: &Path) -> Vec<String> {
    let path = file.strip_prefix(source).unwrap().with_extension("");
    let mut parts: Vec<String> = path.iter().map(|part| part.to_str().unwrap().to_owned()).collect();
    if parts.last().is_some_and(|last| last == "mod") {
        parts.pop();
    }
    if parts == ["lib"] || parts == ["main"] { Vec::new() } else { parts }
}

/// The paths that a list of imports names: `a::{b, c::{d}}` are `a::b` and `a::c::d`.
fn paths_of(tree: &str, prefix: &str, found: &mut Vec<String>) {
    let tree = tree.trim();
    let Some((head, list)) = tree.split_once('{') else {
        found.push(format!("{prefix}{}", tree.split_whitespace().next().unwrap_or("")));
        return;
    };
    let list = list.rsplit_once('}').map_or(list, |(list, _)| list);
    let mut depth = 0;
    let mut begin = 0;
    for (at, letter) in list.char_indices().chain([(list.len(), ',')]) {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                if !list[begin..at].trim().is_empty() {
                    paths_of(&list[begin..at], &format!("{prefix}{}", head.trim()), found);
                }
                begin = at + 1;
            }
            _ => {}
        }
    }
}

/// The modules that the code of `module` names after `crate::`, `super::` and `self::`, as full paths.
fn named_by(code: &str, module: &[String]) -> Vec<Vec<String>> {
    let mut paths = Vec::new();
    for part in code.split("use ").skip(1) {
        paths_of(part.split(';').next().unwrap(), "", &mut paths);
    }
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    let words = code.split(|c| !is_word(c)).filter(|word| word.starts_with("crate::") || word.starts_with("super::"));
    paths.extend(words.map(str::to_owned));
    paths.iter().filter_map(|path| full(path, module)).collect()
}

/// A path with `crate`, `super` and `self` resolved; none for a path to another crate.
fn full(path: &str, module: &[String]) -> Option<Vec<String>> {
    let mut parts: Vec<&str> = path.split("::").collect();
    let mut base = match parts[0] {
        "crate" => Vec::new(),
        "super" | "self" => module.to_vec(),
        _ => return None,
    };
    if parts[0] == "crate" {
        parts.remove(0);
    }
    while let Some(first) = parts.first().filter(|first| ["super", "self"].contains(first)) {
        if *first == "super" {
            base.pop();
        }
        parts.remove(0);
    }
    Some(base.into_iter().chain(parts.into_iter().map(str::to_owned)).collect())
}

/// The circles among modules beside each other, given the code of each module.
fn circles(name: &str, modules: &[(Vec<String>, String)]) -> BTreeSet<Circle> {
    let known: BTreeSet<&Vec<String>> = modules.iter().map(|(module, _)| module).collect();
    let mut edges: BTreeMap<&[String], BTreeMap<&str, BTreeSet<String>>> = BTreeMap::new();
    for (module, code) in modules {
        for mut target in named_by(code, module) {
            while !target.is_empty() && !known.contains(&target) {
                target.pop();
            }
            let shared = module.iter().zip(&target).take_while(|(one, other)| one == other).count();
            if shared < module.len() && shared < target.len() {
                let folder = edges.entry(&module[..shared]).or_default();
                folder.entry(&module[shared]).or_default().insert(target[shared].clone());
            }
        }
    }
    let mut found = BTreeSet::new();
    for (folder, edges) in edges {
        let reach = |from: &str| {
            let mut seen = BTreeSet::new();
            let mut open = vec![from.to_owned()];
            while let Some(next) = open.pop() {
                let new = edges.get(&next[..]).into_iter().flatten().filter(|&to| seen.insert(to.clone()));
                open.extend(new.cloned().collect::<Vec<_>>());
            }
            seen
        };
        for &module in edges.keys() {
            let all = reach(module);
            let circle: Vec<String> = all.iter().filter(|other| reach(other).contains(module)).cloned().collect();
            if !circle.is_empty() {
                let place = [&[name.to_owned()], folder].concat().join("/");
                found.insert((place, circle));
            }
        }
    }
    found
}

#[test]
fn modules_beside_each_other_form_no_circle() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let crates = fs::read_dir(root.join("crates")).unwrap().map(|entry| entry.unwrap().path());
    let mut found = BTreeSet::new();
    for home in crates.chain([root.join("xtask")]) {
        let source = home.join("src");
        let is_code = |file: &&std::path::PathBuf| file.iter().all(|part| part != "tests" && part != "tests.rs");
        let files = rust_files(&source);
        let module = |file: &std::path::PathBuf| (module_of(file, &source), code(&fs::read_to_string(file).unwrap()));
        let modules = files.iter().filter(is_code).map(module).collect::<Vec<_>>();
        found.extend(circles(home.file_name().unwrap().to_str().unwrap(), &modules));
    }
    assert_eq!(found, BTreeSet::new());
}

#[test]
fn a_circle_is_found_in_any_folder_and_by_any_way_of_naming() {
    let module = |path: &str, code: &str| (path.split('/').map(str::to_owned).collect(), code.to_owned());
    let modules = [
        module("law", "use crate::wall::Wall;"),
        module("wall", "use crate::{error::Error, util};"),
        module("wall/mesh", "use super::shape::Shape;"),
        module("wall/shape", "fn f() { crate::wall::mesh::area() }"),
        module("util", ""),
    ];
    let circle = ("x/wall".to_owned(), vec!["mesh".to_owned(), "shape".to_owned()]);
    assert_eq!(circles("x", &modules), [circle].into());
}
