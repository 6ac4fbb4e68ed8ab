//! The reference as a page in Markdown.

use std::collections::{BTreeMap, VecDeque};
use std::fmt::Write as _;

use serde_json::Value;

use super::lookup::toml_of;

const HEAD: &str = "\
# All keys of a scene

<!-- Made by `cargo xtask keys` from the types that read scenes. Do not edit it. -->

A scene is a file of TOML. This page has a table for each table of a scene. Units are m, kg and s; any other coherent
ones serve as well. Keys that are not *required* may be left out. *one of these* marks alternatives. Write one of
them: a word in quotation marks, or a table with one key, such as `normal = { hooke = { stiffness = 1e5 } }`. What a run
writes is explained in [columns of results](../crates/grains/columns.md).

Editors complete keys and mark faults by the schema. Write it to a file beside the scene,

```sh
grains schema > grains.schema.json
```

and name it in the first line of the scene, as [Taplo](https://taplo.tamasfe.dev) and Even Better TOML read it:

```toml
#:schema ./grains.schema.json
```
";

const REQUIRED: &str = "*required*";
const CHOICE: &str = "*one of these*";

/// Makes the reference of all keys as a page in Markdown: each table, key, unit, default and example.
#[must_use]
pub fn page() -> String {
    let schema = super::schema();
    let mut page = Page { schema: &schema, sections: BTreeMap::new(), waiting: VecDeque::new(), text: HEAD.to_owned() };
    page.section("The scene", &schema);
    while let Some((way, section)) = page.waiting.pop_front() {
        page.section(&format!("`{way}`"), section);
    }
    page.text
}

struct Page<'a> {
    schema: &'a Value,
    /// Heading of the section of each definition in the schema, by name.
    sections: BTreeMap<&'a str, String>,
    waiting: VecDeque<(String, &'a Value)>,
    text: String,
}

impl<'a> Page<'a> {
    fn section(&mut self, heading: &str, schema: &'a Value) {
        let description = schema["description"].as_str().unwrap_or_default();
        let _ = write!(self.text, "\n## {heading}\n\n{description}\n\n");
        self.text.push_str("| key | what it is | unit | default | example |\n|---|---|---|---|---|\n");
        let way = if heading.starts_with('`') { heading.trim_matches('`') } else { "" };
        self.keys("", way, schema, REQUIRED);
        for choice in choices(schema) {
            self.choice(way, choice);
        }
    }

    /// Writes a row of the page for each key of a table. `prefix` precedes the key, `way` is the path of the table in
    /// the scene, `needed` the text for required keys in the column of defaults.
    fn keys(&mut self, prefix: &str, way: &str, table: &'a Value, needed: &str) {
        let required = |name: &str| table["required"].as_array().is_some_and(|all| all.iter().any(|one| one == name));
        for (name, value) in table["properties"].as_object().into_iter().flatten() {
            let below = if way.is_empty() { name.clone() } else { format!("{way}.{name}") };
            let default = if required(name) { needed.to_owned() } else { code(value.get("default")) };
            self.row(&format!("`{prefix}{name}`"), value, &below, &default);
            if inline(value) {
                self.keys(&format!("{prefix}{name}."), &below, value, REQUIRED);
            }
        }
    }

    fn choice(&mut self, way: &str, choice: &'a Value) {
        let words = choice["enum"].as_array().into_iter().flatten().chain(choice.get("const"));
        for word in words {
            self.row(&code(Some(word)), choice, way, CHOICE);
        }
        // Keys common to all walls are listed once; their shapes are keys like others.
        self.keys("", way, choice, CHOICE);
        if choice.get("enum").is_none() && choice.get("const").is_none() && choice.get("properties").is_none() {
            let kind = choice["type"].as_str().map_or("", kind_of);
            if !kind.is_empty() {
                self.row(kind, choice, way, CHOICE);
            }
        }
    }

    fn row(&mut self, name: &str, value: &'a Value, way: &str, default: &str) {
        let mut what = value["description"].as_str().unwrap_or_default().to_owned();
        if let Some(target) = self.target(value, way) {
            if !what.is_empty() {
                what.push(' ');
            }
            let anchor: String = target.chars().filter(|c| c.is_alphanumeric() || *c == '-').collect();
            let _ = write!(what, "[Keys of `{target}`](#{anchor}).");
        }
        let unit = value["unit"].as_str().unwrap_or_default();
        let example = value["toml"].as_str().map_or_else(String::new, |text| format!("`{text}`"));
        let what = what.replace('|', "\\|");
        let _ = writeln!(self.text, "| {name} | {what} | {unit} | {default} | {example} |");
    }

    /// Returns the heading of the section on a value of a defined type, if it has one, and queues this section if it is
    /// new.
    fn target(&mut self, value: &'a Value, way: &str) -> Option<String> {
        let name = reference(value)?.trim_start_matches("#/definitions/");
        let definition = &self.schema["definitions"][name];
        if let Some(known) = self.sections.get(name) {
            return Some(known.clone());
        }
        self.sections.insert(name, way.to_owned());
        self.waiting.push_back((way.to_owned(), definition));
        Some(way.to_owned())
    }
}

/// Returns whether the schema defines a table in place, so that its keys are listed right below it.
fn inline(value: &Value) -> bool {
    value.get("properties").is_some()
}

/// Returns the path of the schema's definition to which a value or the items of a list refer, if any.
fn reference(value: &Value) -> Option<&str> {
    let own = value["$ref"].as_str().or_else(|| value["allOf"][0]["$ref"].as_str());
    let own = own.or_else(|| value["anyOf"][0]["$ref"].as_str());
    own.or_else(|| reference(value.get("items").or_else(|| value.get("additionalProperties"))?))
}

fn choices(schema: &Value) -> Vec<&Value> {
    let lists = ["oneOf", "anyOf"].into_iter().filter_map(|what| schema.get(what)?.as_array());
    let own = schema.get("enum").map(|_| schema);
    lists.flatten().chain(own).collect()
}

fn kind_of(name: &str) -> &'static str {
    match name {
        "number" => "a number",
        "integer" => "a whole number",
        "string" => "text",
        "array" => "a list of rows",
        _ => "",
    }
}

fn code(value: Option<&Value>) -> String {
    match value.and_then(toml_of) {
        Some(text) if !["\"\"", "[]", "{}"].contains(&text.as_str()) => format!("`{text}`"),
        _ => String::new(),
    }
}
