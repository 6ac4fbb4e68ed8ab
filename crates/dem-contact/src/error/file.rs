use thiserror::Error;

/// Errors of data files.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FileError {
    /// A line of a data file does not have the format of the file.
    #[error("line {line}: expected {expected}, found {found:?}")]
    Malformed {
        /// Number of the malformed line, from one.
        line: usize,
        /// Content that the malformed line should have.
        expected: &'static str,
        /// Content of the malformed line.
        found: String,
    },
    /// A VTK file is not valid, or uses a format of VTK that is not supported.
    #[error("{}{problem}", if .array.is_empty() { "the file ".to_owned() } else { format!("the array {array} ") })]
    Vtk {
        /// Name of the invalid data array; empty if the problem is the file itself.
        array: String,
        /// Reason why the array or file is not valid.
        problem: &'static str,
    },
    /// The atoms or velocities section of a data file has too few or too many lines.
    #[error("line {line}: section {section} has {found} of {expected} lines")]
    Incomplete {
        /// Number of the line where the incomplete section ends, from one.
        line: usize,
        /// Name of the incomplete section.
        section: &'static str,
        /// Number of atoms that the header announces.
        expected: usize,
        /// Number of atoms that the incomplete section gives.
        found: usize,
    },
    /// A data file announces more atoms than the caller accepts.
    #[error("line {line}: {atoms} atoms are more than the {limit} that can be read here")]
    TooManyAtoms {
        /// Number of the line in the header that announces the atoms, from one.
        line: usize,
        /// Number of atoms that the header announces.
        atoms: usize,
        /// Largest number of atoms that the caller accepts.
        limit: usize,
    },
    /// An atom is not valid, is given twice, or a velocity belongs to no atom.
    #[error("line {line}: atom {atom} {problem}")]
    InvalidAtom {
        /// Number of the line with the invalid atom, from one.
        line: usize,
        /// Identifier of the invalid atom in the file.
        atom: u64,
        /// Reason why the atom is not valid.
        problem: &'static str,
    },
}
