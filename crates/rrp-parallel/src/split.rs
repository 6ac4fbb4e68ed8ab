/// Number of rows and number of parts in a run of consecutive parts, which [`Split::cut`] cuts off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extent {
    /// Number of rows of the loop in this run of consecutive parts.
    pub rows: usize,
    /// Number of parts of the loop in this run of consecutive parts.
    pub parts: usize,
}

/// Columns: slices with a value for each row of a loop, which can be cut at a row. Tuples, arrays and options of
/// columns are columns too, and so are structs with [`split_fields!`](crate::split_fields).
pub trait Split: Sized + Send {
    /// Cuts off and returns the rows of the first parts of a loop; `self` keeps the remaining rows.
    #[must_use]
    fn cut(&mut self, first: Extent) -> Self;
}

/// A slice is a [column](Split) with a value for each row of a loop; an empty slice is an unused column.
impl<T: Sync> Split for &[T] {
    fn cut(&mut self, first: Extent) -> Self {
        self.split_off(..first.rows.min(self.len())).unwrap_or_default()
    }
}

/// A mutable slice is a [column](Split) with a value for each row of a loop; an empty slice is an unused column.
impl<T: Send> Split for &mut [T] {
    fn cut(&mut self, first: Extent) -> Self {
        self.split_off_mut(..first.rows.min(self.len())).unwrap_or_default()
    }
}

/// A [column](Split) with a value for each part of a loop instead of each row; an empty one is unused.
#[derive(Debug)]
pub struct PerPart<'a, T>(pub &'a mut [T]);

impl<T: Send> Split for PerPart<'_, T> {
    fn cut(&mut self, first: Extent) -> Self {
        Self(self.0.split_off_mut(..first.parts.min(self.0.len())).unwrap_or_default())
    }
}

impl<T: Split> Split for Option<T> {
    fn cut(&mut self, first: Extent) -> Self {
        self.as_mut().map(|columns| columns.cut(first))
    }
}

impl<T: Split, const N: usize> Split for [T; N] {
    fn cut(&mut self, first: Extent) -> Self {
        self.each_mut().map(|column| column.cut(first))
    }
}

impl Split for () {
    fn cut(&mut self, _: Extent) {}
}

macro_rules! split_tuple {
    ($($name:ident),+) => {
        impl<$($name: Split),+> Split for ($($name,)+) {
            #[allow(non_snake_case, reason = "the columns are named after their types")]
            fn cut(&mut self, first: Extent) -> Self {
                let ($($name,)+) = self;
                ($($name.cut(first),)+)
            }
        }
    };
}
split_tuple!(A, B);
split_tuple!(A, B, C);
split_tuple!(A, B, C, D);
split_tuple!(A, B, C, D, E);

/// Implements [`Split`] for a struct with one lifetime whose fields are columns.
#[macro_export]
macro_rules! split_fields {
    ($name:ident { $($field:ident),+ }) => {
        impl $crate::Split for $name<'_> {
            fn cut(&mut self, first: $crate::Extent) -> Self {
                Self { $($field: $crate::Split::cut(&mut self.$field, first)),+ }
            }
        }
    };
}
