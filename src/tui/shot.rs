//! Screenshots: the cells of the screen for pictures.

use ratatui::buffer::{self, Buffer};
use ratatui::style::{Color, Modifier};

use crate::render::cells::{CellStyle, Cells};

use super::theme;

/// Text and background colours for cells with the terminal's default colours.
const DEFAULT_COLORS: (u32, u32) = (0xd0_d0d0, 0x10_1010);

/// Returns the cells of the screen.
pub fn cells(buffer: &Buffer) -> Cells {
    let (width, height) = (usize::from(buffer.area.width), usize::from(buffer.area.height));
    Cells::new(width, height, |x, y| {
        let cell = &buffer.content[y * width + x];
        (cell.symbol().to_owned(), style(cell))
    })
}

/// Returns the appearance of a cell, with resolved colours and without `REVERSED`.
fn style(cell: &buffer::Cell) -> CellStyle {
    let rgb = |color: Color, default| theme::rgb(color).unwrap_or(default);
    let (text, background) = (rgb(cell.fg, DEFAULT_COLORS.0), rgb(cell.bg, DEFAULT_COLORS.1));
    let has = |modifier| cell.modifier.contains(modifier);
    let (text, background) =
        if has(Modifier::REVERSED) { (background, text) } else { (text, background) };
    let marks = [
        (Modifier::BOLD, CellStyle::BOLD),
        (Modifier::DIM, CellStyle::DIM),
        (Modifier::ITALIC, CellStyle::ITALIC),
        (Modifier::UNDERLINED, CellStyle::UNDERLINED),
        (Modifier::CROSSED_OUT, CellStyle::CROSSED_OUT),
    ];
    let marks = marks.into_iter().filter(|(modifier, _)| has(*modifier));
    CellStyle { text, background, marks: marks.fold(0, |bits, (_, mark)| bits | mark) }
}

#[cfg(test)]
mod tests {
    use ratatui::layout::Rect;
    use ratatui::style::Style;

    use super::*;

    #[test]
    fn cells_contain_each_symbol_once_with_its_style() {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 8, 2));
        let style = Style::new().fg(Color::Rgb(1, 2, 3)).add_modifier(Modifier::REVERSED);
        buffer.set_string(0, 0, "<語&>", style);
        buffer.set_string(0, 1, "ab", Style::new().add_modifier(Modifier::BOLD));
        let cells = cells(&buffer);
        assert_eq!(cells.text(), "<語&>\nab\n");
        let svg = cells.svg();
        assert!(svg.contains("width=\"72\" height=\"36\""), "{svg}");
        assert!(svg.contains("fill=\"#010203\"/>"), "the background is the text's colour: {svg}");
        assert!(svg.contains("textLength=\"45\""), "five columns: {svg}");
        assert!(svg.contains(">&lt;語&amp;&gt;</text>"), "{svg}");
        assert!(svg.contains("font-weight=\"bold\">ab</text>"), "{svg}");
    }
}
