//! The vector instructions that loops are run with.

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
use pulp::Arch;

/// A set of vector instructions. Results have other last digits with another one: products are added with or without
/// rounding in between, and sums are taken in lanes of other widths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Instructions {
    /// One number at a time.
    Scalar,
    /// AVX2 and FMA: four numbers at a time.
    X86V3,
    /// AVX-512: eight numbers at a time.
    X86V4,
    /// NEON: two numbers at a time.
    Neon,
}

impl Instructions {
    const ALL: [Self; 4] = [Self::Scalar, Self::X86V3, Self::X86V4, Self::Neon];

    /// Those of this machine.
    #[must_use]
    pub fn here() -> Self {
        #[cfg(target_arch = "x86_64")]
        match Arch::new() {
            Arch::V4(_) => return Self::X86V4,
            Arch::V3(_) => return Self::X86V3,
            _ => {}
        }
        #[cfg(target_arch = "aarch64")]
        if let Arch::Neon(_) = Arch::new() {
            return Self::Neon;
        }
        Self::Scalar
    }

    /// A number for files, above zero.
    #[must_use]
    pub fn code(self) -> u16 {
        self as u16 + 1
    }

    /// Those with this number.
    #[must_use]
    pub fn of_code(code: u16) -> Option<Self> {
        Self::ALL.into_iter().find(|instructions| instructions.code() == code)
    }
}

impl std::fmt::Display for Instructions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Scalar => "none",
            Self::X86V3 => "x86-64-v3 (AVX2, FMA)",
            Self::X86V4 => "x86-64-v4 (AVX-512)",
            Self::Neon => "NEON",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_has_its_own_number() {
        for instructions in Instructions::ALL {
            assert_eq!(Instructions::of_code(instructions.code()), Some(instructions));
        }
        assert!(Instructions::of_code(0).is_none() && Instructions::ALL.contains(&Instructions::here()));
    }
}
