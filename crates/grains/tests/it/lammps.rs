//! Types of LAMMPS data files become materials, and notes list what is not taken over.

use std::fs;
use std::path::Path;

use grains::{Scene, Simulation};

use crate::support::{command, outcome};

/// Three spheres of two types.
const TYPES: &str = "three spheres, two types\n\n3 atoms\n2 atom types\n1 bonds\n0 1 xlo xhi\n0 1 ylo yhi\n0 1 zlo zhi\n\n\
                     Atoms # sphere\n\n1 1 0.1 2500 0.3 0.5 0.05 0 0 1\n2 2 0.1 2500 0.5 0.5 0.30 0 0 0\n\
                     3 2 0.1 2500 0.7 0.5 0.30 0 0 0\n\nBonds\n\n1 1 1 2\n";

const SCENE: &str = r#"
    gravity = [0.0, 0.0, -9.81]
    integrator = "verlet"
    time = { dt = 1e-4, duration = 0.4 }
    [contact]
    normal = { hooke = { stiffness = 1e5 } }
    damping = { restitution = 0.9 }
    wall-materials = ["floor"]
    [[contact.pairs]]
    between = ["rubber", "floor"]
    damping = { restitution = 0.05 }
    [[contact.pairs]]
    between = ["steel", "floor"]
    [[bodies]]
    place = { file = { path = "types.data" TYPES } }
    [[walls]]
    plane = { point = [0.0, 0.0, 0.0], normal = [0.0, 0.0, 1.0] }
"#;

fn made(types: &str, folder: &Path) -> Result<Simulation, grains::GrainsError> {
    Simulation::new(&Scene::parse(&SCENE.replace("TYPES", types))?, folder, false)
}

#[test]
fn types_are_the_materials_that_a_key_names() {
    let home = tempfile::tempdir().unwrap();
    fs::write(home.path().join("types.data"), TYPES).unwrap();
    let mut simulation = made(", types = [\"rubber\", \"steel\"]", home.path()).unwrap();
    let mut swapped = made(", types = [\"steel\", \"rubber\"]", home.path()).unwrap();
    while simulation.step().unwrap() < simulation.steps() {
        swapped.step().unwrap();
    }
    // The second sphere is of steel, and rebounds, or of rubber, and lies.
    let height = |simulation: &Simulation| simulation.state().position().get(1).z;
    assert!(height(&simulation) > 0.15 && height(&swapped) < 0.06, "{} {}", height(&simulation), height(&swapped));
    // Notes list what is not taken over.
    let notes: Vec<String> = simulation.notes().iter().map(ToString::to_string).collect();
    let said =
        |what: &str| notes.iter().any(|note| note.contains(what) && note.contains("`bodies[0].place.file.path`"));
    assert!(
        ["1 bonds", "the section Bonds", "image flags of 1 atoms", "the box from"].iter().all(|what| said(what)),
        "{notes:?}"
    );
    assert!(!notes.iter().any(|note| note.contains("types")), "{notes:?}");
}

#[test]
fn types_without_a_material_are_refused_or_said() {
    let home = tempfile::tempdir().unwrap();
    fs::write(home.path().join("types.data"), TYPES).unwrap();
    for (types, expected) in [
        ("", "is missing"),
        (", types = [\"steel\"]", "has 1 entries, not 2"),
        (", types = [\"steel\", \"gum\"]", "`gum`"),
    ] {
        let error = made(types, home.path()).unwrap_err().to_string();
        assert!(error.contains("`bodies[0].place.file.types") && error.contains(expected), "{error}");
    }
    let scene = SCENE.replace("TYPES", "");
    let (head, rest) = scene.split_once("wall-materials").unwrap();
    let alone = format!("{head}{}", &rest[rest.find("[[bodies]]").unwrap()..]);
    let simulation = Simulation::new(&Scene::parse(&alone).unwrap(), home.path(), false).unwrap();
    assert!(simulation.notes().iter().any(|note| note.text.contains("the types of its atoms")));
    // Conversion says it as well.
    let to = home.path().join("to.csv");
    let output = command().arg("convert").arg(home.path().join("types.data")).arg(&to).output().unwrap();
    let (text, code) = outcome(&output);
    assert!(code == 0 && text.contains("1 bonds") && text.contains("the types of its atoms"), "{code}: {text}");
}
