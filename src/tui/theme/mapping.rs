//! The colours that a terminal has, and the nearest of them to a colour of the palette.

use ratatui::style::{Color, Modifier, Style};

use crate::depth::Depth;
use crate::palette::{Rgb, channels, contrast, from_channels, luminance, step_away};

/// Minimum contrast of small text: 4.5 (WCAG 2.2, 1.4.3), plus a margin for the approximation in
/// [`luminance`].
const READABLE: f32 = 4.6;

/// The 16 ANSI colours with the RGB values of xterm.
const SIXTEEN: [Rgb; 16] = [
    0x00_0000, 0xcd_0000, 0x00_cd00, 0xcd_cd00, 0x00_00ee, 0xcd_00cd, 0x00_cdcd, 0xe5_e5e5,
    0x7f_7f7f, 0xff_0000, 0x00_ff00, 0xff_ff00, 0x5c_5cff, 0xff_00ff, 0x00_ffff, 0xff_ffff,
];

/// Channel values of the 6 × 6 × 6 colour cube of the 256-colour palette.
const CUBE: [u8; 6] = [0, 95, 135, 175, 215, 255];

/// Colours count as grey if their channels differ by less than this value.
const GREY: u8 = 48;

/// Returns the RGB value of a colour of the 256-colour palette.
pub fn indexed(index: u8) -> Rgb {
    match index {
        0..16 => SIXTEEN[usize::from(index)],
        16..232 => {
            let cube = usize::from(index - 16);
            from_channels([CUBE[cube / 36], CUBE[cube / 6 % 6], CUBE[cube % 6]])
        }
        232.. => from_channels([8 + 10 * (index - 232); 3]),
    }
}

/// Returns the squared distance of two colours, weighted by the sensitivity of the eye.
fn distance(one: Rgb, other: Rgb) -> u32 {
    let (one, other) = (channels(one), channels(other));
    [2, 4, 3]
        .iter()
        .zip(one)
        .zip(other)
        .map(|((w, a), b)| w * u32::from(a.abs_diff(b)).pow(2))
        .sum()
}

/// Returns the index of the nearest palette colour from 16 to 255. Colours in this range look the
/// same in all terminals.
fn nearest_indexed(rgb: Rgb) -> u8 {
    let step = |channel: u8| {
        (0..6).min_by_key(|&step: &u8| channel.abs_diff(CUBE[usize::from(step)])).unwrap_or(0)
    };
    let [red, green, blue] = channels(rgb);
    let cube = 16 + 36 * step(red) + 6 * step(green) + step(blue);
    let mean = (u32::from(red) + u32::from(green) + u32::from(blue)) / 3;
    let grey = 232 + (mean.saturating_sub(3) / 10).min(23) as u8;
    if distance(indexed(grey), rgb) < distance(indexed(cube), rgb) { grey } else { cube }
}

/// Returns the ANSI colour that is nearest in hue, among those with the contrast `wanted` on
/// `background`.
fn nearest_of_sixteen(rgb: Rgb, background: Rgb, wanted: f32) -> u8 {
    let spread = |rgb: Rgb| {
        let channels = channels(rgb);
        (channels.iter().min().copied().unwrap_or(0), channels.iter().max().copied().unwrap_or(0))
    };
    let is_grey = |rgb: Rgb| spread(rgb).1 - spread(rgb).0 < GREY;
    // Compare saturated colours: a pale colour would be nearest to grey and lose its hue.
    let vivid = |rgb: Rgb| {
        let (low, high) = spread(rgb);
        let stretched =
            |channel: u8| (u32::from(channel - low) * 255 / u32::from((high - low).max(1))) as u8;
        if is_grey(rgb) { rgb } else { from_channels(channels(rgb).map(stretched)) }
    };
    let fits = |&index: &u8| contrast(indexed(index), background) >= wanted;
    let far = |index: u8| {
        let candidate = indexed(index);
        let alike = is_grey(candidate) == is_grey(rgb);
        (!alike, distance(vivid(candidate), vivid(rgb)), distance(candidate, rgb))
    };
    let farthest = if luminance(background) < 0.18 { 15 } else { 0 };
    (0..16).filter(fits).min_by_key(|&index| far(index)).unwrap_or(farthest)
}

/// Returns the nearest of the 8 ANSI background colours, which every colour terminal has.
fn nearest_background(rgb: Rgb) -> u8 {
    (0..8).min_by_key(|&index| distance(indexed(index), rgb)).unwrap_or(0)
}

