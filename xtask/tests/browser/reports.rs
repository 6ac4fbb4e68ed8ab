//! Pages of `grains report`: plots have titles, units and data, which can be saved; maps draw; views draw, play and are
//! cut; nothing complains.
//!
//! The pages are the `.html` files in the folder `REPORTS`; without it the test says that it was skipped.

use std::path::{Path, PathBuf};
use std::{env, fs};

use serde_json::json;

use crate::chromium::{Chromium, installed};
use crate::{NARROW, WIDE, reading};

/// Largest size of a page of a run in bytes.
const LARGEST: u64 = 60_000_000;

/// Waits until a view has drawn the frame of this number, and returns its state, the frame, how many colours the picture
/// has, and a number of all its pixels.
const COLOURS: &str = "const seen = async (stage, wanted) => {
    const drawn = () => stage.dataset.state === 'live' && (wanted === null || stage.dataset.frame === String(wanted));
    for (let k = 0; k < 600 && !drawn(); k += 1) await new Promise((done) => setTimeout(done, 50));
    const copy = document.createElement('canvas');
    [copy.width, copy.height] = [120, 90];
    const context = copy.getContext('2d');
    // The buffer of the stage is kept for one task only; this is drawn anew.
    context.drawImage(stage.view.picture(), 0, 0, 120, 90);
    const pixels = new Uint32Array(context.getImageData(0, 0, 120, 90).data.buffer);
    return [stage.dataset.state, stage.dataset.frame, new Set(pixels).size, pixels.reduce((sum, pixel) => (31 * sum + pixel) | 0, 0)];
};";

fn pages() -> Vec<PathBuf> {
    let Some(folder) = env::var_os("REPORTS") else { return Vec::new() };
    let mut pages: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    pages.retain(|path| path.extension().is_some_and(|ending| ending == "html"));
    pages.sort();
    assert!(!pages.is_empty(), "no page in REPORTS");
    pages
}

/// Every plot has a title, both labels and a finite point.
fn plots_have_data(browser: &mut Chromium, page: &Path) {
    let empty = browser.value(
        "[...document.querySelectorAll('figure[data-plot]')].map((figure) => page.data(figure.dataset.plot)).filter((data) =>
            !data.title || !data.x.label || !data.y.label || !data.series.some((one) => one.points.some((v) => v !== null)))
         .map((data) => data.title)",
    );
    assert_eq!(empty, json!([]), "{}", page.display());
    let count = browser.value("document.querySelectorAll('figure[data-plot]').length");
    assert!(count.as_u64() > Some(3), "{}: {count} plots", page.display());
}

/// One plot becomes interactive.
fn a_plot_opens(browser: &mut Chromium) {
    let state = browser.value(
        "(async () => {
            const figure = document.querySelector('figure[data-plot]');
            figure.querySelector('.zoom').click();
            for (let k = 0; k < 200 && figure.dataset.state !== 'live'; k += 1) await new Promise((done) => setTimeout(done, 50));
            return [figure.dataset.state, figure.querySelectorAll('.live .scatterlayer path').length > 0];
        })()",
    );
    assert_eq!(state, json!(["live", true]));
}

/// The file of each plot has a head with the unit, and the numbers of the plot in their order.
fn plots_can_be_saved(browser: &mut Chromium, page: &Path) {
    let wrong = browser.value(
        "(async () => {
            const click = HTMLAnchorElement.prototype.click, make = URL.createObjectURL, wrong = [];
            let name, blob;
            HTMLAnchorElement.prototype.click = function () { name = this.download; };
            URL.createObjectURL = (given) => { blob = given; return make(given); };
            for (const figure of document.querySelectorAll('figure[data-plot]')) {
                const data = page.data(figure.dataset.plot);
                figure.querySelector('.csv').click();
                const [head, ...lines] = (await blob.text()).trim().split('\\n');
                const fields = lines.map((line) => line.split(','));
                const given = data.series.map((one) => one.points.filter((v, k) => k % 2 === 1 && one.points[k - 1] !== null));
                const found = head.startsWith('series,') ? fields.map((row) => Number(row[row.length - 1]))
                    : data.series.flatMap((_, k) => fields.map((row) => Number(row[k + 1])));
                const unit = /\\[.*\\]$/.exec(data.y.label);
                const has = (!unit || head.includes(unit[0])) && name.endsWith('.csv') && name.length > 5;
                if (!has || JSON.stringify(found) !== JSON.stringify(given.flat())) wrong.push([data.title, head, name]);
            }
            HTMLAnchorElement.prototype.click = click;
            URL.createObjectURL = make;
            return wrong;
        })()",
    );
    assert_eq!(wrong, json!([]), "{}", page.display());
}

