use std::io::Write;

use rrp_integrate::{Bodies, State};

use crate::bond::bonds::Bonds;
use crate::bond::energies::BondLoad;
use crate::error::DemError;
use crate::io::vtk::data_array::{DataArray, VtpEncoding};
use crate::io::vtk::poly_data::PolyData;
use crate::neighbor::domain::Domain;
use crate::util::length::check_length;

/// Bonds as a `.vtp` file: a line for each bond, from the centre of its second body to the centre of its first body or
/// of the bonded periodic image of that body.
///
/// Lines carry `a` and `b` (numbers of the first and the second body, or their ids with [`with_ids`](Self::with_ids)),
/// `intact` (1 or 0), `force` (N, on the first body), `tension` (N, positive where the bond pulls) and `energy` (J).
///
/// In ParaView, show bonds by tubes, and hide broken bonds by a threshold on `intact`.
#[derive(Debug, Clone, Copy)]
pub struct VtpBonds<'a> {
    bodies: &'a Bodies,
    state: &'a State,
    bonds: &'a Bonds,
    ids: Option<&'a [u64]>,
    wrapped_in: Option<Domain>,
    encoding: VtpEncoding,
}

impl<'a> VtpBonds<'a> {
    /// Prepares a `.vtp` file of the bonds between the bodies at `state`; [`write`](Self::write) writes it.
    ///
    /// # Errors
    /// Errors of [`State::check_columns`] inside [`DemError::Integrate`], and [`DemError::LengthMismatch`] if the bonds
    /// belong to another number of bodies.
    pub fn new(bodies: &'a Bodies, state: &'a State, bonds: &'a Bonds) -> Result<Self, DemError> {
        state.check_columns(bodies)?;
        check_length("bonds", bodies.len(), bonds.bodies())?;
        Ok(Self { bodies, state, bonds, ids: None, wrapped_in: None, encoding: VtpEncoding::default() })
    }

    /// Writes ids instead of body numbers to the arrays `a` and `b`; `ids` has the id of each body.
    ///
    /// # Errors
    /// [`DemError::LengthMismatch`].
    pub fn with_ids(self, ids: &'a [u64]) -> Result<Self, DemError> {
        check_length("ids", self.bodies.len(), ids.len())?;
        Ok(Self { ids: Some(ids), ..self })
    }

    /// Wraps the start of each line into a periodic domain.
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

    /// Writes the `.vtp` file of bonds.
    ///
    /// # Errors
    /// [`DemError::Io`].
    pub fn write(&self, to: &mut dyn Write) -> Result<(), DemError> {
        let loads: Vec<BondLoad> = self.bonds.loads(self.bodies, self.state).collect();
        let name = |body: usize| self.ids.map_or(body as i64, |ids| ids[body] as i64);
        let cells = vec![
            DataArray::integers("a", loads.iter().map(|load| name(load.bodies[0]))),
            DataArray::integers("b", loads.iter().map(|load| name(load.bodies[1]))),
            DataArray::integers("intact", loads.iter().map(|load| i64::from(load.intact))),
            DataArray::floats("force", loads.iter().map(|load| load.force.to_array())),
            DataArray::floats("tension", loads.iter().map(|load| [-load.force.dot(load.direction)])),
            DataArray::floats("energy", loads.iter().map(|load| [load.energies.total()])),
        ];
        let ends = loads.iter().map(|load| self.ends(load));
        PolyData::of_lines(self.state.time(), ends, cells, self.encoding).write(to)
    }

    /// Returns the ends of the line of a bond: the centre of its second body, then of its first body or bonded image.
    fn ends(&self, load: &BondLoad) -> [[f64; 3]; 2] {
        let second = self.state.position().get(load.bodies[1]);
        let begin = self.wrapped_in.map_or(second, |domain| domain.inside(second));
        [begin, begin + load.distance * load.direction].map(|end| end.to_array())
    }
}
