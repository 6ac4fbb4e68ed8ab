//! LAMMPS data files: types become materials, and notes list contents without effect.

use std::fs;

use crate::refused::assert_refused_in;
use crate::support::{called, each_step, made_in, notes};

const TYPES: &str = "three spheres, two types\n\n3 atoms\n2 atom types\n1 bonds\n0 1 xlo xhi\n0 1 ylo yhi\n0 1 zlo zhi\n\n\
                     Atoms # sphere\n\n1 1 0.1 2500 0.3 0.5 0.05 0 0 1\n2 2 0.1 2500 0.5 0.5 0.30 0 0 0\n\
                     3 2 0.1 2500 0.7 0.5 0.30 0 0 0\n\nBonds\n\n1 1 1 2\n";

const SCENE: &str = r#"
    gravity = [0.0, 0.0, -9.81]
    integrator = "verlet"
    time = { dt = 1e-4, duration = 0.4 }
    walls = [{ plane = { point = [0.0, 0.0, 0.0], normal = [0.0, 0.0, 1.0] } }]
    [contact]
    normal = { hooke = { stiffness = 1e5 } }
    damping = { restitution = 0.9 }
    wall-materials = ["floor"]
    pairs = [
        { between = ["rubber", "floor"], damping = { restitution = 0.05 } },
        { between = ["steel", "floor"] },
    ]
    [[bodies]]
    place = { file = { path = "types.data" TYPES } }
"#;

/// Returns the scene with these types, and a folder with its file.
fn scene(types: &str) -> (String, tempfile::TempDir) {
    let home = tempfile::tempdir().unwrap();
    fs::write(home.path().join("types.data"), TYPES).unwrap();
    (SCENE.replace("TYPES", types), home)
}

#[test]
fn types_are_the_materials_that_a_key_names() {
    let heights = |types: &str| {
        let (text, home) = scene(types);
        let mut simulation = made_in(home.path(), &text).unwrap();
        let notes = notes(&simulation);
        each_step(&mut simulation, |_| ());
        ([1, 2].map(|body| simulation.state().position().get(body).z), notes)
    };
    // The spheres of the second type rebound as steel, or lie as rubber.
    let (steel, notes) = heights(", types = [\"rubber\", \"steel\"]");
    let (rubber, _) = heights(", types = [\"steel\", \"rubber\"]");
    assert!(steel.iter().all(|z| *z > 0.15) && rubber.iter().all(|z| *z < 0.06), "{steel:?} {rubber:?}");
    for what in ["1 bonds", "the section Bonds", "image flags of 1 atoms", "the box from"] {
        let is_said = |note: &String| note.contains(what) && note.contains("`bodies[0].place.file.path`");
        assert!(notes.iter().any(is_said), "{what}: {notes:?}");
    }
    assert!(!notes.iter().any(|note| note.contains("types")), "{notes:?}");
}

#[test]
fn types_without_a_material_are_refused_or_said() {
    let (text, home) = scene("TYPES");
    let table = r#"
        TYPES => | `bodies[0].place.file.types | is missing
        TYPES => , types = ["steel"] | `bodies[0].place.file.types | has 1 entries, not 2
        TYPES => , types = ["steel", "gum"] | `bodies[0].place.file.types | `gum`
    "#;
    assert_refused_in(home.path(), &text, table);
    let (head, rest) = text.split_once("wall-materials").unwrap();
    let alone = format!("{head}{}", &rest[rest.find("[[bodies]]").unwrap()..]).replace("TYPES", "");
    let simulation = made_in(home.path(), &alone).unwrap();
    assert!(simulation.notes().iter().any(|note| note.text.contains("the types of its atoms")));
    let (text, code) = called!["convert", home.path().join("types.data"), home.path().join("to.csv")];
    assert!(code == 0 && text.contains("1 bonds") && text.contains("the types of its atoms"), "{code}: {text}");
}
