//! Faces of meshes that grains come off.

use std::f64::consts::FRAC_PI_4;
use std::path::Path;

use dem_contact::source::{FaceChoice, Facing, MeshFaces};
use dem_contact::wall::{Solid, StlImport, TriangleMesh};

use super::walls::read_mesh;
use crate::error::{GrainsError, Location};
use crate::scene::Scene;
use crate::scene::sources::{FaceRegion, SourceRegion};
use crate::value::{above, direction, positive, vector};

/// The faces of each source of `scene`, none of other regions. Files are read from `folder`.
///
/// # Errors
/// For files that cannot be read, and faces without meaning, with the key.
pub(crate) fn faces_of_sources(scene: &Scene, folder: &Path) -> Result<Vec<Option<MeshFaces>>, GrainsError> {
    let of_source = |(index, region): (usize, &SourceRegion)| match region {
        SourceRegion::Faces(group) => faces(group, &format!("sources[{index}].region.faces"), folder).map(Some),
        _ => Ok(None),
    };
    scene.sources.iter().map(|source| &source.region).enumerate().map(of_source).collect()
}

fn faces(group: &FaceRegion, key: &str, folder: &Path) -> Result<MeshFaces, GrainsError> {
    let under = |name: &str| format!("{key}.{name}");
    let facing = group.facing.map(|facing| direction(under("facing"), facing)).transpose()?;
    if group.angle.is_some() && facing.is_none() {
        let problem = "is between faces and a direction: give `facing` too";
        return Err(GrainsError::Conflict { at: Location::of(under("angle")), problem });
    }
    let angle = group.angle.unwrap_or(FRAC_PI_4);
    let within = match (group.low, group.high) {
        (None, None) => None,
        (Some(low), Some(high)) => {
            let (low, high) = (vector(under("low"), low)?, vector(under("high"), high)?);
            (0..3).try_for_each(|c| above(under("high"), high[c], low[c]).map(|_| ()))?;
            Some([low, high])
        }
        _ => {
            let problem = "has `low` and `high`, the corners of a box, or none of them";
            return Err(GrainsError::Conflict { at: Location::of(key), problem });
        }
    };
    let solid = if group.inside { Solid::Around } else { Solid::IfClosed };
    let import = StlImport { solid, scale: positive(under("scale"), group.scale)?, join: None };
    let point = vector(under("point"), group.point)?;
    let mesh = read_mesh(&folder.join(&group.path), import, under("path"))?;
    let points = mesh.points().iter().map(|corner| *corner + point).collect();
    let moved = TriangleMesh::open(points, mesh.triangles().to_vec()).map_err(GrainsError::refused(under("point")))?;
    let choice = FaceChoice { facing: facing.map(|direction| Facing { direction, angle }), within };
    let refused_at = if group.angle.is_some() { under("angle") } else { key.to_owned() };
    MeshFaces::new(moved, choice).map_err(GrainsError::refused(refused_at))
}
