//! Keys set on the command line: `--set time.dt=1e-4`.

use toml::Spanned;
use toml::de::{DeArray, DeString, DeTable, DeValue};

use crate::error::{Excerpt, GrainsError, Location};

#[derive(Debug, Clone)]
pub(super) struct Assignment {
    key: String,
    value: String,
}

/// A part of a key: a name, or the index of an item of a list.
enum Part<'a> {
    Key(&'a str),
    Item(usize),
}

impl Assignment {
    ///
    /// # Errors
    /// [`GrainsError::WrongType`].
    pub(super) fn parse(text: &str) -> Result<Self, GrainsError> {
        let Some((key, value)) = text.split_once('=').filter(|(key, _)| !key.trim().is_empty()) else {
            return Err(wrong(text, "write KEY=VALUE, such as time.dt=1e-5 or walls[0].name=lid"));
        };
        Ok(Self { key: key.trim().to_owned(), value: value.trim().to_owned() })
    }

    pub(super) fn at(&self) -> Location {
        let text = format!("--set {}={}", self.key, self.value);
        let mark = "--set ".len().."--set ".len() + self.key.len();
        Location {
            file: Some("the command line".into()),
            excerpt: Some(Excerpt { text, mark }.into()),
            ..at(&self.key)
        }
    }

    pub(super) fn covers(&self, key: &str) -> bool {
        key.strip_prefix(self.key.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
    }

    pub(super) fn is_below(&self, key: &str) -> bool {
        self.key.strip_prefix(key).is_some_and(|rest| rest.starts_with(['.', '[']))
    }

    /// Sets the assigned key in the parsed table of a scene. Missing tables are created; a value that is no TOML
    /// becomes text.
    ///
    /// # Errors
    /// [`GrainsError::WrongType`] for a path through a list that is too short, or through a value that is no table.
    pub(super) fn apply<'a>(&'a self, root: &mut DeTable<'a>) -> Result<(), GrainsError> {
        let value = DeValue::parse(&self.value).map(Spanned::into_inner);
        let value = value.unwrap_or_else(|_| DeValue::String(self.value.as_str().into()));
        let parts = self.parts()?;
        let Some((Part::Key(first), rest)) = parts.split_first() else { return Err(wrong(&self.key, "has no key")) };
        let mut place = entry(root, first);
        for part in rest {
            place = match (part, place) {
                (Part::Key(key), DeValue::Table(table)) => entry(table, key),
                (Part::Item(index), DeValue::Array(items)) => {
                    let count = items.len();
                    let missing = || wrong(&self.key, &format!("has no item {index}: there are {count}, from zero"));
                    items.get_mut(*index).ok_or_else(missing)?.get_mut()
                }
                (Part::Key(key), DeValue::Array(items)) => return Err(wrong(&self.key, &is_in_list(key, items))),
                (Part::Key(key), _) => return Err(wrong(&self.key, &format!("`{key}` is not in a table"))),
                (Part::Item(index), _) => return Err(wrong(&self.key, &format!("has no item {index}: it is no list"))),
            };
        }
        *place = value;
        Ok(())
    }

    fn parts(&self) -> Result<Vec<Part<'_>>, GrainsError> {
        let mut parts = Vec::new();
        for piece in self.key.split('.') {
            let (name, items) = piece.split_at(piece.find('[').unwrap_or(piece.len()));
            if name.is_empty() {
                return Err(wrong(&self.key, "has an empty key in it"));
            }
            parts.push(Part::Key(name));
            for item in items.split_terminator(']') {
                let index = item.strip_prefix('[').and_then(|index| index.parse().ok());
                let index = index.ok_or_else(|| wrong(&self.key, "write items of lists as walls[0]"))?;
                parts.push(Part::Item(index));
            }
        }
        Ok(parts)
    }
}

fn entry<'a, 'b>(table: &'b mut DeTable<'a>, key: &'a str) -> &'b mut DeValue<'a> {
    let key: Spanned<DeString<'a>> = Spanned::new(0..0, key.into());
    table.entry(key).or_insert_with(|| Spanned::new(0..0, DeValue::Table(DeTable::new()))).get_mut()
}

/// Returns advice for an assignment with the name `key` where a list needs an index.
fn is_in_list(key: &str, items: &DeArray<'_>) -> String {
    let has_name = |item: &Spanned<DeValue<'_>>| {
        item.get_ref().get("name").is_some_and(|name| name.get_ref().as_str() == Some(key))
    };
    match items.iter().position(has_name) {
        Some(number) => format!("`{key}` is in a list: write its number instead, [{number}]"),
        None => format!("`{key}` is not in a table but in a list: write the number of an item, such as [0]"),
    }
}

fn at(key: &str) -> Location {
    Location::of(format!("--set {key}"))
}

fn wrong(key: &str, problem: &str) -> GrainsError {
    GrainsError::WrongType { at: at(key), problem: problem.to_owned() }
}
