//! The one table of what can be done: a row for each action and the keys that ask for it.

use super::Context::{
    self, Breaks, Draw, Drive, Filter, FindMap, Gallery, Help, Log, Markers, Menu, Overlays, Paint,
    Palette, Problems, Reading, Runs, Saved, Search, Tune, Value, Watch,
};
use super::Parameter::{self, Optional, Required};
use super::{Action, Entry};
use crate::tui::argument::Kind::{
    Agent, Condition, Count, Field, File, Frame, Map, Overlay, Setting, Speed, Text, Theme,
};
use crate::tui::input::Key::{self, Char};
use crate::tui::tab::Tab;

const fn entry(
    action: Action,
    keys: &'static [Key],
    name: &'static str,
    hint: &'static str,
    contexts: &'static [Context],
    about: &'static str,
) -> Entry {
    let hint = if hint.is_empty() { None } else { Some(hint) };
    Entry {
        action,
        keys,
        name,
        about,
        detail: "",
        keywords: "",
        is_rare: false,
        hint,
        contexts,
        parameter: Parameter::None,
    }
}

impl Entry {
    const fn takes(self, parameter: Parameter) -> Self {
        Self { parameter, ..self }
    }

    const fn detail(self, detail: &'static str) -> Self {
        Self { detail, ..self }
    }

    const fn keywords(self, keywords: &'static str) -> Self {
        Self { keywords, ..self }
    }

    const fn rare(self) -> Self {
        Self { is_rare: true, ..self }
    }
}

