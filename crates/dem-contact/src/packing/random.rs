//! Random packings of spheres without overlap.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rrp_geom::glam::DVec3;
use rrp_integrate::{ScalarColumn, VectorColumn};
use rrp_parallel::{Parts, for_each_part};

use crate::error::DemError;
use crate::error::parameter::positive;
use crate::error::statics::StaticsError;
use crate::neighbor::NeighborList;
use crate::neighbor::domain::{Boundary, Domain};
use crate::neighbor::image_shift::{INDEX_BITS, INDEX_MASK};
use crate::packing::obstacles::Obstacles;
use crate::packing::surroundings::{Sphere, Surroundings};
use crate::wall::images::TouchedPoints;

/// Relative enlargement of the radii while spheres are pushed apart. Without it overlaps would only converge to zero,
/// and the iterations would not end.
const MARGIN: f64 = 2e-3;
/// Share of an overlap of two spheres that one iteration removes.
const PUSH: f64 = 0.5;
/// Share of a sphere's last displacement that its next displacement keeps, as momentum.
const MOMENTUM: f64 = 0.8;
/// Skin of the neighbour lists over the smallest radius.
const SKIN: f64 = 0.2;
/// Upper bound of the ratio of two radii in a tier, a set of spheres that are placed together, large tiers first.
const TIER: f64 = 3.0;
/// Number of random positions that are tried to start a small sphere outside of larger ones.
const ATTEMPTS: usize = 100;
/// Largest number of iterations of pushing spheres apart before the search fails.
const MOST_ITERATIONS: usize = 5000;
/// Volume fraction of spheres of different sizes above which no search is made, since it would fail.
const DENSEST: f64 = 0.85;
/// Volume fraction π/√18 of the densest arrangement of equal spheres. Boxes fill space, so no box holds more.
const DENSEST_OF_EQUAL: f64 = 0.740_480_489_693_061_1;

/// Returns centres (m) of spheres of these radii (m) at random positions in `domain`, without overlap, for example as
/// the initial state of a deposition.
///
/// Spheres lie wholly inside the box of the domain, except across periodic sides. They start at random positions, much
/// smaller ones outside of the large ones, and are pushed apart until none overlap; the smaller of two spheres moves
/// more. Equal spheres reach a volume fraction of about 0.6, mixes of sizes more. Time grows with the fraction.
///
/// Random numbers are those of `ChaCha8Rng` with this seed. The same radii and seed give the same centres on any
/// machine and for any number of threads.
///
/// # Errors
/// - [`DemError::InvalidParameter`] for a radius that is not finite and positive.
/// - [`StaticsError::DoesNotFit`] if the search finds no room.
/// - Errors of [`NeighborList::update`], such as for a period shorter than four of the largest radii and the skin.
pub fn random_packing(domain: &Domain, radii: &[f64], seed: u64) -> Result<Vec<DVec3>, DemError> {
    random_packing_among(&Surroundings::default(), domain, radii, seed)
}

