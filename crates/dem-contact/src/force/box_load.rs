//! How the bodies load a periodic box: the forces on its lengths, for the ledger, and its stress, for servos.

use rrp_geom::glam::DVec3;
use rrp_integrate::State;
use rrp_parallel::ExactSum;

use crate::force::tiles::sums::{Row, Sums};
use crate::neighbor::tracked::TrackedList;

/// The load at one state, of all forces and of those that are not elastic.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct BoxLoad {
    /// Power on the bodies in N for each m/s by which the edges x, y, z and the offset of images grow.
    forces: [[f64; 4]; 2],
    /// Contact part of the normal stresses in Pa, positive in compression.
    pub(crate) stress: DVec3,
}

/// What the box bears at the last accepted state, and in the last evaluation.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct BoxLoads {
    /// Whether it is read even while the box is at rest.
    pub(crate) is_watched: bool,
    pub(crate) committed: BoxLoad,
    pub(crate) pending: BoxLoad,
}

impl BoxLoads {
    pub(crate) fn commit(&mut self) {
        self.committed = self.pending;
    }
}

impl BoxLoad {
    /// The load of the forces in `sums` and of those of pairs through images: `by_images` has the sums over pairs of
    /// the force on the second body, times by how many periods it is shifted.
    pub(crate) fn new(list: &TrackedList, state: &State, sums: &Sums<Vec<Row>>, by_images: [[f64; 4]; 2]) -> Self {
        let TrackedList { tiling, domain, position, .. } = list;
        let [flow, gradient] = domain.shear().0;
        let of_wrapped = |rows: &[Row]| {
            let mut total = [(); 4].map(|()| ExactSum::ZERO);
            for ((&body, at), force) in tiling.order.iter().zip(position).zip(rows) {
                let turns = domain.turns(state.position().get(body as usize) - DVec3::from_slice(&at[..3]));
                if turns != DVec3::ZERO {
                    (0..3).for_each(|c| total[c].add(turns[c] * force[c]));
                    total[3].add(turns[gradient] * force[flow]);
                }
            }
            total.map(|sum| sum.value())
        };
        let wrapped = [of_wrapped(&sums.force), of_wrapped(&sums.dissipative)];
        let forces = [0, 1].map(|k| std::array::from_fn(|j| wrapped[k][j] - by_images[k][j]));
        let edges = domain.high() - domain.low();
        let mut virial = DVec3::from_array(std::array::from_fn(|c| {
            let of_bodies = ExactSum::of(position.iter().zip(&sums.force).map(|(at, force)| at[c] * force[c]));
            of_bodies + edges[c] * by_images[0][c]
        }));
        virial[flow] += domain.shear().1 * by_images[0][3];
        Self { forces, stress: virial / (edges.x * edges.y * edges.z) }
    }

    /// The power in W of a box whose lengths grow at these speeds (m/s): of all forces, and of those that are not
    /// elastic.
    pub(crate) fn powers(&self, speeds: [f64; 4]) -> [f64; 2] {
        self.forces.map(|forces| forces.iter().zip(speeds).map(|(force, speed)| force * speed).sum())
    }

    /// All numbers.
    #[cfg(feature = "serde")]
    pub(crate) fn numbers(&self) -> impl Iterator<Item = f64> {
        self.forces.into_iter().flatten().chain(self.stress.to_array())
    }
}
