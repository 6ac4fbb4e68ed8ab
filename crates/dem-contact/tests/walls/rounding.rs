//! Meshes whose points are rounded: what is flat but for that is flat, and what is not is felt.

use dem_contact::{Patch, TriangleMesh, WallShape};
use rrp_geom::glam::{DQuat, DVec3};

use crate::support::{Random, block, floor, patches};

/// Out of the coordinate planes, so that rounding bends what is flat.
fn rotation() -> DQuat {
    DQuat::from_scaled_axis(DVec3::new(0.3, -0.2, 0.1))
}

/// The point (x, y, z) turned, in single precision.
fn place(x: f64, y: f64, z: f64) -> DVec3 {
    (rotation() * DVec3::new(x, y, z)).as_vec3().as_dvec3()
}

/// The sum of forces at a stiffness of one over all contacts of a sphere of radius 1/2 at (x, y, z) turned, and their number.
fn push(shape: &dyn WallShape, x: f64, y: f64, z: f64) -> (DVec3, usize) {
    let found = patches(shape, rotation() * DVec3::new(x, y, z), 0.5);
    (found.iter().map(force).sum(), found.len())
}

/// What a sphere of radius 1/2 feels of a patch, at a stiffness of one.
fn force(patch: &Patch) -> DVec3 {
    let taken = patch.saddle.map_or(DVec3::ZERO, |saddle| saddle.normal * (0.5 - saddle.distance).max(0.0));
    patch.normal * (0.5 - patch.distance) - taken
}

#[test]
fn a_plane_in_single_precision_is_nearly_a_plane() {
    // Turned, so that rounding bends it at its seams, some of which are then concave.
    let rotation = rotation();
    let flat = floor(6.0, 60);
    let points = flat.points().iter().map(|point| rotation * *point).collect();
    let turned = TriangleMesh::open(points, flat.triangles().to_vec()).unwrap();
    let mut bytes = Vec::new();
    turned.write_stl(&mut bytes).unwrap();
    let bent = TriangleMesh::read_open_stl(&bytes[..]).unwrap();
    let normal = rotation * DVec3::Z;
    let mut random = Random(9);
    for _ in 0..3000 {
        let [x, y, height] = [random.next(), random.next(), random.next()];
        let across = rotation * DVec3::new(4.0 * x - 2.0, 4.0 * y - 2.0, 0.0);
        // Near seams: on the diagonals and sides of cells, which are a tenth wide or so.
        let centre = across + normal * (0.4 + 0.1 * height);
        let overlap = 0.1 * (1.0 - height);
        let off = (patches(&bent, centre, 0.5).iter().map(force).sum::<DVec3>() - normal * overlap).length();
        assert!(off < 1e-6, "at {centre}: {off}");
    }
    let seams = bent.triangles().iter().flat_map(|&[a, b, _]| [a, b].map(|k| bent.points()[k as usize]));
    for point in seams.filter(|point| point.length() < 4.0) {
        let off =
            (patches(&bent, point + normal * 0.45, 0.5).iter().map(force).sum::<DVec3>() - normal * 0.05).length();
        assert!(off < 1e-6, "at {point}: {off}");
    }
}

/// A profile of points (x, z) drawn along y, each piece cut into rows, all in single precision.
fn strips(profile: &[[f64; 2]], rows: &[f64]) -> TriangleMesh {
    let height = rows.len();
    let points = profile.iter().flat_map(|&[x, z]| rows.iter().map(move |&y| place(x, y, z))).collect();
    let cell = |k: usize| {
        let (i, j) = (k / (height - 1), k % (height - 1));
        let [a, b, c, d] = [i * height + j, (i + 1) * height + j, (i + 1) * height + j + 1, i * height + j + 1];
        [[a, b, c], [a, c, d]].map(|corners| corners.map(|corner| corner as u32))
    };
    TriangleMesh::open(points, (0..(profile.len() - 1) * (height - 1)).flat_map(cell).collect()).unwrap()
}

/// Strips as narrow as numbers of single precision are turned by any angle.
#[test]
fn a_plane_with_slivers_in_single_precision_is_nearly_a_plane() {
    let normal = rotation() * DVec3::Z;
    let mut random = Random(5);
    for width in [1e-2, 1e-3, 1e-4, 1e-5, 1e-6] {
        for rows in [&[-1.1, 1.2][..], &[-1.1, 0.1, 0.17, 1.2]] {
            let at = 0.3 * random.next();
            let mesh = strips(&[-1.0, at, at + width, 1.3].map(|x| [x, 0.0]), rows);
            for overlap in [1e-3, 1e-2] {
                for step in 0..400 {
                    let x = at + 0.06 * (f64::from(step) / 200.0 - 1.0);
                    let off = (push(&mesh, x, 0.13, 0.5 - overlap).0 / overlap - normal).length();
                    assert!(off < 1e-3, "width {width}, overlap {overlap}, at {}: {off}", x - at);
                }
            }
        }
    }
}

