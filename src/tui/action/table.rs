//! The table of commands: names, keys, contexts, descriptions and functions.
//!
//! A row is `(name, keys, contexts, description)`, then settings of [`Command`](super::Command),
//! then `=> Action |app, argument| function`. An action can have further rows with other keys in
//! other contexts. These rows contain only the name of the action. The command line, the footer and
//! the help use the order of the rows. The commands of the map come first, in this file. The
//! commands of the other modes follow.

pub(in crate::tui) mod modes;

/// Passes all rows to the macro named `$use`.
macro_rules! command_rows {
    ($use:ident) => { $crate::tui::action::mode_rows! { $use
        ("play", [Char(' ')], [Watch, Log, Expectations], "play / pause").hint("play/pause").under(Time, 1).keywords("run resume start")
            => PlayPause |app, _| app.play_pause();
        ("pause", [], [Watch], "pause").under(Time, 2).keywords("stop halt freeze") => Pause |app, _| app.pause();
        ("step", [Char('.'), Key::Right], [Watch, Overlays, Log, Expectations], "step one frame (or N)").hint("step").under(Time, 3)
            .takes(Optional(Count)).keywords("advance next forward") => Step |app, argument| app.step_by(argument);
        ("step-ten", [Char('>')], [Watch, Overlays, Log, Expectations], "step ten frames").under(Time, 4)
            => StepTen |app, _| app.step(10);
        ("step-back", [Char(','), Key::Left], [Watch, Overlays, Log, Expectations], "step back one frame").hint("back").under(Time, 5)
            .keywords("go rewind undo reverse previous") => StepBack |app, _| app.on_time(|app| app.step_back(1));
        ("step-back-ten", [Char('<')], [Watch, Overlays, Log, Expectations], "step back ten frames").under(Time, 6).keywords("rewind")
            => StepBackTen |app, _| app.on_time(|app| app.step_back(10));
        ("first", [Key::Home], [Watch], "go to frame 0").under(Time, 7).keywords("rewind start beginning jump home")
            => First |app, _| app.on_time(|app| app.go_to(Frame(0)));
        ("last", [Key::End], [Watch], "go to the last simulated frame").under(Time, 8).takes(Optional(Field))
            .detail("`:last guard.mode` goes to the frame where the value last changed").keywords("end jump latest")
            => Last |app, argument| app.on_time(|app| app.go_to_last(argument));
        ("reverse", [Key::Backspace], [Watch], "play backwards / pause").under(Time, 10).keywords("rewind back")
            => Reverse |app, _| app.on_time(App::reverse);
        ("goto", [], [Watch], "go to a frame").under(Time, 9).takes(Required(Frame))
            .detail("`:100` goes to frame 100; `:12.5s` goes to 12.5 seconds").keywords("jump seek time")
            => Goto |app, argument| app.on_time(|app| app.seek(argument));
        ("continue", [Char('c')], [Watch], "continue to next breakpoint").under(Breakpoints, 3).keywords("resume hit debug")
            => NextHit |app, _| app.on_time(App::run_to_hit);
        ("reverse-continue", [Char('C')], [Watch], "reverse-continue to previous hit").under(Breakpoints, 4)
            .keywords("rewind back debug") => PreviousHit |app, _| app.on_time(App::run_back_to_hit);
        ("break", [Char('b')], [Watch, Breaks], "add a breakpoint").under(Breakpoints, 1).takes(Optional(Condition))
            .detail("pauses when the condition becomes true, such as `event(bump)`; without a condition, suggests one")
            .keywords("condition collision debug until") => Breakpoint |app, argument| app.add_break(argument);
        ("watch", [], [Watch], "pause when a value changes").under(Breakpoints, 2).takes(Required(Field))
            .detail("example: `:watch guard.mode`").keywords("watchpoint breakpoint debug")
            => Watchpoint |app, argument| app.add_watchpoint(argument);
        ("breakpoints", [Char('B')], [Watch], "list breakpoints").under(Breakpoints, 5).keywords("watchpoints debug")
            => Breakpoints |app, _| app.open_panel(&panels::BREAKS, 0);
        ("delete-breakpoint", [], [Watch], "delete breakpoint N").under(Breakpoints, 6).takes(Required(Count))
            .keywords("remove").rare() => DeleteBreakpoint |app, argument| app.delete_break(argument);
        ("save-breakpoints", [], [Watch], "save breakpoints and bookmarks").under(Breakpoints, 7)
            .detail("the file is next to the map file").keywords("write file") => SaveBreakpoints |_, _| Effect::SaveBreaks;
        ("next-event", [Char(']')], [Watch], "go to the next event").under(EventsAndBookmarks, 1)
            .detail("of the selected agent, or of any agent if a tile is selected").keywords("jump bump collision touch")
            => NextEvent |app, _| app.on_time(|app| app.go_to_event(true));
        ("previous-event", [Char('[')], [Watch], "go to the previous event").under(EventsAndBookmarks, 2)
            .keywords("jump rewind collision touch") => PreviousEvent |app, _| app.on_time(|app| app.go_to_event(false));
        ("log", [Char('L')], [Watch], "show the event log").under(EventsAndBookmarks, 3).takes(Optional(Text))
            .detail("`:log bump` lists only events that contain `bump`")
            .keywords("history collision touch bump search messages") => Log |app, argument| app.open_log(argument);
        ("bookmark", [Char('M')], [Watch], "toggle a bookmark").under(EventsAndBookmarks, 4).takes(Optional(Text))
            .detail("at the current frame; `:bookmark NAME` sets a bookmark with a name").keywords("remember frame note")
            => ToggleBookmark |app, argument| app.bookmark(argument);
        ("next-bookmark", [Char('\'')], [Watch], "go to the next bookmark").under(EventsAndBookmarks, 5).keywords("jump")
            => NextBookmark |app, _| app.go_to_near_marker(true);
        ("previous-bookmark", [Char('"')], [Watch], "go to the previous bookmark").under(EventsAndBookmarks, 6)
            .keywords("jump") => PreviousBookmark |app, _| app.go_to_near_marker(false);
        ("bookmarks", [], [Watch], "list bookmarks").under(EventsAndBookmarks, 7) => Bookmarks |app, _| app.list_markers();
        ("expectations", [Char('E')], [Watch], "list expectations").under(EventsAndBookmarks, 8)
            .detail("with the verdicts about the run up to the current frame").keywords("test judge verdict violation pass fail")
            => Expectations |app, _| app.list_expectations();
        ("next-agent", [Key::Tab], [Watch, Overlays], "select the next agent").hint("next agent").under(Agents, 1)
            .keywords("cycle") => NextAgent |app, _| app.select_next(1);
        ("previous-agent", [Key::BackTab], [Watch, Overlays], "select the previous agent").under(Agents, 2)
            .keywords("cycle") => PreviousAgent |app, _| app.select_next(-1);
        ("overlays", [Char('o')], [Watch], "choose overlays").hint("overlays").under(View, 1)
            .keywords("layers show vectors debug trail heat map minimap legend")
            => Overlays |app, _| app.open_panel(&panels::OVERLAYS, 0);
        ("overlay", [], [Watch, Overlays], "show or hide one overlay").under(View, 2).takes(Required(Overlay))
            .detail("example: `:overlay trail`").keywords("layer toggle trail heat map minimap vector force sight")
            => ToggleOverlay |app, argument| app.toggle_overlay(argument);
        ("heat-map", [Char('H')], [Watch, Overlays], "show the heat map").under(View, 3)
            .detail("cycles through selected agent, group, all agents, off").keywords("visits count traffic density")
            => HeatMap |app, _| app.next_heat_map();
        ("find", [Char('/')], [Watch], "find an agent by name").hint("find").under(Agents, 3).keywords("search")
            => Find |app, _| app.find();
        ("command", [Char(':')], [Watch, Overlays, Runs, Breaks, Menu, Gallery, Reading, Log, Markers, Expectations, Problems, Changes, Saved], "type a command")
            .hint("command").under(Program, 1).keywords("palette run") => Palette |app, _| app.open_palette();
        ("select", [], [Watch], "select an agent by name").under(Agents, 4).takes(Required(Agent)).keywords("search find")
            => Select |app, argument| app.select(argument);
        ("follow", [Char('f')], [Watch], "follow the selected agent").hint("follow").under(Agents, 6)
            .detail("keeps the agent near the centre of the map view; press again to stop")
            .keywords("camera track center centre") => Follow |app, _| app.on_view(App::toggle_follow);
        ("drive", [Char('i')], [Watch], "drive the selected agent").hint("drive").under(Agents, 7)
            .detail("starts or ends manual control").keywords("manual control keyboard player steer")
            => Drive |app, _| app.take_hold();
        ("inspect", [Key::Enter], [Watch], "enlarge the inspector").hint("inspect").under(Inspector, 1)
            .detail("press again to open the value list").keywords("details zoom full screen")
            => Inspect |app, _| app.on_view(App::enlarge_inspector);
        ("next-tab", [Char('}')], [Watch], "show the next inspector page").under(Inspector, 9).keywords("tab")
            => NextTab |app, _| app.show_tab(app.reader.tab.further(1));
        ("previous-tab", [Char('{')], [Watch], "show the previous inspector page").under(Inspector, 10).keywords("tab")
            => PreviousTab |app, _| app.show_tab(app.reader.tab.further(-1));
        ("why", [Char('1')], [Watch], "explain the last step").under(Inspector, 2).keywords("reason inspector")
            => ShowWhy |app, _| app.show_tab(Tab::Why);
        ("body", [Char('2')], [Watch], "show all body values").under(Inspector, 3)
            .keywords("inspector speed mass radius limits vision sight") => ShowBody |app, _| app.show_tab(Tab::Body);
        ("forces", [Char('3')], [Watch], "show the force breakdown").under(Inspector, 4)
            .keywords("forces vectors steering behaviours weights ledger inspector")
            => ShowForces |app, _| app.show_tab(Tab::ForceBreakdown);
        ("pattern", [Char('4')], [Watch], "show the agent's pattern").under(Inspector, 5)
            .keywords("path matrix steps random walk inspector") => ShowPattern |app, _| app.show_tab(Tab::Pattern);
        ("modes", [Char('5')], [Watch], "show modes and transitions").under(Inspector, 6)
            .keywords("state machine rules memory sight vision mind inspector")
            => ShowModes |app, _| app.show_tab(Tab::Modes);
        ("plots", [Char('6')], [Watch], "plot the last five seconds").under(Inspector, 7)
            .keywords("chart graph speed force distance inspector") => ShowPlots |app, _| app.show_tab(Tab::Plots);
        ("events", [Char('7')], [Watch], "list the agent's events").under(Inspector, 8)
            .keywords("collision touch bump inspector history") => ShowEvents |app, _| app.show_tab(Tab::Events);
        ("pin", [Char('v')], [Watch], "pin an agent for comparison").under(Agents, 5).takes(Optional(Agent))
            .detail("shows the pinned agent beside each agent you select; press again to unpin")
            .keywords("compare versus two agents diff") => Pin |app, argument| app.toggle_pin(argument);
        ("edit", [Char('x')], [Watch], "edit the agent's values").hint("edit").under(Values, 1)
            .keywords("change tune parameter weight speed mass vision view sight radius") => EditValues |app, _| app.tune();
        ("set", [], [Watch], "set a value of an agent").under(Values, 2).takes(Required(Setting))
            .detail("takes effect in the next frame; example: `:set boid.steer.2.weight=3`")
            .keywords("change tune parameter weight speed") => Set |app, argument| app.set_value(argument);
        ("write", [Char('w')], [Watch], "save changes to the files").under(Values, 3).takes(Optional(File))
            .detail("lists several changes before it writes them; with a file name, saves a new map")
            .keywords("write store") => Write |app, argument| app.write_to(argument.cloned());
        ("write!", [], [Watch], "save, overwriting external changes").under(Values, 6)
            .detail("writes the files even if another program changed them").keywords("force overwrite conflict").rare()
            => WriteAnyway |app, _| app.write(Target::FileAnyway);
        ("paint", [Char('p')], [Watch], "paint tiles").under(Values, 7).detail("enters or leaves paint mode")
            .keywords("wall edit draw map legend brush terrain editor undo") => Paint |app, _| app.toggle_paint();
        ("draw-path", [], [Watch], "draw a path pattern").under(Values, 8).takes(Optional(Text))
            .detail("without a name, edits the selected agent's path; an unknown name creates a pattern file")
            .keywords("edit patrol route waypoints new") => DrawPath |app, argument| app.draw_path(argument.cloned());
        ("draw-matrix", [], [Watch], "paint a matrix pattern").under(Values, 9).takes(Optional(Text))
            .detail("without a name, edits the selected agent's matrix").keywords("edit random walk cells")
            => DrawMatrix |app, argument| app.draw_matrix(argument.cloned());
        ("screenshot", [], [Watch, Gallery], "save a screenshot").under(FilesAndRuns, 9).takes(Required(File))
            .detail("the file name ends in `.svg` (with colours) or `.txt` (without)")
            .keywords("picture image export svg txt capture save") => Save |app, argument| app.save_picture(argument.cloned());
        ("record", [], [Watch], "start or end a recording").under(FilesAndRuns, 11).takes(Optional(File))
            .detail("`:record chase.twr` records all runs of this map from frame 0 on; `:record` ends the recording")
            .keywords("save capture film session twr") => Record |_, argument| Effect::record(argument);
        ("save-map", [], [Watch], "save this frame as a map").under(FilesAndRuns, 10).takes(Required(File))
            .detail("in the new map, agents start at their current positions").keywords("export write new snapshot state")
            => SaveMap |app, argument| app.save_still(argument.cloned());
        ("copy", [Char('y')], [Watch], "copy the inspector's text").under(Inspector, 13)
            .detail("needs a terminal that supports OSC 52 (clipboard access)").keywords("clipboard export")
            => Copy |app, _| app.copy();
        ("editor", [Char('e')], [Watch], "open the file in your editor").under(Values, 11)
            .detail("uses $VISUAL or $EDITOR; goes to the selected agent or tile, or to the pattern on page 4")
            .keywords("vim source edit") => Editor |app, _| app.open_editor();
        ("tile-menu", [], [Watch], "open the tile menu").under(Values, 10)
            .detail("for the selected tile, or for the tile under the selected agent; right-click opens it for any tile")
            .keywords("context right click") => TileMenu |app, _| app.open_menu_here();
        ("slower", [Char('-')], [Watch], "halve the simulation speed").under(Time, 11).detail("down to ×1/8")
            .keywords("slow motion") => Slower |app, _| app.on_time(|app| app.clock.speed = app.clock.speed.slower());
        ("faster", [Char('+'), Char('=')], [Watch], "double the simulation speed").hint("faster").under(Time, 12)
            .detail("up to ×64, then as fast as possible").keywords("fast forward") => Faster |app, _| app.on_time(|app| app.clock.speed = app.clock.speed.faster());
        ("speed", [], [Watch], "set the simulation speed").under(Time, 13).takes(Required(Speed))
            .detail("from 1/8 to 64, or `max`").keywords("fast slow pace") => Speed |app, argument| app.on_time(|app| app.set_speed(argument));
        ("restart", [Char('r')], [Watch], "restart from frame 0").hint("restart").under(Time, 14)
            .detail("keeps changed values; discards manual control").keywords("reset rewind again beginning") => Restart |app, _| app.on_time(App::restart);
        ("diff", [], [Watch], "compare with another run").under(FilesAndRuns, 6).takes(Optional(Text))
            .detail("`:diff MAP` compares with another map, `:diff seed 8` with another seed; `:diff` ends the comparison")
            .keywords("ghost seed random difference versus") => Diff |app, argument| app.compare(argument.cloned());
        ("reload", [Char('R')], [Watch, Problems], "reload the map's files").under(FilesAndRuns, 1)
            .keywords("refresh reread") => Reload |app, _| app.reload();
        ("flip", [Char('a')], [Watch], "toggle run before / after edit").under(FilesAndRuns, 3)
            .detail("shows the run before the last edit, or the run after it, at the same frame").keywords("compare undo")
            => Flip |app, _| app.flip();
        ("before", [], [Watch], "show the run before the edit").under(FilesAndRuns, 4).keywords("compare undo").rare()
            => Before |app, _| app.look_beside(Session::switch_to_parent_run);
        ("after", [], [Watch], "show the run after the edit").under(FilesAndRuns, 5).keywords("compare redo").rare()
            => After |app, _| app.look_beside(Session::switch_to_child_run);
        ("problems", [Char('D')], [Watch], "list errors and warnings").under(FilesAndRuns, 2)
            .keywords("diagnostics check lint") => Problems |app, _| app.list_problems();
        ("resimulate", [Char('s'), Key::Enter], [Saved], "simulate the run again").hint("simulate again")
            .detail("with the changed files, up to the current frame")
            => Resimulate |app, _| app.apply_waiting(OnReload::Resimulate);
        ("from-here", [Char('h')], [Saved], "continue from the current frame").hint("continue here")
            .detail("with the changed files") => FromHere |app, _| app.apply_waiting(OnReload::FromHere);
        ("restart-with-changes", [Char('r')], [Saved], "restart with the changed files").hint("restart")
            .detail("from frame 0").keywords("reset") => RestartWithChanges |app, _| app.apply_waiting(OnReload::Restart);
        ("problem-up", [Key::Up, Char('k')], [Problems], "select the previous problem").rare()
            => Up |app, _| app.move_by(-1);
        ("problem-down", [Key::Down, Char('j')], [Problems], "select the next problem").hint("choose").rare()
            => Down |app, _| app.move_by(1);
        ("runs", [], [Watch], "list all runs").under(FilesAndRuns, 7)
            .detail("`Enter` in the list switches to the selected run").keywords("history branches timeline")
            => Runs |app, _| app.list_runs();
        ("hide-ghost", [], [Watch], "hide the ghost").under(FilesAndRuns, 8).detail("the ghost shows the previous run")
            .keywords("compare end") => HideGhost |app, _| app.hide_ghost();
        ("zoom-in", [Char('z')], [Watch], "zoom in").hint("zoom").under(View, 4).detail("up to 8×4 cells per tile")
            .keywords("larger magnify scale") => ZoomIn |app, _| app.on_view(|app| app.zoom(true, app.subject_cell()));
        ("zoom-out", [Char('Z')], [Watch], "zoom out").under(View, 5).detail("down to several tiles per cell")
            .keywords("smaller scale") => ZoomOut |app, _| app.on_view(|app| app.zoom(false, app.subject_cell()));
        ("fit", [Char('F')], [Watch], "fit the map to the view").under(View, 6)
            .detail("selects the largest zoom level that shows the whole map").keywords("zoom whole center centre")
            => Fit |app, _| app.on_view(App::fit);
        ("pan-left", [Char('h')], [Watch], "move the view left").under(View, 7).keywords("pan scroll camera")
            => PanLeft |app, _| app.on_view(|app| app.pan(-PAN.0, 0));
        ("pan-down", [Char('j')], [Watch], "move the view down").under(View, 8).keywords("pan scroll camera")
            => PanDown |app, _| app.on_view(|app| app.pan(0, PAN.1));
        ("pan-up", [Char('k')], [Watch], "move the view up").under(View, 9).keywords("pan scroll camera")
            => PanUp |app, _| app.on_view(|app| app.pan(0, -PAN.1));
        ("pan-right", [Char('l')], [Watch], "move the view right").under(View, 10).keywords("pan scroll camera")
            => PanRight |app, _| app.on_view(|app| app.pan(PAN.0, 0));
        ("zoom-pane", [Char('t')], [Watch], "cycle map / inspector / all panes").under(View, 11)
            .keywords("fullscreen window layout full screen maximize") => ZoomPane |app, _| app.on_view(App::zoom_pane);
    } };
}

pub(in crate::tui) use command_rows;
