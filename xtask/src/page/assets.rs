//! Parts embedded in the page: data of plots and views, style sheets and scripts.
use grains_pages::web::{self, Library};
use maud::{Markup, html};

use crate::run::Outcome;

const CSS: &str = include_str!("../../web/page.css");
/// Scripts of this page; libraries come from `web`.
const OWN: [&str; 2] = [include_str!("../../web/scenes.js"), include_str!("../../web/views.js")];

pub(super) fn style() -> Markup {
    html! { (web::math_font()) (web::style(CSS)) }
}

/// Returns the data of plots and views as JSON, then the libraries that they need, then the scripts that use both.
pub(super) fn scripts(outcomes: &[Outcome]) -> Markup {
    let finished = || outcomes.iter().filter_map(|outcome| outcome.result.as_ref().ok());
    let plots = || finished().flat_map(|f| &f.pictures).filter_map(|p| p.data.as_ref().map(|data| (&p.name, data)));
    let views = || finished().flat_map(|f| &f.views).map(|view| (&view.id, &view.data));
    let mut libraries = Vec::new();
    if plots().next().is_some() {
        libraries.push(Library::Plotly);
    }
    if views().next().is_some() {
        libraries.push(Library::Three);
    }
    html! {
        @for (name, data) in plots().chain(views()) { (web::data(name, data)) }
        (web::scripts(&libraries, &OWN))
    }
}

/// Returns the licence notices of the embedded libraries.
pub(super) fn notice() -> Markup {
    web::notice(&[Library::Plotly, Library::MathFont, Library::Three])
}
