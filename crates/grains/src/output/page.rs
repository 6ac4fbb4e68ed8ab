//! The page of a run in the folder of its results: its name, and the mark by which it is recognised.

use std::io::Read as _;
use std::path::Path;

use crate::files;

/// Name of the page in the folder of a run.
pub(crate) const PAGE: &str = "report.html";

/// Text in the head of each page, by which pages are distinguished from files of other programs.
pub(crate) const MARK: &str = "<meta name=\"generator\" content=\"grains report\">";

/// Number of bytes at the start of a file in which the text that marks a page must be found.
const HEAD: u64 = 1024;

/// Returns whether the file at `path` is a page that `grains report` has written.
pub(crate) fn is_page(path: &Path) -> bool {
    let mut head = Vec::new();
    let read = files::open(path).and_then(|file| file.take(HEAD).read_to_end(&mut head));
    let head = String::from_utf8_lossy(&head);
    read.is_ok() && head.starts_with("<!DOCTYPE html>") && head.contains(MARK)
}
