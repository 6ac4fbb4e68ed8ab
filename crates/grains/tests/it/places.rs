//! Where bodies come from: pours, and files of ParaView.

use std::fs;
use std::path::Path;

use grains::{ConvertOptions, GrainsError, Scene, Simulation, convert};

use crate::support::scenes;

const POUR: &str = r#"
    gravity = [0.0, 0.0, -1.0]
    integrator = "verlet"
    time = { duration = 0.1 }
    contact = { normal = { hooke = { stiffness = 1e4 } } }
    box = { low = [0.0, 0.0, 0.0], high = [6.0, 6.0, 9.0], boundary = ["periodic", "periodic", "open"] }
    [[bodies]]
    place = { pour = { low = [0.0, 1.0, 0.0], high = [6.0, 5.5, 8.0], count = 150, seed = 2, gap = 0.03 } }
    radii = { mix = { radius = [0.25, 0.5], share = [2.0, 1.0], seed = 3 } }
    density = 1.0
"#;

/// Smallest gap of two bodies, the first direction being periodic over 6.
#[test]
fn a_pour_keeps_its_gaps_and_its_box() {
    let simulation = Simulation::new(&Scene::parse(POUR).unwrap(), ".", false).unwrap();
    let (position, radius) = (simulation.state().position(), simulation.bodies().radius());
    let mut beyond = 0;
    for i in 0..150 {
        let (x, r) = (position.get(i), radius[i]);
        assert!(x.y - r > 1.0 - 1e-12 && x.y + r < 5.5 + 1e-12 && x.z - r > -1e-12 && x.z + r < 8.0 + 1e-12, "{x} {r}");
        let across = x.x.rem_euclid(6.0);
        beyond += usize::from(across < r || across > 6.0 - r);
        for j in 0..i {
            let mut apart = position.get(j) - x;
            apart.x -= 6.0 * (apart.x / 6.0).round();
            let gap = apart.length() - r - radius[j];
            assert!(gap > 0.03 - 1e-9, "{i} {j}: {gap}");
        }
    }
    // Bodies lie across the periodic side as they lie anywhere else.
    assert!(beyond > 10, "{beyond}");
    let small = (0..150).filter(|&i| radius[i] < 0.3).count();
    assert!((80..120).contains(&small), "{small}");
}

#[test]
fn another_seed_is_another_pour() {
    let first =
        |text: &str| Simulation::new(&Scene::parse(text).unwrap(), ".", false).unwrap().state().position().get(0);
    assert_eq!(first(POUR), first(POUR));
    assert_ne!(first(POUR), first(&POUR.replace("seed = 2", "seed = 4")));
}

#[test]
fn frames_are_read_as_they_were_written() {
    let home = tempfile::tempdir().unwrap();
    let [frame, table, other] = ["a.vtp", "a.csv", "b.csv"].map(|name| home.path().join(name));
    let from = scenes().join("two_spheres.toml");
    convert(&from, &frame, ConvertOptions::default()).unwrap();
    convert(&frame, &table, ConvertOptions::default()).unwrap();
    convert(&from, &other, ConvertOptions::default()).unwrap();
    // A frame has no masses: density one takes their place.
    let rows = |path: &Path| -> Vec<Vec<String>> {
        let text = fs::read_to_string(path).unwrap();
        text.lines()
            .map(|line| line.split(',').enumerate().filter(|(k, _)| *k != 4).map(|(_, w)| w.to_owned()).collect())
            .collect()
    };
    assert_eq!(rows(&table), rows(&other));
    assert!(fs::read_to_string(&table).unwrap().contains(&(std::f64::consts::PI / 6.0).to_string()[..12]));
    let cut = fs::read(&frame).unwrap();
    fs::write(&frame, &cut[..cut.len() - 200]).unwrap();
    let error = convert(&frame, &table, ConvertOptions::default()).unwrap_err();
    assert!(matches!(error, GrainsError::File { .. }) && error.to_string().contains("is cut short"), "{error}");
}
