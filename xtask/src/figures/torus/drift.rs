//! Claims about the energy drift of the torus: statistics of simulations whose starts differ by rounding errors,
//! compared with those of a random walk and of an independent program.
use grains_pages::number::{self, larger};
use rrp_integrate::Map;

use super::course::FREE_FROM;
use super::ensemble::{Ensemble, expected, expected_share, expected_size};
use crate::figures::rodrigues::method::Method;
use crate::figures::torus::PAPER;
use crate::model::{Claim, Measured};

/// Results of an independent program for grains of diameter `Dₚ = 1` m and the time step h = 1e-2 s. The program shares
/// only the initial condition with ours.
struct Found {
    map: Map,
    /// Largest relative energy error |E/E₀ − 1| up to [`BEFORE_PARTING`] from the unperturbed start.
    early: f64,
    /// Median and standard deviation of the largest |E/E₀ − 1| of each simulation, and a bound that no simulation
    /// approaches.
    largest: [f64; 3],
    /// Median and standard deviation of the absolute slope of E/E₀ times 500 s over the scatter about the fitted line,
    /// and the share of simulations with a value below one.
    trend: [f64; 3],
    /// What is true instead of the paper's statement that there is no drift.
    instead: &'static str,
}

/// Simulated time of the independent program in s.
const FOUND_UNTIL: f64 = 500.0;
/// Time in s up to which simulations are independent of rounding errors; later, those with different starts part.
const BEFORE_PARTING: f64 = 30.0;

/// Results of the independent program for the maps (25) and (27).
const FOUND: [Found; 2] = [
    Found {
        map: Map::Rodrigues25,
        early: 2.2911e-3,
        largest: [4.13e-3, 1.67e-3, 1.5e-2],
        trend: [3.3, 3.2, 0.144],
        instead: "a random walk, whose trend is below its scatter in one case of six",
    },
    Found {
        map: Map::Rodrigues27,
        early: 8.6896e-3,
        largest: [1.377e-2, 1.99e-3, 2.7e-2],
        trend: [0.95, 0.85, 0.523],
        instead: "the same random walk, which the scatter of the first-order map hides in every other motion",
    },
];
/// Mean and standard deviation of the slopes of E/E₀ in 1/s by the independent program, equal for both maps.
const SLOPE: [f64; 2] = [3.5e-6, 6.4e-6];

/// Mean and standard deviation of the slopes of E/E₀ in 1/s by the independent program for the printed torus diameter
/// `Dₜ = 3` m and h = 1e-3 s.
const PRINTED_SLOPE: [f64; 2] = [1.8e-5, 1.6e-5];
/// Median and standard deviation of the largest |E/E₀ − 1| by the independent program for `Dₜ = 3` m and h = 1e-3 s: by
/// map (25), then by map (27).
const PRINTED_LARGEST: [[f64; 2]; 2] = [[1.04e-2, 5.3e-3], [2.07e-2, 5.5e-3]];

/// Makes the claims for grains of diameter `Dₚ = 1` m: about the `ensembles` of simulations by the maps (25) and (27)
/// with h = 1e-2 s, about `finer`, by map (25) with h = 5e-3 s, and about `smooth`, by map (25) without contacts
/// between grains.
pub(super) fn claims(ensembles: &[Ensemble], finer: &Ensemble, smooth: &Ensemble) -> Vec<Claim> {
    let mut claims: Vec<Claim> = ensembles.iter().flat_map(of_one_map).collect();
    let count: f64 = ensembles.iter().map(Ensemble::len).sum();
    let mean = |of: &dyn Fn(&Ensemble) -> f64| {
        ensembles.iter().map(|ensemble| of(ensemble) * ensemble.len()).sum::<f64>() / count
    };
    let slope = mean(&|ensemble| ensemble.mean(|course| course.slope()));
    let error = (mean(&|ensemble| ensemble.spread(|course| course.slope()).powi(2)) / count).sqrt();
    claims.push(
        Claim::paper_differs(
            "mean slope of E/E₀ over all motions of both maps, Dₚ = 1, h = 1e-2",
            PAPER,
            "a rise that single motions do not show",
            Measured::within(slope, error),
            expected(SLOPE[0], SLOPE[1], count),
        )
        .unit("1/s"),
    );
    // Least-squares slopes over T of walks with the variance 2Dt have the variance (6/5) 2D/T.
    let walk = mean(&|ensemble| {
        let diffusion =
            5.0 / 12.0 * (duration(ensemble) - FREE_FROM) * ensemble.spread(|course| course.slope()).powi(2);
        diffusion / ensemble.mean(|course| course.temperature)
    });
    // Combined relative error of the mean and of the squared spread of n slopes.
    let single = (SLOPE[1] / SLOPE[0]).hypot(2.0_f64.sqrt());
    claims.push(Claim::ours(
        "that mean over D/T, by which a random walk with their spread must rise at the temperature T of the bonds",
        slope / walk,
        expected(1.0, single, count),
    ));
    if let Some(coarse) = ensembles.iter().find(|ensemble| ensemble.map == finer.map) {
        let spread = |ensemble: &Ensemble| ensemble.spread(|course| course.slope());
        // A ratio of spreads of n and m slopes has the relative error √(1/2n + 1/2m).
        let pairs = |other: &Ensemble| 2.0 / (1.0 / coarse.len() + 1.0 / other.len());
        // Two steps do not determine an order, but show that the spread decreases.
        let order = expected_size(2.7, std::f64::consts::LOG2_E, pairs(finer));
        claims.push(Claim::ours(
            "spread of slopes with h = 1e-2 over that with 5e-3, (25): 2^(5/2) from a kink of the 3/2 law, or more",
            spread(coarse) / spread(finer),
            number::rounded(order.start().exp2(), 3)..=number::rounded(order.end().exp2(), 3),
        ));
        claims.push(Claim::ours(
            "spread of slopes without contacts between grains over that with them, (25), h = 1e-2: these make the walk",
            spread(smooth) / spread(coarse),
            expected_size(0.0094, 0.0094, pairs(smooth)),
        ));
    }
    claims
}

