//! Text and scales around the scenery: title, colour bar or names, scale bar, directions of the axes.
//!
//! Lengths are in pixels of the sheet, which are four dots long.
use glam::DVec3;
use plotters::style::text_anchor::{HPos, VPos};

use crate::number;
use crate::plot::layout::Layout;
use crate::plot::palette::FAINT;
use crate::plot::scene::{Font, Result, Scene};

use super::camera::View;
use super::colouring::{Colouring, Kind, NO_VALUE, Palette, category, viridis};

/// Number of dots of the bitmap along each edge of a pixel of the sheet.
pub(super) const DOTS: f64 = 4.0;

/// Number of slices of a colour bar.
const SLICES: usize = 128;

/// Sheet on which a picture is drawn: width and height in pixels, and the size of text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sheet {
    pub(super) width: f64,
    pub(super) height: f64,
    /// Size of text and gaps relative to their size in a picture of 1200 × 900 pixels.
    pub(super) factor: f64,
}

/// Legend of the colours of a picture: a colouring, and the colours of its values.
#[derive(Clone, Debug)]
pub(super) struct Key<'a> {
    pub(super) colouring: &'a Colouring,
    pub(super) palette: Palette,
    /// Whether the picture has objects without a value, which are grey.
    pub(super) has_grey: bool,
}

impl Sheet {
    fn font(self, size: f64, h: HPos, v: VPos) -> Font {
        Font::new(size * self.factor, h, v)
    }

    /// Returns the width in pixels that the legend of colours takes to the right of the scenery.
    pub(super) fn column(self, key: &Key<'_>) -> f64 {
        let font = self.font(12.0, HPos::Left, VPos::Center);
        match (&key.palette, &key.colouring.kind) {
            (Palette::Numbers(layout), _) => {
                let widest = layout.ticks.iter().map(|tick| font.width(&tick.label)).fold(0.0, f64::max);
                widest + 54.0 * self.factor
            }
            (_, Kind::Names(names)) => {
                let labels = names.iter().chain([&key.colouring.quantity.quantity]);
                labels.map(|label| font.width(label)).fold(0.0, f64::max).min(0.3 * self.width) + 34.0 * self.factor
            }
            _ => font.width(&labels_in_words(key)).min(0.3 * self.width) + 20.0 * self.factor,
        }
    }

    pub(super) fn title(self, scene: &mut Scene<'_>, title: &str) -> Result<()> {
        let font = Font { bold: true, ..self.font(14.0, HPos::Left, VPos::Center) };
        self.words(scene, title, (16.0 * self.factor, 19.0 * self.factor), font)
    }

    /// Writes text to the right of the point (x, y), shortened with an ellipsis to fit the sheet.
    fn words(self, scene: &mut Scene<'_>, text: &str, (x, y): (f64, f64), font: Font) -> Result<()> {
        // Bitmaps centre a line including the depth of a g, so that letters without descenders are too high.
        let at = (x, y + 0.17 * font.size);
        scene.text(&shortened(text, self.width - x, font), at, font)
    }

    /// Draws the legend of colours, a colour bar or names, in a column whose left edge is at `left`.
    pub(super) fn key(self, scene: &mut Scene<'_>, key: &Key<'_>, left: f64) -> Result<()> {
        match (&key.palette, &key.colouring.kind) {
            (Palette::Numbers(layout), _) => self.bar(scene, key, layout, left),
            (_, Kind::Names(names)) => self.names(scene, key, names, left),
            _ => {
                let at = (left, 0.25 * self.height);
                self.words(scene, &labels_in_words(key), at, self.font(12.0, HPos::Left, VPos::Center))
            }
        }
    }

    fn bar(self, scene: &mut Scene<'_>, key: &Key<'_>, layout: &Layout, left: f64) -> Result<()> {
        let f = self.factor;
        let (top, bottom, right) = (0.22 * self.height, 0.78 * self.height, left + 12.0 * f);
        let at = |place: f64| bottom - place * (bottom - top);
        let rectangle = |low: f64, high: f64| [(left, low), (right, low), (right, high), (left, high)];
        for slice in 0..SLICES {
            let place = |i: usize| at(i as f64 / SLICES as f64);
            let colour = viridis((slice as f64 + 0.5) / SLICES as f64);
            scene.area(&rectangle(place(slice), place(slice + 1)), packed(colour))?;
        }
        let ends = [(left, top), (right, top), (right, bottom), (left, bottom), (left, top)];
        scene.path(&ends, 0.75 * f, FAINT)?;
        let font = self.font(12.0, HPos::Left, VPos::Center);
        let mut widest = 0.0f64;
        for tick in &layout.ticks {
            let y = at(layout.fraction(tick.at).clamp(0.0, 1.0));
            scene.path(&[(right, y), (right + 3.0 * f, y)], 0.75 * f, FAINT)?;
            self.words(scene, &tick.label, (right + 6.0 * f, y), font)?;
            widest = widest.max(font.width(&tick.label));
        }
        scene.text(&layout.remark, (left, top - 12.0 * f), font)?;
        let label = Font { upward: true, ..self.font(13.0, HPos::Center, VPos::Top) };
        let words = shortened(&key.colouring.quantity.label(), 0.9 * self.height, label);
        scene.text(&words, (right + 13.0 * f + widest, 0.5 * (top + bottom)), label)?;
        if key.has_grey { self.swatch(scene, (left, bottom + 18.0 * f), NO_VALUE, "no value") } else { Ok(()) }
    }

