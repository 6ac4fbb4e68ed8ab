//! Where in a scene something is wrong.

use std::fmt;
use std::path::PathBuf;

/// A key of a scene, with file and line where they are known.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Location {
    /// The file; none for a scene that was made or read from memory.
    pub file: Option<PathBuf>,
    /// Line, from one.
    pub line: Option<usize>,
    /// The key, such as `bodies[0].radius`.
    pub key: String,
}

impl Location {
    /// A key, whose line [`Source`](crate::source::Source) finds.
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
