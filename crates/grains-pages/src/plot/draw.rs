//! Drawing of a plot on its sheet: title, legend above the frame, axes, data, notes.
use plotters::style::text_anchor::{HPos, VPos};

use crate::number;
use crate::plot::axis::Scale;
use crate::plot::description::{Guide, Plot};
use crate::plot::layout::{Layout, coordinate};
use crate::plot::palette::{self, BAND, FAINT, FRAME, GRID};
use crate::plot::scene::{Font, HEIGHT, Result, Scene, WIDTH, render, render_bitmap};
use crate::plot::series::{MOST_STRETCHES, Series};
use crate::plot::thin::thin;

/// Largest number of vertices of all lines of one plot, which keeps a file below 300 kB.
const LINE_BUDGET: usize = 14_000;
/// Largest number of vertices of a line; more would be finer than the screen.
const LINE_LIMIT: usize = 2400;
/// Largest number of markers of all series of one plot.
const MARKER_BUDGET: usize = 1500;

const TITLE: Font = Font { bold: true, ..Font::new(15.0, HPos::Left, VPos::Bottom) };
const LEGEND: Font = Font::new(13.0, HPos::Left, VPos::Center);
const TICK: f64 = 13.0;
const AXIS: f64 = 14.0;
const LEGEND_ROW: f64 = 20.0;

/// The frame around the plotted data: edges in pixels from the top left of the sheet, and the layouts of both axes.
struct Frame {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
    x: Layout,
    y: Layout,
}

impl Frame {
    fn at(&self, (u, v): (f64, f64)) -> (f64, f64) {
        (self.left + u * (self.right - self.left), self.bottom - v * (self.bottom - self.top))
    }

    fn place(&self, (x, y): (f64, f64)) -> Option<(f64, f64)> {
        Some(self.at((self.x.place(x)?, self.y.place(y)?)))
    }
}

#[derive(Clone, Copy)]
struct Style {
    colour: u32,
    pattern: Option<[f64; 2]>,
}

impl Style {
    fn line(self, scene: &mut Scene<'_>, points: &[(f64, f64)], width: f64) -> Result<()> {
        match self.pattern {
            Some(pattern) => scene.pattern(points, pattern, width, self.colour),
            None => scene.path(points, width, self.colour),
        }
    }
}

impl Plot {
    /// Draws the plot as an SVG document of 500 × 400 pixels.
    ///
    /// # Errors
    /// Only if the backend fails. Data that cannot be drawn are counted in a note.
    pub fn svg(&self) -> Result<String> {
        render(&self.title, |scene| self.draw(scene))
    }

    /// Draws the plot as a PNG file of 1000 × 800 pixels, and returns its bytes.
    ///
    /// # Errors
    /// Errors of [`svg`](Self::svg).
    pub fn png(&self) -> Result<Vec<u8>> {
        render_bitmap(|scene| self.draw(scene))
    }

