//! Pictures inside the page: with an anchor, and with their styles in one place.
//!
//! A file stands alone and brings its own style. A hundred such styles on one page would be matched with every line of
//! every picture, and its first drawing would take seconds.
use maud::{Markup, PreEscaped, html};

use crate::run::finished::Picture;
use crate::run::outcome::Outcome;

const OPEN: &str = "<style>";
const CLOSE: &str = "</style>";

/// The anchor of a picture's SVG element.
pub(super) fn anchor(picture: &Picture) -> String {
    format!("picture-{}", picture.name.trim_end_matches(".svg"))
}

/// The SVG element with its anchor, without its style.
pub(super) fn element(picture: &Picture) -> Markup {
    let svg = picture.svg.replacen("<svg ", &format!("<svg id=\"{}\" ", anchor(picture)), 1);
    html! { (PreEscaped(apart(&svg).0)) }
}

/// The styles of all pictures, each once.
pub(super) fn styles(outcomes: &[Outcome]) -> Markup {
    let mut styles: Vec<String> = Vec::new();
    let finished = outcomes.iter().filter_map(|outcome| outcome.result.as_ref().ok());
    for style in finished.flat_map(|finished| &finished.pictures).flat_map(|picture| apart(&picture.svg).1) {
        if !styles.contains(&style) {
            styles.push(style);
        }
    }
    html! { @for style in &styles { style { (PreEscaped(style)) } } }
}

/// Splits a document into the document without styles, and the styles.
fn apart(svg: &str) -> (String, Vec<String>) {
    let mut rest = svg;
    let mut styles = Vec::new();
    let mut out = String::with_capacity(svg.len());
    while let Some((before, (style, after))) = rest.split_once(OPEN).and_then(|(a, b)| Some((a, b.split_once(CLOSE)?)))
    {
        out.push_str(before);
        styles.push(style.to_owned());
        rest = after;
    }
    out.push_str(rest);
    (out, styles)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::made_up;

    #[test]
    fn a_style_that_pictures_share_is_on_the_page_once() {
        let outcomes = made_up::outcomes();
        let pictures: Vec<&Picture> =
            outcomes.iter().filter_map(|outcome| outcome.result.as_ref().ok()).flat_map(|f| &f.pictures).collect();
        let plots = pictures.iter().filter(|picture| picture.data.is_some()).count();
        let styles = styles(&outcomes).into_string();
        assert!(plots > 0 && styles.matches(".plot .variable{").count() == 1, "{plots} plots: {styles}");
        for picture in pictures {
            let text = element(picture).into_string();
            assert!(picture.svg.contains(OPEN) && !text.contains("style>") && text.contains("<svg id=\"picture-"));
        }
    }
}
