use std::io::{self, Write};

/// Number of bytes of a VTK array that are compressed together as a block.
#[cfg(feature = "gzip")]
const BLOCK: usize = 1 << 18;

/// Encoding of the numbers of a `.vtp` file. By default arrays are not compressed, and real numbers are `Float64`.
#[derive(Debug, Clone, Copy, Default)]
pub struct VtpEncoding {
    /// Whether arrays are compressed; never without the feature `gzip`.
    pub(super) is_compressed: bool,
    is_single: bool,
}

impl VtpEncoding {
    /// Returns this encoding with compressed arrays, which needs the feature `gzip`.
    #[cfg(feature = "gzip")]
    #[must_use]
    pub fn compressed(self) -> Self {
        Self { is_compressed: true, ..self }
    }

    /// Returns this encoding with real numbers as `Float32`, with half the size of `Float64` and seven digits. Integers
    /// keep their type.
    #[must_use]
    pub fn in_single_precision(self) -> Self {
        Self { is_single: true, ..self }
    }
}

/// A named array of numbers, stored as little-endian bytes after their lengths in the appended block of a VTK file.
#[derive(Debug)]
pub(super) struct DataArray {
    name: &'static str,
    kind: &'static str,
    components: usize,
    /// Header as bytes: the length of the array, or the lengths of its compressed blocks.
    lengths: Vec<u8>,
    bytes: Vec<u8>,
}

impl DataArray {
    pub(super) fn floats<const N: usize>(name: &'static str, rows: impl IntoIterator<Item = [f64; N]>) -> Self {
        Self::new(name, "Float64", N, rows.into_iter().flatten().flat_map(f64::to_le_bytes).collect())
    }

    pub(super) fn integers(name: &'static str, numbers: impl IntoIterator<Item = i64>) -> Self {
        Self::new(name, "Int64", 1, numbers.into_iter().flat_map(i64::to_le_bytes).collect())
    }

    fn new(name: &'static str, kind: &'static str, components: usize, bytes: Vec<u8>) -> Self {
        Self { name, kind, components, lengths: words(&[bytes.len()]), bytes }
    }

    pub(super) fn encoded(self, encoding: VtpEncoding) -> io::Result<Self> {
        let array = if encoding.is_single { self.in_single_precision() } else { self };
        #[cfg(feature = "gzip")]
        if encoding.is_compressed {
            return array.compressed();
        }
        Ok(array)
    }

    /// Converts an array of real numbers to `Float32`; keeps an array of integers.
    fn in_single_precision(self) -> Self {
        if self.kind != "Float64" {
            return self;
        }
        let numbers = self.bytes.as_chunks::<8>().0.iter().map(|&bytes| f64::from_le_bytes(bytes) as f32);
        Self::new(self.name, "Float32", self.components, numbers.flat_map(f32::to_le_bytes).collect())
    }

    /// Compresses the array by zlib in blocks. The header then holds the number of blocks, the uncompressed lengths of
    /// a full block and of a shorter last one (zero if there is none), and the compressed length of each block.
    #[cfg(feature = "gzip")]
    fn compressed(self) -> io::Result<Self> {
        let mut bytes = Vec::new();
        let mut lengths = vec![0, BLOCK, self.bytes.len() % BLOCK];
        for block in self.bytes.chunks(BLOCK) {
            let before = bytes.len();
            let mut encoder = flate2::write::ZlibEncoder::new(&mut bytes, flate2::Compression::fast());
            encoder.write_all(block)?;
            encoder.finish()?;
            lengths.push(bytes.len() - before);
        }
        lengths[0] = lengths.len() - 3;
        Ok(Self { lengths: words(&lengths), bytes, ..self })
    }

    /// Writes the XML tag of the array with the offset of its bytes in the appended block, and advances the offset.
    pub(super) fn tag(&self, offset: &mut u64, to: &mut dyn Write) -> io::Result<()> {
        let Self { name, kind, components, lengths, bytes } = self;
        writeln!(
            to,
            "<DataArray type=\"{kind}\" Name=\"{name}\" NumberOfComponents=\"{components}\" format=\"appended\" offset=\"{offset}\"/>"
        )?;
        *offset += (lengths.len() + bytes.len()) as u64;
        Ok(())
    }

    pub(super) fn append(&self, to: &mut dyn Write) -> io::Result<()> {
        to.write_all(&self.lengths)?;
        to.write_all(&self.bytes)
    }
}

fn words(numbers: &[usize]) -> Vec<u8> {
    numbers.iter().flat_map(|&number| (number as u64).to_le_bytes()).collect()
}
