//! Packages of the crates that can be published: what is in them, what crates.io asks for, and where their readmes lead.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// Runs cargo in the root of the workspace, and returns what it prints.
fn cargo(arguments: &[&str]) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let output = Command::new(env!("CARGO")).args(arguments).arg("--offline").current_dir(root).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// What cargo knows of each package that can be published.
fn packages() -> Vec<Value> {
    let metadata: Value = serde_json::from_str(&cargo(&["metadata", "--no-deps", "--format-version", "1"])).unwrap();
    // `publish = false` is an empty list of registries.
    metadata["packages"].as_array().unwrap().iter().filter(|package| package["publish"].is_null()).cloned().collect()
}

/// The links of a readme that lead nowhere outside of this repository: to files, or to items without an address.
fn lost_links(readme: &str) -> Vec<&str> {
    let is_found = |target: &str| target.starts_with("https://") || target.starts_with('#');
    let mut is_code = false;
    let mut lost = Vec::new();
    for line in readme.lines() {
        is_code ^= line.starts_with("```");
        if is_code {
            continue;
        }
        let inline = line.split("](").skip(1).map(|rest| rest.split(')').next().unwrap());
        let defined = line.strip_prefix('[').and_then(|line| line.split_once("]: ")).map(|(_, target)| target);
        lost.extend(inline.chain(defined).filter(|target| !is_found(target)));
        let items = line.split("[`").skip(1).filter_map(|rest| rest.split_once("`]"));
        let has_address = |name: &str, rest: &str| rest.starts_with('(') || readme.contains(&format!("\n[`{name}`]: "));
        lost.extend(items.filter(|(name, rest)| !has_address(name, rest)).map(|(name, _)| name));
    }
    lost
}

#[test]
fn packages_have_sources_readme_and_licences_alone() {
    const TEXTS: [&str; 8] = [
        ".cargo_vcs_info.json",
        "Cargo.lock",
        "Cargo.toml",
        "Cargo.toml.orig",
        "LICENSE-APACHE",
        "LICENSE-MIT",
        "README.md",
        "columns.md",
    ];
    let packages = packages();
    let mut arguments = vec!["package", "--list", "--allow-dirty", "--locked"];
    arguments.extend(packages.iter().flat_map(|package| ["--package", package["name"].as_str().unwrap()]));
    let list = cargo(&arguments);
    // Pages need their scripts and libraries, bitmaps their fonts.
    let folders = ["src/", "templates/", "web/", "fonts/"];
    let is_wanted = |path: &&str| folders.iter().any(|folder| path.starts_with(folder)) || TEXTS.contains(path);
    assert_eq!(list.lines().filter(|path| !is_wanted(path)).collect::<Vec<_>>(), [""; 0]);
    for text in ["README.md", "LICENSE-APACHE", "LICENSE-MIT"] {
        assert_eq!(list.lines().filter(|path| *path == text).count(), packages.len(), "{text}");
    }
}

#[test]
fn packages_say_what_crates_io_asks_for() {
    let packages = packages();
    assert_eq!(packages.len(), 9);
    for package in packages {
        let name = package["name"].as_str().unwrap();
        assert_eq!(package["documentation"], format!("https://docs.rs/{name}"));
        assert!(package["license"].as_str().is_some_and(|text| !text.is_empty()), "{name} has no license");
        assert!(package["description"].as_str().is_some_and(|text| !text.is_empty()), "{name} has no description");
        assert!((1..=5).contains(&package["categories"].as_array().unwrap().len()), "categories of {name}");
        let keywords = package["keywords"].as_array().unwrap();
        assert!((1..=5).contains(&keywords.len()), "keywords of {name}");
        for keyword in keywords.iter().map(|keyword| keyword.as_str().unwrap()) {
            assert!(keyword.len() <= 20, "crates.io refuses the keyword {keyword} of {name}: it is too long");
        }
        let folder = Path::new(package["manifest_path"].as_str().unwrap()).parent().unwrap();
        for licence in ["LICENSE-APACHE", "LICENSE-MIT"] {
            let whole = fs::read_to_string(folder.join("../..").join(licence)).unwrap();
            assert!(fs::read_to_string(folder.join(licence)).unwrap() == whole, "{licence} of {name}");
        }
        assert_eq!(lost_links(&fs::read_to_string(folder.join("README.md")).unwrap()), [""; 0], "README of {name}");
    }
}

#[test]
fn links_that_lead_out_of_a_package_are_found() {
    let readme = "[a](../../docs/a.md), [b](https://docs.rs/b), [c](#c) and [`d`], [`e`], `f`[0]\n[`e`]: https://docs.rs/e\n\
                  [`g`]: src/g.rs\n```\nx[0](../h)\n```\n";
    assert_eq!(lost_links(readme), ["../../docs/a.md", "d", "src/g.rs"]);
}
