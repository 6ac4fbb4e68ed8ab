//! Tests that radii follow their laws.

use super::*;
use crate::source::stream::GrainStream;

/// Returns the share of radii below `r` (m) by a size law that is not cut off at its ends, with an error of 1.5e-7 at
/// most; only uniform radii depend on `ends`. Zero for equal radii and mixes, which are not tested by it.
fn below(law: &SizeLaw, ends: [f64; 2], r: f64) -> f64 {
    match law {
        SizeLaw::Equal(_) | SizeLaw::Mix(_) => 0.0,
        SizeLaw::Uniform => (r - ends[0]) / (ends[1] - ends[0]),
        SizeLaw::Normal { mean, deviation } => gauss((r - mean) / deviation),
        SizeLaw::Lognormal { median, deviation } => gauss((r / median).ln() / deviation),
        SizeLaw::Weibull { scale, shape } => 1.0 - (-(r / scale).powf(*shape)).exp(),
        SizeLaw::Sieves(table) => {
            let k = table.partition_point(|row| row[0] <= r).clamp(1, table.len() - 1);
            let ([r0, s0], [r1, s1]) = (table[k - 1], table[k]);
            s0 + (s1 - s0) * (r - r0) / (r1 - r0)
        }
    }
}

/// Computes the standard normal distribution function, by formula 7.1.26 of Abramowitz and Stegun.
fn gauss(x: f64) -> f64 {
    let z = x.abs() / std::f64::consts::SQRT_2;
    let t = 1.0 / (1.0 + 0.3275911 * z);
    let terms = [0.254829592, -0.284496736, 1.421413741, -1.453152027, 1.061405429];
    let erfc = terms.iter().rev().fold(0.0, |sum, term| t * (term + sum)) * (-z * z).exp();
    if x > 0.0 { 1.0 - 0.5 * erfc } else { 0.5 * erfc }
}

fn laws() -> [(SizeLaw, [f64; 2]); 5] {
    [
        (SizeLaw::Uniform, [0.4, 1.0]),
        (SizeLaw::Normal { mean: 1.0, deviation: 0.2 }, [0.6, 1.5]),
        (SizeLaw::Lognormal { median: 1.0, deviation: 0.3 }, [0.5, 2.0]),
        (SizeLaw::Weibull { scale: 1.0, shape: 2.0 }, [0.4, 2.0]),
        (SizeLaw::Sieves(vec![[0.5, 0.0], [0.7, 0.2], [1.0, 0.7], [1.4, 1.0]]), [0.5, 1.4]),
    ]
}

/// Returns the share of the number of grains below each of the ascending radii. For a law by mass, the number density
/// is the mass density over the third power of the radius.
fn numbers_below(law: &SizeLaw, share: Share, ends: [f64; 2], radii: &[f64]) -> Vec<f64> {
    let (cells, weight) = (2_000_u32, |r: f64| if share == Share::Mass { r.powi(-3) } else { 1.0 });
    let node = |k: usize| ends[0] + (ends[1] - ends[0]) * k as f64 / f64::from(cells);
    let part = |from: f64, to: f64| (below(law, ends, to) - below(law, ends, from)) * weight(0.5 * (from + to));
    let mut sums = vec![0.0];
    for k in 0..cells as usize {
        sums.push(sums[k] + part(node(k), node(k + 1)));
    }
    let total = sums[cells as usize];
    let share_below = |&r: &f64| {
        let k = ((r - ends[0]) / (ends[1] - ends[0]) * f64::from(cells)) as usize;
        (sums[k] + part(node(k), r)) / total
    };
    radii.iter().map(share_below).collect()
}

/// Returns Kolmogorov's distance between sorted drawn radii and the size law.
fn distance(law: &SizeLaw, share: Share, ends: [f64; 2], radii: &[f64]) -> f64 {
    let count = radii.len() as f64;
    let expected = numbers_below(law, share, ends, radii);
    expected.iter().enumerate().fold(0.0_f64, |most, (k, expected)| {
        most.max((expected - k as f64 / count).abs()).max((expected - (k + 1) as f64 / count).abs())
    })
}

#[test]
fn radii_follow_their_law_by_number_and_by_mass() {
    let count = 10_000_u32;
    // One sample in a thousand exceeds this limit.
    let limit = 1.95 / f64::from(count).sqrt();
    for (law, ends) in laws() {
        for (share, other) in [(Share::Number, Share::Mass), (Share::Mass, Share::Number)] {
            let sizes = Sizes::new(law.clone(), share, ends).unwrap();
            let stream = GrainStream { seed: 3, source: 1 };
            let grains = 0..u64::from(count);
            let mut radii: Vec<f64> = grains.map(|k| sizes.draw(&mut stream.of_grain(k))).collect();
            radii.sort_by(f64::total_cmp);
            let found = distance(&law, share, ends, &radii);
            assert!(found < limit, "{law:?} {share:?}: {found:.4} of {limit:.4}");
            let found = distance(&law, other, ends, &radii);
            assert!(found > 4.0 * limit, "{law:?} {share:?}: {found:.4}");
        }
    }
}

/// Radii of ten grains of each law, by number and then by mass, from an independent implementation.
const GOLDEN: &str = include_str!("golden.csv");

