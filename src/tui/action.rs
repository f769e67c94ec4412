//! The one table of what can be done: it feeds the keys, the footer, the help and docs/keys.md.

use super::input::Key;

/// Something a person can ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the table below says what each does, to people and to readers")]
pub enum Action {
    Quit,
    Suspend,
    Help,
    Close,
    ToggleMouse,
    PlayPause,
    Step,
    StepTen,
    StepBack,
    StepBackTen,
    First,
    Last,
    Slower,
    Faster,
    Restart,
    Reload,
    NextAgent,
    PreviousAgent,
    Find,
    Inspect,
    ZoomPane,
    Follow,
    Fit,
    ZoomIn,
    ZoomOut,
    PanLeft,
    PanDown,
    PanUp,
    PanRight,
    PageUp,
    PageDown,
    ToGallery,
    Up,
    Down,
    Open,
    Take,
    Overlays,
    ToggleLayer,
    AllAgents,
    UsualLayers,
    Drive,
    DriveUp,
    DriveLeft,
    DriveDown,
    DriveRight,
    LetGo,
}

/// Where a key is pressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Context {
    /// The list of maps.
    Gallery,
    /// A map.
    Watch,
    /// A map, with an agent driven by hand; all other keys are those of watching.
    Drive,
    /// The line that looks for an agent; all other keys are text.
    Search,
    /// The menu of layers; letters show and hide them.
    Overlays,
    /// Help, or a list of errors.
    Reading,
}

impl Context {
    /// All of them, in the order of the help.
    pub const ALL: [Self; 6] =
        [Self::Watch, Self::Drive, Self::Overlays, Self::Gallery, Self::Search, Self::Reading];

    /// What it is called.
    pub fn title(self) -> &'static str {
        match self {
            Self::Gallery => "In the list of maps",
            Self::Watch => "Watching a map",
            Self::Drive => "Driving an agent; all other keys as above",
            Self::Overlays => "Choosing overlays",
            Self::Search => "Looking for an agent",
            Self::Reading => "In help and errors",
        }
    }
}

/// One row of the table.
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    /// What is done.
    pub action: Action,
    /// The keys that ask for it, the usual one first.
    pub keys: &'static [Key],
    /// Its name in the command palette.
    pub name: &'static str,
    /// What it does, as a sentence without a full stop.
    pub about: &'static str,
    /// The word in the footer, for those that stand there.
    pub hint: Option<&'static str>,
    /// Where its keys count.
    pub contexts: &'static [Context],
    /// Does it work yet? The keys of those that don't are answered, but not told about.
    pub works: bool,
}

use Context::{Drive, Gallery, Overlays, Reading, Search, Watch};
use Key::Char;

const fn entry(
    action: Action,
    keys: &'static [Key],
    name: &'static str,
    hint: &'static str,
    contexts: &'static [Context],
    about: &'static str,
) -> Entry {
    let hint = if hint.is_empty() { None } else { Some(hint) };
    Entry { action, keys, name, about, hint, contexts, works: true }
}

