//! Frames of a run, read back for measurements.

use std::path::{Path, PathBuf};

use dem_contact::error::{DemError, FileError};
use dem_contact::io::{VtpMarks, VtpPoints, read_touches};
use dem_contact::measure::Touch;
use rrp_integrate::{Bodies, Body, State};

use crate::build::body_file::numbers;
use crate::error::{GrainsError, Location};
use crate::files;
use crate::output::names::FramePart;
use crate::progress::groups::Groups;
use crate::results::frames::{ListedFrame, MEMORY, list, refused};
use crate::simulation::{Measurable, Simulation};

#[derive(Debug)]
pub(super) struct StoredFrame {
    bodies: Bodies,
    state: State,
    touches: Vec<Touch>,
    materials: Vec<u16>,
    groups: Groups,
    ids: Vec<u64>,
    /// Fragment of each body, as the smallest number of its bodies; empty without bonds.
    fragments: Vec<usize>,
}

impl StoredFrame {
    /// Reads the frames in the list of frames in `folder` one after another; `groups` are the groups of their run.
    ///
    /// # Errors
    /// Errors of reading the list of frames.
    pub(super) fn all<'a>(
        folder: &'a Path,
        groups: &'a Groups,
    ) -> Result<impl Iterator<Item = Result<Self, GrainsError>> + 'a, GrainsError> {
        let frames = list(folder)?;
        Ok(frames.into_iter().map(move |frame| Self::read(&frame, groups)))
    }

    fn read(frame: &ListedFrame, groups: &Groups) -> Result<Self, GrainsError> {
        let path = |part| frame.file(part).map(Path::to_owned).unwrap_or_default();
        let grains = path(FramePart::Grains);
        let contacts = path(FramePart::Contacts);
        let bytes = |path: &PathBuf| files::read(path, Location::of("output.frames"), MEMORY);
        let (points, marks) =
            VtpPoints::read_with_marks(&mut &bytes(&grains)?[..], usize::MAX).map_err(refused(&grains))?;
        let VtpMarks { mass, id, material, group, fragment } = marks;
        let (Some(radius), Some(velocity), Some(mass), Some(ids)) = (points.radius, points.velocity, mass, id) else {
            return Err(refused(&grains)(DemError::Io(std::io::Error::other(
                "it is no frame of a run: `radius`, `velocity`, `mass` or `id` is missing",
            ))));
        };
        let body = |(&mass, &radius): (&f64, &f64)| {
            if mass.is_finite() { Body::sphere(mass, radius) } else { Body::fixed(radius) }
        };
        let bodies = Bodies::new(mass.iter().zip(&radius).map(body));
        let bodies = bodies.map_err(|error| refused(&grains)(error.into()))?;
        let mut state = State::at_rest(bodies.len());
        for (i, (position, velocity)) in points.position.iter().zip(&velocity).enumerate() {
            state.position_mut().set(i, *position);
            state.velocity_mut().set(i, *velocity);
        }
        state.set_time(frame.time);
        state.check(&bodies).map_err(|error| refused(&grains)(error.into()))?;
        let touches = read_touches(&mut &bytes(&contacts)?[..], &ids).map_err(refused(&contacts))?;
        let number = |id: &u64| {
            let unknown = || FileError::Vtk { array: "fragment".to_owned(), problem: "has the id of no grain" };
            ids.binary_search(id).map_err(|_| refused(&grains)(unknown().into()))
        };
        let fragments = fragment.iter().flatten().map(number).collect::<Result<_, _>>()?;
        Ok(Self {
            bodies,
            state,
            touches,
            fragments,
            materials: numbers(material, "material").map_err(refused(&grains))?,
            groups: groups.with_bodies(numbers(group, "group").map_err(refused(&grains))?),
            ids,
        })
    }

    pub(super) fn time(&self) -> f64 {
        self.state.time()
    }

    /// Returns the frame in the form for measurements, in the box of its run.
    ///
    /// # Errors
    /// Errors of [`Simulation::domain`].
    pub(super) fn measurable(&self, run: &Simulation) -> Result<Measurable<'_>, GrainsError> {
        Ok(Measurable {
            bodies: &self.bodies,
            state: &self.state,
            domain: run.domain()?,
            touches: self.touches.clone(),
            materials: &self.materials,
            groups: &self.groups,
            ids: &self.ids,
            fragments: (&self.fragments[..]).into(),
        })
    }
}
