//! Tests of meshes with rounded points: parts that are flat up to rounding act as flat, and real edges are felt.

use crate::prelude::*;
use crate::walls::support::{block, floor, force, patches};

/// A rotation out of the coordinate planes, so that rounding bends what is flat.
fn rotation() -> DQuat {
    DQuat::from_scaled_axis(DVec3::new(0.3, -0.2, 0.1))
}

/// Returns the point (x, y, z) turned, in single precision.
fn place(x: f64, y: f64, z: f64) -> DVec3 {
    (rotation() * DVec3::new(x, y, z)).as_vec3().as_dvec3()
}

/// Returns the sum of forces at a stiffness of one over all contacts of a sphere of radius 1/2 at (x, y, z) turned, and
/// the number of contacts.
fn push(shape: &dyn WallShape, x: f64, y: f64, z: f64) -> (DVec3, usize) {
    let found = patches(shape, rotation() * DVec3::new(x, y, z), 0.5);
    (found.iter().map(force).sum(), found.len())
}

#[test]
fn a_plane_in_single_precision_is_nearly_a_plane() {
    // Rounding bends the turned plane at its seams, some of which are then concave.
    let rotation = rotation();
    let flat = floor(6.0, 60);
    let points = flat.points().iter().map(|point| rotation * *point).collect();
    let turned = TriangleMesh::open(points, flat.triangles().to_vec()).unwrap();
    let mut bytes = Vec::new();
    turned.write_stl(&mut bytes).unwrap();
    let bent = TriangleMesh::read_open_stl(&bytes[..]).unwrap();
    let normal = rotation * DVec3::Z;
    let mut random = Random::new(9);
    for _ in 0..3000 {
        let [x, y, height] = [random.next(), random.next(), random.next()];
        let across = rotation * DVec3::new(4.0 * x - 2.0, 4.0 * y - 2.0, 0.0);
        // Many of the centres are near seams: the diagonals and sides of cells, which are about a tenth wide.
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

/// Returns a profile of points (x, z) drawn along y, each piece cut into rows, all in single precision.
fn strips(profile: &[[f64; 2]], rows: &[f64]) -> TriangleMesh {
    let height = rows.len();
    let points = profile.iter().flat_map(|&[x, z]| rows.iter().map(move |&y| place(x, y, z))).collect();
    let cell = |k: usize| {
        let i = k / (height - 1);
        let j = k % (height - 1);
        let [a, b, c, d] = [i * height + j, (i + 1) * height + j, (i + 1) * height + j + 1, i * height + j + 1];
        [[a, b, c], [a, c, d]].map(|corners| corners.map(|corner| corner as u32))
    };
    TriangleMesh::open(points, (0..(profile.len() - 1) * (height - 1)).flat_map(cell).collect()).unwrap()
}

/// Strips as narrow as the spacing of numbers in single precision are turned by any angle.
#[test]
fn a_plane_with_slivers_in_single_precision_is_nearly_a_plane() {
    let normal = rotation() * DVec3::Z;
    let mut random = Random::new(5);
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

/// Slivers exert no extra force where the plane ends, at a rim or at a crease.
#[test]
fn slivers_at_a_rim_or_a_crease_are_not_felt_inside() {
    let normal = rotation() * DVec3::Z;
    let mut random = Random::new(8);
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

/// A sphere crosses the gap between two floors without a jump of the force, and conserves energy.
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
        let overlap = 1e-3;
        let steps = 20_000;
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

/// At a fold with the foot of the centre on both planes, the second plane adds only what is not common.
#[test]
fn what_is_not_flat_is_felt_as_far_as_it_is_not() {
    let cube = block(DVec3::ZERO, DVec3::ONE).flipped();
    let corner = patches(&cube, DVec3::splat(0.49), 0.5);
    assert!(corner.len() == 3 && corner.iter().all(|patch| patch.saddle.is_none()), "{corner:?}");
    // Two strips have this width and this angle between them. A sphere in the fold feels both planes, less the part in
    // common beyond the fold.
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
    // A small grain lies in a shallow groove of a large mesh.
    let groove = [[-1.0, 0.0], [-1e-3, 0.0], [0.0, -1e-3 * f64::to_radians(0.5).tan()], [1e-3, 0.0], [1.0, 0.0]];
    let found = patches(&strips(&groove, &[-1.1, 1.2]), place(0.0, 0.13, 4.98e-4), 5.1e-4);
    assert_eq!(found.len(), 2, "{found:?}");
}

/// Returns a block of unit size, sheared to a wedge, with a point in its edge at x = 1, z = 0 that is out of it by
/// `off`: the sliver there may point inwards.
fn wedge(shear: f64, off: [f64; 2]) -> TriangleMesh {
    let whole = block(DVec3::ZERO, DVec3::ONE);
    let mut points = whole.points().to_vec();
    let mut triangles = whole.triangles().to_vec();
    // The triangle to cut is that of the face x = 1 with the corners 1 and 3.
    let cut = triangles
        .iter()
        .position(|corners| {
            [1, 3].iter().all(|k| corners.contains(k)) && !corners.contains(&0) && !corners.contains(&2)
        })
        .unwrap();
    let side =
        (0..3).find(|&side| [side, (side + 1) % 3].iter().all(|&k| [1, 3].contains(&triangles[cut][k]))).unwrap();
    let [a, b, c] = [0, 1, 2].map(|k| triangles[cut][(side + k) % 3]);
    triangles[cut] = [b, c, 8];
    triangles.extend([[c, a, 8], [a, b, 8]]);
    points.iter_mut().for_each(|point| point.x -= shear * point.z);
    points.push(DVec3::new(1.0 + off[0], 0.5, off[1]));
    TriangleMesh::closed(points, triangles).unwrap()
}

#[test]
fn slivers_that_point_inwards_turn_nothing_around() {
    for shear in [0.0, 0.7, -0.7, 3.0, 10.0] {
        let normals = [DVec3::NEG_Z, DVec3::new(1.0, 0.0, shear).normalize()];
        for turn in 0..64 {
            let (sin, cos) = (f64::from(turn) * 0.1).sin_cos();
            for size in [8e-8, 1e-9] {
                let mesh = wedge(shear, [size * cos, size * sin]);
                for k in 0..=40 {
                    let share = f64::from(k) / 40.0;
                    let out = normals[0].rotate_towards(normals[1], share * normals[0].angle_between(normals[1]));
                    for y in [0.3, 0.499_999, 0.5, 0.500_000_01, 0.55] {
                        // Some centres are beside the edge, by less than slivers are wide and by more.
                        for beside in [0.0, 3e-8, -3e-8, 1e-3] {
                            let centre = DVec3::new(1.0, y, 0.0) + out * 0.45 + normals[k as usize % 2] * beside;
                            let found = patches(&mesh, centre, 0.5);
                            let push: DVec3 = found.iter().map(force).sum();
                            assert!(found.iter().all(|patch| patch.distance > 0.0), "{shear} {turn} {size}: {found:?}");
                            assert!((push - out * 0.05).length() < 4e-3, "{shear} {turn} {size} at {centre}: {push}");
                        }
                    }
                }
                // Centres inside are still behind the surface.
                for depth in [1e-3, 0.01] {
                    let centre = DVec3::new(1.0, 0.55, 0.0) - (normals[0] + normals[1]).normalize() * depth;
                    assert!(patches(&mesh, centre, 0.5)[0].distance < 0.0, "{shear} {turn} {size} {depth}");
                }
            }
        }
    }
}

/// Plates are so thin and far away that single precision would merge their sides, but double precision is exact.
#[test]
fn thin_plates_far_away_keep_their_rims() {
    for (low, size) in [
        (DVec3::X * 4e4, DVec3::new(2.0, 2.0, 1e-3)),
        (DVec3::Z * 500.0, DVec3::new(0.2, 0.2, 1e-4)),
        (DVec3::X, DVec3::new(2.0, 2.0, 1e-7)),
        (DVec3::X * 1e4, DVec3::new(2.0, 1.5e-3, 1.5e-3)),
    ] {
        let mesh = block(low, low + size);
        for k in 0..27 {
            let out = [k % 3, k / 3 % 3, k / 9].map(|place| f64::from(place) - 1.0);
            let out = DVec3::from_array(out);
            if out == DVec3::ZERO {
                continue;
            }
            // Centres are outwards of corners, edges and faces.
            for across in [0.1, 0.45, 0.7] {
                let share =
                    DVec3::from_array(out.to_array().map(|way| if way == 0.0 { across } else { 0.5 + 0.5 * way }));
                let centre = low + size * share + out.normalize() * 0.4;
                let found = patches(&mesh, centre, 0.5);
                assert!(found[0].distance > 0.39, "{size} {out} {across}: {found:?}");
            }
        }
    }
}
