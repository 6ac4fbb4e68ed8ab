//! Tests of STL files: there and back, and errors that name the triangle.

use dem_contact::error::MeshError;
use proptest::prelude::*;

use crate::prelude::*;
use crate::walls::support::{block, floor};

/// Passes if a mesh is refused for what the pattern says, and shows the error if not.
macro_rules! assert_refused {
    ($outcome:expr, $($pattern:tt)+) => {
        match $outcome {
            Err(DemError::Mesh(error)) => assert_matches!(error, $($pattern)+),
            other => panic!("{other:?}"),
        }
    };
}

fn text(mesh: &TriangleMesh) -> String {
    let mut bytes = Vec::new();
    mesh.write_text_stl(&mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

fn binary(mesh: &TriangleMesh) -> Vec<u8> {
    let mut bytes = Vec::new();
    mesh.write_stl(&mut bytes).unwrap();
    bytes
}

fn corners(mesh: &TriangleMesh) -> Vec<DVec3> {
    mesh.triangles().iter().flatten().map(|&k| mesh.points()[k as usize]).collect()
}

fn cube() -> TriangleMesh {
    block(DVec3::ZERO, DVec3::new(1.0, 2.0, 3.0))
}

#[test]
fn meshes_go_to_files_and_back() {
    let mesh = cube();
    let marked = format!("\u{feff}{}", text(&mesh)).into_bytes();
    for bytes in [text(&mesh).into_bytes(), binary(&mesh), marked] {
        let again = TriangleMesh::read_stl(&bytes[..]).unwrap();
        assert_eq!(corners(&again), corners(&mesh));
        assert_eq!((again.points().len(), again.is_closed(), again.sides()), (8, true, Sidedness::Front));
        assert!((again.volume() - 6.0).abs() < 1e-14);
    }
    let sheet = floor(1.0, 9);
    let again = TriangleMesh::read_open_stl(text(&sheet).as_bytes()).unwrap();
    assert_eq!(corners(&again), corners(&sheet));
    assert_eq!((again.points().len(), again.is_closed(), again.sides()), (100, false, Sidedness::Both));
    // A file may have several solids.
    let low = cube();
    let high = block(DVec3::new(5.0, 0.0, 0.0), DVec3::new(6.0, 1.0, 1.0));
    let both = TriangleMesh::read_stl(format!("{}\n{}", text(&low), text(&high)).as_bytes()).unwrap();
    assert_eq!(corners(&both), [corners(&low), corners(&high)].concat());
    assert!(TriangleMesh::read_stl(format!("{}rest", text(&low)).as_bytes()).is_err());
    // The header of a binary file may begin like a text; a text may have capitals and blanks.
    let mut bytes = binary(&mesh);
    bytes[..5].copy_from_slice(b"solid");
    assert!(TriangleMesh::read_stl(&bytes[..]).is_ok());
    let loud = text(&mesh).to_uppercase().replace('\n', "\r\n \t");
    let returns = text(&mesh).replace('\n', "\r");
    let padded = text(&mesh) + "\0\0\0";
    // Minus zero and zero are one corner.
    let signed = text(&mesh).replacen("vertex 0 ", "vertex -0 ", 1);
    for file in [loud, returns, padded, signed] {
        assert_eq!(corners(&TriangleMesh::read_stl(file.as_bytes()).unwrap()), corners(&mesh), "{file}");
    }
}

#[test]
fn open_meshes_are_refused_where_closed_ones_are_expected() {
    let mut bytes = binary(&cube());
    // The file lacks its last triangle.
    bytes.truncate(84 + 50 * 11);
    bytes[80] = 11;
    let error = TriangleMesh::read_stl(&bytes[..]).unwrap_err();
    assert_matches!(error, DemError::Mesh(MeshError::OpenEdge { triangle: 0..=10, .. }));
    assert!(error.to_string().contains("triangle "), "{error}");
    let open = TriangleMesh::read_open_stl(&bytes[..]).unwrap();
    assert!(!open.is_closed() && open.sides() == Sidedness::Both);
}

#[test]
fn bad_triangles_are_named() {
    let good = text(&cube());
    let lines = 7;
    let edit = |triangle: usize, line: usize, to: &str| {
        let mut rows: Vec<String> = good.lines().map(str::to_owned).collect();
        rows[1 + triangle * lines + line] = to.to_owned();
        TriangleMesh::read_stl(rows.join("\n").as_bytes())
    };
    let first = good.lines().nth(1 + 4 * lines + 2).unwrap().to_owned();
    assert_refused!(edit(4, 3, &first), MeshError::DegenerateTriangle { triangle: 4, .. });
    assert_refused!(edit(5, 3, "vertex NaN 0 0"), MeshError::DegenerateTriangle { triangle: 5, .. });
    assert_refused!(edit(5, 3, "vertex inf 0 0"), MeshError::DegenerateTriangle { triangle: 5, .. });
    let line = 2 + 7 * lines + 4;
    assert_refused!(edit(7, 4, "vertex 0 0"),
        MeshError::StlSyntax { triangle: 7, line: l, expected: "vertex", .. } if l == line);
    assert_refused!(edit(7, 4, "vertex 0 0 x"), MeshError::StlSyntax { triangle: 7, .. });
    assert_refused!(edit(2, 5, "endfacet"), MeshError::StlSyntax { triangle: 2, expected: "endloop", .. });
    assert_refused!(edit(3, 0, "facet normal 1 2"), MeshError::StlSyntax { triangle: 3, .. });
    assert_refused!(edit(0, 2, "vertex 0 0 0 0"), MeshError::StlSyntax { line: 4, triangle: 0, .. });
    // Normals in files are ignored: many programs write zeros, or normals of another order of corners.
    let mut rows: Vec<&str> = good.lines().collect();
    rows[1 + 3 * lines] = "facet normal 0.6 0 -0.8";
    assert_eq!(corners(&TriangleMesh::read_stl(rows.join("\n").as_bytes()).unwrap()), corners(&cube()));
}

/// Each surface of a closed mesh is checked: an inside-out surface is an error unless it is a hollow.
#[test]
fn surfaces_that_are_inside_out_are_named() {
    let join = |meshes: &[TriangleMesh]| {
        let mut points = Vec::new();
        let mut triangles = Vec::new();
        for mesh in meshes {
            let first = points.len() as u32;
            points.extend_from_slice(mesh.points());
            triangles.extend(mesh.triangles().iter().map(|corners| corners.map(|corner| first + corner)));
        }
        TriangleMesh::closed(points, triangles)
    };
    let at = |low: f64, high: f64| block(DVec3::splat(low), DVec3::splat(high));
    let outer = at(0.0, 3.0);
    let inner = at(1.0, 2.0);
    let beside = at(4.0, 5.0);
    let hollow = join(&[outer.clone(), inner.clone().flipped(), beside.clone()]).unwrap();
    assert!((hollow.volume() - 27.0).abs() < 1e-12);
    for mesh in [[beside.clone(), outer.clone()], [outer.clone(), inner.clone()]] {
        assert!(join(&mesh).is_ok());
    }
    // Two blocks have the same size, one of them is inside out: the volume of both together is zero.
    assert_refused!(join(&[beside, at(6.0, 7.0).flipped()]),
        MeshError::InsideOutMesh { triangle: 12, volume } if (volume + 1.0).abs() < 1e-12);
    assert_refused!(join(&[outer.flipped(), inner]), MeshError::InsideOutMesh { triangle: 0, .. });
}

#[test]
fn triangles_that_are_turned_over_are_named() {
    let mesh = cube();
    for wrong in 0..12 {
        let mut triangles = mesh.triangles().to_vec();
        triangles[wrong].swap(0, 1);
        for make in [TriangleMesh::closed, TriangleMesh::open] {
            assert_refused!(make(mesh.points().to_vec(), triangles.clone()),
                MeshError::InvertedTriangle { triangle, .. } if triangle == wrong);
        }
        // In a strip (a sheet) triangles are turned to agree with their neighbours, whatever the order of corners.
        let strip: [[u32; 3]; 4] = [[0, 1, 2], [2, 1, 3], [2, 3, 4], [4, 3, 5]];
        let mut other = strip;
        other[wrong % 4].swap(1, 2);
        let points: Vec<DVec3> = (0..6_u32).map(|i| DVec3::new(f64::from(i % 2), f64::from(i / 2), 0.0)).collect();
        let sheet = TriangleMesh::open(points, other.to_vec()).unwrap();
        assert_eq!((sheet.triangles(), sheet.sides()), (&strip[..], Sidedness::Both));
    }
    let inside_out = mesh.clone().flipped().triangles().to_vec();
    assert_refused!(TriangleMesh::closed(mesh.points().to_vec(), inside_out),
        MeshError::InsideOutMesh { triangle: 0, volume } if (volume + 6.0).abs() < 1e-12);
    let flat = vec![DVec3::ZERO, DVec3::X, DVec3::Y];
    let doubled = TriangleMesh::open(flat, vec![[0, 1, 2], [0, 2, 1]]);
    assert_refused!(doubled, MeshError::DoubledTriangle { triangles: [0, 1] });
    let mut points = mesh.points().to_vec();
    let mut triangles = mesh.triangles().to_vec();
    triangles.push([triangles[2][0], triangles[2][1], 8]);
    points.push(DVec3::new(0.5, 0.5, 9.0));
    let crowded = TriangleMesh::closed(points.clone(), triangles.clone());
    assert_refused!(crowded, MeshError::CrowdedEdge { triangle: 12, sharing: 3, .. });
    // A sheet may have a fin.
    assert_eq!(TriangleMesh::open(points, triangles).unwrap().sides(), Sidedness::Both);
    assert_refused!(TriangleMesh::open(vec![], vec![]), MeshError::MeshSize { triangles: 0 });
    // A corner that is not there, and an area whose square overflows.
    for corners in [vec![DVec3::ZERO], vec![DVec3::ZERO, DVec3::X * 1e80, DVec3::Y * 1e80]] {
        let outcome = TriangleMesh::open(corners, vec![[0, 1, 2]]);
        assert_refused!(outcome, MeshError::DegenerateTriangle { triangle: 0, .. });
    }
}

#[test]
fn files_that_end_too_soon() {
    let bytes = binary(&cube());
    let cut = TriangleMesh::read_stl(&bytes[..84 + 50 * 4 + 17]);
    assert_refused!(cut, MeshError::StlLength { byte: 301, triangle: 4, announced: 12 });
    // Binary files may begin like text.
    let mut solid = bytes.clone();
    solid[..6].copy_from_slice(b"solid ");
    assert_refused!(TriangleMesh::read_stl(&solid[..300]), MeshError::StlLength { triangle: 4, .. });
    for few in [0, 10, 83] {
        assert_refused!(TriangleMesh::read_stl(&bytes[..few]), MeshError::StlLength { byte, .. } if byte == few);
    }
    let whole = text(&cube());
    let cut: Vec<&str> = whole.lines().take(1 + 7 * 5 + 3).collect();
    assert_refused!(TriangleMesh::read_stl(cut.join("\n").as_bytes()), MeshError::StlSyntax { triangle: 5, .. });
}

/// Each message tells the user what to do.
#[test]
fn files_that_are_no_meshes_say_so() {
    let good = binary(&cube());
    let behind: Vec<u8> = good.iter().copied().chain([1; 60]).collect();
    let flat = "solid flat\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 2 0 0\nendloop\n\
                endfacet\nendsolid flat\n";
    let object = format!("# made by hand\n{}f 1 2 3\n", "v 0 0 0.25\n".repeat(30));
    for (file, expected) in [
        (&behind[..], "goes on for 60 bytes behind the 12 triangles that it announces; cut them off"),
        (&good[..400], "ends at byte 400, in triangle 6, but announces 12 triangles; it was cut off: copy or export"),
        (&[][..], "is empty; export the mesh again"),
        (object.as_bytes(), "no STL file: it begins with \"# made by hand\"; export the mesh as STL"),
        (b"v 0 0 0\nv 1 0 0\n", "no STL file: it begins with \"v 0 0 0\""),
        (flat.as_bytes(), "triangle 0: its corners"),
        (b"solid nothing\nendsolid nothing", "there are no triangles; export the mesh again"),
    ] {
        let error = TriangleMesh::read_stl(file).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
    // A number of triangles that was left at zero is computed from the length of the file.
    let mut uncounted = good;
    uncounted[80..84].fill(0);
    assert_eq!(TriangleMesh::read_stl(&uncounted[..]).unwrap().triangles().len(), 12);
}

proptest! {
    /// Any damaged file is read or refused, without a panic.
    #[test]
    fn damaged_files_are_read_or_refused(seed in 0..1000_u64, as_text in any::<bool>()) {
        let mut bytes = if as_text { text(&cube()).into_bytes() } else { binary(&cube()) };
        let mut random = Random::new(seed);
        for _ in 0..3 {
            let at = (random.next() * bytes.len() as f64) as usize;
            bytes[at] = (random.next() * 256.0) as u8;
        }
        bytes.truncate((random.next() * 1.3 * bytes.len() as f64) as usize);
        let _ = TriangleMesh::read_stl(&bytes[..]);
        let _ = TriangleMesh::read_open_stl(&bytes[..]);
    }
}
