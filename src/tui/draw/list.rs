//! The list widget of all list panels: border, selected row, scrolling, text input and mouse areas.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::widgets::{Clear, Widget};
use unicode_width::UnicodeWidthStr;

use crate::tui::glyph;
use crate::tui::input::Cell;
use crate::tui::layout;
use crate::tui::theme::Theme;

use super::line::LineRow;
use super::{first_shown, pane};

/// Texts with their styles, in display order: the parts of a row, or several lines.
pub type Spans = Vec<(String, Style)>;

/// A row of a list: styled texts on the left, and one on the right.
#[derive(Debug, Default)]
pub struct ListRow {
    /// Texts at the left end of the row. The first text is emphasised if the row is selected.
    pub spans: Spans,
    /// Text at the right end of the row. If the row is too narrow, the texts on the left are cut.
    pub right: Option<(String, Style)>,
}

impl From<Spans> for ListRow {
    fn from(spans: Spans) -> Self {
        Self { spans, right: None }
    }
}

/// A list panel. Rows are formatted only when they are visible, so long lists are cheap.
pub struct List<'a> {
    /// Area of the panel in terminal cells, including the border.
    pub area: Rect,
    pub title: String,
    /// Second title, at the right end of the upper border. Usually a count.
    pub right: String,
    /// Column headings above the rows, if the list has any.
    pub head: Option<String>,
    /// Number of all rows, including rows that are scrolled out of view.
    pub count: usize,
    /// Index of the selected row, from 0. `None` if no row is selected.
    pub selected: Option<usize>,
    /// Number of columns of rows, at least 1. Rows fill one column after another.
    pub columns: u16,
    /// Function that formats the row at an index below `count`.
    pub row: Box<dyn Fn(usize) -> ListRow + 'a>,
    /// Lines directly below the selected row. They scroll with the row.
    pub details: Spans,
    /// Text shown instead of rows if `count` is 0.
    pub empty: String,
    /// Lines below all rows, above the text input. They do not scroll.
    pub notes: Spans,
    /// Text input in the last line of the panel, if the list has one.
    pub input: Option<LineRow<'a>>,
    pub theme: &'a Theme,
}

impl<'a> List<'a> {
    /// Creates a list with one column of rows. The list has no column headings, details, notes or
    /// text input.
    pub fn new(
        title: impl Into<String>,
        area: Rect,
        count: usize,
        selected: Option<usize>,
        theme: &'a Theme,
        row: impl Fn(usize) -> ListRow + 'a,
    ) -> Self {
        Self {
            area,
            title: title.into(),
            right: String::new(),
            head: None,
            count,
            selected,
            columns: 1,
            row: Box::new(row),
            details: Vec::new(),
            empty: String::new(),
            notes: Vec::new(),
            input: None,
            theme,
        }
    }

    /// Returns the area in which rows are drawn, without border, headings, notes and text input.
    pub fn rows(&self) -> Rect {
        let inside = layout::inside(self.area);
        let above = u16::from(self.head.is_some());
        let below = self.notes.len() as u16 + u16::from(self.input.is_some());
        let height = inside.height.saturating_sub(above + below);
        let used = self.count.div_ceil(self.columns.into()).min(height.into()) as u16;
        let height = if self.columns > 1 { used } else { height };
        Rect { y: inside.y + above, height, ..inside }
    }

    /// Returns the number of rows that the panel shows at once.
    pub fn page(&self) -> usize {
        usize::from(self.rows().height) * usize::from(self.columns)
    }

    /// Returns true if a cell is inside the panel or on its border.
    pub fn covers(&self, cell: Cell) -> bool {
        self.area.contains(Position::new(cell.x, cell.y))
    }

    /// Returns the index of the row drawn on a cell, for clicks. Returns `None` outside all rows.
    pub fn row_at(&self, cell: Cell) -> Option<usize> {
        let on = |(_, area): &(usize, Rect)| area.contains(Position::new(cell.x, cell.y));
        self.visible().into_iter().find(on).map(|(index, _)| index)
    }

    /// Returns the index of the first visible row. Keeps the selected row and its details visible.
    fn first(&self) -> usize {
        let (rows, selected) = (self.rows().height, self.selected.unwrap_or(0));
        if self.columns > 1 {
            let height = usize::from(rows.max(1));
            return (selected / height).saturating_sub(usize::from(self.columns) - 1) * height;
        }
        let end = selected + 1 + self.details.len();
        let centred = first_shown(selected, self.count + self.details.len(), rows);
        centred.max(end.saturating_sub(rows.into())).min(selected)
    }

