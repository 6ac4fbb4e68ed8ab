//! Bodies from VTK files: in all encodings that are read, and refused in all others.

use dem_contact::error::{DemError, FileError};
use dem_contact::io::{VtpFrame, VtpPoints};
use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, Body, State};

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
    VtpFrame::new(&bodies, &state).unwrap().write(&mut file).unwrap();
    let points = read(&file).unwrap();
    assert_eq!(points.position, state.position().iter().collect::<Vec<_>>());
    assert_eq!(points.radius, Some(vec![0.5, 0.25, 0.125]));
    assert_eq!(points.velocity, Some(state.velocity().iter().collect()));
    assert_eq!(points.spin, Some((0..3).map(|i| state.spin(&bodies, i)).collect()));
    for length in [0, 100, file.len() / 2, file.len() - 300] {
        let error = read(&file[..length]).unwrap_err();
        assert!(matches!(error, DemError::File(FileError::Vtk { .. })), "{length}: {error}");
    }
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
    // Length and numbers may be padded each on its own.
    let apart = INLINE.replace("EAAAAAAAAAAAAOA/AAAAAAAA4D8=", "EAAAAA==AAAAAAAA4D8AAAAAAADgPw==");
    assert_eq!(read(apart.as_bytes()).unwrap().radius, Some(vec![0.5; 2]));
}

#[test]
fn other_files_are_refused_by_name() {
    for (from, to, array, part) in [
        ("type=\"PolyData\"", "type=\"ImageData\"", "", "PolyData"),
        ("byte_order=\"LittleEndian\"", "byte_order=\"BigEndian\"", "", "big-endian"),
        ("header_type", "compressor=\"vtkZLibDataCompressor\" header_type", "", "compressed"),
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
        let (text, named) = (
            error.to_string(),
            matches!(&error, DemError::File(FileError::Vtk { array: found, .. }) if found == array),
        );
        assert!(named && text.contains(part), "{from} -> {to}: {text}");
    }
}
