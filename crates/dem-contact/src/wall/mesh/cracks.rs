//! Cracks of a mesh: open edges so close together that a sphere touches both.

use rrp_geom::glam::DVec3;

use crate::error::DemError;
use crate::error::mesh::MeshError;
use crate::wall::mesh::aabb_tree::Tree;
use crate::wall::mesh::topology::{NONE, TriangleSide};
use crate::wall::mesh::triangle_mesh::TriangleMesh;

/// Open edge of a mesh: an edge with a triangle on one side only.
struct Rim {
    side: TriangleSide,
    points: [u32; 2],
    ends: [DVec3; 2],
    along: DVec3,
    /// Height in m of the triangle over this edge.
    height: f64,
}

/// Smallest cosine of the angle between two open edges at which these may be the two sides of one crack.
const ALONG: f64 = 0.7;
/// Largest cosine of the angle between an open edge and the shortest line to the opposite edge of a crack.
const ACROSS: f64 = 0.5;
/// Largest width of a crack over the height of the triangles beside it. Without this bound the two open edges of a
/// narrow strip of triangles would be taken for a crack.
const NARROW: f64 = 0.25;

impl TriangleMesh {
    /// Checks that no two open edges run along each other at a distance below `width` (m), such as the two sides of a
    /// crack. A sphere much larger than a crack would touch both sides with the force of two contacts.
    ///
    /// # Errors
    /// [`MeshError::Crack`].
    pub fn check_cracks(&self, width: f64) -> Result<(), DemError> {
        let rims = self.rims();
        let tree = Tree::new(rims.iter().map(|Rim { ends: [a, b], .. }| [*a, *b, *b]));
        let mut near = Vec::new();
        for (k, rim) in rims.iter().enumerate() {
            let [a, b] = rim.ends;
            for point in [a, 0.5 * (a + b), b] {
                near.clear();
                tree.near(point, width, &mut near);
                for other in near.iter().filter(|&&other| other as usize != k).map(|&other| &rims[other as usize]) {
                    let [from, to] = other.ends;
                    let share = ((point - from).dot(to - from) / (to - from).length_squared()).clamp(0.0, 1.0);
                    let across = from + share * (to - from) - point;
                    let length = across.length();
                    let lies_across = |rim: &Rim| rim.along.dot(across).abs() <= ACROSS * length;
                    let is_narrow = length < width.min(NARROW * rim.height.min(other.height));
                    let is_apart = rim.points.iter().all(|point| !other.points.contains(point));
                    let lies_along = rim.along.dot(other.along).abs() > ALONG;
                    if is_narrow && is_apart && lies_along && lies_across(rim) && lies_across(other) {
                        return Err(DemError::Mesh(MeshError::Crack {
                            triangle: rim.side.triangle,
                            neighbor: other.side.triangle,
                            ends: rim.ends,
                            width: length,
                        }));
                    }
                }
            }
        }
        Ok(())
    }

    fn rims(&self) -> Vec<Rim> {
        let mut rims = Vec::new();
        for (edge, sharing) in self.topology.sharing.iter().enumerate() {
            let side = self.topology.side_of(edge as u32);
            if sharing[1] == NONE && self.topology.edges[side.triangle][side.side] == edge as u32 {
                let TriangleSide { triangle, side: first } = side;
                let [from, to, top] = [0, 1, 2].map(|k| (first + k) % 3);
                let points = [from, to].map(|corner| self.triangles[triangle][corner]);
                let ends = self.ends(side);
                let along = (ends[1] - ends[0]).normalize();
                let height = (self.corner(triangle, top) - ends[0]).cross(along).length();
                rims.push(Rim { side, points, ends, along, height });
            }
        }
        rims
    }
}
