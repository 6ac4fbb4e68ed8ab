use std::io::Write;

use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, State};

use crate::bond::bonds::Bonds;
use crate::bond::energies::BondLoad;
use crate::bond::law::Bond;
use crate::error::DemError;
use crate::force::fixed_spins::FixedSpins;
use crate::io::vtk::data_array::{DataArray, VtpEncoding};
use crate::io::vtk::poly_data::{PolyData, connectivity};
use crate::measure::{Touch, check_touches};
use crate::neighbor::domain::Domain;
use crate::util::length::check_length;

/// A state as a `.vtp` file: bodies as points, bonds as lines.
///
/// Points carry `radius` (m), `mass` (kg, infinite for fixed bodies), `velocity` (m/s), `spin` (rad/s, world frame)
/// and, if the state has attitudes, `attitude` (unit quaternion from body to world frame, in the order w, x, y, z). The
/// methods `with_ids` and so on add `id`, `material`, `group`, `fragment`, `force` (N), `torque` (N m, world frame,
/// about the centre) and `contacts`.
///
/// Cells are one vertex for each body, then one line for each bond from its second body to its first. They carry `bond`
/// (number of the bond, −1 for a vertex), `intact` (1 or 0, −1 for a vertex), `force` (N, on the first body), `tension`
/// (N, positive where the bond pulls) and `energy` (J).
///
/// In ParaView, show bodies by sphere glyphs scaled by twice the radius, and bonds by tubes. Numbers are little-endian
/// bytes, which are read back with the same bits.
#[derive(Debug, Clone, Copy)]
pub struct VtpFrame<'a> {
    bodies: &'a Bodies,
    state: &'a State,
    bonds: Option<&'a Bonds>,
    ids: Option<&'a [u64]>,
    materials: Option<&'a [u16]>,
    groups: Option<&'a [u32]>,
    fragments: Option<&'a [u64]>,
    contacts: Option<&'a [Touch]>,
    /// Spins (rad/s) of fixed bodies that turn, each after the number of its body.
    fixed_spins: &'a [(usize, DVec3)],
    has_wrenches: bool,
    wrapped_in: Option<Domain>,
    encoding: VtpEncoding,
}

impl<'a> VtpFrame<'a> {
    /// Prepares a `.vtp` file of the bodies at `state`, without bonds and optional point data; [`write`](Self::write)
    /// writes it.
    ///
    /// # Errors
    /// Errors of [`State::check_columns`] inside [`DemError::Integrate`].
    pub fn new(bodies: &'a Bodies, state: &'a State) -> Result<Self, DemError> {
        state.check_columns(bodies)?;
        Ok(Self {
            bodies,
            state,
            bonds: None,
            ids: None,
            materials: None,
            groups: None,
            fragments: None,
            contacts: None,
            fixed_spins: &[],
            has_wrenches: false,
            wrapped_in: None,
            encoding: VtpEncoding::default(),
        })
    }

    /// Adds a line for each bond, with the cell data of bonds.
    ///
    /// # Errors
    /// [`DemError::LengthMismatch`] if the bonds belong to another number of bodies.
    pub fn with_bonds(self, bonds: &'a Bonds) -> Result<Self, DemError> {
        check_length("bonds", self.bodies.len(), bonds.bodies())?;
        Ok(Self { bonds: Some(bonds), ..self })
    }

    /// Adds the point data `id`: a number that each body keeps while other bodies come and leave.
    ///
    /// # Errors
    /// [`DemError::LengthMismatch`].
    pub fn with_ids(self, ids: &'a [u64]) -> Result<Self, DemError> {
        check_length("ids", self.bodies.len(), ids.len())?;
        Ok(Self { ids: Some(ids), ..self })
    }

    /// Adds the point data `material`: the number of each body's material.
    ///
    /// # Errors
    /// [`DemError::LengthMismatch`].
    pub fn with_materials(self, materials: &'a [u16]) -> Result<Self, DemError> {
        check_length("materials", self.bodies.len(), materials.len())?;
        Ok(Self { materials: Some(materials), ..self })
    }

    /// Adds the point data `group`: the number of each body's group.
    ///
    /// # Errors
    /// [`DemError::LengthMismatch`].
    pub fn with_groups(self, groups: &'a [u32]) -> Result<Self, DemError> {
        check_length("groups", self.bodies.len(), groups.len())?;
        Ok(Self { groups: Some(groups), ..self })
    }

    /// Adds the point data `fragment`: a number for each body, shared by all bodies of its fragment.
    ///
    /// # Errors
    /// [`DemError::LengthMismatch`].
    pub fn with_fragments(self, fragments: &'a [u64]) -> Result<Self, DemError> {
        check_length("fragments", self.bodies.len(), fragments.len())?;
        Ok(Self { fragments: Some(fragments), ..self })
    }

    /// Sets the spins (rad/s) of fixed bodies that [turn](crate::force::ContactForce::spin_fixed), each after the
    /// number of its body, in any order. States hold no spins of fixed bodies, which are zero without this call.
    ///
    /// # Errors
    /// [`ContactError::SpinOfFreeBody`](crate::error::ContactError::SpinOfFreeBody).
    pub fn with_fixed_spins(self, spins: &'a [(usize, DVec3)]) -> Result<Self, DemError> {
        FixedSpins::new(spins.iter().copied()).check(self.bodies)?;
        Ok(Self { fixed_spins: spins, ..self })
    }

