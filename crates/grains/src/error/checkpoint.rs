//! Errors of checkpoints that are refused.

use std::path::PathBuf;

use thiserror::Error;

/// Reason why a checkpoint is refused.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CheckpointError {
    /// The run ended before its first checkpoint.
    #[error(
        "there is no checkpoint yet: the run ended before its first one; `grains run` begins it again, without `--overwrite`"
    )]
    NoneYet,
    /// The file is not a checkpoint of this program.
    #[error("not a checkpoint of grains")]
    OtherFile,
    /// A newer program wrote the checkpoint.
    #[error("a checkpoint of version {found}, newer than {known}, which this program reads; use a newer grains")]
    Newer {
        /// Version of the refused checkpoint.
        found: u32,
        /// Version of checkpoints that this program reads.
        known: u32,
    },
    /// An older program wrote the checkpoint. No release has written such a version.
    #[error(
        "a checkpoint of version {found}, but this program reads version {known}; continue it with the build that wrote it, from before release 0.1.0"
    )]
    Older {
        /// Version of the refused checkpoint.
        found: u32,
        /// Version of checkpoints that this program reads.
        known: u32,
    },
    /// The file of a checkpoint is too short or too long.
    #[error("the checkpoint has {found} bytes, not {expected}; the one before it may be whole: {}", .previous.display())]
    WrongLength {
        /// Number of bytes that the checkpoint's header asks for.
        expected: u64,
        /// Number of bytes that the checkpoint's file has.
        found: u64,
        /// Path of the checkpoint that was written before the refused one.
        previous: PathBuf,
    },
    /// The checksum of a checkpoint does not match its contents.
    #[error("the checkpoint is damaged, its checksum does not match; the one before it may be whole: {}", .previous.display())]
    Damaged {
        /// Path of the checkpoint that was written before the damaged one.
        previous: PathBuf,
    },
    /// A checkpoint is whole, but this program cannot use its contents.
    #[error("the contents of the checkpoint cannot be used: {problem}")]
    Unusable {
        /// Message of the decoder, or of the check of the contents.
        problem: String,
    },
}
