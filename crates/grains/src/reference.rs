//! The reference of all keys of a scene, generated from the types that read it.
//!
//! [`schema`] is a JSON schema, [`schema_for_editors`] its printed form, [`page()`] a page in Markdown. `lookup` finds
//! the entry of one key, `foreign` knows the terms of other programs.

pub(crate) mod foreign;
pub(crate) mod lookup;
mod page;

use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

pub use self::page::page;
use crate::scene::Scene;

/// Makes the JSON schema (draft 7) of a scene. Besides the standard's keywords it has `unit` at keys with a dimension,
/// and `toml`, an example in the form of a scene.
#[must_use]
pub fn schema() -> Value {
    let mut schema = SchemaSettings::draft07().into_generator().into_root_schema_for::<Scene>().to_value();
    tidy(&mut schema);
    schema["title"] = "A scene of grains".into();
    schema
}

/// Page of all columns of results in Markdown, with the meaning, the unit and the sign of each column:
///
#[doc = include_str!("../columns.md")]
pub const COLUMNS: &str = include_str!("../columns.md");

/// Makes the schema of a scene for editors. Editors show descriptions but no units, and some show the description of
/// the referenced type instead of that of the key.
#[must_use]
pub fn schema_for_editors() -> Value {
    let mut schema = schema();
    describe_in_full(&mut schema);
    schema
}

/// Appends the unit of each key to its description, unless the text names the unit, and repeats the description beside
/// a reference to the key's type.
fn describe_in_full(schema: &mut Value) {
    match schema {
        Value::Array(items) => items.iter_mut().for_each(describe_in_full),
        Value::Object(object) => {
            object.values_mut().for_each(describe_in_full);
            let unit = object.get("unit").and_then(Value::as_str).map(str::to_owned);
            let Some(Value::String(text)) = object.get_mut("description") else { return };
            if let Some(unit) = unit.filter(|unit| !text.contains(&format!("in {unit}"))) {
                text.push_str(&format!(" Unit: {unit}."));
            }
            // Without this keyword some editors would treat the part as a table without keys.
            let own = json!({ "description": text, "additionalProperties": true });
            if let Some(Value::Array(parts)) = object.get_mut("allOf") {
                parts.push(own);
            }
        }
        _ => {}
    }
}

/// Converts a schema derived from Rust types to a schema of TOML, which has no null, with descriptions for all users.
fn tidy(schema: &mut Value) {
    match schema {
        Value::Array(items) => items.iter_mut().for_each(tidy),
        Value::Object(object) => {
            object.values_mut().for_each(tidy);
            if let Some(Value::String(text)) = object.get_mut("description") {
                *text = plain(text);
            }
            if object.get("format").is_some_and(Value::is_string) {
                object.remove("format");
            }
            object.retain(|_, value| !value.is_null());
            drop_null(object);
            describe_the_only_key(object);
            if let Some(Value::String(text)) = object.get("toml") {
                let example = value_of(text);
                object.insert("examples".to_owned(), json!([example]));
            }
        }
        _ => {}
    }
}

fn value_of(text: &str) -> Value {
    let table = toml::from_str::<Map<String, Value>>(&format!("value = {text}"));
    table.ok().and_then(|mut table| table.remove("value")).unwrap_or_default()
}

fn drop_null(object: &mut Map<String, Value>) {
    if let Some(Value::Array(types)) = object.get_mut("type") {
        types.retain(|name| name != "null");
        if let [only] = &types[..] {
            let only = only.clone();
            object.insert("type".to_owned(), only);
        }
    }
    let Some(Value::Array(choices)) = object.get_mut("anyOf") else { return };
    choices.retain(|choice| choice["type"] != "null");
    if let [_] = &choices[..] {
        let only = object.remove("anyOf").unwrap_or_default();
        object.insert("allOf".to_owned(), only);
    }
}

/// Gives the only key of a choice the description, unit and example of the choice.
fn describe_the_only_key(choice: &mut Map<String, Value>) {
    let told = ["description", "unit", "toml"].map(|what| (what, choice.get(what).cloned()));
    if choice.get("required").and_then(Value::as_array).is_none_or(|required| required.len() != 1) {
        return;
    }
    let Some(Value::Object(keys)) = choice.get_mut("properties") else { return };
    if keys.len() != 1 {
        return;
    }
    for (name, key) in keys {
        let Value::Object(key) = key else { continue };
        if let Some(reference) = key.remove("$ref") {
            key.insert("allOf".to_owned(), json!([{ "$ref": reference }]));
        }
        for (what, text) in &told {
            let Some(text) = text else { continue };
            let example =
                text.as_str().and_then(|text| text.strip_prefix(&format!("{{ {name} = "))?.strip_suffix(" }"));
            let text = if *what == "toml" { example.map(Value::from) } else { Some(text.clone()) };
            if let Some(text) = text.filter(|_| !key.contains_key(*what)) {
                if *what == "toml"
                    && let Some(text) = text.as_str()
                {
                    key.insert("examples".to_owned(), json!([value_of(text)]));
                }
                key.insert((*what).to_owned(), text);
            }
        }
    }
}

/// Returns the text of a doc comment with names for links to Rust items, or without these links.
fn plain(text: &str) -> String {
    let mut plain = text.split_whitespace().collect::<Vec<_>>().join(" ");
    while let Some(end) = plain.find("](") {
        let (Some(start), Some(close)) = (plain[..end].rfind("[`"), plain[end..].find(')')) else { break };
        let name = plain[start + 1..end].to_owned();
        plain.replace_range(start..=end + close, &name);
    }
    // A link after a colon or "see" points to further reading in Rust.
    while let Some(start) = [": [`dem_contact::", ", see [`dem_contact::"].iter().find_map(|link| plain.find(link)) {
        let Some(end) = plain[start..].find(']') else { break };
        plain.replace_range(start..=start + end, "");
    }
    plain
}
