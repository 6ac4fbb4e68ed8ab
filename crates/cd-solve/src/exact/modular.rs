/// A prime below 2⁶², with the arithmetic modulo this prime.
#[derive(Debug, Clone, Copy)]
pub(super) struct Prime(u64);

impl Prime {
    pub(super) fn add(self, a: u64, b: u64) -> u64 {
        let sum = a + b;
        if sum >= self.0 { sum - self.0 } else { sum }
    }

    pub(super) fn negate(self, a: u64) -> u64 {
        if a == 0 { 0 } else { self.0 - a }
    }

    pub(super) fn multiply(self, a: u64, b: u64) -> u64 {
        (u128::from(a) * u128::from(b) % u128::from(self.0)) as u64
    }

    fn power(self, mut base: u64, mut exponent: u64) -> u64 {
        let mut power = 1;
        while exponent > 0 {
            if exponent & 1 == 1 {
                power = self.multiply(power, base);
            }
            base = self.multiply(base, base);
            exponent >>= 1;
        }
        power
    }

    /// Inverse of a nonzero number modulo the prime.
    pub(super) fn invert(self, a: u64) -> u64 {
        self.power(a, self.0 - 2)
    }

    /// Remainder of ± `size` · 2ᵏ, k = `power`, modulo this prime.
    pub(super) fn remainder(self, size: u64, negative: bool, power: u64) -> u64 {
        let value = self.multiply(size % self.0, self.power(2, power));
        if negative { self.negate(value) } else { value }
    }
}

/// Returns the `count` largest primes below 2⁶², largest first.
pub(super) fn primes(count: usize) -> Vec<Prime> {
    (0..).map(|k| (1_u64 << 62) - 1 - 2 * k).filter(|n| is_prime(*n)).take(count).map(Prime).collect()
}

/// Whether an odd number above 100 is prime, by the Miller-Rabin test with bases that are certain below 2⁶⁴.
fn is_prime(n: u64) -> bool {
    let modulus = Prime(n);
    let halvings = (n - 1).trailing_zeros();
    let odd = (n - 1) >> (n - 1).trailing_zeros();
    [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37].into_iter().all(|base| {
        let mut power = modulus.power(base, odd);
        power == 1
            || (0..halvings).any(|_| {
                let found = power == n - 1;
                power = modulus.multiply(power, power);
                found
            })
    })
}

/// Finds the signs of integers from their residues modulo many primes, by the Chinese remainder theorem.
#[derive(Debug)]
pub(super) struct Signs {
    primes: Vec<Prime>,
    /// For each prime pᵢ, the inverse modulo pᵢ of the product p₀ ⋯ pᵢ₋₁.
    inverse: Vec<u64>,
}

impl Signs {
    pub(super) fn new(primes: Vec<Prime>) -> Self {
        let inverse = primes
            .iter()
            .enumerate()
            .map(|(i, p)| p.invert(primes[..i].iter().fold(1, |product, q| p.multiply(product, q.0 % p.0))));
        Self { inverse: inverse.collect(), primes }
    }

    /// Returns the sign −1, 0 or 1 of the integer with these residues, if it is smaller than half the product of the
    /// primes.
    pub(super) fn of(&self, remainders: &[u64]) -> i8 {
        // Mixed-radix digits.
        let mut digits: Vec<u64> = Vec::with_capacity(self.primes.len());
        for ((p, inverse), remainder) in self.primes.iter().zip(&self.inverse).zip(remainders) {
            let mut known = 0;
            for (digit, q) in digits.iter().zip(&self.primes).rev() {
                known = p.add(p.multiply(known, q.0 % p.0), digit % p.0);
            }
            digits.push(p.multiply(p.add(*remainder, p.negate(known)), *inverse));
        }
        if digits.iter().all(|digit| *digit == 0) {
            return 0;
        }
        let halves = digits.iter().zip(&self.primes).rev().map(|(digit, p)| digit.cmp(&((p.0 - 1) / 2)));
        if halves.fold(std::cmp::Ordering::Equal, std::cmp::Ordering::then).is_gt() { -1 } else { 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_of_integers() {
        let primes = primes(3);
        assert!(primes.iter().all(|p| p.0 > 1 << 61 && [3, 5, 7, 101].iter().all(|q| !p.0.is_multiple_of(*q))));
        let signs = Signs::new(primes.clone());
        for (size, power) in [(1, 0), (12_345, 100), (u64::MAX >> 3, 120), (7, 3)] {
            for negative in [false, true] {
                let remainders: Vec<u64> = primes.iter().map(|p| p.remainder(size, negative, power)).collect();
                assert_eq!(signs.of(&remainders), if negative { -1 } else { 1 });
            }
        }
        assert_eq!(signs.of(&[0; 3]), 0);
    }
}
