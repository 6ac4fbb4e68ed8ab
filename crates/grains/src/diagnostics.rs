//! Errors and notes in the format of compilers: the message, the line with a mark under the key, advice on what to
//! write instead.

use std::path::Path;

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use crate::error::handling::known_names;
use crate::error::{GrainsError, Location, Note};
use crate::reference::foreign::translate;
use crate::reference::lookup::{Entry, Reference};

impl GrainsError {
    /// Formats the error like an error of a compiler, on several lines, with colours if `styled`. An error without a
    /// location in a scene has its message only.
    #[must_use]
    pub fn report(&self, styled: bool) -> String {
        let at = self.location().cloned().unwrap_or_default();
        render(Level::ERROR, &self.title(&at), &at, self.advice(&at), styled)
    }

    fn title(&self, at: &Location) -> String {
        let text = message(self);
        let Some(rest) = text.strip_prefix(&at.to_string()) else { return text };
        match rest.strip_prefix(": ") {
            Some(problem) => match self {
                Self::UnknownName { found, .. } | Self::UndefinedName { found, .. } => {
                    format!("there is no `{found}` here")
                }
                _ => problem.to_owned(),
            },
            None if at.key.is_empty() => format!("the scene{rest}"),
            None => format!("`{}`{rest}", at.key),
        }
    }

    /// Returns advice on what to write instead of the text with the error.
    fn advice(&self, at: &Location) -> Vec<Advice> {
        let reference = Reference::new();
        match self {
            Self::UnknownName { found, nearest, known, .. } => {
                unknown(found, nearest.as_deref(), known, at, &reference)
            }
            Self::UndefinedName { found, nearest, known, .. } => {
                let nearest = nearest.iter().map(|nearest| Advice::Help(format!("did you mean `{nearest}`?")));
                let known = Advice::Note(known_names(found, known));
                nearest.chain(definition_of_material(found, &at.key)).chain([known]).collect()
            }
            Self::MissingKey { missing, .. } => missing_key(missing, at, &reference),
            Self::Syntax { .. } => vec![Advice::Note(
                "a scene is TOML: `key = value` without units, text in quotation marks, tables as `[time]` or `{ dt = 1e-5 }`, \
                 comments after `#`".into(),
            )],
            // A choice without its value is not in the scene: the table above has the key.
            Self::WrongType { problem, .. } if problem.ends_with("a word alone") => {
                let above = at.key.rsplit_once('.').map_or(at.key.as_str(), |(above, _)| above);
                let entry = reference.entry(&at.key).map(|entry| {
                    format!("`{} = {{ {} }}`", above.rsplit('.').next().unwrap_or(above), written(&entry))
                });
                entry.map(|text| Advice::Help(format!("write {text}"))).into_iter().collect()
            }
            Self::WrongType { .. } | Self::OutOfRange { .. } | Self::WrongLength { .. } | Self::Refused { .. } => {
                reference.entry(&at.key).map(|entry| Advice::Help(told(&entry))).into_iter().collect()
            }
            // The messages of other conflicts say themselves what to leave out or to change elsewhere.
            Self::Conflict { problem, .. } if ["needs", "one of", "must be"].iter().any(|word| problem.contains(word)) => {
                reference.entry(&at.key).map(|entry| Advice::Help(told(&entry))).into_iter().collect()
            }
            Self::Overlap { .. } => vec![Advice::Help(
                "move them apart, or place them at random without overlaps: `place = { pour = { low = [0.0, 0.0, 0.0], \
                 high = [0.1, 0.1, 0.2], count = 500 } }`"
                    .into(),
            )],
            Self::WallThroughBody { .. } => {
                vec![Advice::Help("move the body or the wall, or reverse the `normal` of a plane".into())]
            }
            Self::Unreadable { .. } if !at.key.is_empty() => vec![Advice::Help("paths are taken from the folder of the scene".into())],
            _ => Vec::new(),
        }
    }
}

impl Note {
    /// Formats the note like a warning of a compiler, on several lines, with colours if `styled`.
    #[must_use]
    pub fn report(&self, styled: bool) -> String {
        render(Level::WARNING, &self.text, &self.at, Vec::new(), styled)
    }
}

enum Advice {
    /// Correction of the text with the error.
    Help(String),
    /// Explanation of the error, such as the list of known names.
    Note(String),
}

fn message(error: &GrainsError) -> String {
    let mut text = error.to_string();
    let mut source = std::error::Error::source(error);
    while let Some(error) = source {
        let part = error.to_string();
        if !text.contains(&part) {
            text = format!("{text}: {part}");
        }
        source = error.source();
    }
    text
}

/// Returns advice on how a scene defines a material, if `key` is the key of a material's name.
fn definition_of_material(name: &str, key: &str) -> Option<Advice> {
    let last = key.rsplit('.').next().unwrap_or(key);
    let last = last.split('[').next().unwrap_or(last);
    ["material", "wall-materials", "between"].contains(&last).then(|| {
        Advice::Help(format!(
            "define it: with the normal law `hertz-mindlin` by an entry `[[contact.materials]]` with `name = \"{name}\"`, \
             with other laws by an entry `[[contact.pairs]]` with `between = [\"other\", \"{name}\"]`"
        ))
    })
}

