//! Colours of plots on light and dark pages.
//!
//! The test in `tests/browser` measures the contrast of the colours with the background of the page, and how different
//! the colours of two series look.

pub(super) const PAPER: u32 = 0xFF_FFFF;
pub(super) const INK: u32 = 0x1F_2328;
pub(crate) const FAINT: u32 = 0x59_636E;
pub(super) const GRID: u32 = 0xE4_E7EB;
pub(super) const FRAME: u32 = 0xAF_B8C1;
pub(super) const BAND: u32 = 0xCD_D5DD;

/// A colour of series on light and on dark pages.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hue {
    pub(super) light: u32,
    dark: u32,
}

/// Number of different colours of series. Further series repeat the colours with dashed lines.
pub(super) const COLOURS: usize = 7;

/// Colours of series, chosen to look as different as possible, also for readers who do not see green.
const HUES: [Hue; COLOURS] = [
    Hue { light: 0x0E_488C, dark: 0x22_84F4 },
    Hue { light: 0x94_3B05, dark: 0xBB_4E06 },
    Hue { light: 0x35_7061, dark: 0x4B_F5F1 },
    Hue { light: 0xFC_1B91, dark: 0xF9_057F },
    Hue { light: 0xCE_7115, dark: 0xF1_D021 },
    Hue { light: 0x3D_9CB2, dark: 0x64_9BA3 },
    Hue { light: 0x0D_2629, dark: 0xDF_D3BD },
];

/// Dashes of series that use a colour for the first, second and third time: lengths in pixels of dash and gap.
const PATTERNS: [Option<[f64; 2]>; 3] = [None, Some([7.0, 4.0]), Some([2.0, 3.0])];

pub(super) fn colour(number: usize) -> u32 {
    HUES[number % HUES.len()].light
}

/// Returns the colours of the series with this `number` on light and on dark pages.
pub(super) fn both(number: usize) -> [String; 2] {
    let Hue { light, dark } = HUES[number % HUES.len()];
    [light, dark].map(|colour| format!("#{colour:06X}"))
}

/// Returns the dashes of the series of this number; `None` for a solid line.
pub(super) fn pattern(number: usize) -> Option<[f64; 2]> {
    PATTERNS[number / HUES.len() % PATTERNS.len()]
}

/// Pairs of colours: each colour on a light page, and its replacement on a dark page.
pub(super) const DARK: [(u32, u32); 13] = [
    (PAPER, 0x16_1B22),
    (INK, 0xE6_EDF3),
    (FAINT, 0x9D_A7B1),
    (GRID, 0x2A_3038),
    (FRAME, 0x57_606A),
    (BAND, 0x3D_4650),
    (HUES[0].light, HUES[0].dark),
    (HUES[1].light, HUES[1].dark),
    (HUES[2].light, HUES[2].dark),
    (HUES[3].light, HUES[3].dark),
    (HUES[4].light, HUES[4].dark),
    (HUES[5].light, HUES[5].dark),
    (HUES[6].light, HUES[6].dark),
];
