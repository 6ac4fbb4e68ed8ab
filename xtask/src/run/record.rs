//! The JSON file of a figure, its record: claims, parameters and versions for other programs.
use serde::Serialize;
use serde_json::{Value, json};

use crate::model::{Claim, Effort, Standing, Verdict};
use crate::run::outcome::Outcome;
use crate::run::versions::Versions;

/// Record of a figure, with its fields in the order of the JSON file. When a figure is computed again, only `seconds`
/// and `versions` may change.
#[derive(Debug, Serialize)]
pub(crate) struct Record<'a> {
    id: &'a str,
    title: &'a str,
    source: &'a str,
    effort: Effort,
    /// Message of the error if the figure could not be computed; the fields of results are then empty.
    error: Option<&'a str>,
    caption: &'a str,
    parameters: &'a Value,
    claims: Vec<ClaimRecord<'a>>,
    /// Names of all other files of the figure.
    files: Vec<&'a str>,
    seconds: f64,
    versions: &'a Versions,
}

/// Claim with its verdict, as in the JSON file.
#[derive(Debug, Serialize)]
struct ClaimRecord<'a> {
    text: &'a str,
    standing: &'a Standing,
    value: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    standard_error: Option<f64>,
    unit: &'a str,
    accept: [Value; 2],
    verdict: Verdict,
    shortened: Option<&'a str>,
}

impl<'a> Record<'a> {
    pub(crate) fn new(outcome: &'a Outcome, csv_name: &'a str, effort: Effort, versions: &'a Versions) -> Self {
        let figure = &outcome.figure;
        let mut record = Self {
            id: figure.id,
            title: figure.title,
            source: figure.source,
            effort,
            error: None,
            caption: "",
            parameters: &Value::Null,
            claims: Vec::new(),
            files: Vec::new(),
            seconds: outcome.seconds,
            versions,
        };
        match &outcome.result {
            Ok(finished) => {
                record.caption = &finished.caption;
                record.parameters = &finished.parameters;
                record.claims = finished.claims.iter().map(ClaimRecord::new).collect();
                record.files =
                    finished.pictures.iter().map(|picture| picture.name.as_str()).chain([csv_name]).collect();
            }
            Err(error) => record.error = Some(error),
        }
        record
    }
}

impl<'a> ClaimRecord<'a> {
    fn new(claim: &'a Claim) -> Self {
        Self {
            text: &claim.text,
            standing: &claim.standing,
            value: number(claim.value),
            standard_error: claim.standard_error,
            unit: &claim.unit,
            accept: [number(*claim.accept.start()), number(*claim.accept.end())],
            verdict: claim.verdict(),
            shortened: claim.shortened.as_deref(),
        }
    }
}

/// Returns the claims of a figure with their verdicts, for conversion to JSON.
pub(crate) fn claim_records(claims: &[Claim]) -> Vec<impl Serialize + '_> {
    claims.iter().map(ClaimRecord::new).collect()
}

/// Converts a number to JSON. NaN and infinities become text, since JSON has only null for all of them.
fn number(v: f64) -> Value {
    if v.is_finite() { json!(v) } else { json!(v.to_string()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claims_that_are_not_finite_stay_readable() {
        let claim = Claim::ours("t", f64::NAN, f64::NEG_INFINITY..=1.0);
        let text = serde_json::to_string(&ClaimRecord::new(&claim)).unwrap();
        let wanted = r#""value":"NaN","unit":"","accept":["-inf",1.0],"verdict":"fails","shortened":null"#;
        assert!(text.contains(wanted), "{text}");
    }
}
