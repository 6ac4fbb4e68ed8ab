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

/// A frame does not fit into a view.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ViewError {
    /// Numbers of centres and radii of the frame differ.
    #[error("frame {frame} has {centres} centres and {radii} radii")]
    Radii {
        /// Number of the frame, from 0.
        frame: usize,
        /// Number of centres of the frame.
        centres: usize,
        /// Number of radii of the frame.
        radii: usize,
    },
    /// The frame has other columns than the view.
    #[error("frame {frame} has {found} columns, the view has {expected}")]
    Columns {
        /// Number of the frame, from 0.
        frame: usize,
        /// Number of columns of the view.
        expected: usize,
        /// Number of columns of the frame.
        found: usize,
    },
    /// Numbers of centres and of values in a column of the frame differ.
    #[error("frame {frame} has {centres} centres, and {values} values in column {column}")]
    Values {
        /// Number of the frame, from 0.
        frame: usize,
        /// Number of the column, from 0.
        column: usize,
        /// Number of centres of the frame.
        centres: usize,
        /// Number of values in the column.
        values: usize,
    },
    /// More grains, contacts, bonds or triangles than a page can show.
    #[error("frame {frame} has {count} grains, contacts, bonds or triangles, and a page shows at most {most}")]
    TooMany {
        /// Number of the frame, from 0.
        frame: usize,
        /// Number of grains, contacts, bonds or triangles of the frame.
        count: usize,
        /// Largest number of grains, contacts, bonds or triangles of a frame that a page shows.
        most: usize,
    },
}
