//! The patches of a mesh have the same bits as those of a brute-force search over all of its triangles.

use proptest::prelude::*;
use rrp_geom::glam::{DMat3, DVec3};

use super::*;

fn plain_patches(mesh: &TriangleMesh, centre: DVec3, reach: f64) -> Vec<Patch> {
    let mut reached = PatchReduction::default();
    for t in 0..mesh.triangles.len() as u32 {
        if mesh.tree.distance_squared(t, centre) >= reach * reach {
            continue;
        }
        let distance = match closest_point(mesh.corners(t as usize), centre) {
            ClosestPoint { spot: Spot::Face, .. } => mesh.height(t, centre).abs(),
            ClosestPoint { point, .. } => centre.distance(point),
        };
        if distance < reach {
            reached.push(t, distance);
        }
    }
    reached.sort();
    let mut found = Vec::new();
    let Some(first) = reached.pieces().first() else { return found };
    found.push(mesh.patch(first.number, centre));
    if found[0].distance < 0.0 || reached.pieces().len() == 1 {
        return found;
    }
    plain_seams(mesh, centre, reach, &mut reached);
    let largest = mesh.bounds().into_iter().fold(centre.abs(), |most, corner| most.max(corner.abs()));
    let looks_behind = |t: u32| mesh.sides == Sidedness::Front && mesh.patch(t, centre).distance < 0.0;
    reached.join(reach, largest.max_element(), looks_behind);
    for piece in &reached.pieces()[1..] {
        let saddle = match piece.end {
            End::Part => continue,
            End::Stays => None,
            End::Joins(seam) => Some(mesh.saddle(seam, centre)),
        };
        push_apart(&mut found, 0, Patch { saddle, ..mesh.patch(piece.number, centre) }, reach);
    }
    found
}

/// Adds the seams between all pairs of triangles that share an edge, or a corner without a common edge, in the order of
/// the triangles' numbers.
fn plain_seams(mesh: &TriangleMesh, centre: DVec3, reach: f64, reached: &mut PatchReduction) {
    let edges = mesh.topology.sharing.len() as u32;
    let mut sides: Vec<(u32, u32)> = Vec::new();
    for (index, piece) in (0..).zip(reached.pieces()) {
        sides.extend(mesh.topology.edges[piece.number as usize].map(|edge| (edge, index)));
        if mesh.topology.has_pinches() {
            let corners = mesh.triangles[piece.number as usize].into_iter();
            let pinched = corners.filter(|&point| mesh.topology.pinch[point as usize]);
            sides.extend(pinched.map(|point| (edges + point, index)));
        }
    }
    sides.sort_unstable();
    for two in sides.windows(2).filter(|two| two[0].0 == two[1].0) {
        let seam = two[0].0;
        let point = match seam.checked_sub(edges) {
            None => mesh.nearest_on(mesh.topology.side_of(seam), centre).point,
            Some(corner) => mesh.points[corner as usize],
        };
        let distance = centre.distance(point);
        if distance < reach {
            reached.push_seam(seam, distance, [two[0].1, two[1].1]);
        }
    }
}

fn bits(patches: &[Patch]) -> Vec<Vec<u64>> {
    let of_vector = |vector: DVec3| vector.to_array().map(f64::to_bits);
    let of_matrix = |matrix: DMat3| matrix.to_cols_array().map(f64::to_bits);
    let of_one = |patch: &Patch| {
        let mut all = vec![u64::from(patch.feature), patch.distance.to_bits()];
        all.extend(of_vector(patch.normal));
        all.extend(of_matrix(patch.turning));
        if let Some(saddle) = &patch.saddle {
            all.push(saddle.distance.to_bits());
            all.extend(of_vector(saddle.normal));
            all.extend(of_matrix(saddle.turning));
        }
        all
    };
    patches.iter().map(of_one).collect()
}

fn check(mesh: &TriangleMesh, centre: DVec3, reach: f64) {
    let expected = bits(&plain_patches(mesh, centre, reach));
    let mut near = Vec::new();
    mesh.near(centre, reach, &mut near);
    for pieces in [near, (0..mesh.triangles.len() as u32).collect()] {
        let mut found = Vec::new();
        mesh.patches(centre, reach, &pieces, &mut found);
        assert_eq!(bits(&found), expected, "{centre} {reach:e}");
    }
}

