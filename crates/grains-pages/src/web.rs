//! Style, scripts and libraries of self-contained pages.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use maud::{Markup, PreEscaped, html};

/// Content security policy of a page: its own scripts and styles, no external content.
pub const POLICY: &str = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; font-src data:; form-action 'none'";

const BASE_STYLE: &str = include_str!("../web/base.css");
/// Script with the colours, number formats and data that all other scripts of a page use; it must precede them.
const THEME: &str = include_str!("../web/theme.js");
const PLOTS: &str = include_str!("../web/plots.js");
const PLOTLY: &str = include_str!("../web/vendor/plotly-basic.min.js");
const THREE: &str = include_str!("../web/vendor/three.min.js");
const MATH: &[u8] = include_bytes!("../web/vendor/latinmodern-math-subset.woff2");
const PLOTLY_LICENSE: &str = include_str!("../web/vendor/plotly.LICENSE");
const THREE_LICENSE: &str = include_str!("../web/vendor/three.LICENSE");
const MATH_LICENSE: &str = include_str!("../web/vendor/latinmodern-math.LICENSE");

/// A library embedded in a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Library {
    /// plotly.js, for zooming and reading values of plots.
    Plotly,
    /// The parts of three.js that views use.
    Three,
    /// The font Latin Modern Math, for equations.
    MathFont,
}

impl Library {
    fn name(self) -> &'static str {
        match self {
            Self::Plotly => "plotly.js (basic bundle)",
            Self::Three => "three.js",
            Self::MathFont => "Latin Modern Math",
        }
    }

    fn license(self) -> &'static str {
        match self {
            Self::Plotly => PLOTLY_LICENSE,
            Self::Three => THREE_LICENSE,
            Self::MathFont => MATH_LICENSE,
        }
    }
}

/// Returns the common style of all pages, followed by the page's own rules `css`.
#[must_use]
pub fn style(css: &str) -> Markup {
    html! { style { (PreEscaped(BASE_STYLE)) (PreEscaped(css)) } }
}

/// Returns the font of equations as a style element.
#[must_use]
pub fn math_font() -> Markup {
    let font = BASE64_STANDARD.encode(MATH);
    html! { style { (PreEscaped(format!("@font-face{{font-family:\"Page Math\";src:url(data:font/woff2;base64,{font})}}"))) } }
}

/// Returns an element with JSON data for scripts, which find the element by `name`. The character `<` is escaped, so
/// that no text in the data can end the element.
#[must_use]
pub fn data(name: &str, json: &str) -> Markup {
    html! { script type="application/json" id={ "data-" (name) } { (PreEscaped(json.replace('<', "\\u003c"))) } }
}

/// Returns the scripts of a page: libraries, common scripts, and the page's own scripts.
#[must_use]
pub fn scripts(libraries: &[Library], own: &[&str]) -> Markup {
    let has = |library| libraries.contains(&library);
    html! {
        @if has(Library::Plotly) { (script(PLOTLY)) }
        @if has(Library::Three) { (script(THREE)) }
        (script(THEME))
        @if has(Library::Plotly) { (script(PLOTS)) }
        @for text in own { (script(text)) }
    }
}

/// Returns the licences of the libraries in a page.
#[must_use]
pub fn notice(libraries: &[Library]) -> Markup {
    html! {
        details {
            summary { "Licences of the libraries in this page" }
            @for library in libraries { h3 { (library.name()) } pre { (library.license()) } }
        }
    }
}

fn script(text: &str) -> Markup {
    html! { script { (PreEscaped(text.replace("</script", "<\\/script"))) } }
}
