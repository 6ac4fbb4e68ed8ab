//! Thumbnails of pictures. The browser scales the large pictures down, so that thumbnails need no data of their own.
use grains_pages::figure::anchor;
use maud::{Markup, html};

use crate::run::{Outcome, Picture};

/// Height in pixels of the title at the top of each picture. Thumbnails leave it out, since it would be illegible.
const TITLE: f64 = 34.0;

/// Returns the thumbnail of a picture, without its title and without a name for screen readers, since the title of the
/// figure is beside it.
pub(super) fn thumbnail(picture: &Picture) -> Markup {
    let [width, height] = ["width", "height"].map(|name| length(&picture.svg, name));
    html! {
        // Alignment at the top keeps the title out of the free space.
        svg.thumbnail viewBox={ "0 " (TITLE) " " (width) " " (height - TITLE) } preserveAspectRatio="xMidYMin meet" aria-hidden="true" {
            use href={ "#" (anchor(&picture.name)) } width=(width) height=(height) {}
        }
    }
}

/// Returns the first picture of a figure; `None` if it has no pictures or could not be computed.
pub(super) fn first(outcome: &Outcome) -> Option<&Picture> {
    outcome.result.as_ref().ok()?.pictures.first()
}

/// Reads the attribute `name` (`width` or `height`) in pixels from the start tag of an SVG text; 640 if it is missing.
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
