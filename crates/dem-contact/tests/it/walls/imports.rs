//! Tests of files as users have them: mixed winding, slivers, duplicates, cracks, both forms, millimetres.

use dem_contact::error::MeshError;
use dem_contact::wall::{Solid, StlImport};

use crate::prelude::*;
use crate::walls::support::{block, floor, patches};

/// Corners of the triangles of a file.
type Soup = Vec<[DVec3; 3]>;

fn soup(mesh: &TriangleMesh) -> Soup {
    mesh.triangles().iter().map(|corners| corners.map(|k| mesh.points()[k as usize])).collect()
}

fn text(soup: &Soup) -> Vec<u8> {
    let facet = |corners: &[DVec3; 3]| {
        let vertex = corners.map(|DVec3 { x, y, z }| format!("vertex {x:e} {y:e} {z:e}\n")).concat();
        format!("facet normal 0 0 0\nouter loop\n{vertex}endloop\nendfacet\n")
    };
    format!("solid\n{}endsolid\n", soup.iter().map(facet).collect::<String>()).into_bytes()
}

fn binary(soup: &Soup) -> Vec<u8> {
    let mut bytes = vec![0; 80];
    bytes.extend((soup.len() as u32).to_le_bytes());
    for corners in soup {
        bytes.extend([0; 12]);
        let numbers = corners.iter().flat_map(|corner| corner.to_array());
        bytes.extend(numbers.flat_map(|number| (number as f32).to_le_bytes()));
        bytes.extend([0; 2]);
    }
    bytes
}

fn read(import: &StlImport, soup: &Soup) -> Result<TriangleMesh, MeshError> {
    import.read(&text(soup)[..]).map_err(|error| match error {
        DemError::Mesh(error) => error,
        error => panic!("{error}"),
    })
}

/// Exchanges two corners of about a third of the triangles.
fn mixed(mut soup: Soup) -> Soup {
    let mut random = Random::new(5);
    soup.iter_mut().filter(|_| random.next() < 0.35).for_each(|corners| corners.swap(0, 1));
    soup
}

/// Returns sheets: a plane, a hopper, a roof, a pit, a dish, a plane with a fin.
fn sheets() -> Vec<Soup> {
    let roof = |height: f64| {
        let point = |x: f64, y: f64| DVec3::new(x, y, height * (1.0 - x.abs()));
        let half = |x: f64| {
            [[point(0.0, -1.0), point(x, -1.0), point(x, 1.0)], [point(0.0, -1.0), point(x, 1.0), point(0.0, 1.0)]]
        };
        [half(1.0), half(-1.0)].concat()
    };
    let fin = [DVec3::new(0.0, -0.5, 0.0), DVec3::new(0.0, 0.5, 0.0), DVec3::new(0.0, 0.0, 0.7)];
    let plane = [[-1.0, 0.0], [0.0, 1.0]].map(|[from, to]: [f64; 2]| {
        let far = if from < 0.0 { from } else { to };
        let ends = [DVec3::Y * -0.5, DVec3::Y * 0.5];
        [ends[0], ends[1], DVec3::X * far]
    });
    vec![
        soup(&floor(1.0, 5)),
        soup(&Revolution::cone_inside(DVec3::Z, [0.3, -0.5], [1.0, 0.5]).unwrap().mesh(12).unwrap()),
        roof(0.4),
        roof(-0.4),
        soup(&Revolution::new(DVec3::Z, [[0.0, -0.5], [0.5, -0.4], [0.9, 0.0]]).unwrap().mesh(9).unwrap()),
        [plane.to_vec(), vec![fin]].concat(),
    ]
}

/// Returns solids: a block, a rod, a ring, two blocks, a block with a hollow.
fn solids() -> Vec<Soup> {
    let ring = [[0.6, -0.3], [1.0, -0.3], [1.0, 0.3], [0.6, 0.3], [0.6, -0.3]];
    let at = |low: f64, high: f64| block(DVec3::splat(low), DVec3::splat(high));
    vec![
        soup(&at(-0.5, 0.7)),
        soup(&Revolution::rod(DVec3::Z, 0.7, [-0.5, 0.5]).unwrap().mesh(12).unwrap()),
        soup(&Revolution::new(DVec3::Z, ring.map(|[r, z]| [r, -z])).unwrap().mesh(10).unwrap()),
        [soup(&at(-0.9, -0.1)), soup(&at(0.1, 0.9))].concat(),
        [soup(&at(-1.0, 1.0)), soup(&at(-0.5, 0.5).flipped())].concat(),
    ]
}

