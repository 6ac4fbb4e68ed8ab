//! Interactive three-dimensional views on the page: grains over time, forces between grains, columns on a floor.
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use rrp_geom::glam::DVec3;
use serde_json::{Value, json};

use grains_pages::number;

/// Grains at one time in an animated view.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    /// Label that readers see, such as `t = 0.5 s`.
    pub(crate) label: String,
    pub(crate) centres: Vec<DVec3>,
    /// Value of each grain, which its colour shows.
    pub(crate) values: Vec<f64>,
}

/// Square floor with a column on each of its fields; `row` and `column` name its place among other floors.
#[derive(Clone, Debug)]
pub(crate) struct Floor {
    pub(crate) row: String,
    pub(crate) column: String,
    pub(crate) values: Vec<f64>,
}

/// Objects that an interactive view shows.
#[derive(Clone, Debug)]
enum Content {
    Grains { radii: Vec<f64>, grey: usize, frames: Vec<Frame>, walls: Vec<[DVec3; 2]>, edges: Vec<[DVec3; 2]> },
    Network { centres: Vec<DVec3>, pairs: Vec<[usize; 2]>, values: Vec<f64> },
    Floors(Vec<Floor>),
}

/// Interactive view with its colour scale. Coordinates are in the unit of the figure.
#[derive(Clone, Debug)]
pub(crate) struct View {
    /// Id of the view, unique among the views, plots and drawings of the figure.
    pub(crate) id: &'static str,
    pub(crate) title: String,
    /// Name and unit of the quantity that colours show.
    quantity: String,
    /// Upper end of the colour scale, which begins at zero.
    most: f64,
    up: DVec3,
    /// Initial direction from the objects to the observer.
    eye: DVec3,
    content: Content,
}

impl View {
    /// Makes a view of spheres of one radius over time; the first `grey` spheres have no value and are grey.
    pub(crate) fn grains(id: &'static str, title: impl Into<String>, radius: f64, grey: usize) -> Self {
        let frames = Vec::new();
        let walls = Vec::new();
        let edges = Vec::new();
        Self::new(id, title, Content::Grains { radii: vec![radius], grey, frames, walls, edges })
    }

    /// Sets the radius of each sphere.
    pub(crate) fn radii(mut self, each: &[f64]) -> Self {
        if let Content::Grains { radii, .. } = &mut self.content {
            *radii = each.into();
        }
        self
    }

    /// Makes a view of one line between the two centres of each of `pairs`, whose thickness and brightness show
    /// `values`.
    pub(crate) fn network(
        id: &'static str,
        title: impl Into<String>,
        centres: Vec<DVec3>,
        pairs: &[[usize; 2]],
        values: &[f64],
    ) -> Self {
        Self::new(id, title, Content::Network { centres, pairs: pairs.into(), values: values.into() })
    }

    /// Makes a view of floors with columns as high as their values; floors of the same row are side by side.
    pub(crate) fn floors(id: &'static str, title: impl Into<String>, floors: Vec<Floor>) -> Self {
        // Floors are seen from the front, so that the first row is the farthest, as at the top of a sheet.
        Self::new(id, title, Content::Floors(floors)).seen_from(DVec3::new(0.0, -1.0, 1.1), DVec3::Z)
    }

    fn new(id: &'static str, title: impl Into<String>, content: Content) -> Self {
        let eye = DVec3::new(1.0, 1.0, 0.6);
        Self { id, title: title.into(), quantity: String::new(), most: 1.0, up: DVec3::Z, eye, content }
    }

    /// Sets the name and unit of the quantity that colours show, and the upper end of the colour scale.
    pub(crate) fn scale(self, quantity: impl Into<String>, most: f64) -> Self {
        Self { quantity: quantity.into(), most, ..self }
    }

    /// Sets the initial direction from the objects to the observer, and the upward direction.
    pub(crate) fn seen_from(self, eye: DVec3, up: DVec3) -> Self {
        Self { eye, up, ..self }
    }

    pub(crate) fn frame(mut self, frame: Frame) -> Self {
        if let Content::Grains { frames, .. } = &mut self.content {
            frames.push(frame);
        }
        self
    }

    /// Adds a plane wall through `point` with the normal `normal`.
    pub(crate) fn wall(mut self, point: DVec3, normal: DVec3) -> Self {
        if let Content::Grains { walls, .. } = &mut self.content {
            walls.push([point, normal]);
        }
        self
    }

    /// Adds lines along the edges of walls; see [`edges`](super::edges). With such lines the observer stays where it
    /// is; without them it follows the grains.
    pub(crate) fn edges(mut self, lines: Vec<[DVec3; 2]>) -> Self {
        if let Content::Grains { edges, .. } = &mut self.content {
            edges.extend(lines);
        }
        self
    }