/// Every action, in the order of the help and of the palette. The footer takes its hints from here, in
/// this order.
#[rustfmt::skip]
pub const TABLE: &[Entry] = &[
    entry(Action::PlayPause, &[Char(' ')], "play", "play/pause", &[Watch, Log], "play / pause").keywords("run resume start"),
    entry(Action::Pause, &[], "pause", "", &[Watch], "pause").keywords("stop halt freeze"),
    entry(Action::Step, &[Char('.'), Key::Right], "step", "step", &[Watch, Overlays, Log], "step one frame (or N)").takes(Optional(Count))
        .keywords("advance next forward"),
    entry(Action::StepTen, &[Char('>')], "step-ten", "", &[Watch, Overlays, Log], "step ten frames"),
    entry(Action::StepBack, &[Char(','), Key::Left], "step-back", "back", &[Watch, Overlays, Log], "step back one frame")
        .keywords("go rewind undo reverse previous"),
    entry(Action::StepBackTen, &[Char('<')], "step-back-ten", "", &[Watch, Overlays, Log], "step back ten frames")
        .keywords("rewind"),
    entry(Action::First, &[Key::Home], "first", "", &[Watch], "go to frame 0").keywords("rewind start beginning jump home"),
    entry(Action::Last, &[Key::End], "last", "", &[Watch], "go to the last simulated frame").takes(Optional(Field))
        .detail("`:last guard.mode` goes to the frame where the value last changed").keywords("end jump latest"),
    entry(Action::Reverse, &[Key::Backspace], "reverse", "", &[Watch], "play backwards / pause").keywords("rewind back"),
    entry(Action::Goto, &[], "goto", "", &[Watch], "go to a frame").takes(Required(Frame))
        .detail("`:100` goes to frame 100; `:12.5s` goes to 12.5 seconds").keywords("jump seek time"),
    entry(Action::NextHit, &[Char('c')], "continue", "", &[Watch], "continue to next breakpoint").keywords("resume hit debug"),
    entry(Action::LastHit, &[Char('C')], "reverse-continue", "", &[Watch], "reverse-continue to previous hit")
        .keywords("rewind back debug"),
    entry(Action::Break, &[Char('b')], "break", "", &[Watch, Breaks], "add a breakpoint").takes(Optional(Condition))
        .detail("pauses when the condition becomes true, such as `event(bump)`; without a condition, suggests one").keywords("condition collision debug until"),
    entry(Action::Watch, &[], "watch", "", &[Watch], "pause when a value changes").takes(Required(Field))
        .detail("example: `:watch guard.mode`").keywords("watchpoint breakpoint debug"),
    entry(Action::Breaks, &[Char('B')], "breakpoints", "", &[Watch], "list breakpoints").keywords("watchpoints debug"),
    entry(Action::DeleteBreak, &[], "delete-breakpoint", "", &[Watch], "delete breakpoint N").takes(Required(Count))
        .keywords("remove").rare(),
    entry(Action::SaveBreaks, &[], "save-breakpoints", "", &[Watch], "save breakpoints and bookmarks")
        .detail("the file is next to the map file").keywords("write file"),
    entry(Action::NextEvent, &[Char(']')], "next-event", "", &[Watch], "go to the next event")
        .detail("of the selected agent, or of any agent if a tile is selected").keywords("jump bump collision touch"),
    entry(Action::LastEvent, &[Char('[')], "previous-event", "", &[Watch], "go to the previous event")
        .keywords("jump rewind collision touch"),
    entry(Action::Log, &[Char('L')], "log", "", &[Watch], "show the event log").takes(Optional(Text))
        .detail("`:log bump` lists only events that contain `bump`").keywords("history collision touch bump search messages"),
    entry(Action::Mark, &[Char('M')], "bookmark", "", &[Watch], "toggle a bookmark").takes(Optional(Text))
        .detail("at the current frame; `:bookmark NAME` sets a bookmark with a name").keywords("remember frame note"),
    entry(Action::NextMarker, &[Char('\'')], "next-bookmark", "", &[Watch], "go to the next bookmark").keywords("jump"),
    entry(Action::PreviousMarker, &[Char('"')], "previous-bookmark", "", &[Watch], "go to the previous bookmark").keywords("jump"),
    entry(Action::Markers, &[], "bookmarks", "", &[Watch], "list bookmarks"),
    entry(Action::NextAgent, &[Key::Tab], "next-agent", "next agent", &[Watch, Overlays], "select the next agent")
        .keywords("cycle"),
    entry(Action::PreviousAgent, &[Key::BackTab], "previous-agent", "", &[Watch, Overlays], "select the previous agent")
        .keywords("cycle"),
    entry(Action::Overlays, &[Char('o')], "overlays", "overlays", &[Watch], "choose overlays")
        .keywords("layers show vectors debug trail heat map minimap legend"),
    entry(Action::ToggleOverlay, &[], "overlay", "", &[Watch, Overlays], "show or hide one overlay").takes(Required(Overlay))
        .detail("example: `:overlay trail`").keywords("layer toggle trail heat map minimap vector force sight"),
    entry(Action::Visits, &[Char('H')], "heat-map", "", &[Watch, Overlays], "show the heat map")
        .detail("cycles through selected agent, group, all agents, off").keywords("visits count traffic density"),
    entry(Action::Find, &[Char('/')], "find", "find", &[Watch], "find an agent by name").keywords("search"),
    entry(Action::Palette, &[Char(':')], "command", "command", &[Watch, Overlays, Runs, Breaks, Menu, Gallery, Reading, Log, Markers, Problems, Saved], "type a command")
        .keywords("palette run"),
    entry(Action::Select, &[], "select", "", &[Watch], "select an agent by name").takes(Required(Agent)).keywords("search find"),
    entry(Action::Follow, &[Char('f')], "follow", "follow", &[Watch], "follow the selected agent")
        .detail("keeps the agent near the centre of the map view; press again to stop").keywords("camera track center centre"),
    entry(Action::Drive, &[Char('i')], "drive", "drive", &[Watch], "drive the selected agent")
        .detail("starts or ends manual control").keywords("manual control keyboard player steer"),
    entry(Action::Inspect, &[Key::Enter], "inspect", "inspect", &[Watch], "enlarge the inspector")
        .detail("press again to open the value list").keywords("details zoom full screen"),
    entry(Action::NextTab, &[Char('}')], "next-tab", "", &[Watch], "show the next inspector page").keywords("tab"),
    entry(Action::PreviousTab, &[Char('{')], "previous-tab", "", &[Watch], "show the previous inspector page").keywords("tab"),
    entry(Action::Show(Tab::Why), &[Char('1')], "why", "", &[Watch], "explain the last step").keywords("reason inspector"),
    entry(Action::Show(Tab::Body), &[Char('2')], "body", "", &[Watch], "show all body values")
        .keywords("inspector speed mass radius limits vision sight"),
    entry(Action::Show(Tab::Ledger), &[Char('3')], "forces", "", &[Watch], "show the force breakdown")
        .keywords("forces vectors steering behaviours weights ledger inspector"),
    entry(Action::Show(Tab::Pattern), &[Char('4')], "pattern", "", &[Watch], "show the agent's pattern")
        .keywords("path matrix steps random walk inspector"),
    entry(Action::Show(Tab::Mind), &[Char('5')], "modes", "", &[Watch], "show modes and transitions")
        .keywords("state machine rules memory sight vision mind inspector"),
    entry(Action::Show(Tab::Plots), &[Char('6')], "plots", "", &[Watch], "plot the last five seconds")
        .keywords("chart graph speed force distance inspector"),
    entry(Action::Show(Tab::Events), &[Char('7')], "events", "", &[Watch], "list the agent's events")
        .keywords("collision touch bump inspector history"),
    entry(Action::Pin, &[Char('v')], "pin", "", &[Watch], "pin an agent for comparison").takes(Optional(Agent))
        .detail("shows the pinned agent beside each agent you select; press again to unpin").keywords("compare versus two agents diff"),
    entry(Action::Tune, &[Char('x')], "edit", "edit", &[Watch], "edit the agent's values")
        .keywords("change tune parameter weight speed mass vision view sight radius"),
    entry(Action::Set, &[], "set", "", &[Watch], "set a value of an agent").takes(Required(Setting))
        .detail("takes effect in the next frame; example: `:set boid.steer.2.weight=3`").keywords("change tune parameter weight speed"),
    entry(Action::Write, &[Char('w')], "write", "", &[Watch], "save changes to the files").takes(Optional(File))
        .detail("writes changed values and edits to the map's files; with a file name, saves a new map").keywords("write store"),
    entry(Action::WriteAnyway, &[], "write!", "", &[Watch], "save, overwriting external changes")
        .detail("writes the files even if another program changed them").keywords("force overwrite conflict").rare(),
    entry(Action::Paint, &[Char('p')], "paint", "", &[Watch], "paint tiles")
        .detail("enters or leaves paint mode").keywords("wall edit draw map legend brush terrain editor undo"),
    entry(Action::DrawPath, &[], "draw-path", "", &[Watch], "draw a path pattern").takes(Optional(Text))
        .detail("without a name, edits the selected agent's path; an unknown name creates a pattern file").keywords("edit patrol route waypoints new"),
    entry(Action::DrawMatrix, &[], "draw-matrix", "", &[Watch], "paint a matrix pattern").takes(Optional(Text))
        .detail("without a name, edits the selected agent's matrix").keywords("edit random walk cells"),
    entry(Action::Save, &[], "screenshot", "", &[Watch, Gallery], "save a screenshot").takes(Required(File))
        .detail("the file name ends in `.svg` (with colours) or `.txt` (without)").keywords("picture image export svg txt capture save"),
    entry(Action::SaveMap, &[], "save-map", "", &[Watch], "save this frame as a map").takes(Required(File))
        .detail("in the new map, agents start at their current positions").keywords("export write new snapshot state"),
    entry(Action::Copy, &[Char('y')], "copy", "", &[Watch], "copy the inspector's text")
        .detail("needs a terminal that supports OSC 52 (clipboard access)").keywords("clipboard export"),
    entry(Action::Editor, &[Char('e')], "editor", "", &[Watch], "open the file in your editor")
        .detail("uses $VISUAL or $EDITOR; goes to the selected agent or tile, or to the pattern on page 4").keywords("vim source edit"),
    entry(Action::TileMenu, &[], "tile-menu", "", &[Watch], "open the tile menu")
        .detail("for the selected tile, or for the tile under the selected agent; right-click opens it for any tile").keywords("context right click"),
    entry(Action::Slower, &[Char('-')], "slower", "", &[Watch], "halve the simulation speed").detail("down to ×1/8").keywords("slow motion"),
    entry(Action::Faster, &[Char('+'), Char('=')], "faster", "faster", &[Watch], "double the simulation speed")
        .detail("up to ×64, then as fast as possible").keywords("fast forward"),
    entry(Action::Speed, &[], "speed", "", &[Watch], "set the simulation speed").takes(Required(Speed))
        .detail("from 1/8 to 64, or `max`").keywords("fast slow pace"),
    entry(Action::Restart, &[Char('r')], "restart", "restart", &[Watch], "restart from frame 0")
        .detail("discards manual changes").keywords("reset rewind again beginning"),
    entry(Action::Compare, &[], "diff", "", &[Watch], "compare with another run").takes(Optional(Text))
        .detail("`:diff MAP` compares with another map, `:diff seed 8` with another seed; `:diff` ends the comparison").keywords("ghost seed random difference versus"),
    entry(Action::Reload, &[Char('R')], "reload", "", &[Watch, Problems], "reload the map's files").keywords("refresh reread"),
    entry(Action::Flip, &[Char('a')], "flip", "", &[Watch], "toggle run before / after edit")
        .detail("shows the run before the last edit, or the run after it, at the same frame").keywords("compare undo"),
    entry(Action::Before, &[], "before", "", &[Watch], "show the run before the edit").keywords("compare undo").rare(),
    entry(Action::After, &[], "after", "", &[Watch], "show the run after the edit").keywords("compare redo").rare(),
    entry(Action::Problems, &[Char('D')], "problems", "", &[Watch], "list errors and warnings").keywords("diagnostics check lint"),
    entry(Action::Resimulate, &[Char('s'), Key::Enter], "resimulate", "simulate again", &[Saved], "simulate the run again")
        .detail("with the changed files, up to the current frame"),
    entry(Action::FromHere, &[Char('h')], "from-here", "continue here", &[Saved], "continue from the current frame")
        .detail("with the changed files"),
    entry(Action::StartAnew, &[Char('r')], "restart-with-changes", "restart", &[Saved], "restart with the changed files")
        .detail("from frame 0").keywords("reset"),
    entry(Action::Up, &[Key::Up, Char('k')], "problem-up", "", &[Problems], "select the previous problem").rare(),
    entry(Action::Down, &[Key::Down, Char('j')], "problem-down", "choose", &[Problems], "select the next problem").rare(),
    entry(Action::Runs, &[], "runs", "", &[Watch], "list all runs")
        .detail("`Enter` in the list switches to the selected run").keywords("history branches timeline"),
    entry(Action::Dismiss, &[], "hide-ghost", "", &[Watch], "hide the ghost")
        .detail("the ghost shows the previous run").keywords("compare end"),
    entry(Action::ZoomIn, &[Char('z')], "zoom-in", "zoom", &[Watch], "zoom in")
        .detail("up to 8×4 cells per tile").keywords("larger magnify scale"),
    entry(Action::ZoomOut, &[Char('Z')], "zoom-out", "", &[Watch], "zoom out")
        .detail("down to several tiles per cell").keywords("smaller scale"),
    entry(Action::Fit, &[Char('F')], "fit", "", &[Watch], "fit the map to the view")
        .detail("selects the largest zoom level that shows the whole map").keywords("zoom whole center centre"),
    entry(Action::PanLeft, &[Char('h')], "pan-left", "", &[Watch], "move the view left").keywords("pan scroll camera"),
    entry(Action::PanDown, &[Char('j')], "pan-down", "", &[Watch], "move the view down").keywords("pan scroll camera"),
    entry(Action::PanUp, &[Char('k')], "pan-up", "", &[Watch], "move the view up").keywords("pan scroll camera"),
    entry(Action::PanRight, &[Char('l')], "pan-right", "", &[Watch], "move the view right").keywords("pan scroll camera"),
    entry(Action::ZoomPane, &[Char('t')], "zoom-pane", "", &[Watch], "cycle map / inspector / all panes")
        .keywords("fullscreen window layout full screen maximize"),
    entry(Action::DriveUp, &[Key::Up, Char('w')], "drive-up", "", &[Drive], "drive up")
        .detail("walkers move one tile; while paused, simulates the frames of the movement").keywords("move north manual"),
    entry(Action::DriveLeft, &[Key::Left, Char('a')], "drive-left", "", &[Drive], "drive left").keywords("move west manual"),
    entry(Action::DriveDown, &[Key::Down, Char('s')], "drive-down", "", &[Drive], "drive down").keywords("move south manual"),
    entry(Action::DriveRight, &[Key::Right, Char('d')], "drive-right", "", &[Drive], "drive right").keywords("move east manual"),
    entry(Action::LetGo, &[Key::Esc], "stop-driving", "stop", &[Drive], "stop driving")
        .detail("the agent moves on its own again").keywords("release manual control"),
    entry(Action::PaintHere, &[Char(' '), Key::Enter], "paint-here", "paint", &[Paint], "paint the tile at the cursor")
        .detail("for a line or a rectangle, press at the first and at the last corner").keywords("draw wall"),
    entry(Action::Brush, &[Char('1'), Char('2'), Char('3'), Char('4'), Char('5'), Char('6'), Char('7'), Char('8'), Char('9')], "brush", "brush", &[Paint], "select brush N").takes(Optional(Count))
        .keywords("legend tile"),
    entry(Action::NextBrush, &[Key::Tab], "next-brush", "", &[Paint], "select the next brush"),
    entry(Action::PreviousBrush, &[Key::BackTab], "previous-brush", "", &[Paint], "select the previous brush"),
    entry(Action::Undo, &[Char('u')], "undo", "undo", &[Paint], "undo the last edit").keywords("revert back"),
    entry(Action::Redo, &[Char('U'), Key::Ctrl('r')], "redo", "", &[Paint], "redo the last undone edit"),
    entry(Action::PickBrush, &[Char('i')], "pick-brush", "", &[Paint], "pick the tile as the brush")
        .detail("right-click does the same").keywords("pipette legend"),
    entry(Action::NextTool, &[Char('t')], "next-tool", "line/rectangle", &[Paint], "switch tile / line / rectangle tool")
        .keywords("tool fill"),
    entry(Action::Grab, &[Char('g')], "grab", "", &[Paint], "move a start position or place")
        .detail("press to pick it up, press again to put it down, or drag it with the mouse").keywords("drag pick up drop"),
    entry(Action::Vertex, &[Char(' '), Key::Enter], "vertex", "vertex", &[Draw], "add a vertex")
        .detail("add the last vertex again to finish the path, or the first one to close it").keywords("waypoint path"),
    entry(Action::LastVertex, &[Key::Backspace, Char('u')], "remove-vertex", "remove last", &[Draw], "remove the last vertex")
        .keywords("undo delete"),
    entry(Action::ClosePath, &[Char('c')], "close-path", "closed/open", &[Draw], "toggle open / closed path").keywords("loop"),
    entry(Action::FinishPath, &[Char('w')], "write-path", "done", &[Draw], "finish the path")
        .detail("saves a new path to a file; changes to an existing path stay unsaved edits").keywords("save done finish"),
    entry(Action::CursorUp, &[Key::Up, Char('k')], "cursor-up", "", &[Paint, Draw], "move the cursor up"),
    entry(Action::CursorDown, &[Key::Down, Char('j')], "cursor-down", "", &[Paint, Draw], "move the cursor down"),
    entry(Action::CursorLeft, &[Key::Left, Char('h')], "cursor-left", "", &[Paint, Draw], "move the cursor left"),
    entry(Action::CursorRight, &[Key::Right, Char('l')], "cursor-right", "", &[Paint, Draw], "move the cursor right"),
    entry(Action::Close, &[Key::Esc], "leave-paint", "leave", &[Paint, Draw], "cancel, or leave this mode")
        .detail("your edits remain").keywords("exit"),
    entry(Action::Open, &[Key::Enter, Char(' ')], "play-map", "play this map", &[Gallery], "open the selected map")
        .keywords("start"),
    entry(Action::FindMap, &[Char('/')], "find-map", "find", &[Gallery], "search maps")
        .detail("by title or file name").keywords("find filter"),
    entry(Action::Open, &[Key::Enter], "play-found", "play this map", &[FindMap], "open the selected map").rare(),
    entry(Action::Up, &[Key::Up, Key::BackTab], "found-up", "", &[FindMap], "select the previous match").rare(),
    entry(Action::Down, &[Key::Down, Key::Tab], "found-down", "choose", &[FindMap], "select the next match").rare(),
    entry(Action::Close, &[Key::Esc], "list-all", "all maps", &[FindMap], "show all maps").rare(),
    entry(Action::OpenMap, &[], "open", "", &[Watch, Gallery], "open a map").takes(Required(Map))
        .detail("by title, file name or path, such as `:open flock`").keywords("load file gallery flock"),
    entry(Action::About, &[], "about", "", &[Watch, Gallery], "show the map description")
        .detail("the comment at the top of the map file").keywords("tutorial help watch try change legend"),
    entry(Action::Up, &[Key::Up, Char('k')], "up", "", &[Gallery], "select the previous map").rare(),
    entry(Action::Down, &[Key::Down, Char('j')], "down", "choose", &[Gallery], "select the next map").rare(),
    entry(Action::Up, &[Key::Up, Char('k')], "line-up", "", &[Reading], "scroll up one line").rare(),
    entry(Action::Down, &[Key::Down, Char('j'), Char(' ')], "line-down", "scroll", &[Reading], "scroll down one line").rare(),
    entry(Action::ToggleLayer, &[Char(' '), Key::Enter], "toggle-overlay", "show/hide", &[Overlays], "show or hide the selected overlay")
        .detail("the letter of the overlay does the same").keywords("toggle"),
    entry(Action::AllAgents, &[Char('a')], "all-agents", "all/selected", &[Overlays], "toggle overlays for all agents")
        .keywords("overlays everyone"),
    entry(Action::UsualLayers, &[Char('0')], "default-overlays", "", &[Overlays], "reset to the default overlays"),
    entry(Action::Up, &[Key::Up, Char('k')], "overlay-up", "", &[Overlays], "select the previous overlay").rare(),
    entry(Action::Down, &[Key::Down, Char('j')], "overlay-down", "", &[Overlays], "select the next overlay").rare(),
    entry(Action::ReturnTo, &[Key::Enter], "return-to", "switch", &[Runs], "switch to the selected run").keywords("return"),
    entry(Action::Up, &[Key::Up, Char('k')], "run-up", "", &[Runs], "select the previous run").rare(),
    entry(Action::Down, &[Key::Down, Char('j')], "run-down", "choose", &[Runs], "select the next run").rare(),
    entry(Action::ToggleBreak, &[Char(' ')], "toggle-breakpoint", "on/off", &[Breaks], "enable or disable the breakpoint"),
    entry(Action::DeleteBreak, &[Char('d'), Key::Delete], "delete-selected", "delete", &[Breaks], "delete the selected breakpoint")
        .keywords("remove"),
    entry(Action::GoToHit, &[Key::Enter], "go-to-hit", "go to", &[Breaks], "go to the breakpoint's last hit").keywords("jump"),
    entry(Action::Up, &[Key::Up, Char('k')], "breakpoint-up", "", &[Breaks], "select the previous breakpoint").rare(),
    entry(Action::Down, &[Key::Down, Char('j')], "breakpoint-down", "", &[Breaks], "select the next breakpoint").rare(),
    entry(Action::GoToEvent, &[Key::Enter], "go-to-event", "go to", &[Log], "go to the selected event")
        .detail("also selects the agent of the event").keywords("jump"),
    entry(Action::LogFilter, &[Char('/')], "filter", "filter", &[Log], "filter the events")
        .detail("lists only events that contain every word").keywords("search find"),
    entry(Action::LogKind, &[Key::Tab], "next-kind", "kind", &[Log], "show only the next event kind")
        .detail("after the last kind, shows all events").keywords("filter"),
    entry(Action::LogKindBack, &[Key::BackTab], "previous-kind", "", &[Log], "show only the previous event kind").keywords("filter"),
    entry(Action::LogSelected, &[Char('s')], "only-selected", "agent", &[Log], "toggle filter by selected agent")
        .keywords("filter"),
    entry(Action::LogFollow, &[Char('f')], "follow-events", "follow", &[Log], "follow the current frame")
        .detail("selects the latest event up to the current frame"),
    entry(Action::Up, &[Key::Up, Char('k')], "event-up", "", &[Log], "select the previous event").rare(),
    entry(Action::Down, &[Key::Down, Char('j')], "event-down", "", &[Log], "select the next event").rare(),
    entry(Action::TakeFilter, &[Key::Enter], "apply-filter", "done", &[Filter], "finish typing the filter").keywords("done").rare(),
    entry(Action::Up, &[Key::Up], "filtered-up", "", &[Filter], "select the previous event").rare(),
    entry(Action::Down, &[Key::Down], "filtered-down", "", &[Filter], "select the next event").rare(),
    entry(Action::GoToMarker, &[Key::Enter], "go-to-bookmark", "go to", &[Markers], "go to the selected bookmark")
        .keywords("jump"),
    entry(Action::DeleteMarker, &[Char('d'), Key::Delete], "delete-bookmark", "delete", &[Markers], "delete the selected bookmark")
        .keywords("remove"),
    entry(Action::Up, &[Key::Up, Char('k')], "bookmark-up", "", &[Markers], "select the previous bookmark").rare(),
    entry(Action::Down, &[Key::Down, Char('j')], "bookmark-down", "", &[Markers], "select the next bookmark").rare(),
    entry(Action::ChangeValue, &[Key::Enter], "change", "change", &[Tune], "edit the selected value")
        .detail("`+` and `-` change the value by one step").keywords("type"),
    entry(Action::Up, &[Key::Up, Key::BackTab], "value-up", "", &[Tune], "select the previous value").rare(),
    entry(Action::Down, &[Key::Down, Key::Tab], "value-down", "", &[Tune], "select the next value").rare(),
    entry(Action::ChangeValue, &[Key::Enter], "apply", "apply", &[Value], "apply the new value").keywords("set confirm"),
    entry(Action::Up, &[Key::Up, Key::BackTab], "more", "", &[Value], "increase the value").detail("`+` does the same").keywords("nudge"),
    entry(Action::Down, &[Key::Down, Key::Tab], "less", "", &[Value], "decrease the value").detail("`-` does the same").keywords("nudge"),
    entry(Action::Close, &[Key::Esc], "keep-value", "cancel", &[Value], "cancel the edit").keywords("keep").rare(),
    entry(Action::Pick, &[Key::Enter, Char(' ')], "pick", "run", &[Menu], "run the selected menu item"),
    entry(Action::Up, &[Key::Up, Char('k')], "menu-up", "", &[Menu], "select the previous menu item").rare(),
    entry(Action::Down, &[Key::Down, Char('j')], "menu-down", "choose", &[Menu], "select the next menu item").rare(),
    entry(Action::Up, &[Key::Up], "help-up", "", &[Help], "scroll up one line").rare(),
    entry(Action::Down, &[Key::Down], "help-down", "scroll", &[Help], "scroll down one line").rare(),
    entry(Action::Close, &[Key::Esc], "leave-help", "close", &[Help], "clear the search or close help"),
    entry(Action::Take, &[Key::Enter], "select-match", "select", &[Search], "select the matching agent").keywords("choose"),
    entry(Action::Up, &[Key::Up, Key::BackTab], "match-up", "", &[Search], "select the previous match").rare(),
    entry(Action::Down, &[Key::Down, Key::Tab], "match-down", "next match", &[Search], "select the next match").rare(),
    entry(Action::Run, &[Key::Enter], "run", "run", &[Palette], "run the command")
        .detail("a unique prefix of the name is enough"),
    entry(Action::Complete, &[Key::Tab], "complete", "complete", &[Palette], "complete the current word"),
    entry(Action::Up, &[Key::Up, Key::BackTab], "command-up", "", &[Palette], "select the previous suggestion")
        .detail("in an empty line, recalls the previous command").keywords("history"),
    entry(Action::Down, &[Key::Down], "command-down", "choose", &[Palette], "select the next suggestion").keywords("history"),
    entry(Action::PageUp, &[Key::PageUp], "page-up", "", &[Watch, Overlays, Runs, Breaks, Log, Markers, Tune, Menu, Problems, Gallery, FindMap, Help, Reading], "scroll up one page"),
    entry(Action::PageDown, &[Key::PageDown], "page-down", "", &[Watch, Overlays, Runs, Breaks, Log, Markers, Tune, Menu, Problems, Gallery, FindMap, Help, Reading], "scroll down one page"),
    entry(Action::Top, &[Key::Home], "top", "", &[Overlays, Runs, Breaks, Log, Markers, Tune, Menu, Problems, Gallery, Help, Reading], "go to the first row")
        .keywords("beginning start"),
    entry(Action::Bottom, &[Key::End], "bottom", "", &[Overlays, Runs, Breaks, Log, Markers, Tune, Menu, Problems, Gallery, Help, Reading], "go to the last row")
        .keywords("end"),
    entry(Action::ToGallery, &[Char('G')], "gallery", "maps", &[Watch], "open the map gallery")
        .keywords("tutorial list open examples leave exit"),
    entry(Action::Theme, &[], "theme", "", &[Watch, Gallery], "change the theme").takes(Required(Theme))
        .detail("for this session: dark, light, high-contrast, color-blind or mono").keywords("colours colors dark light contrast"),
    entry(Action::ToggleMouse, &[Char('m')], "mouse", "", &[Watch, Gallery], "toggle mouse capture")
        .detail("without mouse capture, the terminal selects text").keywords("select text copy"),
    entry(Action::Close, &[Key::Esc], "close", "close", &[Search, Palette, Overlays, Runs, Breaks, Tune, Menu, Reading, Log, Filter, Markers, Problems], "close this list, page or input")
        .keywords("cancel back exit"),
    entry(Action::Close, &[Key::Esc], "close-zoom", "", &[Watch], "close enlarged pane, tile or ghost")
        .detail("first the enlarged pane, then the selected tile, then the ghost").keywords("cancel back"),
    entry(Action::Suspend, &[Key::Ctrl('z')], "suspend", "", &[Watch, Overlays, Runs, Breaks, Menu, Gallery, FindMap, Search, Tune, Value, Palette, Help, Reading, Log, Filter, Markers, Problems, Saved], "suspend tilewalk to the shell")
        .detail("`fg` returns to tilewalk").keywords("background job"),
    entry(Action::Help, &[Char('?'), Key::F(1)], "help", "help", &[Watch, Gallery, Overlays, Runs, Breaks, Log, Markers, Menu, Problems, Saved], "open the help")
        .keywords("keys shortcuts manual legend search"),
    entry(Action::Messages, &[], "messages", "", &[Watch, Gallery], "show recent messages")
        .detail("with the frame of each message").keywords("history warnings answers"),
    entry(Action::Quit, &[Char('q'), Key::Ctrl('c')], "quit", "quit", &[Watch, Overlays, Runs, Breaks, Menu, Gallery, Reading, Log, Markers, Problems, Saved], "quit tilewalk")
        .keywords("exit leave close"),
    entry(Action::Quit, &[Key::Ctrl('c')], "quit-now", "", &[FindMap, Search, Tune, Value, Palette, Help, Filter], "quit tilewalk")
        .rare(),
    entry(Action::Close, &[Char('o')], "close-overlays", "", &[Overlays], "close the overlay menu").rare(),
    entry(Action::Close, &[Char('L')], "close-log", "", &[Log], "close the event log").rare(),
    entry(Action::Close, &[Char('B')], "close-breakpoints", "", &[Breaks], "close the breakpoint list").rare(),
    entry(Action::Close, &[Char('?'), Key::F(1), Key::Enter], "close-help", "", &[Help, Reading], "close this page").rare(),
    entry(Action::Close, &[Char('D')], "close-problems", "", &[Problems], "close the problem list").rare(),
    entry(Action::Close, &[Key::Esc], "not-now", "not now", &[Saved], "decide later")
        .detail("the run does not change; `:reload` asks again"),
];
