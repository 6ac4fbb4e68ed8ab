//! Places of bodies: pours, and ParaView files.

use std::fs;

use grains::{ConvertOptions, GrainsError, Simulation, convert};

use crate::refused::{assert_refused, refusal};
use crate::support::{data_text, ended, made, scenes, simulation, with};

const POUR: &str = r#"
    gravity = [0.0, 0.0, -1.0]
    integrator = "verlet"
    time = { duration = 0.1 }
    contact = { normal = { hooke = { stiffness = 1e4 } } }
    box = { low = [0.0, 0.0, 0.0], high = [6.0, 6.0, 9.0], boundary = ["periodic", "periodic", "open"] }
    [[bodies]]
    place = { pour = { low = [0.0, 1.0, 0.0], high = [6.0, 5.5, 8.0], count = 150, seed = 2, gap = 0.03 } }
    sizes = { mix = { radius = [0.25, 0.5], share = [2.0, 1.0] } }
    seed = 3
    density = 1.0
"#;

#[test]
fn a_pour_keeps_its_gaps_and_its_box_and_another_seed_is_another_pour() {
    let pour = simulation(POUR);
    assert!(smallest_gap(&pour, [6.0, 0.0, 0.0]) > 0.03 - 1e-9, "{}", smallest_gap(&pour, [6.0, 0.0, 0.0]));
    let radius = pour.bodies().radius();
    let mut beyond = 0;
    for (x, &r) in pour.state().position().iter().zip(radius.iter()) {
        assert!(x.y - r > 1.0 - 1e-12 && x.y + r < 5.5 + 1e-12 && x.z - r > -1e-12 && x.z + r < 8.0 + 1e-12, "{x} {r}");
        let across = x.x.rem_euclid(6.0);
        beyond += usize::from(across < r || across > 6.0 - r);
    }
    // Bodies also lie across the periodic side.
    assert!(beyond > 10, "{beyond}");
    let small = radius.iter().filter(|&&r| r < 0.3).count();
    assert!(pour.bodies().len() == 150 && (80..120).contains(&small), "{small}");
    let first = |text: &str| simulation(text).state().position().get(0);
    assert_eq!(first(POUR), pour.state().position().get(0));
    assert_ne!(first(POUR), first(&with(POUR, "seed = 2", "seed = 4")));
}

#[test]
fn frames_are_read_as_they_were_written() {
    let home = tempfile::tempdir().unwrap();
    let [frame, table, other] = ["a.vtp", "a.csv", "b.csv"].map(|name| home.path().join(name));
    let from = scenes().join("two_spheres.toml");
    convert(&from, &frame, ConvertOptions::default()).unwrap();
    convert(&frame, &table, ConvertOptions::default()).unwrap();
    convert(&from, &other, ConvertOptions::default()).unwrap();
    assert_eq!(fs::read_to_string(&table).unwrap(), fs::read_to_string(&other).unwrap());
    let cut = fs::read(&frame).unwrap();
    fs::write(&frame, &cut[..cut.len() - 200]).unwrap();
    let error = convert(&frame, &table, ConvertOptions::default()).unwrap_err();
    assert!(matches!(error, GrainsError::File { .. }) && error.to_string().contains("is cut short"), "{error}");
}

/// Returns the smallest gap between two bodies in a box with these periods, zero for directions without a period.
fn smallest_gap(simulation: &Simulation, periods: [f64; 3]) -> f64 {
    let position = simulation.state().position();
    let radius = simulation.bodies().radius();
    let mut least = f64::INFINITY;
    for i in 0..radius.len() {
        for j in 0..i {
            let mut apart = (position.get(i) - position.get(j)).to_array();
            for (x, period) in apart.iter_mut().zip(periods) {
                *x -= if period > 0.0 { period * (*x / period).round() } else { 0.0 };
            }
            let distance = apart.iter().map(|x| x * x).sum::<f64>().sqrt();
            least = least.min(distance - radius[i] - radius[j]);
        }
    }
    least
}

