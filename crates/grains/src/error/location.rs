//! Locations in a scene, and remarks about them.

use std::fmt;
use std::ops::Range;
use std::path::PathBuf;

/// A location in a scene: a key, with file and line if they are known.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Location {
    /// The file; none for a scene that is in memory only.
    pub file: Option<PathBuf>,
    /// Line, counted from one.
    pub line: Option<u32>,
    /// The key, such as `bodies[0].radius`.
    pub key: String,
    /// The line itself, for [`GrainsError::report`](crate::GrainsError::report).
    pub excerpt: Option<Box<Excerpt>>,
}

/// A line of a scene with a mark.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Excerpt {
    /// The line, without what is far behind the mark.
    pub text: String,
    /// The bytes of it that are marked.
    pub mark: Range<usize>,
}

impl Excerpt {
    /// Length to which a line is shown after the mark: lists may be long.
    const BEHIND: usize = 100;

    /// The line of `text` in which `span` begins, marked as far as it goes there.
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
    /// A key; [`Source`](crate::source::Source) adds file and line.
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

/// A remark about a scene that can be run, but perhaps not as it is meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// The place in the scene that the remark is about.
    pub at: Location,
    /// The remark.
    pub text: String,
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.at, self.text)
    }
}