/// Everything that can be done, in the order of the help; the footer takes its hints from here, in
/// this order.
#[rustfmt::skip]
pub const TABLE: &[Entry] = &[
    entry(Action::PlayPause, &[Char(' ')], "play", "play/pause", &[Watch], "let time run, or stop it"),
    entry(Action::Step, &[Char('.'), Key::Right], "step", "step", &[Watch, Overlays], "stop, and make one frame"),
    entry(Action::StepTen, &[Char('>')], "step-ten", "", &[Watch, Overlays], "stop, and make ten frames"),
    entry(Action::StepBack, &[Char(','), Key::Left], "step-back", "back", &[Watch, Overlays], "stop, and go back one frame"),
    entry(Action::StepBackTen, &[Char('<')], "step-back-ten", "", &[Watch, Overlays], "stop, and go back ten frames"),
    entry(Action::First, &[Key::Home], "first", "", &[Watch], "go to frame 0"),
    entry(Action::Last, &[Key::End], "last", "", &[Watch], "go to the last frame that was made"),
    entry(Action::NextAgent, &[Key::Tab], "next-agent", "next agent", &[Watch, Overlays], "select the next agent"),
    entry(Action::PreviousAgent, &[Key::BackTab], "previous-agent", "", &[Watch, Overlays], "select the agent before"),
    entry(Action::Overlays, &[Char('o')], "overlays", "overlays", &[Watch], "choose what is laid over the map"),
    entry(Action::Find, &[Char('/')], "find", "find", &[Watch], "find an agent by name"),
    entry(Action::Follow, &[Char('f')], "follow", "follow", &[Watch], "keep the selected agent in view, or stop doing so"),
    entry(Action::Drive, &[Char('i')], "drive", "drive", &[Watch], "drive the selected agent by hand, or let it go"),
    entry(Action::Inspect, &[Key::Enter], "inspect", "inspect", &[Watch], "give the inspector the whole screen, or take it back"),
    entry(Action::Slower, &[Char('-')], "slower", "", &[Watch], "half the speed, down to ×1/8"),
    entry(Action::Faster, &[Char('+'), Char('=')], "faster", "faster", &[Watch], "twice the speed, up to ×64 and then as fast as it goes"),
    entry(Action::Restart, &[Char('r')], "restart", "restart", &[Watch], "begin anew at frame 0, without what was done by hand"),
    entry(Action::Reload, &[Char('R')], "reload", "", &[Watch], "read the map again and start it at frame 0"),
    entry(Action::ZoomIn, &[Char('z')], "zoom-in", "zoom", &[Watch], "a tile is two columns wide"),
    entry(Action::ZoomOut, &[Char('Z')], "zoom-out", "", &[Watch], "a tile is one column wide"),
    entry(Action::Fit, &[Char('F')], "fit", "", &[Watch], "the largest zoom that shows the whole map, centred"),
    entry(Action::PanLeft, &[Char('h')], "pan-left", "", &[Watch], "move the view left"),
    entry(Action::PanDown, &[Char('j')], "pan-down", "", &[Watch], "move the view down"),
    entry(Action::PanUp, &[Char('k')], "pan-up", "", &[Watch], "move the view up"),
    entry(Action::PanRight, &[Char('l')], "pan-right", "", &[Watch], "move the view right"),
    entry(Action::ZoomPane, &[Char('t')], "zoom-pane", "", &[Watch], "the map alone, the inspector alone, or all panes"),
    entry(Action::DriveUp, &[Key::Up, Char('w')], "drive-up", "", &[Drive], "push it up, or a step up; while time stands, this makes the frames it takes"),
    entry(Action::DriveLeft, &[Key::Left, Char('a')], "drive-left", "", &[Drive], "push it left, or a step left"),
    entry(Action::DriveDown, &[Key::Down, Char('s')], "drive-down", "", &[Drive], "push it down, or a step down"),
    entry(Action::DriveRight, &[Key::Right, Char('d')], "drive-right", "", &[Drive], "push it right, or a step right"),
    entry(Action::LetGo, &[Key::Esc], "let-go", "let go", &[Drive], "let it go on by itself"),
    entry(Action::Open, &[Key::Enter, Char(' ')], "open", "play this map", &[Gallery], "play the map that is chosen"),
    entry(Action::Up, &[Key::Up, Char('k')], "up", "", &[Gallery], "choose the map above"),
    entry(Action::Down, &[Key::Down, Char('j')], "down", "choose", &[Gallery], "choose the map below"),
    entry(Action::Up, &[Key::Up, Char('k')], "line-up", "", &[Reading], "one line up"),
    entry(Action::Down, &[Key::Down, Char('j'), Char(' ')], "line-down", "scroll", &[Reading], "one line down"),
    entry(Action::ToggleLayer, &[Char(' '), Key::Enter], "toggle-layer", "show/hide", &[Overlays], "show or hide the layer that is marked; its letter does, too"),
    entry(Action::AllAgents, &[Char('a')], "all-agents", "all/selected", &[Overlays], "of all agents in view, or of the selected one alone"),
    entry(Action::UsualLayers, &[Char('0')], "usual-layers", "", &[Overlays], "show the layers that are shown at first"),
    entry(Action::Up, &[Key::Up, Char('k')], "layer-up", "", &[Overlays], "mark the layer above"),
    entry(Action::Down, &[Key::Down, Char('j')], "layer-down", "", &[Overlays], "mark the layer below"),
    entry(Action::Take, &[Key::Enter], "take", "select", &[Search], "select the agent that is marked"),
    entry(Action::Up, &[Key::Up, Key::BackTab], "match-up", "", &[Search], "mark the match above"),
    entry(Action::Down, &[Key::Down, Key::Tab], "match-down", "next match", &[Search], "mark the match below"),
    entry(Action::PageUp, &[Key::PageUp], "page-up", "", &[Watch, Gallery, Reading], "scroll up (in a map: the inspector)"),
    entry(Action::PageDown, &[Key::PageDown], "page-down", "", &[Watch, Gallery, Reading], "scroll down (in a map: the inspector)"),
    entry(Action::ToGallery, &[Char('G')], "gallery", "maps", &[Watch], "leave the map for the list of maps"),
    entry(Action::ToggleMouse, &[Char('m')], "mouse", "", &[Watch, Gallery], "leave the mouse to the terminal, to select text, or take it back"),
    entry(Action::Close, &[Key::Esc], "close", "close", &[Search, Overlays, Reading], "close this"),
    entry(Action::Close, &[Key::Esc], "close-zoom", "", &[Watch], "close what is open: a pane that has the whole screen, a tile that was clicked"),
    entry(Action::Suspend, &[Key::Ctrl('z')], "suspend", "", &[Watch, Overlays, Gallery, Search, Reading], "back to the shell for a while; `fg` returns"),
    entry(Action::Help, &[Char('?'), Key::F(1)], "help", "help", &[Watch, Gallery], "show this help"),
    entry(Action::Quit, &[Char('q'), Key::Ctrl('c')], "quit", "quit", &[Watch, Overlays, Gallery, Reading], "leave tilewalk"),
    entry(Action::Quit, &[Key::Ctrl('c')], "quit-now", "", &[Search], "leave tilewalk"),
    entry(Action::Close, &[Char('o')], "close-overlays", "", &[Overlays], "close this, too"),
    entry(Action::Close, &[Char('?'), Key::F(1), Key::Enter], "close-help", "", &[Reading], "close this, too"),
];

