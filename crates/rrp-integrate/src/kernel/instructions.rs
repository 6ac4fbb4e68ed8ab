#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
use pulp::Arch;

/// A set of vector instructions. Loops give the same bits with each set, since all sets use fused multiply-add and no
/// sum depends on the number of lanes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Instructions {
    /// No vector instructions: loops take one number at a time.
    Scalar = 1,
    /// The instruction sets AVX2 and FMA: loops take four numbers at a time.
    X86V3 = 2,
    /// The instruction set AVX-512: loops take eight numbers at a time.
    X86V4 = 3,
    /// The instruction set NEON: loops take two numbers at a time.
    Neon = 4,
}

impl Instructions {
    /// The widest set of vector instructions that this machine has.
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

    /// Number, above zero, that stands for this set of vector instructions in files.
    #[must_use]
    pub fn code(self) -> u16 {
        self as u16
    }

    /// Returns the set of vector instructions that this number stands for in files; `None` for other numbers.
    #[must_use]
    pub fn of_code(code: u16) -> Option<Self> {
        match code {
            1 => Some(Self::Scalar),
            2 => Some(Self::X86V3),
            3 => Some(Self::X86V4),
            4 => Some(Self::Neon),
            _ => None,
        }
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
        use Instructions::{Neon, Scalar, X86V3, X86V4};
        for instructions in [Scalar, X86V3, X86V4, Neon, Instructions::here()] {
            assert_eq!(Instructions::of_code(instructions.code()), Some(instructions));
        }
        assert!(Instructions::of_code(0).is_none() && Instructions::of_code(5).is_none());
    }
}
