//! Time scales of the automatic step, and limits on the contents of a scene.

use std::fs;

use grains::{Checkpoint, ConvertOptions, convert};

use crate::refused::{assert_refused, refusal};
use crate::support::{made, simulation, start, whole, with};

const PAIR: &str = r#"
    integrator = "verlet"
    time = { dt = "auto", duration = 1.0 }
    bodies = [{ place = { list = [[0.0, 0.0, 0.0], [0.0, 0.0, 3.0]] }, radius = 1.0, mass = 1.0, velocity = [0.0, 0.0, SPEED] }]
    [contact]
    normal = { hertz = { modulus = 1e6 } }
"#;

fn automatic(text: &str) -> f64 {
    simulation(text).dt()
}

fn moving() -> String {
    PAIR.replace("SPEED", "1.0")
}

/// The duration of a Hertzian impact scales with the speed to the power -1/5.
#[test]
fn walls_that_move_are_as_fast_as_bodies() {
    let wall = |motion: &str| {
        let at_rest = PAIR.replace("SPEED", "0.0");
        automatic(&format!("{at_rest}[[walls]]\n{motion}"))
    };
    let piston = |speed: f64| {
        let plane = "plane = { point = [0.0, 0.0, -9.0], normal = [0.0, 0.0, 1.0], velocity = [0.0, 0.0, V] }";
        wall(&plane.replace('V', &format!("{speed:?}")))
    };
    assert!((piston(1.0) / piston(32.0) - 2.0).abs() < 1e-9);
    assert!((piston(1.0) / automatic(&moving()) - 1.0).abs() < 1e-9);
    // A drum with bodies within 4 m of its point, surfaces included.
    let drum = "cylinder = { point = [0.0, 0.0, 0.0], axis = [0.0, 1.0, 0.0], radius = 5.0, spin = [0.0, 0.25, 0.0] }";
    assert!((piston(1.0) / wall(drum) - 1.0).abs() < 1e-9);
}

#[test]
fn stiff_tangential_springs_ask_for_shorter_steps() {
    let hooke = moving().replace("hertz = { modulus", "hooke = { stiffness");
    let law = |text: &str, kind: &str, stiffness: f64| {
        let name = if kind == "mindlin-spring" { "modulus" } else { "stiffness" };
        format!("{text}tangential = {{ {kind} = {{ {name} = {stiffness:?}, friction = 0.5 }} }}\n")
    };
    let usual = automatic(&hooke);
    // The normal force sets the step up to a tangential stiffness of 32/7 times the normal one.
    assert!((automatic(&law(&hooke, "friction-spring", 1e6)) - usual).abs() < 1e-12);
    let stiff = automatic(&law(&hooke, "friction-spring", 1e10));
    // ω² = 3.5 k_t/m_eff with half the mass; the step is an eighth of half a period.
    let expected = std::f64::consts::PI / (7.0e10_f64).sqrt() / 8.0;
    assert!((stiff / expected - 1.0).abs() < 1e-9, "{stiff} {expected}");
    let contact = 32.0 * usual;
    let fixed = law(&hooke, "friction-spring", 1e6).replace("\"auto\"", &format!("{:?}", 0.45 * contact));
    assert!(refusal(&fixed).contains("too long"), "{}", refusal(&fixed));
    assert!(made(&hooke.replace("\"auto\"", &format!("{:?}", 0.45 * contact))).is_ok());
    let hertz = automatic(&law(&moving(), "mindlin-spring", 1e10));
    assert!(hertz < 0.1 * automatic(&moving()), "{hertz}");
    let pair = "[[contact.pairs]]\nbetween = [\"other\", \"steel\"]\n\
                tangential = { friction-spring = { stiffness = 1e10, friction = 0.5 } }\n";
    let own = automatic(&(law(&hooke, "friction-spring", 1e6) + pair));
    assert!((own / stiff - 1.0).abs() < 1e-9, "{own} {stiff}");
}

/// A scene in mm, read as m, has slow contacts. The message explains the automatic step, since the scene has no key for
/// it.
#[test]
fn an_automatic_step_longer_than_the_run_asks_for_units() {
    let short = moving().replace("duration = 1.0", "duration = 1e-5");
    let error = refusal(&short);
    for part in
        ["`time.dt` cannot be \"auto\" here: it would be", "the duration of 0.00001 s", "radius is 1 m", "0.005"]
    {
        assert!(error.contains(part), "{error}");
    }
    let in_mm = format!("units = {{ length = \"mm\", mass = \"g\", time = \"s\" }}\n{short}");
    assert!(refusal(&in_mm).contains("radius is 1 mm: make the duration longer"), "{}", refusal(&in_mm));
}

