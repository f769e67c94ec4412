//! The terminal backend draws the exact cells, with fewer bytes than the backend of ratatui.

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

/// A few texts in some style, anywhere on the screen.
fn writing() -> impl Strategy<Value = Vec<(u16, u16, String, Style)>> {
    // What vt100 tells apart; the others go the same way.
    let modifiers = [Modifier::BOLD, Modifier::ITALIC, Modifier::UNDERLINED, Modifier::REVERSED];
    let modifier = proptest::sample::subsequence(modifiers.to_vec(), 0..=4)
        .prop_map(|chosen| chosen.into_iter().collect::<Modifier>());
    let style = (color(), color(), modifier)
        .prop_map(|(fg, bg, modifier)| Style::new().fg(fg).bg(bg).add_modifier(modifier));
    let text =
        prop_oneof![3 => "[a-z ]{1,6}", 1 => Just("日本".to_owned()), 1 => Just("•⡇".into())];
    prop::collection::vec((0..SCREEN.width, 0..SCREEN.height, text, style), 0..12)
}

/// The screen with those texts on it.
fn written(texts: &[(u16, u16, String, Style)]) -> Buffer {
    let mut buffer = Buffer::empty(SCREEN);
    for (x, y, text, style) in texts {
        buffer.set_string(*x, *y, text, *style);
    }
    buffer
}

/// What a backend sends for one screen after another, drawn by a terminal; and how many bytes.
fn shown<'a>(
    screens: &'a [Buffer],
    mut sends: impl FnMut(Vec<(u16, u16, &'a Cell)>) -> Vec<u8>,
) -> (vt100::Parser, usize) {
    let mut terminal = vt100::Parser::new(SCREEN.height, SCREEN.width, 0);
    let mut bytes = 0;
    for pair in screens.windows(2) {
        let sent = sends(pair[0].diff(&pair[1]));
        terminal.process(&sent);
        bytes += sent.len();
    }
    (terminal, bytes)
}

proptest! {
    #[test]
    fn the_terminal_shows_what_it_shows_with_the_usual_backend_for_no_more_bytes(
        texts in prop::collection::vec(writing(), 1..4),
    ) {
        let blank = std::iter::once(written(&[]));
        let screens: Vec<Buffer> = blank.chain(texts.iter().map(|texts| written(texts))).collect();
        let (thrifty, few) = shown(&screens, |cells| {
            let mut out = Vec::new();
            TerminalBackend::new(&mut out).draw(cells.into_iter()).unwrap();
            out
        });
        let (usual, many) = shown(&screens, |cells| {
            let mut out = Vec::new();
            CrosstermBackend::new(&mut out).draw(cells.into_iter()).unwrap();
            out
        });
        for (y, x) in (0..SCREEN.height).flat_map(|y| (0..SCREEN.width).map(move |x| (y, x))) {
            prop_assert_eq!(thrifty.screen().cell(y, x), usual.screen().cell(y, x), "{}, {}", x, y);
        }
        prop_assert!(few <= many, "{} bytes, usual {}", few, many);
    }
}

/// What a cell of that style is told by, after a plain one.
fn told(style: Style) -> String {
    let mut buffer = Buffer::empty(Rect::new(0, 0, 1, 1));
    buffer[(0, 0)].set_char('x').set_style(style);
    let mut out = Vec::new();
    TerminalBackend::new(&mut out).draw([(0, 0, &buffer[(0, 0)])].into_iter()).unwrap();
    String::from_utf8(out).unwrap().replace('\u{1b}', "^")
}

#[test]
fn colours_that_change_together_are_told_in_one() {
    let (fg, bg) = (Color::Indexed(208), Color::Indexed(234));
    assert_eq!(told(Style::new().fg(fg)), "^[1;1H^[38;5;208mx^[0m");
    assert_eq!(told(Style::new().bg(bg)), "^[1;1H^[48;5;234mx^[0m");
    assert_eq!(told(Style::new().fg(fg).bg(bg)), "^[1;1H^[38;5;208;48;5;234mx^[0m");
}

/// One cell in each modifier there is, and back: the terminal is told of each, and left plain.
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

/// Bold and dim are turned off by the same: what stays is said again.
#[test]
fn bold_stays_when_dim_goes() {
    let mut buffer = Buffer::empty(Rect::new(0, 0, 2, 1));
    buffer[(0, 0)].set_char('a').set_style(Modifier::BOLD | Modifier::DIM);
    buffer[(1, 0)].set_char('b').set_style(Modifier::BOLD);
    let mut out = Vec::new();
    let cells = buffer.content.iter().enumerate().map(|(x, cell)| (x as u16, 0, cell));
    TerminalBackend::new(&mut out).draw(cells).unwrap();
    let text = String::from_utf8(out).unwrap().replace('\u{1b}', "^");
    assert_eq!(text, "^[1;1H^[1m^[2ma^[22m^[1mb^[0m");
}
