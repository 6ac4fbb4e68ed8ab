//! Tests of what the page draws: still pictures, plots that open, views that turn.
use std::env;
use std::path::Path;

use serde_json::{Value, json};

use crate::chromium::Chromium;

/// Script that waits until the element's state is another one, without a limit of time.
pub(crate) const SETTLED: &str = "(figure, from) => new Promise((done) => {
    const look = () => { if (figure.dataset.state !== from) { watch.disconnect(); done(figure.dataset.state); } };
    const watch = new MutationObserver(look);
    watch.observe(figure, { attributeFilter: ['data-state'] });
    look();
})";

/// Every still picture is as large as it should be, and shows something.
pub(crate) fn stills_are_drawn(browser: &mut Chromium) {
    let empty = browser.value(
        "[...document.querySelectorAll('.still svg')].filter((svg) => {
            const box = svg.getBoundingClientRect();
            return box.width < 200 || box.height < 100 || svg.querySelectorAll('path, polyline, circle, text').length < 3;
        }).map((svg) => svg.getAttribute('aria-label'))",
    );
    assert_eq!(empty, json!([]));
}

/// Every small picture refers to a large one that is drawn: without the large one its gradients are missing.
pub(crate) fn small_pictures_have_large_ones(browser: &mut Chromium) {
    let gone = browser.value(
        "[...document.querySelectorAll('use')].map((use) => use.getAttribute('href')).filter(
            (of) => !document.querySelector(of)?.checkVisibility({ contentVisibilityAuto: true }))",
    );
    assert_eq!(gone, json!([]));
}

/// Checks that the numbers of every plot are such as the script takes: pairs, and colours for both themes. Returns the
/// names of plots, one for each kind of plot, or all of them.
fn plots(browser: &mut Chromium, all: bool) -> Vec<String> {
    let plots = browser.value(&format!(
        "(() => {{
            const kinds = new Map(), wrong = [], names = [];
            for (const figure of document.querySelectorAll('figure[data-plot]')) {{
                const name = figure.dataset.plot, data = page.data(name);
                const kind = [data.x.log, data.y.log, ...['line', 'fill', 'bars', 'pattern', 'marker'].map((key) => data.series.some((one) => one[key])),
                    ...['level', 'upright', 'ends'].map((key) => data.guides.some((guide) => guide[key] !== undefined))].join();
                const fits = data.series.every((one) => one.points.length % 2 === 0 && one.colours.length === 2 && one.points.every((v) => v === null || Number.isFinite(v)));
                if (!fits || figure.querySelectorAll('.zoom:not([hidden])').length !== 1) wrong.push(name);
                if ({all} || !kinds.has(kind)) names.push(name);
                kinds.set(kind, name);
            }}
            return {{ wrong, names }};
        }})()"
    ));
    assert_eq!(plots["wrong"], json!([]));
    plots["names"].as_array().unwrap().iter().map(|name| name.as_str().unwrap().to_owned()).collect()
}

/// Plots open for zooming, draw all their series, and close again: all plots, or one of each kind.
pub(crate) fn plots_open(browser: &mut Chromium, all: bool, pictures: &Path) -> usize {
    let plots = plots(browser, all);
    for (k, name) in plots.iter().enumerate() {
        let figure = format!("document.querySelector('figure[data-plot=\"{name}\"]')");
        let turn = |from: &str| {
            format!("figure.querySelector('.zoom').click(); const {from} = await ({SETTLED})(figure, '{from}');")
        };
        let opened = browser.value(&format!(
            "(async () => {{ const figure = {figure}; figure.scrollIntoView({{ behavior: 'instant' }}); {}
             const wanted = page.data('{name}').series.filter((series) => series.points.some((v) => v !== null)).length;
             return [still, wanted, figure.querySelectorAll('.scatterlayer .trace').length]; }})()",
            turn("still")
        ));
        assert!(opened[0] == "live" && opened[2].as_u64() >= opened[1].as_u64(), "{name}: {opened}");
        if k == 0 || env::var_os("REPRODUCE_SECTIONS").is_some() {
            photograph(browser, &figure, false, &pictures.join(format!("zoom-{name}.png")));
        }
        let closed =
            browser.value(&format!("(async () => {{ const figure = {figure}; {} return live; }})()", turn("live")));
        assert_eq!(closed, "still", "{name}");
    }
    plots.len()
}