/// Returns distances and normals of the points that a sphere touches, the nearest first.
fn seen(mesh: &TriangleMesh, at: DVec3, reach: f64) -> Vec<(f64, DVec3)> {
    let mut seen: Vec<(f64, DVec3)> =
        patches(mesh, at, reach).iter().map(|&Patch { distance, normal, .. }| (distance, normal)).collect();
    seen.sort_by(|one, other| one.0.total_cmp(&other.0));
    seen
}

/// Checks that spheres touch both meshes alike.
#[track_caller]
fn assert_alike(one: &TriangleMesh, other: &TriangleMesh, tolerance: f64) {
    let mut random = Random::new(11);
    for _ in 0..60 {
        let at = 2.4 * DVec3::new(random.next() - 0.5, random.next() - 0.5, random.next() - 0.5);
        let [a, b] = [one, other].map(|mesh| seen(mesh, at, 0.2));
        assert_eq!(a.len(), b.len(), "{at}: {a:?} {b:?}");
        for (a, b) in a.iter().zip(&b) {
            assert!((a.0 - b.0).abs() <= tolerance && (a.1 - b.1).length() < 1e3 * tolerance, "{at}: {a:?} {b:?}");
        }
    }
}

#[test]
fn sheets_load_whatever_their_winding() {
    for sheet in sheets() {
        let plain = read(&StlImport::default(), &sheet).unwrap();
        for other in
            [mixed(sheet.clone()), mixed(mixed(sheet.clone())), sheet.iter().map(|[a, b, c]| [*c, *b, *a]).collect()]
        {
            assert_alike(&plain, &read(&StlImport::default(), &other).unwrap(), 1e-12);
            assert_alike(&plain, &TriangleMesh::read_open_stl(&text(&other)[..]).unwrap(), 1e-12);
        }
        let error = read(&StlImport { solid: Solid::Inside, ..StlImport::default() }, &sheet).unwrap_err();
        assert_matches!(error, MeshError::OpenEdge { .. } | MeshError::CrowdedEdge { .. });
        assert!(error.to_string().contains("without `closed` and `inside`"), "{error}");
    }
    let plane = read(&StlImport::default(), &mixed(sheets().remove(0))).unwrap();
    for z in [0.1, -0.1] {
        let found = seen(&plane, DVec3::new(0.1, 0.2, z), 0.2);
        assert!(found.len() == 1 && (found[0].1 - DVec3::Z * z.signum()).length() < 1e-14, "{found:?}");
    }
}

#[test]
fn a_strip_with_one_side_is_a_sheet() {
    let count = 24;
    let point = |k: usize, side: f64| {
        let angle = std::f64::consts::TAU * k as f64 / f64::from(count);
        let out = DVec3::new(angle.cos(), angle.sin(), 0.0);
        let across = (0.5 * angle).cos() * out + (0.5 * angle).sin() * DVec3::Z;
        0.8 * out + side * 0.2 * across
    };
    let strip: Soup = (0..count as usize)
        .flat_map(|k| {
            // The strip closes with its sides exchanged.
            let next = |side: f64| if k + 1 == count as usize { point(0, -side) } else { point(k + 1, side) };
            let [a, b, c, d] = [point(k, 1.0), point(k, -1.0), next(-1.0), next(1.0)];
            [[a, b, c], [a, c, d]]
        })
        .collect();
    let mesh = read(&StlImport::default(), &strip).unwrap();
    let found = seen(&mesh, DVec3::new(0.8, 0.0, 0.05), 0.1);
    assert!(!found.is_empty() && found[0].0 > 0.0 && found[0].0 < 0.06, "{found:?}");
}

