//! Bodies from VTK files: supported encodings are read, others are refused.

use dem_contact::error::FileError;
use dem_contact::io::{VtpContacts, VtpEncoding, VtpPoints, VtpTable, VtpWalls, read_touches};
use dem_contact::law::PowerByMotion;
use dem_contact::measure::Touch;

use crate::bonds::vtk::{floats, integers};
use crate::prelude::*;

fn read(bytes: &[u8]) -> Result<VtpPoints, DemError> {
    VtpPoints::read(&mut &*bytes)
}

fn bodies() -> (Bodies, State) {
    let bodies = Bodies::new([Body::sphere(1.0, 0.5), Body::sphere(2.0, 0.25), Body::fixed(0.125)]).unwrap();
    let mut state = State::at_rest(3);
    for i in 0..3 {
        let k = i as f64;
        state.position_mut().set(i, DVec3::new(0.1 * k, 1.0 / 3.0, -k));
        state.velocity_mut().set(i, DVec3::new(1e-300, -k, 0.7));
    }
    state.set_spin(&bodies, 1, DVec3::new(3.0, 2.0, 1.0));
    (bodies, state)
}

#[test]
fn what_was_written_comes_back_bit_for_bit() {
    let (bodies, state) = bodies();
    let mut file = Vec::new();
    let frame = VtpFrame::new(&bodies, &state).unwrap();
    frame.write(&mut file).unwrap();
    let points = read(&file).unwrap();
    assert_eq!(points.position, state.position().iter().collect::<Vec<_>>());
    assert_eq!(points.radius, Some(vec![0.5, 0.25, 0.125]));
    assert_eq!(points.velocity, Some(state.velocity().iter().collect()));
    assert_eq!(points.spin, Some((0..3).map(|i| state.spin(&bodies, i)).collect()));
    for length in [0, 100, file.len() / 2, file.len() - 300] {
        assert_matches!(read(&file[..length]), Err(DemError::File(FileError::Vtk { .. })), "{length}");
    }
}

#[cfg(feature = "gzip")]
#[test]
fn compressed_files_come_back_bit_for_bit_or_not_at_all() {
    let (bodies, state) = bodies();
    let mut plain = Vec::new();
    let mut packed = Vec::new();
    let frame = VtpFrame::new(&bodies, &state).unwrap();
    frame.write(&mut plain).unwrap();
    frame.encoded(VtpEncoding::default().compressed()).write(&mut packed).unwrap();
    assert_eq!(read(&packed).unwrap(), read(&plain).unwrap());
    // A missing or flipped byte makes the reader neither panic nor reserve much memory.
    for at in 0..packed.len() {
        let mut other = packed.clone();
        other[at] ^= 0x44;
        let lengths = [read(&packed[..at]), read(&other)].map(|read| read.map_or(0, |points| points.position.len()));
        assert!(lengths.iter().all(|&length| length <= 3), "{at}");
    }
    let error = VtpPoints::read_at_most(&mut &packed[..], 2).unwrap_err();
    assert!(error.to_string().contains("more points"), "{error}");
}

/// Many blocks, of which the last is shorter.
#[cfg(feature = "gzip")]
#[test]
fn large_frames_are_compressed_block_by_block() {
    let count = 12_000;
    let center = |i: usize| DVec3::new((i as f64).sin(), i as f64, 0.5);
    let (bodies, state) = placed(vec![Body::sphere(1.0, 0.5); count], (0..count).map(center));
    let mut plain = Vec::new();
    let mut packed = Vec::new();
    let frame = VtpFrame::new(&bodies, &state).unwrap();
    frame.write(&mut plain).unwrap();
    frame.encoded(VtpEncoding::default().compressed()).write(&mut packed).unwrap();
    assert!(3 * packed.len() < plain.len(), "{} {}", packed.len(), plain.len());
    assert_eq!(read(&packed).unwrap(), read(&plain).unwrap());
}

