//! The commands of lists, pages and modes, and the commands that work in several modes.

/// Passes the given rows and the rows of this file to the macro named `$use`.
macro_rules! mode_rows {
    ($use:ident $($row:tt)*) => { $use! { $($row)*
        ("drive-up", [Key::Up, Char('w')], [Drive], "drive up")
            .detail("walkers move one tile; while paused, simulates the frames of the movement")
            .keywords("move north manual") => DriveUp map |map, ui, _| map.push(ui, Direction::North);
        ("drive-left", [Key::Left, Char('a')], [Drive], "drive left").keywords("move west manual")
            => DriveLeft map |map, ui, _| map.push(ui, Direction::West);
        ("drive-down", [Key::Down, Char('s')], [Drive], "drive down").keywords("move south manual")
            => DriveDown map |map, ui, _| map.push(ui, Direction::South);
        ("drive-right", [Key::Right, Char('d')], [Drive], "drive right").keywords("move east manual")
            => DriveRight map |map, ui, _| map.push(ui, Direction::East);
        ("stop-driving", [Key::Esc], [Drive], "stop driving").hint("stop").detail("the agent moves on its own again")
            .keywords("release manual control") => StopDriving map |map, ui, _| map.let_go(ui);
        ("paint-here", [Char(' '), Key::Enter], [Paint], "paint the tile at the cursor").hint("paint")
            .detail("for a line or a rectangle, press at the first and at the last corner").keywords("draw wall")
            => PaintHere map |map, ui, _| map.paint_here(ui);
        ("brush", [Char('1'), Char('2'), Char('3'), Char('4'), Char('5'), Char('6'), Char('7'), Char('8'), Char('9')], [Paint], "select brush N")
            .hint("brush").takes(Optional(Count)).keywords("legend tile")
            => Brush map |map, ui, argument| map.select_brush(ui, argument);
        ("next-brush", [Key::Tab], [Paint], "select the next brush") => NextBrush map |map, _, _| map.turn_brush(1);
        ("previous-brush", [Key::BackTab], [Paint], "select the previous brush")
            => PreviousBrush map |map, _, _| map.turn_brush(-1);
        ("undo", [Char('u')], [Watch, Paint], "undo the last change").under(Values, 4)
            .keywords("revert back value edit") => Undo map |map, ui, _| map.undo(ui);
        ("redo", [Char('U'), Key::Ctrl('r')], [Watch, Paint], "redo the last undone change").under(Values, 5)
            .keywords("again value edit") => Redo map |map, ui, _| map.redo(ui);
        ("pick-brush", [Char('i')], [Paint], "pick the tile as the brush").detail("right-click does the same")
            .keywords("pipette legend") => PickBrush map |map, ui, _| map.pick_brush_at_cursor(ui);
        ("next-tool", [Char('t')], [Paint], "switch tile / line / rectangle tool").hint("line/rectangle")
            .keywords("tool fill") => NextTool map |map, ui, _| map.next_tool(ui);
        ("grab", [Char('g')], [Paint], "move a start position or place")
            .detail("press to pick it up, press again to put it down, or drag it with the mouse")
            .keywords("drag pick up drop") => Grab map |map, ui, _| map.grab(ui);
        ("vertex", [Char(' '), Key::Enter], [Draw], "add a vertex").hint("vertex")
            .detail("add the last vertex again to finish the path, or the first one to close it").keywords("waypoint path")
            => Vertex map |map, ui, _| map.set_vertex(ui);
        ("remove-vertex", [Key::Backspace, Char('u')], [Draw], "remove the last vertex").hint("remove last")
            .keywords("undo delete") => RemoveVertex map |map, ui, _| map.take_vertex_back(ui);
        ("close-path", [Char('c')], [Draw], "toggle open / closed path").hint("closed/open").keywords("loop")
            => ClosePath map |map, ui, _| map.close_path(ui);
        ("write-path", [Char('w')], [Draw], "finish the path").hint("done")
            .detail("saves a new path to a file; changes to an existing path stay unsaved edits")
            .keywords("save done finish") => FinishPath map |map, ui, _| map.finish_path(ui);
        ("cursor-up", [Key::Up, Char('k')], [Paint, Draw], "move the cursor up")
            => CursorUp map |map, ui, _| map.move_cursor(ui, 0, -1);
        ("cursor-down", [Key::Down, Char('j')], [Paint, Draw], "move the cursor down")
            => CursorDown map |map, ui, _| map.move_cursor(ui, 0, 1);
        ("cursor-left", [Key::Left, Char('h')], [Paint, Draw], "move the cursor left")
            => CursorLeft map |map, ui, _| map.move_cursor(ui, -1, 0);
        ("cursor-right", [Key::Right, Char('l')], [Paint, Draw], "move the cursor right")
            => CursorRight map |map, ui, _| map.move_cursor(ui, 1, 0);
        ("leave-paint", [Key::Esc], [Paint, Draw], "cancel, or leave this mode").hint("leave").detail("your edits remain")
            .keywords("exit") => Close app |app, _| app.close();
        ("play-map", [Key::Enter, Char(' ')], [Gallery], "open the selected map").hint("play this map").keywords("start")
            => Open top |top, ui| top.pick(ui);
        ("find-map", [Char('/')], [Gallery], "search maps").hint("find").detail("by title or file name")
            .keywords("find filter") => FindMap app |app, _| app.gallery.maps.open_search();
        ("play-found", [Key::Enter], [FindMap], "open the selected map").hint("play this map").rare() => Open;
        ("found-up", [Key::Up, Key::BackTab], [FindMap], "select the previous match").rare() => Up;
        ("found-down", [Key::Down, Key::Tab], [FindMap], "select the next match").hint("choose").rare() => Down;
        ("list-all", [Key::Esc], [FindMap], "show all maps").hint("all maps").rare() => Close;
        ("open", [], [Watch, Gallery], "open a map").under(Program, 7).takes(Required(Map))
            .detail("by title, file name or path, such as `:open flock`").keywords("load file gallery flock")
            => OpenMap app |app, argument| app.open_map(argument);
        ("about", [], [Watch, Gallery], "show the map description").under(Program, 3)
            .detail("the comment at the top of the map file").keywords("tutorial help watch try change legend")
            => About app |app, _| app.about();
        ("up", [Key::Up, Char('k')], [Gallery], "select the previous map").rare() => Up;
        ("down", [Key::Down, Char('j')], [Gallery], "select the next map").hint("choose").rare() => Down;
        ("line-up", [Key::Up, Char('k')], [Reading], "scroll up one line").rare() => Up;
        ("line-down", [Key::Down, Char('j'), Char(' ')], [Reading], "scroll down one line").hint("scroll").rare() => Down;
        ("toggle-overlay", [Char(' '), Key::Enter], [Overlays], "show or hide the selected overlay").hint("show/hide")
            .detail("the letter of the overlay does the same").keywords("toggle")
            => ToggleSelectedOverlay top |top, ui| top.pick(ui);
        ("all-agents", [Char('a')], [Overlays], "toggle overlays for all agents").hint("all/selected")
            .keywords("overlays everyone") => AllAgents map |map, _, _| map.overlays.all = !map.overlays.all;
        ("default-overlays", [Char('0')], [Overlays], "reset to the default overlays")
            => DefaultOverlays map |map, _, _| map.reset_overlays();
        ("overlay-up", [Key::Up, Char('k')], [Overlays], "select the previous overlay").rare() => Up;
        ("overlay-down", [Key::Down, Char('j')], [Overlays], "select the next overlay").rare() => Down;
        ("return-to", [Key::Enter], [Runs], "switch to the selected run").hint("switch").keywords("return")
            => ReturnTo top |top, ui| top.pick(ui);
        ("run-up", [Key::Up, Char('k')], [Runs], "select the previous run").rare() => Up;
        ("run-down", [Key::Down, Char('j')], [Runs], "select the next run").hint("choose").rare() => Down;
        ("toggle-breakpoint", [Char(' ')], [Breaks], "enable or disable the breakpoint").hint("on/off")
            => ToggleBreakpoint map |map, _, _| map.toggle_break();
        ("delete-selected", [Char('d'), Key::Delete], [Breaks], "delete the selected breakpoint").hint("delete")
            .keywords("remove") => DeleteBreakpoint;
        ("go-to-hit", [Key::Enter], [Breaks], "go to the breakpoint's last hit").hint("go to").keywords("jump")
            => GoToHit top |top, ui| top.pick(ui);
        ("breakpoint-up", [Key::Up, Char('k')], [Breaks], "select the previous breakpoint").rare() => Up;
        ("breakpoint-down", [Key::Down, Char('j')], [Breaks], "select the next breakpoint").rare() => Down;
        ("go-to-event", [Key::Enter], [Log], "go to the selected event").hint("go to")
            .detail("also selects the agent of the event").keywords("jump") => GoToEvent top |top, ui| top.pick(ui);
        ("filter", [Char('/')], [Log], "filter the events").hint("filter")
            .detail("lists only events that contain every word").keywords("search find")
            => LogFilter map |map, _, _| map.on_popup(|log: &mut EventLog, _| log.set_typing(true));
        ("next-kind", [Key::Tab], [Log], "show only the next event kind").hint("kind")
            .detail("after the last kind, shows all events").keywords("filter")
            => LogKind map |map, _, _| map.on_popup(|log: &mut EventLog, session| log.next_kind(1, session));
        ("previous-kind", [Key::BackTab], [Log], "show only the previous event kind").keywords("filter")
            => LogKindBack map |map, _, _| map.on_popup(|log: &mut EventLog, session| log.next_kind(-1, session));
        ("only-selected", [Char('s')], [Log], "toggle filter by selected agent").hint("agent").keywords("filter")
            => LogSelected map |map, _, _| map.on_popup(|log: &mut EventLog, session| log.toggle_selected(session));
        ("follow-events", [Char('f')], [Log], "follow the current frame").hint("follow")
            .detail("selects the latest event up to the current frame")
            => LogFollow map |map, _, _| map.on_popup(|log: &mut EventLog, session| log.toggle_follow(session));
        ("event-up", [Key::Up, Char('k')], [Log], "select the previous event").rare() => Up;
        ("event-down", [Key::Down, Char('j')], [Log], "select the next event").rare() => Down;
        ("apply-filter", [Key::Enter], [Filter], "finish typing the filter").hint("done").keywords("done").rare()
            => ApplyFilter map |map, _, _| map.on_popup(|log: &mut EventLog, _| log.set_typing(false));
        ("filtered-up", [Key::Up], [Filter], "select the previous event").rare() => Up;
        ("filtered-down", [Key::Down], [Filter], "select the next event").rare() => Down;
        ("go-to-bookmark", [Key::Enter], [Markers], "go to the selected bookmark").hint("go to").keywords("jump")
            => GoToBookmark top |top, ui| top.pick(ui);
        ("delete-bookmark", [Char('d'), Key::Delete], [Markers], "delete the selected bookmark").hint("delete")
            .keywords("remove") => DeleteBookmark map |map, ui, _| map.delete_marked_bookmark(ui);
        ("bookmark-up", [Key::Up, Char('k')], [Markers], "select the previous bookmark").rare() => Up;
        ("bookmark-down", [Key::Down, Char('j')], [Markers], "select the next bookmark").rare() => Down;
        ("go-to-verdict", [Key::Enter], [Expectations], "go to the verdict's frame").hint("go to")
            .detail("also selects the agent that the verdict is about").keywords("jump violation expectation")
            => GoToVerdict top |top, ui| top.pick(ui);
        ("expectation-up", [Key::Up, Char('k')], [Expectations], "select the previous expectation").rare() => Up;
        ("expectation-down", [Key::Down, Char('j')], [Expectations], "select the next expectation").hint("choose").rare()
            => Down;
        ("write-listed", [Key::Enter, Char('w')], [Changes], "write the listed changes").hint("write")
            .keywords("save confirm").rare() => WriteListed map |map, _, _| map.write_listed();
        ("listed-up", [Key::Up, Char('k')], [Changes], "select the previous change").rare() => Up;
        ("listed-down", [Key::Down, Char('j')], [Changes], "select the next change").rare() => Down;
        ("cancel-write", [Key::Esc], [Changes], "cancel without writing").hint("cancel").keywords("back").rare() => Close;
        ("change", [Key::Enter], [Values], "edit the selected value").hint("change")
            .detail("`+` and `-` change the value by one step").keywords("type") => ChangeValue top |top, ui| top.pick(ui);
        ("value-up", [Key::Up, Key::BackTab], [Values], "select the previous value").rare() => Up;
        ("value-down", [Key::Down, Key::Tab], [Values], "select the next value").rare() => Down;
        ("apply", [Key::Enter], [Value], "apply the new value").hint("apply").keywords("set confirm") => ChangeValue;
        ("more", [Key::Up, Key::BackTab], [Value], "increase the value").detail("`+` does the same").keywords("nudge")
            => Up;
        ("less", [Key::Down, Key::Tab], [Value], "decrease the value").detail("`-` does the same").keywords("nudge")
            => Down;
        ("keep-value", [Key::Esc], [Value], "cancel the edit").hint("cancel").keywords("keep").rare() => Close;
        ("pick", [Key::Enter, Char(' ')], [Menu], "run the selected menu item").hint("run") => Pick top |top, ui| top.pick(ui);
        ("menu-up", [Key::Up, Char('k')], [Menu], "select the previous menu item").rare() => Up;
        ("menu-down", [Key::Down, Char('j')], [Menu], "select the next menu item").hint("choose").rare() => Down;
        ("help-up", [Key::Up], [Help], "scroll up one line").rare() => Up;
        ("help-down", [Key::Down], [Help], "scroll down one line").hint("scroll").rare() => Down;
        ("leave-help", [Key::Esc], [Help], "clear the search or close help").hint("close").rare() => Close;
        ("select-match", [Key::Enter], [Search], "select the matching agent").hint("select").keywords("choose").rare()
            => SelectMatch top |top, ui| top.pick(ui);
        ("match-up", [Key::Up, Key::BackTab], [Search], "select the previous match").rare() => Up;
        ("match-down", [Key::Down, Key::Tab], [Search], "select the next match").hint("next match").rare() => Down;
        ("run", [Key::Enter], [CommandLine], "run the command").hint("run").detail("a unique prefix of the name is enough")
            => Run app |app, _| app.run_command();
        ("complete", [Key::Tab], [CommandLine], "complete the current word").hint("complete")
            => Complete app |app, _| app.complete();
        ("command-up", [Key::Up, Key::BackTab], [CommandLine], "select the previous suggestion")
            .detail("in an empty line, recalls the previous command").keywords("history") => Up;
        ("command-down", [Key::Down], [CommandLine], "select the next suggestion").hint("choose").keywords("history") => Down;
        ("page-up", [Key::PageUp], [Watch, Overlays, Runs, Breaks, Log, Markers, Expectations, Values, Menu, Problems, Changes, Gallery, FindMap, Help, Reading], "scroll up one page")
            .under(Inspector, 11) => PageUp top |top, ui| top.turn(-1, ui);
        ("page-down", [Key::PageDown], [Watch, Overlays, Runs, Breaks, Log, Markers, Expectations, Values, Menu, Problems, Changes, Gallery, FindMap, Help, Reading], "scroll down one page")
            .under(Inspector, 12) => PageDown top |top, ui| top.turn(1, ui);
        ("top", [Key::Home], [Overlays, Runs, Breaks, Log, Markers, Expectations, Values, Menu, Problems, Changes, Gallery, Help, Reading], "go to the first row")
            .keywords("beginning start") => Top top |top, ui| top.go_to_end(false, ui);
        ("bottom", [Key::End], [Overlays, Runs, Breaks, Log, Markers, Expectations, Values, Menu, Problems, Changes, Gallery, Help, Reading], "go to the last row")
            .keywords("end") => Bottom top |top, ui| top.go_to_end(true, ui);
        ("gallery", [Char('G')], [Watch], "open the map gallery").hint("maps").under(Program, 6)
            .keywords("tutorial list open examples leave exit") => ToGallery app |app, _| app.to_gallery();
        ("theme", [], [Watch, Gallery], "change the theme").under(View, 12).takes(Required(Theme))
            .detail("for this session: dark, light, high-contrast, color-blind or mono")
            .keywords("colours colors dark light contrast") => Theme app |app, argument| app.change_theme(argument);
        ("mouse", [Char('m')], [Watch, Gallery], "toggle mouse capture").under(View, 13)
            .detail("without mouse capture, the terminal selects text").keywords("select text copy")
            => ToggleMouse app |app, _| app.toggle_mouse();
        ("close", [Key::Esc], [Search, CommandLine, Overlays, Runs, Breaks, Values, Menu, Reading, Log, Filter, Markers, Expectations, Problems], "close this list, page or input")
            .hint("close").keywords("cancel back exit") => Close;
        ("close-zoom", [Key::Esc], [Watch], "close enlarged pane, tile or ghost").under(Program, 5)
            .detail("first the enlarged pane, then the selected tile, then the ghost").keywords("cancel back") => Close;
        ("suspend", [Key::Ctrl('z')], [Watch, Overlays, Runs, Breaks, Menu, Gallery, FindMap, Search, Values, Value, CommandLine, Help, Reading, Log, Filter, Markers, Expectations, Problems, Changes, Saved], "suspend tilewalk to the shell")
            .under(Program, 8).detail("`fg` returns to tilewalk").keywords("background job")
            => Suspend app |_, _| Effect::Suspend;
        ("help", [Char('?'), Key::F(1)], [Watch, Gallery, Overlays, Runs, Breaks, Log, Markers, Expectations, Menu, Problems, Changes, Saved], "open the help")
            .hint("help").under(Program, 2).keywords("keys shortcuts manual legend search") => Help app |app, _| app.help();
        ("messages", [], [Watch, Gallery], "show recent messages").under(Program, 4)
            .detail("with the frame of each message").keywords("history warnings answers")
            => Messages app |app, _| app.messages();
        ("quit", [Char('q'), Key::Ctrl('c')], [Watch, Overlays, Runs, Breaks, Menu, Gallery, Reading, Log, Markers, Expectations, Problems, Changes, Saved], "quit tilewalk")
            .hint("quit").under(Program, 9).keywords("exit leave close") => Quit app |app, _| app.quit();
        ("quit-now", [Key::Ctrl('c')], [FindMap, Search, Values, Value, CommandLine, Help, Filter], "quit tilewalk").rare()
            => Quit;
        ("close-overlays", [Char('o')], [Overlays], "close the overlay menu").rare() => Close;
        ("close-log", [Char('L')], [Log], "close the event log").rare() => Close;
        ("close-breakpoints", [Char('B')], [Breaks], "close the breakpoint list").rare() => Close;
        ("close-expectations", [Char('E')], [Expectations], "close the expectation list").rare() => Close;
        ("close-help", [Char('?'), Key::F(1), Key::Enter], [Help, Reading], "close this page").rare() => Close;
        ("close-problems", [Char('D')], [Problems], "close the problem list").rare() => Close;
        ("not-now", [Key::Esc], [Saved], "decide later").hint("not now")
            .detail("the run does not change; `:reload` asks again") => Close;
    } };
}

