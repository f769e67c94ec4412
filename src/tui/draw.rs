//! Draws the state of the screen into cells. Each pane receives the data it shows and nothing more.
//!
//! Drawing takes the [`App`] by shared reference and changes nothing. No pane knows the `App`.
//! Panes draw for a terminal that supports everything. The last step of [`draw()`] fills in the
//! background and, if needed, replaces characters with ASCII.

pub mod agents;
pub mod answer;
pub mod breaks;
pub mod canvas;
pub mod events;
pub mod facts;
pub mod footer;
pub mod gallery;
pub mod ghosts;
pub mod help;
pub mod inspector;
pub mod layers;
pub mod line;
pub mod log;
pub mod map;
pub mod markers;
pub mod marks;
pub mod menu;
pub mod messages;
pub mod paint;
pub mod palette;
pub mod pane;
pub mod problems;
pub mod reading;
pub mod runs;
pub mod search;
pub mod status;
pub mod strokes;
pub mod tiles;
pub mod timeline;
pub mod tuner;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::Widget;

use super::app::{App, Base, Mode};
use super::glyph;
use super::layout::{Layout, SMALLEST};
use super::overlays::Layer;
use super::session::Session;

/// Draws the whole screen, in signs and colours the terminal has.
pub fn draw(app: &App, buffer: &mut Buffer) {
    panes(app, buffer);
    app.theme.fill(buffer);
    if app.ascii {
        glyph::ascii::replace(buffer);
    }
}

fn panes(app: &App, buffer: &mut Buffer) {
    let screen = app.screen.intersection(buffer.area);
    if screen.width < SMALLEST.0 || screen.height < SMALLEST.1 {
        too_small(screen, buffer);
        return;
    }
    match (&app.mode, &app.session) {
        (Mode::Gallery, _) | (_, None) => draw_gallery(app, buffer),
        (_, Some(session)) => draw_map(app, session, buffer),
    }
    draw_reading(app, screen, buffer);
    draw_palette(app, screen, buffer);
}

fn too_small(screen: Rect, buffer: &mut Buffer) {
    if screen.is_empty() {
        return;
    }
    let text = format!("need {}×{}", SMALLEST.0, SMALLEST.1);
    let width = text.chars().count() as u16;
    let x = screen.x + screen.width.saturating_sub(width) / 2;
    buffer.set_stringn(x, screen.y + screen.height / 2, text, screen.width.into(), pane::PLAIN);
}

fn draw_map(app: &App, session: &Session, buffer: &mut Buffer) {
    let (layout, theme, keymap) = (app.layout(), &app.theme, &app.keymap);
    if let Some(view) = app.view() {
        let following = app.camera.follow;
        // A pattern that is drawn anew is shown as it will be.
        let draws = app.paint.as_ref().is_some_and(|paint| paint.draws_a_path());
        let overlays = if draws { app.overlays.without(Layer::Pattern) } else { app.overlays };
        map::MapPane { session, view, following, overlays, theme }.render(layout.map, buffer);
        if let Some(paint) = &app.paint {
            paint::Marks { paint, session, view, theme }.draw(buffer);
        }
    }
    let (tab, scroll) = (app.tab, app.scroll);
    inspector::Inspector { session, tab, scroll, keymap, theme }.render(layout.inspector, buffer);
    agents::AgentTable { session, theme }.render(layout.agents, buffer);
    if let Some(paint) = &app.paint {
        let area = paint::place(&layout, app.screen);
        paint::Pane { paint, session, keymap, theme }.render(area, buffer);
    }
    let (clock, late, message) = (&app.clock, app.late, app.message.as_ref());
    let under_way = app.long_way();
    let scout = under_way.map(|(_, scout)| scout);
    timeline::Timeline { session, scout, theme }.render(layout.timeline, buffer);
    let recording = app.recording.as_ref().filter(|recording| recording.is_of(session.id()));
    footer(app).render(layout.footer, buffer);
    let top = Rect { height: 1, ..app.screen };
    problems::Banner { problems: session.problems(), keymap, theme }.render(top, buffer);
    match &app.mode {
        Mode::Search(search) => {
            search::SearchBox { search, session, theme }.render(layout.map, buffer);
        }
        &Mode::Overlays(marked) => {
            let area = layers::place(&layout, app.screen);
            layers::Menu { overlays: app.overlays, marked, theme }.render(area, buffer);
        }
        &Mode::Runs(marked) => {
            runs::Runs { history: session.history(), marked, theme }.render(layout.map, buffer);
        }
        &Mode::Breaks(marked) => {
            let area = above_timeline(&layout, app.screen);
            breaks::BreakList { session, marked, theme }.render(area, buffer);
        }
        &Mode::Markers(chosen) => {
            let area = above_timeline(&layout, app.screen);
            markers::MarkerList { session, chosen, keymap, theme }.render(area, buffer);
        }
        Mode::Log(log) => {
            let area = log::place(&layout, app.screen);
            log::EventLog { log, session, keymap, theme }.render(area, buffer);
        }
        &Mode::Problems(marked) => {
            let area = above_timeline(&layout, app.screen);
            let problems = session.problems();
            problems::ProblemList { problems, marked, theme }.render(area, buffer);
        }
        Mode::Tune(tuner) => {
            let (area, changed) = (tuner::place(&layout, app.screen), session.unwritten());
            tuner::Values { tuner, changed, theme }.render(area, buffer);
        }
        Mode::Menu(menu) => menu::TileMenu { menu, theme }.render(app.screen, buffer),
        _ => {}
    }
    // Over all that, as a long answer is read now or never.
    let upper = Rect { height: layout.status.bottom() - app.screen.y, ..app.screen };
    status::Status { session, clock, late, under_way, recording, message, keymap, theme }
        .render(upper, buffer);
}