    fn draw(&self, scene: &mut Scene<'_>) -> Result<()> {
        let drawable =
            |p: &&(f64, f64)| coordinate(self.x.scale, p.0).is_some() && coordinate(self.y.scale, p.1).is_some();
        let shown = || self.series.iter().flat_map(|s| &s.points).filter(drawable);
        let levels =
            self.guides.iter().filter_map(|g| if let Guide::Level { value, .. } = g { Some(*value) } else { None });
        let uprights =
            self.guides.iter().filter_map(|g| if let Guide::Upright { value, .. } = g { Some(*value) } else { None });
        let x = Layout::fit(self.x.scale, shown().map(|p| p.0).chain(uprights), 7);
        let y = Layout::fit(self.y.scale, shown().map(|p| p.1).chain(levels), 6);

        let widest =
            y.ticks.iter().map(|t| Font::new(TICK, HPos::Right, VPos::Center).width(&t.label)).fold(0.0, f64::max);
        let mut top = 12.0;
        for line in wrapped(&self.title, WIDTH - 32.0) {
            top += 20.0;
            scene.text(&line, (16.0, top), TITLE)?;
        }
        top = self.legend(scene, top + 4.0)?;
        top += if y.remark.is_empty() { 8.0 } else { 20.0 };
        let frame = Frame { left: 44.0 + widest, right: WIDTH - 20.0, top, bottom: HEIGHT - 62.0, x, y };

        self.axes(scene, &frame)?;
        let mut notes = self.guides(scene, &frame)?;
        for (i, series) in self.series.iter().enumerate() {
            series.draw(scene, &frame, self.style(i), self.series.len())?;
        }
        // A point with two NaN coordinates is a gap in a line.
        let meant = |p: &&(f64, f64)| !(p.0.is_nan() && p.1.is_nan());
        let total = self.series.iter().flat_map(|s| &s.points).filter(meant).count();
        let dropped = total - shown().count();
        if total == dropped {
            let font = Font { colour: FAINT, ..Font::new(AXIS, HPos::Center, VPos::Center) };
            scene.text("no data to show", frame.at((0.5, 0.5)), font)?;
        }
        if dropped > 0 {
            let log = self.x.scale == Scale::Log || self.y.scale == Scale::Log;
            let which = if log { "zero, negative or not finite" } else { "not finite" };
            notes.push(format!("{dropped} of {total} points not shown: {which}"));
        }
        let font = Font { colour: FAINT, ..Font::new(12.0, HPos::Left, VPos::Bottom) };
        scene.text(&notes.join("; "), (16.0, HEIGHT - 6.0), font)
    }

    fn style(&self, index: usize) -> Style {
        let number = self.series[index].colour.unwrap_or(index);
        Style { colour: palette::colour(number), pattern: palette::pattern(number) }
    }

    /// Draws the legend in rows, a sample of each series with its name; returns the vertical position of its lower end.
    /// Bars would hide the names of levels across them, so that these are here.
    fn legend(&self, scene: &mut Scene<'_>, top: f64) -> Result<f64> {
        let is_alone = self.series.len() == 1 && self.series[0].name.is_empty();
        let series = self.series.iter().enumerate().filter(|_| !is_alone);
        let entries = series.map(|(i, series)| Entry::Series(series, self.style(i)));
        let levels = self.guides.iter().filter(|_| self.has_bars()).filter_map(|guide| match guide {
            Guide::Level { name, .. } => Some(Entry::Level(name)),
            _ => None,
        });
        let entries: Vec<Entry<'_>> = entries.chain(levels).collect();
        if entries.is_empty() {
            return Ok(top);
        }
        let mut x = 16.0;
        let mut y = top + 0.5 * LEGEND_ROW;
        for entry in entries {
            let width = 30.0 + LEGEND.width(entry.name()) + 16.0;
            if x + width > WIDTH && x > 16.0 {
                (x, y) = (16.0, y + LEGEND_ROW);
            }
            entry.draw(scene, (x, y))?;
            x += width;
        }
        Ok(y + 0.5 * LEGEND_ROW)
    }

    fn has_bars(&self) -> bool {
        self.series.iter().any(|series| series.bars)
    }