/// Makes the claims for the printed torus diameter `Dₜ = 3` m with h = 1e-3 s. Slopes of a random walk spread in
/// inverse proportion to the root of its duration, so the accepted ranges depend on the simulated time.
pub(super) fn printed_claims(ensembles: &[Ensemble]) -> Vec<Claim> {
    let count = ensembles.iter().map(Ensemble::len).sum::<f64>();
    let until = ensembles.first().map_or(f64::NAN, duration);
    let [slope, spread_of_slopes] = PRINTED_SLOPE;
    let spread_of_slopes = spread_of_slopes * (FOUND_UNTIL / until).sqrt();
    let slopes = ensembles.iter().map(|ensemble| ensemble.mean(|course| course.slope()) * ensemble.len());
    let variances: f64 =
        ensembles.iter().map(|ensemble| ensemble.spread(|course| course.slope()).powi(2) * ensemble.len()).sum();
    let largest = ensembles.iter().zip(PRINTED_LARGEST).map(|(ensemble, [median, spread])| {
        Claim::ours(
            format!(
                "median of the largest |E/E₀ − 1| up to {until:.0} s, {}, Dₜ = 3, h = 1e-3",
                Method::from(ensemble.map).name()
            ),
            ensemble.known_median(|course| course.largest()),
            expected_size(median, Ensemble::OF_MEDIAN * spread, ensemble.len()),
        )
    });
    let drift = Claim::paper_differs(
        "mean slope of E/E₀ over all motions of both maps, Dₜ = 3, h = 1e-3",
        PAPER,
        "a slow rise, about two per mille in a hundred seconds",
        Measured::within(slopes.sum::<f64>() / count, variances.sqrt() / count),
        expected(slope, spread_of_slopes, count),
    );
    largest.chain([drift.unit("1/s")]).collect()
}

/// Makes the claims about the simulations by one map for grains of diameter `Dₚ = 1` m with h = 1e-2 s.
fn of_one_map(ensemble: &Ensemble) -> Vec<Claim> {
    let Some(found) = FOUND.iter().find(|found| found.map == ensemble.map) else { return Vec::new() };
    let name = Method::from(ensemble.map).name();
    let count = ensemble.len();
    let [median, spread, bound] = found.largest;
    let [trend, uneven, share] = found.trend;
    let early = ensemble.courses.first().map_or(f64::NAN, |course| course.largest_until(BEFORE_PARTING));
    let worst = ensemble.courses.iter().fold(0.0, |worst, course| larger(worst, course.largest()));
    vec![
        Claim::ours(
            format!("largest |E/E₀ − 1| up to 30 s, where rounding does not matter yet, {name}, Dₚ = 1, h = 1e-2"),
            early,
            number::rounded(found.early * 0.999, 4)..=number::rounded(found.early * 1.001, 4),
        ),
        Claim::as_paper(
            format!("median of the largest |E/E₀ − 1| of each motion up to 500 s, {name}, Dₚ = 1, h = 1e-2"),
            PAPER,
            ensemble.known_median(|course| course.largest()),
            expected_size(median, Ensemble::OF_MEDIAN * spread, count),
        ),
        Claim::as_paper(
            format!("largest |E/E₀ − 1| of all motions, {name}, Dₚ = 1, h = 1e-2"),
            PAPER,
            worst,
            0.0..=bound,
        ),
        Claim::paper_differs(
            format!("share of motions with |slope| × 500 s below the scatter, {name}, Dₚ = 1, h = 1e-2"),
            PAPER,
            found.instead,
            ensemble.share(|course| course.trend_over_scatter() < 1.0),
            expected_share(share, count),
        ),
        Claim::ours(
            format!("median of |slope| × 500 s over the scatter, {name}, Dₚ = 1, h = 1e-2"),
            ensemble.known_median(|course| course.trend_over_scatter()),
            expected_size(trend, Ensemble::OF_MEDIAN * uneven, count),
        ),
    ]
}

/// Returns the simulated time in s.
fn duration(ensemble: &Ensemble) -> f64 {
    ensemble.courses.first().and_then(|course| course.samples.last()).map_or(f64::NAN, |sample| sample.0)
}