/// The screen down to the timeline, which shows what lists are about.
fn above_timeline(layout: &Layout, screen: Rect) -> Rect {
    let below = if layout.timeline.is_empty() { layout.status } else { layout.timeline };
    Rect { height: below.y - screen.y, ..screen }
}

fn draw_gallery(app: &App, buffer: &mut Buffer) {
    let layout = app.gallery_layout();
    let (gallery, keymap, theme) = (&app.gallery, &app.keymap, &app.theme);
    gallery::List { gallery, theme }.render(layout.list, buffer);
    gallery::About { gallery, keymap, theme }.render(layout.about, buffer);
    gallery::Preview { preview: app.preview.as_ref(), theme }.render(layout.preview, buffer);
    match &app.message {
        Some(message) => answer::Answer { message, theme }.render(app.screen, buffer),
        None => footer(app).render(layout.footer, buffer),
    }
}

fn footer(app: &App) -> footer::Footer<'_> {
    let context = app.context();
    let idle = app.idle.filter(|&(_, place)| place == context).map(|(key, _)| key);
    footer::Footer { context, idle, keymap: &app.keymap, theme: &app.theme }
}

/// Help or errors, over everything but the footer.
fn draw_reading(app: &App, screen: Rect, buffer: &mut Buffer) {
    let area = Rect { height: screen.height.saturating_sub(1), ..screen };
    if let Some(page) = page(app) {
        reading::Reading { page: &page, scroll: app.scroll, theme: &app.theme }
            .render(area, buffer);
    }
}

/// The line for commands, over everything but the line of time and the footer.
fn draw_palette(app: &App, screen: Rect, buffer: &mut Buffer) {
    let Some(palette) = &app.palette else { return };
    let only_footer = matches!(
        app.mode,
        Mode::Gallery | Mode::Help(_) | Mode::Errors(..) | Mode::About(_) | Mode::Messages(_)
    );
    let rows = if only_footer { 1 } else { 2 };
    let area = Rect { height: screen.height.saturating_sub(rows), ..screen };
    palette::CommandBox { palette, keymap: &app.keymap, theme: &app.theme }.render(area, buffer);
}

fn page(app: &App) -> Option<reading::Page> {
    match &app.mode {
        Mode::Help(help) => Some(help::page(help, &app.keymap, app.screen, &app.theme)),
        Mode::Errors(_, trouble) => Some(reading::errors(trouble, &app.theme)),
        Mode::About(base) => {
            let session = app.session.as_ref().filter(|_| *base == Base::Watch);
            let entry = session.map(Session::entry).or_else(|| app.gallery.entry().cloned())?;
            let title = session.map_or(&entry.title, |session| &session.scenario().title);
            Some(reading::about(title, &entry.comment, app.screen, &app.theme))
        }
        Mode::Messages(_) => {
            let here = app.session.as_ref().map(Session::label);
            Some(messages::page(&app.messages, here, app.screen.width, &app.theme))
        }
        _ => None,
    }
}

/// How many lines of what is read can be scrolled away.
pub fn longest_scroll(app: &App) -> usize {
    if let Some(page) = page(app) {
        let rows = app.screen.height.saturating_sub(3);
        return page.lines.len().saturating_sub(usize::from(rows));
    }
    let Some(session) = &app.session else { return 0 };
    inspector::longest_scroll(session, app.tab, &app.theme, app.layout().inspector)
}

/// The first of `count` items that is shown in `rows` rows, so that `chosen` is among them.
pub fn first_shown(chosen: usize, count: usize, rows: u16) -> usize {
    let rows = usize::from(rows);
    chosen.saturating_sub(rows / 2).min(count.saturating_sub(rows))
}
