//! The text format of Siconos for friction problems whose matrix is in blocks.
//!
//! The file has these numbers: dimension, contacts; kind of matrix (1), rows, columns; number of blocks, block rows,
//! block columns; for every block the last row and the last column, plus one; the lengths of both index arrays of the
//! blocks by rows, and the arrays; the blocks, each after its number, column by column; q; μ.

use std::fmt::Write as _;
use std::str::FromStr;

use crate::fclib::{FclibError, StoredProblem};
use crate::friction::block_matrix::{BlockMatrix, Entry};

/// Reads a friction problem u = W r + q from a text of Siconos.
///
/// # Errors
/// [`FclibError`]; matrices that are not in blocks of three rows are [`Unsupported`](FclibError::Unsupported).
pub fn read_text(text: &str) -> Result<StoredProblem, FclibError> {
    let mut numbers = Numbers(text.split_ascii_whitespace());
    if numbers.count("dimension")? != 3 {
        return Err(FclibError::Unsupported { what: "contacts that are not in space" });
    }
    let contacts = numbers.count("contacts")?;
    if numbers.count("kind of matrix")? != 1 {
        return Err(FclibError::Unsupported { what: "a matrix that is not in blocks" });
    }
    numbers.expect("rows", 3 * contacts)?;
    numbers.expect("columns", 3 * contacts)?;
    let blocks = numbers.count("blocks")?;
    numbers.expect("block rows", contacts)?;
    numbers.expect("block columns", contacts)?;
    for what in ["end of block row", "end of block column"] {
        for contact in 0..contacts {
            numbers.expect(what, 3 * (contact + 1))?;
        }
    }
    numbers.expect("row starts", contacts + 1)?;
    numbers.expect("block columns", blocks)?;
    let starts = numbers.many::<usize>("row starts", contacts + 1)?;
    let columns = numbers.many::<usize>("block columns", blocks)?;
    let malformed = |reason: &str| FclibError::Malformed { what: "blocks".to_owned(), reason: reason.to_owned() };
    if starts.first() != Some(&0) || starts.last() != Some(&blocks) || starts.windows(2).any(|w| w[0] > w[1]) {
        return Err(malformed("the row starts do not rise from 0 to the number of blocks"));
    }
    if columns.iter().any(|&column| column >= contacts) {
        return Err(malformed("a column is no contact"));
    }
    let mut entries = Vec::new();
    for (i, range) in starts.windows(2).enumerate() {
        for (k, &j) in columns.iter().enumerate().take(range[1]).skip(range[0]) {
            numbers.expect("number of a block", k)?;
            for e in 0..9 {
                let value = numbers.finite("block")?;
                entries.push(Entry { row: 3 * i + e % 3, column: 3 * j + e / 3, value });
            }
        }
    }
    let offset = numbers.many("q", 3 * contacts)?;
    let sliding = numbers.many("mu", contacts)?;
    let matrix = BlockMatrix::from_entries(3, contacts, entries);
    Ok(StoredProblem { title: String::new(), matrix, offset, sliding, rolling: Vec::new() })
}

/// Writes a friction problem of contacts that resist only sliding as text of Siconos, with all digits.
///
/// # Errors
/// [`FclibError::Unsupported`] if contacts resist rolling.
pub fn write_text(problem: &StoredProblem) -> Result<String, FclibError> {
    let matrix = &problem.matrix;
    if matrix.block() != 3 {
        return Err(FclibError::Unsupported { what: "contacts that roll, as text" });
    }
    let contacts = matrix.contacts();
    let blocks = matrix.blocks();
    let mut text = format!("3\n{contacts}\n1\n{0}\n{0}\n{blocks}\n{contacts}\n{contacts}\n", 3 * contacts);
    let line = |numbers: &mut dyn Iterator<Item = String>| numbers.collect::<Vec<_>>().join("\t") + "\n";
    for _ in 0..2 {
        text += &line(&mut (1..=contacts).map(|i| (3 * i).to_string()));
    }
    text += &format!("{}\n{blocks}\n", contacts + 1);
    text += &line(&mut (0..contacts).map(|i| matrix.row(i).start).chain([blocks]).map(|start| start.to_string()));
    text += &line(&mut (0..blocks).map(|k| matrix.column(k).to_string()));
    for (k, block) in matrix.values::<3>().iter().enumerate() {
        let _ = writeln!(text, "{k}");
        for e in 0..9 {
            let _ = writeln!(text, "{:e}", block[e % 3][e / 3]);
        }
    }
    text += &line(&mut problem.offset.iter().map(|q| format!("{q:e}")));
    text += &line(&mut problem.sliding.iter().map(|mu| format!("{mu:e}")));
    Ok(text)
}

/// Reads the words of a text one after another as numbers.
struct Numbers<'a>(std::str::SplitAsciiWhitespace<'a>);

impl Numbers<'_> {
    fn next<T: FromStr>(&mut self, what: &str) -> Result<T, FclibError> {
        let word = self.0.next().ok_or_else(|| FclibError::Missing { what: what.to_owned() })?;
        let malformed = |_| FclibError::Malformed { what: what.to_owned(), reason: format!("'{word}' is no number") };
        word.parse().map_err(malformed)
    }

    fn count(&mut self, what: &str) -> Result<usize, FclibError> {
        let found: usize = self.next(what)?;
        let limit = i32::MAX as usize / 9;
        if found <= limit {
            return Ok(found);
        }
        Err(FclibError::Malformed { what: what.to_owned(), reason: format!("{found} is more than {limit}") })
    }

    fn expect(&mut self, what: &str, expected: usize) -> Result<(), FclibError> {
        let found: usize = self.next(what)?;
        if found == expected {
            return Ok(());
        }
        Err(FclibError::Malformed { what: what.to_owned(), reason: format!("{found}, not {expected}") })
    }

    fn finite(&mut self, what: &str) -> Result<f64, FclibError> {
        let found: f64 = self.next(what)?;
        if found.is_finite() {
            return Ok(found);
        }
        Err(FclibError::Malformed { what: what.to_owned(), reason: format!("{found} is not finite") })
    }

    fn many<T: FromStr>(&mut self, what: &str, count: usize) -> Result<Vec<T>, FclibError> {
        (0..count).map(|_| self.next(what)).collect()
    }
}
