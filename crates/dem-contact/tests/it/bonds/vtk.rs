//! Tests of files for `ParaView`: arrays are where their tags say, bit for bit.

use dem_contact::io::{PvdSeries, VtpBonds};

use crate::bonds::problems::RING;
use crate::prelude::*;

/// Reads the numbers of the array `name`, eight bytes each.
fn words(file: &[u8], name: &str) -> Vec<[u8; 8]> {
    let marker = b"<AppendedData encoding=\"raw\">\n_";
    let start = file.windows(marker.len()).position(|w| w == marker).unwrap() + marker.len();
    let text = String::from_utf8_lossy(&file[..start]).into_owned();
    let (section, name) = name.split_once('/').unwrap_or(("", name));
    let inside = text.lines().skip_while(|line| !line.contains(&format!("<{section}")));
    let tag = inside.into_iter().find(|line| line.contains(&format!("Name=\"{name}\""))).unwrap();
    let offset: usize = tag.split("offset=\"").nth(1).unwrap().split('"').next().unwrap().parse().unwrap();
    let at = start + offset;
    let word = |at: usize| <[u8; 8]>::try_from(&file[at..at + 8]).unwrap();
    let length = u64::from_le_bytes(word(at)) as usize;
    (0..length / 8).map(|k| word(at + 8 + 8 * k)).collect()
}

pub(crate) fn floats(file: &[u8], name: &str) -> Vec<f64> {
    words(file, name).into_iter().map(f64::from_le_bytes).collect()
}

pub(crate) fn integers(file: &[u8], name: &str) -> Vec<i64> {
    words(file, name).into_iter().map(i64::from_le_bytes).collect()
}

#[test]
fn a_frame_holds_bodies_and_bonds() {
    let mut torus = Torus::new(3.0, ShearForm::Decoupled, Map::Rodrigues25);
    torus.run(Map::Rodrigues25, 1e-3, 500, |_| ());
    let bonds = &torus.field.0;
    let mut file = Vec::new();
    let frame = VtpFrame::new(&torus.bodies, &torus.state).unwrap().with_bonds(bonds).unwrap().with_wrenches();
    frame.write(&mut file).unwrap();
    let positions: Vec<f64> = torus.state.position().iter().flat_map(|x| x.to_array()).collect();
    assert_eq!(floats(&file, "Points"), positions);
    assert_eq!(floats(&file, "radius").len(), RING);
    assert_eq!(floats(&file, "attitude").len(), 4 * RING);
    assert_eq!(floats(&file, "CellData/force").len(), 3 * 2 * RING);
    let forces: Vec<f64> = torus.state.wrenches().unwrap().force.iter().flat_map(|force| force.to_array()).collect();
    assert_eq!(floats(&file, "PointData/force"), forces);
    assert_eq!(integers(&file, "bond")[RING - 1..=RING], [-1, 0]);
    let total: f64 = floats(&file, "energy").iter().sum();
    assert!((total - bonds.energies(&torus.bodies, &torus.state).total()).abs() < 1e-12);
    let tensions = floats(&file, "tension");
    let load = bonds.loads(&torus.bodies, &torus.state).next().unwrap();
    // The tension is positive where the bond is longer than at the start, up to the shear, which is across.
    assert!(tensions[RING] * load.stretch > 0.0, "{} {}", tensions[RING], load.stretch);
}

/// A moving ring of 80 bonds, in which each line is as long as its bond.
#[test]
fn bonds_are_lines_between_their_bodies() {
    let mut torus = Torus::new(3.0, ShearForm::Decoupled, Map::Rodrigues25);
    torus.run(Map::Rodrigues25, 1e-3, 500, |_| ());
    let bonds = &torus.field.0;
    let ids = (0..RING as u64).map(|body| 10 + 3 * body).collect::<Vec<_>>();
    let mut file = Vec::new();
    let lines = VtpBonds::new(&torus.bodies, &torus.state, bonds).unwrap();
    lines.with_ids(&ids).unwrap().write(&mut file).unwrap();
    let ends: Vec<DVec3> = floats(&file, "Points/Points").chunks(3).map(DVec3::from_slice).collect();
    let a = integers(&file, "a");
    let b = integers(&file, "b");
    let tension = floats(&file, "tension");
    for (number, load) in bonds.loads(&torus.bodies, &torus.state).enumerate() {
        let [first, second] = load.bodies.map(|body| torus.state.position().get(body));
        assert_eq!([a[number], b[number]], load.bodies.map(|body| ids[body] as i64));
        assert!(ends[2 * number] == second && (ends[2 * number + 1] - first).length() < 1e-12, "{number}");
        assert!((tension[number] + load.force.dot(load.direction)).abs() < 1e-15);
    }
    assert_eq!(integers(&file, "intact"), [1; RING]);
    assert!(lines.with_ids(&[1]).is_err());
    let others = Bodies::new([Body::sphere(1.0, 1.0); 2]).unwrap();
    assert!(VtpBonds::new(&others, &State::at_rest(2), bonds).is_err());
}

#[test]
fn a_series_lists_its_frames() {
    let directory = std::env::temp_dir().join(format!("dem-contact-vtk-{}", std::process::id()));
    let mut torus = Torus::new(3.0, ShearForm::Decoupled, Map::Rodrigues25);
    let mut series = PvdSeries::create(&directory, "ring").unwrap();
    for _ in 0..3 {
        series.push(&torus.bodies, &torus.state, Some(&torus.field.0)).unwrap();
        torus.run(Map::Rodrigues25, 1e-3, 250, |_| ());
    }
    let list = std::fs::read_to_string(series.path()).unwrap();
    assert!(list.contains("timestep=\"0.25\" part=\"0\" file=\"ring-000001.vtp\""), "{list}");
    assert!(directory.join("ring-000002.vtp").exists() && series.frames() == 3);
    std::fs::remove_dir_all(directory).unwrap();
}

#[test]
fn misfits_are_refused() {
    let bodies = Bodies::new([Body::sphere(1.0, 1.0); 2]).unwrap();
    assert!(VtpFrame::new(&bodies, &State::at_rest(3)).is_err());
    let torus = Torus::new(3.0, ShearForm::Decoupled, Map::Rodrigues25);
    let state = State::at_rest(2);
    assert!(VtpFrame::new(&bodies, &state).unwrap().with_bonds(&torus.field.0).is_err());
    for name in ["", "a/b", "..", "a b"] {
        assert!(PvdSeries::create(std::env::temp_dir(), name).is_err(), "{name:?}");
    }
}
