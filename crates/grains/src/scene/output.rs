//! `[output]`: what is written, and how often.

use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::GrainsError;
use crate::value::positive;

/// What a run writes, and how often; the first and the last state are always written.
#[derive(Debug, Clone, PartialEq, Default, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct OutputPlan {
    /// Folder of the results, from the folder of the scene; the name of the scene with `.out` if not given.
    #[schemars(extend("toml" = r#""results""#))]
    pub folder: Option<PathBuf>,
    /// How often a row of energies, momenta, wall forces and statistics is written: `series.csv`.
    #[schemars(extend("toml" = "{ time = 0.01 }"))]
    pub series: Option<Interval>,
    /// How often powers of contacts are read for the columns `dissipated_normal`, `_sliding`, `_rolling`, `_twisting`
    /// and `_walls` of the time series: energies since the start, where powers are linear between two times. They are
    /// read for each row of the time series, too. Those of springs include what springs store at the moment. A
    /// reading costs about as much as a step. Damping begins at once where bodies touch, so `_normal` is off by up to
    /// half of the time between two readings. Read each step in contact dynamics.
    #[schemars(extend("toml" = "{ steps = 10 }"))]
    pub dissipation: Option<Interval>,
    /// How often a row for each contact is written: `contacts.csv`. The branch vector goes from the centre of `a` to
    /// that of `b`, or to the nearest point of a wall. In contact dynamics place, gap and branch vector are those at
    /// the start of the step.
    #[schemars(extend("toml" = "{ time = 0.1 }"))]
    pub contacts: Option<Interval>,
    /// How often frames for ParaView are written: `frames.pvd`, with `frames-000000.vtp`, `contacts-000000.vtp` and
    /// `walls-000000.vtp` and so on.
    #[schemars(extend("toml" = "{ time = 0.02 }"))]
    pub frames: Option<Interval>,
    /// How often the friction problem of the last step is written, `fclib-000100.hdf5` after step 100: u = W r + q with
    /// forces r in N and velocities u in m/s. Of contact dynamics with friction; none where nothing is near enough to
    /// touch.
    #[schemars(extend("toml" = "{ steps = 100 }"))]
    pub fclib: Option<Interval>,
    /// How often checkpoints are written: `checkpoint.grains`.
    #[schemars(extend("toml" = "{ time = 0.5 }"))]
    pub checkpoints: Option<Interval>,
    /// Whether frames show bodies at their images in the periodic `box`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[schemars(extend("toml" = "true"))]
    pub wrap: bool,
    /// Type of the numbers in frames that are not whole: `"float64"` if not given, or `"float32"`, which takes half of
    /// the room and has seven digits. A run that begins with such a frame begins with these digits.
    #[serde(default, skip_serializing_if = "FrameNumbers::is_default")]
    #[schemars(extend("toml" = r#""float32""#))]
    pub frame_numbers: FrameNumbers,
    /// Parts that frames are written without, to save room. `grains measure --frames` needs contacts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("toml" = r#"["contacts"]"#))]
    pub frames_without: Vec<LeftOut>,
    /// Whether faces of walls in frames have the force of the bodies on them, the pressure and the shear stress. Meshes
    /// and turned profiles at rest are then in each frame, in `walls-000000.vtp`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[schemars(extend("toml" = "true"))]
    pub face_forces: bool,
}

/// Type of the numbers in frames that are not whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FrameNumbers {
    /// Numbers of frames as the run has them, with 16 digits.
    #[default]
    Float64,
    /// Numbers of frames with seven digits, which take half of the room.
    Float32,
}

impl FrameNumbers {
    #[allow(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
    fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

/// A part of frames that is not written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LeftOut {
    /// Contacts as lines: `contacts-000000.vtp`.
    Contacts,
    /// Walls as faces: `walls-000000.vtp` and `walls-at-rest-000000.vtp`.
    Walls,
    /// Bonds as lines: `bonds-000000.vtp`.
    Bonds,
}

impl OutputPlan {
    /// Returns the folder of the results of the scene file at `path`.
    pub(crate) fn folder_of(&self, path: &Path) -> PathBuf {
        match &self.folder {
            Some(folder) => path.parent().unwrap_or(Path::new("")).join(folder),
            None => path.with_extension("out"),
        }
    }

    /// Returns the intervals that stages may change, in the order of [`StageOutput`](super::stages::StageOutput).
    pub(crate) fn intervals(&mut self) -> [&mut Option<Interval>; 5] {
        [&mut self.series, &mut self.contacts, &mut self.frames, &mut self.fclib, &mut self.checkpoints]
    }

    /// Checks that the intervals of all results are positive.
    ///
    /// # Errors
    /// [`GrainsError::OutOfRange`].
    pub(crate) fn check(&self) -> Result<(), GrainsError> {
        let all = [
            ("series", self.series),
            ("dissipation", self.dissipation),
            ("contacts", self.contacts),
            ("frames", self.frames),
            ("fclib", self.fclib),
            ("checkpoints", self.checkpoints),
        ];
        let given = all.into_iter().filter_map(|(name, interval)| Some((name, interval?)));
        given.into_iter().try_for_each(|(name, interval)| interval.check(&format!("output.{name}")))
    }
}

/// Interval at which something is done: written, measured, or looked at.
#[derive(Debug, Clone, Copy, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Interval {
    /// An interval of this number of time steps.
    #[schemars(extend("toml" = "{ steps = 1000 }"))]
    Steps(u64),
    /// An interval of this time in s, rounded to whole steps.
    #[schemars(extend("unit" = "s", "toml" = "{ time = 0.01 }"))]
    Time(f64),
}

impl Interval {
    /// Checks that the interval at `key` is positive.
    ///
    /// # Errors
    /// [`GrainsError::OutOfRange`].
    pub(crate) fn check(self, key: &str) -> Result<(), GrainsError> {
        let (kind, value) = match self {
            Self::Time(time) => ("time", time),
            Self::Steps(steps) => ("steps", steps as f64),
        };
        positive(format!("{key}.{kind}"), value).map(|_| ())
    }

    /// Converts the interval to a number of steps of length `dt` (s), at least one.
    #[must_use]
    pub fn steps(self, dt: f64) -> u64 {
        match self {
            Self::Steps(steps) => steps.max(1),
            Self::Time(time) => (time / dt).round().max(1.0) as u64,
        }
    }
}