#[derive(Debug, Clone, Copy)]
struct Place {
    triangle: u32,
    /// Weights of the corners of the triangle in the chosen point.
    weights: [f64; 3],
    /// Direction from the chosen point to the centre; `None` for a centre above the face.
    direction: Option<[f64; 3]>,
    /// Distance of the centre from the chosen point, over the longest side of the triangle.
    distance: f64,
    /// Reach of the sphere over the distance of the centre from the chosen point.
    reach: f64,
}

impl Place {
    /// Returns the centre (m, in the mesh's frame) and the reach (m) of a sphere at this position.
    fn of(self, mesh: &TriangleMesh) -> (DVec3, f64) {
        let triangle = self.triangle as usize % mesh.triangles.len();
        let [a, b, c] = mesh.corners(triangle);
        let [u, v, w] = self.weights;
        let sum = (u + v + w).max(1e-3);
        let point = (a * u + b * v + c * w) / sum;
        let direction = self
            .direction
            .map_or(mesh.normal(triangle), |direction| DVec3::from_array(direction).normalize_or(DVec3::X));
        let distance = self.distance * a.distance(b).max(b.distance(c)).max(c.distance(a));
        (point + direction * distance, self.reach * distance)
    }
}

fn place() -> impl Strategy<Value = Place> {
    let weight = prop_oneof![Just(0.0), Just(1.0), 0.0..1.0];
    let direction = proptest::option::of(proptest::array::uniform3(-1.0..1.0));
    let distance = prop_oneof![0.0..0.1, 0.0..2.0, 1.0..30.0];
    // Distances that differ from the reach by a few rounding errors may be taken for larger or smaller than it.
    let reach = prop_oneof![
        (-8..=8).prop_map(|roundings| 1.0 + f64::from(roundings) * f64::EPSILON),
        (-1e-9..1e-9).prop_map(|more| 1.0 + more),
        0.9..1.1,
        1.0..4.0,
    ];
    (any::<u32>(), proptest::array::uniform3(weight), direction, distance, reach).prop_map(
        |(triangle, weights, direction, distance, reach)| Place { triangle, weights, direction, distance, reach },
    )
}

/// Returns a surface over a grid of `n` by `n` cells with these heights; cells are narrow if `stretch` is large.
fn terrain(n: usize, heights: &[f64], stretch: f64) -> TriangleMesh {
    let row = n + 1;
    let point = |k: usize| DVec3::new((k % row) as f64 * stretch, (k / row) as f64, heights[k % heights.len()]);
    let cell = |k: usize| {
        let at = (k / n * row + k % n) as u32;
        let [a, b, c, d] = [at, at + 1, at + row as u32 + 1, at + row as u32];
        if k.is_multiple_of(3) { [[a, b, d], [b, c, d]] } else { [[a, b, c], [a, c, d]] }
    };
    TriangleMesh::open((0..row * row).map(point).collect(), (0..n * n).flat_map(cell).collect()).unwrap()
}

fn funnel(n: usize, radius: f64, wider: f64) -> TriangleMesh {
    let point = |k: usize| {
        let angle = std::f64::consts::TAU * (k % n) as f64 / n as f64;
        let ring = (k / n) as f64;
        let radius = radius + wider * ring;
        DVec3::new(radius * angle.cos(), radius * angle.sin(), 2.0 * ring)
    };
    let cell = |k: usize| {
        let [a, b, c, d] = [k, (k + 1) % n, n + (k + 1) % n, n + k].map(|k| k as u32);
        [[a, b, c], [a, c, d]]
    };
    TriangleMesh::open((0..2 * n).map(point).collect(), (0..n).flat_map(cell).collect()).unwrap()
}