/// The torque of rolling has the radius of the body as lever arm, and acts on the body's own inertia.
#[test]
fn small_fixed_bodies_do_not_make_rolling_soft() {
    let text = moving() + "rolling = { stiffness = 1e9, friction = 0.1 }\n";
    let fixed = "bodies = [{ place = { list = [[9.0, 0.0, 0.0]] }, radius = 0.01, fixed = true }, ";
    let [alone, beside] = [&text, &with(&text, "bodies = [", fixed)].map(|text| automatic(text));
    assert!((beside / alone - 1.0).abs() < 1e-9, "{alone} {beside}");
}

/// The contact time of an elastic wall is that of Hertz' law with K/r^{5/2}.
#[test]
fn stiff_elastic_walls_ask_for_shorter_steps() {
    let elastic = "[[walls]]\nelastic = { point = [0.0, 0.0, -3.0], normal = [0.0, 0.0, 1.0], stiffness = K }\n";
    let with = |stiffness: &str| automatic(&format!("{}{}", moving(), elastic.replace('K', stiffness)));
    assert!((with("1.0") / automatic(&moving()) - 1.0).abs() < 1e-9);
    let ratio = with("1e10") / with("1e15");
    assert!((ratio / 100.0 - 1.0).abs() < 1e-9, "{ratio}");
}

#[test]
fn walls_have_the_material_of_their_number() {
    let walls = "[[walls]]\nelastic = { point = [0.0, 0.0, -9.0], normal = [0.0, 0.0, 1.0], stiffness = 1.0 }\n\
                 [[walls]]\nbox = { low = [-9.0, -9.0, -9.0], high = [9.0, 9.0, 9.0], without = [\"-x\", \"-x\"] }\n\
                 [[walls]]\nplane = { point = [0.0, 0.0, -1.0], normal = [0.0, 0.0, 1.0] }\n";
    let materials = |names: &str| {
        let laws = format!(
            "wall-materials = [{names}]\n[[contact.pairs]]\nbetween = [\"other\", \"steel\"]\n\
             normal = {{ hertz = {{ modulus = 9e6 }} }}\n"
        );
        format!("{}{laws}{walls}", moving())
    };
    let six = "\"other\", \"other\", \"other\", \"other\", \"other\", \"steel\"";
    assert!(made(&materials(six)).is_ok());
    let error = refusal(&materials(&format!("{six}, \"steel\"")));
    assert!(error.contains("`contact.wall-materials`") && error.contains('6') && error.contains('7'), "{error}");
}

#[test]
fn what_cannot_be_is_refused() {
    let space =
        r#"box = { low = [-3.0, -9.0, -9.0], high = [5.0, 9.0, 9.0], boundary = ["periodic", "open", "open"] }"#;
    let elastic = "[[walls]]\nelastic = { point = [0.0, 0.0, 0.0], normal = [0.0, 0.0, 1.0], stiffness = 1.0 }\n";
    let bonds = "[bonds]\ngap = 0.1\nbending = 1.0\nstretching = 1.0\nshearing = 1.0\n";
    for right in [elastic, bonds] {
        simulation(&format!("{space}\n{}{right}", moving()));
    }
    let table = r#"
        WALLS => elastic = { point = [0.0, 0.0, 0.0], normal = [1.0, 0.0, 1.0], stiffness = 1.0 }
            | `walls[0].elastic.normal` | periodic
        WALLS => plane = { point = [0.0, 0.0, 0.0], normal = [0.0, 0.0, 0.0] } | `walls[0].plane.normal` | direction
        WALLS => cylinder = { point = [0.0, 0.0, 0.0], axis = [0.0, 0.0, 1.0], radius = 8.0 }
            | `walls[0].cylinder.axis` | lay it along x, or take a `revolution`
        WALLS => box = { low = [-1.0, -1.0, -1.0], high = [-2.0, 1.0, 1.0] } | `walls[0].box.high` | above `low`, but is -2
    "#;
    let walled = format!("{space}\n{}[[walls]]\nWALLS\n", moving());
    assert_refused(&walled, table);
    let table = "WALLS => cylinder = { point = [0.0, 0.0, 0.0], axis = [1.0, 0.0, 0.0], radius = 8.0 }
        | `walls[0].cylinder.axis` | no endless cylinder can: take a `revolution`";
    assert_refused(&walled.replace("\"periodic\", \"open\"", "\"periodic\", \"periodic\""), table);
    let table = r#"
        list = [[0.0, 0.0, 0.0], [0.0, 0.0, 3.0]] }, radius = 1.0
            => pyramid = { layers = 2 } }, sizes = { uniform = { low = 0.5, high = 1.0 } }
            | `bodies[0].sizes` | equal spheres
        radius = 1.0 => sizes = { uniform = { low = 0.5, high = inf } }
            | `bodies[0].sizes.uniform.high` | finite and above `low`
    "#;
    assert_refused(&moving(), table);
}

