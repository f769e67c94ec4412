//! The terminal backend draws the same cells as ratatui's backend for crossterm, with no more bytes.

use proptest::prelude::*;
use ratatui::backend::{Backend, CrosstermBackend};
use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};
use tilewalk::tui::wire::TerminalBackend;

const SCREEN: Rect = Rect { x: 0, y: 0, width: 24, height: 6 };

fn color() -> impl Strategy<Value = Color> {
    prop_oneof![
        Just(Color::Reset),
        Just(Color::LightRed),
        (0..255_u8).prop_map(Color::Indexed),
        prop_oneof![Just(Color::Rgb(18, 20, 26)), Just(Color::Rgb(224, 176, 96))],
    ]
}

/// Generates texts in random styles and at random positions.
fn random_texts() -> impl Strategy<Value = Vec<(u16, u16, String, Style)>> {
    // Only modifiers that vt100 distinguishes. The code is the same for the others.
    let modifiers = [Modifier::BOLD, Modifier::ITALIC, Modifier::UNDERLINED, Modifier::REVERSED];
    let modifier = proptest::sample::subsequence(modifiers.to_vec(), 0..=4)
        .prop_map(|chosen| chosen.into_iter().collect::<Modifier>());
    let style = (color(), color(), modifier)
        .prop_map(|(fg, bg, modifier)| Style::new().fg(fg).bg(bg).add_modifier(modifier));
    let text =
        prop_oneof![3 => "[a-z ]{1,6}", 1 => Just("日本".to_owned()), 1 => Just("•⡇".into())];
    prop::collection::vec((0..SCREEN.width, 0..SCREEN.height, text, style), 0..12)
}

/// Draws texts on an empty screen.
fn draw_texts(texts: &[(u16, u16, String, Style)]) -> Buffer {
    let mut buffer = Buffer::empty(SCREEN);
    for (x, y, text, style) in texts {
        buffer.set_string(*x, *y, text, *style);
    }
    buffer
}

/// Sends the changes from each screen to the next one to a terminal. Returns the terminal and the number
/// of bytes.
fn send<'a>(
    screens: &'a [Buffer],
    mut encode: impl FnMut(Vec<(u16, u16, &'a Cell)>) -> Vec<u8>,
) -> (vt100::Parser, usize) {
    let mut terminal = vt100::Parser::new(SCREEN.height, SCREEN.width, 0);
    let mut bytes = 0;
    for pair in screens.windows(2) {
        let sent = encode(pair[0].diff(&pair[1]));
        terminal.process(&sent);
        bytes += sent.len();
    }
    (terminal, bytes)
}

proptest! {
    #[test]
    fn the_backend_draws_the_same_cells_as_crossterm_with_no_more_bytes(
        texts in prop::collection::vec(random_texts(), 1..4),
    ) {
        let blank = std::iter::once(draw_texts(&[]));
        let screens: Vec<Buffer> = blank.chain(texts.iter().map(|texts| draw_texts(texts))).collect();
        let (terminal, bytes) = send(&screens, |cells| {
            let mut out = Vec::new();
            TerminalBackend::new(&mut out).draw(cells.into_iter()).unwrap();
            out
        });
        let (reference, reference_bytes) = send(&screens, |cells| {
            let mut out = Vec::new();
            CrosstermBackend::new(&mut out).draw(cells.into_iter()).unwrap();
            out
        });
        for (y, x) in (0..SCREEN.height).flat_map(|y| (0..SCREEN.width).map(move |x| (y, x))) {
            prop_assert_eq!(terminal.screen().cell(y, x), reference.screen().cell(y, x), "{}, {}", x, y);
        }
        prop_assert!(bytes <= reference_bytes, "{} bytes, crossterm {}", bytes, reference_bytes);
    }
}

/// Returns the bytes that draw a cell in a style. Escape bytes are shown as `^`.
fn encoded(style: Style) -> String {
    let mut buffer = Buffer::empty(Rect::new(0, 0, 1, 1));
    buffer[(0, 0)].set_char('x').set_style(style);
    let mut out = Vec::new();
    TerminalBackend::new(&mut out).draw([(0, 0, &buffer[(0, 0)])].into_iter()).unwrap();
    String::from_utf8(out).unwrap().replace('\u{1b}', "^")
}

#[test]
fn a_change_of_foreground_and_background_is_sent_in_one_sequence() {
    let (fg, bg) = (Color::Indexed(208), Color::Indexed(234));
    assert_eq!(encoded(Style::new().fg(fg)), "^[1;1H^[38;5;208mx^[0m");
    assert_eq!(encoded(Style::new().bg(bg)), "^[1;1H^[48;5;234mx^[0m");
    assert_eq!(encoded(Style::new().fg(fg).bg(bg)), "^[1;1H^[38;5;208;48;5;234mx^[0m");
}

/// Each modifier is turned on for one cell, and off for the next one.
#[test]
fn every_modifier_is_turned_on_and_off() {
    let mut buffer = Buffer::empty(Rect::new(0, 0, 20, 1));
    for (x, modifier) in Modifier::all().iter().enumerate() {
        buffer[(2 * x as u16, 0)].set_char('x').set_style(modifier);
        buffer[(2 * x as u16 + 1, 0)].set_char('-');
    }
    let mut out = Vec::new();
    let cells = buffer.content.iter().enumerate().map(|(x, cell)| (x as u16, 0, cell));
    TerminalBackend::new(&mut out).draw(cells).unwrap();
    let text = String::from_utf8(out).unwrap().replace('\u{1b}', "^");
    let expected = "^[1;1H^[1mx^[22m-^[2mx^[22m-^[3mx^[23m-^[4mx^[24m-^[5mx^[25m-^[6mx^[25m-\
                    ^[7mx^[27m-^[8mx^[28m-^[9mx^[29m-  ";
    assert_eq!(text, expected);
}

/// The same sequence turns off bold and dim, so a modifier that stays is sent again.
#[test]
fn bold_stays_when_dim_is_turned_off() {
    let mut buffer = Buffer::empty(Rect::new(0, 0, 2, 1));
    buffer[(0, 0)].set_char('a').set_style(Modifier::BOLD | Modifier::DIM);
    buffer[(1, 0)].set_char('b').set_style(Modifier::BOLD);
    let mut out = Vec::new();
    let cells = buffer.content.iter().enumerate().map(|(x, cell)| (x as u16, 0, cell));
    TerminalBackend::new(&mut out).draw(cells).unwrap();
    let text = String::from_utf8(out).unwrap().replace('\u{1b}', "^");
    assert_eq!(text, "^[1;1H^[1m^[2ma^[22m^[1mb^[0m");
}
