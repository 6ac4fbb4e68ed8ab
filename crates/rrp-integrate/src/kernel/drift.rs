use pulp::Simd;

use crate::kernel::kick::add;
use crate::kernel::lanes::{self, Lanes};

/// Formula x' = x + h V for positions at constant velocity V over the time h. Input columns: V, x. Output columns: x'.
#[derive(Clone, Copy)]
struct Drift {
    h: f64,
}

impl Lanes<6, 3> for Drift {
    #[inline(always)]
    fn apply<S: Simd>(self, simd: S, [vx, vy, vz, x, y, z]: [S::f64s; 6], _: [S::f64s; 3]) -> [S::f64s; 3] {
        add(simd, simd.splat_f64s(self.h), [vx, vy, vz], [x, y, z])
    }
}

/// Moves positions `from` at velocities `velocity` over the time `h` (s) into `to`; true if all results are finite.
pub(crate) fn positions(h: f64, velocity: [&[f64]; 3], from: [&[f64]; 3], to: [&mut [f64]; 3]) -> bool {
    let ([vx, vy, vz], [x, y, z]) = (velocity, from);
    lanes::apply(Drift { h }, [vx, vy, vz, x, y, z], to)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn every_body_moves_by_h_v_rounded_once(
            h in 1e-12..10.0,
            rows in prop::collection::vec((any::<f64>(), any::<f64>()), 0..40),
        ) {
            let (v, x): (Vec<f64>, Vec<f64>) = rows.into_iter().unzip();
            let mut moved = [(); 3].map(|()| vec![f64::NAN; x.len()]);
            let finite = positions(h, [&v[..]; 3], [&x[..]; 3], moved.each_mut().map(|x| &mut x[..]));
            let expected: Vec<f64> = x.iter().zip(&v).map(|(x, v)| h.mul_add(*v, *x)).collect();
            assert_eq!(finite, expected.iter().all(|x| x.is_finite()));
            for moved in &moved {
                // NaN results may differ in sign and payload.
                let same = |(a, b): (&f64, &f64)| a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan();
                assert!(moved.iter().zip(&expected).all(same), "{x:?} + {h} · {v:?} → {moved:?}");
            }
        }
    }
}
