use std::borrow::Cow;
use std::io::Read;
use std::str::FromStr;

use crate::error::DemError;
use crate::error::file::FileError;
use crate::io::vtk::blocks::{OTHER_LENGTH, Storage};
use crate::io::vtk::tags::{Tag, tags};

pub(super) struct PolyFile<'a> {
    tags: Vec<Tag<'a>>,
    appended: Option<&'a [u8]>,
    storage: Storage,
    /// Number of points; the next fields are the numbers of cells of each kind.
    pub(super) points: usize,
    pub(super) vertices: usize,
    pub(super) lines: usize,
    pub(super) polygons: usize,
}

/// Section, name and size of an array of a VTK file to be read.
#[derive(Clone, Copy)]
pub(super) struct ArrayRequest<'a> {
    pub(super) section: &'a str,
    /// Name of the array; `None` stands for the first array of its section.
    pub(super) name: Option<&'a str>,
    pub(super) rows: usize,
    pub(super) width: usize,
}

/// Content of an array before its numbers are parsed.
enum Raw<'a> {
    Text(&'a str),
    /// Bytes of little-endian numbers, with the number of bytes of each number.
    Bytes(Cow<'a, [u8]>, usize),
}

impl PolyFile<'_> {
    /// Parses a VTK file and returns the result of `take` for the parsed file.
    ///
    /// # Errors
    /// [`DemError::Io`]; [`FileError::Vtk`] for a file that is not valid or has an unsupported form; errors of `take`.
    pub(super) fn read<T>(
        from: &mut dyn Read,
        take: impl FnOnce(&PolyFile<'_>) -> Result<T, DemError>,
    ) -> Result<T, DemError> {
        let mut bytes = Vec::new();
        from.read_to_end(&mut bytes)?;
        let (text, appended) = split(&bytes);
        take(&PolyFile::new(&text, appended)?)
    }
}

impl<'a> PolyFile<'a> {
    /// Parses the text of a VTK file; `appended` has the bytes of its appended block, see [`split`].
    fn new(text: &'a str, appended: Option<&'a [u8]>) -> Result<Self, DemError> {
        let tags = tags(text);
        let first = tags.iter().find(|tag| tag.name == "VTKFile");
        let file = first.filter(|tag| tag.attribute("type") == Some("PolyData"));
        let file = file.ok_or_else(|| refused("", "is no VTK file of type PolyData"))?;
        let compressor = file.attribute("compressor");
        if compressor.is_some_and(|name| name != "vtkZLibDataCompressor") {
            return Err(refused("", "is compressed by another method than zlib, which is not read"));
        }
        if file.attribute("byte_order") == Some("BigEndian") {
            return Err(refused("", "is big-endian, which is not read"));
        }
        let encoding = tags.iter().find(|tag| tag.name == "AppendedData").and_then(|tag| tag.attribute("encoding"));
        let appended = appended.filter(|_| encoding == Some("raw"));
        let word = if file.attribute("header_type") == Some("UInt64") { 8 } else { 4 };
        let storage = Storage { word, is_compressed: compressor.is_some() };
        let pieces: Vec<_> = tags.iter().filter(|tag| tag.name == "Piece" && !tag.closes).collect();
        let [piece] = pieces[..] else { return Err(refused("", "has another number of pieces than one")) };
        let count = |name: &str| piece.attribute(name).map(str::parse);
        let points = count("NumberOfPoints").and_then(Result::ok);
        let points = points.ok_or_else(|| refused("", "does not say how many points it has"))?;
        let cells = |name: &str| {
            let cells = count(name).unwrap_or(Ok(0));
            cells.map_err(|_| refused("", "does not say how many cells it has"))
        };
        let vertices = cells("NumberOfVerts")?;
        let lines = cells("NumberOfLines")?;
        let polygons = cells("NumberOfPolys")?;
        Ok(Self { tags, appended, storage, points, vertices, lines, polygons })
    }

    /// Returns the name and the number of components of each array in a section.
    pub(super) fn arrays(&self, section: &str) -> Vec<(&'a str, usize)> {
        let name = |tag: &Tag<'a>| {
            let width = tag.attribute("NumberOfComponents").map_or(Some(1), |width| width.parse().ok());
            Some((tag.attribute("Name")?, width?))
        };
        self.tags_of(section).filter_map(name).collect()
    }

    fn tags_of(&self, section: &str) -> impl Iterator<Item = &Tag<'a>> {
        let inside = self
            .tags
            .iter()
            .skip_while(move |tag| tag.name != section)
            .skip(1)
            .take_while(move |tag| tag.name != section);
        inside.filter(|tag| tag.name == "DataArray" && !tag.closes)
    }

    /// Reads an array of real numbers or integers as real numbers; `None` if the file does not have the array.
    ///
    /// # Errors
    /// Errors of [`floats`](Self::floats).
    pub(super) fn numbers(&self, request: ArrayRequest<'_>) -> Result<Option<Vec<f64>>, DemError> {
        let is_wanted = |tag: &&Tag<'a>| tag.attribute("Name") == request.name;
        let kind = self.tags_of(request.section).find(is_wanted).and_then(|tag| tag.attribute("type"));
        if kind.is_some_and(|kind| kind.starts_with("Int")) {
            let integers = self.integers(request)?;
            return Ok(integers.map(|integers| integers.into_iter().map(|integer| integer as f64).collect()));
        }
        self.floats(request)
    }

    /// Reads an array of real numbers; `None` if the file does not have the array.
    ///
    /// # Errors
    /// [`FileError::Vtk`] with the array.
    pub(super) fn floats(&self, request: ArrayRequest<'_>) -> Result<Option<Vec<f64>>, DemError> {
        let kinds = [("Float64", 8), ("Float32", 4)];
        let other_kind = "has numbers that are neither Float64 nor Float32";
        let single = |bytes| f64::from(f32::from_le_bytes(bytes));
        self.decoded(request, kinds, other_kind, f64::from_le_bytes, single)
    }

    /// Reads an array of integers; `None` if the file does not have the array.
    ///
    /// # Errors
    /// Errors of [`floats`](Self::floats).
    pub(super) fn integers(&self, request: ArrayRequest<'_>) -> Result<Option<Vec<i64>>, DemError> {
        let kinds = [("Int64", 8), ("Int32", 4)];
        let other_kind = "has numbers that are neither Int64 nor Int32";
        let short = |bytes| i64::from(i32::from_le_bytes(bytes));
        self.decoded(request, kinds, other_kind, i64::from_le_bytes, short)
    }

    /// Reads an array of one of two number types of 8 and 4 bytes, decoded by the two functions.
    fn decoded<T: FromStr>(
        &self,
        request: ArrayRequest<'_>,
        kinds: [(&str, usize); 2],
        other_kind: &'static str,
        eight: fn([u8; 8]) -> T,
        four: fn([u8; 4]) -> T,
    ) -> Result<Option<Vec<T>>, DemError> {
        let refused = |problem| refused(request.shown(), problem);
        let Some(raw) = self.raw(request, &kinds, other_kind)? else { return Ok(None) };
        let numbers: Vec<T> = match raw {
            Raw::Text(text) => {
                let parsed: Result<_, _> = text.split_whitespace().map(str::parse).collect();
                parsed.map_err(|_| refused("has a word that is no number"))?
            }
            Raw::Bytes(bytes, 4) => bytes.as_chunks::<4>().0.iter().copied().map(four).collect(),
            Raw::Bytes(bytes, _) => bytes.as_chunks::<8>().0.iter().copied().map(eight).collect(),
        };
        let is_whole = request.rows.saturating_mul(request.width) == numbers.len();
        if is_whole { Ok(Some(numbers)) } else { Err(refused(OTHER_LENGTH)) }
    }

    fn raw(
        &self,
        request: ArrayRequest<'_>,
        kinds: &[(&str, usize)],
        other_kind: &'static str,
    ) -> Result<Option<Raw<'_>>, DemError> {
        let ArrayRequest { section, name, rows, width } = request;
        let refused = |problem| refused(request.shown(), problem);
        let mut arrays = self.tags_of(section);
        let Some(tag) = arrays.find(|tag| name.is_none() || tag.attribute("Name") == name) else { return Ok(None) };
        let size = kinds.iter().find(|(kind, _)| tag.attribute("type") == Some(kind)).map(|(_, size)| *size);
        let size = size.ok_or_else(|| refused(other_kind))?;
        let length = rows.saturating_mul(width).saturating_mul(size);
        Ok(Some(match tag.attribute("format") {
            Some("ascii") => Raw::Text(tag.content),
            Some("binary") => {
                let bytes = base64(tag.content).ok_or_else(|| refused("is not in base64"))?;
                let bytes = self.storage.array(&bytes, 0, length).map_err(refused)?;
                Raw::Bytes(Cow::Owned(bytes.into_owned()), size)
            }
            Some("appended") => {
                let offset = tag.attribute("offset").and_then(|offset| offset.parse().ok());
                let offset = offset.ok_or_else(|| refused("does not say where its numbers are"))?;
                let block = self.appended.ok_or_else(|| refused("is appended in another way than as raw bytes"))?;
                Raw::Bytes(self.storage.array(block, offset, length).map_err(refused)?, size)
            }
            _ => return Err(refused("is written in a way that is not read")),
        }))
    }
}

