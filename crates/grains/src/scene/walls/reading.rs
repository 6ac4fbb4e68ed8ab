//! Reading a wall: `name`, `material`, `groups` and what drives it beside the one key that is its shape.

use std::fmt;

use serde::de::value::StrDeserializer;
use serde::de::{DeserializeSeed, EnumAccess, Error, IntoDeserializer, MapAccess, VariantAccess, Visitor};
use serde::{Deserialize, Deserializer, forward_to_deserialize_any};

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
                (_, Some(known)) => shape = Some(map.next_value_seed(ShapeNamed(known))?),
                _ => return Err(A::Error::unknown_field(&key, KEYS)),
            }
        }
        let missing = "has no shape: write one of plane, box, cylinder, revolution, stl and elastic";
        Ok(WallGroup { name, material, groups, shape: shape.ok_or_else(|| A::Error::custom(missing))?, drive })
    }
}

/// Seed that reads the shape of this name.
struct ShapeNamed(&'static str);

impl<'de> DeserializeSeed<'de> for ShapeNamed {
    type Value = WallShape;

    fn deserialize<D: Deserializer<'de>>(self, value: D) -> Result<WallShape, D::Error> {
        WallShape::deserialize(Variant { name: self.0, value })
    }
}

/// A key and its value, as a variant of the enum of shapes.
struct Variant<D> {
    name: &'static str,
    value: D,
}

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Variant<D> {
    type Error = D::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        visitor.visit_enum(self)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

impl<'de, D: Deserializer<'de>> EnumAccess<'de> for Variant<D> {
    type Error = D::Error;
    type Variant = Value<D>;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Value<D>), D::Error> {
        let name: StrDeserializer<'_, D::Error> = self.name.into_deserializer();
        Ok((seed.deserialize(name)?, Value(self.value)))
    }
}

/// The value of a shape, as the content of its variant.
struct Value<D>(D);

impl<'de, D: Deserializer<'de>> VariantAccess<'de> for Value<D> {
    type Error = D::Error;

    fn unit_variant(self) -> Result<(), D::Error> {
        Err(D::Error::custom("must be a table"))
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, D::Error> {
        seed.deserialize(self.0)
    }

    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, D::Error> {
        self.0.deserialize_tuple(len, visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.0.deserialize_struct("WallShape", fields, visitor)
    }
}
