use rrp_parallel::split_fields;

use crate::body::rigid_body::Body;
use crate::column::moment::MomentColumn;
use crate::column::scalar::ScalarColumn;
use crate::error::IntegrateError;
use crate::leaves::Piece;

/// Masses, moments of inertia and radii of all bodies, in columns. A constant that all bodies share is stored once.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "Vec<Body>", into = "Vec<Body>"))]
pub struct Bodies {
    mass: ScalarColumn,
    inverse_mass: ScalarColumn,
    inertia: MomentColumn,
    inverse_inertia: MomentColumn,
    radius: ScalarColumn,
    first_not_spherical: Option<usize>,
    fixed: Box<[usize]>,
}

/// Moments of inertia and their reciprocals for a run of bodies, the work of one task of a parallel loop.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Moments<'a> {
    pub(crate) inertia: [Piece<'a>; 3],
    pub(crate) inverse: [Piece<'a>; 3],
}
split_fields!(Moments { inertia, inverse });

impl Bodies {
    /// Makes the set of bodies from one row (mass, inertia, radius) for each body.
    ///
    /// # Errors
    /// [`IntegrateError::InvalidMass`], [`InvalidInertia`](IntegrateError::InvalidInertia),
    /// [`InertiaTriangle`](IntegrateError::InertiaTriangle) or [`InvalidRadius`](IntegrateError::InvalidRadius) for the
    /// first body that is not physical.
    pub fn new(rows: impl IntoIterator<Item = Body>) -> Result<Self, IntegrateError> {
        let rows: Vec<Body> = rows.into_iter().collect();
        for (i, row) in rows.iter().enumerate() {
            row.check(i)?;
        }
        Ok(Self::of_rows(&rows))
    }

    pub(crate) fn none() -> Self {
        Self::of_rows(&[])
    }

    pub(crate) fn of_rows(rows: &[Body]) -> Self {
        Self {
            mass: rows.iter().map(|row| row.mass).collect(),
            inverse_mass: rows.iter().map(|row| row.mass.recip()).collect(),
            inertia: rows.iter().map(|row| row.inertia).collect(),
            inverse_inertia: rows.iter().map(|row| row.inertia.recip()).collect(),
            radius: rows.iter().map(|row| row.radius).collect(),
            first_not_spherical: rows.iter().position(|row| !row.is_spherical()),
            fixed: (0..rows.len()).filter(|&i| rows[i].is_fixed()).collect(),
        }
    }

    /// Number of bodies in the set.
    #[must_use]
    pub fn len(&self) -> usize {
        self.mass.len()
    }

    /// Whether the set has no bodies.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.mass.is_empty()
    }

    /// Mass, inertia and radius of body `i`.
    ///
    /// # Panics
    /// If there is no body `i`.
    #[must_use]
    pub fn get(&self, i: usize) -> Body {
        Body { mass: self.mass[i], inertia: self.inertia.get(i), radius: self.radius[i] }
    }

    /// Masses of the bodies in kg; infinite for fixed bodies.
    #[must_use]
    pub fn mass(&self) -> &ScalarColumn {
        &self.mass
    }

    /// Reciprocal masses of the bodies in 1/kg; zero for fixed bodies.
    #[must_use]
    pub fn inverse_mass(&self) -> &ScalarColumn {
        &self.inverse_mass
    }

    /// Principal moments of inertia of the bodies in kg m², about body axes; infinite for fixed bodies.
    #[must_use]
    pub fn inertia(&self) -> &MomentColumn {
        &self.inertia
    }

    /// Reciprocal principal moments of inertia of the bodies in 1/(kg m²), about body axes; zero for fixed bodies.
    #[must_use]
    pub fn inverse_inertia(&self) -> &MomentColumn {
        &self.inverse_inertia
    }

    pub(crate) fn moments(&self) -> Moments<'_> {
        Moments { inertia: self.inertia.pieces(), inverse: self.inverse_inertia.pieces() }
    }

    /// Radii of the bodies in m, for contact laws; zero for a body without contacts.
    #[must_use]
    pub fn radius(&self) -> &ScalarColumn {
        &self.radius
    }

    /// Numbers of the [fixed](Body::fixed) bodies in order; their reciprocal mass and moments of inertia are zero.
    #[must_use]
    pub fn fixed(&self) -> &[usize] {
        &self.fixed
    }

    /// Checks that all bodies have three equal moments of inertia.
    ///
    /// # Errors
    /// [`IntegrateError::NotSpherical`] names the first body with unequal moments.
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
        (0..bodies.len()).map(|i| bodies.get(i)).collect()
    }
}
