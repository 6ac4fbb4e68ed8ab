//! Deformation of a periodic box with time.

use rrp_geom::glam::{DMat3, DVec3};

/// Growth of the edges of a periodic box, and sliding of its periodic images past each other.
///
/// The image of a body at x that is n periods away is at x + H n. The matrix H has the edges on its diagonal, and at
/// most one entry off the diagonal: the offset, by which the images across the axis `gradient` are displaced along the
/// axis `flow`. Each entry changes at a constant speed: H(t) = H + (t − t₀) Ḣ, where Ḣ = G H for the velocity gradient
/// G of the box at t₀.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Deformation {
    /// Time t₀ in s at which the deforming box has the given edges and shear offset.
    pub(super) since: f64,
    pub(super) edge_speeds: DVec3,
    pub(super) flow: usize,
    pub(super) gradient: usize,
    /// Displacement in m, along the axis `flow`, of the periodic images across the axis `gradient`, by shear.
    pub(super) offset: f64,
    pub(super) offset_speed: f64,
    /// Whole periods along the flow by which a list counts an image across the shear differently from `offset`: the
    /// image that the list counts as (n, 1), along and across, is (n + ahead, 1) relative to `offset`. A list keeps the
    /// counts from when it was made, while `offset` stays within half a period. So the position of an image has the
    /// same bits whenever the list was made.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(super) ahead: f64,
}

impl Deformation {
    pub(super) const NONE: Self =
        Self { since: 0.0, edge_speeds: DVec3::ZERO, flow: 0, gradient: 1, offset: 0.0, offset_speed: 0.0, ahead: 0.0 };

    /// Returns the deformation from the time `since` (s) on, when the box has these edges (m) and this velocity
    /// gradient (1/s). `None` if an entry of the gradient is not finite, if more than one entry off the diagonal is not
    /// zero, or if the box is already sheared in another plane.
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

    pub(super) fn moves(&self) -> bool {
        self.edge_speeds != DVec3::ZERO || self.offset_speed.abs() > 0.0
    }

    pub(super) fn is_sheared(&self) -> bool {
        self.offset.abs() > 0.0 || self.ahead.abs() > 0.0
    }

    /// Displacement in m, along the flow, of the image that a list counts as straight across: the offset plus `ahead`
    /// periods; `period` (m) is the edge of the box along the flow.
    pub(super) fn whole_offset(&self, period: f64) -> f64 {
        period * self.ahead + self.offset
    }

    /// Converts numbers of periods relative to the offset to those by which a list counts an image (subtracts `ahead`).
    pub(super) fn counted(&self, mut n: DVec3) -> DVec3 {
        n[self.flow] -= self.ahead * n[self.gradient];
        n
    }

    /// Converts numbers of periods by which a list counts an image to those relative to the offset (adds `ahead`).
    fn by_offset(&self, mut n: DVec3) -> DVec3 {
        n[self.flow] += self.ahead * n[self.gradient];
        n
    }

    /// Displacement H n in m of an image from its body, for a box with these edges (m); n are the numbers of periods by
    /// which a list counts the image.
    pub(super) fn displacement(&self, edges: DVec3, n: DVec3) -> DVec3 {
        let mut displacement = edges * self.by_offset(n);
        if self.is_sheared() {
            displacement[self.flow] += self.offset * n[self.gradient];
        }
        displacement
    }

    /// Velocity Ḣ n in m/s of an image relative to its body; n are the numbers of periods by which a list counts the
    /// image.
    pub(super) fn velocity(&self, n: DVec3) -> DVec3 {
        let mut velocity = self.edge_speeds * self.by_offset(n);
        velocity[self.flow] += self.offset_speed * n[self.gradient];
        velocity
    }
}