/// Body 0 has gone around the box once. It touches the image of body 1 behind the side, and is near a wall.
#[test]
fn contacts_are_lines_to_the_image_that_touches() {
    let (bodies, state) =
        placed([Body::sphere(1.0, 0.5), Body::sphere(2.0, 0.5)], [[4.2, 1.0, 0.51], [3.21, 1.0, 0.51]]);
    let domain = Domain::new(DVec3::ZERO, DVec3::splat(4.0), [Boundary::Periodic, Boundary::Open, Boundary::Open]);
    let touch = |b, normal, overlap, force| Touch {
        a: 0,
        b,
        normal,
        overlap,
        force,
        couple: DVec3::ZERO,
        power: PowerByMotion { normal: 1.0, sliding: 2.0, rolling: -3.0, twisting: 4.0 },
    };
    let touches = [
        touch(Partner::Body(1), DVec3::NEG_X, 0.01, DVec3::new(-3.0, 0.0, 1.0)),
        touch(Partner::Wall(2), DVec3::NEG_Z, -0.01, DVec3::ZERO),
    ];
    let domain = domain.unwrap();
    let ids = [7, 9];
    let mut lines = Vec::new();
    let mut points = Vec::new();
    let contacts = VtpContacts::new(&bodies, &state, &touches).unwrap().with_ids(&ids).unwrap();
    contacts.wrapped_in(&domain).unwrap().write(&mut lines).unwrap();
    let ends = [[0.2, 1.0, 0.51], [-0.79, 1.0, 0.51], [0.2, 1.0, 0.51], [0.2, 1.0, 0.0]];
    let found = floats(&lines, "Points/Points");
    assert!(found.iter().zip(ends.as_flattened()).all(|(found, end)| (found - end).abs() < 1e-12), "{found:?}");
    assert_eq!([integers(&lines, "a"), integers(&lines, "b")], [[7, 7], [9, -1]]);
    assert_eq!((integers(&lines, "wall"), floats(&lines, "gap")), (vec![-1, 2], vec![-0.01, 0.01]));
    assert_eq!((floats(&lines, "normal_force"), floats(&lines, "force")[2]), (vec![3.0, 0.0], 1.0));
    let table = VtpTable::read(&mut &lines[..]).unwrap();
    assert_eq!((&table.lines[..], table.points.len()), (&[[0, 1], [2, 3]][..], 4));
    assert_eq!(table.cell_array("gap").unwrap().values, [-0.01, 0.01]);
    assert_eq!(
        (table.cell_array("force").unwrap().width, &table.cell_array("b").unwrap().values[..]),
        (3, &[9.0, -1.0][..])
    );
    let again = read_touches(&mut &lines[..], &ids).unwrap();
    let near = |(one, other): (&Touch, &Touch)| (one.normal - other.normal).length() < 1e-15;
    assert!(again.iter().zip(&touches).all(near));
    let normals = again.iter().zip(&touches).map(|(one, other)| Touch { normal: other.normal, ..*one });
    assert_eq!(normals.collect::<Vec<_>>(), touches);
    let error = read_touches(&mut &lines[..], &[7, 8]).unwrap_err().to_string();
    assert!(error.contains("array b") && error.contains("does not have"), "{error}");
    let frame = VtpFrame::new(&bodies, &state).unwrap().with_materials(&[3, 5]).unwrap().with_wrenches();
    let frame = frame.with_contacts(&touches).unwrap().wrapped_in(&domain).unwrap();
    frame.write(&mut points).unwrap();
    assert!((floats(&points, "Points/Points")[0] - 0.2).abs() < 1e-12);
    assert_eq!([integers(&points, "contacts"), integers(&points, "material")], [[1, 1], [3, 5]]);
    assert_eq!(floats(&points, "mass"), [1.0, 2.0]);
    // Before the first step the state has no forces.
    assert!(floats(&points, "force").iter().chain(&floats(&points, "torque")).all(|force| force.is_nan()));
    let of_nobody = [touch(Partner::Body(2), DVec3::X, 0.0, DVec3::X)];
    assert!(VtpContacts::new(&bodies, &state, &of_nobody).is_err() && frame.with_contacts(&of_nobody).is_err());
    assert!(contacts.with_ids(&[1]).is_err() && frame.with_materials(&[]).is_err());
}

