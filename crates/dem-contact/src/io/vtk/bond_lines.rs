use std::io::Write;

use rrp_integrate::{Bodies, State};

use crate::bond::bonds::Bonds;
use crate::bond::energies::BondLoad;
use crate::error::DemError;
use crate::io::vtk::data_array::DataArray;
use crate::io::vtk::lines::VtpLines;
use crate::util::length::check_length;

/// Bonds as a `.vtp` file: a line for each bond, from the centre of its second body to the centre of its first body or
/// of the bonded periodic image of that body.
///
/// Lines carry `a` and `b` (numbers of the first and the second body, or their ids with [`with_ids`](Self::with_ids)),
/// `intact` (1 or 0), `force` (N, on the first body), `tension` (N, positive where the bond pulls) and `energy` (J).
///
/// In ParaView, show bonds by tubes, and hide broken bonds by a threshold on `intact`.
pub type VtpBonds<'a> = VtpLines<'a, &'a Bonds>;

impl<'a> VtpBonds<'a> {
    /// Prepares a `.vtp` file of the bonds between the bodies at `state`; [`write`](Self::write) writes it.
    ///
    /// # Errors
    /// Errors of [`State::check_columns`] inside [`DemError::Integrate`], and [`DemError::LengthMismatch`] if the bonds
    /// belong to another number of bodies.
    pub fn new(bodies: &'a Bodies, state: &'a State, bonds: &'a Bonds) -> Result<Self, DemError> {
        state.check_columns(bodies)?;
        check_length("bonds", bodies.len(), bonds.bodies())?;
        Ok(Self::of(bodies, state, bonds))
    }

    /// Writes the `.vtp` file of bonds.
    ///
    /// # Errors
    /// [`DemError::Io`].
    pub fn write(&self, to: &mut dyn Write) -> Result<(), DemError> {
        let loads: Vec<BondLoad> = self.links.loads(self.bodies, self.state).collect();
        let cells = vec![
            DataArray::integers("a", loads.iter().map(|load| self.name(load.bodies[0]))),
            DataArray::integers("b", loads.iter().map(|load| self.name(load.bodies[1]))),
            DataArray::integers("intact", loads.iter().map(|load| i64::from(load.intact))),
            DataArray::floats("force", loads.iter().map(|load| load.force.to_array())),
            DataArray::floats("tension", loads.iter().map(|load| [-load.force.dot(load.direction)])),
            DataArray::floats("energy", loads.iter().map(|load| [load.energies.total()])),
        ];
        // From the centre of the second body to that of the first body or of its bonded image.
        let ends = |load: &BondLoad| {
            let begin = self.begin(load.bodies[1]);
            [begin, begin + load.distance * load.direction]
        };
        self.write_lines(loads.iter().map(ends), cells, to)
    }
}
