//! Deformation of a periodic box with time.

use rrp_geom::glam::{DMat3, DVec3};

/// Growth of the edges of a periodic box, and sliding of its periodic images past each other.
///
/// The image of a body at x that is n periods away is at x + H n. H has the edges on its diagonal, and at most one
/// entry off the diagonal: the images across `gradient` are displaced along `flow` by the offset. Each entry changes at
/// a constant speed: H(t) = H + (t − t₀) Ḣ, where Ḣ = G H for the velocity gradient G of the box at t₀.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Deformation {
    /// Time t₀ in s at which the deforming box has the given edges and shear offset.
    pub(super) since: f64,
    /// Speeds in m/s at which the edges of the deforming box grow.
    pub(super) edge_speeds: DVec3,
    pub(super) flow: usize,
    pub(super) gradient: usize,
    /// Displacement in m, along the axis `flow`, of the periodic images across the axis `gradient`, by shear.
    pub(super) offset: f64,
    /// Speed in m/s at which the shear offset of periodic images grows.
    pub(super) offset_speed: f64,
    /// Periods along the flow between two counts of an image: the image that a list counts as (n, 1), along and across,
    /// is (n + ahead, 1) relative to `offset`. A list keeps its counts from when it was made, but `offset` stays within
    /// half a period; so the position of an image has the same bits whenever the list was made.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(super) ahead: f64,
}

impl Deformation {
    /// Deformation of a box at rest, without a shear offset of its periodic images.
    pub(super) const NONE: Self =
        Self { since: 0.0, edge_speeds: DVec3::ZERO, flow: 0, gradient: 1, offset: 0.0, offset_speed: 0.0, ahead: 0.0 };

    /// Returns the deformation, from the time `since` (s) on, of a box with these edges (m) and this velocity gradient
    /// (1/s) then. `None` if the gradient has entries that are not finite, more than one entry off the diagonal, or an
    /// entry whose axes are not those of the present offset.
    pub(super) fn with_gradient(self, since: f64, edges: DVec3, rates: DMat3) -> Option<Self> {
        let entry = |row: usize, column: usize| rates.col(column)[row];
        let beside = (0..9).map(|k| [k / 3, k % 3]).filter(|&[row, column]| row != column);
        let mut shears = beside.filter(|&[row, column]| entry(row, column).abs() > 0.0);
        let axes = shears.next().unwrap_or([self.flow, self.gradient]);
        let keeps_axes = axes == [self.flow, self.gradient] || self.offset.abs() <= 0.0;
        if shears.next().is_some() || !keeps_axes || !rates.is_finite() || !since.is_finite() {
            return None;
        }
        let [flow, gradient] = axes;
        let offset_speed = entry(flow, gradient) * edges[gradient] + entry(flow, flow) * self.offset;
        let edge_speeds = DVec3::from_array(std::array::from_fn(|c| entry(c, c) * edges[c]));
        Some(Self { since, edge_speeds, flow, gradient, offset_speed, ..self })
    }

    /// Whether the shape of the box changes with time.
    pub(super) fn moves(&self) -> bool {
        self.edge_speeds != DVec3::ZERO || self.offset_speed.abs() > 0.0
    }

    /// Whether shear has displaced the periodic images of the box, so that they are not straight above each other.
    pub(super) fn is_sheared(&self) -> bool {
        self.offset.abs() > 0.0 || self.ahead.abs() > 0.0
    }

    /// Displacement in m, along the flow, of the periodic image that a list counts as straight across: the offset plus
    /// whole periods; `period` (m) is that of the flow direction.
    pub(super) fn whole_offset(&self, period: f64) -> f64 {
        period * self.ahead + self.offset
    }

    /// Returns the numbers of periods by which a list counts an image (`ahead` taken off), from those that go with the
    /// offset.
    pub(super) fn counted(&self, mut n: DVec3) -> DVec3 {
        n[self.flow] -= self.ahead * n[self.gradient];
        n
    }

    /// Returns the numbers of periods that go with the offset (`ahead` added), from those by which a list counts an
    /// image.
    fn by_offset(&self, mut n: DVec3) -> DVec3 {
        n[self.flow] += self.ahead * n[self.gradient];
        n
    }

    /// Displacement H n in m of an image from its body: H has the `edges` (m) of the box and its shear offset, n are
    /// the numbers of periods by which a list counts the image.
    pub(super) fn displacement(&self, edges: DVec3, n: DVec3) -> DVec3 {
        let mut displacement = edges * self.by_offset(n);
        if self.is_sheared() {
            displacement[self.flow] += self.offset * n[self.gradient];
        }
        displacement
    }

    /// Velocity Ḣ n in m/s of an image relative to its body: Ḣ has the speeds of the edges of the box and of its shear
    /// offset, n are the numbers of periods by which a list counts the image.
    pub(super) fn velocity(&self, n: DVec3) -> DVec3 {
        let mut velocity = self.edge_speeds * self.by_offset(n);
        velocity[self.flow] += self.offset_speed * n[self.gradient];
        velocity
    }
}
