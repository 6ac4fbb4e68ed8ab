//! Orders of convergence, by a fit to a selection of points.

use std::ops::Range;

use crate::error::VerifyError;

/// The error of one run at one step size.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ConvergencePoint {
    /// Step size h of the run, positive.
    pub step: f64,
    /// Error of the run at this step size, not negative.
    pub error: f64,
}

impl From<(f64, f64)> for ConvergencePoint {
    fn from((step, error): (f64, f64)) -> Self {
        Self { step, error }
    }
}

impl ConvergencePoint {
    /// The local order ln(e/e') / ln(h/h') for errors e and steps h, from this point to a finer one.
    fn order_to(&self, finer: &Self) -> f64 {
        (self.error / finer.error).ln() / (self.step / finer.step).ln()
    }
}

/// Checks the points of a convergence study and sorts them from the coarsest to the finest step.
fn sorted<P: Copy + Into<ConvergencePoint>>(points: &[P]) -> Result<Vec<ConvergencePoint>, VerifyError> {
    let mut ladder: Vec<ConvergencePoint> = points.iter().map(|&point| point.into()).collect();
    for (index, &ConvergencePoint { step, error }) in ladder.iter().enumerate() {
        if !(step.is_finite() && step > 0.0 && error.is_finite() && error >= 0.0) {
            return Err(VerifyError::InvalidPoint { index, step, error });
        }
    }
    ladder.sort_by(|a, b| b.step.total_cmp(&a.step));
    for pair in ladder.windows(2) {
        if pair[0].step.total_cmp(&pair[1].step).is_eq() {
            return Err(VerifyError::DuplicateStep { step: pair[0].step });
        }
    }
    Ok(ladder)
}

/// A fitted order of convergence, its uncertainty, and the points behind the fit.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ObservedOrder {
    /// Fitted order: the slope p of ln(error) over ln(h).
    pub order: f64,
    /// Standard error of the order from the residuals: small if the points lie on a line, even if this line has a wrong
    /// slope.
    pub standard_error: f64,
    /// Fitted factor c of error ≈ c hᵖ.
    pub coefficient: f64,
    /// Points that the fit used, coarsest step first; three or more.
    pub used: Vec<ConvergencePoint>,
    /// Points that the fit left out, coarsest step first.
    pub dropped: Vec<DroppedPoint>,
}

/// A convergence point that was left out of a fit, and the reason.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct DroppedPoint {
    /// The convergence point that was left out.
    pub point: ConvergencePoint,
    /// The reason for leaving the point out.
    pub reason: DropReason,
}

/// The reason why a convergence point was left out of a fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub enum DropReason {
    /// The error of the point is at or below the round-off floor.
    RoundOff,
    /// The step is so fine that errors no longer fall with it, or are dominated by round-off.
    FlattenedTail,
    /// The step is so coarse that errors do not yet fall with the asymptotic order.
    PreAsymptotic,
}

/// Fewest points of a fit: a line has two parameters, and only a third point can contradict it.
const LEAST_POINTS: usize = 3;

/// Fit of a line to ln(error) over ln(h), after a selection of the points of a convergence study.
///
/// From the coarsest to the finest step:
/// 1. An error at or below the floor is [`DropReason::RoundOff`], and so are all finer points
///    ([`DropReason::FlattenedTail`] where their error is above the floor).
/// 2. Of the rest, the longest run of strictly falling errors stays (the coarser of two equally long runs). Finer
///    points are [`DropReason::FlattenedTail`], coarser ones [`DropReason::PreAsymptotic`].
/// 3. With [`OrderFit::settle_within`], the coarsest point is dropped as [`DropReason::PreAsymptotic`] as long as the
///    two coarsest local orders differ by more than the tolerance.
///
/// A point slightly above the floor stays but is biased by round-off: choose the floor with a margin.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OrderFit {
    floor: f64,
    settle_within: f64,
}

impl OrderFit {
    /// Makes a fit that drops errors at or below the round-off `floor`, in units of the errors; 0 drops zeros only.
    ///
    /// # Errors
    /// [`VerifyError::InvalidTolerance`] for a negative, infinite or NaN floor.
    pub fn new(floor: f64) -> Result<Self, VerifyError> {
        if floor >= 0.0 && floor.is_finite() {
            Ok(Self { floor, settle_within: f64::INFINITY })
        } else {
            Err(VerifyError::InvalidTolerance { tolerance: floor })
        }
    }

