//! Look-up of the reference by key, such as `bodies[0].place.pour.count`.

use serde_json::{Map, Value};

/// The reference's entry for one key.
#[derive(Debug, Clone, Default)]
pub(crate) struct Entry {
    /// Full key without indices of lists, such as `contact.materials`, and (`name`) its last part.
    pub(crate) key: String,
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) unit: Option<String>,
    pub(crate) example: Option<String>,
}

#[derive(Debug)]
pub(crate) struct Reference {
    schema: Value,
}

impl Reference {
    pub(crate) fn new() -> Self {
        Self { schema: super::schema() }
    }

    /// Returns the entry of `key`, or of the nearest table above it that has a description.
    pub(crate) fn entry(&self, key: &str) -> Option<Entry> {
        let mut key = key;
        loop {
            let found = self.find(key);
            let said = found.iter().find_map(|schema| schema["description"].as_str());
            if let (Some(description), false) = (said, key.ends_with(']')) {
                let of = |what: &str| found.iter().find_map(|schema| schema.get(what));
                return Some(Entry {
                    key: without_numbers(key),
                    name: key.rsplit('.').next().unwrap_or(key).to_owned(),
                    description: description.to_owned(),
                    unit: of("unit").and_then(Value::as_str).map(str::to_owned),
                    example: of("toml").and_then(Value::as_str).map(str::to_owned),
                });
            }
            key = &key[..key.rfind(['.', '['])?];
        }
    }

    /// Lists the keys of the table at `key`, in any of its alternative forms.
    pub(crate) fn keys(&self, key: &str) -> Vec<&str> {
        let tables = self.find(key).into_iter().filter_map(|schema| schema["properties"].as_object());
        tables.flat_map(|table| table.keys().map(String::as_str)).collect()
    }

    /// Lists the tables with a key `name`: tables within the one at `key` first, then by the lengths of their paths.
    pub(crate) fn tables_with(&self, name: &str, key: &str) -> Vec<String> {
        let own = without_numbers(key);
        let mut found = Vec::new();
        self.collect(&self.schema, name, "", 0, &mut found);
        let is_elsewhere = |way: &str| own.is_empty() || !way.starts_with(&own);
        found.sort_by_key(|way: &String| (is_elsewhere(way), way.matches('.').count(), way.len()));
        found.dedup();
        found
    }

    fn collect(&self, schema: &Value, name: &str, above: &str, depth: usize, found: &mut Vec<String>) {
        // Deeper keys belong to tables that occur in several places.
        if depth > 3 {
            return;
        }
        for form in self.forms(schema) {
            for (key, value) in form["properties"].as_object().into_iter().flatten() {
                if key == name {
                    found.push(above.to_owned());
                }
                let way = if above.is_empty() { key.clone() } else { format!("{above}.{key}") };
                self.collect(value, name, &way, depth + 1, found);
            }
            if let Some(items) = form.get("items").filter(|items| items.is_object()) {
                self.collect(items, name, above, depth, found);
            }
        }
    }

    /// Returns all schemas of the value at `key`: its own schema, then those of its alternative forms.
    fn find(&self, key: &str) -> Vec<&Value> {
        let mut found = self.forms(&self.schema);
        for part in key.split(['.', '[']).filter(|part| !part.is_empty()) {
            let below: Vec<&Value> = match part.strip_suffix(']').map(str::parse::<usize>) {
                Some(index) => {
                    let index = index.unwrap_or(0);
                    found.iter().filter_map(|schema| item(schema, index)).collect()
                }
                None => found.iter().filter_map(|schema| child(schema, part)).collect(),
            };
            found = below.into_iter().flat_map(|schema| self.forms(schema)).collect();
        }
        found
    }

    /// Returns a schema and all schemas to which it refers or which it lists as alternatives.
    fn forms<'a>(&'a self, schema: &'a Value) -> Vec<&'a Value> {
        let mut forms = vec![schema];
        let mut next = 0;
        while let Some(&form) = forms.get(next) {
            next += 1;
            let target = form["$ref"].as_str().and_then(|way| self.schema.pointer(way.trim_start_matches('#')));
            forms.extend(target);
            let lists = ["allOf", "anyOf", "oneOf"].into_iter().filter_map(|what| form.get(what)?.as_array());
            forms.extend(lists.flatten());
        }
        forms
    }
}

fn without_numbers(key: &str) -> String {
    let parts = key.split('[').enumerate();
    parts.map(|(k, part)| if k == 0 { part } else { part.split_once(']').map_or("", |(_, rest)| rest) }).collect()
}

fn child<'a>(schema: &'a Value, name: &str) -> Option<&'a Value> {
    let named = schema.get("properties").and_then(|keys| keys.get(name));
    named.or_else(|| schema.get("additionalProperties").filter(|value| value.is_object()))
}

fn item(schema: &Value, index: usize) -> Option<&Value> {
    match schema.get("items")? {
        Value::Array(items) => items.get(index),
        items => Some(items),
    }
}

pub(super) fn toml_of(value: &Value) -> Option<String> {
    let all = |items: Vec<Option<String>>| Some(items.into_iter().collect::<Option<Vec<_>>>()?.join(", "));
    Some(match value {
        Value::Null => return None,
        Value::Array(items) => format!("[{}]", all(items.iter().map(toml_of).collect())?),
        Value::Object(table) if table.is_empty() => "{}".to_owned(),
        Value::Object(table) => format!("{{ {} }}", all(entries(table))?),
        Value::Number(number) if number.is_f64() => number.as_f64().map(|number| format!("{number:?}"))?,
        other => other.to_string(),
    })
}

fn entries(table: &Map<String, Value>) -> Vec<Option<String>> {
    table.iter().map(|(key, value)| Some(format!("{key} = {}", toml_of(value)?))).collect()
}
