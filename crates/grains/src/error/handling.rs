//! Constructors of errors, their locations in a scene, and exit codes.

use std::io::ErrorKind;
use std::path::PathBuf;

use dem_contact::error::{DemError, LawError};

use super::{GrainsError, Location, OnRanksError};

/// Keys of numbers that a library checks, relative to the table of the scene with the number, by the names of these
/// numbers in the library's errors.
const NUMBERS: [(&str, &str); 28] = [
    ("the stiffness", "normal.hooke.stiffness"),
    ("the modulus", "normal.hertz.modulus"),
    ("the stiffness of loading", "loading"),
    ("the stiffness of adhesion", "adhesion"),
    ("the tangential stiffness", "stiffness"),
    ("the tangential modulus", "modulus"),
    ("the tangential damping coefficient", "gamma"),
    ("the friction coefficient", "friction"),
    ("the stiffness of a resistance", "stiffness"),
    ("the damping of a resistance", "damping"),
    ("the coefficient of a resistance", "friction"),
    ("Young's modulus", "young"),
    ("Poisson's ratio", "poisson"),
    ("the restitution", "restitution"),
    ("the surface tension", "surface-tension"),
    ("the contact angle", "contact-angle"),
    ("the share of liquid that new bridges take", "share"),
    ("the radius", "radius"),
    ("the radius of a cylinder", "radius"),
    ("the radius of a cylinder that is measured", "cylinder.radius"),
    ("the stiffness of the wall", "stiffness"),
    ("the stiffness of a tie", "stiffness"),
    ("the tolerance", "tolerance"),
    ("the width of a kernel", "gaussian.width"),
    ("the range of a kernel", "lucy.range"),
    ("the speed of a servo", "speed"),
    ("the response of a servo", "response"),
    ("the mass of a wall", "mass"),
];

/// Expands to the field `at` of an error, its location in a scene; none for errors without this field.
macro_rules! location_in {
    ($error:expr) => {
        match $error {
            GrainsError::Syntax { at, .. }
            | GrainsError::UnknownName { at, .. }
            | GrainsError::UndefinedName { at, .. }
            | GrainsError::MissingKey { at, .. }
            | GrainsError::WrongType { at, .. }
            | GrainsError::OutOfRange { at, .. }
            | GrainsError::Conflict { at, .. }
            | GrainsError::WallAcrossPeriodic { at, .. }
            | GrainsError::WrongLength { at, .. }
            | GrainsError::Overlap { at, .. }
            | GrainsError::WallThroughBody { at, .. }
            | GrainsError::InSolid { at, .. }
            | GrainsError::StepTooLong { at, .. }
            | GrainsError::TooManySteps { at, .. }
            | GrainsError::NoAutomaticStep { at, .. }
            | GrainsError::NoRoom { at, .. }
            | GrainsError::TooLarge { at, .. }
            | GrainsError::UnknownFormat { at, .. }
            | GrainsError::Refused { at, .. }
            | GrainsError::File { at, .. }
            | GrainsError::Unreadable { at, .. } => Some(at),
            _ => None,
        }
    };
}

impl GrainsError {
    /// Returns the location of the error in a scene, if it has one.
    pub(crate) fn location(&self) -> Option<&Location> {
        location_in!(self)
    }

    /// Returns the location of the error in a scene for adding file and line, if it has one.
    pub(crate) fn location_mut(&mut self) -> Option<&mut Location> {
        location_in!(self)
    }

