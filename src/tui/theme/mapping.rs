//! Colours as numbers: how light they are, how far apart, and the nearest one a terminal has.

use ratatui::style::{Color, Modifier, Style};

use crate::depth::Depth;

/// Red, green and blue of a colour, as `0xRRGGBB`.
pub type Rgb = u32;

/// The contrast that small text needs to be read: 4.5 (WCAG 2.2, 1.4.3), and a little more, as
/// luminance is worked out a little roughly here.
const READABLE: f32 = 4.6;

/// What the sixteen look like in most terminals.
const SIXTEEN: [Rgb; 16] = [
    0x00_0000, 0xcd_0000, 0x00_cd00, 0xcd_cd00, 0x00_00ee, 0xcd_00cd, 0x00_cdcd, 0xe5_e5e5,
    0x7f_7f7f, 0xff_0000, 0x00_ff00, 0xff_ff00, 0x5c_5cff, 0xff_00ff, 0x00_ffff, 0xff_ffff,
];

/// The steps of the cube of 6 × 6 × 6 colours among the 256.
const CUBE: [u8; 6] = [0, 95, 135, 175, 215, 255];

/// Colours whose channels differ less are greys.
const GREY: u8 = 48;

/// Red, green and blue.
pub fn channels(rgb: Rgb) -> [u8; 3] {
    let [_, red, green, blue] = rgb.to_be_bytes();
    [red, green, blue]
}

/// The colour of three channels.
pub fn from_channels([red, green, blue]: [u8; 3]) -> Rgb {
    u32::from_be_bytes([0, red, green, blue])
}

/// What a colour of the 256 looks like.
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

