//! Faces of meshes where the grains of a source appear.

use std::f64::consts::FRAC_PI_4;
use std::path::Path;

use dem_contact::error::{DemError, MeshError};
use dem_contact::source::{FaceChoice, Facing, MeshFaces};
use dem_contact::wall::{Solid, StlImport};

use super::walls::read_mesh;
use crate::error::GrainsError;
use crate::scene::sources::FaceRegion;
use crate::value::{corners, direction, positive, vector};

/// Reads the mesh of the source with this index from `folder`, and chooses the faces where its grains appear.
///
/// # Errors
/// For a file that cannot be read, and invalid faces; the error names the key.
pub(crate) fn read_faces(index: usize, group: &FaceRegion, folder: &Path) -> Result<MeshFaces, GrainsError> {
    let key = format!("sources[{index}].region.faces");
    let under = |name: &str| format!("{key}.{name}");
    let facing = group.facing.map(|facing| direction(under("facing"), facing)).transpose()?;
    if group.angle.is_some() && facing.is_none() {
        let problem = "is between faces and a direction: give `facing` too";
        return Err(GrainsError::conflict(under("angle"), problem));
    }
    let angle = group.angle.unwrap_or(FRAC_PI_4);
    let within = match (group.low, group.high) {
        (None, None) => None,
        (Some(low), Some(high)) => Some(corners(&key, low, high)?),
        _ => {
            let problem = "has `low` and `high`, the corners of a box, or none of them";
            return Err(GrainsError::conflict(key, problem));
        }
    };
    let solid = if group.inside { Solid::Around } else { Solid::IfClosed };
    let import = StlImport { solid, scale: positive(under("scale"), group.scale)?, join: None };
    let point = vector(under("point"), group.point)?;
    let mesh = read_mesh(&folder.join(&group.path), import, under("path"))?;
    if !mesh.is_closed() && facing.is_none() {
        let problem = "comes off an open mesh, which has two sides: give `facing`, such as [0.0, 0.0, -1.0]";
        return Err(GrainsError::conflict(key, problem));
    }
    let mesh = mesh.moved(point).map_err(GrainsError::refused(under("point")))?;
    let choice = FaceChoice { facing: facing.map(|direction| Facing { direction, angle }), within };
    let refused_at = |error: &DemError| match error {
        DemError::Mesh(MeshError::NoFaceFacing { .. }) => under("facing"),
        DemError::Mesh(MeshError::NoFaceWithin { .. }) => under("low"),
        DemError::InvalidParameter { .. } if group.angle.is_some() => under("angle"),
        _ => key.clone(),
    };
    MeshFaces::new(mesh, choice).map_err(|error| GrainsError::refused(refused_at(&error))(error))
}
