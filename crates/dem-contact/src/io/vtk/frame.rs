//! One state as VTK polygonal data.

use std::io::Write;

use rrp_integrate::{Bodies, State};

use crate::bond::bonds::Bonds;
use crate::bond::energies::BondLoad;
use crate::bond::law::Bond;
use crate::error::DemError;
use crate::io::vtk::data_array::DataArray;

/// A state as a `.vtp` file: bodies as points, bonds as lines.
///
/// Points carry `radius` (m), `velocity` (m/s), `spin` (rad/s, world frame) and `attitude` (unit quaternion from body
/// to world frame, in the order w, x, y, z).
///
/// With [`with_ids`](Self::with_ids) points carry `id`, too.
///
/// Cells are one vertex for each body, then one line for each bond from its second body to its first. They carry `bond`
/// (number of the bond, −1 for a vertex), `intact` (1 or 0, −1 for a vertex), `force` (N, on the first body), `tension`
/// (N, positive where the bond pulls) and `energy` (J).
///
/// In ParaView, show bodies by sphere glyphs scaled by twice the radius, and bonds by tubes. Numbers are little-endian
/// bytes, so they are read back bit for bit.
#[derive(Debug, Clone, Copy)]
pub struct VtpFrame<'a> {
    bodies: &'a Bodies,
    state: &'a State,
    bonds: Option<&'a Bonds>,
    ids: Option<&'a [u64]>,
}

impl<'a> VtpFrame<'a> {
    /// The bodies at `state`.
    ///
    /// # Errors
    /// Those of [`State::check_columns`] inside [`DemError::Integrate`].
    pub fn new(bodies: &'a Bodies, state: &'a State) -> Result<Self, DemError> {
        state.check_columns(bodies)?;
        Ok(Self { bodies, state, bonds: None, ids: None })
    }

    /// The same with lines for bonds.
    ///
    /// # Errors
    /// [`DemError::LengthMismatch`] if the bonds belong to another number of bodies.
    pub fn with_bonds(self, bonds: &'a Bonds) -> Result<Self, DemError> {
        let (expected, found) = (self.bodies.len(), bonds.bodies());
        if expected != found {
            return Err(DemError::LengthMismatch { what: "bonds", expected, found });
        }
        Ok(Self { bonds: Some(bonds), ..self })
    }

    /// The same with the point data `id`, a number for each body that it keeps while others come and leave.
    ///
    /// # Errors
    /// [`DemError::LengthMismatch`].
    pub fn with_ids(self, ids: &'a [u64]) -> Result<Self, DemError> {
        let (expected, found) = (self.bodies.len(), ids.len());
        if expected != found {
            return Err(DemError::LengthMismatch { what: "ids", expected, found });
        }
        Ok(Self { ids: Some(ids), ..self })
    }

    /// Writes the file.
    ///
    /// # Errors
    /// [`DemError::Io`].
    pub fn write(&self, to: &mut dyn Write) -> Result<(), DemError> {
        let (points, lines) = (self.state.len(), self.bonds.map_or(0, Bonds::len));
        let sections = [
            ("PointData", self.point_data()),
            ("CellData", self.cell_data()),
            ("Points", vec![self.column("Points", |i| self.state.position().get(i).to_array())]),
            ("Verts", connectivity((0..points as i64).map(|i| [i]))),
            ("Lines", connectivity(self.pairs().into_iter())),
        ];
        writeln!(to, "<?xml version=\"1.0\"?>")?;
        writeln!(
            to,
            "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n<PolyData>"
        )?;
        writeln!(
            to,
            "<FieldData>\n<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">"
        )?;
        writeln!(to, "{}\n</DataArray>\n</FieldData>", self.state.time())?;
        writeln!(
            to,
            "<Piece NumberOfPoints=\"{points}\" NumberOfVerts=\"{points}\" NumberOfLines=\"{lines}\" NumberOfStrips=\"0\" NumberOfPolys=\"0\">"
        )?;
        let mut offset = 0;
        for (section, arrays) in &sections {
            writeln!(to, "<{section}>")?;
            arrays.iter().try_for_each(|array| array.tag(&mut offset, to))?;
            writeln!(to, "</{section}>")?;
        }
        write!(to, "</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_")?;
        sections.iter().flat_map(|(_, arrays)| arrays).try_for_each(|array| array.append(to))?;
        writeln!(to, "\n</AppendedData>\n</VTKFile>")?;
        Ok(())
    }

    fn column<const N: usize>(&self, name: &'static str, row: impl Fn(usize) -> [f64; N]) -> DataArray {
        DataArray::floats(name, (0..self.state.len()).map(row))
    }

    fn point_data(&self) -> Vec<DataArray> {
        let state = self.state;
        let attitude = |i| {
            let [x, y, z, w] = state.attitude().get(i).to_quaternion().to_array();
            [w, x, y, z]
        };
        let mut arrays = vec![
            self.column("radius", |i| [self.bodies.radius()[i]]),
            self.column("velocity", |i| state.velocity().get(i).to_array()),
            self.column("spin", |i| state.spin(self.bodies, i).to_array()),
        ];
        if state.has_attitudes() {
            arrays.push(self.column("attitude", attitude));
        }
        if let Some(ids) = self.ids {
            arrays.push(DataArray::integers("id", ids.iter().map(|&id| id as i64)));
        }
        arrays
    }

    fn cell_data(&self) -> Vec<DataArray> {
        let Some(bonds) = self.bonds else { return Vec::new() };
        let vertices = self.state.len();
        let loads: Vec<_> = bonds.loads(self.bodies, self.state).collect();
        let blank = || std::iter::repeat_n(-1, vertices);
        let zeros = || std::iter::repeat_n([0.0], vertices);
        let tension = |load: &BondLoad| {
            let [first, second] = load.bodies.map(|i| self.state.position().get(i));
            [load.force.dot((second - first).normalize_or_zero())]
        };
        vec![
            DataArray::integers("bond", blank().chain(0..loads.len() as i64)),
            DataArray::integers("intact", blank().chain(loads.iter().map(|load| i64::from(load.intact)))),
            DataArray::floats(
                "force",
                std::iter::repeat_n([0.0; 3], vertices).chain(loads.iter().map(|load| load.force.to_array())),
            ),
            DataArray::floats("tension", zeros().chain(loads.iter().map(tension))),
            DataArray::floats("energy", zeros().chain(loads.iter().map(|load| [load.energies.total()]))),
        ]
    }

    /// The bodies of each bond, the second first.
    fn pairs(&self) -> Vec<[i64; 2]> {
        let pair = |bond: Bond| {
            let [first, second] = bond.bodies.map(|i| i as i64);
            [second, first]
        };
        self.bonds.map_or_else(Vec::new, |bonds| bonds.iter().map(pair).collect())
    }
}

/// The two arrays that describe cells of `N` points each.
fn connectivity<const N: usize>(cells: impl Iterator<Item = [i64; N]> + Clone) -> Vec<DataArray> {
    let ends = cells.clone().scan(0, |end, _| {
        *end += N as i64;
        Some(*end)
    });
    vec![DataArray::integers("connectivity", cells.clone().flatten()), DataArray::integers("offsets", ends)]
}
