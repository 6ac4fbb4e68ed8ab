//! Interactive views of grains in a page: frames that turn, play, are coloured by a column and cut by a plane.
//!
//! The caller hands over frames, described in `frame`, with the columns of `column`. `pack` compresses numbers of 16
//! bits as text, `store` keeps the text of all frames, and `markup` writes the elements of the page. The scripts in
//! [`SCRIPTS`] decode the text and draw it. No frame is kept uncompressed.
//!
//! ```
//! use glam::DVec3;
//! use grains_pages::view::{Column, Frame, SCRIPTS, STYLE, View};
//! use grains_pages::web::{self, Library};
//!
//! let mut view = View::new("frames", "Two grains").column(Column::number("speed", "m/s"));
//! view.frame(&Frame {
//!     centres: &[DVec3::ZERO, DVec3::X],
//!     radii: &[0.5, 0.5],
//!     columns: &[&[0.1, 0.2]],
//!     ..Frame::default()
//! })?;
//! let page = maud::html! {
//!     head { meta charset="utf-8"; (web::style(STYLE)) }
//!     body {
//!         (view.markup())
//!         (view.data())
//!         @for block in view.blocks() { (block) }
//!         (web::scripts(&[Library::Three], &SCRIPTS))
//!     }
//! };
//! assert!(page.into_string().contains("Two grains"));
//! # Ok::<(), grains_pages::error::ViewError>(())
//! ```
mod column;
mod frame;
mod markup;
mod pack;
mod store;

use std::collections::BTreeMap;

use glam::DVec3;
use serde_json::{Value, json};

use crate::error::ViewError;
use column::Identifiers;
use store::{Role, Store};

pub use column::{Column, Kind};
pub use frame::{Bond, Contact, Frame, Triangle};
pub use store::Written;

/// Scripts that draw views, in the order in a page, after [`crate::web::Library::Three`].
pub const SCRIPTS: [&str; 5] = [
    include_str!("../../web/grains-data.js"),
    include_str!("../../web/grains-order.js"),
    include_str!("../../web/grains-shapes.js"),
    include_str!("../../web/grains-panel.js"),
    include_str!("../../web/grains.js"),
];

/// Style rules for views, which a page adds to its own.
pub const STYLE: &str = include_str!("../../web/grains.css");

/// Default largest size of a view in bytes, which leaves space for plots and libraries in a page of 60 MB.
const LIMIT: usize = 50_000_000;

/// Default largest number of contacts kept of a frame. 100 000 grains have about 300 000 contacts, which would take
/// more bytes than the grains, and would hide each other.
const CONTACTS: usize = 20_000;

/// An interactive view of grains: a figure of a page with its frames.
///
/// The caller pushes frames one after another, and then writes [`View::markup`] into the page's text, and
/// [`View::data`] and each of [`View::blocks`] before the page's scripts. If the frames exceed [`View::limit`], every
/// second one is dropped.
#[derive(Debug)]
pub struct View {
    name: String,
    title: String,
    up: DVec3,
    eye: DVec3,
    unit: String,
    time_unit: String,
    columns: Vec<Column>,
    /// Names that the values of a column stand for, for each column of identifiers, by the index of the column.
    identifiers: BTreeMap<usize, Identifiers>,
    contacts: (String, String),
    strongest: usize,
    store: Store,
}

impl View {
    /// Makes a view without frames. `name` must be unique among views, plots and data of the page.
    #[must_use]
    pub fn new(name: &str, title: &str) -> Self {
        Self {
            name: name.into(),
            title: title.into(),
            up: DVec3::Z,
            eye: DVec3::new(0.55, -1.0, 0.4),
            unit: "m".into(),
            time_unit: "s".into(),
            columns: Vec::new(),
            identifiers: BTreeMap::new(),
            contacts: ("force".into(), "N".into()),
            strongest: CONTACTS,
            store: Store::new(LIMIT),
        }
    }

    /// Sets the direction that points upwards in the picture; z by default.
    #[must_use]
    pub fn up(mut self, up: DVec3) -> Self {
        self.up = up;
        self
    }

    /// Sets the direction from the middle of the grains to the eye of the reader. For grains in the plane of x and y
    /// this is z, with y upwards.
    #[must_use]
    pub fn eye(mut self, eye: DVec3) -> Self {
        self.eye = eye;
        self
    }

    /// Sets the unit of coordinates and radii; metres by default.
    #[must_use]
    pub fn length_unit(mut self, unit: &str) -> Self {
        self.unit = unit.into();
        self
    }

    /// Adds a column by which grains can be coloured. The first column is selected initially. All columns must be added
    /// before the first frame.
    #[must_use]
    pub fn column(mut self, column: Column) -> Self {
        self.columns.push(column);
        self
    }

    /// Sets the unit of the times of frames; seconds by default.
    #[must_use]
    pub fn time_unit(mut self, unit: &str) -> Self {
        self.time_unit = unit.into();
        self
    }

    /// Sets name and unit of the values of contacts; a force in newtons by default.
    #[must_use]
    pub fn contacts(mut self, name: &str, unit: &str) -> Self {
        self.contacts = (name.into(), unit.into());
        self
    }

