//! Histories as rows of numbers, each with its key.

/// Contact histories as rows of numbers, each with a key; rows may differ in width.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "StoredRows<K>"))]
#[cfg_attr(feature = "serde", serde(bound(deserialize = "K: serde::Deserialize<'de>")))]
pub(crate) struct KeyedRows<K> {
    keys: Vec<K>,
    /// For each key, the index after the last number of its history in `numbers`.
    ends: Vec<usize>,
    numbers: Vec<f64>,
}

#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
struct StoredRows<K> {
    keys: Vec<K>,
    ends: Vec<usize>,
    numbers: Vec<f64>,
}

#[cfg(feature = "serde")]
impl<K> TryFrom<StoredRows<K>> for KeyedRows<K> {
    type Error = &'static str;

    fn try_from(StoredRows { keys, ends, numbers }: StoredRows<K>) -> Result<Self, Self::Error> {
        let is_whole =
            keys.len() == ends.len() && ends.is_sorted() && ends.last().copied().unwrap_or(0) == numbers.len();
        if is_whole { Ok(Self { keys, ends, numbers }) } else { Err("rows of histories that do not fit their keys") }
    }
}

impl<K> Default for KeyedRows<K> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K> KeyedRows<K> {
    pub(crate) const fn new() -> Self {
        Self { keys: Vec::new(), ends: Vec::new(), numbers: Vec::new() }
    }

    pub(super) fn with_capacity(keys: usize, numbers: usize) -> Self {
        Self { keys: Vec::with_capacity(keys), ends: Vec::with_capacity(keys), numbers: Vec::with_capacity(numbers) }
    }

    pub(crate) fn push(&mut self, key: K, row: &[f64]) {
        self.keys.push(key);
        self.numbers.extend_from_slice(row);
        self.ends.push(self.numbers.len());
    }

    pub(in crate::force) fn len(&self) -> usize {
        self.keys.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    pub(in crate::force) fn keys(&self) -> &[K] {
        &self.keys
    }

    pub(in crate::force) fn keys_mut(&mut self) -> &mut [K] {
        &mut self.keys
    }

    pub(in crate::force) fn row(&self, index: usize) -> &[f64] {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.numbers[start..self.ends[index]]
    }

    pub(in crate::force) fn iter(&self) -> impl Iterator<Item = (&K, &[f64])> + Clone {
        self.keys.iter().enumerate().map(|(index, key)| (key, self.row(index)))
    }

    /// Drops all contact histories, but keeps the capacity of the vectors.
    pub(in crate::force) fn clear(&mut self) {
        self.keys.clear();
        self.ends.clear();
        self.numbers.clear();
    }
}

impl<K: Copy> KeyedRows<K> {
    pub(in crate::force) fn extend(&mut self, others: &Self) {
        others.iter().for_each(|(key, row)| self.push(*key, row));
    }

    pub(in crate::force) fn filtered(&self, mut is_wanted: impl FnMut(&K) -> bool) -> Self {
        let mut wanted = Self::new();
        for (key, row) in self.iter() {
            if is_wanted(key) {
                wanted.push(*key, row);
            }
        }
        wanted
    }

    /// Sorts the histories by the value of `of_key` for each key; histories with equal values keep their order.
    pub(in crate::force) fn sorted_by_key<O: Ord>(mut self, of_key: impl Fn(&K) -> O) -> Self {
        if self.keys.is_sorted_by_key(&of_key) {
            return self;
        }
        let mut order: Vec<u32> = (0..self.keys.len() as u32).collect();
        order.sort_by_key(|&index| of_key(&self.keys[index as usize]));
        let width = self.ends.first().copied().unwrap_or(0);
        if self.ends.iter().enumerate().all(|(index, &end)| end == (index + 1) * width) {
            self.permute(&mut order, width);
            return self;
        }
        let mut sorted = Self::with_capacity(self.keys.len(), self.numbers.len());
        order.iter().for_each(|&index| sorted.push(self.keys[index as usize], self.row(index as usize)));
        sorted
    }

    /// Permutes histories of one width in place, cycle by cycle: a second copy of all histories would add to the peak
    /// memory while a new neighbour list is made. `order[i]` is the present index of the history that moves to index i;
    /// `order` is overwritten.
    fn permute(&mut self, order: &mut [u32], width: usize) {
        for start in 0..order.len() {
            let mut at = start;
            loop {
                let from = order[at] as usize;
                order[at] = at as u32;
                if from == start {
                    break;
                }
                self.keys.swap(at, from);
                let low = at.min(from);
                let high = at.max(from);
                let (left, right) = self.numbers.split_at_mut(high * width);
                left[low * width..(low + 1) * width].swap_with_slice(&mut right[..width]);
                at = from;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows() -> KeyedRows<u32> {
        let mut rows = KeyedRows::new();
        for (key, row) in [(3, &[1.0, 2.0][..]), (1, &[]), (2, &[3.0]), (1, &[4.0, 5.0, 6.0])] {
            rows.push(key, row);
        }
        rows
    }

    #[test]
    fn rows_go_with_their_keys() {
        let sorted = rows().sorted_by_key(|&key| key);
        let found: Vec<(u32, Vec<f64>)> = sorted.iter().map(|(&key, row)| (key, row.to_vec())).collect();
        let expected = [(1, vec![]), (1, vec![4.0, 5.0, 6.0]), (2, vec![3.0]), (3, vec![1.0, 2.0])];
        assert_eq!(found, expected);
        let mut ones = rows().filtered(|&key| key == 1);
        assert_eq!((ones.keys(), &ones.numbers), (&[1, 1][..], &vec![4.0, 5.0, 6.0]));
        ones.extend(&rows());
        assert_eq!((ones.len(), ones.row(1)[0], ones.row(5)), (6, 4.0, &[4.0, 5.0, 6.0][..]));
    }

    #[test]
    fn rows_of_one_width_are_sorted_in_their_place() {
        let mut rows = KeyedRows::new();
        for key in 0..100_u32 {
            let key = key * 37 % 101 / 2;
            rows.push(key, &[f64::from(key), f64::from(rows.len() as u32)]);
        }
        let sorted = rows.sorted_by_key(|&key| key);
        assert!(sorted.keys().is_sorted());
        let numbers: Vec<[f64; 2]> = sorted.iter().map(|(_, row)| [row[0], row[1]]).collect();
        assert!(sorted.iter().all(|(&key, row)| row[0].to_bits() == f64::from(key).to_bits()));
        assert!(numbers.is_sorted_by(|a, b| a[0] < b[0] || a[0] <= b[0] && a[1] < b[1]));
    }

    #[cfg(feature = "serde")]
    #[test]
    fn stored_rows_that_do_not_fit_are_refused() {
        let text = serde_json::to_string(&rows()).unwrap();
        assert_eq!(serde_json::from_str::<KeyedRows<u32>>(&text).unwrap().numbers, rows().numbers);
        for (good, bad) in [("[2,2,3,6]", "[2,2,3,7]"), ("[2,2,3,6]", "[2,4,3,6]"), ("[2,2,3,6]", "[2,2,6]")] {
            assert!(text.contains(good));
            assert!(serde_json::from_str::<KeyedRows<u32>>(&text.replace(good, bad)).is_err(), "{bad}");
        }
    }
}
