//! Tests that readers can tell colours apart: contrast by WCAG 2.1, differences by CIEDE2000, also for those who see no
//! green.
use palette::color_difference::{Ciede2000 as _, Wcag21RelativeContrast as _};
use palette::{IntoColor as _, Lab, LinSrgb, Srgb};
use serde_json::Value;

use crate::chromium::Chromium;

const OF_SERIES: f32 = 3.0;
const OF_TEXT: f32 = 4.5;
const APART: f32 = 15.0;

/// A colour as the browser computes it: `rgb(1, 2, 3)`.
fn colour(text: &Value) -> Srgb {
    let channels: Vec<f32> = text
        .as_str()
        .unwrap()
        .split(|letter: char| !letter.is_ascii_digit() && letter != '.')
        .filter(|part| !part.is_empty())
        .map(|part| part.parse::<f32>().unwrap() / 255.0)
        .collect();
    Srgb::new(channels[0], channels[1], channels[2])
}

/// A colour as seen without the pigment for green, by Machado, Oliveira and Fernandes (2009).
fn deuteranope(colour: Srgb) -> Srgb {
    let LinSrgb::<f32> { red, green, blue, .. } = colour.into_linear();
    let channel = |r: f32, g: f32, b: f32| (r * red + g * green + b * blue).clamp(0.0, 1.0);
    Srgb::from_linear(LinSrgb::new(
        channel(0.367_322, 0.860_646, -0.227_968),
        channel(0.280_085, 0.672_501, 0.047_413),
        channel(-0.011_820, 0.042_940, 0.968_881),
    ))
}

fn difference(a: Srgb, b: Srgb) -> f32 {
    let lab = |colour: Srgb| -> Lab { colour.into_color() };
    lab(a).difference(lab(b)).min(lab(deuteranope(a)).difference(lab(deuteranope(b))))
}

/// Script for the series in the still plots: colour, dashes and marker. A sample is a line of the legend or a marker.
const SERIES: &str = "[...document.querySelectorAll('figure[data-plot]')].map((figure) => {
    const data = page.data(figure.dataset.plot);
    const drawn = new Set([...figure.querySelectorAll('.still svg :is(polyline, circle, polygon, path)')]
        .flatMap((part) => { const style = getComputedStyle(part); return [style.stroke, style.fill]; }));
    const paper = getComputedStyle(figure.querySelector('.still svg rect')).fill;
    const series = data.series.filter((one) => !one.fill).map((one) => {
        const hex = parseInt(one.colours[page.isDark() ? 1 : 0].slice(1), 16);
        const colour = `rgb(${hex >> 16}, ${(hex >> 8) & 255}, ${hex & 255})`;
        const seen = drawn.has(colour) || !one.points.some((v) => v !== null);
        return { name: one.name, colour, seen, look: `${one.pattern} ${one.marker}` };
    });
    return { name: figure.dataset.plot, paper, series };
})";

/// Series stand out from the paper, and from each other unless dashes or markers tell them apart.
pub(crate) fn series_can_be_told_apart(browser: &mut Chromium, look: &str) {
    let plots = browser.value(SERIES);
    for plot in plots.as_array().unwrap() {
        let name = &plot["name"];
        let paper = colour(&plot["paper"]);
        let series = plot["series"].as_array().unwrap();
        for (k, one) in series.iter().enumerate() {
            assert_eq!(one["seen"], true, "{look}, {name}: {one} is drawn in another colour");
            let contrast = colour(&one["colour"]).relative_contrast(paper);
            assert!(contrast >= OF_SERIES, "{look}, {name}: {one} has a contrast of {contrast}");
            for other in series[..k].iter().filter(|other| other["look"] == one["look"]) {
                let apart = difference(colour(&one["colour"]), colour(&other["colour"]));
                assert!(apart >= APART, "{look}, {name}: {one} and {other} are {apart} apart");
            }
        }
    }
}

/// Script for each pair of colours of a text and of what is behind it, with the text.
const TEXTS: &str = "(() => {
    const behind = (element) => {
        for (let at = element; at; at = at.parentElement) {
            if (at.tagName === 'svg' && at.querySelector(':scope > rect')) return getComputedStyle(at.querySelector(':scope > rect')).fill;
            const colour = getComputedStyle(at).backgroundColor;
            if (colour !== 'rgba(0, 0, 0, 0)') return colour;
        }
        return getComputedStyle(document.body).backgroundColor;
    };
    const pairs = new Map();
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
        const element = walk.currentNode.parentElement, text = walk.currentNode.textContent.trim();
        if (!text || /^(SCRIPT|STYLE)$/i.test(element.tagName) || !element.checkVisibility({ visibilityProperty: true })) continue;
        const style = getComputedStyle(element);
        const ink = element.closest('svg') ? style.fill : style.color;
        if (ink === 'none' || ink.startsWith('url')) continue;
        pairs.set(`${ink} on ${behind(element)}`, { ink, paper: behind(element), text: text.slice(0, 60) });
    }
    return [...pairs.values()];
})()";

/// All texts have enough contrast to be read.
pub(crate) fn texts_have_contrast(browser: &mut Chromium, look: &str) {
    let pairs = browser.value(TEXTS);
    let pairs = pairs.as_array().unwrap();
    assert!(pairs.len() > 4, "{look}: {} pairs of colours", pairs.len());
    for pair in pairs {
        let contrast = colour(&pair["ink"]).relative_contrast(colour(&pair["paper"]));
        assert!(contrast >= OF_TEXT, "{look}: a contrast of {contrast}: {pair}");
    }
}