/// Views draw more than one colour, at the start of their slider and in the middle, and keep their height: all views,
/// or one of each kind.
pub(crate) fn views_draw(browser: &mut Chromium, all: bool, pictures: &Path, look: &str) -> usize {
    let views = browser.value(&format!(
        "(() => {{ const kinds = new Set();
         return [...document.querySelectorAll('figure[data-view]')].filter((figure) => {all} || !kinds.has(figure.dataset.kind) && kinds.add(figure.dataset.kind))
             .map((figure) => figure.dataset.view); }})()"
    ));
    let views: Vec<&str> = views.as_array().unwrap().iter().map(|view| view.as_str().unwrap()).collect();
    for name in &views {
        let figure = format!("document.querySelector('figure[data-view=\"{name}\"]')");
        let found = browser.value(&format!(
            "(async () => {{ const figure = {figure}, height = () => figure.getBoundingClientRect().height;
             const before = height(); figure.scrollIntoView({{ block: 'center', behavior: 'instant' }});
             const state = await ({SETTLED})(figure, 'idle'); const first = figure.colours();
             const slider = figure.querySelector('input[type=range]');
             if (slider) {{ slider.value = slider.max / 3; slider.dispatchEvent(new Event('input')); }}
             return [state, first, slider ? figure.colours() : first, height() - before]; }})()"
        ));
        let colours = |k: usize| found[k].as_u64().unwrap();
        assert!(found[0] == "drawn" && colours(1) > 8 && colours(2) > 8, "{look}, {name}: {found}");
        // Lines of text are not whole pixels high.
        assert!(found[3].as_f64().unwrap().abs() <= 1.0, "{look}: {name} moves the page when drawn: {found}");
        if env::var_os("REPRODUCE_SECTIONS").is_some() {
            photograph(browser, &figure, false, &pictures.join(format!("{look}-view-{name}.png")));
        }
    }
    views.len()
}

/// Without WebGL the page says so in place of the view, and keeps its still pictures.
pub(crate) fn without_webgl(browser: &mut Chromium) {
    let said: Value = browser.value(&format!(
        "(async () => {{ const figure = document.querySelector('figure[data-view]');
         figure.scrollIntoView({{ behavior: 'instant' }});
         return [await ({SETTLED})(figure, 'idle'), figure.querySelector('.stage').textContent]; }})()"
    ));
    assert!(said[0] == "failed" && said[1].as_str().unwrap().contains("no WebGL"), "{said}");
    stills_are_drawn(browser);
}

/// Takes a picture of every section, into the folder.
pub(crate) fn photograph_sections(browser: &mut Chromium, pictures: &Path, look: &str) {
    let ids = browser.value("[...document.querySelectorAll('main > section')].map((section) => section.id)");
    for id in ids.as_array().unwrap().iter().map(|id| id.as_str().unwrap()) {
        let section = format!("document.getElementById('{id}')");
        browser.value(&format!("{section}.scrollIntoView({{ behavior: 'instant' }})"));
        photograph(browser, &section, true, &pictures.join(format!("{look}-{id}.png")));
    }
}

fn photograph(browser: &mut Chromium, element: &str, whole: bool, file: &Path) {
    let place = browser.value(&format!(
        "(async () => {{ const frame = () => new Promise((done) => requestAnimationFrame(done));
         await frame(); await frame();
         const box = {element}.getBoundingClientRect();
         return [box.left + scrollX, box.top + scrollY, box.width, box.height]; }})()"
    ));
    browser.picture(std::array::from_fn(|k| place[k].as_f64().unwrap()), whole, file);
}
