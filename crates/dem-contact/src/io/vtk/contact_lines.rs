use std::io::Write;

use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, State};

use crate::error::DemError;
use crate::io::vtk::data_array::DataArray;
use crate::io::vtk::lines::VtpLines;
use crate::law::contact::{Partner, PowerByMotion};
use crate::measure::{Touch, check_touches};

/// Contacts as a `.vtp` file: a line for each contact, from the centre of body a to that of b or to the wall.
///
/// Lines carry `a` and `b` (numbers of the bodies, or their ids with [`with_ids`](Self::with_ids); `b` is −1 for a
/// wall), `wall` (its number, −1 for a body), `gap` (m), `force` (N, of a on b), `normal_force` (N, positive in
/// compression) and `power` (W, dissipated by normal damping, sliding, rolling and twisting).
///
/// In ParaView, show contacts by tubes whose radius is the normal force.
pub type VtpContacts<'a> = VtpLines<'a, &'a [Touch]>;

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
        Ok(Self::of(bodies, state, touches))
    }

    /// Writes the `.vtp` file of contacts.
    ///
    /// # Errors
    /// [`DemError::Io`].
    pub fn write(&self, to: &mut dyn Write) -> Result<(), DemError> {
        let other = |touch: &Touch| touch.b.body().map_or(-1, |body| self.name(body));
        let wall = |touch: &Touch| if let Partner::Wall(wall) = touch.b { wall as i64 } else { -1 };
        let touches = || self.links.iter();
        let cells = vec![
            DataArray::integers("a", touches().map(|touch| self.name(touch.a))),
            DataArray::integers("b", touches().map(other)),
            DataArray::integers("wall", touches().map(wall)),
            DataArray::floats("gap", touches().map(|touch| [-touch.overlap])),
            DataArray::floats("force", touches().map(|touch| touch.force.to_array())),
            DataArray::floats("normal_force", touches().map(|touch| [touch.force.dot(touch.normal)])),
            DataArray::floats("power", touches().map(power)),
        ];
        self.write_lines(touches().map(|touch| self.ends(touch)), cells, to)
    }

    /// Returns the ends of the line of a contact: the centre of body a, and the centre of the touching image of body b
    /// or the contact point on a wall.
    fn ends(&self, touch: &Touch) -> [DVec3; 2] {
        let center = self.begin(touch.a);
        let other = touch.b.body().map_or(0.0, |body| self.bodies.radius()[body]);
        [center, center + (self.bodies.radius()[touch.a] + other - touch.overlap) * touch.normal]
    }
}

fn power(touch: &Touch) -> [f64; 4] {
    let PowerByMotion { normal, sliding, rolling, twisting } = touch.power;
    [normal, sliding, rolling, twisting]
}
