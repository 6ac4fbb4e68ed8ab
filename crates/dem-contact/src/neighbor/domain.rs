//! The domain of the bodies: a box with sides that are periodic, closed or open.

use rrp_geom::glam::{DMat3, DVec3};

use crate::error::DemError;
use crate::error::list::ListError;
use crate::neighbor::deformation::Deformation;
use crate::neighbor::image_shift::by_code;

/// Boundary condition of the two sides of a box in one direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Boundary {
    /// Periodic sides: bodies near one side meet the images of bodies at the other side.
    Periodic,
    /// Closed sides: a run stops with an error when a centre leaves by more than half the skin of the neighbour list.
    Closed,
    /// Open sides: bodies may leave.
    Open,
}

/// Box along the world axes with a [`Boundary`] for each direction.
///
/// Positions of bodies are never wrapped: a body that has crossed a period L twice is at x + 2 L, so its path can be
/// read from the state. Separations are taken to the nearest image.
///
/// A periodic box can [deform](Self::deforming). All other functions then read the box at one time: call
/// [`at`](Self::at) with the time of a state first.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "stored::StoredDomain"))]
pub struct Domain {
    low: DVec3,
    high: DVec3,
    boundary: [Boundary; 3],
    deformation: Deformation,
}

impl Domain {
    /// The domain without sides: the whole space.
    pub const OPEN: Self =
        Self { low: DVec3::ZERO, high: DVec3::ONE, boundary: [Boundary::Open; 3], deformation: Deformation::NONE };

    /// Makes the box from `low` to `high` (m). In an open direction the two values are not used as sides, but `low`
    /// must be below `high`.
    ///
    /// # Errors
    /// [`ListError::InvalidDomain`](crate::error::ListError::InvalidDomain) unless `low` and `high` are finite and
    /// `low` is below `high` in each direction.
    pub fn new(low: DVec3, high: DVec3, boundary: [Boundary; 3]) -> Result<Self, DemError> {
        if low.is_finite() && high.is_finite() && (high - low).is_finite() && low.cmplt(high).all() {
            return Ok(Self { low, high, boundary, deformation: Deformation::NONE });
        }
        Err(DemError::List(ListError::InvalidDomain { low, high }))
    }

    /// Returns this box with a shape that changes from the time `since` (s) on, when the box has this velocity gradient
    /// (1/s).
    ///
    /// The image of a body that is n periods away is at x + H(t) n and has the velocity v + Ḣ n. The matrix H has the
    /// edges of the box on its diagonal, and Ḣ = G H stays constant, where G is the velocity gradient at `since`. The
    /// entry `G_xx` is the rate at which the edge along x grows; the lower corner stays. The entry `G_xy` is a simple
    /// shear: images above the side y move along x (Lees and Edwards); only one such entry is possible. The deformation
    /// moves images, not bodies: give the bodies the velocities G (x − low) for a flow that is uniform from the start.
    ///
    /// A box that deforms already keeps its shape at `since` and gets the new velocity gradient.
    ///
    /// ```
    /// # use dem_contact::neighbor::{Boundary, Domain};
    /// # use rrp_geom::glam::{DMat3, DVec3};
    /// let cube = Domain::new(DVec3::ZERO, DVec3::splat(10.0), [Boundary::Periodic; 3])?;
    /// // The velocity along x grows by 0.5 m/s for each m in y.
    /// let sheared = cube.deforming(0.0, DMat3::from_cols(DVec3::ZERO, DVec3::X * 0.5, DVec3::ZERO))?;
    /// let separation = sheared.at(0.2)?.separation(DVec3::new(5.0, 9.5, 5.0), DVec3::new(5.0, 0.5, 5.0));
    /// assert!((separation - DVec3::new(1.0, 1.0, 0.0)).length() < 1e-12);
    /// # Ok::<_, dem_contact::error::DemError>(())
    /// ```
    ///
    /// # Errors
    /// [`ListError::InvalidDeformation`] if an entry is not finite, if more than one entry beside the diagonal is not
    /// zero, if the box is already sheared in another plane, or if an entry belongs to a direction that is not
    /// periodic; the error of [`at`](Self::at).
    pub fn deforming(self, since: f64, velocity_gradient: DMat3) -> Result<Self, DemError> {
        let start = self.at(since)?;
        let edges = start.high - start.low;
        let rates = velocity_gradient;
        let is_periodic = |c: usize| self.boundary[c] == Boundary::Periodic;
        let is_still = |c: usize| rates.col(c) == DVec3::ZERO && rates.row(c) == DVec3::ZERO;
        let deformation = start.deformation.with_gradient(since, edges, rates);
        match deformation.filter(|_| (0..3).all(|c| is_periodic(c) || is_still(c))) {
            Some(deformation) => Ok(Self { deformation, ..start }),
            None => Err(DemError::List(ListError::InvalidDeformation { rates: velocity_gradient })),
        }
    }

