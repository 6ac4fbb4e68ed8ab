//! The command line of a bench.

/// The argument after `name`.
#[must_use]
pub fn value(name: &str) -> Option<String> {
    std::env::args().skip_while(|argument| argument != name).nth(1)
}

/// Whether `name` is among the arguments.
#[must_use]
pub fn flag(name: &str) -> bool {
    std::env::args().any(|argument| argument == name)
}