    /// Returns the data of the view as JSON for `views.js`. Coordinates and values are whole numbers of two bytes,
    /// which is finer than the pixels of any screen.
    pub(crate) fn data(&self) -> Value {
        let mut data = json!({
            "title": self.title, "quantity": self.quantity, "most": self.most, "up": array(self.up), "eye": array(self.eye),
        });
        match &self.content {
            Content::Grains { radii, grey, frames, walls, edges } => {
                let bounds = Bounds::of(frames.iter().flat_map(|frame| &frame.centres));
                let frame = |frame: &Frame| {
                    let places = bounds.packed(&frame.centres);
                    json!({ "label": frame.label, "places": places, "values": self.values(&frame.values) })
                };
                data["kind"] = "grains".into();
                data["radii"] = radii.iter().map(|&radius| number::rounded(radius, 5)).collect();
                data["grey"] = json!(grey);
                data["bounds"] = bounds.json();
                data["frames"] = frames.iter().map(frame).collect();
                data["telling"] = telling(frames).into();
                data["edges"] =
                    edges.iter().flatten().flat_map(|&end| array(end)).map(|at| number::rounded(at, 5)).collect();
                data["walls"] = walls.iter().map(|wall| json!(wall.map(array))).collect();
            }
            Content::Network { centres, pairs, values } => {
                let bounds = Bounds::of(centres);
                data["kind"] = "network".into();
                data["bounds"] = bounds.json();
                data["places"] = bounds.packed(centres).into();
                data["pairs"] = packed(pairs.iter().flatten().map(|&sphere| sphere as f64)).into();
                data["values"] = self.values(values).into();
            }
            Content::Floors(floors) => {
                let floor = |floor: &Floor| json!({ "row": floor.row, "column": floor.column, "values": self.values(&floor.values) });
                data["kind"] = "floors".into();
                data["floors"] = floors.iter().map(floor).collect();
            }
        }
        data
    }

    fn values(&self, values: &[f64]) -> String {
        packed(values.iter().map(|value| value / self.most * f64::from(u16::MAX)))
    }
}

/// Returns the number of the frame that is shown first: the one with the largest spread of values.
fn telling(frames: &[Frame]) -> usize {
    let spread = |frame: &Frame| {
        let count = frame.values.len().max(1) as f64;
        let mean = frame.values.iter().sum::<f64>() / count;
        frame.values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / count
    };
    let spreads: Vec<f64> = frames.iter().map(spread).collect();
    let most = spreads.iter().copied().fold(0.0, f64::max);
    spreads.iter().position(|&spread| spread >= most).unwrap_or(0)
}

/// Grid on which coordinates become whole numbers: its origin, the lower corner of all points, and its spacing.
struct Bounds {
    low: DVec3,
    step: f64,
}

impl Bounds {
    fn of<'a>(places: impl IntoIterator<Item = &'a DVec3> + Clone) -> Self {
        let low = places.clone().into_iter().copied().fold(DVec3::INFINITY, DVec3::min);
        let high = places.into_iter().copied().fold(DVec3::NEG_INFINITY, DVec3::max);
        let step = (high - low).max_element().max(1e-300) / f64::from(u16::MAX);
        if low.is_finite() { Self { low, step } } else { Self { low: DVec3::ZERO, step: 1.0 } }
    }

    fn packed(&self, places: &[DVec3]) -> String {
        packed(places.iter().flat_map(|&place| array((place - self.low) / self.step)))
    }

    fn json(&self) -> Value {
        json!({ "low": array(self.low), "step": self.step })
    }
}

/// Encodes values in base 64 as whole numbers of two bytes, the low byte first. Values out of the range from 0 to 65535
/// are clamped, and NaN becomes zero.
fn packed(values: impl Iterator<Item = f64>) -> String {
    BASE64_STANDARD.encode(values.flat_map(|value| (value.round() as u16).to_le_bytes()).collect::<Vec<u8>>())
}

fn array(v: DVec3) -> [f64; 3] {
    v.to_array()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unpacked(text: &Value) -> Vec<u16> {
        let bytes = BASE64_STANDARD.decode(text.as_str().unwrap()).unwrap();
        bytes.chunks(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect()
    }

    #[test]
    fn places_read_back_within_a_step_and_values_stay_on_the_scale() {
        let centres = vec![DVec3::new(-1.0, 0.0, 2.0), DVec3::new(3.0, 0.5, 2.0)];
        let frame = Frame { label: "t".into(), centres: centres.clone(), values: vec![1.0, 9.0] };
        let data = View::grains("v", "t", 0.5, 0).scale("speed", 4.0).frame(frame).data();
        let low = -1.0;
        let step = data["bounds"]["step"].as_f64().unwrap();
        let places = unpacked(&data["frames"][0]["places"]);
        assert!((low + step * f64::from(places[3]) - 3.0).abs() <= step);
        assert_eq!(unpacked(&data["frames"][0]["values"]), [16384, u16::MAX]);
        assert_eq!(places.len(), 6);
        let radii = View::grains("v", "t", 0.5, 0).radii(&[0.25, 0.75]).data()["radii"].clone();
        assert_eq!(radii, json!([0.25, 0.75]));
    }

    #[test]
    fn a_view_begins_where_values_differ_most() {
        let frame =
            |values: [f64; 2]| Frame { label: String::new(), centres: vec![DVec3::ZERO; 2], values: values.into() };
        let frames = [[0.0, 0.0], [0.0, 3.0], [1.0, 2.0]].map(frame);
        assert_eq!(telling(&frames), 1);
        assert_eq!(telling(&[]), 0);
    }

    #[test]
    fn nothing_at_all_and_numbers_that_are_none_make_a_view_too() {
        assert_eq!(View::grains("v", "", 1.0, 0).data()["bounds"]["step"], 1.0);
        let empty = View::network("v", "", Vec::new(), &[], &[f64::NAN]).data();
        assert_eq!(unpacked(&empty["values"]), [0]);
    }
}