#[test]
fn solids_load_whatever_their_winding() {
    for solid in solids() {
        let [around, held] = [Solid::Inside, Solid::Around]
            .map(|side| read(&StlImport { solid: side, ..StlImport::default() }, &solid).unwrap());
        assert!(around.volume() > 0.0 && held.volume() < 0.0);
        let turned: Soup = solid.iter().map(|[a, b, c]| [*c, *b, *a]).collect();
        for other in [mixed(solid.clone()), turned] {
            let import = |solid| read(&StlImport { solid, ..StlImport::default() }, &other).unwrap();
            assert_alike(&around, &import(Solid::Inside), 1e-12);
            assert_alike(&around, &import(Solid::IfClosed), 1e-12);
            assert_alike(&held, &import(Solid::Around), 1e-12);
        }
        // The solid side by the nearest point must agree with the winding number.
        let [around, held] = [around, held].map(|mesh| Wall::new(mesh, DVec3::ZERO));
        let mut random = Random::new(3);
        let mut inside = 0;
        for _ in 0..200 {
            let at = 3.0 * DVec3::new(random.next() - 0.5, random.next() - 0.5, random.next() - 0.5);
            let [one, other] = [&around, &held].map(|wall| wall.is_in_solid(at, 0.0, DVec3::ZERO));
            assert_ne!(one, other, "{at}");
            inside += usize::from(one);
            let winding: f64 = solid.iter().map(|corners| solid_angle(corners.map(|corner| corner - at))).sum();
            assert_eq!(one, winding.abs() > 6.0, "{at}: {winding}");
        }
        assert!(inside > 5 && inside < 195, "{inside}");
    }
}

/// Computes the solid angle of a triangle from the origin, four pi all around.
fn solid_angle([a, b, c]: [DVec3; 3]) -> f64 {
    let [la, lb, lc] = [a.length(), b.length(), c.length()];
    2.0 * a.dot(b.cross(c)).atan2(la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb)
}

/// Degenerate triangles and slivers (equal corners, corners in a row, narrow ones on an edge) change nothing.
#[test]
fn slivers_do_no_harm() {
    for whole in sheets().into_iter().chain(solids()) {
        let plain = read(&StlImport::default(), &whole).unwrap();
        // Each narrow triangle is put between the first triangle and its neighbour, at this share of their edge.
        let [a, b, c] = whole[0];
        let more = |extra: Soup| {
            let mut all = whole.clone();
            all.extend(extra);
            all
        };
        let point = [a, a, b];
        let cut = |share: f64, away: f64| {
            // The first triangle is cut at a point near its edge, and the sliver fills what is left.
            let middle = a + share * (b - a) + away * (c - a);
            let mut all = whole.clone();
            all[0] = [a, middle, c];
            all.extend([[middle, b, c], [a, b, middle]]);
            all
        };
        for (slivers, tolerance) in [
            (more(vec![point, point]), 1e-12),
            (more(vec![[a, 0.5 * (a + b), 0.25 * (3.0 * a + b)]]), 1e-12),
            (cut(0.3, 0.0), 1e-12),
            (cut(0.7, 1e-13), 1e-10),
            (cut(0.4, 1e-8), 1e-6),
        ] {
            let mesh = read(&StlImport::default(), &slivers).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(mesh.is_closed(), plain.is_closed());
            assert_alike(&plain, &mesh, tolerance);
        }
    }
}

#[test]
fn duplicate_facets_are_one() {
    for whole in sheets().into_iter().chain(solids()) {
        let plain = read(&StlImport::default(), &whole).unwrap();
        for facet in 0..whole.len().min(5) {
            let [a, b, c] = whole[facet];
            for again in [vec![[a, b, c]], vec![[b, c, a]; 3], vec![[c, b, a]], whole.clone()] {
                let mesh = read(&StlImport::default(), &[whole.clone(), again].concat()).unwrap();
                assert_eq!(mesh.is_closed(), plain.is_closed());
                assert_alike(&plain, &mesh, 1e-12);
            }
        }
    }
    // A sheet given by a front and a back is one sheet.
    for sheet in sheets() {
        let back: Soup = sheet.iter().map(|[a, b, c]| [*a, *c, *b]).collect();
        let mesh = read(&StlImport::default(), &[sheet.clone(), back].concat()).unwrap();
        assert_eq!(mesh.triangles().len(), sheet.len());
    }
    // Two blocks that share a face, each with its own triangles, are one block together.
    let halves = [(DVec3::ZERO, DVec3::new(0.5, 1.0, 1.0)), (DVec3::X * 0.5, DVec3::ONE)];
    let both = halves.map(|(low, high)| soup(&block(low, high))).concat();
    let mesh = read(&StlImport { solid: Solid::Inside, ..StlImport::default() }, &both).unwrap();
    assert_eq!(mesh.triangles().len(), 20);
    assert_alike(&mesh, &block(DVec3::ZERO, DVec3::ONE), 1e-12);
}

