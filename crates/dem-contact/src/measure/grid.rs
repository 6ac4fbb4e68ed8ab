//! Coarse-grained fields on a grid.
//!
//! A [`Kernel`] spreads each grain over space. Density, momentum, stress and the force of walls are then smooth fields
//! that obey the balances of mass and momentum at each point and time, `[Gol10]`; near walls with the force that
//! `[WTLB12]` applies at the contact points. A grid holds the means of these fields over its cells.

use rrp_geom::glam::{DMat3, DVec3};

use super::kernel::Kernel;
use super::outer;
use super::snapshot::Snapshot;
use super::window::{Extent, Window};
use crate::error::DemError;

/// A box divided into equal cells, over which fields are averaged; one cell along an axis averages over the whole axis.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Grid {
    /// Lower corner of the grid in m.
    pub low: DVec3,
    /// Upper corner of the grid in m.
    pub high: DVec3,
    /// Number of cells along each axis.
    pub cells: [usize; 3],
}

/// Coarse-grained fields at a point, or their means over a cell.
///
/// The fields obey ∂ρ/∂t = −∇·p and ∂p/∂t = −∇·(flux + contact stress) + outer force + other force densities (ρ g).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PointFields {
    /// Mass density ρ in kg/m³.
    pub density: f64,
    /// Momentum density p in kg/(m² s).
    pub momentum: DVec3,
    /// Momentum flux Σ m v vᵀ φ in Pa of grains of mass m and velocity v, with the kernel φ.
    pub flux: DMat3,
    /// Contact stress in Pa, positive in compression.
    pub contact_stress: DMat3,
    /// Force density in N/m³ of walls, fixed bodies and unselected grains, which act at the contact points.
    pub outer_force: DVec3,
}

impl PointFields {
    const ZERO: Self = Self {
        density: 0.0,
        momentum: DVec3::ZERO,
        flux: DMat3::ZERO,
        contact_stress: DMat3::ZERO,
        outer_force: DVec3::ZERO,
    };

    /// Mean velocity of the grains in m/s: momentum density over mass density; zero without grains.
    #[must_use]
    pub fn velocity(&self) -> DVec3 {
        if self.density > 0.0 { self.momentum / self.density } else { DVec3::ZERO }
    }

    /// Kinetic stress in Pa of the motion relative to the mean velocity: momentum flux − p pᵀ/ρ, see [`PointFields`].
    #[must_use]
    pub fn kinetic_stress(&self) -> DMat3 {
        self.flux - outer(self.momentum, self.velocity())
    }

    /// Granular temperature in m²/s²: the trace of the kinetic stress over three times the density; zero without
    /// grains.
    #[must_use]
    pub fn temperature(&self) -> f64 {
        let stress = self.kinetic_stress();
        let trace = stress.x_axis.x + stress.y_axis.y + stress.z_axis.z;
        if self.density > 0.0 { trace / (3.0 * self.density) } else { 0.0 }
    }
}

/// Means of coarse-grained fields over the cells of a grid.
#[derive(Debug, Clone, PartialEq)]
pub struct GridFields {
    /// Grid whose cells the fields belong to.
    pub grid: Grid,
    /// Coarse-grained fields of each cell; x runs fastest, z slowest.
    pub points: Vec<PointFields>,
}

/// Largest number of cells of a grid, to bound its memory.
const MOST_POINTS: usize = 1 << 28;

impl Grid {
    /// Returns the box of all cells as an extent.
    #[must_use]
    pub fn extent(&self) -> Extent {
        Extent::Box { low: self.low, high: self.high }
    }

    /// Checks that the grid has at least one cell, and at most 2^28.
    ///
    /// # Errors
    /// [`DemError::InvalidParameter`].
    pub fn check(&self) -> Result<(), DemError> {
        let count = self.cells.iter().try_fold(1_usize, |count, &cells| count.checked_mul(cells));
        match count {
            Some(count) if (1..=MOST_POINTS).contains(&count) => Ok(()),
            _ => {
                let parameter = "the number of cells of a grid";
                let range = "from 1 to 2^28";
                let value = self.cells.iter().map(|&cells| cells as f64).product();
                Err(DemError::InvalidParameter { parameter, range, value })
            }
        }
    }

    /// Edges of a cell along the axes in m.
    #[must_use]
    pub fn spacing(&self) -> DVec3 {
        (self.high - self.low) / DVec3::from_array(self.cells.map(|cells| cells as f64))
    }

    /// Middle in m of the cell with these indices along x, y and z.
    #[must_use]
    pub fn point(&self, index: [usize; 3]) -> DVec3 {
        self.low + (DVec3::from_array(index.map(|index| index as f64)) + 0.5) * self.spacing()
    }

