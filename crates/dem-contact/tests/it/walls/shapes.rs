//! Tests of distances, normals and their derivatives against formulas and brute force.

use dem_contact::wall::Saddle;
use proptest::prelude::*;
use rrp_geom::glam::DMat3;

use crate::prelude::*;
use crate::walls::support::{block, floor, force, patches};

fn axis() -> DVec3 {
    DVec3::new(2.0, -1.0, 2.0) / 3.0
}

/// Returns shapes of all kinds, among them a silo: a disc with a hole, a cone and a pipe in one profile.
fn shapes() -> Vec<Box<dyn WallShape>> {
    let silo = [[0.6, 0.0], [1.0, 0.1], [2.0, 1.0], [2.0, 3.0]];
    vec![
        Box::new(Cylinder::inside(axis(), 2.0).unwrap()),
        Box::new(Cylinder::outside(axis(), 0.7).unwrap()),
        Box::new(Revolution::new(axis(), silo).unwrap().with_sides(Sidedness::Both)),
        Box::new(Revolution::rod(axis(), 1.0, [-1.0, 1.0]).unwrap()),
        Box::new(Revolution::cone_outside(axis(), [1.5, -1.0], [0.0, 1.0]).unwrap()),
        Box::new(Revolution::cone_inside(axis(), [0.5, -1.0], [2.5, 1.0]).unwrap()),
        Box::new(Revolution::disc(axis(), 2.0, 0.5).unwrap()),
        Box::new(block(DVec3::new(-1.0, -0.8, -0.5), DVec3::new(0.7, 1.0, 1.1))),
        Box::new(block(DVec3::splat(-2.0), DVec3::splat(2.0)).flipped()),
        Box::new(floor(2.0, 6)),
        Box::new(Revolution::new(DVec3::Z, [[0.0, -0.7], [1.0, -0.5], [2.0, 0.2]]).unwrap().mesh(7).unwrap()),
    ]
}

/// Finds the patch with this feature near a centre.
fn again(shape: &dyn WallShape, centre: DVec3, reach: f64, feature: u32) -> Option<Patch> {
    patches(shape, centre, reach).into_iter().find(|patch| patch.feature == feature)
}

