use std::io::Write;

use rrp_integrate::{Bodies, State};

use crate::error::DemError;
use crate::io::vtk::data_array::{DataArray, VtpEncoding};
use crate::io::vtk::poly_data::PolyData;
use crate::law::contact::{Partner, PowerByMotion};
use crate::measure::{Touch, check_touches};
use crate::neighbor::domain::Domain;
use crate::util::length::check_length;

/// Contacts as a `.vtp` file: a line for each contact, from the centre of body a to that of b or to the wall.
///
/// Lines carry `a` and `b` (numbers of the bodies, or their ids with [`with_ids`](Self::with_ids); `b` is −1 for a
/// wall), `wall` (its number, −1 for a body), `gap` (m), `force` (N, of a on b), `normal_force` (N, positive in
/// compression) and `power` (W, dissipated by normal damping, sliding, rolling and twisting).
///
/// In ParaView, show contacts by tubes whose radius is the normal force.
#[derive(Debug, Clone, Copy)]
pub struct VtpContacts<'a> {
    bodies: &'a Bodies,
    state: &'a State,
    touches: &'a [Touch],
    ids: Option<&'a [u64]>,
    wrapped_in: Option<Domain>,
    encoding: VtpEncoding,
}

impl<'a> VtpContacts<'a> {
    /// Prepares a `.vtp` file of the contacts `touches` between the bodies at `state`; [`write`](Self::write) writes
    /// it.
    ///
    /// # Errors
    /// Errors of [`State::check_columns`] inside [`DemError::Integrate`], and [`DemError::InvalidParameter`] for a
    /// contact of a body that does not exist.
    pub fn new(bodies: &'a Bodies, state: &'a State, touches: &'a [Touch]) -> Result<Self, DemError> {
        state.check_columns(bodies)?;
        check_touches(touches, bodies.len())?;
        Ok(Self { bodies, state, touches, ids: None, wrapped_in: None, encoding: VtpEncoding::default() })
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

    /// Writes the `.vtp` file of contacts.
    ///
    /// # Errors
    /// [`DemError::Io`].
    pub fn write(&self, to: &mut dyn Write) -> Result<(), DemError> {
        let name = |body: usize| self.ids.map_or(body as i64, |ids| ids[body] as i64);
        let other = |touch: &Touch| touch.b.body().map_or(-1, name);
        let wall = |touch: &Touch| if let Partner::Wall(wall) = touch.b { wall as i64 } else { -1 };
        let touches = || self.touches.iter();
        let cells = vec![
            DataArray::integers("a", touches().map(|touch| name(touch.a))),
            DataArray::integers("b", touches().map(other)),
            DataArray::integers("wall", touches().map(wall)),
            DataArray::floats("gap", touches().map(|touch| [-touch.overlap])),
            DataArray::floats("force", touches().map(|touch| touch.force.to_array())),
            DataArray::floats("normal_force", touches().map(|touch| [touch.force.dot(touch.normal)])),
            DataArray::floats("power", touches().map(power)),
        ];
        let ends = touches().map(|touch| self.ends(touch));
        PolyData::of_lines(self.state.time(), ends, cells, self.encoding).write(to)
    }

    /// Returns the ends of the line of a contact: the centre of body a, and the centre of the touching image of body b
    /// or the contact point on a wall.
    fn ends(&self, touch: &Touch) -> [[f64; 3]; 2] {
        let center = self.state.position().get(touch.a);
        let center = self.wrapped_in.map_or(center, |domain| domain.inside(center));
        let other = touch.b.body().map_or(0.0, |body| self.bodies.radius()[body]);
        let end = center + (self.bodies.radius()[touch.a] + other - touch.overlap) * touch.normal;
        [center, end].map(|end| end.to_array())
    }
}

fn power(touch: &Touch) -> [f64; 4] {
    let PowerByMotion { normal, sliding, rolling, twisting } = touch.power;
    [normal, sliding, rolling, twisting]
}
