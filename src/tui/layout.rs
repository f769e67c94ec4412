//! The areas of the panes, computed from the screen size. Drawing and the mouse use the same areas.

use ratatui::layout::Rect;

use super::camera::Zoom;

/// Minimum usable screen size, in columns and rows.
pub const SMALLEST: (u16, u16) = (40, 12);

/// Minimum width for panes side by side, in columns.
const WIDE: u16 = 100;

/// Minimum width for two agents next to the map, in columns.
const VERY_WIDE: u16 = 160;

/// Usual minimum and maximum width of the inspector beside the map, in columns.
const USUAL_INSPECTOR: (u16, u16) = (48, 64);

/// Minimum width of the inspector beside the map, in columns.
const MIN_INSPECTOR: u16 = 42;

/// Minimum width of the map pane beside the inspector, in columns.
const MIN_MAP: u16 = 24;

/// Minimum and maximum height of the event log, in rows.
const LOG_ROWS: (u16, u16) = (8, 20);

/// Selection of the visible panes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[expect(missing_docs, reason = "the names say which panes are visible")]
pub enum Panes {
    #[default]
    All,
    Map,
    Inspector,
}

/// What the layout depends on, besides the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Contents {
    pub panes: Panes,
    /// Width and height of the map in tiles.
    pub map: (u32, u32),
    /// Number of agents.
    pub agents: usize,
    /// Width of the inspector beside the map, in columns. `None` if the user has not chosen one.
    pub inspector: Option<u16>,
}

/// The areas of the map screen, in cells. Panes without room have empty areas.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Layout {
    /// Area of the map pane, including the border.
    pub map: Rect,
    /// Area of the inspector, including the border.
    pub inspector: Rect,
    /// Area of the agents pane, including the border.
    pub agents: Rect,
    /// Area of the event log, including the border. Empty if the log is hidden or covers the
    /// inspector.
    pub log: Rect,
    /// Area of the timeline: up to two rows above the status line.
    pub timeline: Rect,
    /// Area of the status line, which is one row high.
    pub status: Rect,
    /// Area of the line with key hints.
    pub footer: Rect,
}

impl Layout {
    /// Returns the layout for a screen.
    pub fn of(screen: Rect, contents: Contents) -> Self {
        let (body, status) = cut_bottom(screen, 2);
        let (status, footer) = cut_bottom(status, 1);
        let (body, timeline) = cut_bottom(body, timeline_rows(screen));
        let layout = Self { timeline, status, footer, ..Self::default() };
        match contents.panes {
            Panes::Map => Self { map: body, ..layout },
            Panes::Inspector => Self { inspector: body, ..layout },
            Panes::All if body.width >= WIDE => layout.side_by_side(body, contents),
            Panes::All => layout.stacked(body, contents.map.1),
        }
    }

    /// Enlarges the inspector for two agents. On a very wide screen, the map becomes narrower. If
    /// the panes are stacked, the inspector covers the agents pane.
    #[must_use]
    pub fn comparing(self, screen: Rect) -> Self {
        let Self { mut map, mut inspector, mut agents, .. } = self;
        if map.is_empty() || inspector.is_empty() {
            return self;
        }
        if inspector.y > map.y {
            inspector.width = screen.width;
            return Self { inspector, agents: Rect::ZERO, ..self };
        }
        if screen.width >= VERY_WIDE {
            let more = (screen.width / 2).saturating_sub(inspector.width);
            map.width -= more;
            for pane in [&mut inspector, &mut agents] {
                pane.x -= more;
                pane.width += more;
            }
        }
        Self { map, inspector, agents, ..self }
    }

    /// Adds the event log below the map, or below the inspector if the map is hidden. If the panes
    /// are stacked, the log covers the inspector instead.
    #[must_use]
    pub fn logging(mut self) -> Self {
        let stacked = !self.map.is_empty() && self.inspector.y > self.map.y;
        if !stacked {
            let above = if self.map.is_empty() { &mut self.inspector } else { &mut self.map };
            let height = (above.height / 3).clamp(LOG_ROWS.0, LOG_ROWS.1).min(above.height);
            (*above, self.log) = cut_bottom(*above, height);
        }
        self
    }

    /// Returns the part of the screen above the timeline.
    pub fn above_timeline(&self, screen: Rect) -> Rect {
        let below = if self.timeline.is_empty() { self.status } else { self.timeline };
        Rect { height: below.y - screen.y, ..screen }
    }

