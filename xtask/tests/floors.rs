//! The floors of each crate: a folder imports the folders below it, and no other one.
//!
//! A folder is a module at the root of a crate. Imports are read as text, outside of comments and unit tests. A folder
//! that is on no floor fails the test, and so does a folder on a floor that is not there.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

#[path = "floors/circles.rs"]
mod circles;
#[path = "floors/hops.rs"]
mod hops;
#[path = "floors/laws.rs"]
mod laws;
#[path = "floors/numbers.rs"]
mod numbers;
#[path = "floors/packages.rs"]
mod packages;

/// A crate and its folders.
struct House {
    /// Where its source is, from the root of the workspace.
    folder: &'static str,
    /// Lowest first. Folders on one floor do not import each other.
    floors: &'static [&'static [&'static str]],
}

const HOUSES: [House; 9] = [
    House {
        folder: "crates/rrp-parallel/src",
        floors: &[&["join", "pool", "split"], &["exact_sum", "parts"], &["loops"]],
    },
    House {
        folder: "crates/rrp-integrate/src",
        floors: &[&["error", "leaves"], &["column"], &["body"], &["kernel"], &["field"], &["step"]],
    },
    House {
        folder: "crates/rrp-verify/src",
        floors: &[
            &["double_double", "error", "motion", "reversal"],
            &["conservation", "elliptic", "jacobian", "order", "period", "trapezoid"],
            &["energy_error", "free_top", "path_comparison", "symplectic"],
        ],
    },
    House {
        folder: "crates/cd-solve/src",
        floors: &[
            &["disjoint_sets", "error", "exact", "leaves"],
            &["report"],
            &["problem"],
            &["friction", "lcp_solver", "linear"],
            &["fclib", "newton"],
            &["conformance"],
        ],
    },
    House {
        folder: "crates/dem-contact/src",
        floors: &[
            &["error"],
            &["util"],
            &["law", "wall"],
            &["neighbor"],
            &["force"],
            &["bond", "bridge", "measure", "stiffness"],
            &["cuboid", "implicit"],
            &["contact_dynamics", "statics"],
            &["packing", "io"],
            &["source"],
        ],
    },
    House {
        folder: "crates/grains/src",
        floors: &[
            &["error", "reading"],
            &["memory", "value"],
            &["files", "scene", "templates"],
            &["reference"],
            &["laws", "plan", "source", "energy_guard", "diagnostics"],
            &["build"],
            &["engine", "progress"],
            &["ranks", "storage"],
            &["simulation"],
            &["checkpoint"],
            &["output"],
            &["results"],
            &["convert", "estimate", "run", "show", "stored_measures"],
            &["command"],
        ],
    },
    House {
        folder: "crates/dem-ranks/src",
        floors: &[
            &["error", "motion", "owners"],
            &["scene", "transport"],
            &["collective"],
            &["failure", "ghosts", "migration"],
            &["whole_forces"],
            &["contacts", "share"],
            &["run"],
        ],
    },
    House {
        folder: "crates/grains-pages/src",
        floors: &[&["error", "number", "png", "web"], &["font"], &["plot"], &["figure", "map", "picture", "view"]],
    },
    House { folder: "xtask/src", floors: &[&["model"], &["figures"], &["run"], &["page"], &["command"]] },
];

/// Modules of one folder that import only the modules of that folder which stand before them.
struct Inner {
    /// The folder, from the root of the workspace.
    folder: &'static str,
    /// How its code names the folder.
    path: &'static str,
    /// Lowest first. Modules on one floor may import each other. Modules that are not listed may import all of them.
    floors: &'static [&'static [&'static str]],
}

const INNER: [Inner; 2] = [
    Inner {
        folder: "crates/dem-contact/src/force",
        path: "crate::force::",
        floors: &[&["contact_model"], &["histories"], &["tiles"], &["wall_forces"]],
    },
    Inner {
        folder: "crates/dem-contact/src/law",
        path: "crate::law::",
        floors: &[
            &["own_name", "least_rotation", "lever_arm", "contact", "contact_history"],
            &["contact_law", "batch", "tangential_slope"],
            &["normal", "damped_law", "tangential_law"],
            &["tangential"],
            &["one_contact"],
            &["pair_law"],
            &["laws"],
            &["material"],
        ],
    },
];

/// All Rust files below a folder.
fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// The folder that a file of a crate belongs to: `law` for `src/law.rs` and for all below `src/law`.
fn folder_of(file: &Path, source: &Path) -> String {
    let first = file.strip_prefix(source).unwrap().components().next().unwrap();
    first.as_os_str().to_str().unwrap().trim_end_matches(".rs").to_owned()
}

/// The code of a file without comments and without its unit tests, which stand at its end.
fn code(text: &str) -> String {
    let code = text.split("#[cfg(test)]\nmod ").next().unwrap();
    code.lines().map(|line| line.split("//").next().unwrap()).collect::<Vec<_>>().join("\n")
}

/// The name at the start of a text.
fn word(text: &str) -> String {
    text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
}

/// The folders that some code names after `crate::`, also in lists like `crate::{law::Hooke, wall}`.
fn imports(code: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for rest in code.split("crate::").skip(1) {
        match rest.strip_prefix('{') {
            None => found.extend([word(rest)]),
            Some(list) => {
                let mut depth = 0;
                let mut start = true;
                for (at, c) in list.char_indices() {
                    match c {
                        '{' => depth += 1,
                        '}' if depth == 0 => break,
                        '}' => depth -= 1,
                        ',' if depth == 0 => start = true,
                        _ if start && !c.is_whitespace() => {
                            found.extend([word(&list[at..])]);
                            start = false;
                        }
                        _ => {}
                    }
                }
            }
        }
    }
    found
}

/// The modules of a folder that some code names after the path of that folder.
fn modules(code: &str, path: &str) -> BTreeSet<String> {
    code.split(path).skip(1).map(word).collect()
}

/// Lists the wrong imports of one file of a folder with inner floors.
fn inner_faults(inner: &Inner, module: &str, code: &str) -> Vec<String> {
    let floor = |name: &str| inner.floors.iter().position(|floor| floor.contains(&name));
    let Some(own) = floor(module) else { return Vec::new() };
    let is_known = |other: &&String| other.chars().next().is_some_and(char::is_lowercase);
    let leads_up = |other: &&String| is_known(other) && floor(other).is_none_or(|other| other > own);
    let fault = |other| format!("`{module}` imports `{}{other}`, which is not below it", inner.path);
    modules(code, inner.path).iter().filter(leads_up).map(fault).collect()
}

/// Lists the wrong imports of one file.
fn faults(house: &House, folder: &str, code: &str) -> Vec<String> {
    let floor = |name: &str| house.floors.iter().position(|floor| floor.contains(&name));
    let Some(own) = floor(folder) else { return vec![format!("the folder `{folder}` is on no floor")] };
    let leads_up = |other: &&String| floor(other).is_some_and(|other| other >= own) && other.as_str() != folder;
    let fault = |other| format!("`{folder}` imports `{other}`, which is not below it");
    imports(code).iter().filter(leads_up).map(fault).collect()
}

#[test]
fn folders_import_only_what_is_below_them() {
    for house in &HOUSES {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(house.folder);
        let mut folders = BTreeSet::new();
        for file in rust_files(&source) {
            let folder = folder_of(&file, &source);
            if folder == "lib" || folder == "main" {
                continue;
            }
            let faults = faults(house, &folder, &code(&fs::read_to_string(&file).unwrap()));
            assert!(faults.is_empty(), "{}: {}", file.display(), faults.join("; "));
            folders.insert(folder);
        }
        let listed: BTreeSet<String> = house.floors.concat().into_iter().map(str::to_owned).collect();
        assert_eq!(folders, listed, "folders of {}", house.folder);
    }
}

#[test]
fn modules_of_a_folder_import_only_those_below_them() {
    for inner in &INNER {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(inner.folder);
        let mut found = BTreeSet::new();
        for file in rust_files(&source) {
            let module = folder_of(&file, &source);
            let is_of_tests = file.iter().any(|part| part == "tests" || part == "tests.rs");
            let code = code(&fs::read_to_string(&file).unwrap());
            let faults = if is_of_tests { Vec::new() } else { inner_faults(inner, &module, &code) };
            assert!(faults.is_empty(), "{}: {}", file.display(), faults.join("; "));
            found.insert(module);
        }
        let missing: Vec<_> = inner.floors.concat().into_iter().filter(|module| !found.contains(*module)).collect();
        assert!(missing.is_empty(), "{}: {missing:?}", inner.folder);
    }
}

#[test]
fn histories_that_import_the_loop_are_found() {
    let [force, law] = &INNER;
    let up = inner_faults(force, "histories", "use crate::force::tiles::batch::Batch;");
    assert_eq!(up, ["`histories` imports `crate::force::tiles`, which is not below it"]);
    assert!(inner_faults(force, "tiles", "use crate::force::histories::TileHistory;").is_empty());
    assert!(inner_faults(force, "work", "use crate::force::tiles::sums::Sums;").is_empty());
    assert_eq!(inner_faults(law, "normal", "use crate::law::laws::Laws;").len(), 1);
}

#[test]
fn a_wrong_import_and_an_unknown_folder_are_found() {
    let house = HOUSES.iter().find(|house| house.folder.contains("dem-contact")).unwrap();
    let up = faults(house, "law", "use crate::force::ContactForce;");
    assert_eq!(up, ["`law` imports `force`, which is not below it"]);
    let nested = faults(house, "law", "use crate::{error::DemError, wall::{Wall, mesh}};");
    assert_eq!(nested, ["`law` imports `wall`, which is not below it"]);
    assert!(faults(house, "law", &code("// crate::force\nuse crate::error::DemError;")).is_empty());
    assert!(faults(house, "law", &code("#[cfg(test)]\nmod tests { use crate::force::ContactForce; }")).is_empty());
    assert_eq!(faults(house, "attic", ""), ["the folder `attic` is on no floor"]);
}
