//! Reads bodies from VTK polygonal data.

use std::io::Read;

use rrp_geom::glam::DVec3;

use crate::error::DemError;
use crate::error::file::FileError;
use crate::io::vtk::blocks::{OTHER_LENGTH, Storage};
use crate::io::vtk::tags::{Tag, tags};

/// The points of a `.vtp` file of one piece, with the arrays that [`VtpFrame`](crate::io::VtpFrame) writes for them.
///
/// Little-endian files are read, with numbers of the types `Float64` and `Float32`: as text, in base64 next to their
/// tag, or as raw bytes in an appended block. Bytes may be compressed by zlib, with the feature `gzip`. Other arrays are
/// ignored.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct VtpPoints {
    /// Positions in m.
    pub position: Vec<DVec3>,
    /// Radii in m, if the file has them.
    pub radius: Option<Vec<f64>>,
    /// Velocities in m/s, if the file has them.
    pub velocity: Option<Vec<DVec3>>,
    /// Angular velocities in rad/s, world frame, if the file has them.
    pub spin: Option<Vec<DVec3>>,
}

/// The parts of a file that all arrays need.
struct File<'a> {
    appended: Option<&'a [u8]>,
    storage: Storage,
}

/// An array of a file, as it should be.
#[derive(Clone, Copy)]
struct ArrayRequest<'a> {
    section: &'a str,
    /// The first array of the section, if `None`.
    name: Option<&'a str>,
    rows: usize,
    /// Numbers in a row.
    width: usize,
}

impl VtpPoints {
    /// Reads a file.
    ///
    /// # Errors
    /// [`DemError::Io`]; [`FileError::Vtk`] with the array for a file that is not valid, or of a form that is not read.
    pub fn read(from: &mut dyn Read) -> Result<Self, DemError> {
        Self::read_at_most(from, usize::MAX)
    }

    /// The same for a file of at most `limit` points. A file with more is refused before they take memory: a small
    /// compressed file may hold many.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn read_at_most(from: &mut dyn Read, limit: usize) -> Result<Self, DemError> {
        let mut bytes = Vec::new();
        from.read_to_end(&mut bytes)?;
        let (text, appended) = split(&bytes);
        let tags = tags(&text);
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
        let pieces: Vec<_> = tags.iter().filter(|tag| tag.name == "Piece" && !tag.closes).collect();
        let [piece] = pieces[..] else { return Err(refused("", "has another number of pieces than one")) };
        let count = piece.attribute("NumberOfPoints").and_then(|count| count.parse().ok());
        let count: usize = count.ok_or_else(|| refused("", "does not say how many points it has"))?;
        if count > limit {
            return Err(refused("", "has more points than can be read here"));
        }
        let file = File { appended, storage: Storage { word, is_compressed: compressor.is_some() } };
        let array = |section: &str, name: Option<&str>, width| {
            file.array(&tags, ArrayRequest { section, name, rows: count, width })
        };
        let vectors = |rows: Vec<f64>| rows.as_chunks::<3>().0.iter().copied().map(DVec3::from_array).collect();
        let position = array("Points", None, 3)?.ok_or_else(|| refused("Points", "is missing"))?;
        Ok(Self {
            position: vectors(position),
            radius: array("PointData", Some("radius"), 1)?,
            velocity: array("PointData", Some("velocity"), 3)?.map(vectors),
            spin: array("PointData", Some("spin"), 3)?.map(vectors),
        })
    }
}

impl File<'_> {
    /// The numbers of an array; `None` if the file does not have it.
    fn array(&self, tags: &[Tag<'_>], request: ArrayRequest<'_>) -> Result<Option<Vec<f64>>, DemError> {
        let ArrayRequest { section, name, rows, width } = request;
        let shown = name.unwrap_or(section);
        let inside = tags.iter().skip_while(|tag| tag.name != section).skip(1).take_while(|tag| tag.name != section);
        let mut arrays = inside.filter(|tag| tag.name == "DataArray" && !tag.closes);
        let Some(tag) = arrays.find(|tag| name.is_none() || tag.attribute("Name") == name) else { return Ok(None) };
        let size = match tag.attribute("type") {
            Some("Float64") => 8,
            Some("Float32") => 4,
            _ => return Err(refused(shown, "has numbers that are neither Float64 nor Float32")),
        };
        let length = rows.saturating_mul(width);
        let array = |bytes: &[u8], offset: usize| {
            let bytes = self.storage.array(bytes, offset, length.saturating_mul(size));
            bytes.map(|bytes| floats(&bytes, size)).map_err(|problem| refused(shown, problem))
        };
        let numbers: Vec<f64> = match tag.attribute("format") {
            Some("ascii") => {
                let parsed: Result<_, _> = tag.content.split_whitespace().map(str::parse).collect();
                parsed.map_err(|_| refused(shown, "has a word that is no number"))?
            }
            Some("binary") => {
                let bytes = base64(tag.content).ok_or_else(|| refused(shown, "is not in base64"))?;
                array(&bytes, 0)?
            }
            Some("appended") => {
                let offset = tag.attribute("offset").and_then(|offset| offset.parse().ok());
                let offset = offset.ok_or_else(|| refused(shown, "does not say where its numbers are"))?;
                let block =
                    self.appended.ok_or_else(|| refused(shown, "is appended in another way than as raw bytes"))?;
                array(block, offset)?
            }
            _ => return Err(refused(shown, "is written in a way that is not read")),
        };
        if length != numbers.len() {
            return Err(refused(shown, OTHER_LENGTH));
        }
        Ok(Some(numbers))
    }
}

fn refused(array: &str, problem: &'static str) -> DemError {
    DemError::File(FileError::Vtk { array: array.to_owned(), problem })
}

/// The text of a file, and the bytes after the underscore of its appended block.
fn split(bytes: &[u8]) -> (String, Option<&[u8]>) {
    let opening = b"<AppendedData";
    let Some(at) = bytes.windows(opening.len()).position(|window| window == opening) else {
        return (String::from_utf8_lossy(bytes).into_owned(), None);
    };
    let begin = bytes[at..].iter().position(|&byte| byte == b'_').map_or(bytes.len(), |mark| at + mark);
    (String::from_utf8_lossy(&bytes[..begin]).into_owned(), bytes.get(begin + 1..))
}

/// Little-endian numbers of `size` bytes.
fn floats(bytes: &[u8], size: usize) -> Vec<f64> {
    if size == 4 {
        return bytes.as_chunks::<4>().0.iter().map(|&bytes| f64::from(f32::from_le_bytes(bytes))).collect();
    }
    bytes.as_chunks::<8>().0.iter().map(|&bytes| f64::from_le_bytes(bytes)).collect()
}

/// The bytes of base64 text. A length with its own padding may come before the rest.
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
