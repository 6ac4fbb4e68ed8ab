//! Reference numbers from `tests/data/rodrigues.json`.

use std::sync::LazyLock;

use serde_json::Value;

use crate::prelude::*;

static DATA: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(include_str!("../data/rodrigues.json")).expect("the data file is JSON"));

/// A part of the file. A missing key or a wrong kind of value panics with the name of the key.
#[derive(Clone, Copy)]
pub(crate) struct Reference(&'static Value);

pub(crate) fn reference(key: &str) -> Reference {
    Reference(&DATA).at(key)
}

impl Reference {
    pub(crate) fn at(self, key: &str) -> Self {
        Self(self.0.get(key).unwrap_or_else(|| panic!("no {key:?} in {}", self.0)))
    }

    pub(crate) fn rows(self) -> impl Iterator<Item = Self> {
        self.0.as_array().unwrap_or_else(|| panic!("no array: {}", self.0)).iter().map(Self)
    }

    pub(crate) fn text(self) -> &'static str {
        self.0.as_str().unwrap_or_else(|| panic!("no text: {}", self.0))
    }

    /// A number; the file stores numbers of many digits as text.
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

    pub(crate) fn attitude(self) -> Attitude {
        let [w, x, y, z] = self.numbers();
        Attitude::from_quaternion(DQuat::from_xyzw(x, y, z, w).normalize()).expect("a rotation")
    }
}

/// Largest difference of quaternion components of two attitudes, up to the sign of the quaternions.
pub(crate) fn attitude_difference(a: Attitude, b: Attitude) -> f64 {
    let a = a.to_quaternion();
    let b = b.to_quaternion();
    let largest = |q: DQuat| q.to_array().map(f64::abs).into_iter().fold(0.0, f64::max);
    largest(a - b).min(largest(a + b))
}

pub(crate) fn difference(a: DVec3, b: DVec3) -> f64 {
    (a - b).abs().max_element()
}

pub(crate) fn close(value: f64, expected: f64, relative: f64) -> bool {
    (value - expected).abs() <= relative * expected.abs()
}
