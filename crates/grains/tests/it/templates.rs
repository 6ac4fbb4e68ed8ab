//! Template scenes: short, valid without notes, never written over a file; their ledgers close.

use std::fs;

use grains::templates::ALL;
use grains::{Run, RunOptions, Scene};

use crate::support::{command, go_on, outcome, scene_file};
use crate::table::Table;

/// Runs a template for a short time, and returns the largest change of its balance over the energy turnover.
fn residual(text: &str) -> f64 {
    let (home, path) = scene_file(text);
    let options = RunOptions { quick: true, ..RunOptions::default() };
    let run = Run::of_file(&path, None, options).unwrap();
    assert_eq!(run.simulation().notes(), []);
    go_on(run);
    let series = Table::read(home.path().join("scene.out/series.csv"));
    assert!(series.rows.len() > 3);
    drift_over_energy(&series)
}

/// Returns the largest change of the balance in a time series over the energy turnover: the energy from gravity and
/// walls, which was dissipated, taken out by walls, or is kinetic.
pub(crate) fn drift_over_energy(series: &Table) -> f64 {
    let balance = series.column("balance");
    let off = balance.iter().map(|energy| (energy - balance[0]).abs()).fold(0.0, f64::max);
    let kinetic = series.last("kinetic_translation") + series.last("kinetic_rotation");
    off / (series.last("dissipated").abs() + series.last("wall_work").abs() + kinetic)
}

#[test]
fn templates_have_at_most_30_lines_and_closed_ledgers() {
    for one in ALL {
        let lines = one.text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        assert!(lines.count() <= 30 && one.text.starts_with("# "), "{}", one.kind);
        Scene::parse(one.text).unwrap();
        let residual = residual(one.text);
        assert!(residual < 1e-3, "{}: {residual}", one.kind);
    }
}

#[test]
fn a_template_is_written_to_a_new_file_only() {
    let home = tempfile::tempdir().unwrap();
    let new = |arguments: &[&str]| command().arg("new").args(arguments).current_dir(home.path()).output().unwrap();
    let listed = new(&[]);
    let kinds = String::from_utf8(listed.stdout).unwrap();
    assert!(listed.status.success() && ALL.iter().all(|one| kinds.contains(one.about)), "{kinds}");
    for one in ALL {
        let (text, code) = outcome(&new(&[one.kind]));
        assert_eq!(code, 0, "{text}");
        assert_eq!(fs::read_to_string(home.path().join(one.kind).with_extension("toml")).unwrap(), one.text);
    }
    fs::write(home.path().join("mine.toml"), "mine").unwrap();
    let (text, code) = outcome(&new(&["heap", "mine.toml"]));
    assert!(code == 2 && text.contains("mine.toml"), "{text}");
    assert_eq!(fs::read_to_string(home.path().join("mine.toml")).unwrap(), "mine");
    let (text, code) = outcome(&new(&["hepa"]));
    assert!(code == 2 && text.contains("`heap`"), "{text}");
}
