//! The closed surfaces of a mesh, and whether their normals point outwards.
//!
//! `check_shells` refuses a surface that is inside out, `face_outwards` turns it over.

use std::f64::consts::PI;

use rrp_geom::glam::DVec3;

use crate::error::DemError;
use crate::error::mesh::MeshError;
use crate::wall::mesh::triangle_mesh::TriangleMesh;

/// Closed surface of connected triangles, as a part of a mesh.
struct Shell {
    /// Triangles of this closed surface, in the order of the mesh.
    triangles: Vec<usize>,
    /// Volume in m³ that this closed surface encloses, negative if normals point inwards.
    volume: f64,
    low: DVec3,
    high: DVec3,
}

impl TriangleMesh {
    /// Checks that the surfaces of a closed mesh have their normals outwards, except those of hollows inside other
    /// surfaces.
    pub(super) fn check_shells(&self) -> Result<(), DemError> {
        let shells = self.shells();
        for shell in shells.iter().filter(|shell| shell.volume.is_nan() || shell.volume <= 0.0) {
            if !shells.iter().any(|other| other.volume > 0.0 && self.is_around(other, shell)) {
                return Err(DemError::Mesh(MeshError::InsideOutMesh {
                    triangle: shell.triangles[0],
                    volume: shell.volume,
                }));
            }
        }
        Ok(())
    }

    /// Turns over the surfaces of a closed mesh whose normals point inwards, and the hollows inside them. A surface
    /// inside another one keeps its front relative to the outermost one. If `mixed` states that triangles of a surface
    /// had opposite orientations, the surface is a hollow inside one surface, a solid inside two, and so on.
    pub(super) fn face_outwards(&mut self, mixed: &[bool]) {
        let shells = self.shells();
        let mut turn = vec![false; self.triangles.len()];
        for (k, shell) in shells.iter().enumerate() {
            let others = || shells.iter().enumerate().filter(|&(other, _)| other != k).map(|(_, shell)| shell);
            let around: Vec<&Shell> = others().filter(|other| self.is_around(other, shell)).collect();
            let largest = around.iter().max_by(|one, other| one.volume.abs().total_cmp(&other.volume.abs()));
            let outermost = largest.filter(|other| other.volume.abs() > shell.volume.abs());
            let over = match outermost {
                Some(_) if shell.triangles.iter().any(|&triangle| mixed[triangle]) => {
                    (shell.volume > 0.0) == (around.len() % 2 == 1)
                }
                Some(outermost) => outermost.volume < 0.0,
                None => shell.volume < 0.0,
            };
            shell.triangles.iter().for_each(|&triangle| turn[triangle] = over);
        }
        self.turn_over(&turn);
    }

    /// Whether one closed surface of a mesh encloses a point of another one.
    fn is_around(&self, shell: &Shell, other: &Shell) -> bool {
        // A point inside a triangle: corners may lie on other surfaces.
        let point = self.corners(other.triangles[0]).iter().sum::<DVec3>() / 3.0;
        (shell.low.cmple(point) & point.cmple(shell.high)).all() && self.winding(shell, point).abs() > 0.5
    }

    /// Returns the closed surfaces of the mesh, each of connected triangles.
    fn shells(&self) -> Vec<Shell> {
        let of_triangle = self.topology.shells();
        // The shell of each first triangle.
        let mut number = vec![0_usize; of_triangle.len()];
        let mut shells: Vec<Shell> = Vec::new();
        for (triangle, &first) in of_triangle.iter().enumerate() {
            let corners = self.corners(triangle);
            if first as usize == triangle {
                number[triangle] = shells.len();
                let low = DVec3::INFINITY;
                let high = DVec3::NEG_INFINITY;
                shells.push(Shell { triangles: Vec::new(), volume: 0.0, low, high });
            }
            let shell = &mut shells[number[first as usize]];
            shell.triangles.push(triangle);
            for corner in corners {
                (shell.low, shell.high) = (shell.low.min(corner), shell.high.max(corner));
            }
            // Relative to one of its corners, so that a shell far from the origin keeps its digits.
            let from = self.corner(first as usize, 0);
            let [a, b, c] = corners.map(|corner| corner - from);
            shell.volume += a.dot(b.cross(c)) / 6.0;
        }
        shells
    }

    /// Winding number of a closed surface around a point, by the solid angles of its triangles (Van Oosterom and
    /// Strackee, 1983).
    fn winding(&self, shell: &Shell, point: DVec3) -> f64 {
        let angle = |&triangle: &usize| {
            let [a, b, c] = self.corners(triangle).map(|corner| corner - point);
            let [la, lb, lc] = [a.length(), b.length(), c.length()];
            let below = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
            2.0 * a.dot(b.cross(c)).atan2(below)
        };
        shell.triangles.iter().map(angle).sum::<f64>() / (4.0 * PI)
    }
}
