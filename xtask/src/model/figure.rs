//! Entries of the table of figures, and the selection of some by a prefix of their ids.
use std::collections::BTreeSet;

use anyhow::{Result, bail, ensure};

use crate::model::artifact::Artifact;
use crate::model::context::Context;

/// Figure of a paper, or of our own, that this program can compute.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Figure {
    /// Id of the figure, the beginning of its file names: lower-case letters, digits and `-`.
    pub(crate) id: &'static str,
    pub(crate) title: &'static str,
    /// Place of the figure in a paper, for example `[BG21] Fig. 1a`, or a note that the figure is our own.
    pub(crate) source: &'static str,
    /// Function that computes the figure. It writes no files and prints nothing.
    pub(crate) run: fn(&Context) -> Result<Artifact>,
}

/// Row of a table of figures: id, title, source and function, as in [`Figure`].
pub(crate) type Entry = (&'static str, &'static str, &'static str, fn(&Context) -> Result<Artifact>);

impl From<Entry> for Figure {
    fn from((id, title, source, run): Entry) -> Self {
        Self { id, title, source, run }
    }
}

impl Figure {
    /// Returns whether the figure is our own, that is, in none of the papers.
    pub(crate) fn is_ours(&self) -> bool {
        self.source.starts_with("ours") || self.source.ends_with("our own figure")
    }
}

/// Returns whether `id` can be part of a file name on every system, and an HTML anchor.
pub(crate) fn is_id(id: &str) -> bool {
    !id.is_empty() && id.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
}

/// Returns the figures whose id starts with `prefix`, or all without a prefix, in the order of the table.
///
/// # Errors
/// Ids that are no valid file names or occur twice, and a prefix without figures.
pub(crate) fn select(table: Vec<Figure>, prefix: Option<&str>) -> Result<Vec<Figure>> {
    let mut seen = BTreeSet::new();
    for figure in &table {
        ensure!(is_id(figure.id), "figure id {:?} is not made of a-z, 0-9 and '-' alone", figure.id);
        ensure!(seen.insert(figure.id), "figure id {:?} occurs twice in the table", figure.id);
    }
    let Some(prefix) = prefix else { return Ok(table) };
    let ids: Vec<_> = table.iter().map(|figure| figure.id).collect();
    let chosen: Vec<_> = table.into_iter().filter(|figure| figure.id.starts_with(prefix)).collect();
    if chosen.is_empty() {
        let known =
            if ids.is_empty() { "the table is empty".into() } else { format!("known:\n  {}", ids.join("\n  ")) };
        bail!("no figure id starts with {prefix:?}; {known}");
    }
    Ok(chosen)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure(id: &'static str) -> Figure {
        Figure { id, title: "", source: "", run: |_| bail!("never run") }
    }

    #[test]
    fn a_prefix_keeps_table_order() {
        let table = vec![figure("bg21-fig2"), figure("own-1"), figure("bg21-fig1")];
        let ids: Vec<_> = select(table, Some("bg21")).unwrap().iter().map(|f| f.id).collect();
        assert_eq!(ids, ["bg21-fig2", "bg21-fig1"]);
    }

    #[test]
    fn an_unknown_prefix_lists_what_is_known() {
        let message = select(vec![figure("a-1"), figure("b-2")], Some("z")).unwrap_err().to_string();
        assert!(message.contains("\"z\"") && message.contains("a-1") && message.contains("b-2"), "{message}");
        assert!(select(Vec::new(), Some("z")).unwrap_err().to_string().contains("the table is empty"));
    }

    #[test]
    fn bad_and_repeated_ids_are_refused() {
        assert!(select(vec![figure("../x")], None).is_err());
        assert!(select(vec![figure("a"), figure("a")], None).is_err());
    }
}
