use std::io::Read;

use rrp_geom::glam::DVec3;

use crate::error::DemError;
use crate::io::vtk::points::vectors;
use crate::io::vtk::poly_file::{ArrayRequest, PolyFile, refused};
use crate::law::contact::{Partner, PowerByMotion};
use crate::measure::Touch;

/// Reads the contacts in a file written by [`VtpContacts`](crate::io::VtpContacts), between bodies with these ascending
/// ids. The body numbers of the result are indices in `ids`. Couples (torques of rolling) are not in these files and
/// are zero.
///
/// # Errors
/// [`DemError::Io`]; [`FileError::Vtk`](crate::error::FileError::Vtk) with the array for a file that is not valid, or
/// with contacts of bodies with other ids.
pub fn read_touches(from: &mut dyn Read, ids: &[u64]) -> Result<Vec<Touch>, DemError> {
    PolyFile::read(from, |file| touches(file, ids))
}

fn touches(file: &PolyFile<'_>, ids: &[u64]) -> Result<Vec<Touch>, DemError> {
    let lines = file.lines;
    if file.points != lines.saturating_mul(2) {
        return Err(refused("Points", "are not the two ends of each line"));
    }
    let cell = |name, width| ArrayRequest { section: "CellData", name: Some(name), rows: lines, width };
    let integers = |name: &'static str| file.integers(cell(name, 1))?.ok_or_else(|| refused(name, "is missing"));
    let floats = |name: &'static str, width| file.floats(cell(name, width))?.ok_or_else(|| refused(name, "is missing"));
    let ends = ArrayRequest { section: "Points", name: None, rows: file.points, width: 3 };
    let ends = vectors(file.floats(ends)?.ok_or_else(|| refused("Points", "is missing"))?);
    let a = integers("a")?;
    let b = integers("b")?;
    let wall = integers("wall")?;
    let gap = floats("gap", 1)?;
    let force = vectors(floats("force", 3)?);
    let power = floats("power", 4)?;
    let body = |name: &'static str, id: i64| {
        ids.binary_search(&(id as u64)).map_err(|_| refused(name, "has a body that the frame does not have"))
    };
    (0..lines)
        .map(|line| {
            let partner = match usize::try_from(wall[line]) {
                Ok(wall) => Partner::Wall(wall),
                Err(_) => Partner::Body(body("b", b[line])?),
            };
            let normal = (ends[2 * line + 1] - ends[2 * line]).normalize_or_zero();
            if normal == DVec3::ZERO {
                return Err(refused("Points", "has a line without a direction"));
            }
            let [normal_power, sliding, rolling, twisting] = [0, 1, 2, 3].map(|k| power[4 * line + k]);
            Ok(Touch {
                a: body("a", a[line])?,
                b: partner,
                normal,
                overlap: -gap[line],
                force: force[line],
                couple: DVec3::ZERO,
                power: PowerByMotion { normal: normal_power, sliding, rolling, twisting },
            })
        })
        .collect()
}
