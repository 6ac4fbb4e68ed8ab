//! Drawings other than plots, as SVG with a title.
use std::fmt::Write as _;

/// Colour of text and lines on a light page.
pub(crate) const INK: &str = "#1F2328";
/// Colour of less important text and lines on a light page.
pub(crate) const FAINT: &str = "#59636E";
/// Background colour on a light page.
const PAPER: &str = "#FFFFFF";
/// Colours of a light page with their replacements on a dark page.
const DARK: [(&str, &str); 3] = [(PAPER, "#161B22"), (INK, "#E6EDF3"), (FAINT, "#9DA7B1")];

/// Drawing of a given size, usually 640 pixels wide. Positions are in pixels from the upper left corner.
#[derive(Clone, Debug)]
pub(crate) struct Drawing {
    /// Id of the drawing, the last part of its file name `<figure>-<drawing>.svg`.
    pub(crate) id: &'static str,
    title: String,
    size: (f64, f64),
    body: String,
}

impl Drawing {
    /// Makes an empty drawing of `size` pixels with a title at the top.
    pub(crate) fn new(id: &'static str, title: impl Into<String>, size: (f64, f64)) -> Self {
        let title = title.into();
        let drawing = Self { id, title: title.clone(), size, body: String::new() };
        drawing.text((16.0, 26.0), &title, 15.0, "start", INK, true)
    }

    /// Adds SVG text unchanged, such as definitions of gradients.
    pub(crate) fn raw(mut self, svg: &str) -> Self {
        self.body.push_str(svg);
        self
    }

    pub(crate) fn line(self, from: (f64, f64), to: (f64, f64), width: f64, colour: &str, dashes: &str) -> Self {
        let ((a, b), (c, d)) = (from, to);
        self.element(format_args!(
            "<path d=\"M{a:.1} {b:.1}L{c:.1} {d:.1}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\" stroke-dasharray=\"{dashes}\"/>"
        ))
    }

    /// Adds a line with an arrow head at its end.
    pub(crate) fn arrow(self, from: (f64, f64), to: (f64, f64), colour: &str) -> Self {
        let dx = to.0 - from.0;
        let dy = to.1 - from.1;
        let length = dx.hypot(dy).max(1e-9);
        let ux = dx / length;
        let uy = dy / length;
        let back = (to.0 - 9.0 * ux, to.1 - 9.0 * uy);
        let wing = |side: f64| (back.0 - 4.0 * side * uy, back.1 + 4.0 * side * ux);
        let ((a, b), (c, d)) = (wing(1.0), wing(-1.0));
        self.line(from, back, 1.8, colour, "none").element(format_args!(
            "<path d=\"M{:.1} {:.1}L{a:.1} {b:.1}L{c:.1} {d:.1}Z\" fill=\"{colour}\"/>",
            to.0, to.1
        ))
    }

    pub(crate) fn circle(self, centre: (f64, f64), radius: f64, fill: &str, stroke: &str) -> Self {
        let (x, y) = centre;
        self.element(format_args!(
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.2}\" fill=\"{fill}\" stroke=\"{stroke}\"/>"
        ))
    }

    pub(crate) fn text(self, at: (f64, f64), text: &str, size: f64, anchor: &str, colour: &str, bold: bool) -> Self {
        let (x, y) = at;
        let weight = if bold { "bold" } else { "normal" };
        let text = escaped(text);
        self.element(format_args!(
            "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{size}\" text-anchor=\"{anchor}\" font-weight=\"{weight}\" fill=\"{colour}\">{text}</text>"
        ))
    }

    pub(crate) fn svg(&self) -> String {
        let (width, height) = self.size;
        // A wide drawing gets its own row on the page.
        let class = if width > 700.0 { "drawing wide" } else { "drawing" };
        let rules = DARK.map(|(light, dark)| {
            format!(".drawing [fill=\"{light}\"]{{fill:{dark}}}.drawing [stroke=\"{light}\"]{{stroke:{dark}}}")
        });
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"{class}\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{}\">\n<style>.drawing text{{font-family:\
             system-ui,'Segoe UI',Roboto,'DejaVu Sans',sans-serif}}@media screen and (prefers-color-scheme:dark){{{}}}</style>\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"{PAPER}\"/>\n{}</svg>\n",
            escaped(&self.title),
            rules.concat(),
            self.body
        )
    }

    fn element(mut self, element: std::fmt::Arguments<'_>) -> Self {
        let _written = writeln!(self.body, "{element}");
        self
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped() {
        let svg = Drawing::new("d", "a < \"b\" & c", (10.0, 10.0)).svg();
        assert!(svg.contains("a &lt; &quot;b&quot; &amp; c") && !svg.contains("a < "), "{svg}");
    }
}