    fn axes(&self, scene: &mut Scene<'_>, frame: &Frame) -> Result<()> {
        let tick_font = |h, v| Font::new(TICK, h, v);
        for tick in &frame.x.ticks {
            let (x, _) = frame.at((frame.x.fraction(tick.at), 0.0));
            scene.path(&[(x, frame.top), (x, frame.bottom)], 1.0, GRID)?;
            scene.text(&tick.label, (x, frame.bottom + 7.0), tick_font(HPos::Center, VPos::Top))?;
        }
        for tick in &frame.y.ticks {
            let (_, y) = frame.at((0.0, frame.y.fraction(tick.at)));
            scene.path(&[(frame.left, y), (frame.right, y)], 1.0, GRID)?;
            scene.text(&tick.label, (frame.left - 7.0, y), tick_font(HPos::Right, VPos::Center))?;
        }
        for &at in &frame.x.minor {
            let (x, y) = frame.at((frame.x.fraction(at), 0.0));
            scene.path(&[(x, y), (x, y - 4.0)], 1.0, FRAME)?;
        }
        for &at in &frame.y.minor {
            let (x, y) = frame.at((0.0, frame.y.fraction(at)));
            scene.path(&[(x, y), (x + 4.0, y)], 1.0, FRAME)?;
        }
        let corners = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0), (0.0, 0.0)].map(|c| frame.at(c));
        scene.path(&corners, 1.0, FRAME)?;
        let faint = |h, v| Font { colour: FAINT, ..tick_font(h, v) };
        scene.text(&frame.y.remark, (frame.left, frame.top - 3.0), faint(HPos::Left, VPos::Bottom))?;
        scene.text(&frame.x.remark, (frame.right, frame.bottom + 28.0), faint(HPos::Right, VPos::Top))?;
        let middle = frame.at((0.5, 0.5));
        scene.label(&self.x.label(), (middle.0, frame.bottom + 27.0), Font::new(AXIS, HPos::Center, VPos::Top))?;
        let upward = Font { upward: true, ..Font::new(AXIS, HPos::Center, VPos::Top) };
        scene.label(&self.y.label(), (11.0, middle.1), upward)
    }

    /// Draws the reference lines, and returns notes about lines that are out of the range of the axes.
    fn guides(&self, scene: &mut Scene<'_>, frame: &Frame) -> Result<Vec<String>> {
        let mut notes = Vec::new();
        let mut uprights = 0.0;
        for guide in &self.guides {
            let (ends, name) = match guide {
                Guide::Level { value, name } => {
                    let ends = frame.y.place(*value).map(|v| [frame.at((0.0, v)), frame.at((1.0, v))]);
                    (ends, name.clone())
                }
                Guide::Upright { value, name } => {
                    let ends = frame.x.place(*value).map(|u| [frame.at((u, 0.0)), frame.at((u, 1.0))]);
                    (ends, name.clone())
                }
                Guide::Slope(power) => {
                    let end = |(x, y)| frame.at((frame.x.fraction(x), frame.y.fraction(y)));
                    let ends = self.slope_line(&frame.y, *power).map(|ends| ends.map(end));
                    (ends, format!("slope {}", number::short(*power, 3)))
                }
            };
            let Some([a, b]) = ends else {
                notes.push(format!("no place for the guide “{name}”"));
                continue;
            };
            scene.dashes(a, b, 1.2, FAINT)?;
            let (at, h) = match guide {
                // The legend has its name.
                Guide::Level { .. } if self.has_bars() => continue,
                Guide::Level { .. } if b.1 < frame.top + 18.0 => ((b.0 - 6.0, b.1 + 18.0), HPos::Right),
                Guide::Level { .. } => ((b.0 - 6.0, b.1 - 1.0), HPos::Right),
                // Names are on the side with more space, one below the other.
                Guide::Upright { .. } => {
                    uprights += 1.0;
                    let is_right = b.0 > 0.5 * (frame.left + frame.right);
                    let (aside, h) = if is_right { (-6.0, HPos::Right) } else { (6.0, HPos::Left) };
                    ((b.0 + aside, b.1 + 2.0 + 16.0 * uprights), h)
                }
                // The name is below the line, away from the series above it.
                Guide::Slope(power) if *power < 0.0 => {
                    ((0.5 * (a.0 + b.0) - 8.0, 0.5 * (a.1 + b.1) + 14.0), HPos::Right)
                }
                Guide::Slope(_) => ((0.5 * (a.0 + b.0) + 8.0, 0.5 * (a.1 + b.1) + 14.0), HPos::Left),
            };
            scene.label(&name, at, Font { colour: FAINT, ..Font::new(12.0, h, VPos::Bottom) })?;
        }
        Ok(notes)
    }
}

