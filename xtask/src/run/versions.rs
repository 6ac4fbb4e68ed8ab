//! Versions of code and compiler, and the machine, with which results can be reproduced.
use std::process::Command;

use serde::Serialize;

/// Versions of code and compiler, and facts about the machine, as recorded in the JSON file of every figure and at the
/// foot of the page.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Versions {
    pub(crate) workspace: &'static str,
    /// Git commit of the source code; `None` outside a git checkout.
    pub(crate) commit: Option<String>,
    /// Whether source files differ from the commit; `None` outside a git checkout.
    pub(crate) modified: Option<bool>,
    pub(crate) rustc: &'static str,
    pub(crate) target: &'static str,
    /// Features of the processor that determine which kernels are used.
    pub(crate) cpu_features: Vec<&'static str>,
}

impl Versions {
    pub(crate) fn detect() -> Self {
        Self {
            workspace: env!("CARGO_PKG_VERSION"),
            commit: git(&["rev-parse", "HEAD"]),
            modified: git(&["status", "--porcelain"]).map(|changes| !changes.is_empty()),
            rustc: env!("XTASK_RUSTC"),
            target: env!("XTASK_TARGET"),
            cpu_features: cpu_features(),
        }
    }

    pub(crate) fn line(&self) -> String {
        let commit = match (&self.commit, self.modified) {
            (Some(commit), Some(true)) => format!("commit {} with changes", commit.get(..12).unwrap_or(commit)),
            (Some(commit), _) => format!("commit {}", commit.get(..12).unwrap_or(commit)),
            (None, _) => "no git commit".into(),
        };
        let features = if self.cpu_features.is_empty() { "none listed".into() } else { self.cpu_features.join(" ") };
        format!("version {} · {commit} · {} · {} · CPU: {features}", self.workspace, self.rustc, self.target)
    }
}

fn git(arguments: &[&str]) -> Option<String> {
    let out = Command::new("git").args(arguments).output().ok().filter(|out| out.status.success())?;
    Some(String::from_utf8(out.stdout).ok()?.trim().to_owned())
}

#[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
fn cpu_features() -> Vec<&'static str> {
    let mut found = Vec::new();
    macro_rules! probe {
        ($($name:tt)*) => { $(if std::arch::is_x86_feature_detected!($name) { found.push($name); })* };
    }
    probe!("sse4.2" "avx" "avx2" "fma" "avx512f" "avx512bw" "avx512dq" "avx512vl");
    found
}

#[cfg(target_arch = "aarch64")]
fn cpu_features() -> Vec<&'static str> {
    if std::arch::is_aarch64_feature_detected!("neon") { vec!["neon"] } else { Vec::new() }
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "x86", target_arch = "aarch64")))]
fn cpu_features() -> Vec<&'static str> {
    Vec::new()
}
