//! Draws the screen at frames of a run, without a terminal.

use std::time::Duration;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::debugger::Opened;
use crate::depth::Depth;
use crate::overlays::Overlays;
use crate::render::run::Painter;
use crate::time::Frame;

use super::app::App;
use super::host::Start;
use super::shot;
use super::theme::{Name, Theme};

/// Returns a function that draws the screen at a frame, on a screen with columns and rows. The
/// configuration of the user has no effect.
pub fn painter(
    opened: Opened,
    [width, height]: [u16; 2],
    theme: Name,
    overlays: Option<Overlays>,
) -> Box<Painter<'static>> {
    let area = Rect::new(0, 0, width, height);
    let theme = Theme::of(theme, Depth::TrueColor);
    let (mut app, _) = App::new(Vec::new(), Start::Map(opened), area, theme);
    if let (Some(map), Some(overlays)) = (&mut app.map, overlays) {
        map.overlays = overlays;
    }
    Box::new(move |frame| {
        if let Some(map) = &mut app.map {
            map.session.go_to(Frame(frame));
        }
        // Lets the screen finish its background work. No time passes on the map.
        while app.until_next() == Some(Duration::ZERO) {
            app.pass(Duration::ZERO, || true);
        }
        let mut buffer = Buffer::empty(area);
        app.draw(&mut buffer);
        shot::cells(&buffer)
    })
}
