//! The parts of a frame that are drawn: grains with one number for each, walls, contacts and bonds.

use std::path::PathBuf;

use dem_contact::io::{VtpArray, VtpTable};
use rrp_geom::glam::DVec3;

use super::Results;
use super::frames::ListedFrame;
use super::table::in_words;
use super::turned::Turned;
use crate::error::GrainsError;
use crate::output::explained::{TableKind, explain};
use crate::output::names::FramePart;
use crate::scene::units::Units;
use crate::value::nearest_name;

/// A frame of a run as it is drawn.
#[derive(Debug, Clone, Default)]
pub(crate) struct DrawnFrame {
    grains: VtpTable,
    contacts: Option<VtpTable>,
    bonds: Option<VtpTable>,
    /// Corners in m of the triangles of all walls.
    pub(crate) walls: Vec<[DVec3; 3]>,
    units: Units,
}

/// A number for each grain, with the words of a colour bar.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct GrainColumn {
    /// Name of the quantity in words.
    pub(crate) quantity: String,
    pub(crate) unit: String,
    /// Whether the numbers stand for names or things, such as ids and groups.
    pub(crate) is_label: bool,
    pub(crate) values: Vec<f64>,
}

/// A line between two places, such as a contact or a bond.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Segment {
    /// Both ends in m.
    pub(crate) ends: [DVec3; 2],
    /// Normal force of a contact, or tension of a bond, in N.
    pub(crate) force: f64,
    /// False for a broken bond.
    pub(crate) is_intact: bool,
}

/// Columns that are not arrays of the file: they are computed from arrays.
const COMPUTED: [&str; 3] = ["speed", "diameter", "overlap"];
/// Arrays whose numbers stand for names or things.
const LABELS: [&str; 4] = ["id", "material", "group", "fragment"];
/// Components of vectors, as ends of names of columns.
const COMPONENTS: [&str; 3] = ["x", "y", "z"];

/// Reads frames one after the other. The file of walls at rest, which many frames share, is read once.
#[derive(Debug)]
pub(crate) struct FrameReader<'a> {
    /// Numbers of the walls that turn at some time.
    turning: &'a [usize],
    units: &'a Units,
    at_rest: Option<(PathBuf, Vec<[DVec3; 3]>)>,
}

impl<'a> FrameReader<'a> {
    /// Makes a reader of the frames of a run.
    pub(crate) fn of(results: &'a Results) -> Self {
        Self { turning: &results.turning, units: &results.units, at_rest: None }
    }

    /// Reads a frame.
    ///
    /// # Errors
    /// Those of [`ListedFrame::read`].
    pub(crate) fn read(&mut self, frame: &ListedFrame) -> Result<DrawnFrame, GrainsError> {
        let mut walls: Vec<_> =
            frame.read(FramePart::Walls)?.iter().flat_map(|walls| triangles(walls, self.turning)).collect();
        if let Some(path) = frame.file(FramePart::WallsAtRest) {
            let known = self.at_rest.take().filter(|(known, _)| known == path);
            let (_, at_rest) = match known {
                Some(known) => self.at_rest.insert(known),
                None => {
                    let walls = frame.read(FramePart::WallsAtRest)?;
                    let read = walls.iter().flat_map(|walls| triangles(walls, &[])).collect();
                    self.at_rest.insert((path.to_owned(), read))
                }
            };
            walls.extend_from_slice(at_rest);
        }
        Ok(DrawnFrame {
            grains: frame.read(FramePart::Grains)?.unwrap_or_default(),
            contacts: frame.read(FramePart::Contacts)?,
            bonds: frame.read(FramePart::Bonds)?,
            walls,
            units: self.units.clone(),
        })
    }
}

