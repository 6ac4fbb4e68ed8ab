//! Laws are objects: outside of `dem-contact/src/law` no function or type is compiled for a law.
//!
//! A bound on `ContactLaw` or `TangentialLaw` anywhere else would compile that code, and all that calls it, once for each
//! pair of laws. Code takes `&dyn PairLaw`, `&dyn ContactLaw` or `LawTable`. Unit tests may have laws of their own.

use std::path::{Component, Path};

use crate::{code, rust_files};

/// The crates that know laws.
const CRATES: [&str; 3] = ["crates/dem-contact/src", "crates/dem-ranks/src", "crates/grains/src"];

/// The folders and files that may be compiled for laws: `law` and `objects.rs` make objects, and a `CuboidForce` takes a
/// normal law as it is made.
const COMPILED_FOR_LAWS: [&str; 3] =
    ["crates/dem-contact/src/law", "crates/dem-contact/src/cuboid", "crates/grains/src/laws/objects"];

/// The traits of laws.
const TRAITS: [&str; 2] = ["ContactLaw", "TangentialLaw"];

/// Whether a file has unit tests alone.
fn is_of_tests(file: &Path) -> bool {
    let is_tests = |part: Component<'_>| matches!(part.as_os_str().to_str(), Some("tests" | "tests.rs"));
    let name = file.file_name().unwrap().to_str().unwrap();
    file.components().any(is_tests) || name.ends_with("_tests.rs")
}

/// The lines of some code that bound a type by a law, or implement one.
fn bounds(code: &str) -> Vec<&str> {
    code.lines().filter(|line| TRAITS.iter().any(|name| has_bound(line, name))).collect()
}

/// Whether a line has the trait `name` as a bound, as in `L: ContactLaw`, `+ ContactLaw`, `impl ContactLaw`, or implements
/// it. An import or `dyn ContactLaw` is no bound.
fn has_bound(line: &str, name: &str) -> bool {
    line.match_indices(name).any(|(at, _)| {
        let before = &line[..at];
        let after = &line[at + name.len()..];
        let is_part_of_word = |c: char| c.is_alphanumeric() || c == '_';
        if before.ends_with(is_part_of_word) || after.starts_with(is_part_of_word) {
            return false;
        }
        let before = before.trim_end_matches(|c: char| is_part_of_word(c) || c == ':' && before.ends_with("::"));
        let before = before.trim_end();
        let is_implemented = after.trim_start().starts_with("for ");
        let is_bound = before.ends_with("impl") || before.ends_with('+') || before.ends_with(':');
        is_implemented || is_bound
    })
}

#[test]
fn only_the_folder_of_laws_is_compiled_for_laws() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut read = 0;
    for source in CRATES {
        for file in rust_files(&root.join(source)) {
            let is_allowed = |folder: &str| {
                let folder = root.join(folder);
                file.starts_with(&folder) || file == folder.with_extension("rs")
            };
            if is_of_tests(&file) || COMPILED_FOR_LAWS.into_iter().any(is_allowed) {
                continue;
            }
            let text = code(&std::fs::read_to_string(&file).unwrap());
            let found = bounds(&text);
            assert!(found.is_empty(), "{} is compiled for laws: {found:?}", file.display());
            read += 1;
        }
    }
    assert!(read > 200, "{read} files");
}

#[test]
fn bounds_on_laws_are_found_and_objects_are_not() {
    for bound in [
        "fn run<L: ContactLaw>(law: &L) {",
        "    L: law::ContactLaw,",
        "fn run(law: impl ContactLaw + 'static) {",
        "where T: Clone + TangentialLaw",
        "impl<T: Copy> TangentialLaw for Own<T> {",
        "impl crate::law::contact_law::ContactLaw for Own {",
    ] {
        assert_eq!(bounds(bound), [bound]);
    }
    let objects = "use crate::law::contact_law::ContactLaw;\nuse law::{ContactLaw, TangentialLaw};\n\
        fn run(law: &dyn ContactLaw, other: Arc<dyn law::ContactLaw>) {\nlet ContactLawOf: MyContactLaw;";
    assert_eq!(bounds(objects), [""; 0]);
}
