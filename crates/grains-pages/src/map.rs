//! Maps in a page: fields over a plane of rectangular cells, one of which the reader selects.
//!
//! The script in [`SCRIPT`] draws them and saves all fields as a CSV file.
//!
//! ```
//! use grains_pages::map::{Cells, Map, SCRIPT};
//! use grains_pages::plot::Axis;
//! use grains_pages::web;
//!
//! let [x, z] = ["x", "z"].map(|along| Cells { axis: Axis::linear(along, "m"), places: vec![0.5, 1.5] });
//! let map = Map::new("fields", "Fields", x, z).field(&Axis::linear("density", "kg/m³"), vec![1.0, 2.0, 3.0, f64::NAN]);
//! let page = maud::html! { (map.markup()) (map.script()) (web::scripts(&[], &[SCRIPT])) };
//! assert!(page.into_string().contains("density"));
//! ```

use maud::{Markup, html};
use serde_json::{Value, json};

use crate::number;
use crate::plot::Axis;
use crate::web;

/// Script that draws maps.
pub const SCRIPT: &str = include_str!("../web/maps.js");

/// Number of significant digits of the values in a page.
const DIGITS: usize = 6;

/// Cells along one axis of a map.
#[derive(Debug, Clone)]
pub struct Cells {
    /// Axis along which the cells lie.
    pub axis: Axis,
    /// Middles of the cells, equidistant and ascending.
    pub places: Vec<f64>,
}

/// Fields over a plane of cells.
#[derive(Debug, Clone)]
pub struct Map {
    name: String,
    title: String,
    axes: [Cells; 2],
    fields: Vec<Value>,
}

impl Map {
    /// Makes a map without fields. `name` must be unique on the page.
    #[must_use]
    pub fn new(name: impl Into<String>, title: impl Into<String>, x: Cells, y: Cells) -> Self {
        Self { name: name.into(), title: title.into(), axes: [x, y], fields: Vec::new() }
    }

    /// Adds a field with a value for each cell, row by row from the lowest y; NaN for a missing value.
    #[must_use]
    pub fn field(mut self, quantity: &Axis, values: Vec<f64>) -> Self {
        // JSON has null for numbers that are not finite.
        let values: Vec<Value> = values.into_iter().map(|value| number::rounded(value, DIGITS).into()).collect();
        self.fields.push(json!({ "label": quantity.label(), "values": values }));
        self
    }

    /// Returns whether the map has no field.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.fields.is_empty()
    }

    /// Returns the empty figure in which the script draws the map.
    #[must_use]
    pub fn markup(&self) -> Markup {
        html! {
            figure.map data-map=(self.name) data-state="idle" {
                figcaption { (self.title) }
                div.sheet role="img" aria-label=(self.title) { p.faint { "To show maps the page needs scripts." } }
                div.controls {}
            }
        }
    }

    /// Returns the element with the numbers of the map, for the script.
    #[must_use]
    pub fn script(&self) -> Markup {
        web::data(&self.name, &self.data().to_string())
    }

    /// Returns the size of the map in a page in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.data().to_string().len()
    }

    fn data(&self) -> Value {
        let side = |Cells { axis, places }: &Cells| json!({ "label": axis.label(), "places": places });
        let [x, y] = self.axes.each_ref().map(side);
        json!({ "title": self.title, "x": x, "y": y, "fields": self.fields })
    }
}