/// Returns advice on an unknown key or word at this place of a scene.
fn unknown(found: &str, nearest: Option<&str>, known: &[String], at: &Location, reference: &Reference) -> Vec<Advice> {
    let mut advice = Vec::new();
    let foreign = translate(found, known);
    let hint = foreign.map(|foreign| foreign.hint).filter(|hint| !hint.is_empty());
    let table = at.key.strip_suffix(found).map_or(at.key.as_str(), |table| table.trim_end_matches('.'));
    let mut say = |text: String| advice.push(Advice::Help(text));
    if let Some(outer) = outer_table(found, table, reference) {
        // The key of `outer` that contains the table.
        let inner = table[outer.len()..].trim_start_matches('.');
        let name = inner.split('.').next().unwrap_or(inner);
        say(match outer {
            "" => format!("`{found}` belongs at the top of the scene, above all tables"),
            _ => format!("`{found}` belongs beside `{name}`, not in it"),
        });
    } else if let Some(nearest) = nearest {
        let entry = reference.entry(&join(table, nearest)).filter(|entry| entry.name == nearest);
        let said = entry.map_or_else(String::new, |entry| format!(" Write {}", told(&entry)));
        say(format!("did you mean `{nearest}`?{said}"));
    } else {
        if hint.is_none() {
            let name = foreign.and_then(|foreign| foreign.names().next()).unwrap_or(found);
            let tables = reference.tables_with(name, table);
            let tables: Vec<String> = tables.iter().take(3).map(|table| in_words(table)).collect();
            if !tables.is_empty() {
                say(format!("`{name}` is a key of {}", tables.join(", ")));
            }
        }
        // Last resort: show an example of the table. The scene as a whole has no example, and items of lists are known.
        let shown = !table.is_empty() && !table.ends_with(']');
        reference.entry(table).filter(|_| shown).into_iter().for_each(|entry| say(told(&entry)));
    }
    hint.into_iter().for_each(|hint| say(hint.to_owned()));
    advice.push(Advice::Note(known_names(found, known)));
    advice
}

fn in_words(table: &str) -> String {
    if table.is_empty() { "the scene itself".to_owned() } else { format!("`{table}`") }
}

/// Finds the nearest table around `table` that has a key `name`. The scene itself (an empty path) is found only if
/// `table` is one of its keys.
fn outer_table<'a>(name: &str, table: &'a str, reference: &Reference) -> Option<&'a str> {
    let is_first = !table.contains('.');
    let mut table = table;
    while !table.is_empty() {
        table = &table[..table.rfind('.').unwrap_or(0)];
        if (is_first || !table.is_empty()) && reference.keys(table).contains(&name) {
            return Some(table);
        }
    }
    None
}

fn missing_key(missing: &str, at: &Location, reference: &Reference) -> Vec<Advice> {
    let is_of_bodies = at.key.starts_with("bodies[") && !at.key.contains('.');
    if missing == "mass" && is_of_bodies {
        let text = "add `density = 2500.0` (kg/m³, of the grains themselves), or `mass = 0.01` (kg, of each)";
        return vec![Advice::Help(text.to_owned())];
    }
    let entry = reference.entry(&join(&at.key, missing)).filter(|entry| entry.name == missing);
    entry.map(|entry| Advice::Help(format!("add {}", told(&entry)))).into_iter().collect()
}

fn join(table: &str, name: &str) -> String {
    if table.is_empty() { name.to_owned() } else { format!("{table}.{name}") }
}

/// Formats a key with its example as a line of a scene, such as `radius = 0.005`.
fn written(Entry { name, example, .. }: &Entry) -> String {
    example.as_ref().map_or_else(|| name.clone(), |example| format!("{name} = {example}"))
}

fn told(entry: &Entry) -> String {
    let Entry { description, unit, .. } = entry;
    let tables = entry.example.as_ref().and_then(|example| example.strip_prefix("[{")?.strip_suffix("}]"));
    let example = match tables {
        Some(keys) => {
            format!("`{} = [{{ {} }}]`, or `[[{}]]` above the keys of each", entry.name, keys.trim(), entry.key)
        }
        None => format!("`{}`", written(entry)),
    };
    let is_table = entry.example.as_ref().is_some_and(|example| example.contains('{'));
    let is_told = is_table || unit.as_ref().is_none_or(|unit| description.contains(unit.as_str()));
    let unit = unit.as_ref().filter(|_| !is_told).map_or_else(String::new, |unit| format!(" (in {unit})"));
    format!("{example}{unit}: {description}")
}

fn render(level: Level<'_>, title: &str, at: &Location, advice: Vec<Advice>, styled: bool) -> String {
    let path = at.file.as_deref().unwrap_or(Path::new("the scene")).display().to_string();
    let key = if at.key.is_empty() { String::new() } else { format!("`{}`", at.key) };
    let mut group = Group::with_title(level.primary_title(title));
    match (&at.excerpt, at.line) {
        (Some(excerpt), line) => {
            let mark = AnnotationKind::Primary.span(excerpt.mark.clone()).label(key.as_str());
            let snippet =
                Snippet::source(excerpt.text.as_str()).line_start(line.unwrap_or(1) as usize).path(path.as_str());
            group = group.element(snippet.annotation(mark));
        }
        (None, Some(line)) => group = group.element(Origin::path(path.as_str()).line(line as usize)),
        (None, None) if at.file.is_some() => group = group.element(Origin::path(path.as_str())),
        (None, None) => {}
    }
    if at.excerpt.is_none() && !key.is_empty() && !title.contains(&key) {
        group = group.element(Level::NOTE.message(format!("this is about {key}")));
    }
    for one in advice {
        group = group.element(match one {
            Advice::Help(text) => Level::HELP.message(text),
            Advice::Note(text) => Level::NOTE.message(text),
        });
    }
    let renderer = if styled { Renderer::styled() } else { Renderer::plain() };
    renderer.render(&[group])
}
