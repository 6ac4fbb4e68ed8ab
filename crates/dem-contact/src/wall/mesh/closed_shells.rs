//! The closed surfaces of a mesh: a check that their normals point outwards, and a repair.

use std::f64::consts::PI;

use rrp_geom::glam::DVec3;

use crate::error::DemError;
use crate::error::mesh::MeshError;
use crate::wall::mesh::triangle_mesh::TriangleMesh;

struct Shell {
    triangles: Vec<usize>,
    /// Enclosed volume in m³, negative if normals point inwards.
    volume: f64,
    low: DVec3,
    high: DVec3,
}

impl TriangleMesh {
    /// Checks that the surfaces of a closed mesh have outward normals, except hollows inside other surfaces.
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

    /// Turns over the surfaces of a closed mesh whose normals point inwards, with the hollows inside them. A surface
    /// inside other surfaces keeps its orientation relative to the outermost one. But if `mixed` says that triangles of
    /// the inner surface had opposite orientations, the nesting decides: the surface is a hollow inside one surface, a
    /// solid inside two, and so on.
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

    /// Whether the closed surface `shell` encloses a point of the surface `other`.
    fn is_around(&self, shell: &Shell, other: &Shell) -> bool {
        // Take a point inside a triangle, since corners may lie on other surfaces.
        let point = self.corners(other.triangles[0]).iter().sum::<DVec3>() / 3.0;
        (shell.low.cmple(point) & point.cmple(shell.high)).all() && self.winding(shell, point).abs() > 0.5
    }

    fn shells(&self) -> Vec<Shell> {
        let of_triangle = self.topology.shells();
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
            // Take volumes relative to a corner of the shell, so that a shell far from the origin loses no digits.
            let from = self.corner(first as usize, 0);
            let [a, b, c] = corners.map(|corner| corner - from);
            shell.volume += a.dot(b.cross(c)) / 6.0;
        }
        shells
    }

    /// Winding number of a closed surface around a point, from the solid angles of its triangles (Van Oosterom and
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
