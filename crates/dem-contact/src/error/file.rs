//! What can go wrong with data files.

use thiserror::Error;

/// What can go wrong with data files.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FileError {
    /// A line of a data file is not what the format has there.
    #[error("line {line}: expected {expected}, found {found:?}")]
    Malformed {
        /// Number of the line, from one.
        line: usize,
        /// What should be there.
        expected: &'static str,
        /// What is there.
        found: String,
    },
    /// A VTK file that is not read.
    #[error("{}{problem}", if .array.is_empty() { "the file ".to_owned() } else { format!("the array {array} ") })]
    Vtk {
        /// The array; empty for the file.
        array: String,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// A data file ends before all atoms were given, or gives too many.
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
    /// An atom is given twice, or a velocity belongs to no atom.
    #[error("line {line}: atom {atom} {problem}")]
    InvalidAtom {
        /// Number of the line, from one.
        line: usize,
        /// Identifier in the file.
        atom: u64,
        /// What is wrong.
        problem: &'static str,
    },
}