#[test]
fn pours_keep_clear_of_listed_bodies_of_each_other_and_of_images() {
    let text = data_text("pour2.toml");
    let poured = simulation(&text);
    assert_eq!(poured.bodies().len(), 401);
    assert!(smallest_gap(&poured, [1.0; 3]) > 0.0);
    // A body listed after the pour stays in place too, fixed or not, across three sides.
    for more in ["density = 1000.0", "fixed = true"] {
        let listed = format!("[[bodies]]\nplace = {{ list = [[0.0, 1.0, 0.99]] }}\nradius = 0.2\n{more}\n");
        let simulation = simulation(&format!("{text}{listed}"));
        assert_eq!(simulation.bodies().len(), 402);
        let listed = simulation.state().position().get(401).to_array();
        assert_eq!(listed.map(f64::to_bits), [0.0_f64, 1.0, 0.99].map(f64::to_bits));
        assert!(smallest_gap(&simulation, [1.0; 3]) > 0.0);
    }
}

/// A pour region narrower than the period: images of bodies beyond the side reach into it.
#[test]
fn pours_keep_clear_of_images_that_reach_into_their_box() {
    let text = r#"
        integrator = "verlet"
        box = { low = [0.0, 0.0, 0.0], high = [4.0, 4.0, 4.0], boundary = ["periodic", "periodic", "open"] }
        time = { dt = 1e-5, duration = 1e-4 }
        contact = { normal = { hooke = { stiffness = 1e4 } } }
        [[bodies]]
        place = { pour = { low = [0.0, 0.1, 0.0], high = [3.9, 3.9, 2.0], fraction = 0.25, seed = 5, gap = 0.02 } }
        radius = 0.2
        density = 1.0
        [[bodies]]
        place = { list = [[3.95, 2.0, 1.0], [2.0, -0.5, 1.0]] }
        radius = 0.9
        fixed = true
    "#;
    let simulation = simulation(text);
    assert!(simulation.bodies().len() > 220, "{}", simulation.bodies().len());
    assert!(smallest_gap(&simulation, [4.0, 4.0, 0.0]) > 0.02 - 1e-9, "{}", smallest_gap(&simulation, [4.0, 4.0, 0.0]));
}

/// Planes, cylinders, profiles and meshes in the way of a pour, and their images: nothing overlaps, no body is in a
/// solid.
#[test]
fn pours_keep_clear_of_walls() {
    let pour = |boundary: &str, walls: &str| {
        format!(
            r#"
            integrator = "verlet"
            box = {{ low = [0.0, 0.0, 0.0], high = [4.0, 4.0, 4.0], boundary = {boundary} }}
            time = {{ dt = 1e-5, duration = 1e-4 }}
            contact = {{ normal = {{ hooke = {{ stiffness = 1e4 }} }} }}
            bodies = [{{ place = {{ pour = {{ low = [0.0, 0.0, 0.0], high = [4.0, 4.0, 4.0], count = 300, seed = 5 }} }}, radius = 0.2, density = 1.0 }}]
            walls = [{walls}]
            "#
        )
    };
    let open = "[\"open\", \"open\", \"open\"]";
    let periodic = "[\"periodic\", \"periodic\", \"open\"]";
    for (boundary, walls) in [
        (open, "{ plane = { point = [0.0, 0.0, 0.7], normal = [0.1, 0.2, 1.0] } }"),
        (open, "{ cylinder = { point = [2.0, 2.0, 0.0], axis = [0.0, 0.0, 1.0], radius = 0.6, outside = true } }"),
        (open, "{ cylinder = { point = [2.0, 2.0, 0.0], axis = [0.0, 0.0, 1.0], radius = 1.9 } }"),
        (
            open,
            "{ revolution = { point = [2.0, 2.0, 1.0], axis = [0.0, 0.0, 1.0], profile = [[0.0, 2.0], [1.0, 2.0], [0.0, 0.0]] } }",
        ),
        (
            periodic,
            "{ revolution = { point = [0.0, 0.0, 1.0], axis = [0.0, 0.0, 1.0], profile = [[0.0, 2.0], [1.0, 2.0], [0.0, 0.0]] } }",
        ),
        (periodic, "{ stl = { path = \"fin.stl\" } }"),
        (open, "{ stl = { path = \"container.stl\", scale = 90.0, point = [1.0, 0.2, 1.0] } }"),
        (
            open,
            "{ stl = { path = \"container.stl\", scale = 199.0, inside = true } }, { plane = { point = [0.0, 3.9, 0.0], normal = [0.0, -1.0, 0.0] } }",
        ),
        (periodic, "{ stl = { path = \"container.stl\", scale = 50.0, point = [3.5, -1.0, 1.0] } }"),
    ] {
        let simulation = made(&pour(boundary, walls)).map_err(|error| format!("{walls}: {error}")).unwrap();
        let reading = simulation.read().unwrap();
        assert!(reading.contacts.is_empty(), "{walls}: {:?}", reading.contacts[0]);
    }
}

