use std::borrow::Cow;

const CUT_SHORT: &str = "is cut short";
pub(super) const OTHER_LENGTH: &str = "has another length than the number of points asks for";

/// Storage of the bytes of arrays in a VTK file: width of lengths, and compression.
#[derive(Debug, Clone, Copy)]
pub(super) struct Storage {
    /// Number of bytes, 4 or 8, of each length in the header of an array.
    pub(super) word: usize,
    pub(super) is_compressed: bool,
}

impl Storage {
    /// Returns the bytes of the VTK array whose lengths begin at `offset`, decompressed if they are compressed. A
    /// compressed array with more than `wanted` bytes is refused before memory is reserved for it.
    ///
    /// # Errors
    /// A description of the problem, for [`FileError::Vtk`](crate::error::FileError::Vtk).
    pub(super) fn array<'a>(
        self,
        bytes: &'a [u8],
        offset: usize,
        wanted: usize,
    ) -> Result<Cow<'a, [u8]>, &'static str> {
        let bytes = bytes.get(offset..).ok_or(CUT_SHORT)?;
        if self.is_compressed {
            return self.unpacked(bytes, wanted).map(Cow::Owned);
        }
        let (length, rest) = self.number(bytes)?;
        rest.get(..length).map(Cow::Borrowed).ok_or(CUT_SHORT)
    }

    /// Reads the length at the start of `bytes`; also returns the bytes after it.
    fn number(self, bytes: &[u8]) -> Result<(usize, &[u8]), &'static str> {
        let (word, rest) = bytes.split_at_checked(self.word).ok_or(CUT_SHORT)?;
        let number = word.iter().rev().fold(0, |sum: u64, &byte| sum << 8 | u64::from(byte));
        Ok((usize::try_from(number).map_err(|_| CUT_SHORT)?, rest))
    }

    #[cfg(not(feature = "gzip"))]
    fn unpacked(self, _: &[u8], _: usize) -> Result<Vec<u8>, &'static str> {
        Err("is compressed, which is not read")
    }

    /// Decompresses all blocks of a VTK array; more than `wanted` bytes are an error.
    #[cfg(feature = "gzip")]
    fn unpacked(self, bytes: &[u8], wanted: usize) -> Result<Vec<u8>, &'static str> {
        let (count, rest) = self.number(bytes)?;
        let (whole, rest) = self.number(rest)?;
        let (last, rest) = self.number(rest)?;
        let (mut sizes, mut blocks) = rest.split_at_checked(count.saturating_mul(self.word)).ok_or(CUT_SHORT)?;
        let mut unpacked = Vec::new();
        for block in 1..=count {
            let length = if block == count && last > 0 { last } else { whole };
            if length > wanted.saturating_sub(unpacked.len()) {
                return Err(OTHER_LENGTH);
            }
            let size;
            (size, sizes) = self.number(sizes)?;
            let (packed, after) = blocks.split_at_checked(size).ok_or(CUT_SHORT)?;
            append_inflated(packed, length, &mut unpacked)?;
            blocks = after;
        }
        Ok(unpacked)
    }
}

/// Decompresses the zlib bytes `packed` to exactly `length` bytes, which are appended.
#[cfg(feature = "gzip")]
fn append_inflated(packed: &[u8], length: usize, to: &mut Vec<u8>) -> Result<(), &'static str> {
    use std::io::Read as _;

    let before = to.len();
    let read = flate2::bufread::ZlibDecoder::new(packed).take(length as u64 + 1).read_to_end(to);
    match read {
        Ok(_) if to.len() - before == length => Ok(()),
        Ok(_) => Err("has a compressed block of another length than it says"),
        Err(_) => Err("has a compressed block that is damaged"),
    }
}