    /// Also drops the coarsest points, until the two coarsest local orders agree within `tolerance`.
    ///
    /// # Errors
    /// [`VerifyError::InvalidTolerance`] for a negative or NaN tolerance.
    pub fn settle_within(self, tolerance: f64) -> Result<Self, VerifyError> {
        if tolerance >= 0.0 {
            Ok(Self { settle_within: tolerance, ..self })
        } else {
            Err(VerifyError::InvalidTolerance { tolerance })
        }
    }

    /// Selects points and fits ln(error) = ln(c) + p ln(h) by least squares; the input may be in any order.
    ///
    /// # Errors
    /// [`VerifyError::InvalidPoint`], [`VerifyError::DuplicateStep`]; [`VerifyError::TooFewPoints`] if fewer than three
    /// points remain. An error of exactly zero is valid and counts as at the floor.
    pub fn fit<P: Copy + Into<ConvergencePoint>>(&self, points: &[P]) -> Result<ObservedOrder, VerifyError> {
        let ladder = sorted(points)?;
        let above = ladder.iter().position(|point| point.error <= self.floor).unwrap_or(ladder.len());
        let Range { mut start, end } = longest_fall(&ladder[..above]);
        while end - start >= LEAST_POINTS {
            let coarse = ladder[start].order_to(&ladder[start + 1]);
            let next = ladder[start + 1].order_to(&ladder[start + 2]);
            if (coarse - next).abs() <= self.settle_within {
                break;
            }
            start += 1;
        }
        let used = &ladder[start..end];
        if used.len() < LEAST_POINTS {
            return Err(VerifyError::TooFewPoints { needed: LEAST_POINTS, used: used.len(), given: ladder.len() });
        }
        let coarse = ladder[..start].iter().map(|&point| DroppedPoint { point, reason: DropReason::PreAsymptotic });
        let fine = ladder[end..].iter().map(|&point| DroppedPoint {
            point,
            reason: if point.error <= self.floor { DropReason::RoundOff } else { DropReason::FlattenedTail },
        });
        Ok(line(used, coarse.chain(fine).collect()))
    }
}

/// Range of the longest run of strictly falling errors; the first one of several equally long ones.
fn longest_fall(ladder: &[ConvergencePoint]) -> Range<usize> {
    let mut best = 0..0;
    let mut start = 0;
    for end in 1..=ladder.len() {
        if end - start > best.len() {
            best = start..end;
        }
        if end < ladder.len() && ladder[end].error >= ladder[end - 1].error {
            start = end;
        }
    }
    best
}

