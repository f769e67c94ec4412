//! Parsers for the options of `tilewalk render`.

use crate::files::show;
use crate::overlays::{Overlays, TABLE};
use crate::palette::Name;
use crate::render::Format;
use crate::render::scene::agents::ColorBy;
use crate::render::scene::{LARGEST, SMALLEST};

pub fn format(text: &str) -> Result<Format, String> {
    Format::parse(text).ok_or_else(|| format!("expected {}", Format::endings().replace('.', "")))
}

pub fn theme(text: &str) -> Result<Name, String> {
    text.parse().map_err(|error: crate::palette::UnknownTheme| error.to_string())
}

pub fn color_by(text: &str) -> Result<ColorBy, String> {
    ColorBy::parse(text).ok_or_else(|| "expected agent, mode or group".to_owned())
}

pub fn above_zero(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| (0.001..=1000.0).contains(number));
    number.ok_or_else(|| "expected a number from 0.001 to 1000".to_owned())
}

pub fn seconds(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| (0.0..=100_000.0).contains(number));
    number.ok_or_else(|| "expected seconds, such as 5".to_owned())
}

pub fn width(text: &str) -> Result<u32, String> {
    let number = text.parse().ok().filter(|number| (SMALLEST..=LARGEST).contains(number));
    number.ok_or_else(|| format!("expected a width from {SMALLEST} to {LARGEST} pixels"))
}

/// Parses names of overlays. `none` stands for no overlays.
pub fn overlays(text: &str) -> Result<Overlays, String> {
    if text == "none" {
        return Ok(Overlays::NONE);
    }
    let names: Vec<&str> = text.split(',').map(str::trim).collect();
    let known = || TABLE.iter().map(|entry| entry.name);
    if let Some(unknown) = names.iter().find(|name| !known().any(|it| it == **name)) {
        let near = show::did_you_mean(show::nearest(unknown, known()));
        let help =
            if near.is_empty() { format!(": expected {}", show::list(known())) } else { near };
        return Err(format!("unknown overlay `{}`{help}", show::text(unknown)));
    }
    Ok(Overlays::named(&names))
}

pub fn crop(text: &str) -> Result<[f32; 4], String> {
    let numbers: Vec<f32> =
        text.split(',').filter_map(|number| number.trim().parse().ok()).collect();
    let crop: Option<[f32; 4]> = numbers.try_into().ok();
    let crop = crop.filter(|crop| crop.iter().all(|number| number.is_finite()));
    crop.ok_or_else(|| "expected four numbers: left, top, right and bottom".to_owned())
}

pub fn screen_size(text: &str) -> Result<[u16; 2], String> {
    let size = text.split_once(['x', '×']).and_then(|(width, height)| {
        let side = |text: &str| text.parse().ok().filter(|side| (20..=500).contains(side));
        Some([side(width)?, side(height)?])
    });
    size.ok_or_else(|| "expected columns and rows, such as 120x40".to_owned())
}
