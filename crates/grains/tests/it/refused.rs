//! Tables of refused scenes: changes of a valid scene, and parts of the message.

use std::path::Path;

use crate::support::{data, made, made_in};

/// Returns the error message of a scene in memory.
#[track_caller]
pub(crate) fn refusal(text: &str) -> String {
    made(text).err().unwrap_or_else(|| panic!("this is taken: {text}")).to_string()
}

/// A case of a table: the part of the scene to replace, its replacement, and parts of the message.
#[derive(Debug)]
pub(crate) struct Case {
    pub(crate) from: String,
    pub(crate) to: String,
    pub(crate) parts: Vec<String>,
}

/// Reads a table. A case is a line `from => to | part | part`, continued in lines that begin with `=>` or `|`. A line
/// break in the scene is written `\n`. Lines that begin with `#` are comments.
pub(crate) fn cases(table: &str) -> Vec<Case> {
    let mut lines: Vec<String> = Vec::new();
    for line in table.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        match lines.last_mut() {
            Some(case) if line.starts_with("=>") || line.starts_with('|') => *case += &format!(" {line}"),
            _ => lines.push(line.to_owned()),
        }
    }
    let case = |line: &String| {
        let (from, rest) = line.split_once(" =>").unwrap_or_else(|| panic!("{line}: write `from => to | part`"));
        let mut fields = rest.split(" |").map(|field| field.trim().replace("\\n", "\n"));
        let to = fields.next().unwrap();
        Case { from: from.trim().replace("\\n", "\n"), to, parts: fields.collect() }
    };
    lines.iter().map(case).collect()
}

/// Checks that each case of a table makes the scene invalid, with a message that has all parts.
#[track_caller]
pub(crate) fn assert_refused(good: &str, table: &str) {
    assert_refused_in(&data(), good, table);
}

/// Checks a table as [`assert_refused`] does, for a scene with files in this folder.
#[track_caller]
pub(crate) fn assert_refused_in(files: &Path, good: &str, table: &str) {
    let cases = cases(table);
    assert!(!cases.is_empty());
    for Case { from, to, parts } in cases {
        assert!(good.contains(&from) && !parts.is_empty(), "the scene has no {from}, or nothing is said of it");
        match made_in(files, &good.replacen(&from, &to, 1)) {
            Ok(_) => panic!("{from} => {to} is taken"),
            Err(error) => {
                let error = error.to_string();
                let silent = parts.iter().find(|part| !error.contains(part.as_str()));
                assert!(silent.is_none(), "{from} => {to}: without {silent:?}: {error}");
            }
        }
    }
}
