//! Grounds that grow warmer, for counts.

use ratatui::style::{Color, Style};

use super::{Theme, mapping};

/// Steps from hardly warm to hottest.
pub const HEATS: usize = 5;

impl Theme {
    /// The ground of a step, and what can be read on it; without colours plain.
    pub fn heat(&self, step: usize) -> Style {
        let Some(hues) = self.hues else { return Style::new() };
        let share = 0.12 + 0.13 * step.min(HEATS - 1) as f32;
        let ground = mapping::mixed(hues.background, hues.hit, share);
        let text = mapping::readable(hues.text, ground, hues.contrast * 1.03);
        let style = Style::new().fg(Color::from_u32(text)).bg(Color::from_u32(ground));
        mapping::limited(style, hues.background, self.depth)
    }
}