/// Returns triangles between a few points: many share an edge, sheets meet at corners, and triangles intersect.
fn tangle(points: &[[f64; 3]], corners: &[[usize; 3]]) -> Option<TriangleMesh> {
    let points: Vec<DVec3> = points.iter().map(|&point| DVec3::from_array(point)).collect();
    let mut triangles: Vec<[u32; 3]> = Vec::new();
    for corners in corners {
        let mut corners = corners.map(|corner| (corner % points.len()) as u32);
        corners.sort_unstable();
        if corners[0] < corners[1] && corners[1] < corners[2] && !triangles.contains(&corners) {
            triangles.push(corners);
        }
    }
    TriangleMesh::open(points, triangles).ok()
}

fn elsewhere(mesh: &TriangleMesh, turn: f64, by: f64, scale: f64) -> Option<TriangleMesh> {
    let turned = DMat3::from_rotation_x(turn) * DMat3::from_rotation_z(0.7 * turn);
    let place = |&point: &DVec3| scale * (turned * point) + DVec3::new(by, -0.3 * by, 0.5 * by);
    let points = mesh.points.iter().map(place).collect();
    TriangleMesh::open(points, mesh.triangles.clone()).ok()
}

fn mesh() -> impl Strategy<Value = TriangleMesh> {
    let height = prop_oneof![Just(0.0), Just(1.0), -1e-8..1e-8, -1.0..1.0];
    let heights = proptest::collection::vec(height, 25);
    let coordinate = prop_oneof![Just(0.0), Just(1.0), -1.0..1.0];
    let points = proptest::collection::vec(proptest::array::uniform3(coordinate), 7);
    let corners = proptest::collection::vec(proptest::array::uniform3(0_usize..7), 1..20);
    let shape = prop_oneof![
        (1_usize..5, heights, prop_oneof![Just(1.0), 1e-7..1e-2, 10.0..1e7])
            .prop_map(|(n, heights, stretch)| Some(terrain(n, &heights, stretch))),
        (3_usize..40, 0.1..3.0, -0.05..3.0).prop_map(|(n, radius, wider)| Some(funnel(n, radius, wider))),
        (points, corners).prop_map(|(points, corners)| tangle(&points, &corners)),
    ];
    let turn = prop_oneof![Just(0.0), 0.0..3.0];
    let by = prop_oneof![Just(0.0), -1.0..1.0, -1e6..1e6];
    let scale = prop_oneof![Just(1.0), 1e-4..1e4];
    let sides = prop_oneof![Just(Sidedness::Front), Just(Sidedness::Both)];
    (shape, turn, by, scale, sides).prop_filter_map("a mesh", |(shape, turn, by, scale, sides)| {
        let placed = elsewhere(&shape?, turn, by, scale)?;
        Some(placed.with_sides(sides))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn bounds_leave_all_bits(mesh in mesh(), places in proptest::collection::vec(place(), 8)) {
        for place in places {
            let (centre, reach) = place.of(&mesh);
            check(&mesh, centre, reach);
        }
    }
}

/// Checks that the bounds exclude most triangles out of reach: comparisons with a brute-force search would also pass
/// with bounds that exclude none.
#[test]
fn bounds_leave_out_most_of_a_funnel() {
    let funnel = funnel(96, 2.5, 4.0);
    let mut near = Vec::new();
    let centre = DVec3::new(2.9, 2.9, 1.0);
    funnel.near(centre, 0.5, &mut near);
    let in_reach = |t: &u32| centre.distance(closest_point(funnel.corners(*t as usize), centre).point) <= 0.5;
    let expected = (0..192).filter(in_reach).count();
    assert!(expected > 0 && near.len() < expected + 4, "{} {expected}", near.len());
}

#[test]
fn a_centre_that_is_not_a_number_is_near_as_before() {
    let funnel = funnel(12, 1.0, 1.0);
    for centre in [DVec3::NAN, DVec3::INFINITY, DVec3::new(0.5, f64::NAN, 0.3)] {
        for reach in [0.5, f64::INFINITY, 0.0] {
            check(&funnel, centre, reach);
        }
    }
    check(&funnel, DVec3::ZERO, f64::INFINITY);
    check(&funnel, DVec3::ZERO, 1e200);
}
