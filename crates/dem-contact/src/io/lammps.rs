//! Content of LAMMPS data files with `atom_style sphere`; `read` and `write` read and write the files.

mod read;
mod write;

use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, Body, Renumbering, State};

use crate::error::DemError;
use crate::neighbor::domain::{Boundary, Domain};

/// Content of a LAMMPS data file of `atom_style sphere`, in the units of the file, with bodies in the order of the
/// file. Positions are inside the box; `image` counts the crossings of its sides.
#[derive(Debug, Clone, PartialEq)]
pub struct LammpsData {
    /// Masses and radii of the atoms, in the units of the file.
    pub bodies: Bodies,
    /// Positions, velocities and spins of the atoms, in the units of the file; the time of the state is zero.
    pub state: State,
    /// Identifier of each atom in the file.
    pub id: Vec<u64>,
    /// LAMMPS type of each atom, from one.
    pub kind: Vec<u32>,
    /// Image flags of each atom: number of periods that it has crossed along each axis of the simulation box.
    pub image: Vec<[i32; 3]>,
    /// Lower corner of the simulation box, in the units of the file.
    pub low: DVec3,
    /// Upper corner of the simulation box, in the units of the file.
    pub high: DVec3,
    /// Parts of the file that were skipped, in words, such as `the section Masses` or `12 bonds`.
    pub left_out: Vec<String>,
}

impl LammpsData {
    /// Returns the simulation box as a domain with these boundaries, which a LAMMPS data file does not state.
    ///
    /// # Errors
    /// [`ListError::InvalidDomain`](crate::error::ListError::InvalidDomain) if changed corners span no box.
    pub fn domain(&self, boundary: [Boundary; 3]) -> Result<Domain, DemError> {
        Domain::new(self.low, self.high, boundary)
    }

    /// Returns the content with the atoms in another order. Identifiers move with their atoms.
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

    /// Makes the content from a state: atoms of one type, numbered from one in order, wrapped into `domain`.
    ///
    /// # Errors
    /// Errors of [`State::check_columns`] inside [`DemError::Integrate`], and
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

    /// Makes a sphere from diameter and density, by the formula of LAMMPS.
    fn sphere(diameter: f64, density: f64) -> Body {
        let radius = 0.5 * diameter;
        Body::sphere(4.0 * std::f64::consts::PI / 3.0 * radius * radius * radius * density, radius)
    }
}