/// Relative luminance, 0 to 1 (WCAG 2.2); the curve of sRGB by a cubic that is off by 0.003 at most.
pub fn luminance(rgb: Rgb) -> f32 {
    let [red, green, blue] = channels(rgb).map(|channel| {
        let c = f32::from(channel) / 255.0;
        c * (c * (c * 0.305_306_02 + 0.682_171_1) + 0.012_522_878)
    });
    0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/// Contrast of two colours, 1 to 21 (WCAG 2.2).
pub fn contrast(one: Rgb, other: Rgb) -> f32 {
    let (one, other) = (luminance(one), luminance(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

/// A colour on its way to another one, `share` of the way.
pub fn mixed(from: Rgb, to: Rgb, share: f32) -> Rgb {
    let (from, to) = (channels(from), channels(to));
    from_channels(core::array::from_fn(|index| {
        let (from, to) = (f32::from(from[index]), f32::from(to[index]));
        (from + (to - from) * share + 0.5) as u8
    }))
}

/// A colour as it can be read on a ground: as near to itself as the contrast allows.
pub fn readable(rgb: Rgb, ground: Rgb, wanted: f32) -> Rgb {
    away(rgb, ground, |step| contrast(step, ground) >= wanted)
}

/// The first colour on the way from one to what is farthest from a ground for which `holds`.
fn away(rgb: Rgb, ground: Rgb, holds: impl Fn(Rgb) -> bool) -> Rgb {
    let far = if luminance(ground) < 0.18 { 0xff_ffff } else { 0x00_0000 };
    let mut steps = (0..=16_u8).map(|step| mixed(rgb, far, f32::from(step) / 16.0));
    steps.find(|&step| holds(step)).unwrap_or(far)
}

fn distance(one: Rgb, other: Rgb) -> u32 {
    let (one, other) = (channels(one), channels(other));
    // Eyes tell greens apart best, and blues worst.
    [2, 4, 3]
        .iter()
        .zip(one)
        .zip(other)
        .map(|((w, a), b)| w * u32::from(a.abs_diff(b)).pow(2))
        .sum()
}

/// The nearest of the 240 that look the same everywhere.
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

/// The one of the sixteen that is nearest in hue, among those with the wanted contrast on `ground`.
fn nearest_of_sixteen(rgb: Rgb, ground: Rgb, wanted: f32) -> u8 {
    let spread = |rgb: Rgb| {
        let channels = channels(rgb);
        (channels.iter().min().copied().unwrap_or(0), channels.iter().max().copied().unwrap_or(0))
    };
    let is_grey = |rgb: Rgb| spread(rgb).1 - spread(rgb).0 < GREY;
    // A pale colour is nearer to grey than to any of the sixteen, but its hue is what it tells.
    let vivid = |rgb: Rgb| {
        let (low, high) = spread(rgb);
        let stretched =
            |channel: u8| (u32::from(channel - low) * 255 / u32::from((high - low).max(1))) as u8;
        if is_grey(rgb) { rgb } else { from_channels(channels(rgb).map(stretched)) }
    };
    let fits = |&index: &u8| contrast(indexed(index), ground) >= wanted;
    let far = |index: u8| {
        let candidate = indexed(index);
        let alike = is_grey(candidate) == is_grey(rgb);
        (!alike, distance(vivid(candidate), vivid(rgb)), distance(candidate, rgb))
    };
    let farthest = if luminance(ground) < 0.18 { 15 } else { 0 };
    (0..16).filter(fits).min_by_key(|&index| far(index)).unwrap_or(farthest)
}

/// The nearest of the eight that every colour terminal has for grounds.
fn nearest_ground(rgb: Rgb) -> u8 {
    (0..8).min_by_key(|&index| distance(indexed(index), rgb)).unwrap_or(0)
}

/// A colour of text as a terminal of a depth shows it on a ground; if it can be read, it still can.
pub fn text(rgb: Rgb, under: Rgb, depth: Depth) -> Color {
    let wanted = contrast(rgb, under).min(READABLE);
    let seen_under = seen(ground(under, depth)).unwrap_or(under);
    match depth {
        Depth::None => Color::Reset,
        Depth::Sixteen => Color::Indexed(nearest_of_sixteen(rgb, seen_under, wanted)),
        Depth::Indexed => {
            let shown = |step| indexed(nearest_indexed(step));
            let fits = |step| contrast(shown(step), seen_under) >= wanted;
            Color::Indexed(nearest_indexed(away(rgb, seen_under, fits)))
        }
        Depth::TrueColor => Color::from_u32(rgb),
    }
}

/// A colour of a ground as a terminal of a depth shows it.
pub fn ground(rgb: Rgb, depth: Depth) -> Color {
    match depth {
        Depth::None => Color::Reset,
        Depth::Sixteen => Color::Indexed(nearest_ground(rgb)),
        Depth::Indexed => Color::Indexed(nearest_indexed(rgb)),
        Depth::TrueColor => Color::from_u32(rgb),
    }
}

/// What a colour looks like; `None` for the terminal's own.
pub fn seen(color: Color) -> Option<Rgb> {
    match color {
        Color::Rgb(red, green, blue) => Some(from_channels([red, green, blue])),
        Color::Indexed(index) => Some(indexed(index)),
        _ => None,
    }
}

/// A style as a terminal of a depth shows it on a screen's ground.
pub fn colored(style: Style, screen: Rgb, depth: Depth) -> Style {
    let under = style.bg.and_then(seen).unwrap_or(screen);
    let shown = |color: Color, map: &dyn Fn(Rgb) -> Color| seen(color).map_or(color, map);
    let (fg, bg) = if depth == Depth::None {
        (None, None)
    } else {
        (
            style.fg.map(|color| shown(color, &|rgb| text(rgb, under, depth))),
            style.bg.map(|color| shown(color, &|rgb| ground(rgb, depth))),
        )
    };
    Style { fg, bg, ..style }
}

/// The same for a style that is laid over others: when its ground becomes that of the screen, and
/// it has no other sign, it is underlined.
pub fn limited(style: Style, screen: Rgb, depth: Depth) -> Style {
    let shown = colored(style, screen, depth);
    let lost = shown.bg.is_none_or(|it| it == ground(screen, depth));
    if style.bg.is_some() && style.fg.is_none() && lost {
        return Style { bg: None, ..shown }.add_modifier(Modifier::UNDERLINED);
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contrast_is_that_of_the_guideline() {
        // Values of the definition with the exact curve.
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
    fn a_colour_of_the_256_is_nearest_to_itself() {
        for index in 16..=255 {
            assert_eq!(indexed(nearest_indexed(indexed(index))), indexed(index), "{index}");
        }
    }

    #[test]
    fn of_sixteen_the_hue_is_kept_and_the_text_can_be_read() {
        let on_black = |rgb| nearest_of_sixteen(rgb, 0, contrast(rgb, 0).min(READABLE));
        assert_eq!([0xf0_7178, 0x8f_bf87, 0xf5_d76e, 0x7f_b0e0].map(on_black), [9, 2, 3, 6]);
        assert_eq!([0x00_0040, 0x8b_919e, 0xff_ffff].map(on_black), [4, 8, 15]);
        for ground in [0, 0xe5_e5e5] {
            for rgb in (0..0x100_0000).step_by(0x01_0307) {
                let wanted = contrast(rgb, ground).min(READABLE);
                let found = indexed(nearest_of_sixteen(rgb, ground, wanted));
                assert!(contrast(found, ground) >= wanted - 0.01, "{rgb:06x} on {ground:06x}");
            }
        }
    }

    #[test]
    fn what_a_file_asks_for_is_made_readable() {
        for ground in [0x14_161b, 0xfa_faf7] {
            for rgb in (0..0x100_0000).step_by(0x01_0307) {
                assert!(contrast(readable(rgb, ground, 7.0), ground) >= 7.0, "{rgb:06x}");
            }
        }
        assert_eq!(readable(0xff_d787, 0x14_161b, READABLE), 0xff_d787, "left alone");
    }

    #[test]
    fn a_ground_that_is_lost_becomes_a_line() {
        let pattern = Style::new().bg(Color::Rgb(0x26, 0x2b, 0x36));
        let shown = limited(pattern, 0x14_161b, Depth::Sixteen);
        assert_eq!(shown, Style::new().add_modifier(Modifier::UNDERLINED));
        assert_eq!(limited(pattern, 0x14_161b, Depth::TrueColor), pattern);
    }
}
