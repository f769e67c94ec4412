//! The one table of what can be done: a row for each thing and the keys that ask for it.

use super::Context::{
    self, Breaks, Drive, Gallery, Overlays, Palette, Reading, Runs, Search, Tune, Watch,
};
use super::Parameter::{self, Optional, Required};
use super::{Action, Entry};
use crate::tui::argument::Kind::{
    Agent, Condition, Count, Field, File, Frame, Setting, Speed, Text,
};
use crate::tui::input::Key::{self, Char};

const fn entry(
    action: Action,
    keys: &'static [Key],
    name: &'static str,
    hint: &'static str,
    contexts: &'static [Context],
    about: &'static str,
) -> Entry {
    let hint = if hint.is_empty() { None } else { Some(hint) };
    Entry { action, keys, name, about, hint, contexts, parameter: Parameter::None }
}

impl Entry {
    const fn takes(self, parameter: Parameter) -> Self {
        Self { parameter, ..self }
    }
}

/// Everything that can be done, in the order of the help and of the palette; the footer takes its
/// hints from here, in this order.
#[rustfmt::skip]
pub const TABLE: &[Entry] = &[
    entry(Action::PlayPause, &[Char(' ')], "play", "play/pause", &[Watch], "let time run, or stop it"),
    entry(Action::Step, &[Char('.'), Key::Right], "step", "step", &[Watch, Overlays], "stop, and make one frame, or so many").takes(Optional(Count)),
    entry(Action::StepTen, &[Char('>')], "step-ten", "", &[Watch, Overlays], "stop, and make ten frames"),
    entry(Action::StepBack, &[Char(','), Key::Left], "step-back", "back", &[Watch, Overlays], "stop, and go back one frame"),
    entry(Action::StepBackTen, &[Char('<')], "step-back-ten", "", &[Watch, Overlays], "stop, and go back ten frames"),
    entry(Action::First, &[Key::Home], "first", "", &[Watch], "go to frame 0"),
    entry(Action::Last, &[Key::End], "last", "", &[Watch], "go to the last frame that was made; or back to where a value changed last").takes(Optional(Field)),
    entry(Action::Reverse, &[Key::Backspace], "reverse", "", &[Watch], "let time run back to frame 0, or stop it"),
    entry(Action::Goto, &[], "goto", "", &[Watch], "stop, and go to a frame, back or on").takes(Required(Frame)),
    entry(Action::NextHit, &[Char('c')], "run-to-hit", "", &[Watch], "run on until a breakpoint stops time"),
    entry(Action::LastHit, &[Char('C')], "back-to-hit", "", &[Watch], "go back to where a breakpoint would have stopped time last"),
    entry(Action::Break, &[Char('b')], "break", "", &[Watch, Breaks], "stop time when a condition comes true; without one, the line proposes one").takes(Optional(Condition)),
    entry(Action::Watch, &[], "watch", "", &[Watch], "stop time whenever a value changes").takes(Required(Field)),
    entry(Action::Breaks, &[Char('B')], "breaks", "", &[Watch], "list the breakpoints"),
    entry(Action::DeleteBreak, &[], "delete-break", "", &[Watch], "delete the breakpoint of a number").takes(Required(Count)),
    entry(Action::SaveBreaks, &[], "save-breaks", "", &[Watch], "keep the breakpoints in a file beside the map"),
    entry(Action::NextEvent, &[Char(']')], "next-event", "", &[Watch], "go to the next event of the selected agent; of anybody, while a tile is looked at"),
    entry(Action::LastEvent, &[Char('[')], "previous-event", "", &[Watch], "go to the event before"),
    entry(Action::NextAgent, &[Key::Tab], "next-agent", "next agent", &[Watch, Overlays], "select the next agent"),
    entry(Action::PreviousAgent, &[Key::BackTab], "previous-agent", "", &[Watch, Overlays], "select the agent before"),
    entry(Action::Overlays, &[Char('o')], "overlays", "overlays", &[Watch], "choose what is laid over the map"),
    entry(Action::Visits, &[Char('H')], "visits", "", &[Watch, Overlays], "count how often each tile was visited: by the selected agent, by its group, by all, by nobody"),
    entry(Action::Find, &[Char('/')], "find", "find", &[Watch], "find an agent by name"),
    entry(Action::Palette, &[Char(':')], "command", "command", &[Watch, Overlays, Runs, Breaks, Gallery, Reading], "type a command: what keys do, and more"),
    entry(Action::Select, &[], "select", "", &[Watch], "select an agent by its name").takes(Required(Agent)),
    entry(Action::Follow, &[Char('f')], "follow", "follow", &[Watch], "keep the selected agent in view, or stop doing so"),
    entry(Action::Drive, &[Char('i')], "drive", "drive", &[Watch], "drive the selected agent by hand, or let it go"),
    entry(Action::Inspect, &[Key::Enter], "inspect", "inspect", &[Watch], "give the inspector the whole screen, or take it back"),
    entry(Action::Tune, &[Char('x')], "edit", "edit", &[Watch], "change a value of the selected agent"),
    entry(Action::Set, &[], "set", "", &[Watch], "change a value from the next frame on, such as boid.steer.2.weight=3").takes(Required(Setting)),
    entry(Action::Write, &[Char('w')], "write", "", &[Watch], "write the values that were changed into the map's file, or the map into a new one").takes(Optional(File)),
    entry(Action::WriteAnyway, &[], "write!", "", &[Watch], "write them into the map's file, though somebody else changed that, too"),
    entry(Action::Slower, &[Char('-')], "slower", "", &[Watch], "half the speed, down to ×1/8"),
    entry(Action::Faster, &[Char('+'), Char('=')], "faster", "faster", &[Watch], "twice the speed, up to ×64 and then as fast as it goes"),
    entry(Action::Speed, &[], "speed", "", &[Watch], "how fast time runs: 1/8 to 64, or max").takes(Required(Speed)),
    entry(Action::Restart, &[Char('r')], "restart", "restart", &[Watch], "begin anew at frame 0, without what was done by hand"),
    entry(Action::Compare, &[], "diff", "", &[Watch], "show another run as ghosts beside this one and go to the first difference: a map file, or `seed` and a number; without either, end it").takes(Optional(Text)),
    entry(Action::Reload, &[Char('R')], "reload", "", &[Watch], "read the map again and start it at frame 0"),
    entry(Action::Runs, &[], "runs", "", &[Watch], "list the runs of the map, to return to one"),
    entry(Action::Dismiss, &[], "dismiss", "", &[Watch], "show the ghost of another run no more"),
    entry(Action::ZoomIn, &[Char('z')], "zoom-in", "zoom", &[Watch], "draw tiles larger: from dots and half cells to 8×4 cells each"),
    entry(Action::ZoomOut, &[Char('Z')], "zoom-out", "", &[Watch], "draw tiles smaller: from 8×4 cells each to half cells and dots"),
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
    entry(Action::ReturnTo, &[Key::Enter], "return-to", "return", &[Runs], "look at the run that is marked"),
    entry(Action::Up, &[Key::Up, Char('k')], "run-up", "", &[Runs], "mark the run above"),
    entry(Action::Down, &[Key::Down, Char('j')], "run-down", "choose", &[Runs], "mark the run below"),
    entry(Action::ToggleBreak, &[Char(' ')], "toggle-break", "on/off", &[Breaks], "switch the breakpoint that is marked off, or on again"),
    entry(Action::DeleteBreak, &[Char('d'), Key::Delete], "delete-marked", "delete", &[Breaks], "delete the breakpoint that is marked"),
    entry(Action::GoToHit, &[Key::Enter], "go-to-hit", "go to", &[Breaks], "go to where it stopped time last"),
    entry(Action::Up, &[Key::Up, Char('k')], "break-up", "", &[Breaks], "mark the breakpoint above"),
    entry(Action::Down, &[Key::Down, Char('j')], "break-down", "", &[Breaks], "mark the breakpoint below"),
    entry(Action::ChangeValue, &[Key::Enter], "change", "change", &[Tune], "change the value that is marked: type it, + and - or the arrows make it a little more or less"),
    entry(Action::Up, &[Key::Up, Key::BackTab], "value-up", "", &[Tune], "mark the value above; while one is typed, a little more"),
    entry(Action::Down, &[Key::Down, Key::Tab], "value-down", "next value", &[Tune], "mark the value below; while one is typed, a little less"),
    entry(Action::Take, &[Key::Enter], "take", "select", &[Search], "select the agent that is marked"),
    entry(Action::Up, &[Key::Up, Key::BackTab], "match-up", "", &[Search], "mark the match above"),
    entry(Action::Down, &[Key::Down, Key::Tab], "match-down", "next match", &[Search], "mark the match below"),
    entry(Action::Run, &[Key::Enter], "run", "run", &[Palette], "run what is typed; a beginning that only one command has will do"),
    entry(Action::Complete, &[Key::Tab], "complete", "complete", &[Palette], "complete the word being typed"),
    entry(Action::Up, &[Key::Up, Key::BackTab], "command-up", "", &[Palette], "choose the one above in the list; in an empty line, the command before"),
    entry(Action::Down, &[Key::Down], "command-down", "choose", &[Palette], "choose the one below in the list; among commands before, the next one"),
    entry(Action::PageUp, &[Key::PageUp], "page-up", "", &[Watch, Gallery, Reading], "scroll up (in a map: the inspector)"),
    entry(Action::PageDown, &[Key::PageDown], "page-down", "", &[Watch, Gallery, Reading], "scroll down (in a map: the inspector)"),
    entry(Action::ToGallery, &[Char('G')], "gallery", "maps", &[Watch], "leave the map for the list of maps"),
    entry(Action::ToggleMouse, &[Char('m')], "mouse", "", &[Watch, Gallery], "leave the mouse to the terminal, to select text, or take it back"),
    entry(Action::Close, &[Key::Esc], "close", "close", &[Search, Palette, Overlays, Runs, Breaks, Tune, Reading], "close this"),
    entry(Action::Close, &[Key::Esc], "close-zoom", "", &[Watch], "close what is open: a pane that has the whole screen, a tile that was clicked, a ghost"),
    entry(Action::Suspend, &[Key::Ctrl('z')], "suspend", "", &[Watch, Overlays, Runs, Breaks, Gallery, Search, Tune, Palette, Reading], "back to the shell for a while; `fg` returns"),
    entry(Action::Help, &[Char('?'), Key::F(1)], "help", "help", &[Watch, Gallery], "show this help"),
    entry(Action::Quit, &[Char('q'), Key::Ctrl('c')], "quit", "quit", &[Watch, Overlays, Runs, Breaks, Gallery, Reading], "leave tilewalk"),
    entry(Action::Quit, &[Key::Ctrl('c')], "quit-now", "", &[Search, Tune, Palette], "leave tilewalk"),
    entry(Action::Close, &[Char('o')], "close-overlays", "", &[Overlays], "close this, too"),
    entry(Action::Close, &[Char('B')], "close-breaks", "", &[Breaks], "close this, too"),
    entry(Action::Close, &[Char('?'), Key::F(1), Key::Enter], "close-help", "", &[Reading], "close this, too"),
];
