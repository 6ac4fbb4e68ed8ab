//! Pictures of the page shown once more, small: the browser draws them from the large ones, so they cost no bytes.
use grains_pages::figure::anchor;
use maud::{Markup, html};

use crate::run::finished::Picture;
use crate::run::outcome::Outcome;

/// Height of the title on top of each picture, which is too small to read in a thumbnail.
const TITLE: f64 = 34.0;

/// The picture without its title. It has no name of its own, since the name of the figure stands beside it.
pub(super) fn thumbnail(picture: &Picture) -> Markup {
    let [width, height] = ["width", "height"].map(|name| length(&picture.svg, name));
    html! {
        // The picture is aligned at the top, so that its title does not show in the space left free.
        svg.thumbnail viewBox={ "0 " (TITLE) " " (width) " " (height - TITLE) } preserveAspectRatio="xMidYMin meet" aria-hidden="true" {
            use href={ "#" (anchor(&picture.name)) } width=(width) height=(height) {}
        }
    }
}

/// The picture that stands for a figure: its first one.
pub(super) fn first(outcome: &Outcome) -> Option<&Picture> {
    outcome.result.as_ref().ok()?.pictures.first()
}

/// Length in pixels from the start tag; 640 if there is none. All our pictures have one.
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
