//! The contexts in which keys are bound.

use crate::tui::input::Key;
use crate::tui::overlays;

use super::{Action, context_rows};

/// The way in which a context handles character keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TextInput {
    /// The context has no text input.
    None,
    /// Character keys insert text, unless they are bound to commands.
    SomeCharacters,
    /// All character keys insert text and cannot be bound.
    AllCharacters,
}

/// The kind of component to which a context belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Group {
    /// A list without text input, with the keys of all lists.
    List,
    /// A list in which the commands of the map can also be typed.
    MapList,
    /// Any other component.
    Other,
}

/// The properties of one context; one row of [`TABLE`].
struct ContextRow {
    title: &'static str,
    place: &'static str,
    entered_by: Option<Action>,
    text: TextInput,
    group: Group,
}

/// Declares [`Context`] and [`TABLE`] from the rows of `context_rows`.
macro_rules! declare {
    ($($name:ident ($title:literal, $place:literal, $opener:expr, $text:ident, $group:ident);)*) => {
        /// A part of the screen that receives keys. Each context has its own keys and commands.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Context {
            $(#[doc = $title] $name,)*
        }

        impl Context {
            /// All contexts, in the order of the help.
            pub const ALL: [Self; TABLE.len()] = [$(Self::$name,)*];
        }

        /// The properties of all contexts, in the order of [`Context`].
        const TABLE: &[ContextRow] = &[$(ContextRow {
            title: $title,
            place: $place,
            entered_by: $opener,
            text: TextInput::$text,
            group: Group::$group,
        },)*];
    };
}

context_rows!(declare);

impl Context {
    fn row(self) -> &'static ContextRow {
        &TABLE[self as usize]
    }

    /// Returns true if the map handles the keys that are not bound in this context. These keys then
    /// act as in [`Self::Map`].
    pub fn is_over_map(self) -> bool {
        matches!(self, Self::Drive | Self::Paint | Self::Draw)
    }

    /// Returns true for lists without text input. They share the rows of the table with `lists`.
    pub fn is_list(self) -> bool {
        self.row().group != Group::Other
    }

    /// Returns true for lists in which the commands of the map can be typed.
    pub(super) fn runs_map_commands(self) -> bool {
        self.row().group == Group::MapList
    }

    /// Returns the heading of this context in the help.
    pub fn title(self) -> &'static str {
        self.row().title
    }

    /// Returns a phrase that locates the context in a sentence, such as `in the event log`.
    pub fn place(self) -> &'static str {
        self.row().place
    }

    /// Returns the action that opens this context. Returns `None` if no command opens the context.
    pub fn entered_by(self) -> Option<Action> {
        self.row().entered_by
    }

    /// Returns true if this context inserts characters into a text input.
    pub fn takes_text(self) -> bool {
        self.row().text != TextInput::None
    }

    /// Returns the reason why a key cannot be bound in this context, or `None` if it can.
    pub(super) fn refuses(self, key: Key) -> Option<String> {
        let Key::Char(c) = key else { return None };
        if self.row().text == TextInput::AllCharacters {
            return Some("characters are text there".to_owned());
        }
        let layers = overlays::TABLE.iter().filter(|_| self == Self::Overlays);
        let layer = layers.into_iter().find(|layer| layer.key == c)?;
        Some(format!("it shows or hides the overlay `{}`", layer.name))
    }
}
