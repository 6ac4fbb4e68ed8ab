//! Names of runs for legends, made of what differs between their scenes.

use std::collections::BTreeMap;

use toml::Value;

use crate::results::Results;

/// Largest number of characters of a name made of differences; longer names are replaced by the folders of the runs.
const LONGEST: usize = 60;

/// Returns a name such as `friction = 0.3` for each run, which says which keys of its scene differ from those of the
/// other runs. A key of a table with a name is written with it, such as `walls.drum.spin`. Another key is written whole,
/// such as `walls[0].friction`, if several of the keys that differ have the same last word. If a scene is unknown, or scenes are equal or differ in much, the names are those of the folders of the
/// runs, or the paths of these folders.
pub(super) fn names(runs: &[Results]) -> Vec<String> {
    let values: Vec<BTreeMap<String, String>> = runs.iter().map(|run| flat(run.scene.as_deref())).collect();
    let mut keys: Vec<&String> = values.iter().flat_map(BTreeMap::keys).collect();
    keys.sort();
    keys.dedup();
    let differs = |key: &&String| values.iter().any(|scene| scene.get(*key) != values[0].get(*key));
    let keys: Vec<&String> = keys.into_iter().filter(differs).filter(|key| *key != "title").collect();
    let short = |key: &String| {
        let word = last_word(key);
        let is_shared = keys.iter().filter(|other| last_word(other) == word).count() > 1;
        let named = values.iter().find_map(|scene| named(key, scene));
        named.unwrap_or_else(|| if is_shared { key.clone() } else { word.to_owned() })
    };
    let said = |scene: &BTreeMap<String, String>| {
        let found = keys.iter().filter_map(|key| Some(format!("{} = {}", short(key), scene.get(*key)?)));
        let found = found.collect::<Vec<_>>();
        let name = found.join(", ");
        (1..=LONGEST).contains(&name.chars().count()).then_some(name)
    };
    let are_told_apart = |names: &[String]| (1..names.len()).all(|k| !names[..k].contains(&names[k]));
    let said = values.iter().map(said).collect::<Option<Vec<_>>>();
    let folders = runs.iter().map(Results::name).collect::<Vec<_>>();
    let paths = runs.iter().map(|run| run.folder.display().to_string()).collect::<Vec<_>>();
    said.into_iter().chain([folders]).find(|names| are_told_apart(names)).unwrap_or(paths)
}

/// Returns a key of a table in a list with the name of this table, such as `walls.drum.spin` for
/// `walls[0].cylinder.spin`; `None` for a table without a name, and for the name itself.
fn named(key: &str, scene: &BTreeMap<String, String>) -> Option<String> {
    let end = key.rfind(']')? + 1;
    let (table, rest) = key.split_at(end);
    let list = table.rsplit_once('[')?.0;
    let name = scene.get(&format!("{table}.name"))?.trim_matches('"');
    let word = last_word(rest);
    (word != "name").then(|| format!("{}.{name}.{word}", last_word(list)))
}

/// Returns the part of a key after its last dot.
fn last_word(key: &str) -> &str {
    key.rsplit('.').next().unwrap_or(key)
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
