//! Shapes and a law for several tests of walls.

use crate::prelude::*;

/// A friction spring with Coulomb's limit, whose history is its stretch.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Spring {
    pub(crate) stiffness: f64,
    pub(crate) friction: f64,
}

impl TangentialLaw for Spring {
    type History = DVec3;

    fn force(&self, slip: &ContactKinematics, history: &mut DVec3) -> DVec3 {
        let mut stretch = *history + slip.velocity * slip.elapsed;
        stretch -= slip.normal * slip.normal.dot(stretch);
        let limit = self.friction * slip.normal_force.abs() / self.stiffness;
        if stretch.length() > limit {
            stretch = stretch.normalize() * limit;
        }
        *history = stretch;
        -self.stiffness * stretch
    }
}

/// Motion defined by the user.
#[derive(Debug)]
pub(crate) struct Own(pub(crate) fn(f64) -> WallPose);

impl WallMotion for Own {
    fn pose(&self, time: f64) -> WallPose {
        (self.0)(time)
    }
}

/// Returns all patches of a shape, as a wall asks for them.
pub(crate) fn patches(shape: &dyn WallShape, centre: DVec3, reach: f64) -> Vec<Patch> {
    let mut pieces = Vec::new();
    let mut found = Vec::new();
    shape.near(centre, reach, &mut pieces);
    if !pieces.is_empty() {
        shape.patches(centre, reach, &pieces, &mut found);
    }
    found
}

/// Returns the force of a patch on a sphere of radius 1/2, at a stiffness of one.
pub(crate) fn force(patch: &Patch) -> DVec3 {
    let taken = patch.saddle.map_or(DVec3::ZERO, |saddle| saddle.normal * (0.5 - saddle.distance).max(0.0));
    patch.normal * (0.5 - patch.distance) - taken
}

/// Returns a rectangle in the plane z = 0 around the origin, with two triangles in each cell of an uneven grid.
pub(crate) fn floor(half: f64, cells: usize) -> TriangleMesh {
    let place = |k: usize| half * (2.0 * k as f64 / cells as f64 - 1.0);
    let turn = |x: f64, y: f64| DVec3::new(x * 0.96 - y * 0.28, x * 0.28 + y * 0.96, 0.0);
    let shake = |i: usize, j: usize| 0.3 * half / cells as f64 * f64::from((7 * i + 13 * j) as u32).sin();
    let row = cells + 1;
    let point = |k: usize| {
        let i = k % row;
        let j = k / row;
        turn(place(i) + shake(i, j), place(j) + shake(j, i))
    };
    let mut triangles = Vec::new();
    for j in 0..cells {
        for i in 0..cells {
            let [a, b, c, d] =
                [j * row + i, j * row + i + 1, (j + 1) * row + i + 1, (j + 1) * row + i].map(|k| k as u32);
            triangles.extend(if (i + j) % 2 == 0 { [[a, b, c], [a, c, d]] } else { [[a, b, d], [b, c, d]] });
        }
    }
    TriangleMesh::open((0..row * row).map(point).collect(), triangles).unwrap()
}

/// Returns the box from `low` to `high`, normals outwards.
pub(crate) fn block(low: DVec3, high: DVec3) -> TriangleMesh {
    let corner = |k: usize| {
        let pick = |c: usize| if k >> c & 1 == 0 { low[c] } else { high[c] };
        DVec3::new(pick(0), pick(1), pick(2))
    };
    let sides = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles = sides.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    TriangleMesh::closed((0..8).map(corner).collect(), triangles).unwrap()
}
