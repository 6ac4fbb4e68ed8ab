use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};

use rrp_integrate::{Bodies, State};

use crate::bond::bonds::Bonds;
use crate::error::DemError;
use crate::io::vtk::frame::VtpFrame;

/// Series of frames `name-000000.vtp` and so on, with the list of all frames `name.pvd`, rewritten after each frame.
#[derive(Debug)]
pub struct PvdSeries {
    directory: PathBuf,
    name: String,
    entries: String,
    frames: usize,
}

impl PvdSeries {
    /// Makes an empty series of `.vtp` frames and its directory. Frames of an earlier series are overwritten in turn.
    ///
    /// # Errors
    /// [`DemError::Io`], also for a name with a leading `.` or with others than letters, digits, `-`, `_`, `.`.
    pub fn create(directory: impl Into<PathBuf>, name: impl Into<String>) -> Result<Self, DemError> {
        let directory = directory.into();
        let name = name.into();
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        if name.is_empty() || !name.chars().all(plain) || name.starts_with('.') {
            let problem = format!("{name:?} cannot be the name of a series: letters, digits, '-', '_' and '.' can");
            return Err(std::io::Error::new(std::io::ErrorKind::InvalidInput, problem).into());
        }
        fs::create_dir_all(&directory)?;
        Ok(Self { directory, name, entries: String::new(), frames: 0 })
    }

    /// Writes the next frame of the series, at the time of `state`.
    ///
    /// # Errors
    /// Errors of [`VtpFrame::new`], [`with_bonds`](VtpFrame::with_bonds) and [`write`](VtpFrame::write). The list then
    /// ends with the frame before.
    pub fn push(&mut self, bodies: &Bodies, state: &State, bonds: Option<&Bonds>) -> Result<(), DemError> {
        let mut frame = VtpFrame::new(bodies, state)?;
        if let Some(bonds) = bonds {
            frame = frame.with_bonds(bonds)?;
        }
        let file = format!("{}-{:06}.vtp", self.name, self.frames);
        let mut to = BufWriter::new(File::create(self.directory.join(&file))?);
        frame.write(&mut to)?;
        to.flush()?;
        let mut entries = self.entries.clone();
        // Writing to a string cannot fail.
        let _written = writeln!(entries, "<DataSet timestep=\"{}\" part=\"0\" file=\"{file}\"/>", state.time());
        let text = format!(
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">\n\
             <Collection>\n{entries}</Collection>\n</VTKFile>\n"
        );
        fs::write(self.path(), text)?;
        (self.entries, self.frames) = (entries, self.frames + 1);
        Ok(())
    }

    /// Path of the `.pvd` file, which ParaView opens.
    #[must_use]
    pub fn path(&self) -> PathBuf {
        self.directory.join(format!("{}.pvd", self.name))
    }

    /// Directory of the `.vtp` files.
    #[must_use]
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// Number of frames written so far.
    #[must_use]
    pub fn frames(&self) -> usize {
        self.frames
    }
}