/// Converts a text colour for a terminal. Readable text stays readable on the converted background.
pub fn text_color(rgb: Rgb, background: Rgb, depth: Depth) -> Color {
    let wanted = contrast(rgb, background).min(READABLE);
    let shown_background = to_rgb(background_color(background, depth)).unwrap_or(background);
    match depth {
        Depth::None => Color::Reset,
        Depth::Sixteen => Color::Indexed(nearest_of_sixteen(rgb, shown_background, wanted)),
        Depth::Indexed => {
            let shown = |step| indexed(nearest_indexed(step));
            let fits = |step| contrast(shown(step), shown_background) >= wanted;
            Color::Indexed(nearest_indexed(step_away(rgb, shown_background, fits)))
        }
        Depth::TrueColor => Color::from_u32(rgb),
    }
}

/// Converts a background colour to the nearest colour of a terminal with this number of colours.
pub fn background_color(rgb: Rgb, depth: Depth) -> Color {
    match depth {
        Depth::None => Color::Reset,
        Depth::Sixteen => Color::Indexed(nearest_background(rgb)),
        Depth::Indexed => Color::Indexed(nearest_indexed(rgb)),
        Depth::TrueColor => Color::from_u32(rgb),
    }
}

/// Returns the RGB value of a colour. Returns `None` for the terminal's default colours.
#[expect(clippy::wildcard_enum_match_arm, reason = "foreign enum: others depend on the terminal")]
pub fn to_rgb(color: Color) -> Option<Rgb> {
    match color {
        Color::Rgb(red, green, blue) => Some(from_channels([red, green, blue])),
        Color::Indexed(index) => Some(indexed(index)),
        _ => None,
    }
}

/// Converts the colours of a style for a terminal with this number of colours. `screen` is the
/// background of styles without a background.
pub fn convert(style: Style, screen: Rgb, depth: Depth) -> Style {
    let background = style.bg.and_then(to_rgb).unwrap_or(screen);
    let shown = |color: Color, map: &dyn Fn(Rgb) -> Color| to_rgb(color).map_or(color, map);
    let (fg, bg) = match depth {
        Depth::None => (None, None),
        Depth::Sixteen | Depth::Indexed | Depth::TrueColor => (
            style.fg.map(|color| shown(color, &|rgb| text_color(rgb, background, depth))),
            style.bg.map(|color| shown(color, &|rgb| background_color(rgb, depth))),
        ),
    };
    Style { fg, bg, ..style }
}

/// Converts a style like [`convert`]. A style that sets only a background could become invisible.
/// If its converted background equals the screen's background, the text is underlined instead.
pub fn convert_overlay(style: Style, screen: Rgb, depth: Depth) -> Style {
    let shown = convert(style, screen, depth);
    let lost = shown.bg.is_none_or(|it| it == background_color(screen, depth));
    if style.bg.is_some() && style.fg.is_none() && lost {
        return Style { bg: None, ..shown }.add_modifier(Modifier::UNDERLINED);
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn palette_colour_is_nearest_to_itself() {
        for index in 16..=255 {
            assert_eq!(indexed(nearest_indexed(indexed(index))), indexed(index), "{index}");
        }
    }

    #[test]
    fn nearest_ansi_colour_keeps_hue_and_contrast() {
        let on_black = |rgb| nearest_of_sixteen(rgb, 0, contrast(rgb, 0).min(READABLE));
        assert_eq!([0xf0_7178, 0x8f_bf87, 0xf5_d76e, 0x7f_b0e0].map(on_black), [9, 2, 3, 6]);
        assert_eq!([0x00_0040, 0x8b_919e, 0xff_ffff].map(on_black), [4, 8, 15]);
        for background in [0, 0xe5_e5e5] {
            for rgb in (0..0x100_0000).step_by(0x01_0307) {
                let wanted = contrast(rgb, background).min(READABLE);
                let found = indexed(nearest_of_sixteen(rgb, background, wanted));
                assert!(
                    contrast(found, background) >= wanted - 0.01,
                    "{rgb:06x} on {background:06x}"
                );
            }
        }
    }

    #[test]
    fn a_background_that_the_terminal_cannot_show_becomes_an_underline() {
        let pattern = Style::new().bg(Color::Rgb(0x26, 0x2b, 0x36));
        let shown = convert_overlay(pattern, 0x14_161b, Depth::Sixteen);
        assert_eq!(shown, Style::new().add_modifier(Modifier::UNDERLINED));
        assert_eq!(convert_overlay(pattern, 0x14_161b, Depth::TrueColor), pattern);
    }
}
