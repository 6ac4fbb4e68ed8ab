//! Tells fields of different types apart.

/// A hash of the names of the types that a force field is made of.
///
/// A state stores the kind of the field that evaluated its wrenches, so that a field of another type does not start
/// from them. Kinds are compared within one process only, and never stored: compilers may name types differently.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FieldKind(u64);

impl FieldKind {
    /// The kind of a field whose parts have the names that `each_name` shows, in this order.
    pub(crate) fn of_names(each_name: impl FnOnce(&mut dyn FnMut(&'static str))) -> Self {
        let mut hash = 0_u64;
        // The mixing of FxHash: each word changes the hash by a bijection.
        let mut mix = |word: u64| hash = (hash.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95);
        each_name(&mut |name| {
            let (words, rest) = name.as_bytes().as_chunks::<8>();
            words.iter().for_each(|word| mix(u64::from_le_bytes(*word)));
            mix(rest.iter().fold(1, |word, &byte| word << 8 | u64::from(byte)));
        });
        Self(hash)
    }
}
