//! Data files of LAMMPS with `atom_style sphere`: their data; `read` and `write` read and write files.

mod read;
mod write;

use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, Body, Renumbering, State};

use crate::error::DemError;
use crate::neighbor::domain::{Boundary, Domain};

/// The content of a LAMMPS data file of `atom_style sphere`. Bodies are in the order of the file, which is nearly that
/// of LAMMPS's cells.
///
/// Units are those of the file. Positions are as in the file, inside the box; crossings of its sides are in `image`.
#[derive(Debug, Clone, PartialEq)]
pub struct LammpsData {
    /// Masses and radii of the atoms of a LAMMPS data file, in its units.
    pub bodies: Bodies,
    /// Positions, velocities and spins of the atoms of a LAMMPS data file, in its units; the time of the state is zero.
    pub state: State,
    /// Identifier of each atom in the LAMMPS data file.
    pub id: Vec<u64>,
    /// LAMMPS type of each atom in the data file, counted from one.
    pub kind: Vec<u32>,
    /// Image flags of each atom: number of periods that it has crossed along each axis of the simulation box.
    pub image: Vec<[i32; 3]>,
    /// Lower corner of the simulation box of a LAMMPS data file, in its units.
    pub low: DVec3,
    /// Upper corner of the simulation box of a LAMMPS data file, in its units.
    pub high: DVec3,
    /// Parts of the LAMMPS data file that were skipped, in words, such as `the section Masses` or `12 bonds`.
    pub left_out: Vec<String>,
}

impl LammpsData {
    /// Returns the simulation box of a LAMMPS data file as a domain with these boundaries, which no such file states.
    ///
    /// # Errors
    /// [`ListError::InvalidDomain`](crate::error::ListError::InvalidDomain) if a corner was changed and the box is not
    /// one.
    pub fn domain(&self, boundary: [Boundary; 3]) -> Result<Domain, DemError> {
        Domain::new(self.low, self.high, boundary)
    }

    /// Returns the data of a LAMMPS file with the atoms in another order. Identifiers move with their atoms.
    ///
    /// # Errors
    /// [`DemError::Integrate`] if the numbering has another number of bodies, or a column another length.
    pub fn renumbered(&self, numbering: &Renumbering) -> Result<Self, DemError> {
        Ok(Self {
            bodies: numbering.bodies(&self.bodies)?,
            state: numbering.state(&self.state)?,
            id: numbering.column(&self.id)?,
            kind: numbering.column(&self.kind)?,
            image: numbering.column(&self.image)?,
            left_out: self.left_out.clone(),
            ..*self
        })
    }

    /// Makes the content of a LAMMPS data file from a state: atoms numbered from one in the order of bodies, of one
    /// type, with positions wrapped into `domain`.
    ///
    /// # Errors
    /// Those of [`State::check_columns`] inside [`DemError::Integrate`], and
    /// [`ListError::Deforms`](crate::error::ListError::Deforms) in a box that deforms or is sheared.
    pub fn from_state(bodies: &Bodies, state: &State, domain: &Domain) -> Result<Self, DemError> {
        domain.check_at_rest("a LAMMPS data file")?;
        state.check_columns(bodies)?;
        let mut wrapped = state.clone();
        let image: Vec<[i32; 3]> = state.position().iter().map(|position| domain.image(position)).collect();
        for (i, image) in image.iter().enumerate() {
            let position = state.position().get(i);
            wrapped.position_mut().set(i, position - domain.periods() * DVec3::from_array(image.map(f64::from)));
        }
        Ok(Self {
            bodies: bodies.clone(),
            state: wrapped,
            id: (1..=bodies.len() as u64).collect(),
            kind: vec![1; bodies.len()],
            image,
            low: domain.low(),
            high: domain.high(),
            left_out: Vec::new(),
        })
    }

    /// Makes a sphere from diameter and density, with the formula that LAMMPS uses.
    fn sphere(diameter: f64, density: f64) -> Body {
        let radius = 0.5 * diameter;
        Body::sphere(4.0 * std::f64::consts::PI / 3.0 * radius * radius * radius * density, radius)
    }
}
