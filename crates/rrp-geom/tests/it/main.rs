//! Laws of the rotation group, for random rotations.

use proptest::prelude::*;
use rrp_geom::glam::{DMat3, DVec3};
use rrp_geom::{Attitude, RodriguesVector};

fn vector(size: f64) -> impl Strategy<Value = DVec3> {
    [-size..size, -size..size, -size..size].prop_map(DVec3::from_array)
}

/// Increments of all sizes: tiny, ordinary, close to the edge of the chart.
fn increment() -> impl Strategy<Value = RodriguesVector> {
    (vector(1.0), prop_oneof![Just(1e-9), Just(1.0), Just(10.0), Just(1e6)])
        .prop_map(|(direction, size)| RodriguesVector::new(direction * size).unwrap())
}

fn attitude() -> impl Strategy<Value = Attitude> {
    vector(6.0).prop_map(|theta| Attitude::from_rotation_vector(theta).unwrap())
}

fn distance(a: DMat3, b: DMat3) -> f64 {
    (a - b).to_cols_array().into_iter().fold(0.0, |largest, entry| largest.max(entry.abs()))
}

proptest! {
    #[test]
    fn composition_is_the_product_of_matrices(a in increment(), b in increment()) {
        if let Some(sum) = a.compose(b) {
            prop_assert!(distance(sum.to_matrix(), b.to_matrix() * a.to_matrix()) < 4e-15);
        }
    }

    #[test]
    fn composition_is_associative(a in increment(), b in increment(), c in increment()) {
        let left = a.compose(b).and_then(|ab| ab.compose(c));
        let right = b.compose(c).and_then(|bc| a.compose(bc));
        if let (Some(left), Some(right)) = (left, right) {
            prop_assert!(distance(left.to_matrix(), right.to_matrix()) < 8e-15);
        }
    }

    #[test]
    fn inverse_undoes(a in increment(), start in attitude()) {
        prop_assert!(a.compose(a.inverse()).unwrap().vector().length() < 1e-15);
        prop_assert!(start.turned(a).turned(a.inverse()).angle_to(start) < 2e-15);
        prop_assert!(start.then(start.inverse()).angle() < 1e-15);
    }

    #[test]
    fn matrices_are_rotations(a in increment(), start in attitude()) {
        for matrix in [a.to_matrix(), start.to_matrix()] {
            prop_assert!(distance(matrix.transpose() * matrix, DMat3::IDENTITY) < 2e-15);
            prop_assert!((matrix.determinant() - 1.0).abs() < 2e-15);
        }
    }

    #[test]
    fn conversions_come_back(start in attitude(), a in increment()) {
        prop_assert!(Attitude::from_matrix(start.to_matrix()).unwrap().angle_to(start) < 2e-15);
        prop_assert!(Attitude::from_quaternion(start.to_quaternion()).unwrap() == start);
        prop_assert!(Attitude::from_rotation_vector(start.to_rotation_vector()).unwrap().angle_to(start) < 2e-15);
        prop_assert!(start.to_rodrigues().unwrap().attitude().angle_to(start) < 2e-15);
        prop_assert!(a.attitude().angle_to(Attitude::from_rotation_vector(a.to_rotation_vector()).unwrap()) < 2e-15);
    }

    #[test]
    fn rotate_is_the_matrix(start in attitude(), v in vector(3.0)) {
        prop_assert!((start.rotate(v) - start.to_matrix() * v).length() < 1e-14);
        prop_assert!((start.rotate_inverse(start.rotate(v)) - v).length() < 1e-14);
    }

    #[test]
    fn angle_to_is_the_bi_invariant_distance(p in attitude(), q in attitude(), r in attitude()) {
        let angle = p.angle_to(q);
        prop_assert!((angle - q.angle_to(p)).abs() < 1e-14);
        prop_assert!((angle - p.then(r).angle_to(q.then(r))).abs() < 1e-14);
        prop_assert!((angle - r.then(p).angle_to(r.then(q))).abs() < 1e-14);
        prop_assert!(angle <= p.angle_to(r) + r.angle_to(q) + 1e-14);
    }

    /// Ω = T α̇ against central differences of R: S(Ω) = Ṙ Rᵀ. The error of the difference is of order step².
    #[test]
    fn tangent_is_the_derivative(a in vector(2.0), rate in vector(1.0)) {
        let step = 1e-5;
        let at = |t: f64| RodriguesVector::new(a + rate * t).unwrap();
        let derivative = (at(step).to_matrix() - at(-step).to_matrix()) * (0.5 / step);
        let s = derivative * at(0.0).to_matrix().transpose();
        let omega = DVec3::new(s.y_axis.z, s.z_axis.x, s.x_axis.y);
        prop_assert!((at(0.0).tangent() * rate - omega).length() < 1e-9);
    }

    #[test]
    fn tangent_inverse_inverts(a in vector(5.0)) {
        let a = RodriguesVector::new(a).unwrap();
        prop_assert!(distance(a.tangent() * a.tangent_inverse(), DMat3::IDENTITY) < 1e-13);
    }
}

#[cfg(feature = "serde")]
mod serde {
    use super::*;

    proptest! {
        #[test]
        fn attitudes_come_back_with_the_same_bits(start in attitude(), a in increment()) {
            let attitude: Attitude = serde_json::from_str(&serde_json::to_string(&start).unwrap()).unwrap();
            prop_assert_eq!(attitude, start);
            let vector: RodriguesVector = serde_json::from_str(&serde_json::to_string(&a).unwrap()).unwrap();
            prop_assert_eq!(vector, a);
        }
    }

    #[test]
    fn a_quaternion_that_is_not_unit_is_refused() {
        let error = serde_json::from_str::<Attitude>("[0.0, 0.0, 0.0, 2.0]").unwrap_err();
        assert!(error.to_string().contains("length is 2"), "{error}");
    }
}
