//! Errors of plots, pictures and views.

/// A plot or picture could not be drawn or encoded.
#[derive(Debug, thiserror::Error)]
#[error("the picture cannot be drawn: {problem}")]
pub struct PlotError {
    problem: String,
}

impl PlotError {
    pub(crate) fn new(error: impl std::fmt::Display) -> Self {
        Self { problem: error.to_string() }
    }
}

/// Reason why a view refuses a frame.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ViewError {
    /// The frame has another number of radii than of centres.
    #[error("frame {frame} has {centres} centres and {radii} radii")]
    Radii {
        /// Index of the refused frame, counted from 0.
        frame: usize,
        /// Number of centres of the frame.
        centres: usize,
        /// Number of radii of the frame.
        radii: usize,
    },
    /// The frame has another number of columns than the view.
    #[error("frame {frame} has {found} columns, the view has {expected}")]
    Columns {
        /// Index of the refused frame, counted from 0.
        frame: usize,
        /// Number of columns of the view.
        expected: usize,
        /// Number of columns of the frame.
        found: usize,
    },
    /// A column of the frame has another number of values than the frame has centres.
    #[error("frame {frame} has {centres} centres, and {values} values in column {column}")]
    Values {
        /// Index of the refused frame, counted from 0.
        frame: usize,
        /// Index of the column, counted from 0.
        column: usize,
        /// Number of centres of the frame.
        centres: usize,
        /// Number of values in the column.
        values: usize,
    },
    /// The frame has more grains, contacts, bonds or triangles than a page can show.
    #[error("frame {frame} has {count} grains, contacts, bonds or triangles, and a page shows at most {most}")]
    TooMany {
        /// Index of the refused frame, counted from 0.
        frame: usize,
        /// Number of grains, contacts, bonds or triangles of the frame.
        count: usize,
        /// Largest number of grains, contacts, bonds or triangles of a frame that a page shows.
        most: usize,
    },
}
