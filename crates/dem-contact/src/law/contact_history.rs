//! Contact histories: what laws keep of a contact from step to step, such as the stretch of a spring.
//!
//! Contacts store a history as a row of numbers. The [`Layout`] of the row says how each number changes if the contact
//! turns or splits, so that the library can store, restore and split histories without knowing their types.

use std::fmt::Debug;

use rrp_geom::glam::{DMat3, DVec3};

/// Kind of one entry of a contact history: how the entry changes if the contact turns or splits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Kind {
    /// Vector of three numbers in the world frame that turns with the contact, such as the stretch of a spring.
    Vector,
    /// Number that does not change if a contact turns or splits, such as an angle about the normal.
    Number,
    /// Sum over the life of a contact, such as a work: a number that starts at zero in a contact that splits off
    /// another one.
    Sum,
}

impl Kind {
    fn width(self) -> usize {
        if self == Self::Vector { 3 } else { 1 }
    }
}

/// Layout of a contact history: the kinds of its entries, in the order in which their numbers are stored.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(transparent))]
pub struct Layout(Vec<Kind>);

impl Layout {
    /// Returns the layout of contact histories of the type `M`.
    #[must_use]
    pub fn of<M: ContactHistory>() -> Self {
        let mut kinds = Vec::new();
        M::add_kinds(&mut kinds);
        Self(kinds)
    }

    /// Makes a layout of a contact's history from these entries, one after the other.
    #[must_use]
    pub fn new(kinds: impl IntoIterator<Item = Kind>) -> Self {
        Self(kinds.into_iter().collect())
    }

    #[must_use]
    pub(super) fn with(mut self, kind: Kind) -> Self {
        self.0.push(kind);
        self
    }

    /// Number of numbers in a contact history of this layout.
    #[must_use]
    pub fn width(&self) -> usize {
        self.0.iter().map(|kind| kind.width()).sum()
    }

    /// Turns the copy of a history into that of a contact that splits off at a [saddle](crate::wall::Saddle) of a wall:
    /// springs are kept, sums over the life of the contact start at zero.
    pub(crate) fn split_off(&self, history: &mut [f64]) {
        let mut at = 0;
        for kind in &self.0 {
            if *kind == Kind::Sum {
                history[at] = 0.0;
            }
            at += kind.width();
        }
    }
}

/// History of one contact, seen from one of its two bodies: from the body with the lower id, or from the body at a
/// wall. Ids never change, so a history is never reversed, even if bodies are renumbered.
///
/// A new contact begins with the default, whose numbers are all zero. Implement this trait by
/// [`contact_history!`](crate::contact_history); fields are vectors, numbers, [`Sum`]s and other histories.
pub trait ContactHistory: Copy + Default + Send + Sync + Debug + 'static {
    /// Number of numbers that store a contact history of this type.
    const WIDTH: usize;

    /// Appends the kinds of the entries of this history to `kinds`, the list of a history that contains this one.
    fn add_kinds(kinds: &mut Vec<Kind>);

    /// Reads the history of a contact from the numbers that store it.
    fn read(numbers: &[f64]) -> Self;

    /// Writes the history of a contact to the numbers that store it.
    fn write(&self, numbers: &mut [f64]);

    /// Returns the history with all of its vectors rotated by `rotation`, for a contact that turns.
    #[must_use]
    fn turned(self, rotation: &DMat3) -> Self;
}