/// Two points as text, with radii in base64: two numbers 0.5 behind their length 16.
const INLINE: &str = r#"<?xml version="1.0"?>
<VTKFile type="PolyData" version="1.0" byte_order="LittleEndian" header_type="UInt32"><PolyData>
<Piece NumberOfPoints="2" NumberOfVerts="0"><PointData Scalars="radius">
<DataArray type="Float64" Name="radius" format="binary">EAAAAAAAAAAAAOA/AAAAAAAA4D8=</DataArray>
<DataArray type="Int32" Name="number" format="ascii">1 2</DataArray></PointData>
<Points><DataArray type="Float32" Name="anything" NumberOfComponents="3" format="ascii">1 2 3
4 5 6.5</DataArray></Points></Piece></PolyData></VTKFile>"#;

#[test]
fn text_and_base64_are_read() {
    let points = read(INLINE.as_bytes()).unwrap();
    assert_eq!(points.position, [DVec3::new(1.0, 2.0, 3.0), DVec3::new(4.0, 5.0, 6.5)]);
    assert_eq!((points.radius, points.velocity), (Some(vec![0.5; 2]), None));
    // Length and numbers may be encoded with separate padding.
    let apart = INLINE.replace("EAAAAAAAAAAAAOA/AAAAAAAA4D8=", "EAAAAA==AAAAAAAA4D8AAAAAAADgPw==");
    assert_eq!(read(apart.as_bytes()).unwrap().radius, Some(vec![0.5; 2]));
}

#[test]
fn other_files_are_refused_by_name() {
    for (from, to, array, part) in [
        ("type=\"PolyData\"", "type=\"ImageData\"", "", "PolyData"),
        ("byte_order=\"LittleEndian\"", "byte_order=\"BigEndian\"", "", "big-endian"),
        ("header_type", "compressor=\"vtkLZ4DataCompressor\" header_type", "", "compressed"),
        ("header_type", "compressor=\"vtkZLibDataCompressor\" header_type", "radius", "cut short"),
        ("<Piece", "<Piece NumberOfPoints=\"1\"></Piece><Piece", "", "pieces"),
        ("NumberOfPoints=\"2\"", "NumberOfPoints=\"two\"", "", "how many"),
        ("NumberOfPoints=\"2\"", "NumberOfPoints=\"3\"", "Points", "length"),
        ("4 5 6.5", "4 5 six", "Points", "no number"),
        ("EAAAA", "EAA*A", "radius", "base64"),
        ("EAAAA", "GAAAA", "radius", "cut short"),
        ("Float64", "UInt8", "radius", "neither"),
        ("\"binary\"", "\"appended\" offset=\"0\"", "radius", "appended"),
        ("Points>", "Pointz>", "Points", "missing"),
    ] {
        assert!(INLINE.contains(from), "{from}");
        let error = read(INLINE.replace(from, to).as_bytes()).unwrap_err();
        let text = error.to_string();
        let named = matches!(&error, DemError::File(FileError::Vtk { array: found, .. }) if found == array);
        assert!(named && text.contains(part), "{from} -> {to}: {text}");
    }
}