    /// Returns the exit code of the program for this error: 2 for refused input, 1 for a failure during the run.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Step { .. }
            | Self::EnergyGrown { .. }
            | Self::WallCrossed { .. }
            | Self::Reading { .. }
            | Self::NoThreads { .. }
            | Self::OnRanks(
                OnRanksError::Step { .. }
                | OnRanksError::NoThreads { .. }
                | OnRanksError::Ranks(_)
                | OnRanksError::Order { .. },
            )
            | Self::WriterGone
            | Self::Unstorable { .. }
            | Self::ResultsChanged { .. }
            | Self::ResultsReplaced { .. }
            | Self::NoFolder { .. }
            | Self::Io { .. } => 1,
            _ => 2,
        }
    }

    /// Makes the error for a key that excludes another key, or lacks one. `problem` says what to write instead.
    pub(crate) fn conflict(key: impl Into<String>, problem: &'static str) -> Self {
        Self::Conflict { at: Location::of(key), problem }
    }

    /// Refuses the first of these keys of the table `table` that is given; `problem` says what to write instead.
    pub(crate) fn refuse_given(table: &str, keys: &[(&str, bool)], problem: &'static str) -> Result<(), Self> {
        match keys.iter().find(|(_, is_given)| *is_given) {
            Some((name, _)) => Err(Self::conflict(format!("{table}.{name}"), problem)),
            None => Ok(()),
        }
    }

    pub(crate) fn out_of_range(key: impl Into<String>, range: &'static str, value: f64) -> Self {
        Self::OutOfRange { at: Location::of(key), range, value }
    }

    pub(crate) fn io(path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.into();
        move |source| Self::Io { path, source }
    }

    /// Makes the error for a number of the table `key` that a library refuses; the error names the key of the number.
    pub(crate) fn refused_number(key: impl Into<String>) -> impl FnOnce(DemError) -> Self {
        let key = key.into();
        move |source| {
            let source = match source {
                DemError::Law(LawError::InvalidPair { reason, .. }) => *reason,
                source => source,
            };
            if let DemError::InvalidParameter { parameter, range, value } = source
                && let Some((_, name)) = NUMBERS.iter().find(|(known, _)| *known == parameter)
            {
                return Self::out_of_range(format!("{key}.{name}"), range, value);
            }
            Self::refused(key)(source)
        }
    }

    /// Makes the error for forces and contacts that cannot be read at `time` (s).
    pub(crate) fn unreadable(time: f64) -> impl Fn(DemError) -> Self + Copy {
        move |source| Self::Reading { time, source: Box::new(source) }
    }

    pub(crate) fn refused(key: impl Into<String>) -> impl FnOnce(DemError) -> Self {
        let at = Location::of(key);
        move |source| Self::Refused { at, source: Box::new(source) }
    }
}

/// Returns the text ", did you mean ...?" for a message about an unknown name; empty without a similar known name.
pub(super) fn suggestion(nearest: &Option<Box<str>>) -> String {
    nearest.as_ref().map_or_else(String::new, |name| format!(", did you mean `{name}`?"))
}

/// Lists all known names for a message, or advises how to give a name if there are none.
pub(crate) fn known_names(found: &str, known: &[String]) -> String {
    if known.is_empty() {
        return format!("nothing of this kind has a name: add `name = \"{found}\"` to what is meant");
    }
    format!("known are {}", known.join(", "))
}

pub(super) fn known_columns(known: &[String]) -> String {
    if known.is_empty() { "it has no columns yet".to_owned() } else { format!("known are {}", known.join(", ")) }
}

/// Advises how to pour bodies into a box that holds `there` bodies; empty for an empty box.
pub(super) fn among(there: usize) -> String {
    match there {
        0 => String::new(),
        _ => format!(". {there} bodies are there already: `pour-with` places several groups together, and denser"),
    }
}

/// Advises how to make room for poured bodies that take the share `fraction` of the volume of a box with `there` other
/// bodies.
pub(super) fn room(fraction: f64, there: usize) -> &'static str {
    if fraction < 0.3 && there == 0 {
        return "so there should be room: is the region in front of all walls, and do the normals of walls point to \
                the bodies?";
    }
    "make the box larger or the count smaller"
}

/// Advises how to continue a run after a full disk; empty for other errors of files.
pub(super) fn room_on_disk(error: &std::io::Error) -> &'static str {
    if matches!(error.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded) {
        return "; make room there: `grains resume` then continues a run from its last checkpoint";
    }
    ""
}
