//! Triangles from STL files, binary or text.

use std::io::Read;

use rrp_geom::glam::DVec3;

use crate::error::DemError;
use crate::error::mesh::{HEADER, MeshError, RECORD};

/// Byte order mark in UTF-8, with which some editors begin an STL file in text form.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// Reads the corners of the triangles of an STL file. Normals in the file are not used: many programs write wrong ones.
pub(super) fn facets(mut source: impl Read) -> Result<Vec<[DVec3; 3]>, DemError> {
    let mut bytes = Vec::new();
    source.read_to_end(&mut bytes)?;
    let announced = bytes.get(HEADER - 4..HEADER).map(|count| number(count) as usize);
    let records = bytes.get(HEADER..).unwrap_or_default();
    // Programs that write a file in one pass leave the count at zero.
    let counted =
        |count: usize| if count == 0 && records.len().is_multiple_of(RECORD) { records.len() / RECORD } else { count };
    let announced = announced.map(counted);
    let fits = announced.is_some_and(|count| bytes.len() == HEADER + RECORD * count);
    // Binary files may begin with "solid" as well.
    let written = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&bytes);
    let text = written.trim_ascii_start().get(..5).is_some_and(|word| word.eq_ignore_ascii_case(b"solid"));
    // Text has no zero bytes, but some programs fill the last block of a file with them.
    let end = written.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
    let written = &written[..end];
    if !fits && text && !written.contains(&0) {
        return lines(&String::from_utf8_lossy(written));
    }
    if !fits {
        // A binary file without zero bytes may look like text of one line.
        let is_text = !written.contains(&0) && written.contains(&b'\n');
        if let (true, Ok(text)) = (is_text, str::from_utf8(written)) {
            let found = text.trim().lines().next().unwrap_or_default().chars().take(60).collect();
            return Err(DemError::Mesh(MeshError::NotStl { found }));
        }
        let triangle = (records.len() / RECORD).min(announced.unwrap_or(0));
        return Err(DemError::Mesh(MeshError::StlLength {
            byte: bytes.len(),
            triangle,
            announced: announced.unwrap_or(0),
        }));
    }
    let facet = |record: &[u8]| {
        let mut numbers = record.chunks_exact(4).map(|bytes| f64::from(f32::from_bits(number(bytes))));
        let mut vector = || {
            let [x, y, z] = std::array::from_fn(|_| numbers.next().unwrap_or(f64::NAN));
            DVec3::new(x, y, z)
        };
        vector();
        std::array::from_fn(|_| vector())
    };
    Ok(records.chunks_exact(RECORD).map(facet).collect())
}

fn number(bytes: &[u8]) -> u32 {
    bytes.iter().rev().fold(0, |sum, &byte| sum << 8 | u32::from(byte))
}

const END: &str = "end of file";

fn lines(text: &str) -> Result<Vec<[DVec3; 3]>, DemError> {
    let mut facets = Vec::new();
    // Old files end their lines with CR alone.
    let ends: &[char] = if text.contains('\n') { &['\n'] } else { &['\r'] };
    let mut lines =
        (1..).zip(text.split(ends)).map(|(line, text)| (line, text.trim())).filter(|(_, text)| !text.is_empty());
    let mut last = 1;
    // Returns the rest of the next line after `expected`, or the line itself as an error.
    let mut next = |triangle: usize, expected: &[&'static str]| {
        let read = lines.next();
        if let (None, Some(which)) = (read, expected.iter().position(|text| *text == END)) {
            return Ok::<_, DemError>((which, DVec3::ZERO));
        }
        let (line, found) = read.unwrap_or((last, ""));
        last = line;
        let words = |text: &'static str| {
            let mut words = found.split_ascii_whitespace();
            text.split(' ')
                .all(|word| words.next().is_some_and(|found| found.eq_ignore_ascii_case(word)))
                .then_some(words)
        };
        let hit = expected.iter().enumerate().find_map(|(k, text)| words(text).map(|rest| (k, rest)));
        let wrong = || {
            let expected = expected[0];
            let found = found.chars().take(120).collect();
            DemError::Mesh(MeshError::StlSyntax { line, triangle, expected, found })
        };
        let (which, rest) = hit.ok_or_else(wrong)?;
        if !matches!(expected[which], "facet normal" | "vertex") {
            return Ok((which, DVec3::ZERO));
        }
        let numbers: Result<Vec<f64>, _> = rest.map(str::parse).collect();
        let vector = numbers.ok().and_then(|numbers| <[f64; 3]>::try_from(numbers).ok());
        Ok((which, DVec3::from_array(vector.ok_or_else(wrong)?)))
    };
    next(0, &["solid"])?;
    loop {
        let triangle = facets.len();
        let (which, _) = next(triangle, &["facet normal", "endsolid"])?;
        if which == 1 {
            match next(triangle, &["solid", END])? {
                (1, _) => return Ok(facets),
                _ => continue,
            }
        }
        next(triangle, &["outer loop"])?;
        let mut corners = [DVec3::ZERO; 3];
        for corner in &mut corners {
            (_, *corner) = next(triangle, &["vertex"])?;
        }
        next(triangle, &["endloop"])?;
        next(triangle, &["endfacet"])?;
        facets.push(corners);
    }
}
