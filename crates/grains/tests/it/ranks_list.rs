//! Completeness of the scenes on ranks: each key and word of a scene for laws, walls, sources, bonds and measurements
//! is in a scene of `ranks_scenes`, or is refused on ranks.

use std::collections::BTreeSet;

use grains::reference::schema;
use serde_json::Value;

use crate::ranks_laws::SPRINGS;
use crate::ranks_scenes::{
    Named, bonds, damped, deforming, driven, laws, low_bed, measures, streams, surroundings, walls,
};

/// Tables of a scene with several kinds.
const TABLES: &str = "bodies.oscillation bodies.table bonds box.servo box.shear box.strain-rate contact gates integrator \
                      liquid measure sources ties walls global-damping";

/// Keys that ranks refuse, and keys without effect on ranks, such as sizes of grains of sources.
const NOT_HERE: &str = "global-damping.off integrator.contact-dynamics integrator.exact-energy integrator.implicit \
                        integrator.static sources.sizes";

/// Returns whether a key is in this list or below a key of the list.
fn is_in(key: &str, tables: &str) -> bool {
    tables.split(' ').any(|table| key.strip_prefix(table).is_some_and(|rest| rest.is_empty() || rest.starts_with('.')))
}

/// Converts a key of a pair of materials to the key for all contacts.
fn of_all_contacts(key: &str) -> String {
    key.replacen("contact.pairs.", "contact.", 1)
}

/// Collects the keys and words of the schema, such as `contact.normal.hooke`. `way` is the path of `schema`.
fn known(root: &Value, schema: &Value, way: &str, found: &mut BTreeSet<String>) {
    if let Some(reference) = schema["$ref"].as_str() {
        let target = root.pointer(reference.trim_start_matches('#')).unwrap();
        known(root, target, way, found);
    }
    let forms = ["oneOf", "anyOf", "allOf"].into_iter().filter_map(|form| schema[form].as_array()).flatten();
    forms.chain(schema.get("items")).for_each(|form| known(root, form, way, found));
    let words = schema["enum"].as_array().into_iter().flatten().chain(schema.get("const"));
    found.extend(words.filter_map(Value::as_str).map(|word| format!("{way}.{word}")));
    for (name, value) in schema["properties"].as_object().into_iter().flatten() {
        let key = format!("{way}.{name}");
        known(root, value, &key, found);
        found.insert(key);
    }
}

/// Collects the keys and words of a scene.
fn used(value: &Value, way: &str, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(table) => {
            for (name, value) in table {
                let key = format!("{way}.{name}");
                used(value, &key, found);
                found.insert(key);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| used(item, way, found)),
        Value::String(word) => drop(found.insert(format!("{way}.{word}"))),
        _ => {}
    }
}

fn all_scenes() -> Vec<Named> {
    let groups = [laws(), walls(), streams(), bonds(), surroundings(), driven(), damped(), deforming(), measures()];
    groups.into_iter().flatten().chain([("springs", low_bed(SPRINGS))]).collect()
}

#[test]
fn no_kind_is_missing_on_ranks() {
    let schema = schema();
    let mut wanted = BTreeSet::new();
    let mut there = BTreeSet::new();
    known(&schema, &schema, "", &mut wanted);
    for (_, text) in all_scenes() {
        used(&toml::from_str(&text).unwrap(), "", &mut there);
    }
    let plain = |keys: BTreeSet<String>| keys.iter().map(|key| of_all_contacts(&key[1..])).collect::<BTreeSet<_>>();
    let wanted = plain(wanted);
    let there = plain(there);
    let missing: Vec<&String> = wanted.difference(&there).collect();
    let missing: Vec<_> = missing.into_iter().filter(|key| is_in(key, TABLES) && !is_in(key, NOT_HERE)).collect();
    assert!(missing.is_empty(), "no scene of `ranks_scenes` has these: {missing:?}");
    let count = wanted.iter().filter(|key| is_in(key, TABLES)).count();
    println!("{count} keys and words");
    assert!(count > 200, "{count}");
}
