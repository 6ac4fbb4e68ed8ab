//! The group of each body: one of the tables `[[bodies]]` or `[[sources]]`.

use rrp_integrate::{IntegrateError, Renumbering};
use serde::{Deserialize, Serialize};

use crate::scene::Scene;

/// The groups of a run's bodies, by the tables of the scene. A run that continues another one also takes over its
/// groups.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct Groups {
    /// Name of each group; none for a group without a name.
    names: Vec<Option<String>>,
    /// Number of the group to which each source adds its bodies.
    of_sources: Vec<u32>,
    /// Number of the group of each body.
    of_bodies: Vec<u32>,
}

impl Groups {
    /// Makes the groups of `scene`, whose tables of bodies have `sizes` bodies.
    pub(crate) fn new(scene: &Scene, sizes: impl IntoIterator<Item = usize>) -> Self {
        let names = scene.bodies.iter().map(|group| group.name.clone()).collect();
        let of_bodies = (0..).zip(sizes).flat_map(|(group, count)| std::iter::repeat_n(group, count)).collect();
        Self { names, of_sources: Vec::new(), of_bodies }.with_sources(scene)
    }

    /// Returns these groups with the sources of another scene. A source with the name of a group adds bodies to this
    /// group.
    pub(crate) fn with_sources(mut self, scene: &Scene) -> Self {
        self.of_sources.clear();
        for source in &scene.sources {
            let known = source.name.as_ref().and_then(|name| self.find(name));
            let number = known.unwrap_or(self.names.len() as u32);
            if known.is_none() {
                self.names.push(source.name.clone());
            }
            self.of_sources.push(number);
        }
        self
    }

    pub(crate) fn find(&self, name: &str) -> Option<u32> {
        self.names.iter().position(|known| known.as_deref() == Some(name)).map(|number| number as u32)
    }

    pub(crate) fn of_source(&self, source: usize) -> u32 {
        self.of_sources.get(source).copied().unwrap_or(0)
    }

    pub(crate) fn names(&self) -> &[Option<String>] {
        &self.names
    }

    pub(crate) fn all(&self) -> &[u32] {
        &self.of_bodies
    }

    pub(crate) fn with_bodies(&self, of_bodies: Vec<u32>) -> Self {
        Self { of_bodies, ..self.clone() }
    }

    /// Applies a renumbering of bodies. New bodies, if any, get the group of the source with number `source`.
    ///
    /// # Errors
    /// [`IntegrateError::LengthMismatch`].
    pub(crate) fn renumber(&mut self, numbering: &Renumbering, source: usize) -> Result<(), IntegrateError> {
        let group = self.of_source(source);
        self.of_bodies = numbering.column_with(&self.of_bodies, &vec![group; numbering.new_bodies()])?;
        Ok(())
    }

    /// Checks that each of `bodies` bodies and `sources` sources has a known group. Returns the error in stored groups.
    pub(crate) fn check(&self, bodies: usize, sources: usize) -> Result<(), &'static str> {
        let mut numbers = self.of_bodies.iter().chain(&self.of_sources);
        let are_known = numbers.all(|&group| (group as usize) < self.names.len());
        if self.of_bodies.len() != bodies || self.of_sources.len() != sources || !are_known {
            return Err("its groups are not those of its bodies");
        }
        Ok(())
    }
}
