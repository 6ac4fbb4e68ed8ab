//! Style, scripts and libraries, all inside the page.
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use maud::{Markup, PreEscaped, html};

use crate::run::outcome::Outcome;

/// Content security policy: scripts and styles of the page itself, and nothing from elsewhere.
pub(super) const POLICY: &str = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; font-src data:; form-action 'none'";

const CSS: &str = include_str!("../../web/page.css");
const OWN: [&str; 4] = [
    include_str!("../../web/theme.js"),
    include_str!("../../web/plots.js"),
    include_str!("../../web/scenes.js"),
    include_str!("../../web/views.js"),
];
const PLOTLY: &str = include_str!("../../web/vendor/plotly-basic.min.js");
const THREE: &str = include_str!("../../web/vendor/three.min.js");
const MATH: &[u8] = include_bytes!("../../web/vendor/latinmodern-math-subset.woff2");
const LICENSES: [(&str, &str); 3] = [
    ("plotly.js (basic bundle)", include_str!("../../web/vendor/plotly.LICENSE")),
    ("Latin Modern Math", include_str!("../../web/vendor/latinmodern-math.LICENSE")),
    ("three.js", include_str!("../../web/vendor/three.LICENSE")),
];

pub(super) fn style() -> Markup {
    let font = BASE64_STANDARD.encode(MATH);
    let face = format!("@font-face{{font-family:\"Page Math\";src:url(data:font/woff2;base64,{font})}}");
    html! { style { (PreEscaped(face)) (PreEscaped(CSS)) } }
}

/// Data of plots and views as JSON, then the libraries that some of them need, then the scripts that connect both.
pub(super) fn scripts(outcomes: &[Outcome]) -> Markup {
    let finished = || outcomes.iter().filter_map(|outcome| outcome.result.as_ref().ok());
    let plots = || finished().flat_map(|f| &f.pictures).filter_map(|p| p.data.as_ref().map(|data| (&p.name, data)));
    let views = || finished().flat_map(|f| &f.views).map(|view| (&view.id, &view.data));
    html! {
        @for (name, data) in plots().chain(views()) {
            script type="application/json" id={ "data-" (name) } { (PreEscaped(data.replace('<', "\\u003c"))) }
        }
        @if plots().next().is_some() { (script(PLOTLY)) }
        @if views().next().is_some() { (script(THREE)) }
        @for own in OWN { (script(own)) }
    }
}

/// Licences of the libraries.
pub(super) fn notice() -> Markup {
    html! {
        details {
            summary { "Licences of the libraries in this page" }
            @for (name, text) in LICENSES { h3 { (name) } pre { (text) } }
        }
    }
}

fn script(text: &str) -> Markup {
    html! { script { (PreEscaped(text.replace("</script", "<\\/script"))) } }
}