impl DrawnFrame {
    /// Returns the corners of the box around all grains; none without grains.
    pub(crate) fn bounds(&self) -> Option<[DVec3; 2]> {
        let spheres =
            self.centers().iter().zip(self.radii()).filter(|(center, radius)| center.is_finite() && radius.is_finite());
        let boxes = spheres.map(|(&center, radius)| [center - radius, center + radius]);
        boxes.reduce(|[low, high], [least, most]| [low.min(least), high.max(most)])
    }

    /// Returns the axis (0 to 2) along which all grains have the same coordinate, if there is one and the grains spread
    /// along the other axes.
    pub(crate) fn flat_axis(&self) -> Option<usize> {
        let [low, high] = self.bounds()?;
        let thickness = high - low;
        let largest = self.radii().into_iter().filter(|radius| radius.is_finite()).fold(0.0, f64::max);
        let is_flat = |axis: &usize| thickness[*axis] <= 2.001 * largest && thickness.max_element() > 4.0 * largest;
        let flat: Vec<usize> = (0..3).filter(is_flat).collect();
        if let [axis] = flat[..] { Some(axis) } else { None }
    }

    /// Centres of the grains in m.
    pub(crate) fn centers(&self) -> &[DVec3] {
        &self.grains.points
    }

    /// Returns the radii of the grains in m.
    pub(crate) fn radii(&self) -> Vec<f64> {
        self.array("radius").map_or_else(|| vec![0.0; self.grains.points.len()], |array| array.values.clone())
    }

    /// Ids of the grains, if the frame has them.
    pub(crate) fn ids(&self) -> Option<&[f64]> {
        self.array("id").map(|array| &array.values[..])
    }

    /// Returns the names of all columns of the grains.
    pub(crate) fn columns(&self) -> Vec<String> {
        let arrays = self.grains.point_arrays.iter();
        let components = |array: &VtpArray| COMPONENTS.map(|component| format!("{}_{component}", array.name));
        let vectors = self.grains.point_arrays.iter().filter(|array| array.width == 3).flat_map(components);
        let computed = COMPUTED.into_iter().map(str::to_owned);
        let all =
            computed.chain(arrays.filter(|array| array.width != 4).map(|array| array.name.clone())).chain(vectors);
        all.filter(|name| self.computed(name).is_some() || self.in_array(name).is_some()).collect()
    }

    /// Returns a column of the grains: an array of the file, the length or a component of a vector (`velocity_x`), or
    /// `speed`, `diameter` or `overlap`.
    ///
    /// # Errors
    /// [`GrainsError::UnknownColumn`], with the file of the grains.
    pub(crate) fn column(&self, name: &str, frame: &ListedFrame) -> Result<GrainColumn, GrainsError> {
        if let Some(column) = self.computed(name).or_else(|| self.in_array(name)) {
            return Ok(column);
        }
        let known = self.columns();
        let path = frame.file(FramePart::Grains).unwrap_or(std::path::Path::new("")).to_owned();
        let nearest = nearest_name(name, &known);
        Err(GrainsError::UnknownColumn { path, found: name.to_owned(), nearest, known: known.into() })
    }

    /// Returns the contacts as lines between centres, or from a centre to a wall.
    pub(crate) fn contacts(&self) -> Vec<Segment> {
        segments(self.contacts.as_ref(), "normal_force")
    }

    /// Returns the bonds as lines between centres.
    pub(crate) fn bonds(&self) -> Vec<Segment> {
        segments(self.bonds.as_ref(), "tension")
    }

    fn array(&self, name: &str) -> Option<&VtpArray> {
        self.grains.point_array(name)
    }

    fn computed(&self, name: &str) -> Option<GrainColumn> {
        let number = |unit, values| {
            let unit = self.units.named(unit);
            Some(GrainColumn { quantity: name.to_owned(), unit, is_label: false, values })
        };
        match name {
            "speed" => number("m/s", lengths(self.array("velocity")?)),
            "diameter" => number("m", self.array("radius")?.values.iter().map(|radius| 2.0 * radius).collect()),
            "overlap" => number("m", self.overlaps()?),
            _ => None,
        }
    }

