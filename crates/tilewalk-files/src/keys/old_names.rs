//! Old spellings that stay valid, and the words that replaced them. All readers use this table.
//!
//! Readers replace a word with [`current`] before comparing the word. `tilewalk check --deprecated`
//! lists the old spellings that a file uses.

/// Part of the user interface in which a renamed word occurs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AliasKind {
    /// An action: the word after `:` in the terminal UI, and a key of `[keys]` in a configuration
    /// file.
    Action,
    /// An overlay: an element of `overlays` in a configuration file.
    Overlay,
}

impl AliasKind {
    /// Returns the noun that messages use for words of this kind.
    pub fn noun(self) -> &'static str {
        match self {
            Self::Action => "action",
            Self::Overlay => "overlay",
        }
    }
}

/// A renamed word, with the old and the new spelling.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Alias {
    /// Whether the word names an action or an overlay.
    pub kind: AliasKind,
    /// Spelling that is still accepted.
    pub old: &'static str,
    /// Word that replaced the old spelling.
    pub new: &'static str,
    /// First tilewalk version that accepts the new word.
    pub since: &'static str,
}

const fn action(old: &'static str, new: &'static str) -> Alias {
    Alias { kind: AliasKind::Action, old, new, since: "0.1.0" }
}

const fn overlay(old: &'static str, new: &'static str) -> Alias {
    Alias { kind: AliasKind::Overlay, old, new, since: "0.1.0" }
}

/// All renamed actions and overlays. No old spelling occurs twice.
pub const TABLE: &[Alias] = &[
    action("run-to-hit", "continue"),
    action("back-to-hit", "reverse-continue"),
    action("breaks", "breakpoints"),
    action("delete-break", "delete-breakpoint"),
    action("save-breaks", "save-breakpoints"),
    action("mark", "bookmark"),
    action("next-marker", "next-bookmark"),
    action("previous-marker", "previous-bookmark"),
    action("markers", "bookmarks"),
    action("visits", "heat-map"),
    action("ledger", "forces"),
    action("mind", "modes"),
    action("save", "screenshot"),
    action("start-anew", "restart-with-changes"),
    action("dismiss", "hide-ghost"),
    action("let-go", "stop-driving"),
    action("take-vertex-back", "remove-vertex"),
    action("toggle-layer", "toggle-overlay"),
    action("usual-layers", "default-overlays"),
    action("layer-up", "overlay-up"),
    action("layer-down", "overlay-down"),
    action("toggle-break", "toggle-breakpoint"),
    action("delete-marked", "delete-selected"),
    action("break-up", "breakpoint-up"),
    action("break-down", "breakpoint-down"),
    action("take-filter", "apply-filter"),
    action("go-to-marker", "go-to-bookmark"),
    action("delete-marker", "delete-bookmark"),
    action("marker-up", "bookmark-up"),
    action("marker-down", "bookmark-down"),
    action("take", "select-match"),
    action("close-breaks", "close-breakpoints"),
    overlay("visits", "heat map"),
    overlay("expected", "predicted"),
];

/// Returns the alias with the old spelling `word`; `None` if the word was never renamed.
pub fn find(kind: AliasKind, word: &str) -> Option<&'static Alias> {
    TABLE.iter().find(|alias| alias.kind == kind && alias.old == word)
}

/// Returns the current spelling of a word. Returns the word unchanged if it was never renamed.
pub fn current(kind: AliasKind, word: &str) -> &str {
    find(kind, word).map_or(word, |alias| alias.new)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_spellings_are_not_replaced_and_old_ones_are_listed_once() {
        for (index, alias) in TABLE.iter().enumerate() {
            assert_eq!(find(alias.kind, alias.new), None, "{} was replaced too", alias.new);
            let first =
                TABLE.iter().position(|other| (other.kind, other.old) == (alias.kind, alias.old));
            assert_eq!(first, Some(index), "{} is listed twice", alias.old);
        }
    }
}