/// A row of the legend: a series, or a level across bars.
enum Entry<'a> {
    Series(&'a Series, Style),
    Level(&'a str),
}

impl Entry<'_> {
    fn name(&self) -> &str {
        match self {
            Self::Series(series, _) => &series.name,
            Self::Level(name) => name,
        }
    }

    /// Draws a sample with the name beside it; the middle of its left edge is at (x, y).
    fn draw(&self, scene: &mut Scene<'_>, (x, y): (f64, f64)) -> Result<()> {
        let at = (x + 30.0, y);
        let (series, style) = match *self {
            Self::Series(series, style) => (series, style),
            Self::Level(name) => {
                scene.dashes((x, y), (x + 24.0, y), 1.2, FAINT)?;
                return scene.label(name, at, LEGEND);
            }
        };
        let sample = if series.line { vec![(x, y), (x + 24.0, y)] } else { Vec::new() };
        style.line(scene, &sample, 1.8)?;
        let corners = [(0.0, -6.0), (24.0, -6.0), (24.0, 6.0), (0.0, 6.0)].map(|(dx, dy)| (x + dx, y + dy));
        if series.bars {
            scene.veil(&corners, style.colour)?;
        }
        if series.fill {
            scene.area(&corners, BAND)?;
        }
        if let Some(marker) = series.marker {
            marker.draw(scene, (x + 12.0, y), style.colour)?;
        }
        if series.plain { scene.text(&series.name, at, LEGEND) } else { scene.label(&series.name, at, LEGEND) }
    }
}

impl Series {
    fn draw(&self, scene: &mut Scene<'_>, frame: &Frame, style: Style, siblings: usize) -> Result<()> {
        let placed: Vec<_> = self.points.iter().map(|&p| frame.place(p)).collect();
        let markers = MARKER_BUDGET / siblings.max(1);
        let colour = style.colour;
        if self.bars {
            let corners: Vec<_> = placed.iter().copied().flatten().collect();
            scene.veil(&corners, colour)?;
        }
        if self.fill {
            let corners: Vec<_> = placed.iter().copied().flatten().collect();
            return scene.area(&corners, BAND);
        }
        if self.line {
            let budget = (LINE_BUDGET / siblings.max(1)).min(LINE_LIMIT);
            let width = if self.points.len() > 2000 { 1.0 } else { 1.8 };
            let stretches = || placed.split(Option::is_none).map(|s| s.iter().copied().flatten().collect::<Vec<_>>());
            let lines: Vec<_> = stretches().filter(|s| s.len() > 1).collect();
            // Isolated points, and lines with hundreds of gaps, are shown as dots.
            let mut dots: Vec<_> = stretches().filter(|s| s.len() == 1 && self.marker.is_none()).flatten().collect();
            if lines.len() > MOST_STRETCHES {
                dots = placed.iter().copied().flatten().collect();
            } else {
                for line in &lines {
                    let share = (budget * line.len()).div_ceil(placed.len());
                    style.line(scene, &thin(line, share), width)?;
                }
            }
            for dot in thin(&dots, markers) {
                scene.circle(dot, 1.0, 1.5, colour)?;
            }
        }
        if let Some(marker) = self.marker {
            let points: Vec<_> = placed.into_iter().flatten().collect();
            for point in thin(&points, markers) {
                marker.draw(scene, point, colour)?;
            }
        }
        Ok(())
    }
}

/// Breaks the title into lines of at most `width` pixels.
fn wrapped(text: &str, width: f64) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last_mut().expect("starts with one line and only grows");
        if line.is_empty() {
            line.push_str(word);
        } else if TITLE.width(line) + TITLE.width(word) < width {
            *line = format!("{line} {word}");
        } else {
            lines.push(word.into());
        }
    }
    lines
}
