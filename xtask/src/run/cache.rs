//! Cache of computed figures, kept beside their files, which are reused while everything that made them is unchanged.
use std::fs;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use serde::{Deserialize, Serialize};

use crate::model::{Effort, Figure};
use crate::run::finished::Finished;
use crate::run::output;
use crate::run::versions::Versions;

/// Cache of computed figures for one executable and effort.
#[derive(Debug)]
pub(crate) struct Cache {
    directory: PathBuf,
    effort: Effort,
    /// Hash of the executable, the processor's features and the effort: of everything that determines results, except
    /// the figure itself.
    code: u64,
}

/// Content of a cache file.
#[derive(Debug, Serialize, Deserialize)]
struct Entry {
    key: u64,
    seconds: f64,
    finished: Finished,
}

impl Cache {
    /// Opens the cache in the folder `out` for the running executable, which contains all parameters and data. The last
    /// bits of results may also depend on the processor, and on whether maps are sabotaged.
    ///
    /// # Errors
    /// If the executable cannot be read.
    pub(crate) fn open(out: &Path, effort: Effort, versions: &Versions, sabotage: bool) -> Result<Self> {
        let path = std::env::current_exe().context("finding the running executable")?;
        let mut bytes = fs::read(&path).with_context(|| format!("reading {}", path.display()))?;
        bytes.push(sabotage.into());
        Ok(Self::of_code(out, effort, versions, &bytes))
    }

    fn of_code(out: &Path, effort: Effort, versions: &Versions, executable: &[u8]) -> Self {
        let mut hasher = DefaultHasher::new();
        (executable, effort.name(), &versions.cpu_features).hash(&mut hasher);
        Self { directory: out.join(".cache"), effort, code: hasher.finish() }
    }

    /// Returns the cached result of a figure and its computing time in s. An unreadable file counts as absent.
    pub(crate) fn load(&self, figure: &Figure) -> Option<(f64, Finished)> {
        let bytes = fs::read(self.path(figure)).ok()?;
        let entry: Entry = ciborium::from_reader(bytes.as_slice()).ok()?;
        (entry.key == self.key(figure)).then_some((entry.seconds, entry.finished))
    }

    /// Keeps the result of a figure and its computing time in s.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(crate) fn store(&self, figure: &Figure, seconds: f64, finished: &Finished) -> Result<()> {
        let entry = Entry { key: self.key(figure), seconds, finished: finished.clone() };
        let mut bytes = Vec::new();
        ciborium::into_writer(&entry, &mut bytes).with_context(|| format!("keeping the result of {}", figure.id))?;
        output::prepare(&self.directory)?;
        output::write(&self.directory, &self.name(figure), &bytes)
    }

    fn path(&self, figure: &Figure) -> PathBuf {
        self.directory.join(self.name(figure))
    }

    /// Returns the name of the cache file of a figure. Results at quick and at full effort have different names, so
    /// that neither replaces the other.
    fn name(&self, figure: &Figure) -> String {
        format!("{}.{}.cbor", figure.id, self.effort.name())
    }

    /// Returns the hash of everything that determines the result of a figure.
    fn key(&self, figure: &Figure) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.code, figure.id, figure.title, figure.source).hash(&mut hasher);
        hasher.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figures::demo;
    use crate::run::made_up;

    #[test]
    fn results_are_found_again_until_code_effort_or_processor_change() {
        let out = std::env::temp_dir().join(format!("xtask-cache-{}", std::process::id()));
        let versions = Versions::detect();
        let cache = |effort, code: &[u8]| Cache::of_code(&out, effort, &versions, code);
        let figure = demo::table()[0];
        let finished = made_up::finished(figure);
        let first = cache(Effort::Quick, b"code");
        assert!(first.load(&figure).is_none());
        first.store(&figure, 1.5, &finished).unwrap();
        let (seconds, found) = first.load(&figure).unwrap();
        // Compares all fields, including NaN and infinities.
        assert_eq!((1.5_f64.to_bits(), format!("{finished:?}")), (seconds.to_bits(), format!("{found:?}")));
        assert!(cache(Effort::Full, b"code").load(&figure).is_none());
        assert!(cache(Effort::Quick, b"cod").load(&figure).is_none());
        let other = Versions { cpu_features: vec!["none"], ..versions.clone() };
        assert!(Cache::of_code(&out, Effort::Quick, &other, b"code").load(&figure).is_none());
        assert!(first.load(&Figure { title: "another", ..figure }).is_none());
        fs::write(first.path(&figure), b"half a fi").unwrap();
        assert!(first.load(&figure).is_none());
        fs::remove_dir_all(out).unwrap();
    }
}
