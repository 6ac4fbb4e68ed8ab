//! Results for the eye: plots, pictures and pages.

mod differences;
pub(crate) mod picture;
pub(crate) mod plot;
pub(crate) mod report;

use std::io::Write as _;
use std::path::Path;

use crate::error::GrainsError;
use crate::files;
use crate::output::names;

/// Writes a file of a plot, a picture or a page.
///
/// # Errors
/// [`GrainsError::Exists`] if there is a file at `to` and `overwrite` is not set; [`GrainsError::Taken`] if it is a
/// result of a run, which is never replaced; [`GrainsError::Io`].
fn write_file(to: &Path, overwrite: bool, bytes: &[u8]) -> Result<(), GrainsError> {
    let name = to.file_name().unwrap_or_default().to_string_lossy();
    if names::is_result(&name) && files::is_taken(to) {
        return Err(GrainsError::Taken { path: to.to_owned() });
    }
    files::write_new(to, overwrite, |file| file.write_all(bytes).map_err(GrainsError::io(to)))
}
