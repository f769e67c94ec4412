//! Reversible byte replacements in a text.

/// A replaced range of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Patch {
    /// Start of the range in the old text, in bytes.
    pub at: usize,
    /// Old content of the range.
    pub before: String,
    /// New content of the range.
    pub after: String,
}

/// Applies patches and returns the new text. The patches must be sorted and must not overlap.
/// Returns `None` if the text does not contain the old content of each patch.
pub fn apply(text: &str, patches: &[Patch]) -> Option<String> {
    let steps = patches.iter().map(|patch| (patch.at, &*patch.before, &*patch.after));
    replaced(text, steps)
}

/// Returns the text as it was before `patches`. Returns `None` if the text does not contain the new
/// content of each patch.
pub fn undo(text: &str, patches: &[Patch]) -> Option<String> {
    let mut shift = 0_isize;
    let steps = patches.iter().map(|patch| {
        let at = patch.at.saturating_add_signed(shift);
        shift += patch.after.len().cast_signed() - patch.before.len().cast_signed();
        (at, &*patch.after, &*patch.before)
    });
    replaced(text, steps)
}

fn replaced<'a>(
    text: &str,
    steps: impl Iterator<Item = (usize, &'a str, &'a str)>,
) -> Option<String> {
    let mut made = String::with_capacity(text.len() + 64);
    let mut done = 0;
    for (at, old, new) in steps {
        made.push_str(text.get(done..at)?);
        text.get(at..)?.strip_prefix(old)?;
        made.push_str(new);
        done = at + old.len();
    }
    made.push_str(text.get(done..)?);
    Some(made)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn patch(at: usize, before: &str, after: &str) -> Patch {
        Patch { at, before: before.to_owned(), after: after.to_owned() }
    }

    #[test]
    fn undo_restores_the_exact_text() {
        let text = "tiles = 'é.#'\r\n";
        let patches = [patch(9, "é", "#"), patch(11, ".", "~~"), patch(12, "", "é")];
        let after = apply(text, &patches).unwrap();
        assert_eq!(after, "tiles = '#~~é#'\r\n");
        assert_eq!(undo(&after, &patches).unwrap(), text);
    }

    #[test]
    fn patches_reject_another_text() {
        assert_eq!(apply("abc", &[patch(1, "x", "y")]), None);
        assert_eq!(apply("abc", &[patch(9, "", "y")]), None);
        assert_eq!(apply("é", &[patch(1, "", "y")]), None);
        assert_eq!(undo("abc", &[patch(1, "b", "c")]), None);
    }
}
