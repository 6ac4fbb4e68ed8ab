//! Opens the reproduction page in headless Chromium: every figure and every view must draw, without an error in the
//! console and without a request, light and dark, wide and narrow.
//!
//! The page is that in the folder `REPRODUCE_PAGE`, else one of made-up figures. Screenshots go into the folder
//! `screenshots` beside the page. Without a browser the test says that it was skipped.
#![expect(clippy::print_stdout, reason = "a test that is skipped says so")]
mod chromium;
mod colours;
mod reading;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use chromium::{Chromium, installed};
use serde_json::Value;

const WIDE: (u32, u32) = (1280, 900);
const NARROW: (u32, u32) = (390, 800);
const BETWEEN: (u32, u32) = (768, 900);

/// Bytes that a page may have.
const LARGEST: u64 = 25_000_000;

/// Waits until the element's state is another one, without asking how long that took.
const SETTLED: &str = "(figure, from) => new Promise((done) => {
    const look = () => (figure.dataset.state === from ? requestAnimationFrame(look) : done(figure.dataset.state));
    look();
})";

/// The page to look at, and whether it is the made-up one.
fn page() -> (PathBuf, bool) {
    if let Some(folder) = env::var_os("REPRODUCE_PAGE") {
        return (Path::new(&folder).join("index.html"), false);
    }
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("demo-page");
    let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
    // A claim fails there, and a figure panics.
    let status = command.args(["reproduce", "--demo", "--quick", "--out"]).arg(&out).status().unwrap();
    assert_eq!(status.code(), Some(1));
    (out.join("index.html"), true)
}

fn ids(browser: &mut Chromium, selector: &str, key: &str) -> Vec<String> {
    let list = browser.value(&format!("[...document.querySelectorAll('{selector}')].map((e) => e.{key})"));
    list.as_array().unwrap().iter().map(|id| id.as_str().unwrap().to_owned()).collect()
}

/// The page has the figures that the command knows, in its order.
fn figures_are_those_of_the_list(browser: &mut Chromium, made_up: bool) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
    command.args(["reproduce", "--list", "--json"]).args(made_up.then_some("--demo"));
    let list: Value = serde_json::from_slice(&command.output().unwrap().stdout).unwrap();
    let known: Vec<&str> = list.as_array().unwrap().iter().map(|figure| figure["id"].as_str().unwrap()).collect();
    assert!(!known.is_empty());
    assert_eq!(ids(browser, "main section", "id"), known);
}

/// Heights of all views by name, in pixels.
fn heights(browser: &mut Chromium) -> Vec<(String, f64)> {
    let of_each = "[...document.querySelectorAll('figure[data-view]')].map((e) => e.getBoundingClientRect().height)";
    let heights = browser.value(of_each);
    let heights = heights.as_array().unwrap().iter().map(|height| height.as_f64().unwrap());
    ids(browser, "figure[data-view]", "dataset.view").into_iter().zip(heights).collect()
}

/// Every still picture is as large as it should be, and shows something.
fn stills_are_drawn(browser: &mut Chromium) {
    let empty = browser.value(
        "[...document.querySelectorAll('.still svg')].filter((svg) => {
            const box = svg.getBoundingClientRect();
            return box.width < 200 || box.height < 100 || svg.querySelectorAll('path, polyline, circle, text').length < 3;
        }).map((svg) => svg.getAttribute('aria-label'))",
    );
    assert_eq!(empty, Value::Array(Vec::new()));
}

/// Every plot opens for zooming, draws all its series, and closes again.
fn plots_open(browser: &mut Chromium, pictures: &Path) -> usize {
    let plots = ids(browser, "figure[data-plot]", "dataset.plot");
    for (k, name) in plots.iter().enumerate() {
        let figure = format!("document.querySelector('figure[data-plot=\"{name}\"]')");
        let state = browser.value(&format!(
            "(async () => {{ const figure = {figure}; figure.scrollIntoView({{ behavior: 'instant' }}); figure.querySelector('.zoom').click();
             const state = await ({SETTLED})(figure, 'still');
             const wanted = page.data('{name}').series.filter((series) => series.points.some((v) => v !== null)).length;
             return [state, wanted, figure.querySelectorAll('.scatterlayer .trace').length]; }})()"
        ));
        assert!(state[0] == "live" && state[2].as_u64() >= state[1].as_u64(), "{name}: {state}");
        if k % 12 == 0 {
            photograph(browser, &figure, false, &pictures.join(format!("zoom-{name}.png")));
        }
        let closed = browser.value(&format!(
            "(async () => {{ const figure = {figure}; figure.querySelector('.zoom').click();
             return await ({SETTLED})(figure, 'live'); }})()"
        ));
        assert_eq!(closed, "still", "{name}");
    }
    plots.len()
}

