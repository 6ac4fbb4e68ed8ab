//! Names of numbers: `grains` finds the key of a number that a library refuses by the name that the error gives to the
//! number. A name that no library has any longer would lose its key without a word.

use std::fs;
use std::path::Path;

use crate::rust_files;

/// The table of names and keys.
const TABLE: &str = "crates/grains/src/error/handling.rs";

/// The libraries that refuse numbers.
const LIBRARIES: [&str; 3] = ["crates/dem-contact/src", "crates/rrp-integrate/src", "crates/cd-solve/src"];

#[test]
fn libraries_have_all_names_of_numbers_that_keys_are_found_by() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let table = fs::read_to_string(root.join(TABLE)).unwrap();
    let (_, rows) = table.split_once("const NUMBERS").unwrap();
    let (rows, _) = rows.split_once("];\n").unwrap();
    let names = rows.lines().filter_map(|row| row.trim().strip_prefix("(\"")?.split('"').next()).collect::<Vec<_>>();
    assert!(names.len() > 20, "{names:?}");
    let files = LIBRARIES.iter().flat_map(|library| rust_files(&root.join(library)));
    let code = files.map(|file| fs::read_to_string(file).unwrap()).collect::<String>();
    let unknown = names.into_iter().filter(|name| !code.contains(&format!("\"{name}\""))).collect::<Vec<_>>();
    assert!(unknown.is_empty(), "no library refuses {unknown:?}");
}
