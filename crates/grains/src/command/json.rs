//! Answers of commands as JSON, for programs that call them.

use serde_json::{Map, Value, json};

use crate::estimate::Estimate;

/// Converts an estimate to JSON: sizes in bytes, times in seconds, ranges as two numbers.
pub(super) fn estimate(estimate: &Estimate) -> Value {
    let seconds = |range: [std::time::Duration; 2]| range.map(|time| time.as_secs_f64());
    json!({
        "title": estimate.title, "integrator": estimate.integrator,
        "bodies": estimate.bodies, "last_bodies": estimate.last_bodies, "fixed": estimate.fixed,
        "walls": estimate.walls, "bonds": estimate.bonds, "contacts": estimate.contacts,
        "dt": estimate.dt, "recommended_dt": estimate.recommended_dt, "decided_by": estimate.decided_by,
        "steps": estimate.steps, "tried": estimate.tried,
        "memory": estimate.memory, "results": estimate.results,
        "duration": seconds(estimate.duration), "processor": estimate.processor.map(seconds),
        "notes": estimate.notes.iter().map(ToString::to_string).collect::<Vec<_>>(),
    })
}

/// Converts named facts to a JSON object, with underscores for spaces in the names.
pub(super) fn facts(facts: Vec<(&'static str, Value)>) -> Value {
    Value::Object(facts.into_iter().map(|(name, value)| (name.replace(' ', "_"), value)).collect())
}

/// Converts the tables of `grains measure` to an array of objects, each with the name of the measurement, its columns
/// and its rows. Empty fields are null.
pub(super) fn tables(text: &str) -> Value {
    let table = |text: &str| {
        let (name, rest) = text.trim_start_matches("# ").split_once('\n')?;
        let mut lines = rest.lines().map(|line| line.split(',').collect::<Vec<_>>());
        let columns = lines.next()?;
        let rows = lines.map(|fields| fields.into_iter().map(field).collect::<Vec<_>>()).collect::<Vec<_>>();
        let mut table = Map::new();
        table.insert("name".into(), name.into());
        table.insert("columns".into(), columns.into());
        table.insert("rows".into(), rows.into());
        Some(Value::Object(table))
    };
    text.split("\n\n").filter_map(table).collect()
}

fn field(text: &str) -> Value {
    match text.parse::<f64>() {
        _ if text.is_empty() => Value::Null,
        Ok(number) => serde_json::Number::from_f64(number).map_or(Value::Null, Value::Number),
        Err(_) => text.into(),
    }
}