    /// Returns the box with its shape at `time` (s), from which the box deforms further. The shear offset of the images
    /// is reduced by whole periods to at most half a period.
    ///
    /// # Errors
    /// [`ListError::InvalidDomain`](crate::error::ListError::InvalidDomain) if an edge has shrunk to nothing.
    pub fn at(&self, time: f64) -> Result<Self, DemError> {
        if !self.is_deforming() {
            return Ok(*self);
        }
        let passed = time - self.deformation.since;
        let mut deformation = self.deformation;
        let high = self.high + deformation.edge_speeds * passed;
        deformation.offset += deformation.offset_speed * passed;
        deformation.since = time;
        Ok(Self { deformation, ..Self::new(self.low, high, self.boundary)? }.with_least_offset())
    }

    /// Whether the shape of the box changes with time.
    #[must_use]
    pub fn is_deforming(&self) -> bool {
        self.deformation.moves()
    }

    /// Returns the velocity gradient G = Ḣ H⁻¹ of the box in 1/s, where H has its edges and its shear offset; zero at
    /// rest.
    #[must_use]
    pub fn velocity_gradient(&self) -> DMat3 {
        let (edges, Deformation { edge_speeds, flow, gradient, offset, offset_speed, .. }) =
            (self.high - self.low, self.deformation);
        let mut rates = DMat3::from_diagonal(edge_speeds / edges);
        rates.col_mut(gradient)[flow] = (offset_speed - rates.col(flow)[flow] * offset) / edges[gradient];
        rates
    }

    /// Returns this box with its images counted as in `other`, the same box at another time: `ahead` is changed by
    /// whole periods, so that images with equal counts are as near to each other as possible. The
    /// [`offset`](Self::offset) stays. A box that does not deform is returned as it is.
    pub(crate) fn near(mut self, other: &Self) -> Self {
        if self.is_deforming() {
            let period = self.periods()[self.deformation.flow];
            let further = other.whole_offset() - self.whole_offset();
            self.deformation.ahead += if period > 0.0 { (further / period).round() } else { 0.0 };
        }
        self
    }

    /// Offset in m of the image that a list counts as straight across the shear: the [`offset`](Self::offset) plus the
    /// whole periods that the list counts ahead.
    pub(crate) fn whole_offset(&self) -> f64 {
        self.deformation.whole_offset(self.periods()[self.deformation.flow])
    }

    fn with_least_offset(mut self) -> Self {
        let Deformation { flow, edge_speeds, offset, offset_speed, .. } = &mut self.deformation;
        let period = (self.high - self.low)[*flow];
        let turns = (*offset / period).round();
        *offset -= period * turns;
        *offset_speed -= edge_speeds[*flow] * turns;
        self
    }

    /// Returns an upper bound in m on the motion of an image relative to the box since the box had the shape of
    /// `other`.
    pub(super) fn moved_since(&self, other: &Self) -> f64 {
        let edges = (self.periods() - other.periods()).abs().element_sum();
        edges + (self.whole_offset() - other.whole_offset()).abs()
    }

    pub(crate) fn shifts(&self) -> [[f64; 4]; 32] {
        by_code(|n| self.deformation.displacement(self.periods(), n))
    }

    pub(crate) fn shift_velocities(&self) -> [[f64; 4]; 32] {
        by_code(|n| self.deformation.velocity(n))
    }

    /// Returns the speeds (m/s) at which the edges x, y and z of the box and its [`whole_offset`](Self::whole_offset)
    /// grow.
    pub(crate) fn speeds(&self) -> [f64; 4] {
        let Deformation { edge_speeds, flow, offset_speed, ahead, .. } = self.deformation;
        [edge_speeds.x, edge_speeds.y, edge_speeds.z, offset_speed + edge_speeds[flow] * ahead]
    }

    /// Displacement in m, along the flow axis, by which shear moves the periodic image that is one period up along the
    /// gradient axis. For a shear `G_xy` the flow axis is x and the gradient axis is y. Zero for a box that was never
    /// sheared.
    #[must_use]
    pub fn offset(&self) -> f64 {
        self.deformation.offset
    }

    fn is_sheared(&self) -> bool {
        self.deformation.is_sheared()
    }

    /// Returns two axes (0 to 2) of a sheared box: the axis along which images are displaced, and the axis across which
    /// these images lie.
    pub(crate) fn shear(&self) -> [usize; 2] {
        [self.deformation.flow, self.deformation.gradient]
    }

