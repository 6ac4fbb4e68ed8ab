//! Results of a run that ended before its first checkpoint may be replaced, since they cannot be continued. The content
//! of the lock file decides, so that other files of this name do not count.

use std::fs;

use grains::{GrainsError, Run, RunOptions, Scene, Simulation};

use crate::support::FRICTION;

#[test]
fn only_the_mark_of_a_run_without_a_checkpoint_gives_its_results_away() {
    let home = tempfile::tempdir().unwrap();
    let begin = |lock: &str, overwrite: bool| {
        fs::write(home.path().join("series.csv"), "step,time\n").unwrap();
        fs::write(home.path().join("run.lock"), lock).unwrap();
        let scene = Scene::parse(FRICTION).unwrap();
        let simulation = Simulation::new(&scene, ".", false).unwrap();
        Run::new(&scene, simulation, home.path(), RunOptions { overwrite, ..RunOptions::default() })
    };
    // The last content is longer than the mark, like that of another program's lock file.
    let others =
        ["", "no checkpoint yet", "no checkpoint here\n", "another file\n", "process 12345 of another program\n"];
    for lock in others {
        assert!(matches!(begin(lock, false), Err(GrainsError::Occupied { .. })), "{lock}");
    }
    let mut run = begin("no checkpoint yet\n", false).unwrap();
    assert_eq!(fs::read_to_string(home.path().join("run.lock")).unwrap(), "no checkpoint yet\n");
    run.checkpoint().unwrap();
    run.finish().unwrap();
    assert_eq!(fs::read_to_string(home.path().join("run.lock")).unwrap(), "");
    // A longer file is truncated to the mark.
    let _run = begin("process 12345 of another program\n", true).unwrap();
    assert_eq!(fs::read_to_string(home.path().join("run.lock")).unwrap(), "no checkpoint yet\n");
}