/// Returns centres as [`random_packing`] does, clear of `surroundings` too.
///
/// If the domain continues behind a sheet, or an open mesh with bodies on one side, both sides have spheres. Behind a
/// one-sided [`Revolution`](crate::wall::Revolution) spheres keep a distance of more than a radius from the back, where
/// bodies that touch it have no forces.
///
/// # Errors
/// Errors of [`random_packing`], and [`StaticsError::AtBack`] if spheres that were pushed apart came too near to the
/// back of a one-sided surface.
pub fn random_packing_among(
    surroundings: &Surroundings<'_>,
    domain: &Domain,
    radii: &[f64],
    seed: u64,
) -> Result<Vec<DVec3>, DemError> {
    for &radius in radii {
        positive("the radius", radius)?;
    }
    let low = domain.low();
    let high = domain.high();
    let size = high - low;
    let volume = radii.iter().map(|r| 4.0 / 3.0 * std::f64::consts::PI * r.powi(3)).sum::<f64>();
    let fraction = volume / (size.x * size.y * size.z);
    let bodies = radii.len();
    let too_large = |&r: &f64| (0..3).any(|c| domain.boundary()[c] != Boundary::Periodic && 2.0 * r > size[c]);
    let largest = radii.iter().copied().fold(0.0, f64::max);
    let smallest = radii.iter().copied().fold(f64::INFINITY, f64::min);
    // The tolerance accepts rounded volumes of a box that is just full.
    let densest = if smallest < largest { DENSEST } else { DENSEST_OF_EQUAL * (1.0 + 1e-9) };
    if fraction > densest || radii.iter().any(too_large) {
        return Err(DemError::Statics(StaticsError::DoesNotFit { bodies, fraction, overlap: f64::NAN }));
    }
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut packed = Packed::new(surroundings, domain, (2.0 + MARGIN) * largest);
    let fixed = packed.fixed;
    let tiers = tiers(radii);
    for tier in &tiers {
        packed.begin(domain, tier.iter().map(|&i| radii[i]), &mut random);
        if let Separation::Overlapping(overlap) = packed.push_apart(domain, SKIN * smallest)? {
            return Err(DemError::Statics(StaticsError::DoesNotFit { bodies, fraction, overlap }));
        }
    }
    let mut centers = vec![DVec3::ZERO; bodies];
    tiers.iter().flatten().zip(packed.position.iter().skip(fixed)).for_each(|(&i, center)| centers[i] = center);
    if centers.iter().any(|&center| surroundings.hold_in_solid(center)) {
        return Err(DemError::Statics(StaticsError::DoesNotFit { bodies, fraction, overlap: f64::NAN }));
    }
    let spheres = centers.iter().zip(radii).map(|(&center, &radius)| Sphere { center, radius });
    let at_back = spheres.filter(|&sphere| surroundings.hold_near_back(sphere)).count();
    if at_back > 0 {
        return Err(DemError::Statics(StaticsError::AtBack { bodies, at_back }));
    }
    Ok(centers)
}

/// Returns tiers of spheres whose radii differ by a factor below [`TIER`], largest tier first, each as the ascending
/// indices of its spheres in `radii`.
fn tiers(radii: &[f64]) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..radii.len()).collect();
    order.sort_by(|&i, &j| radii[j].total_cmp(&radii[i]));
    let mut tiers = Vec::new();
    while let Some(&largest) = order.first() {
        let smaller = order.partition_point(|&i| radii[i] * TIER > radii[largest]);
        let rest = order.split_off(smaller);
        order.sort_unstable();
        tiers.push(std::mem::replace(&mut order, rest));
    }
    tiers
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Separation {
    /// No spheres overlap.
    Free,
    /// Largest remaining overlap, over the smaller radius of the two spheres.
    Overlapping(f64),
}

/// Packing that grows by one tier (spheres of similar size) at a time.
struct Packed<'a> {
    surroundings: &'a Surroundings<'a>,
    /// Number of fixed spheres of the surroundings, which come first and do not move.
    fixed: usize,
    radius: Vec<f64>,
    position: VectorColumn,
}

impl<'a> Packed<'a> {
    /// Makes a packing of the spheres of `surroundings` within `margin` (m) of the box of the domain.
    fn new(surroundings: &'a Surroundings<'a>, domain: &Domain, margin: f64) -> Self {
        let fixed = surroundings.spheres_in(domain, margin);
        Self {
            surroundings,
            fixed: fixed.len(),
            radius: fixed.iter().map(|sphere| sphere.radius).collect(),
            position: fixed.iter().map(|sphere| sphere.center).collect(),
        }
    }

    /// Adds spheres of these radii (m) at random positions, outside of the present ones where one of [`ATTEMPTS`] more
    /// random positions is: pushing small spheres out of large ones takes many iterations.
    fn begin(&mut self, domain: &Domain, radii: impl Iterator<Item = f64> + Clone, random: &mut ChaCha8Rng) {
        let low = domain.low();
        let size = domain.high() - domain.low();
        let large = self.position.iter().zip(&self.radius);
        let large: Vec<Sphere> = large.map(|(center, &radius)| Sphere { center, radius }).collect();
        let obstacles = Obstacles::new(domain, &large, radii.clone().fold(0.0, f64::max));
        let mut position: Vec<DVec3> = self.position.iter().collect();
        let mut points = TouchedPoints::default();
        for radius in radii {
            let mut anywhere = || {
                // Positions are drawn inside the margin: moved there, many spheres would lie and stay in one plane.
                let margin = wall_margin(domain, radius);
                let share = DVec3::from_array(random.random());
                low + margin + (size - 2.0 * margin) * share
            };
            let first = anywhere();
            let outside = std::iter::once(first).chain((0..ATTEMPTS).map(|_| anywhere()));
            let mut blocks = |center| self.surroundings.walls_block(Sphere { center, radius }, &mut points);
            let is_free = |center: &DVec3| !obstacles.overlap(*center, radius) && !blocks(*center);
            position.push(outside.into_iter().find(is_free).unwrap_or(first));
            self.radius.push(radius);
        }
        self.position = position.into_iter().collect();
    }

