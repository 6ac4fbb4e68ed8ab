//! Triangles that approximate a surface of revolution.

use std::f64::consts::TAU;

use crate::error::DemError;
use crate::error::mesh::MeshError;
use crate::wall::mesh::triangle_mesh::TriangleMesh;
use crate::wall::revolution::Revolution;

impl Revolution {
    /// Approximates the surface by triangles with corners on the surface, `around` corners on each circle, at least
    /// three. The mesh serves to draw the surface, to write it to a file, or for comparisons.
    ///
    /// The mesh has the same [`Sidedness`](crate::wall::Sidedness) as the surface. A profile that ends on the axis is
    /// closed there.
    ///
    /// # Errors
    /// Errors of [`TriangleMesh::open`], such as [`MeshError::DegenerateTriangle`] for a part of the profile on the
    /// axis.
    pub fn mesh(&self, around: usize) -> Result<TriangleMesh, DemError> {
        let axis = self.axis();
        let around = around.max(3);
        let (first, second) = {
            let first = axis.any_orthonormal_vector();
            (first, axis.cross(first))
        };
        let profile = self.profile();
        // Check the number of points before memory is reserved for them.
        let most = around.saturating_mul(2 * profile.len());
        if most > u32::MAX as usize {
            return Err(DemError::Mesh(MeshError::MeshSize { triangles: most }));
        }
        let closed = profile.len() > 2 && profile.first() == profile.last();
        let mut points = Vec::new();
        // For each point of the profile: index of the first point of its circle, and number of points of the circle.
        let mut circles: Vec<(usize, usize)> = Vec::new();
        for (k, &[radius, height]) in profile.iter().enumerate() {
            if closed && k + 1 == profile.len() {
                circles.push(circles[0]);
                continue;
            }
            let count = if radius > 0.0 { around } else { 1 };
            circles.push((points.len(), count));
            let point = |i: usize| {
                let (sine, cosine) = (TAU * i as f64 / around as f64).sin_cos();
                radius * (cosine * first + sine * second) + height * axis
            };
            points.extend((0..count).map(point));
        }
        let mut triangles = Vec::new();
        for two in circles.windows(2) {
            let at = |circle: (usize, usize), i: usize| (circle.0 + i % circle.1) as u32;
            for i in 0..around {
                let [a, b] = [at(two[0], i), at(two[0], i + 1)];
                let [c, d] = [at(two[1], i), at(two[1], i + 1)];
                if a != b {
                    triangles.push([a, c, b]);
                }
                if c != d {
                    triangles.push([b, c, d]);
                }
            }
        }
        let mesh = TriangleMesh::open(points, triangles)?;
        Ok(mesh.with_sides(self.sides()))
    }
}

#[cfg(test)]
mod tests {
    use rrp_geom::glam::DVec3;

    use super::*;
    use crate::wall::surface::WallShape;

    #[test]
    fn more_triangles_than_can_be_numbered_are_refused() {
        let disc = Revolution::disc(DVec3::Z, 2.0, 0.3).unwrap();
        for around in [usize::MAX, u32::MAX as usize] {
            assert!(matches!(disc.mesh(around), Err(DemError::Mesh(MeshError::MeshSize { .. }))));
        }
    }

    #[test]
    fn triangles_of_a_surface_face_as_it_does() {
        let axis = DVec3::new(2.0, -1.0, 2.0);
        let surfaces = [
            Revolution::rod(axis, 1.0, [-1.0, 1.0]).unwrap(),
            Revolution::tube(axis, 2.0, [-1.0, 1.0]).unwrap(),
            Revolution::new(axis, [[0.5, 0.0], [2.0, 1.0], [2.0, 3.0]]).unwrap(),
            Revolution::disc(axis, 2.0, 0.3).unwrap(),
        ];
        for surface in surfaces {
            let mesh = surface.mesh(200).unwrap();
            let nearest = |shape: &dyn WallShape, at: DVec3| {
                let mut pieces = Vec::new();
                let mut found = Vec::new();
                shape.near(at, 2.0, &mut pieces);
                shape.patches(at, 2.0, &pieces, &mut found);
                found.iter().map(|patch| patch.distance).min_by(|a, b| a.abs().total_cmp(&b.abs()))
            };
            for k in 0..100_u32 {
                let angle = f64::from(k);
                let at = DVec3::new(1.4 * angle.sin(), 1.2 * (2.0 * angle).cos(), 1.3 * (3.0 * angle).sin());
                let one = nearest(&surface, at);
                let two = nearest(&mesh, at);
                let close = match (one, two) {
                    (Some(one), Some(two)) => (one - two).abs() < 3e-3,
                    _ => one.is_none() == two.is_none(),
                };
                assert!(close, "{at}: {one:?} {two:?}");
            }
        }
    }
}
