//! Plots inside a page: SVG elements with anchors, common styles, and buttons that make plots interactive.
//!
//! An SVG file has its own style element. In a page with a hundred plots the browser would match each of these styles
//! with every line of every plot, and the first display would take seconds; so a page has the styles only once.

use maud::{Markup, PreEscaped, html};

use crate::error::PlotError;
use crate::plot::Plot;
use crate::web;

const OPEN: &str = "<style>";
const CLOSE: &str = "</style>";

/// A plot drawn for a page: its name in the page, its picture and its numbers.
#[derive(Debug, Clone)]
pub struct Figure {
    name: String,
    svg: String,
    data: String,
}

impl Figure {
    /// Draws a plot for a page; `name` must be unique on the page.
    ///
    /// # Errors
    /// Errors of [`Plot::svg`].
    pub fn new(name: impl Into<String>, plot: &Plot) -> Result<Self, PlotError> {
        Ok(Self { name: name.into(), svg: plot.svg()?, data: plot.data().to_string() })
    }

    /// Returns the figure: its static picture, a button that makes the plot interactive, and a button that saves its
    /// numbers.
    #[must_use]
    pub fn markup(&self) -> Markup {
        interactive(&self.name, &self.svg)
    }

    /// Returns the element with the numbers of the plot as JSON, which the page's scripts read.
    #[must_use]
    pub fn script(&self) -> Markup {
        web::data(&self.name, &self.data)
    }

    /// Returns the size of the figure in a page in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.svg.len() + self.data.len()
    }

    /// SVG document of the plot.
    #[must_use]
    pub fn svg(&self) -> &str {
        &self.svg
    }
}

/// Returns the figure of a plot: its picture `svg` and its buttons. Its numbers must be in the page's element
/// [`data`](web::data) with the same `name`.
#[must_use]
pub fn interactive(name: &str, svg: &str) -> Markup {
    html! {
        figure data-plot=(name) data-state="still" {
            div.still { (element(name, svg)) }
            div.live hidden {}
            button.zoom type="button" hidden { "Zoom and read off" }
            " "
            button.csv type="button" hidden title="saves the numbers of this plot" { "CSV" }
        }
    }
}

/// Returns the id of the SVG element of a picture.
#[must_use]
pub fn anchor(name: &str) -> String {
    format!("picture-{}", name.trim_end_matches(".svg"))
}

/// Returns the SVG element of a picture with its id, without its style.
#[must_use]
pub fn element(name: &str, svg: &str) -> Markup {
    let svg = svg.replacen("<svg ", &format!("<svg id=\"{}\" ", anchor(name)), 1);
    html! { (PreEscaped(apart(&svg).0)) }
}

/// Returns the styles of all these SVG pictures as one element, each style once.
#[must_use]
pub fn styles<'a>(svgs: impl IntoIterator<Item = &'a str>) -> Markup {
    let mut styles: Vec<String> = Vec::new();
    for style in svgs.into_iter().flat_map(|svg| apart(svg).1) {
        if !styles.contains(&style) {
            styles.push(style);
        }
    }
    html! { @for style in &styles { style { (PreEscaped(style)) } } }
}

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
    use crate::plot::{Axis, Series};

    #[test]
    fn a_style_that_pictures_share_is_on_the_page_once() {
        let plot = Plot::new("p", "</script> & \"", Axis::linear("t", "s"), Axis::linear("E", "J"));
        let plot = plot.series(Series::line("", [(0.0, 1.0), (1.0, 2.0)]));
        let [one, two] = ["one", "two"].map(|name| Figure::new(name, &plot).unwrap());
        let styles = styles([one.svg(), two.svg()]).into_string();
        assert_eq!(styles.matches(".plot .variable{").count(), 1, "{styles}");
        let text = one.markup().into_string() + &one.script().into_string();
        assert!(one.svg().contains(OPEN) && !text.contains("style>") && text.contains("<svg id=\"picture-one\""));
        assert_eq!(text.matches("</script").count(), 1, "{text}");
    }
}