#[test]
fn ten_grains_of_each_law_are_golden() {
    let laws =
        laws().into_iter().flat_map(|(law, ends)| [(law.clone(), ends, Share::Number), (law, ends, Share::Mass)]);
    let golden = GOLDEN.lines().skip(1);
    assert_eq!(golden.clone().count(), 10);
    for ((law, ends, share), golden) in laws.zip(golden) {
        let sizes = Sizes::new(law.clone(), share, ends).unwrap();
        for (grain, expected) in (0..).zip(golden.split(',').skip(2)) {
            let expected: f64 = expected.parse().unwrap();
            let found = sizes.draw(&mut GrainStream { seed: 3, source: 1 }.of_grain(grain));
            // Logarithms and cosines of other systems may round differently.
            assert!((found / expected - 1.0).abs() < 1e-13, "{law:?} {share:?} {grain}: {found}");
        }
    }
}

#[test]
fn shares_of_a_mix_are_of_number_or_of_mass() {
    let mix = SizeLaw::Mix(vec![[1.0, 3.0], [2.0, 1.0]]);
    for (share, expected) in [(Share::Number, 0.25), (Share::Mass, 1.0 / 25.0)] {
        let sizes = Sizes::new(mix.clone(), share, [0.0; 2]).unwrap();
        let stream = GrainStream { seed: 1, source: 0 };
        let large = (0..20_000).filter(|&k| sizes.draw(&mut stream.of_grain(k)) > 1.5).count();
        assert!((large as f64 / 20_000.0 - expected).abs() < 0.01, "{share:?}: {large}");
    }
}

#[test]
fn laws_without_meaning_are_refused() {
    let refused = |law, ends| assert!(Sizes::new(law, Share::Number, ends).is_err());
    refused(SizeLaw::Uniform, [1.0, 0.5]);
    refused(SizeLaw::Equal(f64::NAN), [1.0, 1.0]);
    refused(SizeLaw::Mix(Vec::new()), [1.0, 1.0]);
    refused(SizeLaw::Mix(vec![[1.0, 0.0]]), [1.0, 1.0]);
    refused(SizeLaw::Sieves(vec![[1.0, 0.0], [2.0, 0.9]]), [1.0, 1.0]);
    refused(SizeLaw::Sieves(vec![[1.0, 0.0]]), [1.0, 1.0]);
    refused(SizeLaw::Normal { mean: 1.0, deviation: 0.01 }, [2.0, 3.0]);
    refused(SizeLaw::Weibull { scale: 1e-3, shape: 2.0 }, [1.0, 2.0]);
    refused(SizeLaw::Mix(vec![[f64::NAN, 1.0], [1.0, 1.0]]), [1.0, 1.0]);
    refused(SizeLaw::Mix(vec![[-1.0, 1.0], [1.0, 1.0]]), [1.0, 1.0]);
    refused(SizeLaw::Sieves(vec![[1.0, f64::NAN], [2.0, 1.0]]), [1.0, 1.0]);
}

#[test]
fn laws_that_take_next_to_no_radius_are_refused() {
    let normal = |deviation| SizeLaw::Normal { mean: 1.0, deviation };
    let lognormal = |median| SizeLaw::Lognormal { median, deviation: 0.1 };
    let weibull = |shape| SizeLaw::Weibull { scale: 1.0, shape };
    for (law, share, ends) in [
        (normal(0.1), Share::Number, [1.0, 1.0]),
        (lognormal(1.0), Share::Number, [1.0, 1.0]),
        (weibull(2.0), Share::Number, [1.0, 1.0]),
        (normal(0.1), Share::Mass, [1e-3, 2.0]),
        (normal(0.1), Share::Number, [1.0, 1.0 + 1e-9]),
        (lognormal(1.0), Share::Mass, [0.01, 2.0]),
        (lognormal(0.6), Share::Number, [1.0, 2.0]),
        (weibull(4.0), Share::Mass, [1e-3, 2.0]),
        (SizeLaw::Uniform, Share::Mass, [1e-5, 1.0]),
        (SizeLaw::Sieves(vec![[1e-3, 0.0], [0.9, 1e-9], [1.0, 1.0]]), Share::Mass, [0.0; 2]),
    ] {
        assert!(Sizes::new(law.clone(), share, ends).is_err(), "{law:?} {share:?} {ends:?}");
    }
}

#[test]
fn the_part_that_is_taken_is_known() {
    for (law, ends) in laws() {
        for share in [Share::Number, Share::Mass] {
            let sizes = Sizes::new(law.clone(), share, ends).unwrap();
            let mut random = GrainStream { seed: 4, source: 1 }.of_grain(0);
            let is_taken = |_: &u32| {
                let radius = sizes.of_law(&mut random);
                let weight = if share == Share::Mass { (ends[0] / radius).powi(3) } else { 1.0 };
                radius >= ends[0] && radius <= ends[1] && random.random::<f64>() < weight
            };
            let found = (0..20_000).filter(is_taken).count() as f64 / 20_000.0;
            // The limit is four standard deviations of the count.
            assert!((found - sizes.taken()).abs() < 0.0142, "{law:?} {share:?}: {found} {}", sizes.taken());
        }
    }
}

#[test]
fn sieves_without_a_share_are_no_ends() {
    let law = SizeLaw::Sieves(vec![[1e-6, 0.0], [0.5, 0.0], [1.0, 1.0], [9.0, 1.0]]);
    let sizes = Sizes::new(law, Share::Mass, [0.0; 2]).unwrap();
    assert!((sizes.smallest() - 0.5).abs() < 1e-12 && (sizes.largest() - 1.0).abs() < 1e-12);
    let radius = sizes.draw(&mut GrainStream { seed: 1, source: 0 }.of_grain(0));
    assert!((0.5..=1.0).contains(&radius), "{radius}");
}
