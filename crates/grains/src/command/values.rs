//! Values of options that consist of several numbers.

/// Reads numbers separated by commas.
pub(super) fn numbers<const N: usize>(text: &str) -> Result<[f64; N], String> {
    let all = text.split(',').map(|word| word.trim().parse::<f64>().ok().filter(|number| number.is_finite()));
    let all: Option<Vec<f64>> = all.collect();
    all.and_then(|all| all.try_into().ok()).ok_or_else(|| format!("write {N} numbers with commas between them"))
}

pub(super) fn pixels(text: &str) -> Result<[usize; 2], String> {
    let wrong = || "write two numbers of pixels, such as 1200,900".to_owned();
    let all: Result<Vec<usize>, _> = text.split(',').map(|word| word.trim().parse()).collect();
    all.map_err(|_| wrong())?.try_into().map_err(|_| wrong())
}

pub(super) fn number(text: &str) -> Result<f64, String> {
    numbers::<1>(text).map(|[number]| number).map_err(|_| "write a number".to_owned())
}
