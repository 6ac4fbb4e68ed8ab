//! The figures that the program knows, as it lists them.
use std::process::Command;

use serde_json::Value;

/// A figure as the list has it.
#[derive(Debug)]
pub(crate) struct Listed {
    pub(crate) id: String,
    pub(crate) source: String,
}

/// All figures. The program checks its table before it lists it.
pub(crate) fn figures() -> Vec<Listed> {
    let out = Command::new(env!("CARGO_BIN_EXE_xtask")).args(["reproduce", "--list", "--json"]).output().unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    let list: Vec<Value> = serde_json::from_slice(&out.stdout).unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    list.iter().map(|figure| Listed { id: text(&figure["id"]), source: text(&figure["source"]) }).collect()
}

#[test]
fn every_figure_of_the_papers_has_its_entry() {
    let table = figures();
    let shown = |wanted: &str| {
        table.iter().any(|figure| {
            let rest = figure.source.strip_prefix(wanted);
            rest.is_some_and(|rest| !rest.starts_with(|next: char| next.is_ascii_digit()))
        })
    };
    let numbered = |paper: &str, last: u32| (1..=last).map(|k| format!("[{paper}] Fig. {k}")).collect::<Vec<_>>();
    let wanted = [numbered("BG21", 7), numbered("DK21", 11), numbered("OK18", 19), vec!["[OK18] Table 1".into()]];
    let missing: Vec<String> = wanted.concat().into_iter().filter(|wanted| !shown(wanted)).collect();
    // Fig. 1 is a chart that classifies methods: there is nothing to compute, as the page says.
    assert_eq!(missing, ["[DK21] Fig. 1"]);
}