/// Every map is drawn in several colours, and another field looks different. Returns how many maps there are.
fn maps_draw(browser: &mut Chromium, page: &Path) -> usize {
    let found = browser.value(
        "[...document.querySelectorAll('figure[data-map]')].map((figure) => {
            const canvas = figure.querySelector('canvas'), choice = figure.querySelector('select');
            const pixels = () => new Uint32Array(canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.buffer);
            const sum = () => pixels().reduce((sum, pixel) => (31 * sum + pixel) | 0, 0);
            const first = sum(), colours = new Set(pixels()).size;
            choice.value = choice.options.length - 1;
            choice.dispatchEvent(new Event('change'));
            return [figure.dataset.state, colours > 20, choice.options.length > 3, sum() !== first, figure.querySelectorAll('.ticks span').length > 1];
        })",
    );
    let maps = found.as_array().unwrap();
    for map in maps {
        assert_eq!(*map, json!(["live", true, true, true, true]), "{}", page.display());
    }
    maps.len()
}

/// A view draws its last frame in many colours; the slider shows the first one; it plays, and can be cut.
fn a_view_draws(browser: &mut Chromium, page: &Path) {
    let found = browser.value(&format!(
        "(async () => {{
            {COLOURS}
            const view = document.querySelector('[data-grains]'), stage = view.querySelector('.stage');
            view.scrollIntoView({{ behavior: 'instant' }});
            // Controls come when the view opens.
            await seen(stage, null);
            const slider = view.querySelector('input[type=range]');
            const last = await seen(stage, slider.max);
            slider.value = 0;
            slider.dispatchEvent(new Event('input'));
            const first = await seen(stage, 0);
            [...view.querySelectorAll('button')].find((button) => button.textContent.includes('play')).click();
            for (let k = 0; k < 400 && stage.dataset.frame === '0'; k += 1) await new Promise((done) => setTimeout(done, 50));
            const played = stage.dataset.frame !== '0';
            [...view.querySelectorAll('button')].find((button) => button.textContent.includes('pause')).click();
            await stage.view.settled();
            const whole = await seen(stage, null);
            const cut = [...view.querySelectorAll('select')].find((select) => select.options[0].textContent === 'nothing');
            cut.value = cut.options[1].value;
            cut.dispatchEvent(new Event('change'));
            await stage.view.settled();
            await new Promise((done) => setTimeout(done, 400));
            const half = await seen(stage, null);
            return [last[0], first[0], last[2] > 20, first[2] > 20, played, whole[2] > 20, half[3] !== whole[3],
                document.body.querySelectorAll('b').length];
        }})()"
    ));
    // No element comes from the title of `crushed.toml`, which is markup.
    assert_eq!(found, json!(["live", "live", true, true, true, true, true, 0]), "{}", page.display());
}

/// Force chains and bonds are drawn alone, and are cut as grains are. Returns how many of them the frames have.
fn lines_are_drawn_and_cut(browser: &mut Chromium, page: &Path) -> usize {
    let found = browser.value(&format!(
        "(async () => {{
            {COLOURS}
            const view = document.querySelector('[data-grains]'), stage = view.querySelector('.stage');
            const boxes = [...view.querySelectorAll('input[type=checkbox]')];
            const cut = [...view.querySelectorAll('select')].find((select) => select.options[0].textContent === 'nothing');
            // The last frame has contacts.
            await stage.view.show(Infinity);
            const only = async (wanted, axis) => {{
                boxes.filter((box) => box.checked !== (box === wanted)).forEach((box) => box.click());
                cut.value = axis;
                cut.dispatchEvent(new Event('change'));
                await stage.view.settled();
                return seen(stage, null);
            }};
            const begin = boxes.filter((box) => box.checked), found = [];
            const lines = boxes.filter((box) => !['grains', 'walls'].includes(box.parentElement.textContent));
            const empty = await only(null, '');
            for (const box of lines) {{
                const [whole, half] = [await only(box, ''), await only(box, '0')];
                found.push([whole[3] !== empty[3], half[3] !== whole[3], half[3] !== empty[3]]);
            }}
            await only(null, '');
            begin.forEach((box) => box.click());
            await stage.view.settled();
            return found;
        }})()"
    ));
    let found = found.as_array().unwrap().clone();
    assert!(found.iter().all(|lines| *lines == json!([true, true, true])), "{}: {found:?}", page.display());
    found.len()
}

