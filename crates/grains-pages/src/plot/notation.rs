//! Typesetting of quantities: variables slanted, indices and powers small.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    Upright,
    Variable,
    Below,
    Above,
}

/// Character that stands for the start of each style in a text, since the backend would escape an element. These are
/// the first code points for private use.
const OPEN: [(Style, char); 3] =
    [(Style::Variable, '\u{E000}'), (Style::Below, '\u{E001}'), (Style::Above, '\u{E002}')];
const CLOSE: char = '\u{E003}';

/// Returns the label with marks of styles, which [`spans`] replaces.
pub(super) fn marked(label: &str) -> String {
    pieces(label).into_iter().fold(String::new(), |mut out, (style, text)| {
        match OPEN.iter().find(|(known, _)| *known == style) {
            Some((_, open)) => {
                out.push(*open);
                out.push_str(&text);
                out.push(CLOSE);
            }
            None => out.push_str(&text),
        }
        out
    })
}

pub(super) fn spans(svg: &str) -> String {
    let mut out = String::with_capacity(svg.len());
    let mut open = Style::Upright;
    for letter in svg.chars() {
        match (OPEN.iter().find(|(_, mark)| *mark == letter), letter) {
            (Some((Style::Variable, _)), _) => out.push_str("<tspan class=\"variable\">"),
            (Some((Style::Below, _)), _) => out.push_str("<tspan class=\"small\" dy=\"30\">"),
            (Some(_), _) => out.push_str("<tspan class=\"small\" dy=\"-50\">"),
            // An empty span returns the following text to the baseline.
            (None, CLOSE) => out.push_str(match open {
                Style::Below => "</tspan><tspan dy=\"-30\">\u{200B}</tspan>",
                Style::Above => "</tspan><tspan dy=\"50\">\u{200B}</tspan>",
                _ => "</tspan>",
            }),
            _ => out.push(letter),
        }
        if let Some((style, _)) = OPEN.iter().find(|(_, mark)| *mark == letter) {
            open = *style;
        }
    }
    out
}

/// Returns a label as HTML, with the few elements that interactive plots support. Texts of the page are set in this
/// way, too.
#[must_use]
pub fn html(label: &str) -> String {
    pieces(label).into_iter().fold(String::new(), |out, (style, text)| {
        let text = text.replace('&', "&amp;").replace('<', "&lt;");
        let [open, close] = match style {
            Style::Upright => ["", ""],
            Style::Variable => ["<i>", "</i>"],
            Style::Below => ["<sub>", "</sub>"],
            Style::Above => ["<sup>", "</sup>"],
        };
        out + open + &text + close
    })
}

/// Splits a label into pieces. A single letter is a variable unless it is an article, as is every small Greek letter.
/// Words are upright, as are units in brackets or after a number.
fn pieces(label: &str) -> Vec<(Style, String)> {
    let letters: Vec<char> = label.chars().collect();
    let mut pieces = Vec::new();
    let mut at = 0;
    let mut inside_brackets = false;
    while at < letters.len() {
        let rest = &letters[at..];
        inside_brackets = rest[0] == '[' || (inside_brackets && rest[0] != ']');
        let (style, from, length) = match rest[0] {
            '^' if rest.get(1) == Some(&'(') => (Style::Above, 1, 2 + run(&rest[1..], |letter| letter != ')')),
            _ if inside_brackets => (Style::Upright, 0, 1),
            '_' if rest.len() > 1 && rest[1].is_alphanumeric() => {
                (Style::Below, 1, 1 + run(&rest[1..], char::is_alphanumeric))
            }
            letter if letter.is_ascii_alphabetic() => {
                let length = run(rest, |letter| letter.is_ascii_alphabetic());
                let upright = is_article(rest) || is_unit(&letters[..at], letter);
                (if upright { Style::Upright } else { latin(&rest[..length]) }, 0, length)
            }
            'α'..='ω' => (Style::Variable, 0, 1),
            _ => (Style::Upright, 0, 1),
        };
        let end = length.min(rest.len());
        pieces.push((style, rest[from..end].iter().collect()));
        at += end;
    }
    pieces
}

fn is_article(text: &[char]) -> bool {
    matches!(text, ['A', ' ', next, ..] if next.is_ascii_lowercase())
}

/// Returns whether the letter is part of a number with unit, such as the s in `2 s` and in `2 m/s`, or the e in `1e-2`.
fn is_unit(before: &[char], letter: char) -> bool {
    let unit = |letter: &char| "smNJ".contains(*letter);
    match before {
        [.., digit] if letter == 'e' => digit.is_numeric(),
        [.., digit, ' '] => unit(&letter) && digit.is_numeric(),
        [.., digit, ' ', above, '/'] => unit(&letter) && unit(above) && digit.is_numeric(),
        _ => false,
    }
}

fn latin(word: &[char]) -> Style {
    match word {
        ['a'] => Style::Upright,
        [_] => Style::Variable,
        _ => Style::Upright,
    }
}

fn run(letters: &[char], belongs: impl Fn(char) -> bool) -> usize {
    letters.iter().position(|&letter| !belongs(letter)).unwrap_or(letters.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_are_slanted_and_words_and_units_are_not() {
        assert_eq!(html("time step h [s]"), "time step <i>h</i> [s]");
        assert_eq!(html("|ΔK_T|/K₀"), "|Δ<i>K</i><sub>T</sub>|/<i>K</i>₀");
        assert_eq!(html("W^(2/5) [(m g)^(2/5)] m"), "<i>W</i><sup>(2/5)</sup> [(m g)<sup>(2/5)</sup>] <i>m</i>");
        assert_eq!(html("A start of a CD, by A"), "A start of a CD, by <i>A</i>");
        assert_eq!(html("2 m/s and 10⁻³ s, 3 d, h"), "2 m/s and 10⁻³ s, 3 <i>d</i>, <i>h</i>");
        assert_eq!(html("h = 1e-2, e"), "<i>h</i> = 1e-2, <i>e</i>");
        assert_eq!(html("ρ < [open"), "<i>ρ</i> &lt; [open");
    }

    #[test]
    fn marks_become_elements_and_the_line_goes_on_at_its_height() {
        let svg = spans(&marked("t_c, x"));
        assert_eq!(
            svg,
            "<tspan class=\"variable\">t</tspan><tspan class=\"small\" dy=\"30\">c</tspan><tspan dy=\"-30\">\u{200B}</tspan>, \
             <tspan class=\"variable\">x</tspan>"
        );
    }
}
