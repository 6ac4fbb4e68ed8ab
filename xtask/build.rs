//! Tells the binary which compiler built it and for what target: both belong into every record of a run.
use std::{env, process::Command};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = Command::new(rustc).arg("--version").output().ok().and_then(|out| String::from_utf8(out.stdout).ok());
    println!("cargo::rustc-env=XTASK_RUSTC={}", version.as_deref().unwrap_or("unknown").trim());
    println!("cargo::rustc-env=XTASK_TARGET={}", env::var("TARGET").unwrap_or_else(|_| "unknown".into()));
}