    /// Returns the area of a panel that covers the inspector. If the panes are stacked, the panel
    /// covers the full screen width below the map. If the inspector is hidden, the panel covers the
    /// lower half of the map.
    pub fn over_inspector(&self, screen: Rect) -> Rect {
        if self.inspector.is_empty() {
            return cut_bottom(self.map, self.map.height / 2).1;
        }
        let is_stacked = self.inspector.y == self.agents.y;
        let width = if is_stacked { screen.width } else { self.inspector.width };
        Rect { width, ..self.inspector }
    }

    fn side_by_side(self, body: Rect, contents: Contents) -> Self {
        let width = contents.inspector.unwrap_or_else(|| inspector_width(body, contents.map));
        let (map, side) = cut_right(body, limited_width(width, body.width));
        let rows = (contents.agents as u16).saturating_add(3).clamp(4, (side.height / 3).max(4));
        let (inspector, agents) = cut_bottom(side, rows);
        Self { map, inspector, agents, ..self }
    }

    fn stacked(self, body: Rect, rows: u32) -> Self {
        let needed = rows.saturating_add(2).min(u32::from(body.height)) as u16;
        let least = (body.height * 5 / 11).max(5);
        let (map, below) = cut_bottom(body, (body.height - needed).max(least));
        if body.width < 72 {
            return Self { map, inspector: below, ..self };
        }
        let (inspector, agents) = cut_right(below, 32);
        Self { map, inspector, agents, ..self }
    }
}

/// Returns the usual width of the inspector beside the map, on a screen with `columns` columns.
pub fn usual_width(columns: u16) -> u16 {
    (columns * 2 / 5).clamp(USUAL_INSPECTOR.0, USUAL_INSPECTOR.1)
}

/// Returns the width of the inspector beside the map. It is narrower than usual if the whole map then
/// fits at a nearer zoom level. For large tiles, it keeps its usual minimum width.
fn inspector_width(body: Rect, map: (u32, u32)) -> u16 {
    let usual = usual_width(body.width);
    let room = inside(body).height;
    let width = |zoom: Zoom, least: u16| {
        let (columns, rows) = zoom.cells();
        let needed = |tiles: u32, cells: i32| tiles.saturating_mul(cells.unsigned_abs());
        let rest = u32::from(body.width).checked_sub(needed(map.0, columns).saturating_add(2))?;
        let fits = needed(map.1, rows) <= room.into() && rest >= least.into();
        fits.then(|| rest.min(usual.into()) as u16)
    };
    width(Zoom::Large, USUAL_INSPECTOR.0)
        .or_else(|| width(Zoom::Square, MIN_INSPECTOR))
        .or_else(|| width(Zoom::Narrow, MIN_INSPECTOR))
        .unwrap_or(usual)
}

/// Limits the width of the inspector beside the map, on a screen with `columns` columns.
pub fn limited_width(width: u16, columns: u16) -> u16 {
    width.clamp(MIN_INSPECTOR, columns.saturating_sub(MIN_MAP).max(MIN_INSPECTOR))
}

/// Returns the height of the timeline in rows.
fn timeline_rows(screen: Rect) -> u16 {
    match (screen.width, screen.height) {
        (0..40, _) | (_, 0..16) => 0,
        (_, 16..40) => 1,
        (_, 40..) => 2,
    }
}

/// The areas of the gallery screen, in cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct GalleryLayout {
    /// Area of the list of maps, including the border.
    pub list: Rect,
    /// Area of the map description, including the border.
    pub about: Rect,
    /// Area of the map preview, including the border. Empty on narrow screens.
    pub preview: Rect,
    /// Area of the line with key hints.
    pub footer: Rect,
}

impl GalleryLayout {
    /// Returns the layout for a number of maps. `about` converts a width in columns to the height
    /// of the description in rows.
    pub fn of(screen: Rect, maps: usize, about: impl FnOnce(u16) -> u16) -> Self {
        let (body, footer) = cut_bottom(screen, 1);
        if body.width < 72 {
            let rows = (maps as u16).saturating_add(2).min(body.height / 2);
            let (rest, list) = (body.height - rows, Rect { height: rows, ..body });
            let about = Rect { y: body.y + rows, height: rest, ..body };
            return Self { list, about, footer, ..Self::default() };
        }
        let (list, side) = cut_right(body, body.width - (body.width * 2 / 5).clamp(36, 52));
        let (preview, about) = cut_bottom(side, about(side.width).min(side.height / 2));
        Self { list, about, preview, footer }
    }
}

