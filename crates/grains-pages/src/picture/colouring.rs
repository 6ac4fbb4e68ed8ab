//! Colours for numbers and names.
use crate::plot::layout::Layout;
use crate::plot::{Axis, Scale};

use super::depth_buffer::mixed;

/// Colour of objects without a value.
pub(super) const NO_VALUE: [u8; 3] = [0xB4, 0xB8, 0xBC];
/// Colour of spheres without a colouring.
const PLAIN: [u8; 3] = [0x8F, 0xA9, 0xC4];

/// The colour scale Viridis, with even steps of lightness, which colour-blind readers can distinguish.
const VIRIDIS: [u32; 9] =
    [0x44_0154, 0x47_2C7A, 0x3B_518B, 0x2C_718E, 0x21_908D, 0x27_AD81, 0x5C_C863, 0xAA_DC32, 0xFD_E725];

/// Colours of Okabe and Ito, which colour-blind readers can distinguish, and five more.
const CATEGORIES: [u32; 12] = [
    0x00_72B2, 0xE6_9F00, 0x00_9E73, 0xCC_79A7, 0x56_B4E9, 0xD5_5E00, 0xF0_E442, 0x88_2255, 0x99_9933, 0x6A_51A3,
    0x8C_564B, 0x9E_DAE5,
];

/// Meaning of the values of spheres and lines, and their colours.
#[derive(Clone, Debug)]
pub struct Colouring {
    pub(super) quantity: Axis,
    pub(super) kind: Kind,
}

#[derive(Clone, Debug)]
pub(super) enum Kind {
    Numbers(Option<[f64; 2]>),
    Names(Vec<String>),
    Labels,
}

impl Colouring {
    /// Returns a colouring of numbers from blue (low) over green to yellow (high), with a colour bar from the smallest
    /// to the largest value. The axis gives the quantity, its unit, and whether the scale is logarithmic.
    #[must_use]
    pub fn numbers(quantity: Axis) -> Self {
        Self { quantity, kind: Kind::Numbers(None) }
    }

    /// Sets the smallest and the largest number of the colour bar; values outside get the colours of its ends. Limits
    /// that are not finite or not in the range of the axis have no effect.
    #[must_use]
    pub fn range(mut self, low: f64, high: f64) -> Self {
        if let Kind::Numbers(range) = &mut self.kind {
            *range = Some([low, high]);
        }
        self
    }

    /// Returns a colouring of named things, such as materials: the value is the index of the name. From the thirteenth
    /// name on, colours repeat. Other values are grey.
    pub fn names(quantity: impl Into<String>, names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { quantity: Axis::linear(quantity, ""), kind: Kind::Names(names.into_iter().map(Into::into).collect()) }
    }

    /// Returns a colouring of whole numbers that only distinguish things, such as ids, by twelve alternating colours.
    #[must_use]
    pub fn labels(quantity: impl Into<String>) -> Self {
        Self { quantity: Axis::linear(quantity, ""), kind: Kind::Labels }
    }

    /// Returns the colours that a picture with these `values` uses.
    pub(super) fn palette(&self, values: impl Iterator<Item = f64>) -> Palette {
        match &self.kind {
            Kind::Numbers(range) => {
                let scale = self.quantity.scale;
                let has_place = |v: &f64| v.is_finite() && (scale == Scale::Linear || *v > 0.0);
                let mut shown: Vec<f64> = match range {
                    Some(ends) if ends.iter().all(has_place) => ends.to_vec(),
                    _ => values.collect(),
                };
                // A bar around zero would have speeds below zero where all grains are at rest.
                if shown.iter().all(|value| *value == 0.0 || value.is_nan()) {
                    shown = vec![0.0, 1.0];
                }
                Palette::Numbers(Layout::tight(scale, shown.into_iter(), 5))
            }
            Kind::Names(names) => Palette::Categories { count: names.len() },
            Kind::Labels => Palette::Categories { count: usize::MAX },
        }
    }
}

#[derive(Clone, Debug)]
pub(super) enum Palette {
    Plain,
    Numbers(Layout),
    Categories { count: usize },
}

