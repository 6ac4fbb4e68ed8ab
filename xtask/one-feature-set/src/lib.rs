//! Nothing. `Cargo.toml` names features of libraries that only some crates of the workspace switch on. Selected beside
//! crates without features, as `.ci/run` does, this package keeps those libraries from being compiled a second time.
