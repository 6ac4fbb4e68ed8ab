use crate::error::{ContactError, SolveError};

/// The contact energy k cᵖ/p of a compression c ≥ 0, whose force is k cᵖ⁻¹: p = 2 is Hooke's law, p = 5/2 Hertz'.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct PowerLaw {
    exponent: f64,
    kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Hooke,
    Hertz,
    Other,
}

impl PowerLaw {
    pub(crate) fn new(exponent: f64) -> Result<Self, SolveError> {
        if !(2.0..=3.0).contains(&exponent) {
            return Err(ContactError::InvalidExponent { value: exponent }.into());
        }
        let is = |value: f64| exponent.total_cmp(&value).is_eq();
        let kind = if is(2.0) {
            Kind::Hooke
        } else if is(2.5) {
            Kind::Hertz
        } else {
            Kind::Other
        };
        Ok(Self { exponent, kind })
    }

    pub(crate) fn exponent(&self) -> f64 {
        self.exponent
    }

    /// Contact force at the compression `c`, for unit stiffness; zero where the contact is open.
    #[inline(always)]
    pub(crate) fn force(&self, c: f64) -> f64 {
        let c = c.max(0.0);
        match self.kind {
            Kind::Hooke => c,
            Kind::Hertz => c * c.sqrt(),
            Kind::Other => c.powf(self.exponent - 1.0),
        }
    }

    #[inline(always)]
    pub(crate) fn stiffness(&self, c: f64) -> f64 {
        match self.kind {
            Kind::Hooke => f64::from(u8::from(c > 0.0)),
            Kind::Hertz => 1.5 * c.max(0.0).sqrt(),
            Kind::Other if c > 0.0 => (self.exponent - 1.0) * c.powf(self.exponent - 2.0),
            Kind::Other => 0.0,
        }
    }

    /// Compression under the force `f` ≥ 0, for unit stiffness.
    #[inline(always)]
    pub(crate) fn compression(&self, f: f64) -> f64 {
        let f = f.max(0.0);
        match self.kind {
            Kind::Hooke => f,
            Kind::Hertz => f.cbrt().powi(2),
            Kind::Other => f.powf((self.exponent - 1.0).recip()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn force_stiffness_and_compression_agree() {
        for exponent in [2.0, 2.5, 2.25, 3.0] {
            let law = PowerLaw::new(exponent).unwrap();
            for c in [1e-9, 0.3, 1.0, 7.0] {
                let f = law.force(c);
                assert!((f - c.powf(exponent - 1.0)).abs() <= 1e-14 * f);
                assert!((law.compression(f) - c).abs() <= 1e-14 * c);
                let h = 1e-6 * c;
                let slope = (law.force(c + h) - law.force(c - h)) / (2.0 * h);
                assert!((law.stiffness(c) - slope).abs() <= 1e-8 * slope);
            }
            assert!(law.force(-1.0).abs() + law.stiffness(-1.0).abs() < 1e-300);
        }
        for bad in [1.99, 3.01, f64::NAN] {
            assert!(matches!(PowerLaw::new(bad), Err(SolveError::Contact(ContactError::InvalidExponent { .. }))));
        }
    }
}