    /// Pushes all present spheres apart until no two overlap or the iterations are used up, with a neighbour list of a
    /// skin of at least `thinnest` (m). Fixed spheres do not move.
    fn push_apart(&mut self, domain: &Domain, thinnest: f64) -> Result<Separation, DemError> {
        let grown: ScalarColumn = self.radius.iter().map(|r| r * (1.0 + MARGIN)).collect();
        let smallest = self.radius[self.fixed..].iter().copied().fold(f64::INFINITY, f64::min);
        let largest = grown.iter().copied().fold(0.0, f64::max);
        // The skin follows the smallest sphere so far, unless short periods have no room for it.
        let periods = domain.periods().to_array().into_iter().filter(|&period| period > 0.0);
        let room = 0.5 * periods.fold(f64::INFINITY, f64::min) * (1.0 - 1e-9) - 2.0 * largest;
        let mut list = NeighborList::new(*domain, (SKIN * smallest).min(room).max(thinnest))?;
        let mut push = vec![[0.0; 4]; grown.len()];
        let mut step = vec![DVec3::ZERO; grown.len()];
        let mut overlap = f64::INFINITY;
        for _ in 0..MOST_ITERATIONS {
            list.update(&grown, &self.position)?;
            overlap = pushes(&list, self.fixed, self.surroundings, &mut push);
            if overlap <= 0.0 {
                return Ok(Separation::Free);
            }
            for (&i, &[x, y, z, _]) in list.order().iter().zip(&push) {
                let i = i as usize;
                if i < self.fixed {
                    continue;
                }
                let radius = self.radius[i];
                // The limit keeps a sphere that leaves a large one from jumping across others.
                step[i] = (step[i] * MOMENTUM + DVec3::new(x, y, z) * PUSH).clamp_length_max(0.5 * radius);
                self.position.set(i, within(domain, self.position.get(i) + step[i], radius));
            }
        }
        Ok(Separation::Overlapping(overlap))
    }
}

/// Computes the displacement of each sphere out of others and walls, in the order of the neighbour list; the first
/// `fixed` spheres stay. Returns the largest overlap of the true radii over the smaller radius.
fn pushes(list: &NeighborList, fixed: usize, surroundings: &Surroundings<'_>, push: &mut [[f64; 4]]) -> f64 {
    let position = list.position();
    let order = list.order();
    let shifts = list.shifts();
    let rows = list.full_rows();
    let is_fixed = |place: usize| (order[place] as usize) < fixed;
    for_each_part(Parts::blocks(position.len()), &mut *push, &|part, push| {
        let mut points = TouchedPoints::default();
        for (place, push) in part.rows.zip(push) {
            let a = position[place];
            *push = [0.0, 0.0, 0.0, f64::NEG_INFINITY];
            if is_fixed(place) {
                continue;
            }
            let sphere = Sphere { center: DVec3::from_slice(&a[..3]), radius: a[3] };
            let into_wall = surroundings.push_off_walls(sphere, &mut points, &mut push[..3]);
            push[3] = (into_wall - a[3] * MARGIN / (1.0 + MARGIN)) / a[3];
            for entry in rows.row(place) {
                let other = (entry & INDEX_MASK) as usize;
                let shift = shifts[(entry >> INDEX_BITS) as usize];
                let b = position[other];
                let mut way: [f64; 3] = std::array::from_fn(|c| (b[c] - a[c]) + shift[c]);
                let distance = way.iter().map(|x| x * x).sum::<f64>().sqrt();
                if distance <= 0.0 {
                    // Coincident centres are pushed in opposite directions.
                    way = [if other > place { a[3] } else { -a[3] }, 0.0, 0.0];
                }
                let length = distance.max(if distance > 0.0 { 0.0 } else { a[3] });
                let overlap = a[3] + b[3] - distance;
                if overlap > 0.0 {
                    // The smaller sphere moves more, in proportion to the volume of the other sphere.
                    let share = if is_fixed(other) { 1.0 } else { b[3].powi(3) / (a[3].powi(3) + b[3].powi(3)) };
                    (0..3).for_each(|c| push[c] -= way[c] / length * overlap * share);
                }
                let true_overlap = (a[3] + b[3]) / (1.0 + MARGIN) - distance;
                push[3] = push[3].max(true_overlap / a[3].min(b[3]));
            }
        }
    });
    push.iter().fold(f64::NEG_INFINITY, |most, push| most.max(push[3]))
}

