//! Frames for ParaView.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};

use dem_contact::bond::Bonds;
use dem_contact::io::VtpFrame;
use rrp_integrate::{Bodies, State};

use super::names;
use crate::error::GrainsError;

/// Frames in one file each, and their list, which is complete at any moment.
#[derive(Debug)]
pub(super) struct Frames {
    folder: PathBuf,
    times: Vec<f64>,
}

impl Frames {
    /// The frames in `folder` at these times. Later frames are removed.
    pub(super) fn at(folder: &Path, times: Vec<f64>) -> Result<Self, GrainsError> {
        remove_from(folder, times.len())?;
        let frames = Self { folder: folder.to_owned(), times };
        frames.list()?;
        Ok(frames)
    }

    pub(super) fn push(&mut self, bodies: &Bodies, state: &State, bonds: Option<&Bonds>) -> Result<(), GrainsError> {
        let path = self.folder.join(names::frame(self.times.len()));
        let written = || -> Result<(), dem_contact::error::DemError> {
            let mut frame = VtpFrame::new(bodies, state)?;
            if let Some(bonds) = bonds {
                frame = frame.with_bonds(bonds)?;
            }
            let mut file = BufWriter::new(File::create(&path)?);
            frame.write(&mut file)?;
            Ok(file.flush()?)
        };
        written().map_err(|error| match error {
            dem_contact::error::DemError::Io(source) => GrainsError::io(&path)(source),
            source => GrainsError::Reading { time: state.time(), source: Box::new(source) },
        })?;
        self.times.push(state.time());
        self.list()
    }

    pub(super) fn times(&self) -> &[f64] {
        &self.times
    }

    /// Writes the list.
    fn list(&self) -> Result<(), GrainsError> {
        let mut text = String::from(
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">\n<Collection>\n",
        );
        for (number, time) in self.times.iter().enumerate() {
            // Writing to a string cannot fail.
            let _written =
                writeln!(text, "<DataSet timestep=\"{time}\" part=\"0\" file=\"{}\"/>", names::frame(number));
        }
        text.push_str("</Collection>\n</VTKFile>\n");
        let (path, new) = (self.folder.join(names::FRAMES), self.folder.join("frames.pvd.new"));
        fs::write(&new, text).map_err(GrainsError::io(&new))?;
        fs::rename(&new, &path).map_err(GrainsError::io(&path))
    }
}

/// Removes the frames in `folder` from this number on.
pub(super) fn remove_from(folder: &Path, first: usize) -> Result<(), GrainsError> {
    for entry in fs::read_dir(folder).map_err(GrainsError::io(folder))? {
        let path = entry.map_err(GrainsError::io(folder))?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if names::frame_number(&name).is_some_and(|number| number >= first) {
            fs::remove_file(&path).map_err(GrainsError::io(&path))?;
        }
    }
    Ok(())
}