    fn names(self, scene: &mut Scene<'_>, key: &Key<'_>, names: &[String], left: f64) -> Result<()> {
        let row = 18.0 * self.factor;
        let room = ((0.8 * self.height / row) as usize).saturating_sub(3).max(1);
        let shown = if names.len() > room { room - 1 } else { names.len() };
        let mut y = 0.5 * (self.height - row * (shown as f64 + 1.0));
        let heading = Font { bold: true, ..self.font(12.0, HPos::Left, VPos::Center) };
        self.words(scene, &key.colouring.quantity.quantity, (left, y), heading)?;
        for (i, name) in names.iter().take(shown).enumerate() {
            y += row;
            self.swatch(scene, (left, y), category(i), name)?;
        }
        if names.len() > shown {
            y += row;
            let words = format!("and {} more", names.len() - shown);
            self.words(scene, &words, (left, y), self.font(12.0, HPos::Left, VPos::Center))?;
        }
        if key.has_grey { self.swatch(scene, (left, y + row), NO_VALUE, "no value") } else { Ok(()) }
    }

    fn swatch(self, scene: &mut Scene<'_>, (x, y): (f64, f64), colour: [u8; 3], name: &str) -> Result<()> {
        let half = 5.0 * self.factor;
        let corners = [(x, y - half), (x + 2.0 * half, y - half), (x + 2.0 * half, y + half), (x, y + half)];
        scene.area(&corners, packed(colour))?;
        self.words(scene, name, (x + 3.2 * half, y), self.font(12.0, HPos::Left, VPos::Center))
    }

    /// Draws a scale bar of a round length, whose right end is at `right`.
    pub(super) fn scale_bar(self, scene: &mut Scene<'_>, view: &View, right: f64, unit: &str) -> Result<()> {
        let f = self.factor;
        let shown = round_length(0.25 * right * DOTS * view.metres_in_a_dot());
        let length = shown / (DOTS * view.metres_in_a_dot());
        let y = self.height - 12.0 * f;
        let left = right - length;
        scene.path(&[(left, y), (right, y)], 1.5 * f, FAINT)?;
        for end in [left, right] {
            scene.path(&[(end, y - 3.0 * f), (end, y + 3.0 * f)], 1.5 * f, FAINT)?;
        }
        let remark = if view.has_perspective() { " at mid-depth" } else { "" };
        let words = format!("{}{remark}", length_in_words(shown, unit));
        scene.text(&words, (0.5 * (left + right), y - 5.0 * f), self.font(12.0, HPos::Center, VPos::Bottom))
    }

    pub(super) fn axes(self, scene: &mut Scene<'_>, view: &View) -> Result<()> {
        let f = self.factor;
        let (x, y) = (34.0 * f, self.height - 34.0 * f);
        for (axis, name) in [(DVec3::X, "x"), (DVec3::Y, "y"), (DVec3::Z, "z")] {
            let direction = view.direction(axis);
            let at = |length: f64| (x + length * f * direction.x, y + length * f * direction.y);
            scene.path(&[at(0.0), at(18.0)], 1.25 * f, FAINT)?;
            // The label of an axis towards the eye would cover the other labels.
            if direction.length() > 0.3 {
                let font = Font { colour: FAINT, ..self.font(12.0, HPos::Center, VPos::Center) };
                let away = direction.normalize() * 7.0 * f;
                scene.text(name, (at(18.0).0 + away.x, at(18.0).1 + away.y), font)?;
            }
        }
        Ok(())
    }
}

/// Shortens text longer than `room` with an ellipsis.
fn shortened(text: &str, room: f64, font: Font) -> String {
    let most = (room / font.width("n")) as usize;
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most.saturating_sub(1)).chain(['…']).collect()
}

fn labels_in_words(key: &Key<'_>) -> String {
    format!("colours: {}", key.colouring.quantity.quantity)
}

fn packed([red, green, blue]: [u8; 3]) -> u32 {
    u32::from_be_bytes([0, red, green, blue])
}

/// Returns the largest of 1, 2 and 5 times a power of ten that is at most `most`.
fn round_length(most: f64) -> f64 {
    let power = 10f64.powi(most.log10().floor() as i32);
    [5.0, 2.0, 1.0].map(|digit| digit * power).into_iter().find(|length| *length <= most).unwrap_or(power)
}

/// Formats a length in a `unit`; a length in m in the unit with the fewest digits.
fn length_in_words(length: f64, unit: &str) -> String {
    let metric = [(1e3, "km"), (1.0, "m"), (1e-3, "mm"), (1e-6, "µm"), (1e-9, "nm")];
    // The tolerance admits computed lengths slightly below a unit, such as 10⁻³ m.
    let fitting = metric.into_iter().find(|(size, _)| unit == "m" && length >= 0.99 * size);
    let (size, name) = fitting.unwrap_or((1.0, unit));
    format!("{} {name}", number::short(number::rounded(length / size, 3), 3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_of_scale_bars_are_round_and_read_well() {
        let cases = [
            (0.7, "500 mm"),
            (2.1e-3, "2 mm"),
            (9.9e-5, "50 µm"),
            (1.0, "1 m"),
            (3e9, "2×10⁶ km"),
            (4e-12, "2×10⁻¹² m"),
        ];
        for (most, words) in cases {
            assert_eq!(length_in_words(round_length(most), "m"), words, "{most:e}");
        }
        assert_eq!(length_in_words(0.02, "d"), "0.02 d");
    }
}