/// Every view draws more than one colour, at the start of its slider and in the middle.
fn views_draw(browser: &mut Chromium, pictures: &Path, look: &str) -> usize {
    let views = ids(browser, "figure[data-view]", "dataset.view");
    for name in &views {
        let figure = format!("document.querySelector('figure[data-view=\"{name}\"]')");
        let found = browser.value(&format!(
            "(async () => {{ const figure = {figure}; figure.scrollIntoView({{ block: 'center', behavior: 'instant' }});
             const state = await ({SETTLED})(figure, 'idle'); const first = figure.colours();
             const slider = figure.querySelector('input[type=range]');
             if (slider) {{ slider.value = slider.max / 3; slider.dispatchEvent(new Event('input')); }}
             return [state, first, figure.colours()]; }})()"
        ));
        let colours = |k: usize| found[k].as_u64().unwrap();
        assert!(found[0] == "drawn" && colours(1) > 8 && colours(2) > 8, "{name}: {found}");
        photograph(browser, &figure, false, &pictures.join(format!("{look}-view-{name}.png")));
    }
    views.len()
}

fn photograph(browser: &mut Chromium, element: &str, whole: bool, file: &Path) {
    let place = browser.value(&format!(
        "(() => {{ const box = {element}.getBoundingClientRect();
         return [box.left + scrollX, box.top + scrollY, box.width, box.height]; }})()"
    ));
    browser.picture(std::array::from_fn(|k| place[k].as_f64().unwrap()), whole, file);
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
    for (look, (width, height), dark) in [("light-wide", WIDE, false), ("dark-narrow", NARROW, true)] {
        browser.look(width, height, dark);
        browser.open(&page);
        figures_are_those_of_the_list(&mut browser, made_up);
        stills_are_drawn(&mut browser);
        reading::fits(&mut browser, look);
        colours::series_can_be_told_apart(&mut browser, look);
        colours::texts_have_contrast(&mut browser, look);
        let plots = if dark { 0 } else { plots_open(&mut browser, &pictures) };
        let before = heights(&mut browser);
        let views = views_draw(&mut browser, &pictures, look);
        let after = heights(&mut browser);
        assert_eq!(before.len(), after.len(), "{look}: as many views as before");
        for ((name, before), (same, after)) in before.iter().zip(after) {
            assert_eq!(*name, same, "{look}: views in their order");
            // Lines of text are no whole pixels high.
            assert!((after - before).abs() <= 1.0, "{look}: {name} moves the page when drawn: {before} to {after}");
        }
        // What a reader sees first. More than that would have all of the page drawn, which takes minutes.
        browser.value("scrollTo({ top: 0, behavior: 'instant' })");
        browser.picture([0.0, 0.0, width.into(), height.into()], false, &pictures.join(format!("{look}-top.png")));
        if env::var_os("REPRODUCE_SECTIONS").is_some() {
            for id in ids(&mut browser, "main section", "id") {
                let section = format!("document.getElementById('{id}')");
                browser.value(&format!("{section}.scrollIntoView({{ behavior: 'instant' }})"));
                photograph(&mut browser, &section, true, &pictures.join(format!("{look}-{id}.png")));
            }
        }
        if !dark {
            reading::labels_are_whole(&mut browser);
            reading::is_accessible(&mut browser);
            reading::filters_filter(&mut browser);
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
        without_webgl(&program, &page);
    }
}

/// Where there is no WebGL the page says so in place of the view, and keeps its still pictures.
fn without_webgl(program: &Path, page: &Path) {
    let mut browser = Chromium::start(program, "flat", false);
    browser.look(WIDE.0, WIDE.1, false);
    browser.open(page);
    let said = browser.value(&format!(
        "(async () => {{ const figure = document.querySelector('figure[data-view]');
         figure.scrollIntoView({{ behavior: 'instant' }});
         return [await ({SETTLED})(figure, 'idle'), figure.querySelector('.stage').textContent]; }})()"
    ));
    assert!(said[0] == "failed" && said[1].as_str().unwrap().contains("no WebGL"), "{said}");
    stills_are_drawn(&mut browser);
}
