//! Reports of `cargo xtask reproduce`: text for people, JSON for programs.
use std::path::Path;

use serde_json::{Value, json};

use crate::model::{Effort, Figure, Verdict};
use crate::run::{Outcome, Tally, claim_records};

/// Returns the list of figures with ids, titles and sources, as text with one line each or as JSON.
pub(crate) fn list(figures: &[Figure], json: bool) -> String {
    if json {
        let row = |figure: &Figure| json!({ "id": figure.id, "title": figure.title, "source": figure.source });
        return format!("{:#}\n", Value::Array(figures.iter().map(row).collect()));
    }
    let width = figures.iter().map(|figure| figure.id.len()).max().unwrap_or(0);
    figures.iter().map(|figure| format!("{:width$}  {} ({})\n", figure.id, figure.title, figure.source)).collect()
}

/// Returns the result of `cargo xtask reproduce` as JSON: the path of the page, and the claims of all figures with
/// their verdicts.
pub(crate) fn summary(page: &Path, outcomes: &[Outcome], missing: &[Figure], effort: Effort, seconds: f64) -> Value {
    let figure = |outcome: &Outcome| {
        json!({
            "id": outcome.figure.id, "seconds": outcome.seconds, "reused": outcome.reused, "tally": Tally::of([outcome]),
            "error": outcome.result.as_ref().err(),
            "claims": outcome.result.as_ref().ok().map(|finished| claim_records(&finished.claims)),
        })
    };
    json!({
        "page": page.to_string_lossy(), "effort": effort, "seconds": seconds, "tally": Tally::of(outcomes),
        "missing": missing.iter().map(|figure| figure.id).collect::<Vec<_>>(),
        "figures": outcomes.iter().map(figure).collect::<Vec<_>>(),
    })
}

/// Returns the list of failed claims and of figures that could not be computed, one line each; empty if there are none.
pub(crate) fn failures(outcomes: &[Outcome]) -> String {
    let mut rows = Vec::new();
    for outcome in outcomes {
        match &outcome.result {
            Err(error) => rows.push([outcome.figure.id.to_owned(), "error".into(), String::new(), error.clone()]),
            Ok(finished) => {
                let failed = finished.claims.iter().filter(|claim| claim.verdict() == Verdict::Fails);
                rows.extend(failed.map(|claim| {
                    let cut = claim.shortened.as_ref().map(|how| format!(" [shortened: {how}]")).unwrap_or_default();
                    [outcome.figure.id.to_owned(), claim.measured(), claim.accepted(), format!("{}{cut}", claim.text)]
                }));
            }
        }
    }
    if rows.is_empty() {
        return String::new();
    }
    rows.insert(0, ["figure", "measured", "accepted", "claim"].map(Into::into));
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let a = width(0);
    let b = width(1);
    let c = width(2);
    let lines = rows.iter().map(|[id, value, accept, text]| format!("  {id:a$}  {value:b$}  {accept:c$}  {text}\n"));
    format!("\nfailures:\n{}\n", lines.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figures::demo;
    use crate::run::made_up;

    #[test]
    fn failures_are_listed_with_their_numbers() {
        let outcomes = made_up::outcomes();
        let text = failures(&outcomes);
        assert!(text.contains("1.302") && text.contains("1.9 … 2.1") && text.contains("residual 0.3"), "{text}");
        assert_eq!(failures(&[]), "");
        let missing = [demo::table()[0]];
        let summary = summary(Path::new("p"), &outcomes, &missing, Effort::Quick, 1.0);
        assert_eq!((&summary["tally"]["fail"], &summary["missing"][0]), (&json!(1), &json!("demo-order")));
        assert_eq!(summary["figures"][0]["claims"][2]["verdict"], "fails");
    }

    #[test]
    fn the_list_has_every_figure_either_way() {
        let table = demo::table();
        assert_eq!(list(&table, false).lines().count(), table.len());
        let parsed: Value = serde_json::from_str(&list(&table, true)).unwrap();
        assert_eq!(parsed[1]["id"], "demo-energy");
    }
}
