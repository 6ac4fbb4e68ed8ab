//! Equations as `MathML`, which browsers show without scripts.
use maud::{Markup, PreEscaped, html};
use pulldown_latex::{Parser, RenderConfig, Storage, config::DisplayMode, push_mathml};

use grains_pages::plot::notation;

/// Converts an equation from LaTeX to `MathML` on a line of its own. Text that is not LaTeX is shown unchanged.
pub(super) fn display(latex: &str) -> Markup {
    mathml(latex, DisplayMode::Block)
}

/// Returns a sentence as HTML in which variables are slanted.
pub(super) fn text(sentence: &str) -> Markup {
    html! { (PreEscaped(notation::html(sentence))) }
}

fn mathml(latex: &str, display_mode: DisplayMode) -> Markup {
    let storage = Storage::new();
    let config = RenderConfig { display_mode, ..RenderConfig::default() };
    let mut out = String::new();
    // An error in an equation is shown in red. Writing to a string never fails.
    match push_mathml(&mut out, Parser::new(latex, &storage), config) {
        Ok(()) => html! { (PreEscaped(out)) },
        Err(_) => html! { code { (latex) } },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::papers::PAPERS;

    #[test]
    fn every_paper_has_an_equation_that_is_latex() {
        for paper in &PAPERS {
            let text = display(paper.equation).into_string();
            assert!(text.starts_with("<math") && !text.contains("merror"), "{}: {text}", paper.key);
        }
    }
}
