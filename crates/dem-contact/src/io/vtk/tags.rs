//! The part of XML that VTK files need.

/// An XML tag and the text between it and the next tag.
#[derive(Debug)]
pub(super) struct Tag<'a> {
    pub(super) name: &'a str,
    pub(super) closes: bool,
    attributes: &'a str,
    pub(super) content: &'a str,
}

impl<'a> Tag<'a> {
    pub(super) fn attribute(&self, name: &str) -> Option<&'a str> {
        // Every second part is between quotation marks.
        let parts: Vec<&str> = self.attributes.split('"').collect();
        let pairs = parts.chunks_exact(2).map(|pair| (pair[0].trim().trim_end_matches('=').trim_end(), pair[1]));
        pairs.into_iter().find(|(known, _)| *known == name).map(|(_, value)| value)
    }
}

/// Returns all tags of an XML text in order, each with the text after it.
pub(super) fn tags(text: &str) -> Vec<Tag<'_>> {
    let parts = text.split('<').skip(1);
    let tag = |part| {
        let (inside, content): (&str, &str) = str::split_once(part, '>').unwrap_or((part, ""));
        let closes = inside.starts_with('/');
        let inside = inside.trim_start_matches('/');
        let (name, attributes) = inside.split_once(char::is_whitespace).unwrap_or((inside, ""));
        Tag { name: name.trim_end_matches('/'), closes, attributes, content }
    };
    parts.map(tag).collect()
}
