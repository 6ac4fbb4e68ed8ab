//! Tests of data files of LAMMPS.

use crate::prelude::*;

const GOOD: &str = "a title\n\n2 atoms\n1 atom types\n\n0 10 xlo xhi\n0 10 ylo yhi\n-1 10 zlo zhi\n\n\
Atoms # sphere\n\n7 1 1.0 1.9 1 2 3 0 0 1\n3 1 0.5 2.0 4.5 5 6 0 0 0\n\nVelocities\n\n3 1 2 3 4 5 6\n7 0 0 0 0 0 -1\n";

#[test]
fn a_file_is_read() {
    let data = LammpsData::read(GOOD.as_bytes()).unwrap();
    assert_eq!((data.id, data.kind, data.image), (vec![7, 3], vec![1, 1], vec![[0, 0, 1], [0; 3]]));
    assert_eq!(data.state.position().get(1), DVec3::new(4.5, 5.0, 6.0));
    assert_eq!(data.state.velocity().get(1), DVec3::new(1.0, 2.0, 3.0));
    assert!((data.state.spin(&data.bodies, 1) - DVec3::new(4.0, 5.0, 6.0)).length() < 1e-14);
    assert_eq!(data.bodies.radius(), &[0.5, 0.25].into_iter().collect());
    assert!((data.bodies.mass()[1] - 2.0 * std::f64::consts::PI / 6.0 * 0.125).abs() < 1e-15);
    assert_eq!((data.low, data.high), (DVec3::new(0.0, 0.0, -1.0), DVec3::splat(10.0)));
}

#[cfg(feature = "gzip")]
#[test]
fn compressed_beds_are_read_and_come_back_from_a_copy() {
    let data = LammpsData::read_path(path("bed_4k.data.gz")).unwrap();
    assert_eq!(data.bodies.len(), 4000);
    assert!(data.bodies.mass().iter().all(|mass| (mass - 1.0).abs() < 1e-15));
    let mut copy = Vec::new();
    data.write(&mut copy).unwrap();
    let back = LammpsData::read(&copy[..]).unwrap();
    assert_eq!((&back.id, &back.image, back.low, back.high), (&data.id, &data.image, data.low, data.high));
    assert!(back.state.position() == data.state.position() && back.state.velocity() == data.state.velocity());
}

#[test]
fn a_state_is_written_wrapped() {
    let data = LammpsData::read(GOOD.as_bytes()).unwrap();
    let domain = data.domain([Boundary::Periodic, Boundary::Closed, Boundary::Open]).unwrap();
    let mut state: State = data.state.clone();
    state.position_mut().set(0, DVec3::new(-1.0, 2.0, 3.0));
    let out = LammpsData::from_state(&data.bodies, &state, &domain).unwrap();
    assert_eq!(out.state.position().get(0), DVec3::new(9.0, 2.0, 3.0));
    assert_eq!(out.image[0], [-1, 0, 0]);
}

#[test]
fn malformed_files_are_refused_with_the_line() {
    let bad = |from: &str, to: &str| {
        assert!(GOOD.contains(from));
        LammpsData::read(GOOD.replace(from, to).as_bytes()).unwrap_err().to_string()
    };
    for (from, to, line, word) in [
        ("2 atoms", "two atoms", 3, "number of atoms"),
        ("0 10 ylo yhi", "0 ylo yhi", 7, "atoms, atom types or box bounds"),
        ("0 10 ylo yhi", "0 1e999 ylo yhi", 7, "ylo and yhi"),
        ("0 10 ylo yhi", "0 10 0 xy xz yz", 7, "tilted"),
        ("Atoms # sphere", "Atoms # bond", 10, "Atoms # sphere"),
        ("Atoms # sphere", "Grains", 10, "not supported"),
        // Bonds are left out, but atoms must be there.
        ("Atoms # sphere", "Bonds", 15, "Atoms or, after it, Velocities"),
        ("3 1 0.5 2.0 4.5 5 6 0 0 0", "3 1 0.5 2.0 4.5 5 6 0 0 0\n4 1 1 1 1 1 1", 14, "one more"),
        ("3 1 0.5 2.0 4.5 5 6 0 0 0", "3 1 0.5 2.0 4.5 5 6 0 0", 13, "id type diameter"),
        ("3 1 0.5 2.0 4.5 5 6 0 0 0", "3 1 0.5 2.0 4.5 NaN 6 0 0 0", 13, "id type diameter"),
        ("3 1 0.5 2.0 4.5", "3 1 0.5 -2.0 4.5", 13, "positive diameter"),
        ("3 1 0.5 2.0 4.5", "7 1 0.5 2.0 4.5", 15, "given twice"),
        ("3 1 0.5 2.0 4.5", "3 2 0.5 2.0 4.5", 13, "type"),
        ("3 1 0.5 2.0 4.5", "3 0 0.5 2.0 4.5", 13, "type"),
        ("Velocities", "Atoms", 15, "not supported"),
        ("3 1 0.5 2.0 4.5 5 6 0 0 0\n", "", 14, "1 of 2"),
        ("3 1 2 3 4 5 6", "4 1 2 3 4 5 6", 17, "no position"),
        ("3 1 2 3 4 5 6", "7 1 2 3 4 5 6", 18, "two velocities"),
        ("3 1 2 3 4 5 6", "3 1 2 3 4 5", 17, "id vx"),
        ("7 0 0 0 0 0 -1\n", "", 17, "1 of 2"),
    ] {
        let text = bad(from, to);
        assert!(text.contains(&format!("line {line}:")) && text.contains(word), "{from} -> {to}: {text}");
    }
    assert!(LammpsData::read("title\n2 atoms\n".as_bytes()).is_err());
    assert!(LammpsData::read(&[0xff, 0xfe, 0x0a][..]).is_err());
    assert_matches!(LammpsData::read_path(path("no such file")), Err(DemError::Io(_)));
}

