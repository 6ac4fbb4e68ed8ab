//! The font of bitmaps: letters, digits and signs of `DejaVu Sans`, so that pictures are equal on all systems.

use std::sync::OnceLock;

use plotters::style::{FontStyle, register_font};

use crate::error::PlotError;

const SANS: &[u8] = include_bytes!("../fonts/dejavu-sans-subset.ttf");
const BOLD: &[u8] = include_bytes!("../fonts/dejavu-sans-bold-subset.ttf");

/// Registers the font with plotters, once per process.
pub(crate) fn register() -> Result<(), PlotError> {
    static DONE: OnceLock<bool> = OnceLock::new();
    let is_known = DONE.get_or_init(|| {
        let faces = [(FontStyle::Normal, SANS), (FontStyle::Bold, BOLD)];
        faces.into_iter().all(|(style, bytes)| register_font("sans-serif", style, bytes).is_ok())
    });
    if *is_known { Ok(()) } else { Err(PlotError::new("the font of pictures cannot be read")) }
}