/// Columns that name things have a legend, and others a colour bar. The axes turn with the camera.
fn names_have_a_legend_and_axes_turn(browser: &mut Chromium, page: &Path) {
    let found = browser.value(&format!(
        "(async () => {{
            {COLOURS}
            const view = document.querySelector('[data-grains]'), stage = view.querySelector('.stage');
            const colour = view.querySelectorAll('.row')[1].querySelector('select'), first = colour.value, legends = {{}};
            for (const option of colour.options) {{
                colour.value = option.value;
                colour.dispatchEvent(new Event('change'));
                await stage.view.settled();
                const [names, bars] = ['.legend .swatch', '.viridis'].map((part) => view.querySelectorAll(part).length);
                legends[option.textContent.split(' (')[0]] = [names > 0, bars];
            }}
            colour.value = first;
            colour.dispatchEvent(new Event('change'));
            await stage.view.settled();
            const boxes = [...view.querySelectorAll('input:checked')];
            boxes.forEach((box) => box.click());
            await stage.view.settled();
            const before = await seen(stage, null);
            stage.view.turn(1);
            const after = await seen(stage, null);
            boxes.forEach((box) => box.click());
            return [legends, stage.querySelectorAll('canvas').length, after[3] !== before[3]];
        }})()"
    ));
    let legends = found[0].as_object().unwrap();
    for name in ["speed", "diameter", "age"] {
        assert_eq!(legends[name], json!([false, 1]), "{}: {legends:?}", page.display());
    }
    let named = legends.iter().filter(|(name, _)| ["material", "group", "fragment"].contains(&name.as_str()));
    assert!(named.clone().count() > 0 && named.clone().all(|(_, legend)| *legend == json!([true, 0])), "{legends:?}");
    // Nothing lies over the picture, and without grains and walls it has the axes.
    assert_eq!((&found[1], &found[2]), (&json!(1), &json!(true)), "{}", page.display());
}

#[test]
fn pages_of_runs_draw_without_a_complaint() {
    let (Some(program), pages) = (installed(), pages()) else {
        println!("skipped: no Chromium found (install it, or name it in the variable CHROMIUM)");
        return;
    };
    if pages.is_empty() {
        println!("skipped: no folder of pages in the variable REPORTS");
        return;
    }
    let mut browser = Chromium::start(&program, "reports", true);
    let mut maps = 0;
    let mut lines = 0;
    for page in pages {
        assert!(fs::metadata(&page).unwrap().len() <= LARGEST, "{} is too large", page.display());
        for (look, (width, height), dark) in [("light-wide", WIDE, false), ("dark-narrow", NARROW, true)] {
            browser.look(width, height, dark);
            browser.open(&page);
            plots_have_data(&mut browser, &page);
            maps += maps_draw(&mut browser, &page);
            reading::fits(&mut browser, look);
            a_view_draws(&mut browser, &page);
            let picture = page.with_extension(format!("{look}.png"));
            browser.picture([0.0, 0.0, width.into(), height.into()], false, &picture);
            if !dark {
                plots_can_be_saved(&mut browser, &page);
                lines = lines.max(lines_are_drawn_and_cut(&mut browser, &page));
                names_have_a_legend_and_axes_turn(&mut browser, &page);
                a_plot_opens(&mut browser);
                reading::labels_are_whole(&mut browser);
            }
        }
    }
    assert!(maps > 0, "no page has a map");
    // `crushed.toml` has contacts and bonds.
    assert_eq!(lines, 2);
    assert!(browser.complaints.is_empty(), "{:#?}", browser.complaints);
}
