/// Inverts a small matrix by elimination with row exchanges; a singular matrix gives infinities or NaN.
pub(super) fn inverted<const M: usize>(mut a: [[f64; M]; M]) -> [[f64; M]; M] {
    let mut inverse: [[f64; M]; M] = std::array::from_fn(|p| std::array::from_fn(|q| f64::from(u8::from(p == q))));
    for k in 0..M {
        let pivot = (k..M).fold(k, |best, p| if a[p][k].abs() > a[best][k].abs() { p } else { best });
        a.swap(k, pivot);
        inverse.swap(k, pivot);
        let scale = 1.0 / a[k][k];
        (0..M).for_each(|q| {
            a[k][q] *= scale;
            inverse[k][q] *= scale;
        });
        for p in (0..M).filter(|&p| p != k) {
            let factor = a[p][k];
            for q in 0..M {
                a[p][q] -= factor * a[k][q];
                inverse[p][q] -= factor * inverse[k][q];
            }
        }
    }
    inverse
}
