//! Random damage to files.

use crate::support::random;

/// Replacements for numbers of a scene.
const NUMBERS: &str = "0 -1 1 2 3.5 0.0 -0.0 1e-300 -1e300 1e308 nan inf -inf 1e-9 1e9 255 4096 2147483648 \
                       9223372036854775807 99999999999999999999 0.5 1e3";

/// Changes a text at random in one of many ways.
pub(crate) fn change(text: &mut Vec<u8>, seed: &mut u64) {
    let mut below = |limit: usize| random(seed, limit.max(1) as u64) as usize;
    let from = below(text.len());
    let length = below(12);
    let span = from..(from + length).min(text.len());
    let way = below(9);
    match way {
        0 if !text.is_empty() => text[from] ^= 1 << below(8),
        1 => {
            text.drain(span);
        }
        2 => {
            let copy = text[span].to_vec();
            text.splice(from..from, copy);
        }
        3 => text.truncate(from),
        4 => {
            text.splice(from..from, [0xf0, 0x9f, 0xa6, 0x80, 0x00, 0xff][..1 + length % 6].iter().copied());
        }
        5 | 6 => {
            // Replaces a number or word.
            let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b".-+_\"".contains(byte);
            let mut words: Vec<std::ops::Range<usize>> = Vec::new();
            let mut begin = None;
            for (k, byte) in text.iter().chain([&b' ']).enumerate() {
                match (begin, is_part(byte)) {
                    (None, true) => begin = Some(k),
                    (Some(first), false) => {
                        words.push(first..k);
                        begin = None;
                    }
                    _ => {}
                }
            }
            if words.is_empty() {
                return;
            }
            let is_number =
                |word: &&std::ops::Range<usize>| text[word.start].is_ascii_digit() || text[word.start] == b'-';
            let numbers: Vec<_> = words.iter().filter(is_number).cloned().collect();
            let (word, new) = if way == 5 && !numbers.is_empty() {
                let texts: Vec<&str> = NUMBERS.split_whitespace().collect();
                (numbers[below(numbers.len())].clone(), texts[below(texts.len())].as_bytes().to_vec())
            } else {
                let other = words[below(words.len())].clone();
                (words[below(words.len())].clone(), text[other].to_vec())
            };
            text.splice(word, new);
        }
        _ => {
            // Removes, repeats or moves a line.
            let mut lines: Vec<Vec<u8>> = text.split_inclusive(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect();
            let one = below(lines.len());
            let other = below(lines.len());
            if lines.is_empty() {
                return;
            }
            let line = if way == 7 { lines.remove(one) } else { lines[one].clone() };
            if below(2) == 0 {
                lines.insert(other.min(lines.len()), line);
            }
            *text = lines.concat();
        }
    }
}

/// Gives a damaged checkpoint the right checksums, so that its contents are read.
pub(crate) fn fit(bytes: &mut [u8]) {
    if bytes.len() < 28 {
        return;
    }
    let (header, payload) = bytes.split_at_mut(28);
    header[12..20].copy_from_slice(&(payload.len() as u64).to_le_bytes());
    header[20..24].copy_from_slice(&crc32fast::hash(payload).to_le_bytes());
    let sum = crc32fast::hash(&header[..24]).to_le_bytes();
    header[24..28].copy_from_slice(&sum);
}