/// A frame in single precision has real numbers rounded to `f32`, and unchanged integers.
#[test]
fn single_precision_rounds_and_keeps_whole_numbers() {
    let (bodies, state) = bodies();
    let ids = [7, 1 << 60, 3];
    let mut file = Vec::new();
    VtpFrame::new(&bodies, &state)
        .unwrap()
        .with_ids(&ids)
        .unwrap()
        .encoded(VtpEncoding::default().in_single_precision())
        .write(&mut file)
        .unwrap();
    let (points, marks) = VtpPoints::read_with_marks(&mut &file[..], 3).unwrap();
    let rounded = |vector: DVec3| DVec3::from_array(vector.to_array().map(|value| f64::from(value as f32)));
    assert_eq!(points.position, state.position().iter().map(rounded).collect::<Vec<_>>());
    assert_eq!(points.velocity, Some(state.velocity().iter().map(rounded).collect()));
    assert_eq!((marks.id, marks.mass), (Some(ids.to_vec()), Some(vec![1.0, 2.0, f64::INFINITY])));
}

/// Spheres lie on a plate of two triangles, one of them in the next period and one on the edge that both share.
#[test]
fn faces_of_walls_have_the_forces_on_them() {
    let corners = vec![DVec3::ZERO, DVec3::X, DVec3::new(1.0, 1.0, 0.0), DVec3::Y];
    let plate = Wall::new(TriangleMesh::open(corners, vec![[0, 1, 2], [0, 2, 3]]).unwrap(), DVec3::ZERO);
    let [periodic, open] = [Boundary::Periodic, Boundary::Open];
    let domain = Domain::new(DVec3::splat(-2.0), DVec3::splat(2.0), [periodic, open, open]).unwrap();
    let law = Hooke::new(1e3, Damping::NONE).unwrap();
    let list = NeighborList::new(domain, 0.05).unwrap();
    let walls = [plate, Wall::plane(DVec3::ZERO, DVec3::Z)];
    let field = ContactForce::new(list, Laws::of(law, Frictionless)).with_walls(walls.clone()).unwrap();
    let places = [[0.7, 0.2, 0.09], [4.2, 0.7, 0.09], [0.5, 0.5, 0.09]];
    let (bodies, state) = placed([Body::sphere(1.0, 0.1); 3], places);
    let touches: Vec<Touch> = field.contacts(&bodies, &state).unwrap().iter().map(Touch::from).collect();
    assert_eq!(touches.len(), 6);
    let mut file = Vec::new();
    let drawn = VtpWalls::new(&walls, 0.0, [DVec3::splat(-1.0), DVec3::splat(1.0)]).unwrap();
    drawn.with_contacts(&bodies, &state, &touches, domain.periods()).unwrap().write(&mut file).unwrap();
    let table = VtpTable::read(&mut &file[..]).unwrap();
    let corners = table.polygons.iter().map(Vec::len).collect::<Vec<_>>();
    assert_eq!((corners, table.cell_array("pressure").unwrap().values.len()), (vec![3, 3, 4], 3));
    assert!(table.points[table.polygons[2][0]].z.abs() < 1e-15, "the plane stays at its height");
    assert!(table.point_array("pressure").is_none());
    for length in [0, 200, file.len() / 2] {
        assert_matches!(VtpTable::read(&mut &file[..length]), Err(DemError::File(FileError::Vtk { .. })), "{length}");
    }
    let force = floats(&file, "CellData/force");
    let pressure = floats(&file, "CellData/pressure");
    // Each sphere presses with 10 N; the faces have areas of 1/2 and 1/2, the plane 2 by 2.
    for (face, (bears, area)) in [(20.0, 0.5), (10.0, 0.5), (30.0, 4.0)].into_iter().enumerate() {
        let found = DVec3::from_slice(&force[3 * face..]);
        assert!((found + bears * DVec3::Z).length() < 1e-11, "{face}: {found}");
        assert!((pressure[face] - bears / area).abs() < 1e-10, "{face}: {}", pressure[face]);
    }
    assert!(floats(&file, "CellData/shear").iter().all(|&shear| shear.abs() < 1e-10));
    let none: [Touch; 0] = [];
    assert!(drawn.with_contacts(&bodies, &State::at_rest(2), &none, DVec3::ZERO).is_err());
}
