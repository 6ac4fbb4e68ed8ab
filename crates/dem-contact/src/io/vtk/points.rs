use std::io::Read;

use rrp_geom::glam::DVec3;

use crate::error::DemError;
use crate::io::vtk::poly_file::{ArrayRequest, PolyFile, refused};

/// Points of a `.vtp` file of one piece, with the arrays that [`VtpFrame`](crate::io::VtpFrame) writes for points.
///
/// Files are little-endian, with real numbers of type `Float64` or `Float32`, integers `Int64` or `Int32`. Arrays are
/// text, inline base64, or raw bytes in an appended block, perhaps compressed by zlib (feature `gzip`). Arrays with
/// other names are ignored.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct VtpPoints {
    /// Position of each point in m.
    pub position: Vec<DVec3>,
    /// Radius of each point in m, if the file has radii.
    pub radius: Option<Vec<f64>>,
    /// Velocity of each point in m/s, if the file has velocities.
    pub velocity: Option<Vec<DVec3>>,
    /// Angular velocity of each point in rad/s, world frame, if the file has spins.
    pub spin: Option<Vec<DVec3>>,
}

/// Masses, ids and labels of the bodies of a `.vtp` file, as [`VtpFrame`](crate::io::VtpFrame) writes them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct VtpMarks {
    /// Mass of each body in kg, infinite for a fixed body, if the file has masses.
    pub mass: Option<Vec<f64>>,
    /// Id of each body, if the file has ids.
    pub id: Option<Vec<u64>>,
    /// Number of the material of each body, if the file has materials.
    pub material: Option<Vec<i64>>,
    /// Number of the group of each body, if the file has groups.
    pub group: Option<Vec<i64>>,
    /// Id of the fragment of each body, if the file has fragments.
    pub fragment: Option<Vec<u64>>,
}

impl VtpMarks {
    fn of(file: &PolyFile<'_>) -> Result<Self, DemError> {
        let of = |name| ArrayRequest { section: "PointData", name: Some(name), rows: file.points, width: 1 };
        let ids = |name| {
            let found = file.integers(of(name))?;
            Ok::<_, DemError>(found.map(|ids| ids.into_iter().map(|id| id as u64).collect()))
        };
        Ok(Self {
            mass: file.floats(of("mass"))?,
            id: ids("id")?,
            material: file.integers(of("material"))?,
            group: file.integers(of("group"))?,
            fragment: ids("fragment")?,
        })
    }
}

impl VtpPoints {
    /// Reads the points of a `.vtp` file.
    ///
    /// # Errors
    /// [`DemError::Io`]; [`FileError::Vtk`](crate::error::FileError::Vtk) with the array for a file that is not valid
    /// or has an unsupported form.
    pub fn read(from: &mut dyn Read) -> Result<Self, DemError> {
        Self::read_at_most(from, usize::MAX)
    }

    /// Reads the points of a `.vtp` file of at most `limit` points. A file with more points is refused before memory is
    /// reserved: a small compressed file may hold very many points.
    ///
    /// # Errors
    /// Errors of [`read`](Self::read).
    pub fn read_at_most(from: &mut dyn Read, limit: usize) -> Result<Self, DemError> {
        PolyFile::read(from, |file| Self::of(file, limit))
    }

    /// Reads a `.vtp` file of at most `limit` points, with the masses, ids and labels of its bodies.
    ///
    /// # Errors
    /// Errors of [`read`](Self::read).
    pub fn read_with_marks(from: &mut dyn Read, limit: usize) -> Result<(Self, VtpMarks), DemError> {
        PolyFile::read(from, |file| Ok((Self::of(file, limit)?, VtpMarks::of(file)?)))
    }

    fn of(file: &PolyFile<'_>, limit: usize) -> Result<Self, DemError> {
        if file.points > limit {
            return Err(refused("", "has more points than can be read here"));
        }
        let array = |section: &str, name: Option<&str>, width| {
            file.floats(ArrayRequest { section, name, rows: file.points, width })
        };
        let position = array("Points", None, 3)?.ok_or_else(|| refused("Points", "is missing"))?;
        Ok(Self {
            position: vectors(position),
            radius: array("PointData", Some("radius"), 1)?,
            velocity: array("PointData", Some("velocity"), 3)?.map(vectors),
            spin: array("PointData", Some("spin"), 3)?.map(vectors),
        })
    }
}

pub(super) fn vectors(rows: Vec<f64>) -> Vec<DVec3> {
    rows.as_chunks::<3>().0.iter().copied().map(DVec3::from_array).collect()
}
