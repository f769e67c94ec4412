//! The themes and their colours, for the screen and for pictures.
//!
//! A theme is a table of colours (`hues`). The screen converts the colours for its terminal.

mod hues;

use core::fmt;
use core::str::FromStr;

use crate::color::Color;

pub use hues::{Hues, NAMED_COLORS, PAPER};

/// Red, green and blue of a colour, as `0xRRGGBB`.
pub type Rgb = u32;

/// Name of a built-in theme.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Name {
    /// Light text on a dark background.
    #[default]
    Dark,
    /// Dark text on a light background.
    Light,
    /// Strong colours on black, with a text contrast of at least 7.
    HighContrast,
    /// Colours that most colour-blind users can distinguish.
    ColorBlind,
    /// No colours; bold, underlined and reversed text only.
    Mono,
}

impl Name {
    /// All themes, in menu order.
    pub const ALL: [Self; 5] =
        [Self::Dark, Self::Light, Self::HighContrast, Self::ColorBlind, Self::Mono];

    /// Names in the configuration and on the command line, in the order of [`Name::ALL`].
    pub const WORDS: [&str; 5] = ["dark", "light", "high-contrast", "color-blind", "mono"];

    /// Returns the name of the theme in the configuration and on the command line.
    pub fn word(self) -> &'static str {
        Self::WORDS[self as usize]
    }

    /// Returns the colour table. Returns `None` for the theme without colours.
    pub fn hues(self) -> Option<&'static Hues> {
        match self {
            Self::Dark => Some(&hues::DARK),
            Self::Light => Some(&hues::LIGHT),
            Self::HighContrast => Some(&hues::HIGH_CONTRAST),
            Self::ColorBlind => Some(&hues::COLOR_BLIND),
            Self::Mono => None,
        }
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl FromStr for Name {
    type Err = UnknownTheme;

    fn from_str(word: &str) -> Result<Self, UnknownTheme> {
        Self::ALL.into_iter().find(|name| name.word() == word).ok_or(UnknownTheme)
    }
}

/// Error for a theme name that is not in [`Name::WORDS`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected dark, light, high-contrast, color-blind or mono")]
pub struct UnknownTheme;

/// Splits a colour into red, green and blue.
pub fn channels(rgb: Rgb) -> [u8; 3] {
    let [_, red, green, blue] = rgb.to_be_bytes();
    [red, green, blue]
}

/// Combines red, green and blue into a colour.
pub fn from_channels([red, green, blue]: [u8; 3]) -> Rgb {
    u32::from_be_bytes([0, red, green, blue])
}

/// Returns the relative luminance of a colour, 0 to 1 (WCAG 2.2). A cubic approximates the sRGB
/// curve with an error of at most 0.003.
pub fn luminance(rgb: Rgb) -> f32 {
    let [red, green, blue] = channels(rgb).map(|channel| {
        let c = f32::from(channel) / 255.0;
        c * (c * (c * 0.305_306_02 + 0.682_171_1) + 0.012_522_878)
    });
    0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/// Returns the contrast ratio of two colours, 1 to 21 (WCAG 2.2).
pub fn contrast(one: Rgb, other: Rgb) -> f32 {
    let (one, other) = (luminance(one), luminance(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

/// Mixes two colours. `share` is the share of `to`, from 0 to 1.
pub fn mix(from: Rgb, to: Rgb, share: f32) -> Rgb {
    let (from, to) = (channels(from), channels(to));
    from_channels(core::array::from_fn(|index| {
        let (from, to) = (f32::from(from[index]), f32::from(to[index]));
        (from + (to - from) * share + 0.5) as u8
    }))
}

/// Returns a text colour similar to `rgb` whose contrast on `background` is at least `wanted`. If
/// no mixture with white or black has that contrast, returns white or black.
pub fn readable(rgb: Rgb, background: Rgb, wanted: f32) -> Rgb {
    step_away(rgb, background, |step| contrast(step, background) >= wanted)
}

/// Mixes a colour with white or black in 16 steps. Uses white if the background is dark, otherwise
/// black. Returns the first accepted mixture, or white or black.
pub fn step_away(rgb: Rgb, background: Rgb, is_accepted: impl Fn(Rgb) -> bool) -> Rgb {
    let far = if luminance(background) < 0.18 { 0xff_ffff } else { 0x00_0000 };
    let mut steps = (0..=16_u8).map(|step| mix(rgb, far, f32::from(step) / 16.0));
    steps.find(|&step| is_accepted(step)).unwrap_or(far)
}

/// Returns the RGB value of a colour from a map file.
pub fn file_color(color: Color) -> Rgb {
    match color {
        Color::Ansi(index) => NAMED_COLORS[usize::from(index) % NAMED_COLORS.len()],
        Color::Rgb(red, green, blue) => from_channels([red, green, blue]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contrast_matches_wcag() {
        // Expected values use the exact sRGB curve.
        for (one, other, expected) in [
            (0x00_0000, 0xff_ffff, 21.0),
            (0x77_7777, 0xff_ffff, 4.48),
            (0x00_00ff, 0xff_ffff, 8.59),
            (0x12_3456, 0xab_cdef, 7.78),
        ] {
            let found = contrast(one, other);
            assert!((found - expected).abs() < 0.15, "{one:06x} {other:06x}: {found}");
        }
    }

    #[test]
    fn file_colours_become_readable() {
        for background in [0x14_161b, 0xfa_faf7] {
            for rgb in (0..0x100_0000).step_by(0x01_0307) {
                assert!(contrast(readable(rgb, background, 7.0), background) >= 7.0, "{rgb:06x}");
            }
        }
        assert_eq!(readable(0xff_d787, 0x14_161b, 4.6), 0xff_d787, "left alone");
    }
}