impl Palette {
    /// Returns the colour of a value, if it has one.
    pub(super) fn of(&self, value: f64) -> Option<[u8; 3]> {
        match self {
            Self::Plain => Some(PLAIN),
            Self::Numbers(layout) => layout.place(value).map(viridis),
            Self::Categories { count } => {
                let index = value.round();
                (value.is_finite() && index >= 0.0 && (index as usize) < *count).then(|| category(index as usize))
            }
        }
    }
}

/// Returns the colour at a place from 0 (low) to 1 (high).
pub(super) fn viridis(place: f64) -> [u8; 3] {
    let at = place.clamp(0.0, 1.0) * (VIRIDIS.len() - 1) as f64;
    let below = (at as usize).min(VIRIDIS.len() - 2);
    mixed(rgb(VIRIDIS[below]), rgb(VIRIDIS[below + 1]), at - below as f64)
}

pub(super) fn category(index: usize) -> [u8; 3] {
    rgb(CATEGORIES[index % CATEGORIES.len()])
}

fn rgb(colour: u32) -> [u8; 3] {
    let [_, red, green, blue] = colour.to_be_bytes();
    [red, green, blue]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_run_through_viridis_and_beyond_its_ends_keep_their_colours() {
        let palette = Colouring::numbers(Axis::linear("speed", "m/s")).range(1.0, 3.0).palette([].into_iter());
        assert_eq!([1.0, 2.0, 3.0].map(|v| palette.of(v).unwrap()), [[68, 1, 84], [33, 144, 141], [253, 231, 37]]);
        assert_eq!((palette.of(-9.0), palette.of(9.0)), (palette.of(1.0), palette.of(3.0)));
        assert_eq!(palette.of(f64::NAN), None);
    }

    #[test]
    fn a_range_without_a_place_on_a_log_axis_gives_way_to_that_of_the_values() {
        let palette =
            Colouring::numbers(Axis::log("force", "N")).range(0.0, 1.0).palette([1e-3, 0.0, 10.0].into_iter());
        assert_eq!((palette.of(1e-3), palette.of(10.0)), (Some(viridis(0.0)), Some(viridis(1.0))));
        assert_eq!(palette.of(0.0), None);
    }

    #[test]
    fn a_bar_of_speeds_at_rest_begins_at_zero() {
        // In millionths.
        let ends = |colouring: Colouring, values: &[f64]| match colouring.palette(values.iter().copied()) {
            Palette::Numbers(layout) => [layout.lo, layout.hi].map(|end| (end * 1e6).round() as i64),
            other => panic!("{other:?}"),
        };
        let speed = || Colouring::numbers(Axis::linear("speed", "m/s"));
        assert_eq!(ends(speed(), &[0.0, 0.0, f64::NAN]), [0, 1_000_000]);
        // A film takes the range from all of its frames.
        assert_eq!(ends(speed().range(0.0, 0.0), &[0.0]), [0, 1_000_000]);
        assert_eq!(ends(speed(), &[0.0, -2.0]), [-2_000_000, 0]);
        assert_eq!(ends(speed(), &[2.0, 2.0]), [1_800_000, 2_200_000]);
    }

    #[test]
    fn the_view_has_the_colours_of_pictures() {
        let script = include_str!("../../web/grains-shapes.js");
        for (name, colours) in [("VIRIDIS", &VIRIDIS[..]), ("LABELS", &CATEGORIES)] {
            let list = colours.iter().map(|colour| format!("'#{colour:06x}'")).collect::<Vec<_>>().join(", ");
            assert!(script.contains(&format!("const {name} = [{list}];")), "{name}");
        }
    }

    #[test]
    fn categories_are_far_apart_and_unknown_ones_have_no_colour() {
        let all: Vec<[u8; 3]> = (0..12).map(category).collect();
        for (i, a) in all.iter().enumerate() {
            for b in all[..i].iter().chain([&NO_VALUE]) {
                let distance: f64 = (0..3).map(|k| (f64::from(a[k]) - f64::from(b[k])).powi(2)).sum();
                assert!(distance.sqrt() > 50.0, "{a:?} {b:?}");
            }
        }
        let palette = Colouring::names("material", ["steel", "glass"]).palette([].into_iter());
        assert_eq!((palette.of(1.0), palette.of(2.0), palette.of(-1.0)), (Some(all[1]), None, None));
        assert_eq!(Colouring::labels("id").palette([].into_iter()).of(25.0), Some(all[1]));
    }
}