    /// Returns the number of the cell that contains this point (m); `None` outside of the grid.
    pub(super) fn cell_of(&self, place: DVec3) -> Option<usize> {
        let index = (place - self.low) / self.spacing();
        let is_inside = (0..3).all(|c| index[c] >= 0.0 && index[c] < self.cells[c] as f64);
        let [i, j, k] = index.to_array().map(|index| index as usize);
        is_inside.then(|| (k * self.cells[1] + j) * self.cells[0] + i)
    }
}

impl GridFields {
    /// Integrates the fields over the grid: the density of the result is a mass in kg, its momentum is in kg m/s, its
    /// flux and contact stress in J, its outer force in N. The result covers all grains if the grid reaches a kernel
    /// range beyond them or spans all periods of the domain, to 1e-8 for a Gaussian and 1e-6 for Lucy's kernel.
    #[must_use]
    pub fn total(&self) -> PointFields {
        let volume = self.grid.spacing().element_product();
        let mut total = PointFields::ZERO;
        for point in &self.points {
            total.density += volume * point.density;
            total.momentum += volume * point.momentum;
            total.flux += volume * point.flux;
            total.contact_stress += volume * point.contact_stress;
            total.outer_force += volume * point.outer_force;
        }
        total
    }
}

impl Snapshot<'_> {
    /// Computes coarse-grained fields as cell means, of all grains or of `members`, with one entry for each body.
    ///
    /// Means are exact for a Gaussian. Lucy's kernel is averaged over sample points at most an eighth of its range
    /// apart; where a cell ends within the range of a grain, the error is up to a hundredth of the largest value. In
    /// cells wider than the range a Gaussian is much faster.
    ///
    /// # Errors
    /// Errors of [`Grid::check`], [`Kernel::check`] and [`Extent::check`]; [`DemError::LengthMismatch`].
    pub fn fields(&self, members: Option<&[bool]>, grid: Grid, kernel: Kernel) -> Result<GridFields, DemError> {
        grid.check()?;
        kernel.check()?;
        self.check_members(members)?;
        let window = Window::new(grid.extent(), &self.domain, kernel.range())?;
        let is_member = |body: usize| members.is_none_or(|members| members[body]);
        let mut points = vec![PointFields::ZERO; grid.cells.iter().product()];
        let range = kernel.range();
        for grain in self.grains().filter(|&grain| is_member(grain)) {
            let center = self.state.position().get(grain);
            let velocity = self.state.velocity().get(grain);
            let mass = self.bodies.mass()[grain];
            let momentum = mass * velocity;
            let flux = mass * outer(velocity, velocity);
            for shift in window.images([center; 2], range) {
                let image = center + shift;
                grid.spread(kernel, image, DVec3::ZERO, |number, weight| {
                    let point = &mut points[number];
                    point.density += weight * mass;
                    point.momentum += weight * momentum;
                    point.flux += weight * flux;
                });
            }
        }
        for segment in self.segments().filter(|segment| is_member(segment.grain)) {
            let arm = segment.arm;
            let virial = outer(segment.force, segment.arm);
            let ends = [segment.start, segment.start + arm];
            for shift in window.images(ends, range) {
                let [start, end] = ends.map(|end| end + shift);
                grid.spread(kernel, start, arm, |number, weight| points[number].contact_stress += weight * virial);
                if segment.other.is_none_or(|other| !is_member(other)) {
                    let force = |number: usize, weight| points[number].outer_force -= weight * segment.force;
                    grid.spread(kernel, end, DVec3::ZERO, force);
                }
            }
        }
        Ok(GridFields { grid, points })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rrp_integrate::{Bodies, Body, State};

    use super::super::bulk::Selection;
    use super::super::snapshot::Touch;
    use super::*;
    use crate::law::contact::{Partner, PowerByMotion};
    use crate::neighbor::{Boundary, Domain};

    const GRAVITY: DVec3 = DVec3::new(0.0, 1.0, -9.81);

    /// Makes the contacts of three grains in a row, the last at a wall, from eight numbers in [−1, 1] for each.
    fn touches(numbers: &[f64]) -> Vec<Touch> {
        let partners = [(0, Partner::Body(1)), (1, Partner::Body(2)), (2, Partner::Wall(0))];
        let touch = |((a, b), row): ((usize, Partner), &[f64])| Touch {
            a,
            b,
            normal: (DVec3::from_slice(&row[3..6]) + DVec3::splat(1.5)).normalize(),
            overlap: 0.02 * row[7],
            force: DVec3::from_slice(&row[..3]),
            couple: DVec3::ZERO,
            power: PowerByMotion::default(),
        };
        partners.into_iter().zip(numbers.chunks_exact(8)).map(touch).collect()
    }

    /// Returns the state after `time` from these positions and velocities, under constant `touches` and gravity.
    fn state(numbers: &[f64], bodies: &Bodies, touches: &[Touch], time: f64) -> State {
        let mut state = State::at_rest(bodies.len());
        for (i, row) in numbers.chunks_exact(8).enumerate() {
            let position = 0.6 * DVec3::from_slice(&row[..3]);
            let velocity = DVec3::from_slice(&row[4..7]);
            let mut force = bodies.mass()[i] * GRAVITY;
            for touch in touches {
                force -= if touch.a == i { touch.force } else { DVec3::ZERO };
                force += if touch.b == Partner::Body(i) { touch.force } else { DVec3::ZERO };
            }
            let acceleration = force / bodies.mass()[i];
            state.position_mut().set(i, position + time * velocity + 0.5 * time * time * acceleration);
            state.velocity_mut().set(i, velocity + time * acceleration);
        }
        state
    }

    /// Returns the derivative at the middle of seven arguments that are `step` apart.
    fn derivative(values: [DVec3; 7], step: f64) -> DVec3 {
        let [a, b, c, _, d, e, f] = values;
        (45.0 * (d - c) - 9.0 * (e - b) + (f - a)) / (60.0 * step)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(12))]

        #[test]
        fn mass_and_momentum_are_balanced_at_each_point(
            numbers in proptest::collection::vec(-1.0..1.0_f64, 24),
            place in proptest::array::uniform3(-0.5..0.5_f64),
            all in proptest::bool::ANY,
        ) {
            let kernel = Kernel::Gaussian { width: 0.4 };
            let bodies = Bodies::new([1.0, 2.0, 1.5].map(|mass| Body::sphere(mass, 0.3))).unwrap();
            let mut touches = touches(&numbers);
            // The contact points of two touching bodies coincide: the second body is moved to the contact of the first.
            let mut numbers = numbers;
            for link in 0..2 {
                let start = DVec3::from_slice(&numbers[8 * link..]);
                let next = start + (0.6 - touches[link].overlap) / 0.6 * touches[link].normal;
                numbers[8 * link + 8..8 * link + 11].copy_from_slice(&next.to_array());
            }
            touches[2].normal = DVec3::Z;
            let members = if all { vec![true; 3] } else { vec![true, false, true] };
            let place = DVec3::from_array(place);
            let step = 0.01;
            let instant = 0.002;
            let at = |time: f64, cells: usize| {
                let state = state(&numbers, &bodies, &touches, time);
                let snapshot = Snapshot::new(&bodies, &state, &Domain::OPEN, touches.clone()).unwrap();
                let reach = DVec3::splat(0.5 * step * cells as f64);
                let grid = Grid { low: place - reach, high: place + reach, cells: [cells; 3] };
                snapshot.fields(Some(&members), grid, kernel).unwrap()
            };
            let moments = [-3.0, -2.0, -1.0, 0.0, 1.0, 2.0, 3.0].map(|k| at(k * instant, 1).points[0]);
            let around = at(0.0, 7);
            let mut growth = derivative(moments.map(|point| point.momentum), instant);
            let mut mass = derivative(moments.map(|point| DVec3::X * point.density), instant).x;
            for axis in 0..3 {
                let line: [PointFields; 7] = std::array::from_fn(|k| {
                    let mut index = [3; 3];
                    index[axis] = k;
                    around.points[(index[2] * 7 + index[1]) * 7 + index[0]]
                });
                growth += derivative(line.map(|point| (point.flux + point.contact_stress).col(axis)), step);
                mass += derivative(line.map(|point| point.momentum), step)[axis];
            }
            let here = moments[3];
            let force = here.outer_force + here.density * GRAVITY;
            prop_assert!((growth - force).length() < 1e-8 * (here.density * GRAVITY.length()).max(1.0));
            prop_assert!(mass.abs() < 1e-8 * here.density.max(1.0), "{mass}");
        }
    }

    #[test]
    fn sums_over_a_grid_are_those_of_all_grains() {
        let numbers: Vec<f64> = (0..24).map(|k| (1.7 * f64::from(k)).sin()).collect();
        let bodies = Bodies::new([1.0, 2.0, 1.5].map(|mass| Body::sphere(mass, 0.3))).unwrap();
        let touches = touches(&numbers);
        let state = state(&numbers, &bodies, &touches, 0.0);
        let cube = Domain::new(DVec3::splat(-1.0), DVec3::splat(1.5), [Boundary::Periodic; 3]).unwrap();
        let cases = [(cube, [-1.0, 1.5], 11), (cube, [-1.0, 1.5], 1), (Domain::OPEN, [-3.0, 3.0], 26)];
        for (domain, reach, cells) in cases {
            let snapshot = Snapshot::new(&bodies, &state, &domain, touches.clone()).unwrap();
            let grid = Grid { low: DVec3::splat(reach[0]), high: DVec3::splat(reach[1]), cells: [cells; 3] };
            let total = snapshot.fields(None, grid, Kernel::Gaussian { width: 0.25 }).unwrap().total();
            let bulk = snapshot.bulk(&Selection::of(Extent::Whole)).unwrap();
            assert!((total.density - bulk.mass).abs() < 1e-8 * bulk.mass, "{total:?}");
            assert!((total.momentum - bulk.momentum).length() < 1e-8 * bulk.momentum.length(), "{total:?}");
            assert!(total.contact_stress.abs_diff_eq(bulk.virial, 1e-8), "{total:?} {bulk:?}");
            let flux = bulk.fluctuation + outer(bulk.momentum, bulk.mean_velocity());
            assert!(total.flux.abs_diff_eq(flux, 1e-7), "{total:?} {bulk:?}");
            assert!((total.outer_force + snapshot.wall_load(0, DVec3::ZERO).force).length() < 1e-8);
            let total = snapshot.fields(None, grid, Kernel::Lucy { range: 0.8 }).unwrap().total();
            assert!((total.density / bulk.mass - 1.0).abs() < 1e-6, "{total:?}");
            assert!(
                total.contact_stress.abs_diff_eq(bulk.virial, 2e-6 * bulk.virial.x_axis.x.abs()),
                "{total:?} {bulk:?}"
            );
        }
    }

    /// Checks columns of eight balls, one in each period: the stress is the weight above over the area.
    #[test]
    fn the_stress_of_a_bed_at_rest_is_the_weight_above() {
        let count = 8;
        let spacing = 0.98;
        let area = 1.5 * 2.0;
        let gravity = 9.81;
        let bodies = Bodies::new(vec![Body::sphere(1.0, 0.5); count]).unwrap();
        let mut state = State::at_rest(count);
        let touch = |upper: usize| {
            let load = gravity * (count - upper) as f64;
            let touch = Touch {
                a: upper,
                b: Partner::Wall(0),
                normal: DVec3::NEG_Z,
                overlap: 0.01,
                force: DVec3::NEG_Z * load,
                couple: DVec3::ZERO,
                power: PowerByMotion::default(),
            };
            if upper == 0 { touch } else { Touch { b: Partner::Body(upper - 1), overlap: 0.02, ..touch } }
        };
        for ball in 0..count {
            state.position_mut().set(ball, DVec3::new(0.2, 0.3, 0.49 + spacing * ball as f64));
        }
        let boundary = [Boundary::Periodic, Boundary::Periodic, Boundary::Open];
        let domain = Domain::new(DVec3::ZERO, DVec3::new(1.5, 2.0, 20.0), boundary).unwrap();
        let snapshot = Snapshot::new(&bodies, &state, &domain, (0..count).map(touch).collect()).unwrap();
        let grid = Grid { low: DVec3::NEG_Z * 2.0, high: DVec3::new(1.5, 2.0, 10.0), cells: [1, 1, 192] };
        for kernel in [Kernel::Gaussian { width: 0.25 }, Kernel::Lucy { range: 0.7 }] {
            let fields = snapshot.fields(None, grid, kernel).unwrap();
            let weight = gravity * count as f64 / area;
            let mut above = 0.0;
            let mut worst = 0.0_f64;
            for cell in fields.points.iter().rev() {
                let of_cell = grid.spacing().z * (gravity * cell.density - cell.outer_force.z);
                worst = worst.max((cell.contact_stress.z_axis.z - above - 0.5 * of_cell).abs() / weight);
                above += of_cell;
            }
            assert!(worst < 2e-3, "{kernel:?}: {worst:e}");
        }
    }

    #[test]
    fn grids_without_cells_are_refused() {
        let bodies = Bodies::new([Body::sphere(1.0, 0.5)]).unwrap();
        let state = State::at_rest(1);
        let snapshot = Snapshot::new(&bodies, &state, &Domain::OPEN, Vec::new()).unwrap();
        let grid = Grid { low: DVec3::ZERO, high: DVec3::ONE, cells: [2; 3] };
        let kernel = Kernel::Lucy { range: 1.0 };
        assert!(snapshot.fields(None, grid, kernel).is_ok());
        assert!(snapshot.fields(None, Grid { cells: [2, 0, 2], ..grid }, kernel).is_err());
        assert!(snapshot.fields(None, Grid { cells: [usize::MAX; 3], ..grid }, kernel).is_err());
        assert!(snapshot.fields(None, Grid { high: DVec3::ZERO, ..grid }, kernel).is_err());
        assert!(snapshot.fields(None, grid, Kernel::Gaussian { width: 0.0 }).is_err());
    }
}