impl ArrayRequest<'_> {
    /// Name of the array in errors: the name of its section if the array has no name.
    fn shown(&self) -> &str {
        self.name.unwrap_or(self.section)
    }
}

pub(super) fn refused(array: &str, problem: &'static str) -> DemError {
    DemError::File(FileError::Vtk { array: array.to_owned(), problem })
}

/// Splits a VTK file into its text and the bytes after the underscore of its appended block.
fn split(bytes: &[u8]) -> (Cow<'_, str>, Option<&[u8]>) {
    let opening = b"<AppendedData";
    let Some(at) = bytes.windows(opening.len()).position(|window| window == opening) else {
        return (String::from_utf8_lossy(bytes), None);
    };
    let begin = bytes[at..].iter().position(|&byte| byte == b'_').map_or(bytes.len(), |mark| at + mark);
    (String::from_utf8_lossy(&bytes[..begin]), bytes.get(begin + 1..))
}

/// Decodes base64 text, which may begin with a separately padded length.
fn base64(text: &str) -> Option<Vec<u8>> {
    let letters: Vec<u8> = text.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
    let digit = |letter: u8| match letter {
        b'A'..=b'Z' => Some(letter - b'A'),
        b'a'..=b'z' => Some(letter - b'a' + 26),
        b'0'..=b'9' => Some(letter - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        b'=' => Some(0),
        _ => None,
    };
    let (fours, rest) = letters.as_chunks::<4>();
    if !rest.is_empty() {
        return None;
    }
    let mut bytes = Vec::with_capacity(3 * fours.len());
    for four in fours {
        let padding = four.iter().rev().take_while(|&&letter| letter == b'=').count();
        let mut word: u32 = 0;
        for &letter in four {
            word = word << 6 | u32::from(digit(letter)?);
        }
        bytes.extend(&word.to_be_bytes()[1..4 - padding.min(2)]);
    }
    Some(bytes)
}
