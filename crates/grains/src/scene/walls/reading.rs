//! Reading a wall: `name`, `material`, `groups` and what drives it beside the one key that is its shape.

use std::fmt;

use serde::de::value::{MapAccessDeserializer, StrDeserializer};
use serde::de::{DeserializeSeed, Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::motion::WallDrive;
use super::{WallGroup, WallShape};

const KEYS: &[&str] = &[
    "name",
    "material",
    "groups",
    "oscillation",
    "table",
    "turn",
    "surface-velocity",
    "servo",
    "plane",
    "box",
    "cylinder",
    "revolution",
    "stl",
    "elastic",
];
/// Index of the first shape in [`KEYS`].
const SHAPES: usize = 8;

impl<'de> Deserialize<'de> for WallGroup {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_map(Group)
    }
}

struct Group;

impl<'de> Visitor<'de> for Group {
    type Value = WallGroup;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a table with one of plane, box, cylinder, revolution, stl and elastic")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<WallGroup, A::Error> {
        let mut name = None;
        let mut material = None;
        let mut shape = None;
        let mut drive = WallDrive::default();
        let mut groups = Vec::new();
        while let Some(key) = map.next_key::<String>()? {
            match (key.as_str(), KEYS[SHAPES..].iter().find(|known| **known == key)) {
                ("name", _) => name = Some(map.next_value()?),
                ("material", _) => material = Some(map.next_value()?),
                ("groups", _) => {
                    groups = map.next_value()?;
                    if groups.is_empty() {
                        return Err(A::Error::custom("its `groups` are none: leave them out if all bodies feel it"));
                    }
                }
                ("oscillation", _) => drive.oscillation = Some(map.next_value()?),
                ("table", _) => drive.table = Some(map.next_value()?),
                ("turn", _) => drive.turn = Some(map.next_value()?),
                ("surface-velocity", _) => drive.surface_velocity = Some(map.next_value()?),
                ("servo", _) => drive.servo = Some(map.next_value()?),
                (_, Some(_)) if shape.is_some() => {
                    return Err(A::Error::custom("has two shapes: write `[[walls]]` before each wall"));
                }
                (_, Some(known)) => {
                    let entry = Entry { key: Some(*known), map: &mut map };
                    shape = Some(WallShape::deserialize(MapAccessDeserializer::new(entry))?);
                }
                _ => return Err(A::Error::unknown_field(&key, KEYS)),
            }
        }
        let missing = "has no shape: write one of plane, box, cylinder, revolution, stl and elastic";
        Ok(WallGroup { name, material, groups, shape: shape.ok_or_else(|| A::Error::custom(missing))?, drive })
    }
}

/// The entry of a wall's table whose key is a shape, as a table of this entry alone, which serde reads as an enum.
struct Entry<'a, A> {
    key: Option<&'static str>,
    map: &'a mut A,
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Entry<'_, A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, A::Error> {
        let Some(key) = self.key.take() else { return Ok(None) };
        seed.deserialize(StrDeserializer::<A::Error>::new(key)).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, A::Error> {
        self.map.next_value_seed(seed)
    }
}