#[test]
fn tables_have_fixed_bodies_and_data_files_their_box() {
    let home = tempfile::tempdir().unwrap();
    let [scene, table, again] = ["a.toml", "a.csv", "b.csv"].map(|name| home.path().join(name));
    fs::write(&scene, moving().replace("radius = 1.0", "radius = 1.0, fixed = true").replace("\"auto\"", "0.1"))
        .unwrap();
    convert(&scene, &table, ConvertOptions::default()).unwrap();
    convert(&table, &again, ConvertOptions::default()).unwrap();
    assert!(fs::read_to_string(&table).unwrap().contains(",inf,"));
    assert_eq!(fs::read(&table).unwrap(), fs::read(&again).unwrap());
    let [boxed, data, back] = ["c.toml", "c.data", "d.data"].map(|name| home.path().join(name));
    let unit = "box = { low = [0.0, 0.0, 0.0], high = [1.0, 1.0, 1.0], boundary = [\"open\", \"open\", \"open\"] }\n";
    fs::write(&boxed, format!("{unit}{}", moving())).unwrap();
    convert(&boxed, &data, ConvertOptions::default()).unwrap();
    convert(&data, &back, ConvertOptions::default()).unwrap();
    let text = fs::read_to_string(&back).unwrap();
    assert_eq!(text, fs::read_to_string(&data).unwrap());
    assert!(text.lines().any(|line| line == "0e0 1e0 xlo xhi"), "{text}");
}

/// Files of a run that begins without bodies, or whose bodies have all left.
#[test]
fn files_without_bodies_are_converted_to_files_without_bodies() {
    let home = tempfile::tempdir().unwrap();
    let path = |name: &str| home.path().join(name);
    fs::write(path("none.csv"), "x,y,z,radius,mass\n").unwrap();
    let formats = ["csv", "data", "vtp"];
    for to in formats {
        convert(&path("none.csv"), &path(&format!("none-{to}.{to}")), ConvertOptions::default()).unwrap();
        for again in formats {
            let target = path(&format!("{to}-{again}.{again}"));
            convert(&path(&format!("none-{to}.{to}")), &target, ConvertOptions::default()).unwrap();
        }
    }
    let data = fs::read_to_string(path("vtp-data.data")).unwrap();
    assert!(data.lines().any(|line| line == "0 atoms") && data.contains("0e0 1e0 xlo xhi"), "{data}");
    // The checkpoint of a run whose gate removes all bodies.
    let gate = r#"
        [[gates]]
        name = "out"
        shape = { plane = { point = [0.0, 0.0, -9.0], normal = [0.0, 0.0, -1.0] } }
        remove = true
        every = { steps = 1 }
    "#;
    whole(&format!("{}{gate}", moving()), &path("run"));
    convert(&path("run/checkpoint.grains"), &path("run.data"), ConvertOptions::default()).unwrap();
    assert!(fs::read_to_string(path("run.data")).unwrap().lines().any(|line| line == "0 atoms"));
}

/// A checkpoint has readings of forces before its run continues.
#[test]
fn forces_on_walls_are_there_after_a_restart() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("run");
    let lying = moving().replace("\"verlet\"", "{ contact-dynamics = {} }").replace("dt = \"auto\"", "dt = 0.01");
    let lying = format!(
        "gravity = [0.0, 0.0, -10.0]\n{lying}[[walls]]\nplane = {{ point = [0.0, 0.0, -1.0], normal = [0.0, 0.0, 1.0] }}\n"
    );
    let mut run = start(&lying.replace(", velocity = [0.0, 0.0, 1.0]", ""), &folder);
    (0..6).for_each(|_| assert!(run.advance().unwrap()));
    run.checkpoint().unwrap();
    let expected = run.simulation().read().unwrap().wall_forces;
    run.finish().unwrap();
    assert!(expected[0].length() > 1.0, "{expected:?}");
    let stored = Checkpoint::read(folder.join("checkpoint.grains")).unwrap();
    assert_eq!(stored.simulation.read().unwrap().wall_forces, expected);
}
