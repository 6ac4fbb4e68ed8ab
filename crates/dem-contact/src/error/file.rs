//! Errors of data files.

use thiserror::Error;

/// Errors of data files.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FileError {
    /// A line of a data file is not in the format.
    #[error("line {line}: expected {expected}, found {found:?}")]
    Malformed {
        /// Number of the line, from one.
        line: usize,
        /// The expected content.
        expected: &'static str,
        /// The content of the line.
        found: String,
    },
    /// A VTK file is not valid, or has a form that is not read.
    #[error("{}{problem}", if .array.is_empty() { "the file ".to_owned() } else { format!("the array {array} ") })]
    Vtk {
        /// Name of the array; empty if the problem is the file itself.
        array: String,
        /// The reason.
        problem: &'static str,
    },
    /// A section of a data file has too few or too many lines.
    #[error("line {line}: section {section} has {found} of {expected} lines")]
    Incomplete {
        /// Number of the line where the section ends, from one.
        line: usize,
        /// The section.
        section: &'static str,
        /// Number of atoms that the header announces.
        expected: usize,
        /// Number of atoms that the section gives.
        found: usize,
    },
    /// A data file announces more atoms than the caller takes.
    #[error("line {line}: {atoms} atoms are more than the {limit} that can be read here")]
    TooManyAtoms {
        /// Number of the line, from one.
        line: usize,
        /// Number of atoms that the header announces.
        atoms: usize,
        /// Largest number of atoms.
        limit: usize,
    },
    /// An atom is not valid, is given twice, or a velocity belongs to no atom.
    #[error("line {line}: atom {atom} {problem}")]
    InvalidAtom {
        /// Number of the line, from one.
        line: usize,
        /// Identifier in the file.
        atom: u64,
        /// The reason.
        problem: &'static str,
    },
}