    /// Returns the numbers of periods along each axis, as a list counts them, that make up the displacement (m) of an
    /// image from its body.
    pub(crate) fn turns(&self, displacement: DVec3) -> DVec3 {
        let periods = self.periods();
        let mut n = DVec3::ZERO;
        let Deformation { flow, gradient, offset, .. } = self.deformation;
        for c in (0..3).filter(|&c| periods[c] > 0.0) {
            n[c] = (displacement[c] / periods[c]).round();
        }
        if self.is_sheared() {
            n[flow] = ((displacement[flow] - offset * n[gradient]) / periods[flow]).round();
        }
        self.deformation.counted(n)
    }

    /// Velocity in m/s, relative to its body, of the periodic image that is displaced by this vector (m) of whole
    /// periods.
    pub(crate) fn image_velocity(&self, displacement: DVec3) -> DVec3 {
        self.deformation.velocity(self.turns(displacement))
    }

    /// Checks that the box is at rest and not sheared; the error names `what`, the method or object that needs such a
    /// box.
    pub(crate) fn check_at_rest(&self, what: &'static str) -> Result<(), DemError> {
        let is_at_rest = !self.is_deforming() && !self.is_sheared();
        if is_at_rest { Ok(()) } else { Err(DemError::List(ListError::Deforms { what })) }
    }

    /// Lower corner of the domain in m.
    #[must_use]
    pub fn low(&self) -> DVec3 {
        self.low
    }

    /// Upper corner of the domain in m.
    #[must_use]
    pub fn high(&self) -> DVec3 {
        self.high
    }

    /// Returns the kind of the domain's sides in each direction: periodic, closed or open.
    #[must_use]
    pub fn boundary(&self) -> [Boundary; 3] {
        self.boundary
    }

    /// Whether the domain is periodic in any direction.
    #[must_use]
    pub fn is_periodic(&self) -> bool {
        self.boundary.contains(&Boundary::Periodic)
    }

    /// Vector in m from the point `a` to the nearest periodic image of the point `b`.
    #[must_use]
    pub fn separation(&self, a: DVec3, b: DVec3) -> DVec3 {
        let mut difference = b - a;
        let periods = self.periods();
        if self.is_sheared() {
            let Deformation { flow, gradient, offset, .. } = self.deformation;
            difference[flow] -= offset * (difference[gradient] / periods[gradient]).round();
        }
        // The quotient may overflow in directions that are not periodic.
        DVec3::from_array(std::array::from_fn(|c| match periods[c] {
            period if period > 0.0 => difference[c] - period * (difference[c] / period).round(),
            _ => difference[c],
        }))
    }

    /// Returns the number of periods in each direction by which `position` (m) is away from the domain; zero in
    /// directions that are not periodic.
    #[must_use]
    pub fn image(&self, position: DVec3) -> [i32; 3] {
        let mut image = self.unsheared_image(position);
        if self.is_sheared() {
            let Deformation { flow, gradient, offset, .. } = self.deformation;
            let back = DVec3::AXES[flow] * (offset * f64::from(image[gradient]));
            image[flow] = self.unsheared_image(position - back)[flow] - self.deformation.ahead as i32 * image[gradient];
        }
        image
    }

    fn unsheared_image(&self, position: DVec3) -> [i32; 3] {
        std::array::from_fn(|c| {
            let inside = self.low[c] <= position[c] && position[c] < self.high[c];
            if inside || self.boundary[c] != Boundary::Periodic {
                return 0;
            }
            ((position[c] - self.low[c]) / (self.high[c] - self.low[c])).floor() as i32
        })
    }

    /// Lengths of the domain in its periodic directions in m; zero in directions that are not periodic.
    #[must_use]
    pub fn periods(&self) -> DVec3 {
        let length = self.high - self.low;
        DVec3::from_array(std::array::from_fn(|c| if self.boundary[c] == Boundary::Periodic { length[c] } else { 0.0 }))
    }

    /// Returns the periodic image, inside the domain, of a position (m).
    pub(crate) fn inside(&self, position: DVec3) -> DVec3 {
        let [x, y, z] = self.image(position).map(f64::from);
        position - self.deformation.displacement(self.periods(), DVec3::new(x, y, z))
    }

    pub(super) fn check_position(&self, body: usize, position: DVec3) -> Result<(), DemError> {
        if !position.is_finite() {
            return Err(DemError::List(ListError::PositionNotFinite { body, position }));
        }
        for direction in 0..3 {
            let low = self.low[direction];
            let high = self.high[direction];
            if self.boundary[direction] == Boundary::Closed && !(low..=high).contains(&position[direction]) {
                return Err(DemError::List(ListError::OutsideDomain { body, position, direction, low, high }));
            }
        }
        Ok(())
    }

