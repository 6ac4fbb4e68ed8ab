//! What stays fixed during a run: masses, inertia, radii.

use crate::{Body, IntegrateError, VectorColumn};

/// The constants of all bodies, in columns.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "Vec<Body>", into = "Vec<Body>"))]
pub struct Bodies {
    mass: Box<[f64]>,
    inverse_mass: Box<[f64]>,
    inertia: VectorColumn,
    inverse_inertia: VectorColumn,
    radius: Box<[f64]>,
    first_not_spherical: Option<usize>,
}

impl Bodies {
    /// Bodies from their rows.
    ///
    /// # Errors
    /// [`IntegrateError::InvalidMass`], [`InvalidInertia`](IntegrateError::InvalidInertia),
    /// [`InertiaTriangle`](IntegrateError::InertiaTriangle) or [`InvalidRadius`](IntegrateError::InvalidRadius) of the
    /// first body that is not physical.
    pub fn new(rows: impl IntoIterator<Item = Body>) -> Result<Self, IntegrateError> {
        let rows: Vec<Body> = rows.into_iter().collect();
        for (i, row) in rows.iter().enumerate() {
            row.check(i)?;
        }
        Ok(Self {
            mass: rows.iter().map(|row| row.mass).collect(),
            inverse_mass: rows.iter().map(|row| row.mass.recip()).collect(),
            inertia: rows.iter().map(|row| row.inertia).collect(),
            inverse_inertia: rows.iter().map(|row| row.inertia.recip()).collect(),
            radius: rows.iter().map(|row| row.radius).collect(),
            first_not_spherical: rows.iter().position(|row| !row.is_spherical()),
        })
    }

    /// Number of bodies.
    #[must_use]
    pub fn len(&self) -> usize {
        self.mass.len()
    }

    /// Whether there is no body.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.mass.is_empty()
    }

    /// Masses in kg.
    #[must_use]
    pub fn mass(&self) -> &[f64] {
        &self.mass
    }

    /// Reciprocal masses in 1/kg.
    #[must_use]
    pub fn inverse_mass(&self) -> &[f64] {
        &self.inverse_mass
    }

    /// Principal moments of inertia in kg m², body axes.
    #[must_use]
    pub fn inertia(&self) -> &VectorColumn {
        &self.inertia
    }

    /// Reciprocal principal moments of inertia in 1/(kg m²), body axes.
    #[must_use]
    pub fn inverse_inertia(&self) -> &VectorColumn {
        &self.inverse_inertia
    }

    /// Radii in m.
    #[must_use]
    pub fn radius(&self) -> &[f64] {
        &self.radius
    }

    /// Passes if all bodies have three equal moments of inertia.
    ///
    /// # Errors
    /// [`IntegrateError::NotSpherical`] names the first that has not.
    pub fn check_spherical(&self) -> Result<(), IntegrateError> {
        match self.first_not_spherical {
            None => Ok(()),
            Some(body) => Err(IntegrateError::NotSpherical { body, inertia: self.inertia.get(body) }),
        }
    }
}

impl TryFrom<Vec<Body>> for Bodies {
    type Error = IntegrateError;

    fn try_from(rows: Vec<Body>) -> Result<Self, IntegrateError> {
        Self::new(rows)
    }
}

impl From<Bodies> for Vec<Body> {
    fn from(bodies: Bodies) -> Self {
        let row = |i| Body { mass: bodies.mass[i], inertia: bodies.inertia.get(i), radius: bodies.radius[i] };
        (0..bodies.len()).map(row).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rrp_geom::glam::DVec3;

    fn refuse(body: Body) -> IntegrateError {
        Bodies::new([Body::sphere(1.0, 0.5), body]).unwrap_err()
    }

    #[test]
    fn unphysical_bodies_are_refused_by_number() {
        for mass in [0.0, -1.0, 1e-310, f64::NAN, f64::INFINITY] {
            assert!(matches!(
                refuse(Body { mass, ..Body::sphere(1.0, 1.0) }),
                IntegrateError::InvalidMass { body: 1, .. }
            ));
        }
        for moment in [0.0, -1.0, 1e-310, f64::NAN, f64::INFINITY] {
            let inertia = DVec3::new(1.0, moment, 1.0);
            assert!(matches!(refuse(Body::rigid(1.0, inertia)), IntegrateError::InvalidInertia { body: 1, .. }));
        }
        for radius in [-1.0, f64::NAN, f64::INFINITY] {
            let error = refuse(Body { radius, ..Body::sphere(1.0, 1.0) });
            assert!(matches!(error, IntegrateError::InvalidRadius { body: 1, .. }));
        }
        let error = refuse(Body::rigid(1.0, DVec3::new(1.0, 1.0, 2.1)));
        assert!(matches!(error, IntegrateError::InertiaTriangle { body: 1, .. }));
        assert!(error.to_string().contains("2.1"), "{error}");
    }

    #[test]
    fn flat_bodies_are_bodies() {
        assert!(Bodies::new([Body::rigid(1.0, DVec3::new(0.1, 0.2, 0.1 + 0.2))]).is_ok());
    }

    #[test]
    fn spheres_are_recognised() {
        assert!(Bodies::new([Body::sphere(2.0, 0.3)]).unwrap().check_spherical().is_ok());
        let mixed = Bodies::new([Body::sphere(2.0, 0.3), Body::rigid(1.0, DVec3::new(1.0, 2.0, 3.0))]).unwrap();
        assert!(matches!(mixed.check_spherical(), Err(IntegrateError::NotSpherical { body: 1, .. })));
    }
}
