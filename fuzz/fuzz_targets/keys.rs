//! Fuzzes the decoder of the terminal's bytes: the output does not exceed the input, a paste is one input
//! however it is split, and a key after a silence is read as that key.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tilewalk::tui::input::{Decoder, Input, Key};

fuzz_target!(|bytes: &[u8]| {
    // The first byte is the length of the first piece.
    let Some((&cut, bytes)) = bytes.split_first() else { return };
    let mut decoder = Decoder::default();
    decoder.feed(bytes, false);
    let whole = decoded(&mut decoder);
    assert!(size(&whole) <= bytes.len() * MAX_GROWTH, "{whole:?}");
    decoder.silence();
    decoded(&mut decoder);
    decoder.feed(b"q", false);
    assert_eq!(decoded(&mut decoder), [Input::Key(Key::Char('q'))]);

    let (first, rest) = bytes.split_at(usize::from(cut).min(bytes.len()));
    decoder.feed(START, false);
    decoder.feed(first, true);
    decoder.feed(rest, true);
    decoder.feed(END, false);
    // A paste that contains an end marker, or ends with the beginning of one, is not checked.
    if ![bytes, END].concat()[..bytes.len() + END.len() - 1].windows(END.len()).any(|it| it == END)
    {
        let text = String::from_utf8_lossy(bytes).into_owned();
        assert_eq!(decoded(&mut decoder), [Input::Paste(text)]);
    }
});

// The start marker and the end marker of a paste.
const START: &[u8] = b"\x1b[200~";
const END: &[u8] = b"\x1b[201~";

/// Length of the longest input for one byte: an invalid byte of a paste becomes the replacement character.
const MAX_GROWTH: usize = 3;

fn decoded(decoder: &mut Decoder) -> Vec<Input> {
    std::iter::from_fn(|| decoder.pop()).collect()
}

/// Returns the size of inputs: the number of bytes of pasted text, and 1 for any other input.
fn size(inputs: &[Input]) -> usize {
    let size = |input: &Input| match input {
        Input::Paste(text) => text.len(),
        Input::Key(_)
        | Input::Click(_)
        | Input::Drag(_)
        | Input::Release
        | Input::RightClick(_)
        | Input::Wheel { .. }
        | Input::Resize { .. }
        | Input::Answer(_) => 1,
    };
    inputs.iter().map(size).sum()
}
