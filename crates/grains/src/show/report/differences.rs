//! What differs between the scenes of several runs.

use std::collections::BTreeMap;

use toml::Value;

/// Returns a name for each run that says what its scene has that the others do not: `contact.friction = 0.3`. Runs whose
/// scenes are unknown or equal have the names of their folders.
pub(super) fn names(folders: &[String], scenes: &[Option<String>]) -> Vec<String> {
    let values: Vec<BTreeMap<String, String>> = scenes.iter().map(|scene| flat(scene.as_deref())).collect();
    let mut keys: Vec<&String> = values.iter().flat_map(BTreeMap::keys).collect();
    keys.sort();
    keys.dedup();
    let differs = |key: &&String| values.iter().any(|scene| scene.get(*key) != values[0].get(*key));
    let keys: Vec<&String> = keys.into_iter().filter(differs).filter(|key| *key != "title").collect();
    let name = |(folder, scene): (&String, &BTreeMap<String, String>)| {
        let found = keys.iter().filter_map(|key| Some(format!("{key} = {}", scene.get(*key)?))).collect::<Vec<_>>();
        let is_short = (1..=2).contains(&found.len());
        if is_short { found.join(", ") } else { folder.clone() }
    };
    let names: Vec<String> = folders.iter().zip(&values).map(name).collect();
    let is_told_apart = (1..names.len()).all(|k| !names[..k].contains(&names[k]));
    if is_told_apart { names } else { folders.to_vec() }
}

/// Returns all values of a scene by their keys, such as `walls[0].name`.
fn flat(scene: Option<&str>) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    if let Some(Ok(table)) = scene.map(str::parse::<toml::Table>) {
        add(String::new(), &Value::Table(table), &mut found);
    }
    found
}

fn add(key: String, value: &Value, to: &mut BTreeMap<String, String>) {
    match value {
        Value::Table(table) => {
            let dot = if key.is_empty() { "" } else { "." };
            table.iter().for_each(|(name, value)| add(format!("{key}{dot}{name}"), value, to));
        }
        Value::Array(items) if items.iter().any(Value::is_table) => {
            items.iter().enumerate().for_each(|(k, value)| add(format!("{key}[{k}]"), value, to));
        }
        value => {
            to.insert(key, value.to_string());
        }
    }
}
