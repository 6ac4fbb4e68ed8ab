//! Where in a scene something is, and remarks about it.

use std::fmt;
use std::path::PathBuf;

/// Where in a scene something is wrong: a key, with file and line where they are known.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Location {
    /// The file; none for a scene that is in memory only.
    pub file: Option<PathBuf>,
    /// Line, counted from one.
    pub line: Option<usize>,
    /// The key, such as `bodies[0].radius`.
    pub key: String,
}

impl Location {
    /// A key; [`Source`](crate::source::Source) adds file and line.
    pub(crate) fn of(key: impl Into<String>) -> Self {
        Self { file: None, line: None, key: key.into() }
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = &self.file {
            write!(f, "{}: ", file.display())?;
        }
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        if self.key.is_empty() { f.write_str("the scene") } else { write!(f, "`{}`", self.key) }
    }
}

/// A remark about a scene that can be run, but perhaps not as it is meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// What it is about.
    pub at: Location,
    /// The remark.
    pub text: String,
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.at, self.text)
    }
}
