//! Template scenes, written by `grains new`.

use std::fs::OpenOptions;
use std::io::{ErrorKind, Write as _};
use std::path::Path;

use crate::error::GrainsError;
use crate::value::undefined;

/// A commented template scene, written by `grains new`.
#[derive(Debug, Clone, Copy)]
pub struct Template {
    /// Kind of the scene, the argument of `grains new`.
    pub kind: &'static str,
    /// One-line description of the scene.
    pub about: &'static str,
    /// Text of the scene, as TOML.
    pub text: &'static str,
}

/// All templates of `grains new`.
pub const ALL: [Template; 6] = [
    Template::new("box", "grains settle in a box: the smallest scene", include_str!("../templates/box.toml")),
    Template::new(
        "chute",
        "grains run down a periodic chute; profiles over depth",
        include_str!("../templates/chute.toml"),
    ),
    Template::new("drum", "grains of two materials in a drum that turns", include_str!("../templates/drum.toml")),
    Template::new(
        "heap",
        "a tube is filled and lifted; stages, walls that move",
        include_str!("../templates/heap.toml"),
    ),
    Template::new(
        "oedometer",
        "a lid presses with a constant pressure; servo, measurements",
        include_str!("../templates/oedometer.toml"),
    ),
    Template::new(
        "silo",
        "a stream fills a silo, its gate opens, outflow is counted",
        include_str!("../templates/silo.toml"),
    ),
];

impl Template {
    const fn new(kind: &'static str, about: &'static str, text: &'static str) -> Self {
        Self { kind, about, text }
    }

    /// Returns the template of this kind.
    ///
    /// # Errors
    /// [`GrainsError::UndefinedName`].
    pub fn of(kind: &str) -> Result<Self, GrainsError> {
        ALL.into_iter().find(|one| one.kind == kind).ok_or_else(|| {
            let known = ALL.iter().map(|one| one.kind.to_owned()).collect();
            undefined(kind, known, "grains new")
        })
    }

    /// Writes the template's scene to a new file.
    ///
    /// # Errors
    /// [`GrainsError::Taken`] if the file exists, and errors of the system.
    pub fn write(&self, path: impl AsRef<Path>) -> Result<(), GrainsError> {
        let path = path.as_ref();
        let file = OpenOptions::new().write(true).create_new(true).open(path);
        let mut file = file.map_err(|error| match error.kind() {
            ErrorKind::AlreadyExists => GrainsError::Taken { path: path.to_owned() },
            _ => GrainsError::io(path)(error),
        })?;
        file.write_all(self.text.as_bytes()).map_err(GrainsError::io(path))
    }
}
