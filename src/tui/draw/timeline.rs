//! Draws the timeline: the current run as a bar, from frame 0 to its last simulated frame.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::widgets::Widget;

use crate::debugger::session::Session;
use crate::event::EventKind;
use crate::time::Frame;
use crate::tui::glyph;
use crate::tui::overlays;
use crate::tui::theme::Theme;
use crate::tui::timeline::{self, MarkKind, Scale, Stretch};

/// Width in columns of the last frame's number beside the bar, including a gap.
const LABEL: u16 = 9;

/// The timeline: a bar with the current frame and marks. A second row above the bar shows events.
#[derive(Debug)]
pub struct Timeline<'a> {
    /// The session with the current run, the current frame and the marks.
    pub session: &'a Session,
    /// Frame that a long seek has reached so far. `None` while no long seek is running.
    pub reached: Option<Frame>,
    /// Theme with the styles of frames, marks and events.
    pub theme: &'a Theme,
}

/// Returns the area of the bar: the last row of the timeline, without the number of the last frame.
pub fn bar(area: Rect) -> Rect {
    let y = area.bottom().saturating_sub(1);
    let width = area.width.saturating_sub(LABEL + 1);
    Rect { x: area.x + 1, y, width, height: area.height.min(1) }
}

impl Widget for Timeline<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        let bar = bar(area);
        if bar.is_empty() {
            return;
        }
        let run = self.session.history().run();
        let (now, end) = (self.session.world().frame(), run.end());
        let scale = Scale::of(end, bar.width);
        let stretches = timeline::stretches(run, &self.session.marks(), scale);
        let most = stretches.iter().map(|stretch| stretch.events).max().unwrap_or(0);
        let at = |cell: u16| (bar.x + cell, bar.y);
        for (cell, stretch) in (0..).zip(&stretches) {
            let (sign, style) = self.sign(stretch, most, scale.first(cell) <= now);
            buffer[at(cell)].set_symbol(sign).set_style(style);
            let event = stretch.standing_out.filter(|_| area.height > 1);
            if let Some((sign, style)) = event.and_then(|kind| self.event(&kind)) {
                buffer[(bar.x + cell, bar.y - 1)].set_symbol(sign).set_style(style);
            }
        }
        let last = scale.cell(end);
        if now < end && stretches.get(usize::from(last)).is_some_and(|it| it.mark.is_none()) {
            buffer[at(last)].set_symbol(glyph::END).set_style(self.theme.text);
        }
        if let Some(reached) = self.reached {
            buffer[at(scale.cell(reached))]
                .set_symbol(glyph::SEEK_PROGRESS)
                .set_style(self.theme.warn);
        }
        buffer[at(scale.cell(now))].set_symbol(glyph::CURRENT_FRAME).set_style(self.theme.key);
        self.label(end, bar, last, buffer);
    }
}

impl Timeline<'_> {
    /// Writes the number of the last frame to the right of that frame's cell. If the cells there
    /// are occupied, writes the number at the right end of the row.
    fn label(&self, end: Frame, bar: Rect, last: u16, buffer: &mut Buffer) {
        let number = end.to_string();
        let length = number.len() as u16;
        let behind = bar.x + last + 2;
        let is_free = |x: u16| buffer.cell((x, bar.y)).is_some_and(|cell| cell.symbol() == " ");
        let at_the_right = (bar.right() + LABEL - 1).saturating_sub(length);
        let x = if (behind..behind + length).all(is_free) { behind } else { at_the_right };
        buffer.set_stringn(x, bar.y, number, usize::from(LABEL - 1), self.theme.dim);
    }

    /// Returns the symbol and style of a bar cell. `most` is the largest number of events in any
    /// cell, which scales the height of the symbol. `past` is true up to the current frame.
    fn sign(&self, stretch: &Stretch, most: usize, past: bool) -> (&'static str, Style) {
        let theme = self.theme;
        let quiet = if past { theme.text } else { theme.dim };
        match stretch.mark {
            Some(MarkKind::Stop) => return (glyph::STOP, theme.bad),
            Some(MarkKind::Violated) => return (glyph::VIOLATED, theme.bad),
            Some(MarkKind::Met) => return (glyph::MET, theme.good),
            Some(MarkKind::Bookmark) => return (glyph::BOOKMARK, theme.key),
            Some(MarkKind::Edit) => return (glyph::MANUAL_CHANGE, theme.warn),
            Some(MarkKind::Parts) => return (glyph::DIVERGENCE, theme.key),
            None => {}
        }
        match stretch {
            Stretch { made: false, .. } => (" ", quiet),
            Stretch { branch: true, .. } => (glyph::BRANCH, theme.warn),
            Stretch { standing_out: Some(EventKind::Quarantined { .. }), .. } => {
                (glyph::QUARANTINED, theme.bad)
            }
            Stretch { events: 1.., .. } => {
                // The full height would look like a wall.
                let height = (stretch.events * 7).div_ceil(most.max(1)).clamp(1, 7);
                (glyph::COLUMN[height - 1], if past { theme.bar } else { theme.dim })
            }
            Stretch { keyframe: true, .. } => (glyph::KEYFRAME, quiet),
            _ => (glyph::FRAMES, quiet),
        }
    }

    /// Returns the symbol and style of an event in the second row. Returns `None` if this kind of
    /// event has no symbol.
    fn event(&self, kind: &EventKind) -> Option<(&'static str, Style)> {
        let theme = self.theme;
        let style = match kind {
            EventKind::Quarantined { .. } => theme.bad,
            EventKind::Stuck
            | EventKind::Circling
            | EventKind::Oscillating { .. }
            | EventKind::Deadlocked(_) => theme.warn,
            EventKind::Bump(_)
            | EventKind::Overlap(_)
            | EventKind::Blocked(_)
            | EventKind::DeadEnd
            | EventKind::Pattern { .. } => theme.dim,
            EventKind::Mode { .. }
            | EventKind::Seen(_)
            | EventKind::Lost(_)
            | EventKind::Arrived
            | EventKind::Joined
            | EventKind::Finished
            | EventKind::Spawned { .. }
            | EventKind::Removed(_)
            | EventKind::Trace(_)
            | EventKind::Signal(_) => theme.text,
        };
        overlays::sign(kind).map(|(sign, _)| (sign, style))
    }
}
