//! Grounds that grow warmer, for counts.

use ratatui::style::{Color, Style};

use super::{Theme, mapping};

/// Steps from hardly warm to hottest.
pub const HEATS: usize = 5;

/// The share of the hottest colour in the hottest ground, where that can be written on.
const HOTTEST: f32 = 0.64;

impl Theme {
    /// The ground of a step, and what can be read on it; without colours plain.
    pub fn heat(&self, step: usize) -> Style {
        let Some(hues) = self.hues else { return Style::new() };
        let wanted = hues.contrast * 1.03;
        let ground = |share| mapping::mixed(hues.background, hues.hit, share);
        let seen = |share| mapping::seen(mapping::ground(ground(share), self.depth));
        let text = |under| mapping::readable(hues.text, under, wanted);
        let fits = |share: &f32| {
            seen(*share).is_none_or(|under| mapping::contrast(text(under), under) >= wanted)
        };
        // As warm as the theme's contrast allows, and a step less where the terminal's nearest
        // colour is lighter.
        let shares = |most: f32| (0..=16_u8).map(move |n| most * f32::from(16 - n) / 16.0);
        let hottest = shares(HOTTEST).find(fits).unwrap_or(0.0);
        let asked = hottest * (step.min(HEATS - 1) + 1) as f32 / HEATS as f32;
        let share = shares(asked).find(fits).unwrap_or(0.0);
        let under = seen(share).unwrap_or(hues.background);
        let style = Style::new().fg(Color::from_u32(text(under))).bg(Color::from_u32(under));
        mapping::limited(style, hues.background, self.depth)
    }
}
