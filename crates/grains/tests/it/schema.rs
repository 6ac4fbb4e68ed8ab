//! The reference of all keys: scenes of the repository and of its pages conform to the schema, and invalid ones do not.

use std::fs;
use std::path::{Path, PathBuf};

use grains::reference::{page, schema, schema_for_editors};
use serde_json::Value;

use crate::support::scenes;

/// Returns the first violation of a schema by a value at the path `way`.
fn fault(root: &Value, schema: &Value, value: &Value, way: &str) -> Option<String> {
    let wrong = |what: &str| Some(format!("{way}: {what}: {value}"));
    if let Some(reference) = schema["$ref"].as_str() {
        let target = root.pointer(reference.trim_start_matches('#')).unwrap();
        return fault(root, target, value, way);
    }
    let is_of = |kind: &str| match kind {
        "number" => value.is_number(),
        "integer" => value.is_i64() || value.is_u64(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => panic!("{way}: the kind {kind}"),
    };
    if schema["type"].as_str().is_some_and(|kind| !is_of(kind)) {
        return wrong("is of another kind");
    }
    if schema.get("const").is_some_and(|only| only != value) {
        return wrong("is another word");
    }
    if schema["enum"].as_array().is_some_and(|all| !all.contains(value)) {
        return wrong("is none of the words");
    }
    if schema["minimum"].as_f64().zip(value.as_f64()).is_some_and(|(least, value)| value < least) {
        return wrong("is too small");
    }
    let valid = |choices: &Value| {
        choices.as_array().map(|all| all.iter().filter(|one| fault(root, one, value, way).is_none()).count())
    };
    if valid(&schema["oneOf"]).is_some_and(|count| count != 1) || valid(&schema["anyOf"]).is_some_and(|count| count < 1)
    {
        return wrong("is none of the choices");
    }
    let all = schema["allOf"].as_array().into_iter().flatten();
    if let Some(found) = all.into_iter().find_map(|one| fault(root, one, value, way)) {
        return Some(found);
    }
    match value {
        Value::Array(items) => {
            let length = Some(items.len() as u64);
            let off = |limit: &str, is_off: fn(Option<u64>, Option<u64>) -> bool| {
                schema.get(limit).is_some_and(|limit| is_off(length, limit.as_u64()))
            };
            if off("minItems", |length, least| length < least) || off("maxItems", |length, most| length > most) {
                return wrong("is of another length");
            }
            let item = |index: usize| match &schema["items"] {
                Value::Array(each) => each.get(index),
                items => Some(items),
            };
            let faults = items.iter().enumerate();
            faults.filter_map(|(k, value)| fault(root, item(k)?, value, &format!("{way}[{k}]"))).next()
        }
        Value::Object(table) => {
            let mut required = schema["required"].as_array().into_iter().flatten();
            if let Some(missing) = required.find(|name| !table.contains_key(name.as_str().unwrap())) {
                return wrong(&format!("has no {missing}"));
            }
            table.iter().find_map(|(key, value)| {
                let below = format!("{way}.{key}");
                match (schema["properties"].get(key), schema.get("additionalProperties")) {
                    (Some(schema), _) => fault(root, schema, value, &below),
                    (None, Some(Value::Bool(false))) => Some(format!("{below}: there is no such key")),
                    (None, Some(schema)) => fault(root, schema, value, &below),
                    (None, None) => None,
                }
            })
        }
        _ => None,
    }
}

fn fault_of(text: &str) -> Option<String> {
    let scene = toml::from_str::<Value>(text).unwrap();
    let schema = schema_for_editors();
    fault(&schema, &schema, &scene, "scene")
}

fn scenes_in(page: &Path) -> Vec<String> {
    let text = fs::read_to_string(page).unwrap();
    let blocks = text.split("```toml\n").skip(1).map(|rest| rest.split("```").next().unwrap().to_owned());
    blocks.collect()
}

fn files(folder: PathBuf, ending: &str) -> Vec<PathBuf> {
    let all = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    all.filter(|path| path.extension().is_some_and(|found| found == ending)).collect()
}

#[test]
fn scenes_and_examples_in_pages_are_as_the_schema_says() {
    let mut count = 0;
    let home = Path::new(env!("CARGO_MANIFEST_DIR"));
    // Scenes that say `sides`, the former name of `boundary`, or have mistakes.
    let others = ["mistakes.toml", "periodic_wall_fin.toml", "pour2.toml"];
    let is_scene = |path: &PathBuf| others.iter().all(|other| !path.ends_with(other));
    let tests = files(home.join("tests/data"), "toml").into_iter().filter(is_scene);
    for path in files(scenes(), "toml").into_iter().chain(tests) {
        assert_eq!(fault_of(&fs::read_to_string(&path).unwrap()), None, "{}", path.display());
        count += 1;
    }
    for path in files(scenes(), "md").into_iter().chain([home.join("README.md")]) {
        for block in scenes_in(&path) {
            // Parts of scenes are completed by keys that every scene needs.
            let text =
                if block.contains("integrator") { block.clone() } else { format!("integrator = \"verlet\"\n{block}") };
            assert_eq!(fault_of(&text), None, "{}: {block}", path.display());
            count += 1;
        }
    }
    assert!(count >= 15, "{count}");
}

#[test]
fn the_schema_refuses_what_scenes_refuse() {
    const SCENE: &str = r#"
        integrator = "verlet"
        contact = { normal = { hooke = { stiffness = 1e5 } }, damping = { restitution = 0.5 } }
        bodies = [{ place = { list = [[0.0, 0.0, 1.0]] }, radius = 0.5, mass = 1.0 }]
        walls = [{ name = "floor", plane = { point = [0.0, 0.0, 0.0], normal = [0.0, 0.0, 1.0] } }]
        output = { series = { time = 0.1 } }
        stage = [{ duration = 1.0, walls = { floor = "gone" } }]
    "#;
    assert_eq!(fault_of(SCENE), None);
    for (from, to) in [
        ("integrator = \"verlet\"", ""),
        ("\"verlet\"", "\"leapfrog\""),
        ("stiffness = 1e5", "stiffness = \"1e5\""),
        ("{ restitution = 0.5 }", "0.5"),
        ("[[0.0, 0.0, 1.0]]", "[[0.0, 1.0]]"),
        ("radius = 0.5", "diameter = 1.0"),
        ("plane", "plain"),
        ("normal = [0.0, 0.0, 1.0] }", "normal = [0.0, 0.0, 1.0], material = \"glass\" }"),
        ("\"floor\", ", "\"floor\", elastic = {}, "),
        ("time = 0.1", "seconds = 0.1"),
        ("duration = 1.0, ", ""),
        ("\"gone\"", "\"away\""),
    ] {
        let text = SCENE.replacen(from, to, 1);
        assert!(text != SCENE && fault_of(&text).is_some(), "{from} -> {to}");
    }
}

/// Every key has a description and an example that conforms to the schema.
#[test]
fn every_key_is_described_with_an_example() {
    fn visit(root: &Value, schema: &Value, way: &str, faults: &mut Vec<String>) {
        match schema {
            Value::Object(object) => {
                for (name, key) in schema["properties"].as_object().into_iter().flatten() {
                    let examples = key["examples"].as_array();
                    match (key["description"].as_str(), examples.and_then(|examples| examples.first())) {
                        (Some(text), Some(example)) if !text.is_empty() && !example.is_null() => {
                            faults.extend(fault(root, key, example, &format!("{way}.{name}")));
                        }
                        _ => faults.push(format!("{way}.{name} has no description or no example")),
                    }
                    let text = key["description"].as_str().unwrap_or_default();
                    if text.contains("::") || text.contains("[`") {
                        faults.push(format!("{way}.{name} speaks of Rust: {text}"));
                    }
                }
                object.iter().for_each(|(name, value)| visit(root, value, &format!("{way}/{name}"), faults));
            }
            Value::Array(items) => items.iter().for_each(|item| visit(root, item, way, faults)),
            _ => {}
        }
    }
    let schema = schema();
    let mut faults = Vec::new();
    visit(&schema, &schema, "", &mut faults);
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn the_page_of_all_keys_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/scenes.md");
    assert!(fs::read_to_string(path).unwrap() == page(), "write it anew with: cargo xtask keys");
}
