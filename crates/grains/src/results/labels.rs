//! Names of materials and groups, which frames store as numbers.

use crate::scene::Scene;
use crate::scene::contact::ContactModel;
use crate::storage::StoredRun;

/// Names of the materials and groups of a run by their numbers.
#[derive(Debug, Clone, Default)]
pub(crate) struct Labels {
    materials: Vec<String>,
    groups: Vec<String>,
}

impl Labels {
    /// Reads the names of materials and groups of a run; a group without a name gets its number as name.
    pub(super) fn of_run(run: &StoredRun, scene: &Scene) -> Self {
        let group =
            |(number, name): (usize, &Option<String>)| name.clone().unwrap_or_else(|| format!("group {number}"));
        Self {
            materials: scene.contact.as_ref().map(ContactModel::names).unwrap_or_default(),
            groups: run.progress.groups.names().iter().enumerate().map(group).collect(),
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
