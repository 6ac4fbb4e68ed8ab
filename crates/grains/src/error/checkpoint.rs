//! Errors of checkpoints that are refused.

use std::path::PathBuf;

use thiserror::Error;

/// Why a checkpoint is refused.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CheckpointError {
    /// The run ended before its first checkpoint.
    #[error(
        "there is no checkpoint yet: the run ended before its first one; `grains run` begins it again, without `--overwrite`"
    )]
    NoneYet,
    /// A file of another kind.
    #[error("not a checkpoint of grains")]
    OtherFile,
    /// A checkpoint of a newer program.
    #[error("a checkpoint of version {found}, newer than {known}, which this program reads; use a newer grains")]
    Newer {
        /// Its version.
        found: u32,
        /// The version that is known.
        known: u32,
    },
    /// A checkpoint of an older program. None of them has been released.
    #[error(
        "a checkpoint of version {found}, but this program reads version {known}; continue it with the build that wrote it, from before release 0.1.0"
    )]
    Older {
        /// Its version.
        found: u32,
        /// The version that is known.
        known: u32,
    },
    /// A checkpoint that is too short or too long.
    #[error("the checkpoint has {found} bytes, not {expected}; the one before it may be whole: {}", .previous.display())]
    WrongLength {
        /// Number of bytes that are required.
        expected: u64,
        /// The number found.
        found: u64,
        /// The checkpoint before.
        previous: PathBuf,
    },
    /// A checkpoint whose checksum does not match.
    #[error("the checkpoint is damaged, its checksum does not match; the one before it may be whole: {}", .previous.display())]
    Damaged {
        /// The checkpoint before.
        previous: PathBuf,
    },
    /// A checkpoint that is whole, but that this program cannot use.
    #[error("the contents of the checkpoint cannot be used: {problem}")]
    Unusable {
        /// The reader's message.
        problem: String,
    },
}
