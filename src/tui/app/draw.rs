//! Draws the screen: places the widgets of the current mode.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::Widget;

use crate::debugger::session::Session;
use crate::tui::draw::{
    agents, answer, footer, gallery, inspector, map, paint, pane, problems, reading, status,
    timeline,
};
use crate::tui::glyph;
use crate::tui::layout::SMALLEST;
use crate::tui::overlays::Layer;

use super::App;

impl App {
    /// Draws the whole screen into a buffer. Uses only the characters and colours that the terminal
    /// supports.
    pub fn draw(&self, buffer: &mut Buffer) {
        self.draw_panes(buffer);
        self.setup.theme.fill(buffer);
        if self.setup.ascii {
            glyph::ascii::replace(buffer);
        }
    }

    fn draw_panes(&self, buffer: &mut Buffer) {
        let screen = self.screen.intersection(buffer.area);
        if screen.width < SMALLEST.0 || screen.height < SMALLEST.1 {
            draw_too_small(screen, buffer);
            return;
        }
        match &self.session {
            None => self.draw_gallery(buffer),
            Some(session) => self.draw_map(session, buffer),
        }
        if let Some(page) = self.component().page(self) {
            // The footer stays visible.
            let area = Rect { height: screen.height.saturating_sub(1), ..screen };
            reading::Reading { page: &page, scroll: self.reader.scroll, theme: &self.setup.theme }
                .render(area, buffer);
        }
        if let Some(list) = self.palette_list() {
            list.render(screen, buffer);
        }
    }

    fn draw_map(&self, session: &Session, buffer: &mut Buffer) {
        let (layout, theme, keymap) = (self.layout(), &self.setup.theme, &self.setup.keymap);
        if let Some(view) = self.view() {
            let following = self.map_view.camera.follow;
            // While a path is drawn, the old version of the path is hidden.
            let draws = self.map_view.paint.as_ref().is_some_and(|paint| paint.draws_a_path());
            let overlays = if draws {
                self.map_view.overlays.without(Layer::Pattern)
            } else {
                self.map_view.overlays
            };
            map::MapPane { session, view, following, overlays, theme }.render(layout.map, buffer);
            if let Some(paint) = &self.map_view.paint {
                paint::Marks { paint, session, view, theme }.draw(buffer);
            }
        }
        let (tab, scroll) = (self.reader.tab, self.reader.scroll);
        inspector::Inspector { session, tab, scroll, keymap, theme }
            .render(layout.inspector, buffer);
        agents::AgentTable { session, theme }.render(layout.agents, buffer);
        if let Some(paint) = &self.map_view.paint {
            let area = paint::place(&layout, self.screen);
            paint::Pane { paint, session, keymap, theme }.render(area, buffer);
        }
        let (clock, late, message) = (&self.clock, self.late, self.answers.message.as_ref());
        let under_way = self.long_way();
        let reached = under_way.map(|(_, reached)| reached);
        timeline::Timeline { session, reached, theme }.render(layout.timeline, buffer);
        let recording = self.recording.as_ref().filter(|recording| recording.is_of(session.id()));
        self.footer().render(layout.footer, buffer);
        let top = Rect { height: 1, ..self.screen };
        problems::Banner { problems: session.problems(), keymap, theme }.render(top, buffer);
        if let Some(list) = self.mode_list() {
            list.render(self.screen, buffer);
        }
        // The status line comes last, because a long message covers lists.
        let upper = Rect { height: layout.status.bottom() - self.screen.y, ..self.screen };
        status::Status { session, clock, late, under_way, recording, message, keymap, theme }
            .render(upper, buffer);
    }

    fn draw_gallery(&self, buffer: &mut Buffer) {
        let layout = self.gallery_layout();
        let (gallery, keymap, theme) = (&self.gallery.maps, &self.setup.keymap, &self.setup.theme);
        gallery::list(gallery, theme, layout.list).render(self.screen, buffer);
        gallery::About { gallery, keymap, theme }.render(layout.about, buffer);
        gallery::Preview { preview: self.gallery.preview.as_ref(), theme }
            .render(layout.preview, buffer);
        match &self.answers.message {
            Some(message) => answer::Answer { message, theme }.render(self.screen, buffer),
            None => self.footer().render(layout.footer, buffer),
        }
    }

    fn footer(&self) -> footer::Footer<'_> {
        let context = self.context();
        let idle = self.answers.idle.filter(|&(_, place)| place == context).map(|(key, _)| key);
        footer::Footer { context, idle, keymap: &self.setup.keymap, theme: &self.setup.theme }
    }

    /// Returns the maximum scroll position in lines. This is the position of the open text page, or
    /// of the inspector if no text page is open. Returns 0 if all lines are visible.
    pub fn longest_scroll(&self) -> usize {
        if let Some(page) = self.component().page(self) {
            let rows = self.screen.height.saturating_sub(3);
            return page.lines.len().saturating_sub(usize::from(rows));
        }
        let Some(session) = &self.session else { return 0 };
        inspector::longest_scroll(
            session,
            self.reader.tab,
            &self.setup.theme,
            self.layout().inspector,
        )
    }
}

fn draw_too_small(screen: Rect, buffer: &mut Buffer) {
    if screen.is_empty() {
        return;
    }
    let text = format!("need {}×{}", SMALLEST.0, SMALLEST.1);
    let width = text.chars().count() as u16;
    let x = screen.x + screen.width.saturating_sub(width) / 2;
    buffer.set_stringn(x, screen.y + screen.height / 2, text, screen.width.into(), pane::PLAIN);
}
