//! Terminal backend that sends few bytes for the changed cells.
//!
//! [`CrosstermBackend`] sends both colours if one of them changes, and row and column after each
//! gap. This backend sends only the changed colour, and only the column within a row. That halves
//! the output, which matters over ssh. One moving agent costs 150 to 650 bytes per frame;
//! `tests/it/sessions/costs.rs` limits each such frame to 2 KiB.

use std::io::{self, Write};

use ratatui::backend::{Backend, ClearType, CrosstermBackend, IntoCrossterm as _, WindowSize};
use ratatui::buffer::Cell;
use ratatui::crossterm::cursor::{MoveTo, MoveToColumn};
use ratatui::crossterm::queue;
use ratatui::crossterm::style::{
    Attribute, Colors, Print, SetAttribute, SetBackgroundColor, SetColors, SetForegroundColor,
};
use ratatui::layout::{Position, Size};
use ratatui::style::{Color, Modifier};

/// Modifiers with the attributes that turn them on and off.
///
/// Two modifiers can share an off attribute, so turn modifiers off before turning others on.
const MODIFIERS: [(Modifier, Attribute, Attribute); 9] = [
    (Modifier::BOLD, Attribute::Bold, Attribute::NormalIntensity),
    (Modifier::DIM, Attribute::Dim, Attribute::NormalIntensity),
    (Modifier::ITALIC, Attribute::Italic, Attribute::NoItalic),
    (Modifier::UNDERLINED, Attribute::Underlined, Attribute::NoUnderline),
    (Modifier::SLOW_BLINK, Attribute::SlowBlink, Attribute::NoBlink),
    (Modifier::RAPID_BLINK, Attribute::RapidBlink, Attribute::NoBlink),
    (Modifier::REVERSED, Attribute::Reverse, Attribute::NoReverse),
    (Modifier::HIDDEN, Attribute::Hidden, Attribute::NoHidden),
    (Modifier::CROSSED_OUT, Attribute::CrossedOut, Attribute::NotCrossedOut),
];

/// [`CrosstermBackend`] with an optimised [`Backend::draw`].
#[derive(Debug)]
pub struct TerminalBackend<W: Write>(CrosstermBackend<W>);

impl<W: Write> TerminalBackend<W> {
    pub const fn new(out: W) -> Self {
        Self(CrosstermBackend::new(out))
    }
}

/// Style that the terminal applies to the next text. The style is [`Pen::RESET`] before and after
/// each draw.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Pen {
    fg: Color,
    bg: Color,
    modifier: Modifier,
}

impl Pen {
    const RESET: Self = Self { fg: Color::Reset, bg: Color::Reset, modifier: Modifier::empty() };

    fn of(cell: &Cell) -> Self {
        Self { fg: cell.fg, bg: cell.bg, modifier: cell.modifier }
    }

    /// Sends the differences from the style `before`.
    fn switch_from(self, before: Self, out: &mut impl Write) -> io::Result<()> {
        let mut active = before.modifier;
        for (modifier, _, off) in MODIFIERS {
            if active.contains(modifier) && !self.modifier.contains(modifier) {
                queue!(out, SetAttribute(off))?;
                // The off attribute also turns off the other modifiers that share it.
                MODIFIERS.iter().filter(|row| row.2 == off).for_each(|row| active.remove(row.0));
            }
        }
        for (modifier, on, _) in MODIFIERS {
            if self.modifier.contains(modifier) && !active.contains(modifier) {
                queue!(out, SetAttribute(on))?;
            }
        }
        let (fg, bg) = (self.fg.into_crossterm(), self.bg.into_crossterm());
        match (self.fg != before.fg, self.bg != before.bg) {
            (true, true) => queue!(out, SetColors(Colors::new(fg, bg))),
            (true, false) => queue!(out, SetForegroundColor(fg)),
            (false, true) => queue!(out, SetBackgroundColor(bg)),
            (false, false) => Ok(()),
        }
    }
}

impl<W: Write> Write for TerminalBackend<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Write::flush(&mut self.0)
    }
}

impl<W: Write> Backend for TerminalBackend<W> {
    type Error = io::Error;

    fn draw<'a, I>(&mut self, cells: I) -> io::Result<()>
    where
        I: Iterator<Item = (u16, u16, &'a Cell)>,
    {
        let mut pen = Pen::RESET;
        let mut next = None;
        for (x, y, cell) in cells {
            match next {
                Some(next) if next == (x, y) => {}
                // Use absolute columns, because terminals disagree about the width of some symbols.
                Some((_, row)) if row == y => queue!(self.0, MoveToColumn(x))?,
                _ => queue!(self.0, MoveTo(x, y))?,
            }
            next = Some((x + 1, y));
            let wanted = Pen::of(cell);
            if wanted != pen {
                wanted.switch_from(pen, &mut self.0)?;
                pen = wanted;
            }
            queue!(self.0, Print(cell.symbol()))?;
        }
        if pen == Pen::RESET { Ok(()) } else { queue!(self.0, SetAttribute(Attribute::Reset)) }
    }

    fn hide_cursor(&mut self) -> io::Result<()> {
        self.0.hide_cursor()
    }

    fn show_cursor(&mut self) -> io::Result<()> {
        self.0.show_cursor()
    }

    fn get_cursor_position(&mut self) -> io::Result<Position> {
        self.0.get_cursor_position()
    }

    fn set_cursor_position<P: Into<Position>>(&mut self, position: P) -> io::Result<()> {
        self.0.set_cursor_position(position)
    }

    fn clear(&mut self) -> io::Result<()> {
        self.0.clear()
    }

    fn clear_region(&mut self, region: ClearType) -> io::Result<()> {
        self.0.clear_region(region)
    }

    fn size(&self) -> io::Result<Size> {
        self.0.size()
    }

    fn window_size(&mut self) -> io::Result<WindowSize> {
        self.0.window_size()
    }

    fn flush(&mut self) -> io::Result<()> {
        Backend::flush(&mut self.0)
    }
}