    /// Adds the point data `contacts`: the number of [closed](Touch::is_closed) contacts of each body.
    ///
    /// # Errors
    /// [`DemError::InvalidParameter`] for a contact of a body that does not exist.
    pub fn with_contacts(self, contacts: &'a [Touch]) -> Result<Self, DemError> {
        check_touches(contacts, self.bodies.len())?;
        Ok(Self { contacts: Some(contacts), ..self })
    }

    /// Adds the point data `force` and `torque` on each body, NaN if the state has no wrenches (before a first step).
    #[must_use]
    pub fn with_wrenches(self) -> Self {
        Self { has_wrenches: true, ..self }
    }

    /// Wraps the drawn positions of bodies into a periodic domain. Bonds across a side then cross the drawn domain.
    ///
    /// # Errors
    /// Errors of [`Domain::at`].
    pub fn wrapped_in(self, domain: &Domain) -> Result<Self, DemError> {
        Ok(Self { wrapped_in: Some(domain.at(self.state.time())?), ..self })
    }

    /// Sets the encoding of the arrays: compressed, single precision, or neither.
    #[must_use]
    pub fn encoded(self, encoding: VtpEncoding) -> Self {
        Self { encoding, ..self }
    }

    /// Writes the `.vtp` file of bodies and bonds.
    ///
    /// # Errors
    /// [`DemError::Io`].
    pub fn write(&self, to: &mut dyn Write) -> Result<(), DemError> {
        let points = self.state.len();
        let lines = self.bonds.map_or(0, Bonds::len);
        let sections = vec![
            ("PointData", self.point_data()),
            ("CellData", self.cell_data()),
            ("Points", vec![self.column("Points", |i| self.position(i).to_array())]),
            ("Verts", connectivity((0..points as i64).map(|i| [i]))),
            ("Lines", connectivity(self.pairs().into_iter())),
        ];
        let data = PolyData {
            time: self.state.time(),
            points,
            vertices: points,
            lines,
            polygons: 0,
            sections,
            encoding: self.encoding,
        };
        data.write(to)
    }

    fn position(&self, body: usize) -> DVec3 {
        let position = self.state.position().get(body);
        self.wrapped_in.map_or(position, |domain| domain.inside(position))
    }

    /// Velocity (m/s) of the drawn image of a body; images have different velocities in a box that deforms.
    fn velocity(&self, body: usize) -> DVec3 {
        let position = self.state.position().get(body);
        let velocity = self.state.velocity().get(body);
        self.wrapped_in.map_or(velocity, |domain| velocity + domain.image_velocity(domain.inside(position) - position))
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
        let fixed_spins = FixedSpins::new(self.fixed_spins.iter().copied());
        let mut arrays = vec![
            self.column("radius", |i| [self.bodies.radius()[i]]),
            self.column("mass", |i| [self.bodies.mass()[i]]),
            self.column("velocity", |i| self.velocity(i).to_array()),
            self.column("spin", |i| fixed_spins.of(self.bodies, state, i).to_array()),
        ];
        if state.has_attitudes() {
            arrays.push(self.column("attitude", attitude));
        }
        if let Some(ids) = self.ids {
            arrays.push(DataArray::integers("id", ids.iter().map(|&id| id as i64)));
        }
        if let Some(materials) = self.materials {
            arrays.push(DataArray::integers("material", materials.iter().map(|&material| i64::from(material))));
        }
        if let Some(groups) = self.groups {
            arrays.push(DataArray::integers("group", groups.iter().map(|&group| i64::from(group))));
        }
        if let Some(fragments) = self.fragments {
            arrays.push(DataArray::integers("fragment", fragments.iter().map(|&fragment| fragment as i64)));
        }
        if self.has_wrenches {
            let wrenches = state.wrenches();
            let unknown = [f64::NAN; 3];
            arrays.push(self.column("force", |i| wrenches.map_or(unknown, |all| all.force.get(i).to_array())));
            arrays.push(self.column("torque", |i| wrenches.map_or(unknown, |all| all.torque.get(i).to_array())));
        }
        if let Some(contacts) = self.contacts {
            arrays.push(DataArray::integers("contacts", self.contact_counts(contacts)));
        }
        arrays
    }

    fn contact_counts(&self, contacts: &[Touch]) -> Vec<i64> {
        let mut counts = vec![0; self.bodies.len()];
        for touch in contacts.iter().filter(|touch| touch.is_closed()) {
            counts[touch.a] += 1;
            if let Some(b) = touch.b.body() {
                counts[b] += 1;
            }
        }
        counts
    }

    fn cell_data(&self) -> Vec<DataArray> {
        let Some(bonds) = self.bonds else { return Vec::new() };
        let vertices = self.state.len();
        let loads: Vec<_> = bonds.loads(self.bodies, self.state).collect();
        let blank = || std::iter::repeat_n(-1, vertices);
        let zeros = || std::iter::repeat_n([0.0], vertices);
        let tension = |load: &BondLoad| [-load.force.dot(load.direction)];
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

    /// Numbers of the two bodies of each bond, its second body first.
    fn pairs(&self) -> Vec<[i64; 2]> {
        let pair = |bond: Bond| {
            let [first, second] = bond.bodies.map(|i| i as i64);
            [second, first]
        };
        self.bonds.map_or_else(Vec::new, |bonds| bonds.iter().map(pair).collect())
    }
}
