//! Load of the bodies on a periodic box: forces on its edges, for the ledger, and its stress, for servos.

use rrp_geom::glam::DVec3;
use rrp_integrate::State;
use rrp_parallel::ExactSum;

use crate::force::box_servo::BoxStress;
use crate::force::tiles::sums::{Row, Sums};
use crate::neighbor::domain::Domain;
use crate::neighbor::tracked::TrackedList;

/// Load on a periodic box at one state by all bodies: generalised forces that belong to its edges, and its stress.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct BoxLoad {
    /// Generalised forces in N: power (W) of the deforming box on the bodies per speed (m/s) at which an edge or the
    /// offset grows, so negative in compression. Outer index: all forces, then forces that are not elastic. Inner
    /// index: the edges x, y and z of the box, then the shear offset of its images.
    forces: [[f64; 4]; 2],
    pub(super) stress: BoxStress,
}

/// Exact sums over all contacts of a body with a periodic image of another body, for the load on the box.
#[derive(Debug, Clone)]
pub(super) struct ImageSums {
    /// Sums of the contact force (N) times the number of periods between the two bodies. Outer index: all forces, then
    /// forces that are not elastic; inner index: x, y, z, shear offset. See
    /// [`PairTotals::by_images`](crate::force::tiles::kernel::PairTotals::by_images).
    pub(super) forces: [[ExactSum; 4]; 2],
    /// Stiffness of contacts with images along x, y and z, in N: the sum of k |n|³ d over pairs that are a period
    /// apart, with the secant stiffness k = F/δ, the component n of the unit normal and the distance d of the centres.
    /// This sum times the edge over the volume is the modulus under affine deformation of the box, since the sum of k
    /// n⁴ d² over all contacts is the edge times the mean over planes of k |n|³ d.
    pub(super) stiffness: [ExactSum; 3],
}

impl Default for ImageSums {
    fn default() -> Self {
        Self { forces: [(); 2].map(|()| [(); 4].map(|()| ExactSum::ZERO)), stiffness: [(); 3].map(|()| ExactSum::ZERO) }
    }
}

/// Loads on a periodic box at the last accepted state and in the last evaluation.
#[derive(Debug, Clone, Default)]
pub(super) struct BoxLoads {
    /// Whether evaluations compute the load on the box even while the box is at rest.
    pub(super) is_watched: bool,
    pub(super) committed: BoxLoad,
    pub(super) pending: BoxLoad,
    /// Exact sums, over bodies and contacts, of the load at the last evaluated state; `None` if not computed there.
    pub(super) parts: Option<BoxLoadParts>,
}

impl BoxLoads {
    /// Makes the loads on a periodic box with the load `load` at the accepted and at the last evaluated state.
    pub(super) fn at(is_watched: bool, load: BoxLoad) -> Self {
        Self { is_watched, committed: load, pending: load, parts: None }
    }

    /// Stores the exact sums of the last evaluation, and computes from them the load on the box that the next commit
    /// accepts. Without such sums the load is zero.
    pub(super) fn read(&mut self, domain: &Domain, parts: Option<BoxLoadParts>) {
        self.pending = parts.as_ref().map_or_else(BoxLoad::default, |parts| BoxLoad::new(domain, parts));
        self.parts = parts;
    }

    pub(super) fn commit(&mut self) {
        self.committed = self.pending;
    }
}

/// Contribution of some tiles (boxes of space) to the exact sums for the load on a periodic box. All contributions add
/// up to the load by all bodies, with the same bits for any distribution of the tiles over ranks.
#[derive(Debug, Clone, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BoxLoadParts {
    /// Sums over bodies whose centre is outside the box: number of periods from the image inside to the centre, times
    /// the force in N on the body. Outer index: all forces, then forces that are not elastic. Middle index: x, y, z,
    /// shear offset. The innermost vector has the parts of an exact sum.
    wrapped: [[Vec<f64>; 4]; 2],
    /// Sums over contacts with images: number of periods between the bodies times the force (N) on the second body,
    /// with the indices of `wrapped`.
    by_images: [[Vec<f64>; 4]; 2],
    stiffness: [Vec<f64>; 3],
    /// Sums over bodies of the coordinate of the centre, wrapped into the box, times the force component along x, y and
    /// z, in N m. The inner vectors have the parts of exact sums.
    virial: [Vec<f64>; 3],
}

