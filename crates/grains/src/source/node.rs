//! A parsed TOML value that can be deserialised by reference, with [`Fault`]s as errors.

use serde::de::value::{MapDeserializer, SeqDeserializer};
use serde::de::{DeserializeSeed, EnumAccess, Error, IntoDeserializer, Unexpected, VariantAccess, Visitor};
use serde::{Deserializer, forward_to_deserialize_any};
use toml::de::DeValue;

use super::fault::Fault;

#[derive(Debug, Clone, Copy)]
pub(super) struct Node<'de>(pub(super) &'de DeValue<'de>);

impl<'de> IntoDeserializer<'de, Fault> for Node<'de> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

impl<'de> Deserializer<'de> for Node<'de> {
    type Error = Fault;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self.0 {
            DeValue::String(text) => visitor.visit_str(text),
            DeValue::Boolean(value) => visitor.visit_bool(*value),
            DeValue::Integer(number) => {
                // Larger numbers could not be written to a checkpoint, since TOML has signed integers of 64 bits.
                match i64::from_str_radix(number.as_str(), number.radix()) {
                    Ok(value) => visitor.visit_i64(value),
                    Err(_) => Err(Fault::custom("must be a smaller number")),
                }
            }
            DeValue::Float(number) => match number.as_str().parse::<f64>() {
                Ok(value) if value.is_finite() || number.as_str().contains(['i', 'n']) => visitor.visit_f64(value),
                _ => Err(Fault::custom("must be a smaller number")),
            },
            DeValue::Datetime(_) => Err(Fault::custom("must be something else than a date")),
            DeValue::Array(items) => {
                SeqDeserializer::new(items.iter().map(|item| Node(item.get_ref()))).deserialize_any(visitor)
            }
            DeValue::Table(table) => {
                // Keys are read in the order of the text, so that the first of several mistakes is reported.
                let mut entries: Vec<_> = table.iter().collect();
                entries.sort_by_key(|(key, _)| key.span().start);
                let entries = entries.into_iter().map(|(key, value)| (&**key.get_ref(), Node(value.get_ref())));
                MapDeserializer::new(entries).deserialize_any(visitor)
            }
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        match self.0 {
            DeValue::String(word) => visitor.visit_enum(Word(word)),
            DeValue::Table(table) if table.len() == 1 => match table.iter().next() {
                Some((name, value)) => {
                    visitor.visit_enum(Variant { name: name.get_ref(), value: Node(value.get_ref()) })
                }
                None => Err(not_a_choice()),
            },
            _ => Err(not_a_choice()),
        }
    }

    /// Deserialises a table only: serde would also accept a list of values without names.
    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self.0 {
            DeValue::Array(_) => Err(Fault::custom("must be a table, but is a list")),
            _ => self.deserialize_any(visitor),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        self.deserialize_map(visitor)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct identifier ignored_any
    }
}

fn not_a_choice() -> Fault {
    Fault::custom("must be a word in quotation marks, or a table of one key such as `{ name = ... }`")
}

/// A choice given as a word, which counts as a table without keys: all keys of the choice have defaults.
struct Word<'de>(&'de str);

impl<'de> EnumAccess<'de> for Word<'de> {
    type Error = Fault;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), Fault> {
        Ok((seed.deserialize(IntoDeserializer::<Fault>::into_deserializer(self.0))?, self))
    }
}

impl<'de> VariantAccess<'de> for Word<'de> {
    type Error = Fault;

    fn unit_variant(self) -> Result<(), Fault> {
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, _: T) -> Result<T::Value, Fault> {
        Err(Fault::invalid_type(Unexpected::UnitVariant, &"newtype variant"))
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, _: V) -> Result<V::Value, Fault> {
        Err(Fault::invalid_type(Unexpected::UnitVariant, &"tuple variant"))
    }

    fn struct_variant<V: Visitor<'de>>(self, _: &'static [&'static str], visitor: V) -> Result<V::Value, Fault> {
        let empty = MapDeserializer::new(std::iter::empty::<(&str, Node<'de>)>());
        empty
            .deserialize_any(visitor)
            .map_err(|_: Fault| Fault::invalid_type(Unexpected::UnitVariant, &"struct variant"))
    }
}

/// A choice given as a table with one key, the name of the variant, and its value.
struct Variant<'de> {
    name: &'de str,
    value: Node<'de>,
}

impl<'de> EnumAccess<'de> for Variant<'de> {
    type Error = Fault;
    type Variant = Node<'de>;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Node<'de>), Fault> {
        let name = seed.deserialize(IntoDeserializer::<Fault>::into_deserializer(self.name))?;
        Ok((name, self.value))
    }
}

impl<'de> VariantAccess<'de> for Node<'de> {
    type Error = Fault;

    fn unit_variant(self) -> Result<(), Fault> {
        match self.0 {
            DeValue::Table(table) if table.is_empty() => Ok(()),
            _ => Err(Fault::custom("must be the word alone, in quotation marks")),
        }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Fault> {
        seed.deserialize(self)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Fault> {
        self.deserialize_any(visitor)
    }

    fn struct_variant<V: Visitor<'de>>(self, _: &'static [&'static str], visitor: V) -> Result<V::Value, Fault> {
        self.deserialize_map(visitor)
    }
}