/// Returns the area inside a pane's border.
pub fn inside(pane: Rect) -> Rect {
    pane.inner(ratatui::layout::Margin::new(1, 1))
}

fn cut_bottom(area: Rect, rows: u16) -> (Rect, Rect) {
    let rows = rows.min(area.height);
    let top = Rect { height: area.height - rows, ..area };
    (top, Rect { y: area.y + top.height, height: rows, ..area })
}

fn cut_right(area: Rect, columns: u16) -> (Rect, Rect) {
    let columns = columns.min(area.width);
    let left = Rect { width: area.width - columns, ..area };
    (left, Rect { x: area.x + left.width, width: columns, ..area })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contents(panes: Panes, rows: u32) -> Contents {
        Contents { panes, map: (40, rows), agents: 3, inspector: None }
    }

    #[test]
    fn the_inspector_becomes_narrower_if_the_whole_map_then_fits() {
        let screen = Rect::new(0, 0, 120, 40);
        let width =
            |map| Layout::of(screen, Contents { map, ..Contents::default() }).inspector.width;
        assert_eq!(width((35, 20)), 48, "fits beside the usual inspector");
        assert_eq!(width((38, 20)), 42, "76 columns and the border");
        assert_eq!(width((36, 20)), 46);
        assert_eq!(width((39, 20)), 48, "does not fit as squares");
        assert_eq!(width((18, 15)), 48, "for large tiles, it keeps the usual minimum width");
        assert_eq!(width((76, 20)), 42, "tiles of one cell");
        let chosen = Contents { map: (35, 20), inspector: Some(60), ..Contents::default() };
        assert_eq!(Layout::of(screen, chosen).inspector.width, 60);
    }

    #[test]
    fn panes_cover_every_screen_and_never_overlap() {
        for width in (0..260).step_by(3) {
            for height in 0..90 {
                for panes in [Panes::All, Panes::Map, Panes::Inspector] {
                    let screen = Rect::new(0, 0, width, height);
                    let plain = Layout::of(screen, contents(panes, 15));
                    let layout = if height % 2 == 0 { plain } else { plain.comparing(screen) };
                    let (panes, rows) = (
                        [layout.map, layout.inspector, layout.agents],
                        [layout.timeline, layout.status, layout.footer],
                    );
                    let areas = [panes, rows].concat();
                    let cells: u32 = areas.iter().map(|area| area.area()).sum();
                    assert_eq!(cells, screen.area(), "{width}×{height}");
                    assert!(areas.iter().all(|&area| area == area.intersection(screen)));
                    let gallery = GalleryLayout::of(screen, 12, |_| 9);
                    let areas = [gallery.list, gallery.about, gallery.preview, gallery.footer];
                    let cells: u32 = areas.iter().map(|area| area.area()).sum();
                    assert_eq!(cells, screen.area(), "{width}×{height}");
                }
            }
        }
    }

    #[test]
    fn the_event_log_never_hides_the_map() {
        for (width, height) in [(100, 24), (120, 40), (300, 80)] {
            for panes in [Panes::All, Panes::Map, Panes::Inspector] {
                let screen = Rect::new(0, 0, width, height);
                let before = Layout::of(screen, contents(panes, 40));
                let layout = before.logging();
                let above = if panes == Panes::Inspector { layout.inspector } else { layout.map };
                let whole = if panes == Panes::Inspector { before.inspector } else { before.map };
                assert_eq!(above.bottom(), layout.log.y);
                assert_eq!(above.height + layout.log.height, whole.height);
                assert!(layout.log.height >= LOG_ROWS.0 && above.height > layout.log.height);
            }
        }
        let stacked = Layout::of(Rect::new(0, 0, 80, 24), contents(Panes::All, 40));
        assert_eq!(stacked.logging(), stacked, "it takes the place of the inspector");
    }

    #[test]
    fn the_smallest_screen_has_room_for_map_and_inspector() {
        let screen = Rect::new(0, 0, SMALLEST.0, SMALLEST.1);
        let layout = Layout::of(screen, contents(Panes::All, 50));
        assert!(inside(layout.map).height >= 3 && inside(layout.inspector).height >= 3);
    }
}