#[test]
fn what_is_left_out_is_named() {
    let bonds = "2 atoms\n4 bonds\n2 bond types\n3 extra bond per atom";
    let text = GOOD.replace("2 atoms", bonds) + "\nMasses\n\n1 5\n\nBonds\n\n1 1 3 7\n";
    let data = LammpsData::read(text.as_bytes()).unwrap();
    assert_eq!(data.left_out, ["4 bonds", "the section Masses", "the section Bonds"]);
    let data = LammpsData { left_out: Vec::new(), ..data };
    assert!(data == LammpsData::read(GOOD.as_bytes()).unwrap());
}

#[test]
fn a_line_without_end_and_too_many_atoms_are_refused_before_they_take_memory() {
    let endless = std::io::BufReader::new(std::io::Read::chain(&b"title\n"[..], std::io::repeat(b'1')));
    let text = LammpsData::read(endless).unwrap_err().to_string();
    assert!(text.contains("line 2") && text.len() < 300, "{text}");
    let file = std::env::temp_dir().join(format!("grains-atoms-{}.data", std::process::id()));
    std::fs::write(&file, GOOD).unwrap();
    let outcome = [1, 2].map(|limit| LammpsData::read_at_most(&file, limit));
    std::fs::remove_file(&file).unwrap();
    let [one, two] = outcome;
    assert!(one.unwrap_err().to_string().contains("line 3: 2 atoms are more than the 1"));
    assert!(two.is_ok());
}

#[test]
fn odd_but_legal_files_are_read() {
    let data = LammpsData::read(GOOD.as_bytes()).unwrap();
    let with = |from: &str, to: &str| {
        assert!(GOOD.contains(from));
        LammpsData::read(GOOD.replace(from, to).as_bytes()).unwrap()
    };
    for (from, to) in [
        ("\n", "\r\n"),
        ("\n\n", "\n\n# a comment\n   \n"),
        ("Atoms # sphere", "  Atoms"),
        ("2 atoms", "\t2  atoms # two"),
        ("-1 10 zlo zhi", "-1 10 zlo zhi\n0.0 0 -0.0 xy xz yz\n0 bonds"),
        ("7 1 1.0 1.9 1 2 3 0 0 1", "7 1 1.0 1.9 +1 2e0 3. 0 0 1 # the first"),
    ] {
        assert!(with(from, to) == data, "{from} -> {to}");
    }
    let plain = with(" 0 0 1\n3 1 0.5 2.0 4.5 5 6 0 0 0", "\n3 1 0.5 2.0 4.5 5 6");
    assert_eq!((plain.image, plain.state), (vec![[0; 3]; 2], data.state.clone()));
    let still = with("\nVelocities\n\n3 1 2 3 4 5 6\n7 0 0 0 0 0 -1\n", "");
    assert_eq!(still.state.velocity().get(1), DVec3::ZERO);
    let types = with("1 atom types", "3 atom types").kind;
    assert_eq!(types, [1, 1]);
    let latin = [&b"caf\xe9 # \xe9\n"[..], &GOOD.as_bytes()["a title\n".len()..]].concat();
    assert!(LammpsData::read(&latin[..]).unwrap() == data);
}

#[test]
fn what_is_written_can_be_read() {
    // Files without bodies, and numbers of any size in lines that LAMMPS can hold.
    let mut data = LammpsData::read(GOOD.as_bytes()).unwrap();
    data.state.velocity_mut().set(0, DVec3::new(1.234_567_890_123_456_7e-300, -3.3e-25, 1e22 / 3.0));
    data.state.position_mut().set(1, DVec3::new(1.0 / 3.0, 1e-17 / 3.0, 2e-9 / 3.0));
    let mut text = Vec::new();
    data.write(&mut text).unwrap();
    assert!(text.split(|&byte| byte == b'\n').all(|line| line.len() < 256));
    let back = LammpsData::read(&text[..]).unwrap();
    assert!(back.state.position() == data.state.position() && back.state.velocity() == data.state.velocity());
    let nobody = rrp_integrate::Bodies::new([]).unwrap();
    let empty = LammpsData::from_state(&nobody, &State::at_rest(0), &Domain::OPEN).unwrap();
    let mut text = Vec::new();
    empty.write(&mut text).unwrap();
    assert!(LammpsData::read(&text[..]).unwrap() == empty);
    // A body without radius has no density.
    let point = rrp_integrate::Bodies::new([rrp_integrate::Body::spherical(1.0, 1.0)]).unwrap();
    let point = LammpsData::from_state(&point, &State::at_rest(1), &Domain::OPEN).unwrap();
    let mut text = Vec::new();
    assert!(matches!(point.write(&mut text), Err(DemError::InvalidParameter { .. })) && text.is_empty());
}
