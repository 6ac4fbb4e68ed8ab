use std::io::Write;

use rrp_integrate::IntegrateError;

use crate::error::DemError;
use crate::error::list::ListError;
use crate::error::parameter::positive;
use crate::io::lammps::LammpsData;
use crate::util::length::check_length;

impl LammpsData {
    /// Writes the atoms as a LAMMPS data file. [`read`](Self::read) gives positions and velocities with the same bits.
    ///
    /// # Errors
    /// - [`DemError::Io`].
    /// - [`DemError::LengthMismatch`] if the lists of atoms differ in length.
    /// - Errors of [`State::check_columns`](rrp_integrate::State::check_columns) inside [`DemError::Integrate`], and
    ///   [`IntegrateError::InvalidMass`] for a fixed body.
    /// - [`DemError::InvalidParameter`] for a body without radius.
    /// - [`ListError::PositionNotFinite`].
    ///
    /// Nothing is written in case of any error except the first.
    pub fn write(&self, mut target: impl Write) -> Result<(), DemError> {
        let expected = self.bodies.len();
        for (what, found) in [("identifiers", self.id.len()), ("types", self.kind.len()), ("images", self.image.len())]
        {
            check_length(what, expected, found)?;
        }
        self.state.check_columns(&self.bodies)?;
        let density = |i: usize| {
            let radius = self.bodies.radius()[i];
            self.bodies.mass()[i] / (4.0 * std::f64::consts::PI / 3.0 * radius.powi(3))
        };
        for (body, position) in self.state.position().iter().enumerate() {
            let mass = self.bodies.mass()[body];
            if !mass.is_finite() {
                return Err(IntegrateError::InvalidMass { body, mass }.into());
            }
            positive("the density of an atom", density(body))?;
            if !position.is_finite() {
                return Err(DemError::List(ListError::PositionNotFinite { body, position }));
            }
        }
        // Numbers with exponents: LAMMPS reads lines of up to 256 characters.
        writeln!(target, "LAMMPS data file, atom_style sphere\n")?;
        writeln!(target, "{expected} atoms\n{} atom types\n", self.kind.iter().max().unwrap_or(&1))?;
        for (c, name) in ["x", "y", "z"].into_iter().enumerate() {
            writeln!(target, "{:e} {:e} {name}lo {name}hi", self.low[c], self.high[c])?;
        }
        writeln!(target, "\nAtoms # sphere\n")?;
        for i in 0..expected {
            let (x, [nx, ny, nz]) = (self.state.position().get(i), self.image[i]);
            let id = self.id[i];
            let kind = self.kind[i];
            let diameter = 2.0 * self.bodies.radius()[i];
            let density = density(i);
            writeln!(target, "{id} {kind} {diameter:e} {density:e} {:e} {:e} {:e} {nx} {ny} {nz}", x.x, x.y, x.z)?;
        }
        writeln!(target, "\nVelocities\n")?;
        for i in 0..expected {
            let v = self.state.velocity().get(i);
            let w = self.state.spin(&self.bodies, i);
            writeln!(target, "{} {:e} {:e} {:e} {:e} {:e} {:e}", self.id[i], v.x, v.y, v.z, w.x, w.y, w.z)?;
        }
        Ok(())
    }
}
