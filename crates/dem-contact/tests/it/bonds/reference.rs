//! Reference numbers from `tests/data/bonds.json`, most of them of 30 to 60 digits.

use std::sync::LazyLock;

use rrp_geom::RodriguesVector;
use serde_json::Value;

use crate::prelude::*;

static DATA: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(include_str!("../../data/bonds.json")).expect("the data file is JSON"));

/// A part of the reference file. A missing key or a value of the wrong type panics with the key or value.
#[derive(Clone, Copy)]
pub(crate) struct Reference(&'static Value);

/// Returns the part under `key`.
pub(crate) fn reference(key: &str) -> Reference {
    Reference(&DATA).at(key)
}

impl Reference {
    pub(crate) fn at(self, key: &str) -> Self {
        Self(self.0.get(key).unwrap_or_else(|| panic!("no {key:?} in {}", self.0)))
    }

    pub(crate) fn keys(self) -> impl Iterator<Item = &'static str> {
        self.0.as_object().unwrap_or_else(|| panic!("no object: {}", self.0)).keys().map(String::as_str)
    }

    pub(crate) fn rows(self) -> impl Iterator<Item = Self> {
        self.0.as_array().unwrap_or_else(|| panic!("no array: {}", self.0)).iter().map(Self)
    }

    pub(crate) fn number(self) -> f64 {
        match self.0 {
            Value::String(digits) => digits.parse().ok(),
            value => value.as_f64(),
        }
        .unwrap_or_else(|| panic!("no number: {}", self.0))
    }

    pub(crate) fn numbers<const N: usize>(self) -> [f64; N] {
        let numbers: Vec<f64> = self.rows().map(Self::number).collect();
        numbers.try_into().unwrap_or_else(|_| panic!("not {N} numbers: {}", self.0))
    }

    pub(crate) fn vector(self) -> DVec3 {
        self.numbers().into()
    }

    /// Reads the attitude of a Rodrigues vector.
    pub(crate) fn rodrigues(self) -> Attitude {
        RodriguesVector::new(self.vector()).expect("finite").attitude()
    }
}

/// Returns the largest difference of components of two attitudes, whichever sign their quaternions have.
pub(crate) fn attitude_difference(a: Attitude, b: Attitude) -> f64 {
    let a = a.to_quaternion();
    let b = b.to_quaternion();
    let largest = |q: DQuat| q.to_array().map(f64::abs).into_iter().fold(0.0, f64::max);
    largest(a - b).min(largest(a + b))
}

/// Returns the larger of two numbers, or NaN, which `f64::max` would ignore.
pub(crate) fn larger(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() { f64::NAN } else { a.max(b) }
}

/// Returns the largest difference of components.
pub(crate) fn difference(a: DVec3, b: DVec3) -> f64 {
    (a - b).abs().max_element()
}
