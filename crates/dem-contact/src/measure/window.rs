use rrp_geom::glam::DVec3;

use super::ball_in_box::ball_in_box;
use super::cylinder::Cylinder;
use crate::error::DemError;
use crate::error::parameter::{finite, positive};
use crate::neighbor::{Boundary, Domain};

/// Part of space that is measured: the whole domain, a box or a cylinder.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Extent {
    /// The whole domain with all bodies; its volume is defined if no side is open.
    Whole,
    /// A box along the world axes. A centre on a lower side is inside, a centre on an upper side is not, so that
    /// adjacent boxes add up. In a periodic domain all images inside the box count; the domain must be at rest.
    Box {
        /// Lower corner of the box in m.
        low: DVec3,
        /// Upper corner of the box in m.
        high: DVec3,
    },
    /// A cylinder with two ends. A centre on its first end is inside, a centre on its second end or on its side is not.
    /// In a periodic domain all images inside the cylinder count; the domain must be at rest.
    Cylinder {
        /// Middle of the first end of the cylinder in m.
        point: DVec3,
        /// Vector in m from the middle of the first end to that of the second end.
        axis: DVec3,
        /// Radius of the cylinder in m.
        radius: f64,
    },
}

/// Largest number of periodic images of a body; an extent that needs more is refused.
const MOST_IMAGES: f64 = 1e6;

impl Extent {
    /// Checks that the extent can be measured in `domain`; `reach` (m) is the radius of spheres or a kernel's range.
    ///
    /// # Errors
    /// [`DemError::InvalidParameter`] for an extent without volume, or with more than a million images of a body in
    /// reach; an error of [`DemError::List`] for a box or a cylinder in a domain that deforms.
    pub fn check(&self, domain: &Domain, reach: f64) -> Result<(), DemError> {
        let [low, high] = match *self {
            Self::Whole => return Ok(()),
            Self::Box { low, high } => [low, high],
            Self::Cylinder { point, axis, radius } => {
                positive("the radius of a cylinder that is measured", radius)?;
                positive("the length of a cylinder that is measured", axis.length())?;
                Cylinder::new(point, axis, radius).corners()
            }
        };
        domain.check_at_rest("a measurement in a part of the domain")?;
        for value in low.to_array().into_iter().chain(high.to_array()) {
            finite("each corner of what is measured", value)?;
        }
        positive("the size of what is measured", (high - low).min_element())?;
        finite("the size of what is measured", (high - low).element_product())?;
        let size = high - low + 2.0 * reach;
        let periods = domain.periods();
        let along = |axis: usize| if periods[axis] > 0.0 { size[axis] / periods[axis] + 1.0 } else { 1.0 };
        let value = along(0) * along(1) * along(2);
        if value <= MOST_IMAGES {
            return Ok(());
        }
        let parameter = "the number of images of a body in what is measured";
        let range = "at most a million";
        Err(DemError::InvalidParameter { parameter, range, value })
    }
}

/// Measured part of space with the periods of the domain.
#[derive(Debug, Clone, Copy)]
pub(super) struct Window {
    /// Corners of a box around the extent; `None` if all of space is measured.
    corners: Option<[DVec3; 2]>,
    /// Measured cylinder in this box; `None` if the whole box is measured.
    cylinder: Option<Cylinder>,
    periods: DVec3,
    pub(super) volume: Option<f64>,
}

impl Window {
    /// Makes the window of spheres or kernels that reach `reach` (m) from their centres.
    ///
    /// # Errors
    /// Errors of [`Extent::check`].
    pub(super) fn new(extent: Extent, domain: &Domain, reach: f64) -> Result<Self, DemError> {
        extent.check(domain, reach)?;
        let periods = domain.periods();
        match extent {
            Extent::Whole => {
                let is_bounded = domain.boundary().iter().all(|&boundary| boundary != Boundary::Open);
                let volume = is_bounded.then(|| (domain.high() - domain.low()).element_product());
                Ok(Self { corners: None, cylinder: None, periods, volume })
            }
            Extent::Box { low, high } => {
                let volume = Some((high - low).element_product());
                Ok(Self { corners: Some([low, high]), cylinder: None, periods, volume })
            }
            Extent::Cylinder { point, axis, radius } => {
                let cylinder = Cylinder::new(point, axis, radius);
                let corners = Some(cylinder.corners());
                let volume = Some(cylinder.volume());
                Ok(Self { corners, cylinder: Some(cylinder), periods, volume })
            }
        }
    }