/// Least distance in m of the centre of a sphere of this radius (m) from the sides of the domain; zero if periodic.
fn wall_margin(domain: &Domain, radius: f64) -> DVec3 {
    let periodic = |c: usize| domain.boundary()[c] == Boundary::Periodic;
    DVec3::from_array(std::array::from_fn(|c| if periodic(c) { 0.0 } else { radius }))
}

/// Returns the centre nearest to `center` for which a sphere of this radius (m) is inside the domain.
fn within(domain: &Domain, center: DVec3, radius: f64) -> DVec3 {
    let inside = center.clamp(domain.low() + radius, (domain.high() - radius).max(domain.low() + radius));
    DVec3::from_array(std::array::from_fn(|c| {
        if domain.boundary()[c] == Boundary::Periodic { center[c] } else { inside[c] }
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wall::{Revolution, Sidedness, Wall};

    #[test]
    fn spheres_that_come_to_the_back_of_a_hopper_are_told_so() {
        let domain = Domain::new(DVec3::splat(-5.0), DVec3::splat(5.0), [Boundary::Open; 3]).unwrap();
        let pack = |sides| {
            let hopper = Revolution::cone_inside(DVec3::Z, [1.0, -1.0], [2.0, 1.0]).unwrap().with_sides(sides);
            let walls = [Wall::new(hopper, DVec3::ZERO)];
            let surroundings = Surroundings { walls: &walls, ..Surroundings::default() };
            random_packing_among(&surroundings, &domain, &[0.5; 600], 3)
        };
        let error = pack(Sidedness::Front).unwrap_err();
        let is_told = matches!(
            error,
            DemError::Statics(StaticsError::AtBack { bodies: 600, at_back }) if (1..200).contains(&at_back)
        );
        assert!(is_told, "{error}");
        assert_eq!(pack(Sidedness::Both).unwrap().len(), 600);
    }

    /// Checks that equal spheres denser than any arrangement are refused without a search (overlap NaN).
    #[test]
    fn equal_spheres_denser_than_the_densest_arrangement_are_refused_at_once() {
        let domain = Domain::new(DVec3::ZERO, DVec3::splat(30.0), [Boundary::Periodic; 3]).unwrap();
        let of_fraction = |fraction: f64| (fraction * 27_000.0 / (4.0 / 3.0 * std::f64::consts::PI)) as usize;
        let error = random_packing(&domain, &vec![1.0; of_fraction(0.741)], 1).unwrap_err();
        let is_at_once = matches!(
            error,
            DemError::Statics(StaticsError::DoesNotFit { fraction, overlap, .. })
                if overlap.is_nan() && (0.7405..0.742).contains(&fraction)
        );
        assert!(is_at_once, "{error}");
    }

    #[test]
    fn small_spheres_begin_outside_of_large_ones() {
        let domain = Domain::new(DVec3::ZERO, DVec3::splat(45.0), [Boundary::Periodic; 3]).unwrap();
        let mut random = ChaCha8Rng::seed_from_u64(9);
        let surroundings = Surroundings::default();
        let mut packed = Packed::new(&surroundings, &domain, 0.0);
        packed.begin(&domain, [10.0; 3].into_iter(), &mut random);
        assert_eq!(packed.push_apart(&domain, 0.02).unwrap(), Separation::Free);
        packed.begin(&domain, [1.0; 400].into_iter(), &mut random);
        for (large, small) in (0..3).flat_map(|large| (3..403).map(move |small| (large, small))) {
            let [a, b] = [large, small].map(|i| packed.position.get(i));
            assert!(domain.separation(a, b).length() >= 11.0, "{large}, {small}");
        }
    }

    #[test]
    fn tiers_are_of_all_spheres_once() {
        assert!(tiers(&[]).is_empty());
        assert_eq!(tiers(&[1.0, 2.9, 3.0, 1.1]), [vec![1, 2, 3], vec![0]]);
        assert_eq!(tiers(&[0.1, 9.0, 1.0, 8.0]), [vec![1, 3], vec![2], vec![0]]);
    }
}
