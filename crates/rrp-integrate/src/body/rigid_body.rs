use rrp_geom::glam::DVec3;

use crate::error::IntegrateError;

/// One rigid body: the constants of one row of [`Bodies`](crate::Bodies).
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Body {
    /// Mass of the body in kg; infinite for a [fixed](Self::fixed) body.
    #[cfg_attr(feature = "serde", serde(with = "infinite"))]
    pub mass: f64,
    /// Principal moments of inertia about the centre of mass, along the body axes, in kg m²; infinite with the mass.
    #[cfg_attr(feature = "serde", serde(with = "infinite"))]
    pub inertia: DVec3,
    /// Radius of the sphere that contact laws use, in m; zero for a body without contacts.
    pub radius: f64,
}

impl Body {
    /// A homogeneous solid sphere of `mass` m (kg) and `radius` r (m), with the moment of inertia J = 2/5 m r².
    #[must_use]
    pub fn sphere(mass: f64, radius: f64) -> Self {
        Self { mass, inertia: DVec3::splat(0.4 * mass * radius * radius), radius }
    }

    /// A body of `mass` (kg) with three equal moments of inertia (kg m²) and radius zero, hence without contacts.
    #[must_use]
    pub fn spherical(mass: f64, inertia: f64) -> Self {
        Self { mass, inertia: DVec3::splat(inertia), radius: 0.0 }
    }

    /// A body of `mass` (kg) with given principal moments of inertia (kg m²) and radius zero, hence without contacts.
    #[must_use]
    pub fn rigid(mass: f64, inertia: DVec3) -> Self {
        Self { mass, inertia, radius: 0.0 }
    }

    /// A body of infinite mass and inertia, which keeps its velocity, usually zero, and does not spin.
    ///
    /// Forces on a fixed body are not recorded. Energies and momenta leave fixed bodies out.
    #[must_use]
    pub fn fixed(radius: f64) -> Self {
        Self { mass: f64::INFINITY, inertia: DVec3::INFINITY, radius }
    }

    pub(crate) fn is_fixed(&self) -> bool {
        self.mass >= f64::INFINITY && self.inertia == DVec3::INFINITY
    }

    pub(crate) fn is_spherical(&self) -> bool {
        let [a, b, c] = self.inertia.to_array();
        a.to_bits() == b.to_bits() && b.to_bits() == c.to_bits()
    }

    /// Checks that mass, inertia and radius are physical and have finite reciprocals; errors name the body `body`.
    pub(crate) fn check(&self, body: usize) -> Result<(), IntegrateError> {
        let &Self { mass, inertia, radius } = self;
        let fixed = self.is_fixed();
        if !(fixed || mass.is_finite() && mass > 0.0 && mass.recip().is_finite()) {
            return Err(IntegrateError::InvalidMass { body, mass });
        }
        // Callers may compute the inertia from the radius: an error in the radius is reported first.
        if !(radius.is_finite() && radius >= 0.0) {
            return Err(IntegrateError::InvalidRadius { body, radius });
        }
        if !(fixed || inertia.is_finite() && inertia.min_element() > 0.0 && inertia.recip().is_finite()) {
            return Err(IntegrateError::InvalidInertia { body, inertia });
        }
        // A flat body has equality, up to rounding of the moments given.
        if !fixed && 2.0 * inertia.max_element() > inertia.element_sum() * (1.0 + 1e-12) {
            return Err(IntegrateError::InertiaTriangle { body, inertia });
        }
        Ok(())
    }
}

/// Serialisation of numbers that may be infinite. Some formats cannot write infinity: a missing value stands for it.
#[cfg(feature = "serde")]
mod infinite {
    use rrp_geom::glam::DVec3;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) trait Infinite: Copy + PartialEq + Serialize + for<'de> Deserialize<'de> {
        const INFINITE: Self;
    }

    impl Infinite for f64 {
        const INFINITE: Self = f64::INFINITY;
    }

    impl Infinite for DVec3 {
        const INFINITE: Self = DVec3::INFINITY;
    }

    pub(super) fn serialize<T: Infinite, S: Serializer>(value: &T, to: S) -> Result<S::Ok, S::Error> {
        (*value != T::INFINITE).then_some(*value).serialize(to)
    }

    pub(super) fn deserialize<'de, T: Infinite, D: Deserializer<'de>>(from: D) -> Result<T, D::Error> {
        Ok(Option::deserialize(from)?.unwrap_or(T::INFINITE))
    }
}