proptest! {
    #[test]
    fn the_gradient_of_the_distance_is_the_normal_and_its_derivative_the_turning(
        [x, y, z] in prop::array::uniform3(-2.0..2.0_f64),
        which in 0..11_usize,
    ) {
        let shapes = shapes();
        let centre = DVec3::new(x, y, z);
        let reach = 1.5;
        let shape = &*shapes[which];
        for patch in patches(shape, centre, reach) {
            // Near an edge the distance bends within the distance to it, so a longer step would not find the gradient.
            let h = (1e-4 * patch.distance.abs()).clamp(1e-9, 1e-5);
            prop_assert!((patch.normal.length() - 1.0).abs() < 1e-12);
            let step = |c: usize, by: f64| again(shape, centre + by * DVec3::AXES[c], reach, patch.feature);
            // Beyond the end of a face or an edge there is another feature.
            let all: Option<Vec<[Patch; 2]>> = (0..3).map(|c| Some([step(c, h)?, step(c, -h)?])).collect();
            let Some(all) = all else { continue };
            let by = |f: &dyn Fn(&Patch) -> f64| DVec3::from_array(std::array::from_fn(|c| (f(&all[c][0]) - f(&all[c][1])) / (2.0 * h)));
            let gradient = by(&|patch| patch.distance);
            prop_assert!((gradient - patch.normal).length() < 1e-6, "{which}: {gradient} {patch:?}");
            let turning = DMat3::from_cols(
                (all[0][0].normal - all[0][1].normal) / (2.0 * h),
                (all[1][0].normal - all[1][1].normal) / (2.0 * h),
                (all[2][0].normal - all[2][1].normal) / (2.0 * h),
            );
            let size = 1.0 + patch.turning.x_axis.length() + patch.turning.y_axis.length() + patch.turning.z_axis.length();
            prop_assert!((turning - patch.turning).abs_diff_eq(DMat3::ZERO, 1e-5 * size * size * size), "{which}: {turning} {patch:?}");
            // The saddle obeys the same equations, where it is the same saddle all around.
            let Some(saddle) = patch.saddle else { continue };
            let all: Option<Vec<[Saddle; 2]>> = all.iter().map(|two| Some([two[0].saddle?, two[1].saddle?])).collect();
            let Some(all) = all.filter(|all| all.iter().flatten().all(|near| (near.distance - saddle.distance).abs() < 2.0 * h && near.normal.dot(saddle.normal) > 1.0 - 1e-6)) else { continue };
            let gradient = DVec3::from_array(std::array::from_fn(|c| (all[c][0].distance - all[c][1].distance) / (2.0 * h)));
            prop_assert!((gradient - saddle.normal).length() < 1e-6, "{which}: {gradient} {saddle:?}");
            let columns: [DVec3; 3] = std::array::from_fn(|c| (all[c][0].normal - all[c][1].normal) / (2.0 * h));
            let turning = DMat3::from_cols(columns[0], columns[1], columns[2]);
            let size = 1.0 + 1.0 / saddle.distance;
            prop_assert!((turning - saddle.turning).abs_diff_eq(DMat3::ZERO, 1e-5 * size * size * size), "{which}: {turning} {saddle:?}");
        }
    }

    #[test]
    fn the_nearest_patch_of_a_mesh_is_the_nearest_of_all_triangles(
        [x, y, z] in prop::array::uniform3(-3.0..3.0_f64),
        which in 0..3_usize,
    ) {
        let centre = DVec3::new(x, y, z);
        let mesh = [floor(2.0, 7), block(DVec3::splat(-1.0), DVec3::new(1.0, 0.5, 2.0)), block(DVec3::splat(-2.0), DVec3::ONE).flipped()][which].clone();
        let expected = mesh.triangles().iter().map(|t| by_brute_force(t.map(|k| mesh.points()[k as usize]), centre)).fold(f64::INFINITY, f64::min);
        let found = patches(&mesh, centre, 6.0).iter().map(|patch| patch.distance.abs()).fold(f64::INFINITY, f64::min);
        prop_assert!((found - expected).abs() < 1e-12, "{found} {expected}");
        // Patches beyond the reach are not found.
        prop_assert!(patches(&mesh, centre, expected * 0.999).is_empty());
        prop_assert!(!patches(&mesh, centre, expected * 1.001).is_empty());
    }

    #[test]
    fn surfaces_of_revolution_are_as_far_as_their_points(
        [x, y, z] in prop::array::uniform3(-2.5..2.5_f64),
        which in 2..7_usize,
    ) {
        let profiles: [&[[f64; 2]]; 5] = [
            &[[0.6, 0.0], [1.0, 0.1], [2.0, 1.0], [2.0, 3.0]],
            &[[0.0, 1.0], [1.0, 1.0], [1.0, -1.0], [0.0, -1.0]],
            &[[0.0, 1.0], [1.5, -1.0]],
            &[[0.5, -1.0], [2.5, 1.0]],
            &[[0.5, 0.0], [2.0, 0.0]],
        ];
        let centre = DVec3::new(x, y, z);
        let height = centre.dot(axis());
        let across = centre - centre.dot(axis()) * axis();
        let mut least = f64::INFINITY;
        for two in profiles[which - 2].windows(2) {
            for k in 0..=4000 {
                let s = f64::from(k) / 4000.0;
                let [r, h] = [0, 1].map(|c| two[0][c] + s * (two[1][c] - two[0][c]));
                least = least.min((across.length() - r).hypot(height - h));
            }
        }
        let found = patches(&*shapes()[which], centre, 6.0).iter().map(|p| p.distance.abs()).fold(f64::INFINITY, f64::min);
        prop_assert!(found <= least + 1e-12 && found > least - 1e-3, "{found} {least}");
    }
}

/// Computes the distance of a triangle: of its plane where the foot is inside, else of its nearest side.
fn by_brute_force(corners: [DVec3; 3], centre: DVec3) -> f64 {
    let [a, b, c] = corners;
    let normal = (b - a).cross(c - a).normalize();
    let inside = (0..3).all(|k| {
        let side = corners[(k + 1) % 3] - corners[k];
        side.cross(centre - corners[k]).dot(normal) >= 0.0
    });
    if inside {
        return (centre - a).dot(normal).abs();
    }
    let to_side = |k: usize| {
        let side = corners[(k + 1) % 3] - corners[k];
        let share = ((centre - corners[k]).dot(side) / side.length_squared()).clamp(0.0, 1.0);
        (centre - corners[k] - share * side).length()
    };
    (0..3).map(to_side).fold(f64::INFINITY, f64::min)
}

#[test]
fn edges_corners_and_hollows_count_as_they_should() {
    let solid = block(DVec3::ZERO, DVec3::ONE);
    let count = |mesh: &TriangleMesh, centre: [f64; 3]| patches(mesh, DVec3::from_array(centre), 0.5).len();
    // Centres are above a face, on its diagonal, over an edge, over a corner, and beside them.
    for centre in [[0.3, 0.6, 1.3], [0.5, 0.5, 1.2], [0.4, 1.2, 1.2], [1.2, 1.2, 1.2], [1.0, 0.5, 1.3], [1.0, 1.0, 1.4]]
    {
        assert_eq!(count(&solid, centre), 1, "{centre:?}");
    }
    assert_eq!(count(&solid, [0.5, 0.5, 1.6]), 0);
    let hollow = solid.clone().flipped();
    assert_eq!(count(&hollow, [0.5, 0.4, 0.6]), 2);
    assert_eq!(count(&hollow, [0.3, 0.3, 0.3]), 3);
    // A centre behind the surface has one patch, of negative distance.
    let behind = patches(&solid, DVec3::new(0.5, 0.5, 0.9), 0.5);
    assert!(behind.len() == 1 && (behind[0].distance + 0.1).abs() < 1e-15, "{behind:?}");
    // A plate thinner than the sphere has a front and no back.
    let plate = block(DVec3::ZERO, DVec3::new(4.0, 4.0, 0.1));
    let above = patches(&plate, DVec3::new(2.1, 1.7, 0.4), 0.5);
    assert!(above.len() == 1 && (above[0].distance - 0.3).abs() < 1e-15 && above[0].normal == DVec3::Z, "{above:?}");
    // A sheet has both sides.
    for z in [0.2, -0.2] {
        let found = patches(&floor(2.0, 5), DVec3::new(0.1, 0.3, z), 0.5);
        assert!(
            found.len() == 1
                && (found[0].distance - 0.2).abs() < 1e-15
                && (found[0].normal.z - z.signum()).abs() <= 0.0
        );
    }
}

