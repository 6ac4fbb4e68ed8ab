//! Elements of a view in a page.

use maud::{Markup, html};

use super::View;
use crate::web;

impl View {
    /// Returns the figure of the view: the element in which scripts draw the grains, its controls, and the numbers of
    /// omitted frames and contacts.
    #[must_use]
    pub fn markup(&self) -> Markup {
        html! {
            figure.grains data-grains=(self.name) {
                figcaption { (self.title) }
                @if self.frames() == 0 {
                    p.faint { "There are no frames to show." }
                } @else {
                    div.stage data-state="idle" { p { "The frames are drawn by scripts, which are switched off." } }
                    div.controls {}
                    @if self.frames() < self.pushed() {
                        p.faint { (self.frames()) " of " (self.pushed()) " frames are here: more would make the page too large." }
                    }
                }
            }
        }
    }

    /// Returns the element with the description of the frames, which the scripts read.
    #[must_use]
    pub fn data(&self) -> Markup {
        web::data(&self.name, &self.description())
    }

    /// Iterates over the elements with compressed frames, so that a page can be written without a second copy of all
    /// frames. The elements must precede the scripts.
    pub fn blocks(&self) -> impl Iterator<Item = Markup> {
        self.store.blocks().map(|(number, text)| {
            html! { script type="text/plain" id={ "block-" (self.name) "-" (number) } { (text) } }
        })
    }
}
