//! Styles of the heat map.

use ratatui::style::{Color, Style};

use super::{Theme, mapping};

/// Number of levels into which visit counts are divided.
pub const HEAT_LEVELS: usize = 5;

/// Maximum share of the heat colour in a background. The actual maximum is lower if text would be
/// unreadable.
const MAX_SHARE: f32 = 0.64;

impl Theme {
    /// Returns the style of a heat level, from 0 to [`HEAT_LEVELS`] - 1, with readable text. Themes
    /// without colours return an empty style.
    pub fn heat(&self, step: usize) -> Style {
        let Some(hues) = self.hues else { return Style::new() };
        let wanted = hues.contrast * 1.03;
        let mix = |share| mapping::mix(hues.background, hues.hit, share);
        let shown = |share| mapping::to_rgb(mapping::background_color(mix(share), self.depth));
        let text = |background| mapping::readable(hues.text, background, wanted);
        let fits = |share: &f32| {
            shown(*share)
                .is_none_or(|background| mapping::contrast(text(background), background) >= wanted)
        };
        // Use the highest share with enough contrast. The second search is needed because the
        // nearest colour of the terminal may be lighter.
        let shares = |max: f32| (0..=16_u8).map(move |n| max * f32::from(16 - n) / 16.0);
        let hottest = shares(MAX_SHARE).find(fits).unwrap_or(0.0);
        let wanted_share = hottest * (step.min(HEAT_LEVELS - 1) + 1) as f32 / HEAT_LEVELS as f32;
        let share = shares(wanted_share).find(fits).unwrap_or(0.0);
        let background = shown(share).unwrap_or(hues.background);
        let style =
            Style::new().fg(Color::from_u32(text(background))).bg(Color::from_u32(background));
        mapping::convert_overlay(style, hues.background, self.depth)
    }
}