impl BoxLoadParts {
    pub(super) fn new(list: &TrackedList, state: &State, sums: &Sums<Vec<Row>>, by_images: &ImageSums) -> Self {
        let TrackedList { tiling, domain, position, .. } = list;
        let [flow, gradient] = domain.shear();
        let own = tiling.own_places().last().map_or(0, |places| places.end);
        let of_wrapped = |rows: &[Row]| {
            let mut total = [(); 4].map(|()| ExactSum::ZERO);
            for ((&body, at), force) in tiling.order.iter().zip(position).zip(rows).take(own) {
                let turns = domain.turns(state.position().get(body as usize) - DVec3::from_slice(&at[..3]));
                if turns != DVec3::ZERO {
                    (0..3).for_each(|c| total[c].add(turns[c] * force[c]));
                    total[3].add(turns[gradient] * force[flow]);
                }
            }
            total.map(|sum| sum.parts())
        };
        let virial = |c: usize| {
            let terms = position.iter().zip(&sums.force).take(own).map(|(at, force)| at[c] * force[c]);
            terms.collect::<ExactSum>().parts()
        };
        Self {
            wrapped: [of_wrapped(&sums.force), of_wrapped(&sums.dissipative)],
            by_images: [0, 1].map(|k| [0, 1, 2, 3].map(|j| by_images.forces[k][j].parts())),
            stiffness: [0, 1, 2].map(|c| by_images.stiffness[c].parts()),
            virial: [0, 1, 2].map(virial),
        }
    }

    /// Adds up the contributions of all ranks to the load of a periodic box; `None` if any contribution is `None`.
    #[must_use]
    pub fn of_all(parts: impl IntoIterator<Item = Option<Self>>) -> Option<Self> {
        parts.into_iter().try_fold(Self::default(), |mut all, part| {
            all.join(part?);
            Some(all)
        })
    }

    fn join(&mut self, others: Self) {
        let Self { wrapped, by_images, stiffness, virial } = others;
        let own = self.wrapped.iter_mut().chain(&mut self.by_images).flatten();
        let own = own.chain(&mut self.stiffness).chain(&mut self.virial);
        let others = wrapped.into_iter().chain(by_images).flatten().chain(stiffness).chain(virial);
        own.zip(others).for_each(|(own, others)| own.extend(others));
    }
}

impl BoxLoad {
    pub(super) fn new(domain: &Domain, parts: &BoxLoadParts) -> Self {
        let [flow, _] = domain.shear();
        let by_images = parts.by_images.each_ref().map(|parts| parts.each_ref().map(|parts| sum(parts)));
        let edges = domain.high() - domain.low();
        let mut virial = DVec3::from_array(std::array::from_fn(|c| sum(&parts.virial[c]) + edges[c] * by_images[0][c]));
        virial[flow] += domain.whole_offset() * by_images[0][3];
        let volume = edges.x * edges.y * edges.z;
        let modulus = (0..3).map(|c| edges[c] / volume * sum(&parts.stiffness[c])).fold(0.0, f64::max);
        Self { stress: BoxStress { normal: virial / volume, modulus }, ..Self::without_stress(parts) }
    }

    /// Computes the forces on the edges of a periodic box, with zero stress.
    pub(super) fn without_stress(BoxLoadParts { wrapped, by_images, .. }: &BoxLoadParts) -> Self {
        let force = |k: usize, j: usize| sum(&wrapped[k][j]) - sum(&by_images[k][j]);
        Self { forces: [0, 1].map(|k| [0, 1, 2, 3].map(|j| force(k, j))), stress: BoxStress::default() }
    }

    /// Power in W on the bodies of a periodic box whose edges x, y and z and whose shear offset grow at these speeds
    /// (m/s): first of all forces, then of the forces that are not elastic.
    pub(super) fn powers(&self, speeds: [f64; 4]) -> [f64; 2] {
        self.forces.map(|forces| forces.iter().zip(speeds).map(|(force, speed)| force * speed).sum())
    }

    #[cfg(feature = "serde")]
    pub(super) fn numbers(&self) -> impl Iterator<Item = f64> {
        self.forces.into_iter().flatten().chain(self.stress.normal.to_array()).chain([self.stress.modulus])
    }
}

fn sum(parts: &[f64]) -> f64 {
    ExactSum::of(parts.iter().copied())
}