/// Triangles with a common point but no common edge are touched there once, even if the point is there twice.
#[test]
fn a_point_where_only_corners_meet_is_touched_once() {
    let felt = |mesh: &TriangleMesh, centre: DVec3| patches(mesh, centre, 0.5).iter().map(force).sum::<DVec3>();
    let place = |x: f64, y: f64| DVec3::new(x, y, 0.0);
    let corners = [place(0.0, 0.0), place(1.0, 0.2), place(1.0, -0.2), place(-1.0, 0.2), place(-1.0, -0.2)];
    let tips = TriangleMesh::open(corners.to_vec(), vec![[0, 2, 1], [0, 3, 4]]).unwrap();
    for x in [-0.1, -1e-3, 0.0, 1e-3, 0.1] {
        assert!((felt(&tips, DVec3::new(x, 0.0, 0.49)) - DVec3::Z * 0.01).length() < 1e-12, "{x}");
    }
    // Two solids meet tip to tip.
    let tip = DVec3::ZERO;
    let far = [[0.1, 0.0], [-0.05, 0.09], [-0.05, -0.09]].map(|[y, z]| DVec3::new(1.0, y, z));
    let points = [&[tip][..], &far, &far.map(|point| -point)].concat();
    let solid = |[a, b, c]: [u32; 3]| [[0, b, a], [0, c, b], [0, a, c], [a, b, c]];
    let solids = TriangleMesh::closed(points, [solid([1, 2, 3]), solid([4, 6, 5])].concat()).unwrap();
    let found = patches(&solids, DVec3::Z * 0.49, 0.5);
    let ways: Vec<f64> = found.iter().filter_map(|patch| patch.saddle).map(|saddle| saddle.distance).collect();
    assert!(found.len() == 2 && ways == [0.49], "{found:?}");
    // The points of a ridge are there twice.
    let slope = |x: f64, y: f64| DVec3::new(x, y, -0.3 * x.abs());
    let half = |side: f64| [slope(0.0, -1.0), slope(side, -1.0), slope(side, 1.0), slope(0.0, 1.0)];
    let points = [half(1.0), half(-1.0)].concat();
    let ridge = TriangleMesh::open(points, vec![[0, 1, 2], [0, 2, 3], [4, 6, 5], [4, 7, 6]]).unwrap();
    for x in [-0.02, 0.0, 0.02] {
        let centre = DVec3::new(x, 0.3, 0.49);
        assert!((felt(&ridge, centre).length() - (0.5 - 0.49_f64.hypot(x))).abs() < 1e-12, "{x}");
    }
    // Edges of triangles that are large beside the sphere are rounded, and are still touched once.
    for size in [1e3, 1e5, 1e6] {
        let mut random = crate::support::Random::new(4);
        for _ in 0..300 {
            let axis = DVec3::new(random.next() - 0.5, random.next() - 0.5, random.next() - 0.5);
            let turn = rrp_geom::glam::DQuat::from_scaled_axis(6.0 * axis);
            let points =
                [slope(0.0, -size), slope(size, -0.7 * size), slope(-size, 0.8 * size), slope(0.0, 0.9 * size)];
            let points = points.map(|point| turn * point).to_vec();
            let ridge = TriangleMesh::open(points, vec![[0, 1, 3], [0, 3, 2]]).unwrap();
            assert_eq!(patches(&ridge, turn * DVec3::new(0.01 * random.next(), 0.2, 0.49), 0.5).len(), 1, "{size}");
        }
    }
}

#[test]
fn directions_may_be_of_any_length() {
    for length in [1e-300, 1e-12, 1.0, 1e200, 1e308] {
        let wall = Wall::plane(DVec3::ZERO, DVec3::new(0.0, 0.6, 0.8) * length);
        assert!((wall.normal_at(0.0).unwrap() - DVec3::new(0.0, 0.6, 0.8)).length() < 1e-15, "{length:e}");
        assert!((Cylinder::inside(DVec3::Z * length, 1.0).unwrap().axis() - DVec3::Z).length() < 1e-15, "{length:e}");
    }
}