/// Two materials and two distributions in one pour, by number and by mass, near random close packing.
#[test]
fn several_groups_are_poured_together() {
    let text = r#"
        integrator = "verlet"
        box = { low = [0.0, 0.0, 0.0], high = [1.0, 1.0, 1.0], boundary = ["periodic", "periodic", "periodic"] }
        time = { dt = 1e-5, duration = 1e-4 }
        [contact]
        normal = "hertz-mindlin"
        materials = [
            { name = "a", young = 1e7, poisson = 0.3, restitution = 0.8, friction = 0.2 },
            { name = "b", young = 1e8, poisson = 0.3, restitution = 0.8, friction = 0.2 },
        ]
        [[bodies]]
        place = { pour-with = { group = 1, mass = 200.0 } }
        sizes = { mix = { radius = [0.04, 0.08], share = [1.0, 1.0], by = "mass" } }
        seed = 8
        density = 1000.0
        material = "a"
        [[bodies]]
        place = { pour = { low = [0.0, 0.0, 0.0], high = [1.0, 1.0, 1.0], fraction = 0.3, seed = 1 } }
        sizes = { uniform = { low = 0.05, high = 0.07, by = "mass" } }
        seed = 4
        density = 2000.0
        material = "b"
    "#;
    let simulation = simulation(text);
    assert!(smallest_gap(&simulation, [1.0; 3]) > 0.0);
    let radius = simulation.bodies().radius();
    let mass = simulation.bodies().mass();
    let groups = |dense: bool| (0..radius.len()).filter(move |&i| (mass[i] / radius[i].powi(3) > 6000.0) == dense);
    let total = |dense: bool| groups(dense).map(|i| mass[i]).sum::<f64>();
    // The bodies do not exceed the given mass or volume, and fall short of it by less than one body.
    assert!(total(false) <= 200.0 + 1e-6 && total(false) > 200.0 - 2.2, "{}", total(false));
    assert!(total(true) <= 600.0 + 1e-6 && total(true) > 600.0 - 2.9, "{}", total(true));
    // Half of the mass consists of small bodies: eight times as many as large ones.
    let small = groups(false).filter(|&i| radius[i] < 0.06).map(|i| mass[i]).sum::<f64>();
    assert!((small / total(false) - 0.5).abs() < 0.15, "{small}");
    let table = "
        group = 1 => group = 0 | `bodies[0].place.pour-with.group`
        fraction = 0.3 => fraction = 0.3, count = 3 | one of `count`, `mass` and `fraction`
        fraction = 0.3 => fraction = 0.75 | no room
    ";
    assert_refused(text, table);
}

/// Packings denser than by sequential placement. If a later pour finds no room, the message names a remedy.
#[test]
fn dense_packings_are_poured() {
    let text = r#"
        integrator = "verlet"
        box = { low = [0.0, 0.0, 0.0], high = [1.0, 1.0, 1.0], boundary = ["periodic", "periodic", "periodic"] }
        time = { dt = 1e-5, duration = 1e-4 }
        contact = { normal = { hooke = { stiffness = 1e4 } } }
        [[bodies]]
        place = { pour = { low = [0.0, 0.0, 0.0], high = [1.0, 1.0, 1.0], fraction = 0.6, seed = 1 } }
        radius = 0.1
        density = 1.0
    "#;
    let simulation = simulation(text);
    assert_eq!(simulation.bodies().len(), 143);
    assert!(smallest_gap(&simulation, [1.0; 3]) > 0.0);
    let more = "[[bodies]]\nplace = { pour = { low = [0.0, 0.0, 0.0], high = [1.0, 1.0, 1.0], fraction = 0.2 } }\n\
                radius = 0.1\ndensity = 1.0\n";
    let message = refusal(&format!("{text}{more}"));
    for part in ["0.20 times", "143 bodies are there already: `pour-with`"] {
        assert!(message.contains(part), "{message}");
    }
}