/// Implements [`ContactHistory`](crate::law::ContactHistory) for a struct whose fields are all histories; name all
/// fields. A type parameter is a history, too.
///
/// ```
/// use dem_contact::contact_history;
/// use dem_contact::law::{ContactHistory, Sum};
/// use rrp_geom::glam::DVec3;
///
/// /// A spring that wears out.
/// #[derive(Debug, Clone, Copy, Default)]
/// struct Worn {
///     spring: DVec3,
///     wear: Sum,
/// }
///
/// contact_history!(Worn { spring: DVec3, wear: Sum });
/// assert_eq!(Worn::WIDTH, 4);
/// ```
#[macro_export]
macro_rules! contact_history {
    ($name:ident { $($field:ident: $type:ty),+ $(,)? }) => {
        $crate::contact_history!(@implement [] $name { $($field: $type),+ });
    };
    ($name:ident<$inner:ident> { $($field:ident: $type:ty),+ $(,)? }) => {
        $crate::contact_history!(
            @implement [<$inner: $crate::law::ContactHistory>] $name<$inner> { $($field: $type),+ }
        );
    };
    (@implement [$($generics:tt)*] $name:ty { $($field:ident: $type:ty),+ }) => {
        impl $($generics)* $crate::law::ContactHistory for $name {
            const WIDTH: usize = 0 $(+ <$type as $crate::law::ContactHistory>::WIDTH)+;

            fn add_kinds(kinds: &mut Vec<$crate::law::Kind>) {
                $(<$type as $crate::law::ContactHistory>::add_kinds(kinds);)+
            }

            #[inline(always)]
            fn read(numbers: &[f64]) -> Self {
                $(let ($field, numbers) = numbers.split_at(<$type as $crate::law::ContactHistory>::WIDTH);)+
                let _ = numbers;
                Self { $($field: <$type as $crate::law::ContactHistory>::read($field)),+ }
            }

            #[inline(always)]
            fn write(&self, numbers: &mut [f64]) {
                $(let ($field, numbers) = numbers.split_at_mut(<$type as $crate::law::ContactHistory>::WIDTH);)+
                let _ = numbers;
                $($crate::law::ContactHistory::write(&self.$field, $field);)+
            }

            #[inline(always)]
            fn turned(self, rotation: &rrp_geom::glam::DMat3) -> Self {
                Self { $($field: $crate::law::ContactHistory::turned(self.$field, rotation)),+ }
            }
        }
    };
}

/// Sum over the life of a contact, such as a work, as part of a history: zero in a contact that splits off another one.
/// Contacts split only at folds of walls, where a patch has a [`Saddle`](crate::wall::Saddle).
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Sum(pub f64);

impl ContactHistory for () {
    const WIDTH: usize = 0;

    fn add_kinds(_: &mut Vec<Kind>) {}

    #[inline(always)]
    fn read(_: &[f64]) -> Self {}

    #[inline(always)]
    fn write(&self, _: &mut [f64]) {}

    fn turned(self, _: &DMat3) -> Self {}
}

impl ContactHistory for DVec3 {
    const WIDTH: usize = 3;

    fn add_kinds(kinds: &mut Vec<Kind>) {
        kinds.push(Kind::Vector);
    }

    #[inline(always)]
    fn read(numbers: &[f64]) -> Self {
        Self::new(numbers[0], numbers[1], numbers[2])
    }

    #[inline(always)]
    fn write(&self, numbers: &mut [f64]) {
        numbers[0] = self.x;
        numbers[1] = self.y;
        numbers[2] = self.z;
    }

    #[inline(always)]
    fn turned(self, rotation: &DMat3) -> Self {
        *rotation * self
    }
}

impl ContactHistory for f64 {
    const WIDTH: usize = 1;

    fn add_kinds(kinds: &mut Vec<Kind>) {
        kinds.push(Kind::Number);
    }

    #[inline(always)]
    fn read(numbers: &[f64]) -> Self {
        numbers[0]
    }

    #[inline(always)]
    fn write(&self, numbers: &mut [f64]) {
        numbers[0] = *self;
    }

    #[inline(always)]
    fn turned(self, _: &DMat3) -> Self {
        self
    }
}

impl ContactHistory for Sum {
    const WIDTH: usize = 1;

    fn add_kinds(kinds: &mut Vec<Kind>) {
        kinds.push(Kind::Sum);
    }

    #[inline(always)]
    fn read(numbers: &[f64]) -> Self {
        Self(numbers[0])
    }

    #[inline(always)]
    fn write(&self, numbers: &mut [f64]) {
        numbers[0] = self.0;
    }

