//! Answers of commands as JSON, for programs that call them.

use serde_json::{Map, Value, json};

use crate::estimate::Estimate;
use crate::stored_measures::MeasuredTable;

/// Returns an estimate: sizes in bytes, times in seconds, ranges as two numbers.
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

/// Returns facts that are shown as lines of a name and a value as an object, with underscores in the names.
pub(super) fn facts(facts: Vec<(&'static str, Value)>) -> Value {
    Value::Object(facts.into_iter().map(|(name, value)| (name.replace(' ', "_"), value)).collect())
}

/// Returns the tables that `grains measure` prints as an array of objects: the name of the measurement, its columns and
/// rows. Numbers are numbers, empty fields are null.
pub(super) fn tables(tables: &[MeasuredTable]) -> Value {
    let table = |MeasuredTable { name, csv }: &MeasuredTable| {
        let mut lines = csv.lines().map(|line| line.split(',').collect::<Vec<_>>());
        let columns = lines.next()?;
        let rows = lines.map(|fields| fields.into_iter().map(field).collect::<Vec<_>>()).collect::<Vec<_>>();
        let mut table = Map::new();
        table.insert("name".into(), name.as_str().into());
        table.insert("columns".into(), columns.into());
        table.insert("rows".into(), rows.into());
        Some(Value::Object(table))
    };
    tables.iter().filter_map(table).collect()
}

fn field(text: &str) -> Value {
    match text.parse::<f64>() {
        _ if text.is_empty() => Value::Null,
        Ok(number) => serde_json::Number::from_f64(number).map_or(Value::Null, Value::Number),
        Err(_) => text.into(),
    }
}
