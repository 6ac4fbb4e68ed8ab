//! `[units]`: what the numbers are numbers of.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Names of the units of a scene, which have to be coherent; nothing is converted.
#[derive(Debug, Clone, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Units {
    /// Name of the unit of length.
    #[schemars(extend("toml" = r#""mm""#))]
    pub length: String,
    /// Name of the unit of mass.
    #[schemars(extend("toml" = r#""g""#))]
    pub mass: String,
    /// Name of the unit of time.
    #[schemars(extend("toml" = r#""s""#))]
    pub time: String,
}

impl Default for Units {
    fn default() -> Self {
        Self { length: "m".into(), mass: "kg".into(), time: "s".into() }
    }
}

impl fmt::Display for Units {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "length {}, mass {}, time {}", self.length, self.mass, self.time)
    }
}

impl Units {
    /// Returns the unit of a quantity in these units, given its SI unit as documents write it, such as `kg m²/s` or
    /// `Pa`: in mm, g and s a pressure has the unit `g/(mm s²)`. A pure number has the unit "".
    #[must_use]
    pub fn named(&self, si: &str) -> String {
        if *self == Self::default() {
            return si.to_owned();
        }
        let (above, below) = si.split_once('/').unwrap_or((si, ""));
        let mut powers = Powers::default();
        powers.multiply(above, 1);
        powers.multiply(below.trim_start_matches('(').trim_end_matches(')'), -1);
        powers.with_names(self)
    }
}

/// Powers of mass, length and time in a unit, and the symbols that no scene renames, such as rad.
#[derive(Debug, Default)]
struct Powers<'a> {
    mass: i32,
    length: i32,
    time: i32,
    others: Vec<&'a str>,
}

impl<'a> Powers<'a> {
    /// Multiplies by symbols of SI units with blanks between them, or divides by them if `sign` is −1.
    fn multiply(&mut self, symbols: &'a str, sign: i32) {
        for symbol in symbols.split_whitespace() {
            let (base, power) = match symbol.chars().next_back() {
                Some('²') => (symbol.trim_end_matches('²'), 2 * sign),
                Some('³') => (symbol.trim_end_matches('³'), 3 * sign),
                _ => (symbol, sign),
            };
            let [mass, length, time] = match base {
                "kg" => [1, 0, 0],
                "m" => [0, 1, 0],
                "s" => [0, 0, 1],
                "N" => [1, 1, -2],
                "Pa" => [1, -1, -2],
                "J" => [1, 2, -2],
                "W" => [1, 2, -3],
                "1" => [0, 0, 0],
                _ => {
                    self.others.push(symbol);
                    continue;
                }
            };
            self.mass += power * mass;
            self.length += power * length;
            self.time += power * time;
        }
    }

    fn with_names(self, units: &Units) -> String {
        let factors = [(&units.mass, self.mass), (&units.length, self.length), (&units.time, self.time)];
        let side = |sign: i32| {
            let on_side = factors.iter().filter(move |(_, power)| power * sign > 0);
            on_side.map(move |(name, power)| factor(name, power * sign))
        };
        let above: Vec<String> = self.others.iter().map(|&symbol| symbol.to_owned()).chain(side(1)).collect();
        let below: Vec<String> = side(-1).collect();
        match (&above[..], &below[..]) {
            (_, []) => above.join(" "),
            ([], [only]) => format!("1/{only}"),
            ([], _) => format!("1/({})", below.join(" ")),
            (_, [only]) => format!("{}/{only}", above.join(" ")),
            _ => format!("{}/({})", above.join(" "), below.join(" ")),
        }
    }
}

/// Writes a power of a unit. A name that is a formula, such as `d/g`, is put into parentheses; the square of `√(d/g)` is
/// `(d/g)`.
fn factor(name: &str, power: i32) -> String {
    let in_parentheses = |text: &&str| text.starts_with('(') && text.find(')') == Some(text.len() - 1);
    if let (2, Some(square)) = (power, name.strip_prefix('√').filter(in_parentheses)) {
        return square.to_owned();
    }
    let is_formula = !name.chars().all(char::is_alphanumeric);
    let name = if is_formula && power > 1 { format!("({name})") } else { name.to_owned() };
    match power {
        1 => name,
        2 => format!("{name}²"),
        3 => format!("{name}³"),
        _ => format!("{name}^{power}"),
    }
}
