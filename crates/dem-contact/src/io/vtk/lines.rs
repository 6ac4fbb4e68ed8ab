use std::io::Write;

use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, State};

use crate::error::DemError;
use crate::io::vtk::data_array::{DataArray, VtpEncoding};
use crate::io::vtk::poly_data::PolyData;
use crate::neighbor::domain::Domain;
use crate::util::length::check_length;

/// Contacts ([`VtpContacts`](crate::io::VtpContacts)) or bonds ([`VtpBonds`](crate::io::VtpBonds)) as a `.vtp` file
/// with a line for each of the `links`.
#[derive(Debug, Clone, Copy)]
pub struct VtpLines<'a, L> {
    pub(super) bodies: &'a Bodies,
    pub(super) state: &'a State,
    pub(super) links: L,
    ids: Option<&'a [u64]>,
    wrapped_in: Option<Domain>,
    encoding: VtpEncoding,
}

impl<'a, L> VtpLines<'a, L> {
    pub(super) fn of(bodies: &'a Bodies, state: &'a State, links: L) -> Self {
        Self { bodies, state, links, ids: None, wrapped_in: None, encoding: VtpEncoding::default() }
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

    /// Id of a body, or its number if no ids were given.
    pub(super) fn name(&self, body: usize) -> i64 {
        self.ids.map_or(body as i64, |ids| ids[body] as i64)
    }

    /// Centre in m of a body at which a line begins, wrapped into the domain, if one was given.
    pub(super) fn begin(&self, body: usize) -> DVec3 {
        let center = self.state.position().get(body);
        self.wrapped_in.map_or(center, |domain| domain.inside(center))
    }

    pub(super) fn write_lines(
        &self,
        ends: impl ExactSizeIterator<Item = [DVec3; 2]>,
        cells: Vec<DataArray>,
        to: &mut dyn Write,
    ) -> Result<(), DemError> {
        let ends = ends.map(|ends| ends.map(|end| end.to_array()));
        PolyData::of_lines(self.state.time(), ends, cells, self.encoding).write(to)
    }
}
