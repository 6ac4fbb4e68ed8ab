//! Opens the reproduction page in headless Chromium: every figure and every view must draw, without an error in the
//! console and without a request, light and dark, wide and narrow.
//!
//! The page is that in the folder `REPRODUCE_PAGE`, else one of made-up figures. Screenshots go into the folder
//! `screenshots` beside the page: of the first screen, with `REPRODUCE_SECTIONS` of everything. Without a browser the
//! test says that it was skipped.
#![expect(clippy::print_stdout, reason = "a test that is skipped says so")]
mod chromium;
mod colours;
mod pictures;
mod reading;
mod reports;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use chromium::{Chromium, installed};
use serde_json::{Value, json};

const WIDE: (u32, u32) = (1280, 900);
const NARROW: (u32, u32) = (390, 800);
const BETWEEN: (u32, u32) = (768, 900);

/// Largest size of a page in bytes.
const LARGEST: u64 = 25_000_000;

/// The page to look at, and whether it is the made-up one.
fn page() -> (PathBuf, bool) {
    if let Some(folder) = env::var_os("REPRODUCE_PAGE") {
        return (Path::new(&folder).join("index.html"), false);
    }
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("demo-page");
    let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
    // On the made-up page a claim fails, and a figure panics.
    let status = command.args(["reproduce", "--demo", "--quick", "--out"]).arg(&out).status().unwrap();
    assert_eq!(status.code(), Some(1));
    (out.join("index.html"), true)
}

/// The page has the figures that the command knows, in its order.
fn figures_are_those_of_the_list(browser: &mut Chromium, made_up: bool) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
    command.args(["reproduce", "--list", "--json"]).args(made_up.then_some("--demo"));
    let list: Value = serde_json::from_slice(&command.output().unwrap().stdout).unwrap();
    let known: Vec<&str> = list.as_array().unwrap().iter().map(|figure| figure["id"].as_str().unwrap()).collect();
    assert!(!known.is_empty());
    let shown = browser.value("[...document.querySelectorAll('main > section')].map((section) => section.id)");
    assert_eq!(shown, json!(known));
}

#[test]
fn every_figure_and_view_draws_without_a_complaint() {
    let Some(program) = installed() else {
        println!("skipped: no Chromium found (install it, or name it in the variable CHROMIUM)");
        return;
    };
    let (page, made_up) = page();
    let pictures = page.with_file_name("screenshots");
    fs::create_dir_all(&pictures).unwrap();
    assert!(fs::metadata(&page).unwrap().len() <= LARGEST, "the page is too large");
    let mut browser = Chromium::start(&program, "draw", true);
    let mut opened = false;
    for (look, (width, height), dark) in [("light-wide", WIDE, false), ("dark-narrow", NARROW, true)] {
        browser.look(width, height, dark);
        if !opened {
            browser.open(&page);
            figures_are_those_of_the_list(&mut browser, made_up);
            pictures::small_pictures_have_large_ones(&mut browser);
            opened = true;
        }
        pictures::stills_are_drawn(&mut browser);
        reading::fits(&mut browser, look);
        colours::series_can_be_told_apart(&mut browser, look);
        colours::texts_have_contrast(&mut browser, look);
        // All plots share one script, and are the same in each look: of the whole page one of each kind is opened,
        // once.
        let plots = if dark { 0 } else { pictures::plots_open(&mut browser, made_up, &pictures) };
        // Views share a script, too. All are drawn in the narrow look, where they are smallest.
        let views = pictures::views_draw(&mut browser, made_up || dark, &pictures, look);
        browser.value("scrollTo({ top: 0, behavior: 'instant' })");
        browser.picture([0.0, 0.0, width.into(), height.into()], false, &pictures.join(format!("{look}-top.png")));
        if env::var_os("REPRODUCE_SECTIONS").is_some() {
            pictures::photograph_sections(&mut browser, &pictures, look);
        }
        if !dark {
            reading::labels_are_whole(&mut browser);
            reading::is_accessible(&mut browser);
            reading::filters_filter(&mut browser);
            reading::links_lead_to_figures(&mut browser);
            browser.look(BETWEEN.0, BETWEEN.1, dark);
            reading::fits(&mut browser, "between");
        }
        println!("{look}: {plots} plots zoomed, {views} views turned");
        assert!(views > 0 && (dark || plots > 0), "nothing to look at");
    }
    assert!(browser.complaints.is_empty(), "{:#?}", browser.complaints);
    if made_up {
        browser.moves();
        browser.open(&page);
        reading::a_view_plays_once(&mut browser);
        let mut flat = Chromium::start(&program, "flat", false);
        flat.look(WIDE.0, WIDE.1, false);
        flat.open(&page);
        pictures::without_webgl(&mut flat);
    }
}