    fn in_array(&self, name: &str) -> Option<GrainColumn> {
        let of = |array: &VtpArray, values: Vec<f64>| GrainColumn {
            quantity: in_words(name),
            unit: self.units.named(explain(TableKind::Frames, &array.name).map_or("", |known| known.unit)),
            is_label: LABELS.contains(&&array.name[..]),
            values,
        };
        if let Some(array) = self.array(name) {
            return match array.width {
                1 => Some(of(array, array.values.clone())),
                3 => Some(of(array, lengths(array))),
                _ => None,
            };
        }
        let (vector, component) = name.rsplit_once('_')?;
        let index = COMPONENTS.iter().position(|known| *known == component)?;
        let array = self.array(vector).filter(|array| array.width == 3)?;
        Some(of(array, array.values.iter().skip(index).step_by(3).copied().collect()))
    }

    /// Returns the largest overlap in m of each grain, zero for grains without contacts.
    fn overlaps(&self) -> Option<Vec<f64>> {
        let ids = &self.array("id")?.values;
        let contacts = self.contacts.as_ref()?;
        let [a, b, gap] = ["a", "b", "gap"].map(|name| contacts.cell_array(name));
        let mut overlaps = vec![0.0; ids.len()];
        for (bodies, gap) in a?.values.iter().zip(&b?.values).zip(&gap?.values) {
            for id in [bodies.0, bodies.1] {
                // Bodies are in the order of their ids; a wall has the id -1.
                if let Ok(grain) = ids.binary_search_by(|known| known.total_cmp(id)) {
                    overlaps[grain] = f64::max(overlaps[grain], -gap);
                }
            }
        }
        Some(overlaps)
    }
}

/// Returns the lengths of the vectors of an array.
fn lengths(array: &VtpArray) -> Vec<f64> {
    array.values.as_chunks::<3>().0.iter().map(|&vector| DVec3::from_array(vector).length()).collect()
}

/// Returns the lines of a file of contacts or bonds.
fn segments(table: Option<&VtpTable>, force: &str) -> Vec<Segment> {
    let Some(table) = table else { return Vec::new() };
    let number = |name: &str, line: usize| table.cell_array(name).and_then(|array| array.values.get(line)).copied();
    let segment = |(line, &[a, b]): (usize, &[usize; 2])| Segment {
        ends: [table.points[a], table.points[b]],
        force: number(force, line).unwrap_or(f64::NAN),
        is_intact: number("intact", line) != Some(0.0),
    };
    table.lines.iter().enumerate().map(segment).collect()
}

/// Cuts the polygons of walls into triangles; surfaces of revolution get more of them, and those of the walls `turning` are
/// marked.
fn triangles(walls: &VtpTable, turning: &[usize]) -> Vec<[DVec3; 3]> {
    let fan = |polygon: &Vec<usize>| {
        let corners: Vec<DVec3> = polygon.iter().map(|&corner| walls.points[corner]).collect();
        (2..corners.len()).map(|k| [corners[0], corners[k - 1], corners[k]]).collect::<Vec<_>>()
    };
    let numbers = walls.cell_array("wall").map(|array| &array.values[..]).unwrap_or_default();
    let number = |polygon: usize| numbers.get(polygon).map(|number| *number as usize);
    let mut triangles = Vec::new();
    let mut first = 0;
    while first < walls.polygons.len() {
        let rest = first..walls.polygons.len();
        let count = rest.take_while(|&polygon| number(polygon) == number(first)).count();
        let polygons = &walls.polygons[first..first + count];
        match Turned::of(walls, polygons) {
            Some(turned) => {
                triangles.extend(turned.triangles());
                let turns = number(first).is_some_and(|number| turning.contains(&number));
                triangles.extend(turned.marks().into_iter().filter(|_| turns));
            }
            None => triangles.extend(polygons.iter().flat_map(fan)),
        }
        first += count;
    }
    triangles
}
