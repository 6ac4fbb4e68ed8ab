use rrp_parallel::{for_each_part, sum_parts};

use crate::leaves::{dot_of_leaf, leaves};

pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    let [sum] = sum_parts(leaves(a.len()), (a, b), &|_, (a, b)| [dot_of_leaf(a, b)]);
    sum
}

/// Norm ‖`a`‖, also if squares of entries overflow or underflow.
pub(super) fn norm(a: &[f64]) -> f64 {
    root(dot(a, a), a)
}

/// Largest absolute value of an entry of `a`; infinite or NaN if an entry is.
pub(super) fn largest(a: &[f64]) -> f64 {
    a.iter().fold(0.0, |most, a| if a.abs() > most || a.is_nan() { a.abs() } else { most })
}

/// Root of `square`, the sum of squares of `a`; recomputes the norm if the sum overflowed or lost digits.
fn root(square: f64, a: &[f64]) -> f64 {
    /// Least sum of squares that has certainly not lost digits by underflow.
    const LEAST: f64 = 1e-280;
    if (LEAST..f64::INFINITY).contains(&square) {
        return square.sqrt();
    }
    let unit = largest(a);
    if !(unit > 0.0 && unit.is_finite()) {
        return unit;
    }
    let [sum] = sum_parts(leaves(a.len()), a, &|_, a| [a.iter().map(|a| (a / unit).powi(2)).sum()]);
    unit * sum.sqrt()
}

pub(super) fn add(y: &mut [f64], factor: f64, x: &[f64]) {
    for_each_part(leaves(x.len()), (y, x), &|_, (y, x)| y.iter_mut().zip(x).for_each(|(y, x)| *y += factor * x));
}

/// Subtracts `factor` times the vector `x` from the vector `y`; returns ‖y‖.
pub(super) fn subtract(y: &mut [f64], factor: f64, x: &[f64]) -> f64 {
    let [square] = sum_parts(leaves(x.len()), (&mut *y, x), &|_, (y, x)| {
        y.iter_mut().zip(x).for_each(|(y, x)| *y -= factor * x);
        [dot_of_leaf(y, y)]
    });
    root(square, y)
}

pub(super) fn scale_add(y: &mut [f64], factor: f64, x: &[f64]) {
    for_each_part(leaves(x.len()), (y, x), &|_, (y, x)| y.iter_mut().zip(x).for_each(|(y, x)| *y = x + factor * *y));
}

/// Computes the residual `r` = `b` − `r`, where `r` holds A x on entry.
pub(super) fn subtract_from(r: &mut [f64], b: &[f64]) {
    for_each_part(leaves(b.len()), (r, b), &|_, (r, b)| r.iter_mut().zip(b).for_each(|(r, b)| *r = b - *r));
}

pub(super) fn clear<const N: usize>(buffers: [&mut Vec<f64>; N], n: usize) {
    for buffer in buffers {
        buffer.clear();
        buffer.resize(n, 0.0);
    }
}
