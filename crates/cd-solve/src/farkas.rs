//! When a complementarity problem has no solution.

use crate::Lcp;
use crate::par::fold_leaves;

/// Sum of forces per contact, as a multiple of ‖b‖∞ / D, that no physical problem asks for.
const UNPHYSICAL: f64 = 1e8;

/// Looks for a ray d ≥ 0 with A d = 0 and b·d < 0, along which the iterates of a solver grow where there is no solution.
///
/// By the lemma of Farkas such a ray proves that A z + b ≥ 0 has no solution. An approximate one still bounds all solutions:
/// from d·(A z + b) ≥ 0 follows Σz ≥ −b·d / max (A d)₊. The problem counts as infeasible where that is absurd.
#[derive(Debug, Clone, Default)]
pub(crate) struct Farkas {
    z: Vec<f64>,
    image: Vec<f64>,
    product: Vec<f64>,
    armed: bool,
}

/// What one pass over a candidate ray returns: largest and smallest entry, b·d, largest image.
type Candidate = [f64; 4];

impl Farkas {
    /// Forgets former iterates.
    pub(crate) fn reset(&mut self, n: usize) {
        for buffer in [&mut self.z, &mut self.image, &mut self.product] {
            buffer.clear();
            buffer.resize(n, 0.0);
        }
        self.armed = false;
    }

    /// Whether the growth of `z` since the last call proves that there is no solution. `image` is A z, up to a constant;
    /// `scale` the mean and the largest diagonal entry.
    pub(crate) fn proves(
        &mut self,
        problem: &Lcp<'_>,
        z: &[f64],
        image: &[f64],
        scale: [f64; 2],
        work: &mut Vec<f64>,
    ) -> bool {
        let infeasible = self.armed && self.compare(problem, z, image, scale, work);
        self.z.copy_from_slice(z);
        self.image.copy_from_slice(image);
        self.armed = true;
        infeasible
    }

    fn compare(
        &mut self,
        problem: &Lcp<'_>,
        z: &[f64],
        image: &[f64],
        [mean, largest]: [f64; 2],
        work: &mut Vec<f64>,
    ) -> bool {
        let offset = problem.offset();
        let former = &self.image;
        let rough = fold(&mut self.z, &|i, former_z| {
            let d = z[i] - *former_z;
            // The clipped difference is what the exact test looks at.
            *former_z = d.max(0.0);
            [d, -d, offset[i] * d, image[i] - former[i]]
        });
        let [most, least, work_done, growth] = rough;
        if !(most > 0.0 && least <= 1e-6 * most && work_done < 0.0 && growth <= 1e-6 * largest * most) {
            return false;
        }
        problem.matrix().apply(&self.z, &mut self.product, work);
        let product = &self.product;
        let [most, _, work_done, growth] = fold(&mut self.z, &|i, d| [*d, -*d, offset[i] * *d, product[i]]);
        let rounding = 4.0 * f64::EPSILON * largest * most;
        let unphysical = UNPHYSICAL * (z.len() as f64).clamp(10.0, 1e4);
        problem.relative(-work_done) * mean > unphysical * (growth.max(0.0) + rounding)
    }
}

/// The largest of the first, second and fourth entries of what `row` returns, and the sum of the third.
fn fold(d: &mut [f64], row: &(impl Fn(usize, &mut f64) -> Candidate + Sync)) -> Candidate {
    let join = |a: Candidate, b: Candidate| [a[0].max(b[0]), a[1].max(b[1]), a[2] + b[2], a[3].max(b[3])];
    fold_leaves(
        d,
        &|first, d| {
            let start = [f64::NEG_INFINITY, f64::NEG_INFINITY, 0.0, f64::NEG_INFINITY];
            d.iter_mut().enumerate().fold(start, |sum, (i, d)| join(sum, row(first + i, d)))
        },
        &join,
    )
}
