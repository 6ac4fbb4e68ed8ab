//! Edges at which walls end or fold.
use glam::DVec3;

use super::scenery::Triangle;

/// Cosine of the largest angle between two triangles that are one smooth wall.
const SMOOTH: f64 = 0.87;

/// Edges of triangles that have no neighbour there, or more than one, or one that is inclined by more than 30 degrees.
pub(super) fn edges(walls: &[Triangle]) -> Vec<[DVec3; 2]> {
    let mut all: Vec<([[u64; 3]; 2], [DVec3; 2], DVec3)> = Vec::with_capacity(3 * walls.len());
    for Triangle { corners: [a, b, c] } in walls.iter().filter(|wall| wall.is_drawable()) {
        let normal = (b - a).cross(c - a).normalize_or_zero();
        for ends in [[*a, *b], [*b, *c], [*c, *a]] {
            // Adding zero makes the bits of both zeros the same.
            let mut key = ends.map(|end| end.to_array().map(|x| (x + 0.0).to_bits()));
            key.sort_unstable();
            all.push((key, ends, normal));
        }
    }
    all.sort_by_key(|(key, ..)| *key);
    all.chunk_by(|a, b| a.0 == b.0)
        .filter(|shared| shared.len() != 2 || shared[0].2.dot(shared[1].2).abs() < SMOOTH)
        .map(|shared| shared[0].1)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_square_has_four_edges_and_no_diagonal() {
        let [a, b, c, d] = [DVec3::ZERO, DVec3::X, DVec3::ONE - DVec3::Z, DVec3::Y];
        let square = [[a, b, c], [a, c, d]].map(|corners| Triangle { corners });
        assert_eq!(edges(&square).len(), 4);
        let folded = [[a, b, c], [a, c, d + DVec3::Z]].map(|corners| Triangle { corners });
        assert_eq!(edges(&folded).len(), 5);
        assert_eq!(edges(&[]).len(), 0);
    }
}
