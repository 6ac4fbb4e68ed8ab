//! Template scenes, written by `grains new`.

use std::fs::OpenOptions;
use std::io::{ErrorKind, Write as _};
use std::path::Path;

use crate::error::{GrainsError, Location};
use crate::value::nearest_name;

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
    Template {
        kind: "box",
        about: "grains settle in a box: the smallest scene",
        text: include_str!("../templates/box.toml"),
    },
    Template {
        kind: "chute",
        about: "grains run down a periodic chute; profiles over depth",
        text: include_str!("../templates/chute.toml"),
    },
    Template {
        kind: "drum",
        about: "grains of two materials in a drum that turns",
        text: include_str!("../templates/drum.toml"),
    },
    Template {
        kind: "heap",
        about: "a tube is filled and lifted; stages, walls that move",
        text: include_str!("../templates/heap.toml"),
    },
    Template {
        kind: "oedometer",
        about: "a lid presses with a constant pressure; servo, measurements",
        text: include_str!("../templates/oedometer.toml"),
    },
    Template {
        kind: "silo",
        about: "a stream fills a silo, its gate opens, outflow is counted",
        text: include_str!("../templates/silo.toml"),
    },
];

impl Template {
    /// Returns the template of this kind.
    ///
    /// # Errors
    /// [`GrainsError::UndefinedName`].
    pub fn of(kind: &str) -> Result<Self, GrainsError> {
        ALL.into_iter().find(|one| one.kind == kind).ok_or_else(|| {
            let known: Vec<String> = ALL.iter().map(|one| one.kind.to_owned()).collect();
            let at = Location::of("grains new");
            GrainsError::UndefinedName {
                at,
                found: kind.into(),
                nearest: nearest_name(kind, &known),
                known: known.into(),
            }
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
