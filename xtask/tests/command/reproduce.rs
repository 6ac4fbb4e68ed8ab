//! Tests of the command as a process: exit codes, broken maps, interruption, second runs.
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A folder of its own for each test, gone afterwards.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        Self(std::env::temp_dir().join(format!("xtask-command-{name}-{}", std::process::id())))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _gone = fs::remove_dir_all(&self.0);
    }
}

fn reproduce(out: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
    command.args(["reproduce", "--quick", "--out"]).arg(out).args(arguments);
    command
}

fn run(out: &Path, arguments: &[&str]) -> Output {
    reproduce(out, arguments).output().unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn a_broken_map_makes_claims_fail_and_the_command_too() {
    let out = Folder::new("broken");
    let whole = run(&out.0, &["bg21-fig1c", "--json"]);
    assert_eq!(whole.status.code(), Some(0), "{}", stderr(&whole));
    let summary: serde_json::Value = serde_json::from_slice(&whole.stdout).unwrap();
    assert_eq!(summary["tally"]["fail"], 0);

    // No result of sound maps may be reused for maps that add 1e-9 rad/s to the spin in each step.
    let broken = run(&out.0, &["bg21-fig1c", "--json", "--sabotage"]);
    assert_eq!(broken.status.code(), Some(1));
    let summary: serde_json::Value = serde_json::from_slice(&broken.stdout).unwrap();
    let failed = summary["tally"]["fail"].as_u64().unwrap();
    assert!(failed >= 3, "every explicit map conserves Rρ₀·Ω, and 1e-9 is seen: {failed} fail");
    let page = fs::read_to_string(out.0.join("index.html")).unwrap();
    assert!(page.contains("✗ fails") && stderr(&broken).contains("failures:"));
}

#[test]
fn what_cannot_run_has_an_exit_code_of_its_own() {
    let out = Folder::new("prefix");
    let unknown = run(&out.0, &["no-such-figure"]);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(stderr(&unknown).contains("bg21-fig1a"), "the known ids are named");
    let listed = run(&out.0, &["--list"]);
    assert_eq!((listed.status.code(), out.0.exists()), (Some(0), false));
}

#[cfg(unix)]
#[test]
fn an_interrupt_leaves_finished_figures_whole_and_names_the_others() {
    let out = Folder::new("interrupt");
    // All figures run at the same time: the shortest is finished while the longest has seconds to go.
    let arguments = ["bg21-fig", "--jobs", "20"];
    let mut child = reproduce(&out.0, &arguments).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    let first = lines.next().unwrap();
    assert!(first.starts_with(" 1 of ") && first.contains(" left"), "{first}");
    let finished = first.split_whitespace().find(|word| word.starts_with("bg21-fig")).unwrap();
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    let rest = lines.collect::<Vec<_>>().join("\n");
    assert_eq!(child.wait().unwrap().code(), Some(130), "{rest}");
    assert!(rest.contains("interrupted:") && rest.contains("bg21-fig7-printed"), "{rest}");
    let page = fs::read_to_string(out.0.join("index.html")).unwrap();
    assert!(page.contains("interrupted") && page.ends_with("</html>"));
    for kind in ["csv", "json"] {
        assert!(out.0.join(finished).with_extension(kind).exists(), "{finished}.{kind}");
    }
    let drafts = fs::read_dir(&out.0)
        .unwrap()
        .filter(|file| file.as_ref().unwrap().path().extension().is_some_and(|e| e == "tmp"));
    assert_eq!(drafts.count(), 0);

    // Figures that were finished are not computed again.
    let again = run(&out.0, &[finished]);
    assert_eq!(again.status.code(), Some(0));
    assert!(stderr(&again).lines().next().unwrap().contains("reused"), "{}", stderr(&again));
    let forced = run(&out.0, &[finished, "--force"]);
    assert!(!stderr(&forced).contains("reused"));
}
