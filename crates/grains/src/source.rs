//! The text of a scene, read into a [`Scene`], with the line of each key.
//!
//! [`Source`] has the position of each key in the text; [`node`] converts parsed values to Rust types; [`fault`]
//! describes invalid values. The key of an error is the path of the deserialiser; its line is that of the key in the
//! text. [`assignment`] sets keys from the command line.

mod assignment;
mod fault;
mod node;

use std::ops::Range;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use toml::de::{DeTable, DeValue};

use self::assignment::Assignment;
use self::fault::Fault;
use self::node::Node;
use crate::error::{Excerpt, GrainsError, Location, Note};
use crate::files;
use crate::reference::foreign::{Foreign, translate};
use crate::scene::Scene;
use crate::value::nearest_name;

/// Former names of keys and words, which errors replace by the present names.
const FORMER_NAMES: [(&str, &str); 3] = [("stiffness", "modulus"), ("one-step", "compliant-step"), ("radii", "sizes")];

/// Former names of keys that are still accepted, with their present names.
const STILL_READ: [(&str, &str); 1] = [("box.sides", "boundary")];

/// Largest memory in bytes per byte of a scene's text while it is read: lists in a scene become tables of numbers.
const MEMORY: u64 = 60;

/// The text of a scene file, with the positions of its keys.
#[derive(Debug, Clone, Default)]
pub(crate) struct Source {
    text: String,
    file: Option<PathBuf>,
    keys: Vec<KeyPlace>,
    /// Values from the command line that override keys of the text.
    assignments: Vec<Assignment>,
}

/// The position of a key in the text of a scene, for errors.
#[derive(Debug, Clone)]
struct KeyPlace {
    /// The key with all tables above it, such as `bodies[0].radius`.
    path: String,
    span: Range<usize>,
}

impl Source {
    fn new(text: &str, file: Option<PathBuf>) -> Self {
        let mut keys = Vec::new();
        if let Ok(table) = DeTable::parse(text) {
            add_keys_of_table(table.get_ref(), "", &mut keys);
        }
        Self { text: text.to_owned(), file, keys, assignments: Vec::new() }
    }

    /// Returns this text with assignments `key=value` from the command line, which override its keys.
    ///
    /// # Errors
    /// [`GrainsError::WrongType`] for an invalid assignment.
    pub(crate) fn with(self, assignments: &[String]) -> Result<Self, GrainsError> {
        let assignments = assignments.iter().map(|text| Assignment::parse(text)).collect::<Result<_, _>>()?;
        Ok(Self { assignments, ..self })
    }

    /// Reads the text of a scene file.
    ///
    /// # Errors
    /// [`GrainsError::Unreadable`], [`GrainsError::TooLarge`], and [`GrainsError::Syntax`] for bytes that are no text.
    pub(crate) fn from_path(path: &Path) -> Result<Self, GrainsError> {
        let file = Some(path.to_owned());
        let text =
            files::text(files::read(path, Location::default(), MEMORY)?).map_err(|line| GrainsError::Syntax {
                at: Location { file: file.clone(), line: u32::try_from(line).ok(), ..Location::default() },
                problem: "there is a byte that is no text in UTF-8".to_owned(),
            })?;
        Ok(Self::new(&text, file))
    }

    /// Deserialises the text, with the assignments of the command line, into a value of type `T`.
    ///
    /// # Errors
    /// [`GrainsError::Syntax`], [`UnknownName`](GrainsError::UnknownName), [`MissingKey`](GrainsError::MissingKey),
    /// [`WrongType`](GrainsError::WrongType), with key and line.
    pub(crate) fn read<T: DeserializeOwned>(&self) -> Result<T, GrainsError> {
        let table = DeTable::parse(&self.text).map_err(|error| GrainsError::Syntax {
            at: Location {
                file: self.file.clone(),
                line: error.span().map(|span| self.line(span.start)),
                excerpt: error.span().map(|span| Excerpt::new(&self.text, span).into()),
                key: String::new(),
            },
            problem: error.message().split_whitespace().collect::<Vec<_>>().join(" "),
        })?;
        let mut table = table.into_inner();
        self.assignments.iter().try_for_each(|assignment| assignment.apply(&mut table))?;
        let root = DeValue::Table(table);
        serde_path_to_error::deserialize(Node(&root)).map_err(|error| {
            let is_root = error.path().iter().next().is_none();
            let mut key = if is_root { String::new() } else { error.path().to_string() };
            if let Fault::UnknownName { found, .. } = error.inner() {
                // The path does not yet contain an unknown choice.
                let below = if is_root { found.clone() } else { format!("{key}.{found}") };
                let is_in_text = !is_root && self.keys.iter().any(|place| place.path == below);
                let is_set = self.assignments.iter().any(|assignment| assignment.covers(&below));
                key = if is_in_text || is_set { below } else { key };
            }
            self.locate(explain(error.into_inner(), Location::of(key)))
        })
    }

