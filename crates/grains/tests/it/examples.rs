//! Scenes of the repository: all run, and some reproduce published numbers.

use std::fs;
use std::path::Path;

use grains::{Checkpoint, Run, RunOptions, Scene, Simulation};

use crate::support::{command, go_on, outcome, scenes};
use crate::table::Table;
use crate::templates::drift_over_energy;

/// Reads the rows of LAMMPS' runs with these first columns from a data file of `[DK21]`.
fn peers(name: &str, first: &[f64]) -> Table {
    let mut table = Table::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../xtask/data/dk21").join(name));
    let is_near = |word: &String, number: &f64| (word.parse().unwrap_or(f64::NAN) - number).abs() < 1e-9;
    table.rows.retain(|row| row.iter().zip(first).all(|(word, number)| is_near(word, number)));
    assert!(!table.rows.is_empty());
    table
}

/// Runs a scene at `--quick` and passes the folder of its results to `show`.
fn quick(name: &str, show: impl FnOnce(&Path)) {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("out");
    let options = RunOptions { quick: true, ..RunOptions::default() };
    go_on(Run::of_file(scenes().join(name).with_extension("toml"), Some(&folder), options).unwrap());
    show(&folder);
}

#[test]
fn every_scene_is_written_and_read_alike_and_has_a_page() {
    let mut count = 0;
    for entry in fs::read_dir(scenes()).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|ending| ending == "toml") {
            let scene = Scene::from_path(&path).unwrap();
            assert_eq!(Scene::parse(&scene.to_toml().unwrap()).unwrap(), scene, "{}", path.display());
            assert!(path.with_extension("md").exists(), "{} has no page", path.display());
            count += 1;
        }
    }
    assert_eq!(count, 13);
    for name in ["bonds", "mesh_and_source", "polydisperse"] {
        Scene::from_path(scenes().join("../mpi/scenes").join(name).with_extension("toml")).unwrap();
    }
}

/// `[DK21]` Fig. 6: conserved quantities of two spheres, against LAMMPS. The tolerance of 2.8e-3 of the energy is the
/// spread of LAMMPS' own results.
#[test]
fn two_spheres_part_as_in_figure_6() {
    quick("two_spheres", |folder| {
        let series = Table::read(folder.join("series.csv"));
        let peers = peers("impact.csv", &[30.0, 0.1, 160.0]);
        for (found, expected) in [
            (series.last("kinetic_translation"), peers.last("kt")),
            (series.last("kinetic_rotation"), peers.last("kr")),
        ] {
            assert!((0.5 * found - expected).abs() < 2.8e-3 * 0.5, "{found} {expected}");
        }
        assert!(series.last("dissipated") > 0.1);
        assert_closes("two_spheres", &series);
    });
}

/// `[DK21]` Fig. 9: the exact-energy form conserves energy up to rounding.
#[test]
fn a_bouncing_sphere_keeps_its_energy_as_in_figure_9() {
    quick("bounce", |folder| {
        let balance = Table::read(folder.join("series.csv")).column("balance");
        assert!(balance.len() > 100);
        for energy in balance {
            assert!((energy / 0.5 - 1.0).abs() < 1e-11, "{energy}");
        }
    });
}

/// `[DK21]` Fig. 10: final positions and largest contact force, against LAMMPS.
#[test]
fn a_tied_pair_is_hit_as_in_figure_10() {
    quick("bonded_pair", |folder| {
        let Checkpoint { simulation, .. } = Checkpoint::read(folder.join("checkpoint.grains")).unwrap();
        let peers = peers("bonded.csv", &[45.0, 1.0]);
        for (i, [x, y]) in [["x1", "y1"], ["x2", "y2"], ["x3", "y3"]].into_iter().enumerate() {
            let found = simulation.state().position().get(i);
            let off = (found.x - peers.last(x)).hypot(found.y - peers.last(y));
            assert!(off < 1e-4, "sphere {i} is {off} off");
        }
        let largest = |column: Vec<f64>| column.into_iter().fold(0.0, f64::max);
        let force = largest(Table::read(folder.join("contacts.csv")).column("normal_force"));
        let expected = largest(peers.column("contact"));
        assert!((force / expected - 1.0).abs() < 0.01, "{force} {expected}");
    });
}

