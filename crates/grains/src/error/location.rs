//! Locations in a scene, and notes about them.

use std::fmt;
use std::ops::Range;
use std::path::PathBuf;

/// A location in a scene: a key, with file and line if they are known.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Location {
    /// Path of the scene's file; none for a scene that is in memory only.
    pub file: Option<PathBuf>,
    /// Number of the line in the scene's file, counted from one.
    pub line: Option<u32>,
    /// The key of the scene, such as `bodies[0].radius`.
    pub key: String,
    /// Text of the line, for [`GrainsError::report`](crate::GrainsError::report).
    pub excerpt: Option<Box<Excerpt>>,
}

/// A line of a scene with a marked part, as error reports show it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Excerpt {
    /// Text of the marked line, cut some way behind the start of the mark.
    pub text: String,
    /// Byte range of the marked part of `text`.
    pub mark: Range<usize>,
}

impl Excerpt {
    /// Number of shown bytes behind the start of the mark: lines with long lists are cut.
    const BEHIND: usize = 100;

    /// Cuts out of `text` the line in which `span` begins, and marks `span` as far as it lies on this line.
    pub(crate) fn new(text: &str, span: Range<usize>) -> Self {
        let start = text[..span.start].rfind('\n').map_or(0, |at| at + 1);
        let end = text[span.start..].find('\n').map_or(text.len(), |at| span.start + at);
        let mark = span.start..span.end.clamp(span.start, end);
        let cut = (mark.end.min(mark.start + Self::BEHIND)..end)
            .find(|&at| at >= mark.start + Self::BEHIND && text.is_char_boundary(at))
            .unwrap_or(end);
        let line = text[start..cut].trim_end();
        let last = line.len();
        Self { text: line.to_owned(), mark: (mark.start - start).min(last)..(mark.end - start).min(last) }
    }
}

impl Location {
    /// Makes the location of a key; [`Source`](crate::source::Source) adds file and line.
    pub(crate) fn of(key: impl Into<String>) -> Self {
        Self { key: key.into(), ..Self::default() }
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

/// A note about a scene that can be run, but probably differs from what its author means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// Location in the scene of the key of the note.
    pub at: Location,
    /// Text of the note.
    pub text: String,
}

impl Note {
    /// Makes a note about a key; [`Source`](crate::source::Source) adds file and line.
    pub(crate) fn new(key: impl Into<String>, text: impl Into<String>) -> Self {
        Self { at: Location::of(key), text: text.into() }
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.at, self.text)
    }
}