/// The same where the plane ends, in the open or at a crease.
#[test]
fn slivers_at_a_rim_or_a_crease_are_not_felt_inside() {
    let normal = rotation() * DVec3::Z;
    let mut random = Random(8);
    for (width, crease) in [1e-6, 1e-5, 3e-5, 1e-4, 2e-4].into_iter().flat_map(|width| [(width, false), (width, true)])
    {
        for _ in 0..20 {
            let at = 0.3 * random.next();
            let mut profile = vec![[-1.0, 0.0], [at, 0.0], [at + width, 0.0]];
            if crease {
                profile.push([at + width, -1.0]);
            }
            let mesh = strips(&profile, &[-1.1, 1.2]);
            for step in 0..400 {
                let x = at - 0.02 * f64::from(step) / 400.0;
                let off = (push(&mesh, x, 0.13, 0.49).0 / 1e-2 - normal).length();
                assert!(off < 1e-3, "width {width}, crease {crease}, at {}: {off}", x - at);
            }
        }
    }
}

/// A sphere over the gap between two floors goes from one to the other without a jump of the force, and so keeps its energy.
#[test]
fn a_narrow_gap_between_two_floors_is_no_jump() {
    let half = |from: f64, to: f64| {
        let columns = [from, 0.5 * (from + to), to];
        columns.iter().flat_map(|&x| [-1.1, 0.1, 1.2].map(|y| place(x, y, 0.0))).collect::<Vec<_>>()
    };
    for gap in [1e-3, 5e-3, 2e-2] {
        let points = [half(-1.0, 0.0), half(gap, 1.0 + gap)].concat();
        let cell = |k: u32| {
            let from = 9 * (k / 4) + 3 * (k % 4 / 2) + k % 2;
            [[from, from + 3, from + 4], [from, from + 4, from + 1]]
        };
        let mesh = TriangleMesh::open(points, (0..8).flat_map(cell).collect()).unwrap();
        let (overlap, steps) = (1e-3, 20_000);
        // Along the middle, and beside the ends, where corners are touched.
        for y in [0.13, -1.105] {
            let force = |step: usize| {
                let x = gap * (4.0 * step as f64 / steps as f64 - 1.5);
                push(&mesh, x, y, 0.5 - overlap).0 / overlap
            };
            let most = (0..steps).map(|step| (force(step + 1) - force(step)).length()).fold(0.0, f64::max);
            assert!(most < 0.02, "gap {gap}, y {y}: the force jumps by {most}");
        }
    }
}

/// How much of the second of two planes is felt that meet in a fold, with the foot of the centre on both.
#[test]
fn what_is_not_flat_is_felt_as_far_as_it_is_not() {
    let cube = block(DVec3::ZERO, DVec3::ONE).flipped();
    let corner = patches(&cube, DVec3::splat(0.49), 0.5);
    assert!(corner.len() == 3 && corner.iter().all(|patch| patch.saddle.is_none()), "{corner:?}");
    // Two strips of this width, and the angle between them; a sphere in the fold feels both planes and, of what is nearer than
    // the fold, one.
    for (width, angle) in [(0.5, 5e-3), (4e-3, 5e-3), (4e-3, 3e-4), (2e-4, 6e-4), (0.5, 0.2)] {
        let rise = f64::tan(0.5 * angle);
        let bent = |x: f64, y: f64| DVec3::new(x, y, x.abs() * rise);
        let points = [-width, 0.0, width].iter().flat_map(|&x| [bent(x, -1.0), bent(x, 1.0)]).collect();
        let mesh = TriangleMesh::open(points, vec![[0, 2, 3], [0, 3, 1], [2, 4, 5], [2, 5, 3]]).unwrap();
        let height = 0.499;
        let found = patches(&mesh, DVec3::new(0.0, 0.2, height), 0.5);
        assert_eq!(found.len(), 2, "width {width}, angle {angle}: {found:?}");
        let apart = 0.5 - height * f64::cos(0.5 * angle);
        let expected = 2.0 * apart * f64::cos(0.5 * angle) - (0.5 - height);
        let force: DVec3 = found.iter().map(force).sum();
        assert!((force - DVec3::Z * expected).length() < 1e-12, "width {width}, angle {angle}: {force} {expected}");
    }
    // A small grain in a shallow groove of a large mesh.
    let groove = [[-1.0, 0.0], [-1e-3, 0.0], [0.0, -1e-3 * f64::to_radians(0.5).tan()], [1e-3, 0.0], [1.0, 0.0]];
    let found = patches(&strips(&groove, &[-1.1, 1.2]), place(0.0, 0.13, 4.98e-4), 5.1e-4);
    assert_eq!(found.len(), 2, "{found:?}");
}
