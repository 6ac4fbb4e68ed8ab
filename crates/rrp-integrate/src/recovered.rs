//! What a kick was taken by, from what it has done.

use crate::{LoadColumn, VectorColumn};

/// How large what rounding hides may be beside the largest load.
const HIDDEN: f64 = 1e-6;

/// Finds loads that kick `from` to `to` to the bit, each times the factor of its body, zero where that is. They differ from those that did by
/// no more than rounding has taken from the velocities or momenta. False if there are none, or that is not little.
pub(crate) fn recover(
    factor: impl Fn(usize) -> f64,
    from: &VectorColumn,
    to: &VectorColumn,
    loads: &mut LoadColumn,
) -> bool {
    let (mut all, mut largest, mut hidden) = (true, 0.0_f64, 0.0_f64);
    for ((from, to), load) in from.slices().into_iter().zip(to.slices()).zip(loads.overwrite()) {
        for (body, ((from, to), load)) in from.iter().zip(to).zip(load).enumerate() {
            let factor = factor(body);
            let found = if factor > 0.0 { load_between(factor, *from, *to) } else { Some(0.0) };
            *load = found.unwrap_or(f64::NAN);
            all &= found.is_some();
            largest = largest.max(load.abs());
            if factor > 0.0 {
                hidden = hidden.max(f64::EPSILON * from.abs().max(to.abs()) / factor);
            }
        }
    }
    all && hidden <= HIDDEN * largest
}

/// A load that times `factor` leads `from` to `to`, rounded once.
fn load_between(factor: f64, from: f64, to: f64) -> Option<f64> {
    let leads = |load: &f64| factor.mul_add(*load, from).to_bits() == to.to_bits();
    let guess = (to - from) / factor;
    let (mut above, mut below) = (guess, guess);
    let near = std::iter::repeat_with(|| {
        (above, below) = (above.next_up(), below.next_down());
        [above, below]
    });
    // A zero may have a sign that is to be kept; quotient and difference are rounded.
    [guess, -0.0].into_iter().chain(near.take(4).flatten()).filter(|load| load.is_finite()).find(leads)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rrp_geom::glam::DVec3;

    use super::*;

    proptest! {
        #[test]
        fn a_load_that_is_found_does_the_same(
            (factor, from) in (1e-9_f64..10.0, -10.0_f64..10.0),
            (mantissa, exponent) in (-1e3_f64..1e3, -12_i32..3),
        ) {
            let load = mantissa * 10_f64.powi(exponent);
            let to = factor.mul_add(load, from);
            let found = load_between(factor, from, to).unwrap();
            prop_assert_eq!(factor.mul_add(found, from).to_bits(), to.to_bits());
            let hidden = f64::EPSILON * from.abs().max(to.abs()) / factor;
            prop_assert!((found - load).abs() <= hidden + 4.0 * f64::EPSILON * load.abs(), "{} {}", found, load);
        }
    }

    #[test]
    fn loads_that_rounding_hides_are_not_told() {
        let column = |x: f64| [DVec3::new(x, -0.0, 1.0), DVec3::ZERO].into_iter().collect::<VectorColumn>();
        let (from, mut loads) = (column(2.0), LoadColumn::zeros(2));
        let to = |load: f64| column(0.5_f64.mul_add(load, 2.0));
        for load in [1.0, -7.5, 1e-8] {
            assert!(recover(|_| 0.5, &from, &to(load), &mut loads));
            assert!((loads.get(0).x - load).abs() <= 1e-15 && loads.get(0).z.abs() <= 0.0);
        }
        for load in [1e-12, 1e-18, 0.0] {
            assert!(!recover(|_| 0.5, &from, &to(load), &mut loads), "{load}");
        }
        // Nothing leads there.
        assert!(!recover(|_| 0.5, &from, &column(f64::NAN), &mut loads));
        // What nothing moves is not asked.
        assert!(recover(|body| if body == 0 { 0.5 } else { 0.0 }, &from, &to(3.0), &mut loads));
        assert_eq!(loads.get(1), DVec3::ZERO);
    }
}
