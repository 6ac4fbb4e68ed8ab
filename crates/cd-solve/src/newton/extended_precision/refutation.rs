use crate::exact::kernel::Claim;
use crate::exact::wide::Wide;
use crate::newton::extended_precision::{Part, Point};
use crate::problem::balance::PROOF_MARGIN;

/// Number of sweeps over contacts in which coordinates without load take over the reference forces of their neighbours.
const PROPAGATION_SWEEPS: usize = 16;

/// Exponent k: in a proof, a displacement that changes a gap by less than 2ᵏ times the largest term of this change
/// counts as keeping the gap.
const KEPT_GAP_EXPONENT: i64 = -60;

impl Part<'_> {
    /// Whether the contact forces alone, without the regularisation, balance the load to 53 bits.
    pub(super) fn balances(&self, point: &Point) -> bool {
        (0..point.u.len()).all(|c| {
            let rest = point.rest[c] + self.pull(c, point.u[c]);
            rest.is_zero() || rest.exponent() < point.terms[c].exponent() - 45
        })
    }

    /// Whether the displacement, which grows without bound, proves that no forces balance the load.
    pub(super) fn is_refuted(&self, point: &Point) -> bool {
        let largest = point.u.iter().map(Wide::exponent).max().unwrap_or(0);
        let support: Vec<usize> =
            (0..point.u.len()).filter(|&c| point.u[c].exponent() > largest + KEPT_GAP_EXPONENT).collect();
        let physical: Vec<Wide> = support.iter().map(|&c| point.u[c].times_power(self.unit[c])).collect();
        let most = physical.iter().map(Wide::exponent).max().unwrap_or(0);
        let guess: Vec<f64> = physical.iter().map(|u| u.times_power(-most).to_f64()).collect();
        let mut zero = Vec::new();
        let mut at_least_zero = Vec::new();
        let mut any = Vec::new();
        for (row, compression) in self.rows.iter().zip(&point.compression) {
            let mut dense = vec![0.0; support.len()];
            for &(c, b) in row {
                if let Ok(k) = support.binary_search(&c) {
                    dense[k] = b.times_power(-self.unit[c]).to_f64();
                }
            }
            let terms = row.iter().map(|&(c, b)| (b * point.u[c]).exponent()).max().unwrap_or(0);
            any.push(dense.clone());
            if compression.exponent() < terms + KEPT_GAP_EXPONENT {
                zero.push(dense)
            } else {
                at_least_zero.push(dense)
            }
        }
        let sizes = self.sizes();
        let negative: Vec<f64> = support
            .iter()
            .map(|&c| {
                let margin = Wide::new(PROOF_MARGIN).times_power(-self.unit[c]) * sizes[c];
                let margin = margin.to_f64().copysign(if point.u[c].is_negative() { -1.0 } else { 1.0 });
                self.problem.load[self.columns[c]] + margin
            })
            .collect();
        // First with all unknowns rounded, which is sufficient if contacts open.
        Claim { guess: &guess, zero: &[], at_least_zero: &any, negative: &negative }.holds()
            || Claim { guess: &guess, zero: &zero, at_least_zero: &at_least_zero, negative: &negative }.holds()
    }

    /// Computes the reference force of each coordinate, which scales the margin of a proof: the largest of the load,
    /// the force that the caller states, and those that contacts transmit from other loads, scaled like these bodies.
    fn sizes(&self) -> Vec<Wide> {
        let own = |(&c, unit): (&usize, &i64)| Wide::new(self.problem.least_size(c)).times_power(*unit);
        let mut sizes: Vec<Wide> = self.columns.iter().zip(&self.unit).map(own).collect();
        let larger = |a: Wide, b: Wide| if b > a { b } else { a };
        // A coupling is at most one.
        let coupling = |k: Wide, b: Wide| Wide::new((k * b * b).to_f64().sqrt().min(1.0));
        for _ in 0..PROPAGATION_SWEEPS {
            for (row, k) in self.rows.iter().zip(&self.stiffness) {
                let reach = row.iter().map(|&(c, b)| coupling(*k, b) * sizes[c]).fold(Wide::ZERO, larger);
                row.iter().for_each(|&(c, b)| sizes[c] = larger(sizes[c], coupling(*k, b) * reach));
            }
        }
        sizes
    }
}