    /// Returns the indices of the visible rows in display order, with their areas.
    fn visible(&self) -> Vec<(usize, Rect)> {
        let rows = self.rows();
        if rows.is_empty() {
            return Vec::new();
        }
        let width = rows.width / self.columns;
        let height = usize::from(rows.height);
        let first = self.first();
        let place = |index: usize| {
            let below = self.selected.is_some_and(|selected| index > selected);
            let line = index - first + if below { self.details.len() } else { 0 };
            let column = line / height;
            (column < self.columns.into()).then(|| {
                let (x, y) = (rows.x + column as u16 * width, rows.y + (line % height) as u16);
                (index, Rect { x, y, width, height: 1 })
            })
        };
        (first..self.count).map_while(place).collect()
    }

    fn draw_row(&self, index: usize, area: Rect, buffer: &mut Buffer) {
        let is_selected = self.selected == Some(index);
        let ListRow { spans, right } = (self.row)(index);
        if is_selected {
            buffer.set_stringn(area.x, area.y, glyph::MARKER, area.width.into(), self.theme.key);
        }
        let mut end = area.right();
        if let Some((text, style)) = right {
            end = end.saturating_sub(text.width() as u16).max(area.x + 1);
            buffer.set_stringn(
                end,
                area.y,
                text.trim_end(),
                usize::from(area.right() - end),
                style,
            );
            end -= 1;
        }
        let mut x = area.x + 1;
        for (place, (text, style)) in spans.into_iter().enumerate() {
            let style = if is_selected && place == 0 { self.theme.strong } else { style };
            let room = usize::from(end.saturating_sub(x));
            (x, _) = buffer.set_stringn(x, area.y, pane::fitted(&text, room), room, style);
        }
        if is_selected {
            buffer.set_style(area, self.theme.chosen);
            self.draw_lines(&self.details, Rect { y: area.y + 1, ..self.rows() }, buffer);
        }
    }

    fn draw_lines(&self, lines: &Spans, area: Rect, buffer: &mut Buffer) {
        let end = layout::inside(self.area).bottom();
        let room = usize::from(area.width.saturating_sub(1));
        for (y, (text, style)) in (area.y..end).zip(lines) {
            buffer.set_stringn(area.x + 1, y, pane::fitted(text, room), room, *style);
        }
    }
}

impl Widget for &List<'_> {
    fn render(self, screen: Rect, buffer: &mut Buffer) {
        let area = self.area.intersection(screen);
        if area.is_empty() {
            return;
        }
        Clear.render(area, buffer);
        let inside = pane::frame(&self.title, &self.right, self.theme, area, buffer);
        if inside.is_empty() {
            return;
        }
        let width = usize::from(inside.width);
        if let Some(head) = &self.head {
            let head = pane::fitted(head, width);
            buffer.set_stringn(inside.x, inside.y, head, width, self.theme.dim);
        }
        let rows = self.rows();
        if self.count == 0 && !rows.is_empty() {
            let text = pane::fitted(&format!(" {}", self.empty), width);
            buffer.set_stringn(rows.x, rows.y, text, width, self.theme.dim);
        }
        for (index, area) in self.visible() {
            self.draw_row(index, area, buffer);
        }
        let input = u16::from(self.input.is_some());
        let notes = inside.bottom().saturating_sub(input + self.notes.len() as u16);
        self.draw_lines(&self.notes, Rect { y: notes.max(inside.y), ..inside }, buffer);
        if let Some(input) = &self.input {
            input.render(Rect { y: inside.bottom() - 1, height: 1, ..inside }, buffer);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::depth::Depth;
    use crate::tui::theme::Name;

    fn list(count: usize, selected: usize, theme: &Theme) -> List<'_> {
        let row = |index: usize| ListRow::from(vec![(format!("row {index}"), Style::new())]);
        List::new("rows", Rect::new(0, 0, 20, 7), count, Some(selected), theme, row)
    }

    #[test]
    fn a_click_finds_the_row_that_is_drawn_there() {
        let theme = Theme::of(Name::Dark, Depth::None);
        for selected in [0, 4, 19] {
            let list = list(20, selected, &theme);
            let mut buffer = Buffer::empty(list.area);
            (&list).render(list.area, &mut buffer);
            for y in 1..6 {
                let index = list.row_at(Cell { x: 2, y }).expect("a row");
                let text: String = (2..18).map(|x| buffer[(x, y)].symbol()).collect();
                assert_eq!(text.trim(), format!("row {index}"));
            }
            assert_eq!(list.row_at(Cell { x: 2, y: 6 }), None);
            assert!(list.covers(Cell { x: 2, y: 6 }));
        }
    }

    #[test]
    fn details_of_the_selected_row_stay_in_view() {
        let theme = Theme::of(Name::Dark, Depth::None);
        let mut list = list(20, 10, &theme);
        list.details = vec![(String::new(), Style::new()); 4];
        assert_eq!(list.visible(), [(10, Rect::new(1, 1, 18, 1))]);
        list.details.truncate(1);
        let places: Vec<_> = list.visible().iter().map(|(index, area)| (*index, area.y)).collect();
        assert_eq!(places, [(8, 1), (9, 2), (10, 3), (11, 5)]);
    }
}