    /// Returns the displacements (m) to the periodic images of a body that may be in the measured part of space; only
    /// zero without periods, or if all of space is measured. All points of the body are within `reach` (m) of the
    /// segment between `from` and `to`.
    pub(super) fn images(&self, [from, to]: [DVec3; 2], reach: f64) -> impl Iterator<Item = DVec3> + use<> {
        let periods = self.periods;
        let range = |axis: usize| {
            let period = periods[axis];
            match self.corners {
                Some([low, high]) if period > 0.0 => {
                    let least = from[axis].min(to[axis]) - reach;
                    let most = from[axis].max(to[axis]) + reach;
                    ((low[axis] - most) / period).ceil() as i64..=((high[axis] - least) / period).floor() as i64
                }
                _ => 0..=0,
            }
        };
        let [x, y, z] = [0, 1, 2].map(range);
        x.flat_map(move |i| {
            let z = z.clone();
            y.clone().flat_map(move |j| z.clone().map(move |k| DVec3::new(i as f64, j as f64, k as f64) * periods))
        })
    }

    /// Number of periodic images of a centre (m) that are in the measured part of space; one if all of space is
    /// measured.
    pub(super) fn count(&self, center: DVec3) -> usize {
        let Some([low, high]) = self.corners else { return 1 };
        let is_inside = |shift: &DVec3| {
            let image = center + *shift;
            match &self.cylinder {
                Some(cylinder) => cylinder.has(image),
                None => image.cmpge(low).all() && image.cmplt(high).all(),
            }
        };
        self.images([center; 2], 0.0).filter(is_inside).count()
    }

    /// Volume in m³ of the parts of a sphere and of its periodic images that are in the measured part of space.
    pub(super) fn volume_of(&self, center: DVec3, radius: f64) -> f64 {
        match self.corners {
            None => 4.0 / 3.0 * std::f64::consts::PI * radius.powi(3),
            Some([low, high]) => {
                let inside = |image: DVec3| match &self.cylinder {
                    Some(cylinder) => cylinder.volume_of(image, radius),
                    None => ball_in_box(image, radius, low, high),
                };
                self.images([center; 2], radius).map(|shift| inside(center + shift)).sum()
            }
        }
    }

    /// Fraction of the segment from `start` to `start + arm` (m), from a grain to a contact, that is in the measured
    /// part of space, summed over periodic images.
    pub(super) fn share(&self, start: DVec3, arm: DVec3) -> f64 {
        match self.corners {
            None => 1.0,
            Some(corners) => {
                let inside = |image: DVec3| match &self.cylinder {
                    Some(cylinder) => cylinder.share(image, arm),
                    None => clipped(image, arm, corners),
                };
                self.images([start, start + arm], 0.0).map(|shift| inside(start + shift)).sum()
            }
        }
    }
}

/// Fraction of the segment from `start` to `start + arm` inside a box.
fn clipped(start: DVec3, arm: DVec3, [low, high]: [DVec3; 2]) -> f64 {
    let mut first = 0.0_f64;
    let mut last = 1.0_f64;
    for axis in 0..3 {
        let [near, far] = [low, high].map(|corner| corner[axis] - start[axis]);
        if arm[axis].abs() > 0.0 {
            let enters = near / arm[axis];
            let leaves = far / arm[axis];
            first = first.max(enters.min(leaves));
            last = last.min(enters.max(leaves));
        } else if near > 0.0 || far <= 0.0 {
            return 0.0;
        }
    }
    (last - first).max(0.0)
}
