//! Terms of other programs for keys of scenes: LIGGGHTS, LAMMPS, YADE, EDEM, Rocky, and habits of users.

/// Table of the terms: a line for each meaning, with the fields `other programs' names | names in scenes | hint`.
const TERMS: &str = include_str!("foreign.txt");

/// Meaning in scenes of another program's name for a key or word.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Foreign {
    /// Names in scenes for the other program's name, with spaces between them.
    ours: &'static str,
    /// Advice on what to know or to write instead; may be empty.
    pub(crate) hint: &'static str,
}

impl Foreign {
    /// Lists the names in scenes; the first one that is known at the place in the scene applies.
    pub(crate) fn names(self) -> impl Iterator<Item = &'static str> {
        self.ours.split_whitespace()
    }
}

/// Plain English words, translated only where the scene's own names for them are known, since elsewhere they have other
/// meanings.
const PLAIN_WORDS: [&str; 2] = ["none", "remove"];

/// Translates `found`, another program's name, at a place where scenes have the names `known`; without a match among
/// them, returns the first meaning at another place.
pub(crate) fn translate(found: &str, known: &[String]) -> Option<Foreign> {
    let plain: String = found.to_lowercase().chars().filter(|c| c.is_alphanumeric()).collect();
    let meanings: Vec<Foreign> = TERMS.lines().filter_map(|line| meaning(line, &plain)).collect();
    let is_known = |foreign: &&Foreign| foreign.names().any(|ours| known.iter().any(|name| name == ours));
    let elsewhere = meanings.first().filter(|_| !PLAIN_WORDS.contains(&plain.as_str()));
    meanings.iter().find(is_known).or(elsewhere).copied()
}

/// Reads the meaning of the name `plain` from a line of the table; none for comments and for lines of other names.
fn meaning(line: &'static str, plain: &str) -> Option<Foreign> {
    let mut fields = line.split('|').map(str::trim);
    let names = fields.next().filter(|names| !names.starts_with('#'))?;
    let is_named = names.split_whitespace().any(|name| name == plain);
    is_named.then_some(Foreign { ours: fields.next()?, hint: fields.next()? })
}