/// `[DK21]` Fig. 11: mean kinetic energy and spread of velocities, against LAMMPS' run with equal steps, until the
/// motion is chaotic. `cargo xtask reproduce` makes the whole figure from the same bodies.
#[test]
fn a_box_begins_to_fill_as_in_figure_11() {
    let mut scene = Scene::from_path(scenes().join("box_fill.toml")).unwrap();
    scene.time.duration = Some(0.5);
    let simulation = Simulation::new(&scene, scenes(), false).unwrap();
    let home = tempfile::tempdir().unwrap();
    go_on(Run::new(&scene, simulation, home.path(), RunOptions::default()).unwrap());
    let series = Table::read(home.path().join("series.csv"));
    let peers = peers("boxfill.csv", &[10_000.0, 4711.0, 32.0]);
    for (name, peer) in [("mean_kinetic", "k"), ("velocity_variance", "dv")] {
        let found = series.column(name);
        assert!(found.len() >= 6, "{found:?}");
        for (found, expected) in found.iter().zip(&peers.column(peer)).take(6) {
            assert!((found / expected - 1.0).abs() < 1e-3, "{name}: {found} {expected}");
        }
    }
}

/// `[OK18]` Figs. 6 and 7: the apex lands in the sixteenth step, and contact forces exist only below it.
#[test]
#[ignore = "soak: the quick figure ok18-fig7 lets the same pyramid land"]
fn a_pyramid_lands_as_in_figure_7() {
    let scene = Scene::from_path(scenes().join("pyramid.toml")).unwrap();
    let mut simulation = Simulation::new(&scene, scenes(), true).unwrap();
    let apex = simulation.bodies().len() - 1;
    assert_eq!(apex, 2869);
    let mut landed = None;
    while simulation.step().unwrap() < simulation.steps() && landed.is_none() {
        let reading = simulation.read().unwrap();
        let pushed =
            reading.contacts.iter().any(|contact| contact.b.body() == Some(apex) && contact.normal_force > 0.0);
        landed = pushed.then(|| simulation.steps_taken());
    }
    assert!(matches!(landed, Some(15 | 16)), "{landed:?}");
}

#[test]
fn a_torus_keeps_its_energy() {
    quick("torus", |folder| {
        let balance = Table::read(folder.join("series.csv")).column("balance");
        let worst = balance.iter().map(|energy| (energy / balance[0] - 1.0).abs()).fold(0.0, f64::max);
        assert!(worst < 1e-3, "{worst}");
    });
}

/// Checks that the balance changes by at most a thousandth of the energy turnover at all times.
#[track_caller]
fn assert_closes(name: &str, series: &Table) {
    let off = drift_over_energy(series);
    println!("{name}: off by {off:.1e} of the energy put through");
    assert!(off < 1e-3, "{name}: {off}");
}

#[test]
fn the_other_scenes_run_and_close_their_ledgers() {
    for name in ["heap", "sheared_bed", "hopper", "drum", "silo"] {
        quick(name, |folder| {
            assert_closes(name, &Table::read(folder.join("series.csv")));
            assert!(folder.join("frames-000001.vtp").exists());
        });
    }
}

#[test]
#[ignore = "soak: all scenes"]
fn every_scene_closes_its_ledger() {
    let mut scenes: Vec<_> = fs::read_dir(scenes()).unwrap().map(|entry| entry.unwrap().path()).collect();
    scenes.retain(|path| path.extension().is_some_and(|ending| ending == "toml"));
    for path in scenes {
        let name = path.file_stem().unwrap().to_str().unwrap();
        quick(name, |folder| assert_closes(name, &Table::read(folder.join("series.csv"))));
    }
}

#[test]
fn check_info_and_convert_answer() {
    let home = tempfile::tempdir().unwrap();
    let said = |arguments: &[&Path]| {
        let output = command().args(arguments).output().unwrap();
        assert_eq!(outcome(&output).1, 0, "{}", outcome(&output).0);
        String::from_utf8(output.stdout).unwrap()
    };
    let scene = scenes().join("bonded_pair.toml");
    let text = said(&[Path::new("check"), &scene]);
    for part in ["bodies            3, 0 of them fixed", "steps             5420", "recommended step", "memory"] {
        assert!(text.contains(part), "{text}");
    }
    assert!(said(&[Path::new("info"), &scene]).contains("implicit"));
    // A conversion there and back gives the same places bit by bit.
    let table = scenes().join("data/box_fill.csv");
    let [data, back, frame] = ["bodies.data", "bodies.csv", "bodies.vtp"].map(|name| home.path().join(name));
    said(&[Path::new("convert"), &table, &data]);
    said(&[Path::new("convert"), &data, &back]);
    said(&[Path::new("convert"), &table, &frame]);
    let first = Table::read(&table);
    let last = Table::read(&back);
    for name in ["x", "y", "z", "vx", "vy", "vz"] {
        assert_eq!(first.column(name), last.column(name), "{name}");
    }
    assert!(fs::read(frame).unwrap().starts_with(b"<?xml"));
}