    /// Sets the largest number of contacts kept of each frame, those with the largest absolute values; 20 000 by
    /// default. The page says how many were left out.
    #[must_use]
    pub fn strongest(mut self, contacts: usize) -> Self {
        self.strongest = contacts;
        self
    }

    /// Sets the largest size of the view in bytes; 50 million by default. When frames exceed the limit, every second
    /// one is left out, repeatedly. The first and the last frame always remain.
    #[must_use]
    pub fn limit(mut self, bytes: usize) -> Self {
        self.store.set_limit(bytes);
        self
    }

    /// Adds a frame, and returns the sizes of its parts in bytes.
    ///
    /// # Errors
    /// [`ViewError`] if radii or values are not as many as centres, or columns not as many as in the view, or if there
    /// are more numbers than 32 bits can index. The view is then unchanged.
    pub fn frame(&mut self, frame: &Frame<'_>) -> Result<Written, ViewError> {
        frame.check(self.columns.len(), self.store.pushed())?;
        let mut writer = self.store.begin();
        let centres = writer.put(Role::Centres, pack::points(frame.centres.iter().copied()));
        let radii = writer.put(Role::Radii, pack::numbers(frame.radii));
        let mut columns = Vec::with_capacity(frame.columns.len());
        for (place, (column, values)) in self.columns.iter().zip(frame.columns).enumerate() {
            let packed = match &column.kind {
                Kind::Number => pack::numbers(values),
                Kind::Label { names } => pack::labels(values, names.len()),
                Kind::Identifier => {
                    let known = self.identifiers.entry(place).or_default();
                    let labels = known.labels(values);
                    pack::labels(&labels, known.names().len())
                }
            };
            columns.push(writer.put(Role::Column(place), packed));
        }
        let contacts = (!frame.contacts.is_empty()).then(|| {
            let strongest = frame::strongest(frame.contacts, self.strongest);
            let values: Vec<f64> = strongest.iter().map(|contact| contact.value).collect();
            let ends = writer.put(Role::ContactEnds, pack::segments(strongest.iter().map(|contact| contact.ends)));
            let values = writer.put(Role::ContactValues, pack::numbers(&values));
            json!({ "count": strongest.len(), "all": frame.contacts.len(), "ends": ends, "values": values })
        });
        let bonds = (!frame.bonds.is_empty()).then(|| {
            let states: Vec<f64> = frame.bonds.iter().map(|bond| if bond.intact { 0.0 } else { 1.0 }).collect();
            let ends = writer.put(Role::BondEnds, pack::segments(frame.bonds.iter().map(|bond| bond.ends)));
            let states = writer.put(Role::BondStates, pack::labels(&states, 2));
            json!({ "count": frame.bonds.len(), "ends": ends, "values": states })
        });
        if let Some(triangles) = frame.walls {
            let mesh = frame::mesh(triangles);
            let points = writer.put(Role::WallPoints, pack::points(mesh.points.iter().copied()));
            let corners = writer.put(Role::WallCorners, pack::indices(&mesh.corners));
            writer.set_walls(json!({ "count": mesh.points.len(), "triangles": triangles.len(),
                "points": points, "corners": corners }));
        }
        let walls = writer.walls();
        let described = json!({ "time": frame.time, "count": frame.centres.len(), "centres": centres, "radii": radii,
            "columns": columns, "contacts": contacts, "bonds": bonds, "walls": walls });
        Ok(writer.end(&described))
    }

    /// Returns the present size of the view in the page in bytes: compressed frames and their descriptions.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.store.bytes()
    }

    /// Returns the number of kept frames.
    #[must_use]
    pub fn frames(&self) -> usize {
        self.store.frames()
    }

    /// Returns the number of pushed frames.
    #[must_use]
    pub fn pushed(&self) -> usize {
        self.store.pushed()
    }

    /// Returns the directions upwards and to the eye for a camera: of length one and not parallel.
    fn directions(&self) -> (DVec3, DVec3) {
        let up = self.up.try_normalize().unwrap_or(DVec3::Z);
        let eye = self.eye.try_normalize().unwrap_or(DVec3::new(0.5, -0.8, 0.33).normalize());
        if up.cross(eye).length() > 1e-3 {
            (up, eye)
        } else {
            (up, (eye + 0.01 * up.any_orthonormal_vector()).normalize())
        }
    }

    /// Returns the description of the view for the scripts as JSON.
    fn description(&self) -> String {
        let (up, eye) = self.directions();
        let described = |(place, column): (usize, &Column)| column.described(self.identifiers.get(&place));
        let columns: Vec<Value> = self.columns.iter().enumerate().map(described).collect();
        let (quantity, unit) = &self.contacts;
        let head = json!({ "title": self.title, "up": up.to_array(), "eye": eye.to_array(),
            "unit": self.unit, "timeUnit": self.time_unit, "columns": columns, "contacts": { "name": quantity, "unit": unit },
            "pushed": self.store.pushed(), "none": pack::NONE });
        // Frames are kept as JSON text.
        let mut text = head.to_string();
        text.pop();
        text.push_str(",\"frames\":[");
        text.push_str(&self.store.described());
        text.push_str("]}");
        text
    }
}

#[cfg(test)]
mod tests;
