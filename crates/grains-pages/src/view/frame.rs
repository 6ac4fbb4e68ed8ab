//! Frames: grains at one time, with their contacts, bonds and walls.

use std::collections::BTreeMap;

use glam::DVec3;

use crate::error::ViewError;

/// A contact line between two grains, or from a grain to a wall, with a thickness proportional to its absolute value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contact {
    /// Ends of the line: centres of grains, or the contact point on a wall.
    pub ends: [DVec3; 2],
    /// Force or another quantity; negative for attraction.
    pub value: f64,
}

/// A bond between two grains.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bond {
    /// Centres of the two grains that the line joins.
    pub ends: [DVec3; 2],
    /// Whether the bond is intact; broken bonds have another colour.
    pub intact: bool,
}

/// Corners of a triangle of a wall or of a mesh, seen from both sides.
pub type Triangle = [DVec3; 3];

/// Grains at one time. All lengths have the same unit, all coordinates and vectors the same frame of reference.
#[derive(Debug, Clone, Copy, Default)]
pub struct Frame<'a> {
    /// Time in s.
    pub time: f64,
    /// Centres of the grains. Grains without a finite centre are not drawn.
    pub centres: &'a [DVec3],
    /// Radii of the grains, as many as centres.
    pub radii: &'a [f64],
    /// Values of each column of the view, one for each grain. Grains with a value that is not finite are drawn grey.
    pub columns: &'a [&'a [f64]],
    /// Contacts between grains.
    pub contacts: &'a [Contact],
    /// Bonds between grains.
    pub bonds: &'a [Bond],
    /// Triangles of walls and meshes; `None` if they are as in the frame before.
    pub walls: Option<&'a [Triangle]>,
}

impl Frame<'_> {
    pub(super) fn check(&self, columns: usize, number: usize) -> Result<(), ViewError> {
        let count = self.centres.len();
        if self.radii.len() != count {
            return Err(ViewError::Radii { frame: number, centres: count, radii: self.radii.len() });
        }
        if self.columns.len() != columns {
            return Err(ViewError::Columns { frame: number, expected: columns, found: self.columns.len() });
        }
        if let Some((column, values)) = self.columns.iter().enumerate().find(|(_, values)| values.len() != count) {
            return Err(ViewError::Values { frame: number, column, centres: count, values: values.len() });
        }
        let walls = self.walls.map_or(0, <[Triangle]>::len);
        let most = [count, self.contacts.len(), self.bonds.len(), walls].into_iter().max().unwrap_or(0);
        if most > MOST { Err(ViewError::TooMany { frame: number, count: most, most: MOST }) } else { Ok(()) }
    }
}

/// Largest number of grains, contacts, bonds or triangles in a frame: corners of triangles are numbered with 32 bits,
/// and no browser draws more.
const MOST: usize = 100_000_000;

/// Returns the `most` contacts with the largest absolute values, in their original order. Contacts without a finite
/// value are left out before others.
pub(super) fn strongest(contacts: &[Contact], most: usize) -> Vec<Contact> {
    if contacts.len() <= most {
        return contacts.to_vec();
    }
    let size = |k: &usize| {
        contacts.get(*k).map_or(0.0, |contact| if contact.value.is_finite() { contact.value.abs() } else { -1.0 })
    };
    let mut order: Vec<usize> = (0..contacts.len()).collect();
    order.sort_by(|a, b| size(b).total_cmp(&size(a)));
    order.truncate(most);
    order.sort_unstable();
    order.into_iter().filter_map(|k| contacts.get(k).copied()).collect()
}

pub(super) struct Mesh {
    pub(super) points: Vec<DVec3>,
    /// Indices into `points` of the corners, three for each triangle.
    pub(super) corners: Vec<u32>,
}

/// Makes a mesh in which triangles share equal corners.
pub(super) fn mesh(triangles: &[Triangle]) -> Mesh {
    let mut places = BTreeMap::new();
    let mut points = Vec::new();
    let mut corners = Vec::with_capacity(3 * triangles.len());
    for point in triangles.iter().flatten() {
        let place = *places.entry(point.to_array().map(f64::to_bits)).or_insert_with(|| {
            points.push(*point);
            u32::try_from(points.len() - 1).unwrap_or(u32::MAX)
        });
        corners.push(place);
    }
    Mesh { points, corners }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_strongest_contacts_stay_in_their_order() {
        let contacts: Vec<Contact> =
            [1.0, -5.0, f64::NAN, 2.0, 3.0].map(|value| Contact { ends: [DVec3::ZERO, DVec3::X], value }).into();
        let values: Vec<f64> = strongest(&contacts, 3).iter().map(|contact| contact.value).collect();
        assert_eq!(values, [-5.0, 2.0, 3.0]);
        assert_eq!(strongest(&contacts, 9).len(), 5);
    }

    #[test]
    fn triangles_share_corners() {
        let square = mesh(&[[DVec3::ZERO, DVec3::X, DVec3::Y], [DVec3::Y, DVec3::X, DVec3::ONE]]);
        assert_eq!((square.points.len(), square.corners), (4, vec![0, 1, 2, 2, 1, 3]));
    }
}
