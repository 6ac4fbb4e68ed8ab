use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, Body};

use crate::error::DemError;
use crate::error::step::StepError;
use crate::neighbor::domain::Domain;

/// A box along the body axes about the centre of mass of a rigid body: a beam, a plate, a platform.
///
/// Spheres touch faces, edges and corners of a cuboid. The body of a cuboid has no radius. Cuboids do not touch each
/// other. Their corners touch walls only in contact dynamics.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Cuboid {
    /// Number of the body that has the shape of the cuboid.
    pub body: usize,
    /// Half the edge lengths of the cuboid along its body axes in m.
    pub half_extents: DVec3,
}

/// The point of a cuboid that is nearest to a given point, in the body frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Nearest {
    pub(super) point: DVec3,
    /// Unit normal out of the cuboid at its nearest point, towards the given point.
    pub(super) normal: DVec3,
    /// Distance in m of the given point from the cuboid, negative inside.
    pub(super) distance: f64,
}

impl Cuboid {
    /// Returns the homogeneous body of a cuboid with these half lengths (m) and this mass (kg).
    #[must_use]
    pub fn homogeneous(mass: f64, half_extents: DVec3) -> Body {
        let square = half_extents * half_extents;
        Body::rigid(mass, mass / 3.0 * (DVec3::splat(square.element_sum()) - square))
    }

    /// Distance in m of the cuboid's corners from its centre.
    pub(crate) fn bounding_radius(&self) -> f64 {
        self.half_extents.length()
    }

    pub(crate) fn corners(&self) -> [DVec3; 8] {
        std::array::from_fn(|k| {
            let sign = |bit: usize| if k >> bit & 1 == 0 { -1.0 } else { 1.0 };
            self.half_extents * DVec3::new(sign(0), sign(1), sign(2))
        })
    }

    /// Finds the point of the cuboid nearest to `centre`, both in the body frame; inside, the nearest point of a face.
    pub(super) fn nearest(&self, centre: DVec3) -> Nearest {
        let point = centre.clamp(-self.half_extents, self.half_extents);
        let away = centre - point;
        let distance = away.length();
        if distance > 0.0 {
            return Nearest { point, normal: away / distance, distance };
        }
        let depth = self.half_extents - centre.abs();
        let axis = (0..3).fold(0, |least, c| if depth[c] < depth[least] { c } else { least });
        let normal = DVec3::AXES[axis] * if centre[axis] < 0.0 { -1.0 } else { 1.0 };
        Nearest { point: centre + depth[axis] * normal, normal, distance: -depth[axis] }
    }

    /// Checks that cuboids belong to bodies without a radius, and fit into the domain with a `margin` (m) for spheres.
    ///
    /// # Errors
    /// [`StepError::InvalidCuboid`] and [`ListError::CutoffTooLarge`](crate::error::ListError::CutoffTooLarge).
    pub(crate) fn check_all(cuboids: &[Self], bodies: &Bodies, domain: &Domain, margin: f64) -> Result<(), DemError> {
        for (cuboid, shape) in cuboids.iter().enumerate() {
            let body = shape.body;
            let invalid = |problem| Err(DemError::Step(StepError::InvalidCuboid { cuboid, body, problem }));
            if body >= bodies.len() {
                return invalid("there is no such body");
            }
            if bodies.radius()[body] > 0.0 {
                return invalid("the body has a radius: it is a sphere");
            }
            domain.check_cutoff(shape.bounding_radius() + margin)?;
        }
        Ok(())
    }

    /// Checks that half extents are finite and positive, and that no body has two cuboids.
    ///
    /// # Errors
    /// [`StepError::InvalidCuboid`].
    pub(crate) fn check_shapes(cuboids: &[Self]) -> Result<(), DemError> {
        for (cuboid, &Self { body, half_extents }) in cuboids.iter().enumerate() {
            let invalid = |problem| Err(DemError::Step(StepError::InvalidCuboid { cuboid, body, problem }));
            if !(half_extents.is_finite() && half_extents.min_element() > 0.0) {
                return invalid("the half extents must be finite and positive");
            }
            if cuboids[..cuboid].iter().any(|other| other.body == body) {
                return invalid("the body has another cuboid already");
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_points_of_faces_edges_corners_and_the_inside() {
        let cuboid = Cuboid { body: 0, half_extents: DVec3::new(3.0, 2.0, 1.0) };
        let cases = [
            (DVec3::new(1.0, 1.0, 2.5), DVec3::new(1.0, 1.0, 1.0), DVec3::Z, 1.5),
            (DVec3::new(-1.0, 6.0, -4.0), DVec3::new(-1.0, 2.0, -1.0), DVec3::new(0.0, 0.8, -0.6), 5.0),
            (DVec3::new(4.0, 4.0, 3.0), DVec3::new(3.0, 2.0, 1.0), DVec3::new(1.0, 2.0, 2.0) / 3.0, 3.0),
            (DVec3::new(2.8, 0.5, 0.0), DVec3::new(3.0, 0.5, 0.0), DVec3::X, -0.2),
            (DVec3::new(0.0, 0.0, -1.0), DVec3::new(0.0, 0.0, -1.0), DVec3::NEG_Z, 0.0),
        ];
        for (centre, point, normal, distance) in cases {
            let found = cuboid.nearest(centre);
            assert!((found.point - point).length() < 1e-15 && (found.normal - normal).length() < 1e-15, "{found:?}");
            assert!((found.distance - distance).abs() < 1e-15, "{found:?}");
        }
    }

    #[test]
    fn a_cuboid_has_the_inertia_of_a_box() {
        let body = Cuboid::homogeneous(12.0, DVec3::new(0.5, 1.0, 1.5));
        assert!((body.inertia - DVec3::new(13.0, 10.0, 5.0)).length() < 1e-14, "{:?}", body.inertia);
    }
}