/// If the pour is wider than a thin tube, no move by a radius takes a grain to the back of the tube.
#[test]
fn pours_stay_in_cylinders_and_in_front_of_surfaces_with_one_side() {
    let text = r#"
        integrator = "verlet"
        time = { dt = 1e-5, duration = 1e-4 }
        contact = { normal = { hooke = { stiffness = 1e4 } } }
        [[bodies]]
        place = { pour = { low = [-0.05, -0.05, 0.0], high = [0.05, 0.05, 0.2], count = 100 } }
        radius = 0.004
        density = 1.0
        [[walls]]
        revolution = { point = [0.0, 0.0, 0.0], axis = [0.0, 0.0, 1.0], profile = [[0.04, -0.1], [0.04, 0.3]] }
    "#;
    let from_axis = |simulation: &Simulation| -> Vec<f64> {
        simulation.state().position().iter().map(|place| place.truncate().length()).collect()
    };
    let poured = simulation(text);
    let of_tube = from_axis(&poured);
    let outside = of_tube.iter().filter(|&&distance| distance > 0.04).count();
    let note = format!("`bodies[0].place.pour`: {outside} of 100 bodies are behind the wall 0");
    assert!(outside > 0 && poured.notes().iter().any(|found| found.to_string().contains(&note)), "{note}");
    // A wall that does not act on the poured bodies gets no note.
    let other = "[[bodies]]\nname = \"other\"\nplace = { list = [[0.0, 0.0, 0.25]] }\nradius = 0.004\ndensity = 1.0\n";
    let unfelt = simulation(&text.replace("[[walls]]", &format!("{other}[[walls]]\ngroups = [\"other\"]")));
    assert!(unfelt.notes().iter().all(|found| !found.to_string().contains("behind the wall")), "{:?}", unfelt.notes());
    assert!(of_tube.iter().all(|distance| !(0.036..0.048).contains(distance)), "{of_tube:?}");
    assert!(of_tube.iter().filter(|&&distance| distance < 0.036).count() > 50, "{of_tube:?}");
    let widest = |simulation: &Simulation| from_axis(simulation).into_iter().fold(0.0, f64::max) + 0.004;
    let (before, walls) = text.split_once("[[walls]]").unwrap();
    let wide = "low = [-0.05, -0.05, 0.0], high = [0.05, 0.05, 0.2], count = 100";
    let round = "cylinder = { point = [0.0, 0.0, 0.0], axis = [0.0, 0.0, 0.2], radius = 0.03 }";
    let poured = simulation(&before.replace(wide, &format!("{round}, fraction = 0.3")));
    assert!(
        widest(&poured) <= 0.03 && poured.state().position().iter().all(|place| (0.004..=0.196).contains(&place.z))
    );
    let volume = |radius: f64| 4.0 / 3.0 * std::f64::consts::PI * radius.powi(3);
    let expected = 0.3 * std::f64::consts::PI * 0.03_f64.powi(2) * 0.2 / volume(0.004);
    assert_eq!(poured.bodies().len(), expected as usize);
    let message = refusal(&before.replace(wide, &format!("{round}, low = [0.0, 0.0, 0.0], count = 1")));
    assert!(message.contains("from `low` to `high`, or in a `cylinder`"), "{message}");
    // Grains of sources cannot get there either.
    let source = r#"[[sources]]
        region = { box = { low = [-0.05, -0.05, 0.0], high = [0.05, 0.05, 0.2] } }
        rate = { count = 1e6 }
        every = { steps = 10 }
        sizes = { radius = 0.004 }
        density = 1.0
        [[walls]]"#;
    let fed = format!("{before}{source}{walls}").replace("count = 100", "count = 1");
    let fed = ended(&fed);
    assert!(fed.bodies().len() > 20 && from_axis(&fed).iter().all(|distance| !(0.0361..0.0479).contains(distance)));
}
