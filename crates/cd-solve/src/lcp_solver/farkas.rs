use rrp_parallel::{Part, fold_parts};

use crate::leaves::leaves;

/// Mean contact force, relative to ‖b‖∞ / D (offset b, mean D of diag A), above which infeasibility is suspected.
const SUSPECT_FORCE: f64 = 1e8;

/// Looks for a ray d ≥ 0 with A d = 0 and b·d < 0, along which iterates grow if there is no solution. By Farkas' lemma
/// such a ray proves that A z + b ≥ 0 has no solution. An approximate ray is only an indication: d·(A z + b) ≥ 0
/// implies no more than Σz ≥ −b·d / max (A d)₊. Pivoting then decides.
#[derive(Debug, Clone, Default)]
pub(super) struct FarkasTest {
    z: Vec<f64>,
    image: Vec<f64>,
    product: Vec<f64>,
    has_previous: bool,
}

/// Mean and largest entry of the diagonal of the problem's matrix A.
#[derive(Debug, Clone, Copy)]
pub(super) struct DiagonalScale {
    mean: f64,
    pub(super) largest: f64,
}

impl DiagonalScale {
    pub(super) fn new(diagonal: &[f64]) -> Self {
        Self {
            mean: diagonal.iter().sum::<f64>() / diagonal.len().max(1) as f64,
            largest: diagonal.iter().fold(0.0_f64, |most, d| most.max(*d)),
        }
    }
}

/// Largest entries and products of a candidate d for a ray, collected in one pass.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    /// Largest entry of the candidate d for a ray of infeasibility. The next field, `most_negative`, is the largest
    /// entry of −d.
    most: f64,
    most_negative: f64,
    /// Product b·d of the offset b and the candidate d for a ray of infeasibility.
    work: f64,
    /// Largest entry of A d, with the candidate d for a ray of infeasibility.
    growth: f64,
}

impl Candidate {
    fn merged(self, other: Self) -> Self {
        Self {
            most: self.most.max(other.most),
            most_negative: self.most_negative.max(other.most_negative),
            work: self.work + other.work,
            growth: self.growth.max(other.growth),
        }
    }
}

impl FarkasTest {
    pub(super) fn reset(&mut self, n: usize) {
        for buffer in [&mut self.z, &mut self.image, &mut self.product] {
            buffer.clear();
            buffer.resize(n, 0.0);
        }
        self.has_previous = false;
    }

    /// Whether the growth of the forces `z` since the last call suggests that there is no solution. `image` is A z, or
    /// A z + b; `scale` has the mean and largest entry of diag A; `product` multiplies by A.
    pub(super) fn suspects(
        &mut self,
        offset: &[f64],
        z: &[f64],
        image: &[f64],
        scale: DiagonalScale,
        product: &mut dyn FnMut(&[f64], &mut [f64]),
    ) -> bool {
        let suspect = self.has_previous && self.compare(offset, z, image, scale, product);
        self.z.copy_from_slice(z);
        self.image.copy_from_slice(image);
        self.has_previous = true;
        suspect
    }

    fn compare(
        &mut self,
        offset: &[f64],
        z: &[f64],
        image: &[f64],
        scale: DiagonalScale,
        product: &mut dyn FnMut(&[f64], &mut [f64]),
    ) -> bool {
        let previous = &self.image;
        let rough = fold(&mut self.z, &|i, previous_z| {
            let d = z[i] - *previous_z;
            *previous_z = d.max(0.0);
            Candidate { most: d, most_negative: -d, work: offset[i] * d, growth: image[i] - previous[i] }
        });
        let grows = rough.most > 0.0 && rough.most_negative <= 1e-6 * rough.most;
        if !(grows && rough.work < 0.0 && rough.growth <= 1e-6 * scale.largest * rough.most) {
            return false;
        }
        product(&self.z, &mut self.product);
        let product = &self.product;
        let exact = fold(&mut self.z, &|i, d| Candidate {
            most: *d,
            most_negative: -*d,
            work: offset[i] * *d,
            growth: product[i],
        });
        let largest = offset.iter().fold(f64::MIN_POSITIVE, |most, b| most.max(b.abs()));
        let rounding = 4.0 * f64::EPSILON * scale.largest * exact.most;
        let unphysical = SUSPECT_FORCE * (z.len() as f64).clamp(10.0, 1e4);
        -exact.work / largest * scale.mean > unphysical * (exact.growth.max(0.0) + rounding)
    }
}

/// Lets `row` compute each entry of the candidate ray `d` of forces; merges the largest entries and the products that
/// `row` returns.
fn fold(d: &mut [f64], row: &(impl Fn(usize, &mut f64) -> Candidate + Sync)) -> Candidate {
    let least = f64::NEG_INFINITY;
    let none = Candidate { most: least, most_negative: least, work: 0.0, growth: least };
    let work = |part: Part, d: &mut [f64]| part.rows.zip(d).fold(none, |sum, (i, d)| sum.merged(row(i, d)));
    fold_parts(leaves(d.len()), d, &work, &Candidate::merged).unwrap_or(none)
}