pub(in crate::tui) use mode_rows;

/// Passes the rows of all contexts to the macro named `$use`, in the order of the help. A row is
/// `Name (title, place, opener, text)`. `place` is a phrase that locates the context in a sentence.
/// `opener` is the action that opens the context. `text` is a variant of `TextInput`.
macro_rules! context_rows {
    ($use:ident) => { $use! {
        Watch ("Map", "on a map", None, None);
        Drive ("Manual control", "under manual control", Some(Action::Drive), None);
        Paint ("Paint mode", "in paint mode", Some(Action::Paint), None);
        Draw ("Path drawing", "while drawing a path", Some(Action::DrawPath), None);
        Overlays ("Overlay menu", "in the overlay menu", Some(Action::Overlays), None);
        Runs ("Run list", "in the run list", Some(Action::Runs), None);
        Breaks ("Breakpoint list", "in the breakpoint list", Some(Action::Breakpoints), None);
        Log ("Event log", "in the event log", Some(Action::Log), None);
        Filter ("Event filter", "in the event filter", None, SomeCharacters);
        Markers ("Bookmark list", "in the bookmark list", Some(Action::Bookmarks), None);
        Expectations ("Expectation list", "in the expectation list", Some(Action::Expectations), None);
        Values ("Value list", "in the value list", Some(Action::EditValues), AllCharacters);
        Value ("Value editor", "in the value editor", Some(Action::EditValues), AllCharacters);
        Changes ("Changes to write", "in the list of changes to write", Some(Action::Write), None);
        Menu ("Tile menu", "in the tile menu", Some(Action::TileMenu), None);
        Problems ("Problem list", "in the problem list", Some(Action::Problems), None);
        Saved ("Reload question (on_reload = \"ask\")", "when a changed file asks what to do", None, None);
        Gallery ("Gallery", "in the gallery", Some(Action::ToGallery), None);
        FindMap ("Gallery search", "in the gallery search", None, AllCharacters);
        CommandLine ("Command line", "in the command line", Some(Action::CommandLine), AllCharacters);
        Search ("Agent search", "in the agent search", Some(Action::Find), AllCharacters);
        Help ("Help", "in the help", Some(Action::Help), SomeCharacters);
        Reading ("Text page", "on a text page", Some(Action::Messages), None);
    } };
}

pub(in crate::tui) use context_rows;
