//! Orders between neighbouring steps.

use crate::convergence_point::sorted;
use crate::{ConvergencePoint, VerifyError};

/// The order seen between two neighbouring steps.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct LocalOrder {
    /// The coarser of the two steps.
    pub coarse_step: f64,
    /// The finer of the two steps.
    pub fine_step: f64,
    /// `ln(e_c/e_f) / ln(h_c/h_f)`; negative where the error grew.
    pub order: f64,
}

/// The orders between neighbours of a ladder, from the coarsest pair to the finest; nothing is dropped.
///
/// # Errors
/// [`VerifyError::InvalidPoint`] (a zero error too: it has no logarithm; the index is that of the sorted ladder then),
/// [`VerifyError::DuplicateStep`].
pub fn local_orders<P: Copy + Into<ConvergencePoint>>(points: &[P]) -> Result<Vec<LocalOrder>, VerifyError> {
    let ladder = sorted(points)?;
    if let Some(index) = ladder.iter().position(|point| point.error <= 0.0) {
        return Err(VerifyError::InvalidPoint { index, step: ladder[index].step, error: ladder[index].error });
    }
    Ok(between(&ladder))
}

/// Orders between the neighbours of a ladder that is sorted and free of zero errors.
pub(crate) fn between(ladder: &[ConvergencePoint]) -> Vec<LocalOrder> {
    let order = |pair: &[ConvergencePoint]| LocalOrder {
        coarse_step: pair[0].step,
        fine_step: pair[1].step,
        order: pair[0].order_to(&pair[1]),
    };
    ladder.windows(2).map(order).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_powers_and_a_rising_tail() {
        let orders = local_orders(&[(0.05, 0.25e-2), (0.1, 1e-2), (0.025, 0.5e-2)]).unwrap();
        assert!((orders[0].order - 2.0).abs() < 1e-14 && (orders[0].coarse_step - 0.1).abs() < 1e-15);
        assert!((orders[1].order + 1.0).abs() < 1e-14 && (orders[1].fine_step - 0.025).abs() < 1e-15);
    }

    #[test]
    fn zero_has_no_order() {
        let refused = local_orders(&[(0.1, 0.0), (0.2, 1.0)]);
        assert_eq!(refused, Err(VerifyError::InvalidPoint { index: 1, step: 0.1, error: 0.0 }));
    }
}