    #[inline(always)]
    fn turned(self, _: &DMat3) -> Self {
        self
    }
}

impl<A: ContactHistory, B: ContactHistory> ContactHistory for (A, B) {
    const WIDTH: usize = A::WIDTH + B::WIDTH;

    fn add_kinds(kinds: &mut Vec<Kind>) {
        A::add_kinds(kinds);
        B::add_kinds(kinds);
    }

    #[inline(always)]
    fn read(numbers: &[f64]) -> Self {
        (A::read(&numbers[..A::WIDTH]), B::read(&numbers[A::WIDTH..]))
    }

    #[inline(always)]
    fn write(&self, numbers: &mut [f64]) {
        self.0.write(&mut numbers[..A::WIDTH]);
        self.1.write(&mut numbers[A::WIDTH..]);
    }

    #[inline(always)]
    fn turned(self, rotation: &DMat3) -> Self {
        (self.0.turned(rotation), self.1.turned(rotation))
    }
}

impl<M: ContactHistory, const N: usize> ContactHistory for [M; N]
where
    Self: Default,
{
    const WIDTH: usize = N * M::WIDTH;

    fn add_kinds(kinds: &mut Vec<Kind>) {
        (0..N).for_each(|_| M::add_kinds(kinds));
    }

    #[inline(always)]
    fn read(numbers: &[f64]) -> Self {
        std::array::from_fn(|k| M::read(&numbers[k * M::WIDTH..(k + 1) * M::WIDTH]))
    }

    #[inline(always)]
    fn write(&self, numbers: &mut [f64]) {
        for (k, part) in self.iter().enumerate() {
            part.write(&mut numbers[k * M::WIDTH..(k + 1) * M::WIDTH]);
        }
    }

    #[inline(always)]
    fn turned(self, rotation: &DMat3) -> Self {
        self.map(|part| part.turned(rotation))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Clone, Copy, PartialEq, Default)]
    struct Nested<M> {
        inner: M,
        work: Sum,
        sheets: [(DVec3, f64); 2],
    }

    contact_history!(Nested<M> { inner: M, work: Sum, sheets: [(DVec3, f64); 2] });

    type History = Nested<DVec3>;

    fn numbered() -> [f64; 12] {
        std::array::from_fn(|k| 1.0 + k as f64)
    }

    #[test]
    fn a_history_is_what_its_numbers_say_and_a_new_one_is_zero() {
        assert_eq!(History::WIDTH, 12);
        let layout = Layout::of::<History>();
        let parts = [Kind::Vector, Kind::Sum, Kind::Vector, Kind::Number, Kind::Vector, Kind::Number];
        assert_eq!((layout.width(), layout), (12, Layout::new(parts)));
        let history = History::read(&numbered());
        assert_eq!((history.inner, history.work, history.sheets[1].1), (DVec3::new(1.0, 2.0, 3.0), Sum(4.0), 12.0));
        let mut written = [0.0; 12];
        history.write(&mut written);
        assert_eq!(written.map(f64::to_bits), numbered().map(f64::to_bits));
        History::default().write(&mut written);
        assert_eq!(written.map(f64::to_bits), [0; 12]);
    }

    #[test]
    fn vectors_turn_and_a_contact_that_splits_off_forgets_its_sums_only() {
        let quarter = DMat3::from_rotation_z(0.5 * std::f64::consts::PI);
        let turned = History::read(&numbered()).turned(&quarter);
        assert!((turned.inner - DVec3::new(-2.0, 1.0, 3.0)).length() < 1e-15);
        assert_eq!((turned.work, turned.sheets[0].1), (Sum(4.0), 8.0));
        let mut row = numbered();
        Layout::of::<History>().split_off(&mut row);
        let expected: [f64; 12] = std::array::from_fn(|k| if k == 3 { 0.0 } else { 1.0 + k as f64 });
        assert_eq!(row.map(f64::to_bits), expected.map(f64::to_bits));
    }
}
