//! The map pane: tiles, overlays and agents. The selected agent is drawn last.

pub mod crowd;
pub mod heat;
pub mod minimap;
pub mod rulers;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::widgets::Widget;

use crate::debugger::session::{Session, Subject};
use crate::history::OtherSide;
use crate::tui::camera::View;
use crate::tui::layout;
use crate::tui::overlays::{Layer, Overlays};
use crate::tui::theme::Theme;

use self::crowd::{Crowd, Seen};
use super::canvas::Canvas;
use super::strokes::Dash;
use super::{events, ghosts, marks, pane, tiles};

/// Length of the stub of a one-sided wall, in tiles.
const STUB: f32 = 0.6;

/// The map pane with border and titles.
#[derive(Debug)]
pub struct MapPane<'a> {
    pub session: &'a Session,
    pub view: View,
    /// Whether the camera keeps the selected agent in view. The value only affects the title.
    pub following: bool,
    pub overlays: Overlays,
    pub theme: &'a Theme,
}

impl Widget for MapPane<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        if area.is_empty() {
            return;
        }
        let title = self.session.scenario().title();
        let title = if title.is_empty() { self.session.label() } else { title };
        let part = self.part_in_view(usize::from(layout::inside(area).width));
        pane::frame(title, &part, self.theme, area, buffer);
        let Self { session, view, overlays, theme, .. } = self;
        MapView { session, view, overlays: Some(overlays), theme }.render(area, buffer);
    }
}

impl MapPane<'_> {
    /// Returns the second title, cut to `room` columns.
    ///
    /// The title has these parts: visible tiles, zoom level, comparison run, following, overlays
    /// and heat map. If the title is too long, the least important parts are dropped.
    fn part_in_view(&self, room: usize) -> String {
        let (width, height) = self.session.size();
        let seen = match self.view.corners() {
            Some((first, last)) if !self.view.is_whole() => {
                format!("{first} to {last} of {width}×{height}")
            }
            _ => format!("{width}×{height}"),
        };
        let comparison = match self.session.history().other_side() {
            Some(OtherSide::Outside { label, .. }) => format!("vs {label}"),
            Some(OtherSide::Run { .. }) | None => String::new(),
        };
        let visits = self.overlays.has(Layer::Visits).then(|| heat::title(self.session));
        // The parts in display order, each with its importance.
        let mut parts = [
            (1, seen),
            (2, self.view.zoom.to_string()),
            (4, comparison),
            (3, if self.following { "following".to_owned() } else { String::new() }),
            (3, self.explained_agents()),
            (5, visits.unwrap_or_default()),
        ];
        loop {
            let there = parts.iter().map(|(_, text)| text.as_str()).filter(|text| !text.is_empty());
            let text = there.collect::<Vec<_>>().join(" · ");
            let lightest = parts.iter_mut().filter(|(_, text)| !text.is_empty());
            let lightest = lightest.min_by_key(|(weight, _)| *weight);
            let too_long = pane::second_title(&text, room).is_none();
            let Some((_, lightest)) = lightest.filter(|_| too_long) else { return text };
            lightest.clear();
        }
    }

    /// Describes which agents have overlays. Returns an empty text if only the selected agent has
    /// overlays.
    fn explained_agents(&self) -> String {
        let (explained, left_out) = (self.session.observed().len(), self.session.left_out());
        match (self.overlays.all, left_out) {
            (false, _) => String::new(),
            (true, 0) => "overlays: all".to_owned(),
            (true, _) => format!("overlays: {explained} of {}", explained + left_out),
        }
    }
}

/// A map without a border, for the map pane and the gallery's preview.
#[derive(Debug)]
pub struct MapView<'a> {
    pub session: &'a Session,
    pub view: View,
    /// The visible overlays. `None` draws a plain map, without a mark on the selected agent.
    pub overlays: Option<Overlays>,
    pub theme: &'a Theme,
}