    pub(crate) fn locate(&self, mut error: GrainsError) -> GrainsError {
        if let GrainsError::MissingKey { at, missing } = &mut error
            && !self.has(&at.key)
        {
            at.key.split(['.', '[']).next().unwrap_or_default().clone_into(missing);
            at.key.clear();
        }
        if let Some(at) = error.location_mut() {
            self.find(at);
        }
        error
    }

    /// Returns whether the text or an assignment has this key or a table above it. Also true for the scene as a whole,
    /// and for a table that contains an assigned key.
    fn has(&self, key: &str) -> bool {
        let is_made = |set: &Assignment| set.covers(key) || set.is_below(key);
        key.is_empty() || self.span_of(key).is_some() || self.assignments.iter().any(is_made)
    }

    pub(crate) fn find(&self, at: &mut Location) {
        if let Some(set) = self.assignments.iter().find(|assignment| assignment.covers(&at.key)) {
            *at = set.at();
            return;
        }
        at.file.clone_from(&self.file);
        let Some(span) = self.span_of(&at.key).filter(|_| at.line.is_none()) else { return };
        at.line = Some(self.line(span.start));
        at.excerpt = Some(Excerpt::new(&self.text, span).into());
    }

    /// Returns notes on former names of keys in the text that are still accepted.
    pub(crate) fn notes(&self) -> Vec<Note> {
        let is_given = |key: &str| self.keys.iter().any(|place| place.path == key);
        let note = |(key, now): &(&str, &str)| Note::new(*key, format!("is now called `{now}`"));
        STILL_READ.iter().filter(|(key, _)| is_given(key)).map(note).collect()
    }

    /// Returns the byte range of a key in the text, or of the nearest table above it in the text.
    fn span_of(&self, key: &str) -> Option<Range<usize>> {
        let mut key = key;
        loop {
            if let Some(place) = self.keys.iter().find(|place| place.path == key) {
                return Some(place.span.clone());
            }
            key = &key[..key.rfind(['.', '['])?];
        }
    }

    fn line(&self, offset: usize) -> u32 {
        let before = self.text.bytes().take(offset).filter(|&byte| byte == b'\n').count();
        u32::try_from(1 + before).unwrap_or(u32::MAX)
    }
}

impl Scene {
    /// Reads a scene from TOML text. Ranges of numbers are checked when the scene is built.
    ///
    /// # Errors
    /// [`GrainsError::Syntax`], [`UnknownName`](GrainsError::UnknownName), [`MissingKey`](GrainsError::MissingKey),
    /// [`WrongType`](GrainsError::WrongType), each with line and key.
    pub fn parse(text: &str) -> Result<Self, GrainsError> {
        Source::new(text, None).read()
    }

    /// Reads the scene file at `path`.
    ///
    /// # Errors
    /// [`GrainsError::Unreadable`], and as [`parse`](Self::parse).
    pub fn from_path(path: impl AsRef<Path>) -> Result<Self, GrainsError> {
        Source::from_path(path.as_ref())?.read()
    }
}

fn explain(fault: Fault, at: Location) -> GrainsError {
    match fault {
        Fault::UnknownName { found, known } => {
            let known: Vec<String> = known.iter().map(|&name| name.to_owned()).collect();
            let renamed = FORMER_NAMES.iter().find(|(former, now)| found == *former && known.iter().any(|n| n == now));
            let mut ours = translate(&found, &known).into_iter().flat_map(Foreign::names);
            let translated = ours.find(|ours| known.iter().any(|name| name == ours));
            let nearest = renamed.map(|(_, now)| (*now).into()).or_else(|| translated.map(Into::into));
            let nearest = nearest.or_else(|| nearest_name(&found, &known));
            GrainsError::UnknownName { at, found: found.into(), nearest, known: known.into() }
        }
        Fault::MissingKey(missing) => GrainsError::MissingKey { at, missing: missing.to_owned() },
        Fault::WrongType(problem) => GrainsError::WrongType { at, problem },
    }
}

fn add_keys_of_table(table: &DeTable<'_>, above: &str, keys: &mut Vec<KeyPlace>) {
    for (key, value) in table {
        let name = key.get_ref();
        let path = if above.is_empty() { name.to_string() } else { format!("{above}.{name}") };
        keys.push(KeyPlace { path: path.clone(), span: key.span() });
        add_keys_of_value(value.get_ref(), &path, keys);
    }
}

fn add_keys_of_value(value: &DeValue<'_>, above: &str, keys: &mut Vec<KeyPlace>) {
    match value {
        DeValue::Table(table) => add_keys_of_table(table, above, keys),
        DeValue::Array(array) => {
            for (index, item) in array.iter().enumerate() {
                let path = format!("{above}[{index}]");
                keys.push(KeyPlace { path: path.clone(), span: item.span() });
                add_keys_of_value(item.get_ref(), &path, keys);
            }
        }
        _ => {}
    }
}
