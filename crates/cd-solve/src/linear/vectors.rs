//! Operations on vectors, with the same bits for any number of threads.

use crate::parallel::{each_leaf, sum_leaves};

/// Products that are summed side by side, which a single sum would wait for one by one.
const LANES: usize = 8;

pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    let [sum] = sum_leaves((a, b), &|_, (a, b)| [dot_of_leaf(a, b)]);
    sum
}

fn dot_of_leaf(a: &[f64], b: &[f64]) -> f64 {
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<LANES>(), b.as_chunks::<LANES>());
    let mut sums = [0.0; LANES];
    for (a, b) in a.iter().zip(b) {
        (0..LANES).for_each(|k| sums[k] += a[k] * b[k]);
    }
    let rest: f64 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
    sums.iter().sum::<f64>() + rest
}

pub(super) fn norm(a: &[f64]) -> f64 {
    dot(a, a).sqrt()
}

/// `y` += `factor` `x`.
pub(super) fn add(y: &mut [f64], factor: f64, x: &[f64]) {
    each_leaf((y, x), &|_, (y, x)| y.iter_mut().zip(x).for_each(|(y, x)| *y += factor * x));
}

/// `y` −= `factor` `x`; ‖y‖ then.
pub(super) fn subtract(y: &mut [f64], factor: f64, x: &[f64]) -> f64 {
    let [square] = sum_leaves((y, x), &|_, (y, x)| {
        y.iter_mut().zip(x).for_each(|(y, x)| *y -= factor * x);
        [dot_of_leaf(y, y)]
    });
    square.sqrt()
}

/// `y` = `x` + `factor` `y`.
pub(super) fn scale_add(y: &mut [f64], factor: f64, x: &[f64]) {
    each_leaf((y, x), &|_, (y, x)| y.iter_mut().zip(x).for_each(|(y, x)| *y = x + factor * *y));
}

/// `r` = `b` − `r`.
pub(super) fn subtract_from(r: &mut [f64], b: &[f64]) {
    each_leaf((r, b), &|_, (r, b)| r.iter_mut().zip(b).for_each(|(r, b)| *r = b - *r));
}

/// Empties the buffers and fills them with `n` zeros.
pub(super) fn clear<const N: usize>(buffers: [&mut Vec<f64>; N], n: usize) {
    for buffer in buffers {
        buffer.clear();
        buffer.resize(n, 0.0);
    }
}