impl Widget for MapView<'_> {
    fn render(self, _: Rect, buffer: &mut Buffer) {
        if self.view.area.is_empty() || self.view.area != self.view.area.intersection(buffer.area) {
            return;
        }
        let world = self.session.world();
        let map = world.scenario().map();
        tiles::draw(map, self.session.mip_levels(), &self.view, self.theme, buffer);
        let crowd = Crowd { world, view: &self.view, theme: self.theme, on_heat: self.is_heated() };
        let mut canvas = Canvas::new(map, self.view, self.theme);
        draw_walls(&mut canvas);
        marks::wide_bodies(world, &mut canvas);
        let Some(overlays) = self.overlays else {
            canvas.merge(buffer);
            crowd.draw(&[], false, buffer);
            return;
        };
        if self.is_heated() {
            heat::draw(self.session, &self.view, self.theme, buffer);
        }
        canvas.on_heat = self.is_heated();
        marks::draw(self.session, overlays, &mut canvas, buffer);
        canvas.targets.sort_unstable();
        if let Some(other) = self.session.history().comparison_world() {
            ghosts::agents(world, other, &self.view, self.theme, buffer);
        }
        // Signs above agents are drawn first, so that they hide no other agent. Signs next to
        // agents are drawn last, and replace the heading arrows.
        let beside = self.view.zoom.has_room_beside();
        let signs = overlays.has(Layer::Events);
        if signs && !beside {
            events::draw(self.session, self.view, self.theme, buffer);
        }
        let mut seen = crowd.draw(&canvas.targets, overlays.has(Layer::Heading), buffer);
        for &id in &canvas.marked {
            if let Some(cell) = crowd.cell(id) {
                buffer[(cell.x, cell.y)].set_style(self.theme.neighbour);
            }
        }
        self.selection(&crowd, overlays, &mut seen, buffer);
        if signs && beside {
            events::draw(self.session, self.view, self.theme, buffer);
        }
        if overlays.has(Layer::Rulers) {
            rulers::draw(self.session, &self.view, self.theme, buffer);
        }
        if overlays.has(Layer::Minimap) {
            minimap::draw(self.session, &self.view, self.theme, buffer);
        }
    }
}

impl MapView<'_> {
    fn is_heated(&self) -> bool {
        self.overlays.is_some_and(|overlays| overlays.has(Layer::Visits))
    }

    fn selection(&self, crowd: &Crowd, overlays: Overlays, seen: &mut Seen, buffer: &mut Buffer) {
        if let Subject::Tile(tile) = self.session.subject()
            && let Some(cells) = self.view.cells(tile)
        {
            buffer.set_style(cells, self.theme.selected);
        }
        let (selected, pinned) = (self.session.selected(), self.session.pinned());
        if let Some(id) = pinned {
            crowd.above(id, self.theme.pinned, seen, buffer);
        }
        if let Some(id) = selected {
            if overlays.has(Layer::Heading) {
                crowd.heading(id, seen, buffer);
            }
            crowd.above(id, self.theme.selected, seen, buffer);
        }
        if let Some(id) = pinned {
            crowd.pin(id, seen, buffer);
        }
        if let Some(id) = self.session.driven() {
            crowd.above(id, self.theme.driven, seen, buffer);
        }
    }
}

/// Adds the free walls of the map to the canvas, as lines of Braille dots. A one-sided wall has a
/// stub in its middle, in the direction of its normal. Overlays added later are drawn over the
/// walls.
fn draw_walls(canvas: &mut Canvas) {
    let map = canvas.map;
    let style = Style { bg: None, ..canvas.theme.wall };
    for wall in map.walls().list() {
        let (from, to) = (wall.from, map.wall_end(wall));
        canvas.strokes.line(from, to, Dash::Solid, style);
        if wall.one_sided {
            let middle = (from + to) / 2.0;
            let tip = middle + map.wall_normal(wall) * STUB;
            canvas.strokes.line(middle, tip, Dash::Solid, style);
        }
    }
}
