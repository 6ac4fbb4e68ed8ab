//! FCLIB problems are read, solved, written and read again.

use std::path::{Path, PathBuf};

use cd_solve::fclib::{FclibError, StoredProblem, read_hdf5, read_text, write_hdf5, write_text};

use crate::friction::pyramid;
use crate::friction_forces::assert_one_selection;
use crate::prelude::*;

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

#[test]
fn stacks_of_boxes_and_grains_that_roll() {
    // Columns: file, contacts, components of each contact.
    for (name, contacts, block) in [("fclib-box-stacks.hdf5", 82, 3), ("fclib-chute-rolling.hdf5", 4, 5)] {
        let stored = read_hdf5(&data(name)).unwrap();
        assert_eq!((stored.matrix.contacts(), stored.matrix.block()), (contacts, block));
        assert!(stored.matrix.asymmetry() < 1e-12, "{name}");
        let problem = stored.problem().unwrap();
        let mut force = vec![0.0; problem.len()];
        let report = CoulombSolver::new(Options::new(1e-8, 100)).solve(&problem, &mut force).unwrap();
        assert!(report.converged() && report.factorizations == 0, "{name}: {report:?}");
        assert!(problem.residual(&force).unwrap() <= 1e-8, "{name}");
    }
}

#[test]
fn least_energy_forces_of_stacks_do_not_depend_on_the_solver() {
    let stored = read_hdf5(&data("fclib-box-stacks.hdf5")).unwrap();
    assert_one_selection(&stored.problem().unwrap());
}

#[test]
fn a_step_of_ones_own_is_written_and_read_again() {
    let spheres = pyramid(2);
    with_spheres(&spheres, 0.3, |problem| {
        let stored = StoredProblem::of("", problem).unwrap();
        let again = read_text(&write_text(&stored).unwrap()).unwrap();
        assert_eq!(again, stored);
        let path = std::env::temp_dir().join(format!("cd-solve-fclib-{}.hdf5", std::process::id()));
        write_hdf5(&path, &stored).unwrap();
        let again = read_hdf5(&path);
        std::fs::remove_file(&path).unwrap();
        assert_eq!(again.unwrap(), stored);
        // Both matrices give equal velocities for equal forces.
        let force: Vec<f64> = (0..problem.len()).map(|i| (i as f64).sin()).collect();
        let mut mapped = vec![0.0; force.len()];
        let mut assembled = vec![0.0; force.len()];
        problem.velocity(&force, &mut mapped, &mut Vec::new()).unwrap();
        stored.problem().unwrap().velocity(&force, &mut assembled, &mut Vec::new()).unwrap();
        assert!(distance(&mapped, &assembled) < 1e-13);
    });
}

#[test]
fn damaged_files_have_errors() {
    let missing = read_hdf5(Path::new("/nowhere/at/all.hdf5"));
    assert!(matches!(missing, Err(FclibError::Hdf5 { .. })), "{missing:?}");
    assert!(missing.unwrap_err().to_string().contains("/nowhere/at/all.hdf5"));
    let bytes = std::fs::read(data("fclib-chute-rolling.hdf5")).unwrap();
    let path = std::env::temp_dir().join(format!("cd-solve-fclib-cut-{}.hdf5", std::process::id()));
    for cut in [0, 100, bytes.len() / 2] {
        std::fs::write(&path, &bytes[..cut]).unwrap();
        assert!(read_hdf5(&path).is_err(), "{cut}");
    }
    std::fs::remove_file(&path).unwrap();
    let spheres = pyramid(2);
    let text = with_spheres(&spheres, 0.3, |problem| write_text(&StoredProblem::of("", problem).unwrap()).unwrap());
    let words: Vec<&str> = text.split_ascii_whitespace().collect();
    for cut in [0, 1, 5, 20, words.len() - 1] {
        let error = read_text(&words[..cut].join(" "));
        assert!(matches!(error, Err(FclibError::Missing { .. })), "{cut}: {error:?}");
    }
    // A changed count or index makes the file invalid; a changed entry of a block need not.
    for place in 0..59 {
        let mut changed = words.clone();
        changed[place] = "99999999";
        let is_entry = place >= 40 && place != 49;
        assert_eq!(read_text(&changed.join(" ")).is_ok(), is_entry, "{place}");
    }
}