    /// Checks that the wrapped image of a position (m) is in the domain. The image is outside if the
    /// position is too many periods away to count.
    pub(super) fn check_wrapped(&self, body: usize, position: DVec3, wrapped: DVec3) -> Result<(), DemError> {
        let periods = self.periods();
        for direction in 0..3 {
            let low = self.low[direction];
            let high = self.high[direction];
            let period = periods[direction];
            // Rounding can move an image slightly beyond a side.
            let is_inside = (low - 0.1 * period..=high + 0.1 * period).contains(&wrapped[direction]);
            if period > 0.0 && !is_inside {
                return Err(DemError::List(ListError::OutsideDomain { body, position, direction, low, high }));
            }
        }
        Ok(())
    }

    /// Checks that the centres of two bodies can be closer than `cutoff` (m) through at most one periodic image.
    ///
    /// # Errors
    /// [`ListError::CutoffTooLarge`] if a period is shorter than twice the cutoff.
    pub fn check_cutoff(&self, cutoff: f64) -> Result<(), DemError> {
        for direction in 0..3 {
            let length = self.high[direction] - self.low[direction];
            if self.boundary[direction] == Boundary::Periodic && 2.0 * cutoff > length {
                return Err(DemError::List(ListError::CutoffTooLarge { cutoff, length, direction }));
            }
        }
        Ok(())
    }
}

#[cfg(feature = "serde")]
mod stored {
    use rrp_geom::glam::{DMat3, DVec3};

    use crate::error::DemError;
    use crate::error::list::ListError;
    use crate::neighbor::deformation::Deformation;
    use crate::neighbor::domain::{Boundary, Domain};

    #[derive(serde::Deserialize)]
    pub(super) struct StoredDomain {
        low: DVec3,
        high: DVec3,
        boundary: [Boundary; 3],
        deformation: Deformation,
    }

    impl TryFrom<StoredDomain> for Domain {
        type Error = DemError;

        fn try_from(stored: StoredDomain) -> Result<Self, DemError> {
            let StoredDomain { low, high, boundary, deformation } = stored;
            let domain = Self { deformation, ..Self::new(low, high, boundary)? };
            let Deformation { since, edge_speeds, flow, gradient, offset, offset_speed, .. } = deformation;
            let is_finite = [since, offset, offset_speed].into_iter().all(f64::is_finite) && edge_speeds.is_finite();
            let is_plane = flow < 3 && gradient < 3 && flow != gradient;
            let is_periodic = |c: usize| boundary[c] == Boundary::Periodic;
            let is_sheared = deformation.is_sheared() || offset_speed.abs() > 0.0;
            let moves_periods = is_plane
                && (0..3).all(|c| is_periodic(c) || edge_speeds[c].abs() <= 0.0)
                && (!is_sheared || is_periodic(flow) && is_periodic(gradient));
            if is_finite && moves_periods {
                return Ok(domain);
            }
            let rates = DMat3::from_diagonal(edge_speeds);
            Err(DemError::List(ListError::InvalidDeformation { rates }))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn separation_is_to_the_nearest_image_of_periodic_directions_only() {
        let boundary = [Boundary::Periodic, Boundary::Closed, Boundary::Open];
        let domain = Domain::new(DVec3::ZERO, DVec3::splat(10.0), boundary).unwrap();
        let separation = domain.separation(DVec3::splat(0.5), DVec3::splat(9.5));
        assert!((separation - DVec3::new(-1.0, 9.0, 9.0)).length() < 1e-14);
        assert_eq!(domain.image(DVec3::new(-0.1, -0.1, 25.0)), [-1, 0, 0]);
        assert_eq!(domain.image(DVec3::new(25.0, 0.0, 0.0)), [2, 0, 0]);
        let tiny = Domain::new(DVec3::ZERO, DVec3::splat(1e-10), [Boundary::Open; 3]).unwrap();
        assert_eq!(tiny.separation(DVec3::ZERO, DVec3::splat(1e300)), DVec3::splat(1e300));
    }

    #[test]
    fn bad_boxes_are_refused() {
        for high in [DVec3::ZERO, DVec3::new(1.0, 1.0, -1.0), DVec3::new(1.0, f64::NAN, 1.0), DVec3::INFINITY] {
            assert!(matches!(
                Domain::new(DVec3::ZERO, high, [Boundary::Open; 3]),
                Err(DemError::List(ListError::InvalidDomain { .. }))
            ));
        }
    }
}
