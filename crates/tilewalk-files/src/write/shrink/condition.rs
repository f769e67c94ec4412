//! Moves the coordinates in the text of a condition.

use std::fmt::Write as _;

use tilewalk_sim::condition::lexer::{Token, TokenKind, tokens};

use crate::write::shrink::offset::{Offset, moved_number};

/// Adapts a condition to moved coordinates. Adds the offset to all coordinates in lists. Subtracts
/// the offset from fields: for an offset of -12, `cat.x` becomes `(cat.x + 12)`. A text that is not
/// a condition is returned unchanged.
pub fn moved(text: &str, offset: Offset) -> String {
    let Ok(tokens) = tokens(text) else { return text.to_owned() };
    let mut edits = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        match token.kind {
            TokenKind::Word(word) => {
                let old = match word {
                    "x" | "tile_x" => offset.x,
                    "y" | "tile_y" => offset.y,
                    _ => continue,
                };
                let first = subject(&tokens, index);
                if old != 0 && !is_change(&tokens, first, index) {
                    edits.push((tokens[first].span.start, 0, "(".to_owned()));
                    let sign = if old > 0 { '-' } else { '+' };
                    edits.push((token.span.end, 0, format!(" {sign} {})", old.abs())));
                }
            }
            TokenKind::Mark('[') => list(&tokens[index + 1..], offset, &mut edits),
            TokenKind::Number(_)
            | TokenKind::Text(_)
            | TokenKind::Comparison(_)
            | TokenKind::Mark(_)
            | TokenKind::End => {}
        }
    }
    let (mut moved, mut at) = (String::new(), 0);
    for (start, length, new) in edits {
        let _ = write!(moved, "{}{new}", &text[at..start]);
        at = start + length;
    }
    moved + &text[at..]
}

/// Returns the index of the first token of a field, such as `boid` in `boid.3.x`.
fn subject(tokens: &[Token], field: usize) -> usize {
    let mut first = field;
    while let [.., before, dot] = &tokens[..first]
        && dot.kind == TokenKind::Mark('.')
        && matches!(before.kind, TokenKind::Word(_) | TokenKind::Number(_))
    {
        first -= 2;
    }
    first
}

/// Returns true if a field is the whole argument of `changed`. The field then needs no offset,
/// because only its changes count.
fn is_change(tokens: &[Token], first: usize, last: usize) -> bool {
    let is_argument = matches!(
        &tokens[..first],
        [.., word, open] if word.kind == TokenKind::Word("changed") && open.kind == TokenKind::Mark('(')
    );
    is_argument && tokens.get(last + 1).is_some_and(|token| token.kind == TokenKind::Mark(')'))
}

/// Moves the numbers of a list. x and y alternate. `tokens` start after the opening bracket.
fn list(tokens: &[Token], offset: Offset, edits: &mut Vec<(usize, usize, String)>) {
    let (mut is_y, mut minus) = (false, None);
    for token in tokens {
        match token.kind {
            TokenKind::Mark('-') => minus = Some(token.span.start),
            TokenKind::Number(number) => {
                let start = minus.take().unwrap_or(token.span.start);
                let sign = if start < token.span.start { "-" } else { "" };
                let by = if is_y { offset.y } else { offset.x };
                if let Some(new) = moved_number(&format!("{sign}{number}"), by) {
                    edits.push((start, token.span.end - start, new));
                }
            }
            TokenKind::Mark(',') => is_y = !is_y,
            TokenKind::Mark(_)
            | TokenKind::Word(_)
            | TokenKind::Text(_)
            | TokenKind::Comparison(_)
            | TokenKind::End => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_and_lists_are_moved() {
        let offset = Offset { x: -10, y: 2 };
        for (before, after) in [
            ("cat.x > 3", "(cat.x + 10) > 3"),
            ("boid.3.tile_y == y", "(boid.3.tile_y - 2) == (y - 2)"),
            ("changed(cat.x) or changed(cat.x > 3)", "changed(cat.x) or changed((cat.x + 10) > 3)"),
            ("distance(cat, [4, 10.5]) < 2", "distance(cat, [-6, 12.5]) < 2"),
            ("in(cat, [-4, 1, 20, 3])", "in(cat, [-14, 3, 10, 5])"),
            ("cat.mode == 'x' and cat.speed > 1", "cat.mode == 'x' and cat.speed > 1"),
        ] {
            assert_eq!(moved(before, offset), after);
        }
        assert_eq!(moved("cat.x > 3", Offset { x: 0, y: 5 }), "cat.x > 3");
    }
}
