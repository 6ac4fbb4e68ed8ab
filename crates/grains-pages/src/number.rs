//! Formatting of numbers: few digits, powers of ten with superscripts, a true minus sign.

/// Returns `v` as text with at most `digits` significant digits; fewer if these give `v` exactly.
#[must_use]
pub fn short(v: f64, digits: usize) -> String {
    if v.is_nan() {
        return "NaN".into();
    }
    if v.is_infinite() {
        return if v > 0.0 { "∞".into() } else { "−∞".into() };
    }
    if v == 0.0 {
        return "0".into();
    }
    let text = scientific(v, digits);
    let (mantissa, exponent) = split(&text);
    if (-3..6).contains(&exponent) {
        let significant = mantissa.bytes().filter(u8::is_ascii_digit).count();
        let decimals = usize::try_from(i32::try_from(significant).unwrap_or(17) - 1 - exponent).unwrap_or(0);
        return minus(&format!("{:.decimals$}", rounded(v, digits)));
    }
    match mantissa {
        "1" => power_of_ten(exponent),
        "-1" => format!("−{}", power_of_ten(exponent)),
        _ => format!("{}×{}", minus(mantissa), power_of_ten(exponent)),
    }
}

/// Returns `v` rounded to `digits` significant digits.
#[must_use]
pub fn rounded(v: f64, digits: usize) -> f64 {
    if v.is_finite() { scientific(v, digits).parse().unwrap_or(v) } else { v }
}

#[must_use]
pub(crate) fn power_of_ten(exponent: i32) -> String {
    let digits = exponent.to_string().chars().map(superscript).collect::<String>();
    format!("10{digits}")
}

/// Replaces each hyphen in a printed number by a typographic minus sign.
#[must_use]
pub(crate) fn minus(text: &str) -> String {
    text.replace('-', "−")
}

fn superscript(c: char) -> char {
    match c {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        _ => c.to_digit(10).and_then(|d| char::from_u32(0x2070 + d)).unwrap_or(c),
    }
}

fn scientific(v: f64, digits: usize) -> String {
    let shortest = format!("{v:e}");
    let (mantissa, _) = split(&shortest);
    if mantissa.bytes().filter(u8::is_ascii_digit).count() <= digits {
        shortest
    } else {
        format!("{v:.*e}", digits.saturating_sub(1))
    }
}

fn split(scientific: &str) -> (&str, i32) {
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((scientific, "0"));
    (mantissa, exponent.parse().unwrap_or(0))
}

/// Returns the larger of two numbers, or NaN if either is NaN (`f64::max` ignores NaN).
#[must_use]
pub fn larger(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() { f64::NAN } else { a.max(b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_like_a_person_would_write_it() {
        let cases = [
            (0.0, "0"),
            (-0.0, "0"),
            (2.0, "2"),
            (1.999_987, "2.000"),
            (-0.012_345_6, "−0.01235"),
            (0.001, "0.001"),
            (1e-12, "10⁻¹²"),
            (-1e20, "−10²⁰"),
            (2.345_67e-16, "2.346×10⁻¹⁶"),
            (f64::NAN, "NaN"),
            (f64::NEG_INFINITY, "−∞"),
        ];
        for (v, text) in cases {
            assert_eq!(short(v, 4), text, "{v:e}");
        }
        assert_eq!(short(9.999_99, 4), "10.00");
        assert_eq!(short(123_456.0, 6), "123456");
    }

    #[test]
    fn superscripts_cover_all_digits() {
        assert_eq!(power_of_ten(-1_234_567_890), "10⁻¹²³⁴⁵⁶⁷⁸⁹⁰");
    }

    #[test]
    fn the_larger_number_keeps_nan() {
        assert!(larger(f64::NAN, 1.0).is_nan() && larger(1.0, f64::NAN).is_nan());
        assert!((larger(-1.0, 2.0) - 2.0).abs() < 1e-300);
    }
}
