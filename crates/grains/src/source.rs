//! The text of a scene: which key is on which line.

use std::ops::Range;
use std::path::{Path, PathBuf};

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::{GrainsError, Location, Scene};

/// The text of a scene file.
#[derive(Debug, Clone, Default)]
pub(crate) struct Source {
    text: String,
    file: Option<PathBuf>,
    /// Every key with its place and that of its value.
    keys: Vec<(String, Range<usize>, Range<usize>)>,
}

impl Source {
    pub(crate) fn new(text: &str, file: Option<PathBuf>) -> Self {
        let mut keys = Vec::new();
        if let Ok(table) = DeTable::parse(text) {
            walk(table.get_ref(), "", &mut keys);
        }
        Self { text: text.to_owned(), file, keys }
    }

    /// Reads a scene file, and keeps its text.
    pub(crate) fn from_path(path: &Path) -> Result<(Scene, Self), GrainsError> {
        let bytes = std::fs::read(path).map_err(|source| GrainsError::Unreadable {
            at: Location::default(),
            path: path.to_owned(),
            source,
        })?;
        let text = String::from_utf8_lossy(&bytes);
        let source = Self::new(&text, Some(path.to_owned()));
        Ok((source.read()?, source))
    }

    /// The scene.
    pub(crate) fn read(&self) -> Result<Scene, GrainsError> {
        if let Err(error) = DeTable::parse(&self.text) {
            let at = Location { key: String::new(), ..self.at(error.span(), None) };
            return Err(GrainsError::Syntax { at, problem: one_line(error.message()) });
        }
        toml::from_str(&self.text).map_err(|error| self.explain(&error))
    }

    /// The same error with file and line.
    pub(crate) fn locate(&self, mut error: GrainsError) -> GrainsError {
        if let Some(at) = error.location_mut() {
            at.file.clone_from(&self.file);
            at.line = at.line.or_else(|| self.line_of(&at.key));
        }
        error
    }

    /// The line of a key, or of the nearest one above it that is there.
    fn line_of(&self, key: &str) -> Option<usize> {
        let mut key = key;
        loop {
            if let Some((_, place, _)) = self.keys.iter().find(|(name, ..)| name == key) {
                return Some(self.line(place.start));
            }
            key = &key[..key.rfind(['.', '['])?];
        }
    }

    fn line(&self, offset: usize) -> usize {
        1 + self.text.bytes().take(offset).filter(|&byte| byte == b'\n').count()
    }

    /// Where the span is; the deepest key whose name or value holds its start.
    fn at(&self, span: Option<Range<usize>>, name: Option<&str>) -> Location {
        let Some(span) = span else { return Location { file: self.file.clone(), ..Location::default() } };
        let inside = |range: &Range<usize>| range.contains(&span.start);
        let holders = self.keys.iter().filter(|(_, key, value)| inside(key) || inside(value));
        let deepest = holders.max_by_key(|(path, ..)| path.len());
        let mut location = Location {
            file: self.file.clone(),
            line: Some(self.line(span.start)),
            key: deepest.map(|(path, ..)| path.clone()).unwrap_or_default(),
        };
        // A span of a whole table says less than the key in it.
        let below =
            |path: &str, name: &str| path == name || path.strip_suffix(name).is_some_and(|rest| rest.ends_with('.'));
        if let Some(name) = name.filter(|name| !below(&location.key, name)) {
            let held = self.keys.iter().filter(|(path, key, _)| below(path, name) && key.start >= span.start);
            if let Some((path, key, _)) = held.min_by_key(|(_, key, _)| key.start) {
                location = Location { line: Some(self.line(key.start)), key: path.clone(), ..location };
            }
        }
        location
    }

    /// What the deserialiser says, in terms of keys.
    fn explain(&self, error: &toml::de::Error) -> GrainsError {
        let (message, span) = (error.message(), error.span());
        let names: Vec<String> = message.split('`').skip(1).step_by(2).map(str::to_owned).collect();
        let unknown = message.starts_with("unknown field") || message.starts_with("unknown variant");
        // Tables of variants are worded differently.
        let among =
            message.strip_prefix("unexpected keys in table: ").and_then(|rest| rest.split_once(", available keys: "));
        if let Some((found, known)) = among {
            let found = found.split(',').next().unwrap_or(found).trim();
            let known: Vec<String> = known.split(',').map(|name| name.trim().to_owned()).collect();
            let (at, nearest) = (self.at(span, Some(found)), nearest(found, &known));
            return GrainsError::UnknownName { at, found: found.into(), nearest, known };
        }
        match names.split_first() {
            Some((found, known)) if unknown => GrainsError::UnknownName {
                at: self.at(span, Some(found)),
                found: found.as_str().into(),
                nearest: nearest(found, known),
                known: known.to_vec(),
            },
            Some((missing, _)) if message.starts_with("missing field") => {
                GrainsError::MissingKey { at: self.at(span, None), missing: missing.clone() }
            }
            _ => GrainsError::WrongType { at: self.at(span, None), problem: plain(message) },
        }
    }
}

/// A message about a type in words for those who do not write Rust.
fn plain(message: &str) -> String {
    let text = one_line(message);
    if text == "wanted string or table" {
        return "must be a word in quotation marks, or a table of one key such as `{ name = ... }`".to_owned();
    }
    let Some((found, expected)) = text.split_once(", expected ") else { return text };
    let found = found.trim_start_matches("invalid type: ").trim_start_matches("invalid value: ");
    let found = match found.split_once(' ').unwrap_or((found, "")) {
        ("sequence", _) => "a list".to_owned(),
        ("map", _) => "a table".to_owned(),
        ("string", rest) => format!("the text {rest}"),
        ("floating", rest) => format!("the number {}", rest.trim_start_matches("point ")),
        ("integer", rest) => format!("the number {rest}"),
        ("boolean", rest) => rest.to_owned(),
        ("invalid", length) => format!("of {length}"),
        _ => found.to_owned(),
    };
    let expected = match expected {
        "f64" => "a number",
        "usize" | "u64" => "a whole number that is not negative",
        "a sequence" => "a list",
        "a map" => "a table",
        "a string" => "text in quotation marks",
        expected => expected,
    };
    format!("must be {expected}, but is {found}")
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The known name with the fewest typing errors, unless it is another word altogether.
pub(crate) fn nearest(found: &str, known: &[String]) -> Option<Box<str>> {
    let plain = |name: &str| name.to_lowercase().replace('_', "-");
    let distance = |name: &String| strsim::damerau_levenshtein(&plain(found), &plain(name));
    let best = known.iter().min_by_key(|name| distance(name))?;
    (2 * distance(best) <= best.len().max(found.len())).then(|| best.as_str().into())
}

fn walk(table: &DeTable<'_>, above: &str, keys: &mut Vec<(String, Range<usize>, Range<usize>)>) {
    for (key, value) in table {
        let name = key.get_ref();
        let path = if above.is_empty() { name.to_string() } else { format!("{above}.{name}") };
        keys.push((path.clone(), key.span(), value.span()));
        descend(value, &path, keys);
    }
}

fn descend(value: &Spanned<DeValue<'_>>, path: &str, keys: &mut Vec<(String, Range<usize>, Range<usize>)>) {
    match value.get_ref() {
        DeValue::Table(table) => walk(table, path, keys),
        DeValue::Array(array) => {
            for (index, item) in array.iter().enumerate() {
                let path = format!("{path}[{index}]");
                keys.push((path.clone(), item.span(), item.span()));
                descend(item, &path, keys);
            }
        }
        _ => {}
    }
}