/// Cracks come from corners that differ by rounding, and from corners on the edge of another triangle.
#[test]
fn cracks_are_closed_or_named() {
    for whole in sheets().into_iter().chain(solids()) {
        let plain = read(&StlImport::default(), &whole).unwrap();
        let shaken = |size: f64| -> Soup {
            let mut random = Random::new(9);
            let mut shake = || size * DVec3::new(random.next() - 0.5, random.next() - 0.5, random.next() - 0.5);
            whole.iter().map(|corners| corners.map(|corner| corner + shake())).collect()
        };
        let mesh = read(&StlImport::default(), &shaken(2e-7)).unwrap();
        assert_eq!(mesh.is_closed(), plain.is_closed());
        // A sphere on a seam may have a point on each side of an edge that is bent by the rounding, with hardly a force.
        assert_eq!(mesh.triangles().len(), plain.triangles().len());
        mesh.check_cracks(0.01).unwrap();
        // Wide cracks are closed by a width, or named.
        let wide = shaken(1e-4);
        let joined = read(&StlImport { join: Some(3e-4), ..StlImport::default() }, &wide).unwrap();
        assert_eq!(joined.is_closed(), plain.is_closed());
        joined.check_cracks(0.01).unwrap();
        let loose = read(&StlImport::default(), &wide).unwrap();
        let error = loose.check_cracks(0.01).unwrap_err();
        assert_matches!(error, DemError::Mesh(MeshError::Crack { width, .. }) if width < 3e-4);
        assert!(error.to_string().contains("triangle ") && error.to_string().contains("`join`"), "{error}");
        if plain.is_closed() {
            let error = read(&StlImport { solid: Solid::Inside, ..StlImport::default() }, &wide).unwrap_err();
            assert!(matches!(error, MeshError::OpenEdge { .. }) && error.to_string().contains("`join`"), "{error}");
        }
        // The first triangle is cut at the middle of each of its sides, but not its neighbours.
        let [a, b, c] = whole[0];
        let [ab, bc, ca] = [0.5 * (a + b), 0.5 * (b + c), 0.5 * (c + a)];
        let mut cut = whole.clone();
        cut[0] = [ab, bc, ca];
        cut.extend([[a, ab, ca], [b, bc, ab], [c, ca, bc]]);
        let mesh = read(&StlImport::default(), &cut).unwrap();
        assert_eq!(mesh.is_closed(), plain.is_closed());
        mesh.check_cracks(0.01).unwrap();
        assert_alike(&plain, &mesh, 1e-12);
    }
}

/// A ball on a seam with a crack is touched once.
#[test]
fn a_closed_crack_is_one_contact() {
    let from = DVec3::new(-1.0, -1.0, 0.0);
    let to = DVec3::new(1.0, 1.0, 0.0);
    let [right, left] = [DVec3::new(1.0, -1.0, 0.0), DVec3::new(-1.0, 1.0, 0.0)];
    let shift = DVec3::new(1e-7, -1e-7, 0.0);
    let mesh = read(&StlImport::default(), &vec![[from, right, to], [from - shift, left, to - shift]]).unwrap();
    for x in [-0.1, -1e-3, 0.0, 1e-3, 0.1] {
        for z in [0.1, -0.1] {
            let found = seen(&mesh, DVec3::new(x, -x, z), 0.2);
            assert!(found.len() == 1 && (found[0].0 - 0.1).abs() < 1e-12, "{x} {z}: {found:?}");
        }
    }
}

#[test]
fn both_forms_and_millimetres_are_the_same() {
    for whole in sheets().into_iter().chain(solids()) {
        let plain = read(&StlImport::default(), &whole).unwrap();
        let bytes = binary(&mixed(whole.clone()));
        let from_binary = StlImport::default().read(&bytes[..]).unwrap();
        assert_eq!((from_binary.is_closed(), from_binary.points().len()), (plain.is_closed(), plain.points().len()));
        let millimetres: Soup = whole.iter().map(|corners| corners.map(|corner| 1000.0 * corner)).collect();
        let import = StlImport { scale: 1e-3, ..StlImport::default() };
        assert_alike(&plain, &read(&import, &millimetres).unwrap(), 1e-12);
        let from_binary = import.read(&binary(&millimetres)[..]).unwrap();
        assert_eq!((from_binary.is_closed(), from_binary.points().len()), (plain.is_closed(), plain.points().len()));
    }
    for scale in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(StlImport { scale, ..StlImport::default() }.read(&text(&sheets()[0])[..]).is_err());
    }
}
