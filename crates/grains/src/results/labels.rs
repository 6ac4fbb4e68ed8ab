//! Names of what frames give by numbers.

use super::Results;
use crate::scene::contact::ContactModel;
use crate::storage;

/// Names of the materials and groups of a run by their numbers.
#[derive(Debug, Clone, Default)]
pub(crate) struct Labels {
    materials: Vec<String>,
    groups: Vec<String>,
}

impl Labels {
    /// Reads the names of a run from its checkpoint; without one that this version reads there are no names. Groups
    /// without a name have their number.
    pub(crate) fn read(results: &Results) -> Self {
        let Ok((run, scene, _)) = storage::read(&results.folder.join(storage::FILE), "checkpoint") else {
            return Self::default();
        };
        let group =
            |(number, name): (usize, Option<&String>)| name.cloned().unwrap_or_else(|| format!("group {number}"));
        Self {
            materials: scene.contact.as_ref().map(ContactModel::names).unwrap_or_default(),
            groups: run.progress.groups.names().into_iter().enumerate().map(group).collect(),
        }
    }

    /// Returns the names of the numbers in a column; empty where numbers have no names.
    pub(crate) fn of(&self, column: &str) -> &[String] {
        match column {
            "material" => &self.materials,
            "group" => &self.groups,
            _ => &[],
        }
    }
}