/// What a key asks for. Whoever drives watches as well.
pub fn bound(key: Key, context: Context) -> Option<Action> {
    let entry = TABLE.iter().find(|e| e.contexts.contains(&context) && e.keys.contains(&key));
    match entry {
        None if context == Drive => bound(key, Watch),
        entry => Some(entry?.action),
    }
}

/// The rows of a context that are told about.
pub fn told(context: Context) -> impl Iterator<Item = &'static Entry> {
    TABLE.iter().filter(move |entry| entry.works && entry.contexts.contains(&context))
}

/// The key that is named for an action in hints.
pub fn key_of(action: Action, context: Context) -> Option<Key> {
    keys_of(action, context).first().copied()
}

/// All keys of an action, the usual one first.
pub fn keys_of(action: Action, context: Context) -> &'static [Key] {
    told(context).find(|entry| entry.action == action).map_or(&[], |entry| entry.keys)
}

impl Entry {
    /// Its row in docs/keys.md.
    fn row(&self) -> String {
        let keys: Vec<_> = self.keys.iter().map(|key| format!("`{key}`")).collect();
        format!("| {} | {} | `{}` |\n", keys.join(" "), self.about, self.name)
    }

    /// Its keys, as they are written in help and docs.
    pub fn keys_text(&self) -> String {
        self.keys.iter().map(Key::to_string).collect::<Vec<_>>().join("  ")
    }
}

/// The text of docs/keys.md.
pub fn document() -> String {
    let head = "# Keys\n\nMade from the table in `src/tui/action.rs`; `UPDATE_DOCS=1 cargo test` \
                writes it again.\nNo key needs Alt. `Esc` closes one layer and never quits.\n";
    let mouse = "\n## The mouse\n\nA click selects an agent, or the tile when nobody is on it. The \
                 wheel zooms the map and scrolls the\ninspector and the lists; dragging moves the \
                 map.\n";
    let layers: Vec<_> = super::overlays::TABLE.iter().map(layer).collect();
    let layers = format!(
        "\n## The layers\n\nAt first those are shown that are marked. Of all agents in view at most \
         {} are told about.\n\n| letter | layer | shows | at first |\n|---|---|---|---|\n{}",
        super::overlays::MOST_AGENTS,
        layers.concat()
    );
    let parts = Context::ALL.into_iter().map(|context| {
        let rows: Vec<_> = told(context).map(Entry::row).collect();
        let title = context.title();
        format!("\n## {title}\n\n| key | does | name |\n|---|---|---|\n{}", rows.concat())
    });
    [head.to_owned()].into_iter().chain(parts).chain([layers, mouse.to_owned()]).collect()
}

/// A layer's row in docs/keys.md.
fn layer(entry: &super::overlays::Entry) -> String {
    let usual = if entry.usual { "yes" } else { "" };
    format!("| `{}` | {} | {} | {usual} |\n", entry.key, entry.name, entry.about)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn no_two_actions_share_a_key_in_a_context() {
        for context in Context::ALL {
            let mut seen = BTreeSet::new();
            for entry in TABLE.iter().filter(|entry| entry.contexts.contains(&context)) {
                for &key in entry.keys {
                    assert!(seen.insert(key), "{key} is bound twice in {context:?}");
                }
            }
        }
    }

    #[test]
    fn every_row_has_keys_a_name_of_its_own_and_a_description() {
        let mut names = BTreeSet::new();
        for entry in TABLE {
            assert!(!entry.keys.is_empty() && !entry.contexts.is_empty(), "{}", entry.name);
            assert!(names.insert(entry.name), "two rows are called {}", entry.name);
            assert!(!entry.about.is_empty() && !entry.about.ends_with('.'), "{}", entry.name);
        }
    }

    #[test]
    fn every_context_can_be_left_and_says_how() {
        for context in Context::ALL {
            assert_eq!(bound(Key::Ctrl('c'), context), Some(Action::Quit), "{context:?}");
            assert!(told(context).any(|entry| entry.hint.is_some()), "{context:?}");
        }
    }

    #[test]
    fn the_document_is_up_to_date() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/keys.md");
        if std::env::var_os("UPDATE_DOCS").is_some() {
            std::fs::write(path, document()).expect("docs/keys.md can be written");
        }
        let written = std::fs::read_to_string(path).unwrap_or_default();
        assert_eq!(written, document(), "run `UPDATE_DOCS=1 cargo test` to write it again");
    }
}