fn line(used: &[ConvergencePoint], dropped: Vec<DroppedPoint>) -> ObservedOrder {
    #[expect(clippy::cast_precision_loss, reason = "a ladder has a handful of points")]
    let count = used.len() as f64;
    let logs = || used.iter().map(|point| (point.step.ln(), point.error.ln()));
    let (sum_x, sum_y) = logs().fold((0.0, 0.0), |(x, y), (u, v)| (x + u, y + v));
    let mean_x = sum_x / count;
    let mean_y = sum_y / count;
    let (xx, xy) =
        logs().fold((0.0, 0.0), |(xx, xy), (x, y)| (xx + (x - mean_x).powi(2), xy + (x - mean_x) * (y - mean_y)));
    let order = xy / xx;
    let residual: f64 = logs().map(|(x, y)| (y - mean_y - order * (x - mean_x)).powi(2)).sum();
    ObservedOrder {
        order,
        standard_error: (residual / (count - 2.0) / xx).sqrt(),
        coefficient: (mean_y - order * mean_x).exp(),
        used: used.to_vec(),
        dropped,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Exact H¹ distances of the pendulum by the map `[BG21] (23)` after 10 s, with the steps 0.2 s/2^k.
    const PENDULUM_23: [f64; 11] = [
        0.02308896853451089,
        0.00563933505216862,
        0.0014019734426865681,
        0.00035000856698958247,
        8.747194154861185e-05,
        2.1866099421990897e-05,
        5.4664070002792175e-06,
        1.3665943890534527e-06,
        3.4164814085372273e-07,
        8.541200632674868e-08,
        2.1352988660458157e-08,
    ];

    fn ladder(errors: &[f64]) -> Vec<(f64, f64)> {
        (0..).zip(errors).map(|(k, &error)| (0.2 * 0.5_f64.powi(k), error)).collect()
    }

    #[test]
    fn the_pendulum_ladder_is_second_order() {
        let points = ladder(&PENDULUM_23);
        let order = OrderFit::new(1e-13).unwrap().fit(&points[3..9]).unwrap();
        assert!((order.order - 2.0001096351072203).abs() < 1e-12, "{}", order.order);
        assert!(order.standard_error < 1e-4 && order.dropped.is_empty());
    }

    #[test]
    fn every_point_is_used_or_dropped_with_its_reason() {
        use DropReason::{FlattenedTail, PreAsymptotic, RoundOff};
        // The errors rise, fall by 4, flatten above the floor, reach the floor and bounce.
        let points = ladder(&[0.5, 0.9, 0.2, 0.05, 0.0125, 0.003125, 0.0031, 0.0032, 1e-5, 2e-4]);
        let order = OrderFit::new(1e-4).unwrap().fit(&points).unwrap();
        let reasons: Vec<_> = order.dropped.iter().map(|dropped| dropped.reason).collect();
        assert_eq!(reasons, [PreAsymptotic, FlattenedTail, RoundOff, FlattenedTail]);
        assert_eq!(order.used.len() + order.dropped.len(), points.len());
    }

    #[test]
    fn unsettled_coarse_points_go_on_request_only() {
        // e = h² (1 + 40 h²) has the local orders 2.9 .. 2.0.
        let points: Vec<_> = (0..8).map(|k| 0.5_f64.powi(k)).map(|h| (h, h * h * (1.0 + 40.0 * h * h))).collect();
        let fit = OrderFit::new(0.0).unwrap();
        let all = fit.fit(&points).unwrap();
        assert!(all.order > 2.5 && all.standard_error > 0.05);
        let settled = fit.settle_within(0.1).unwrap().fit(&points).unwrap();
        assert!((settled.order - 2.0).abs() < 0.1, "{settled:?}");
        assert!(settled.dropped.iter().all(|dropped| dropped.reason == DropReason::PreAsymptotic));
        let scatter = ladder(&[1.0, 0.9, 0.1, 0.09, 0.001]);
        let refused = fit.settle_within(0.1).unwrap().fit(&scatter);
        assert_eq!(refused, Err(VerifyError::TooFewPoints { needed: 3, used: 2, given: 5 }));
    }

    #[test]
    fn refusals() {
        let fit = OrderFit::new(1e-3).unwrap();
        assert!(matches!(fit.fit(&[(0.1, f64::NAN)]), Err(VerifyError::InvalidPoint { index: 0, .. })));
        assert!(matches!(fit.fit(&[(0.1, 1.0), (0.0, 1.0)]), Err(VerifyError::InvalidPoint { index: 1, .. })));
        assert!(matches!(fit.fit(&[(0.1, -1.0)]), Err(VerifyError::InvalidPoint { .. })));
        assert_eq!(fit.fit(&[(0.1, 1.0), (0.1, 2.0)]), Err(VerifyError::DuplicateStep { step: 0.1 }));
        let flat = ladder(&[1.0, 0.1, 1e-3, 0.0]);
        assert_eq!(fit.fit(&flat), Err(VerifyError::TooFewPoints { needed: 3, used: 2, given: 4 }));
        assert_eq!(fit.fit::<(f64, f64)>(&[]), Err(VerifyError::TooFewPoints { needed: 3, used: 0, given: 0 }));
        assert!(OrderFit::new(-1.0).is_err() && OrderFit::new(f64::NAN).is_err() && fit.settle_within(-0.1).is_err());
    }

    proptest! {
        #[test]
        fn the_order_of_synthetic_data_is_recovered_over_a_noisy_floor(
            power in 1u8..=6,
            factor in 0.1_f64..10.0,
            noise in proptest::collection::vec(-1.0_f64..1.0, 14),
        ) {
            let exact = f64::from(power);
            let points: Vec<_> = (0..).zip(&noise).map(|(k, noise)| {
                let step = 0.4 * 0.5_f64.powi(k);
                (step, (factor * step.powf(exact) + 1e-13 * noise).abs())
            }).collect();
            let order = OrderFit::new(1e-10).unwrap().fit(&points).unwrap();
            prop_assert!((order.order - exact).abs() < 2e-3, "{} instead of {exact}", order.order);
            prop_assert!((order.coefficient / factor - 1.0).abs() < 1e-2);
            prop_assert_eq!(order.used.len() + order.dropped.len(), points.len());
        }

        #[test]
        fn the_order_of_the_input_does_not_matter(errors in Just(PENDULUM_23.to_vec()).prop_shuffle()) {
            let points: Vec<_> = errors.iter().map(|&error| {
                let rung = PENDULUM_23.iter().position(|&known| known.total_cmp(&error).is_eq()).unwrap();
                (0.2 * 0.5_f64.powi(i32::try_from(rung).unwrap()), error)
            }).collect();
            let fit = OrderFit::new(0.0).unwrap();
            prop_assert_eq!(fit.fit(&points).unwrap(), fit.fit(&ladder(&PENDULUM_23)).unwrap());
        }
    }
}
