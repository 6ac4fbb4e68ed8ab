//! Thumbnails: the browser scales the large pictures, so that thumbnails need no data.
use grains_pages::figure::anchor;
use maud::{Markup, html};

use crate::run::finished::Picture;
use crate::run::outcome::Outcome;

/// Height of the title above each picture, which would be illegible in a thumbnail.
const TITLE: f64 = 34.0;

/// Returns the picture without its title, and without a name, since the figure's name is beside it.
pub(super) fn thumbnail(picture: &Picture) -> Markup {
    let [width, height] = ["width", "height"].map(|name| length(&picture.svg, name));
    html! {
        // Alignment at the top keeps the title out of the free space.
        svg.thumbnail viewBox={ "0 " (TITLE) " " (width) " " (height - TITLE) } preserveAspectRatio="xMidYMin meet" aria-hidden="true" {
            use href={ "#" (anchor(&picture.name)) } width=(width) height=(height) {}
        }
    }
}

/// Returns the first picture of a figure.
pub(super) fn first(outcome: &Outcome) -> Option<&Picture> {
    outcome.result.as_ref().ok()?.pictures.first()
}

/// Reads a length in pixels from the start tag; 640 if missing. All our pictures have one.
fn length(svg: &str, name: &str) -> f64 {
    let start = svg.split('>').next().unwrap_or_default();
    let value = start.split(&format!(" {name}=\"")).nth(1).and_then(|rest| rest.split('"').next());
    value.and_then(|value| value.parse().ok()).unwrap_or(640.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::made_up;

    #[test]
    fn a_thumbnail_refers_to_the_picture_and_leaves_its_title_out() {
        let outcomes = made_up::outcomes();
        let picture = first(&outcomes[0]).unwrap();
        let text = thumbnail(picture).into_string();
        assert!(text.contains("href=\"#picture-demo-order-error\"") && text.contains("viewBox=\"0 34 "), "{text}");
    }
}
