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
            => PlayPause map |map, ui, _| map.play_pause(ui);
        ("pause", [], [Watch], "pause").under(Time, 2).keywords("stop halt freeze") => Pause map |map, ui, _| map.pause(ui);
        ("step", [Char('.'), Key::Right], [Watch, Overlays, Log, Expectations], "step one frame (or N)").hint("step").under(Time, 3)
            .takes(Optional(Count)).keywords("advance next forward") => Step map |map, ui, argument| map.step_by(ui, argument);
        ("step-ten", [Char('>')], [Watch, Overlays, Log, Expectations], "step ten frames").under(Time, 4)
            => StepTen map |map, ui, _| map.step(ui, 10);
        ("step-back", [Char(','), Key::Left], [Watch, Overlays, Log, Expectations], "step back one frame").hint("back").under(Time, 5)
            .keywords("go rewind undo reverse previous") => StepBack map |map, ui, _| map.on_time(ui, |map, ui| map.step_back(ui, 1));
        ("step-back-ten", [Char('<')], [Watch, Overlays, Log, Expectations], "step back ten frames").under(Time, 6).keywords("rewind")
            => StepBackTen map |map, ui, _| map.on_time(ui, |map, ui| map.step_back(ui, 10));
        ("first", [Key::Home], [Watch], "go to frame 0").under(Time, 7).keywords("rewind start beginning jump home")
            => First map |map, ui, _| map.on_time(ui, |map, ui| map.go_to(ui, Frame(0)));
        ("last", [Key::End], [Watch], "go to the last simulated frame").under(Time, 8).takes(Optional(Field))
            .detail("`:last guard.mode` goes to the frame where the value last changed").keywords("end jump latest")
            => Last map |map, ui, argument| map.on_time(ui, |map, ui| map.go_to_last(ui, argument));
        ("reverse", [Key::Backspace], [Watch], "play backwards / pause").under(Time, 10).keywords("rewind back")
            => Reverse map |map, ui, _| map.on_time(ui, MapScreen::reverse);
        ("goto", [], [Watch], "go to a frame").under(Time, 9).takes(Required(Frame))
            .detail("`:100` goes to frame 100; `:12.5s` goes to 12.5 seconds").keywords("jump seek time")
            => Goto map |map, ui, argument| map.on_time(ui, |map, ui| map.seek(ui, argument));
        ("continue", [Char('c')], [Watch], "continue to next breakpoint").under(Breakpoints, 3).keywords("resume hit debug")
            => NextHit map |map, ui, _| map.on_time(ui, MapScreen::run_to_hit);
        ("reverse-continue", [Char('C')], [Watch], "reverse-continue to previous hit").under(Breakpoints, 4)
            .keywords("rewind back debug") => PreviousHit map |map, ui, _| map.on_time(ui, MapScreen::run_back_to_hit);
        ("break", [Char('b')], [Watch, Breaks], "add a breakpoint").under(Breakpoints, 1).takes(Optional(Condition))
            .detail("pauses when the condition becomes true, such as `event(bump)`; without a condition, suggests one")
            .keywords("condition collision debug until") => Breakpoint map |map, ui, argument| map.add_break(ui, argument);
        ("watch", [], [Watch], "pause when a value changes").under(Breakpoints, 2).takes(Required(Field))
            .detail("example: `:watch guard.mode`").keywords("watchpoint breakpoint debug")
            => Watchpoint map |map, ui, argument| map.add_watchpoint(ui, argument);
        ("breakpoints", [Char('B')], [Watch], "list breakpoints").under(Breakpoints, 5).keywords("watchpoints debug")
            => Breakpoints map |map, _, _| map.open(ListPopup::new(&BREAKS, 0));
        ("delete-breakpoint", [], [Watch], "delete breakpoint N").under(Breakpoints, 6).takes(Required(Count))
            .keywords("remove").rare() => DeleteBreakpoint map |map, ui, argument| map.delete_break(ui, argument);
        ("save-breakpoints", [], [Watch], "save breakpoints and bookmarks").under(Breakpoints, 7)
            .detail("the file is next to the map file").keywords("write file") => SaveBreakpoints map |_, _, _| Effect::SaveBreaks;
        ("next-event", [Char(']')], [Watch], "go to the next event").under(EventsAndBookmarks, 1)
            .detail("of the selected agent, or of any agent if a tile is selected").keywords("jump bump collision touch")
            => NextEvent map |map, ui, _| map.on_time(ui, |map, ui| map.go_to_event(ui, true));
        ("previous-event", [Char('[')], [Watch], "go to the previous event").under(EventsAndBookmarks, 2)
            .keywords("jump rewind collision touch") => PreviousEvent map |map, ui, _| map.on_time(ui, |map, ui| map.go_to_event(ui, false));
        ("log", [Char('L')], [Watch], "show the event log").under(EventsAndBookmarks, 3).takes(Optional(Text))
            .detail("`:log bump` lists only events that contain `bump`")
            .keywords("history collision touch bump search messages") => Log map |map, _, argument| map.open_log(argument);
        ("bookmark", [Char('M')], [Watch], "toggle a bookmark").under(EventsAndBookmarks, 4).takes(Optional(Text))
            .detail("at the current frame; `:bookmark NAME` sets a bookmark with a name").keywords("remember frame note")
            => ToggleBookmark map |map, ui, argument| map.bookmark(ui, argument);
        ("next-bookmark", [Char('\'')], [Watch], "go to the next bookmark").under(EventsAndBookmarks, 5).keywords("jump")
            => NextBookmark map |map, ui, _| map.go_to_near_marker(ui, true);
        ("previous-bookmark", [Char('"')], [Watch], "go to the previous bookmark").under(EventsAndBookmarks, 6)
            .keywords("jump") => PreviousBookmark map |map, ui, _| map.go_to_near_marker(ui, false);
        ("bookmarks", [], [Watch], "list bookmarks").under(EventsAndBookmarks, 7) => Bookmarks map |map, _, _| map.list_markers();
        ("expectations", [Char('E')], [Watch], "list expectations").under(EventsAndBookmarks, 8)
            .detail("with the verdicts about the run up to the current frame").keywords("test judge verdict violation pass fail")
            => Expectations map |map, _, _| map.list_expectations();
        ("next-agent", [Key::Tab], [Watch, Overlays], "select the next agent").hint("next agent").under(Agents, 1)
            .keywords("cycle") => NextAgent map |map, ui, _| map.select_next(ui, 1);
        ("previous-agent", [Key::BackTab], [Watch, Overlays], "select the previous agent").under(Agents, 2)
            .keywords("cycle") => PreviousAgent map |map, ui, _| map.select_next(ui, -1);
        ("overlays", [Char('o')], [Watch], "choose overlays").hint("overlays").under(View, 1)
            .keywords("layers show vectors debug trail heat map minimap legend")
            => Overlays map |map, _, _| map.open(ListPopup::new(&OVERLAYS, 0));
        ("overlay", [], [Watch, Overlays], "show or hide one overlay").under(View, 2).takes(Required(Overlay))
            .detail("example: `:overlay trail`").keywords("layer toggle trail heat map minimap vector force sight")
            => ToggleOverlay map |map, ui, argument| map.toggle_overlay(ui, argument);
        ("heat-map", [Char('H')], [Watch, Overlays], "show the heat map").under(View, 3)
            .detail("cycles through selected agent, group, all agents, off").keywords("visits count traffic density")
            => HeatMap map |map, ui, _| map.next_heat_map(ui);
        ("find", [Char('/')], [Watch], "find an agent by name").hint("find").under(Agents, 3).keywords("search")
            => Find map |map, ui, _| map.find(ui);
        ("command", [Char(':')], [Watch, Overlays, Runs, Breaks, Menu, Gallery, Reading, Log, Markers, Expectations, Problems, Changes, Saved], "type a command")
            .hint("command").under(Program, 1).keywords("palette run") => CommandLine app |app, _| app.open_command_line("");
        ("select", [], [Watch], "select an agent by name").under(Agents, 4).takes(Required(Agent)).keywords("search find")
            => Select map |map, ui, argument| map.select_agent(ui, argument);
        ("follow", [Char('f')], [Watch], "follow the selected agent").hint("follow").under(Agents, 6)
            .detail("keeps the agent near the centre of the map view; press again to stop")
            .keywords("camera track center centre") => Follow map |map, ui, _| map.on_view(ui, MapScreen::toggle_follow);
        ("drive", [Char('i')], [Watch], "drive the selected agent").hint("drive").under(Agents, 7)
            .detail("starts or ends manual control").keywords("manual control keyboard player steer")
            => Drive map |map, ui, _| map.take_hold(ui);
        ("inspect", [Key::Enter], [Watch], "enlarge the inspector").hint("inspect").under(Inspector, 1)
            .detail("press again to open the value list").keywords("details zoom full screen")
            => Inspect map |map, ui, _| map.on_view(ui, MapScreen::enlarge_inspector);
        ("next-tab", [Char('}')], [Watch], "show the next inspector page").under(Inspector, 9).keywords("tab")
            => NextTab map |map, _, _| map.show_tab(map.inspector.tab.further(1));
        ("previous-tab", [Char('{')], [Watch], "show the previous inspector page").under(Inspector, 10).keywords("tab")
            => PreviousTab map |map, _, _| map.show_tab(map.inspector.tab.further(-1));
        ("why", [Char('1')], [Watch], "explain the last step").under(Inspector, 2).keywords("reason inspector")
            => ShowWhy map |map, _, _| map.show_tab(Tab::Why);
        ("body", [Char('2')], [Watch], "show all body values").under(Inspector, 3)
            .keywords("inspector speed mass radius limits vision sight") => ShowBody map |map, _, _| map.show_tab(Tab::Body);
        ("forces", [Char('3')], [Watch], "show the force breakdown").under(Inspector, 4)
            .keywords("forces vectors steering behaviours weights ledger inspector")
            => ShowForces map |map, _, _| map.show_tab(Tab::ForceBreakdown);
        ("pattern", [Char('4')], [Watch], "show the agent's pattern").under(Inspector, 5)
            .keywords("path matrix steps random walk inspector") => ShowPattern map |map, _, _| map.show_tab(Tab::Pattern);
        ("modes", [Char('5')], [Watch], "show modes and transitions").under(Inspector, 6)
            .keywords("state machine rules memory sight vision mind inspector")
            => ShowModes map |map, _, _| map.show_tab(Tab::Modes);
        ("plots", [Char('6')], [Watch], "plot the last five seconds").under(Inspector, 7)
            .keywords("chart graph speed force distance inspector") => ShowPlots map |map, _, _| map.show_tab(Tab::Plots);
        ("events", [Char('7')], [Watch], "list the agent's events").under(Inspector, 8)
            .keywords("collision touch bump inspector history") => ShowEvents map |map, _, _| map.show_tab(Tab::Events);
        ("pin", [Char('v')], [Watch], "pin an agent for comparison").under(Agents, 5).takes(Optional(Agent))
            .detail("shows the pinned agent beside each agent you select; press again to unpin")
            .keywords("compare versus two agents diff") => Pin map |map, ui, argument| map.toggle_pin(ui, argument);
        ("edit", [Char('x')], [Watch], "edit the agent's values").hint("edit").under(Values, 1)
            .keywords("change tune parameter weight speed mass vision view sight radius") => EditValues map |map, ui, _| map.tune(ui);
        ("set", [], [Watch], "set a value of an agent").under(Values, 2).takes(Required(Setting))
            .detail("takes effect in the next frame; example: `:set boid.steer.2.weight=3`")
            .keywords("change tune parameter weight speed") => Set map |map, ui, argument| map.set_value(ui, argument);
        ("write", [Char('w')], [Watch], "save changes to the files").under(Values, 3).takes(Optional(File))
            .detail("lists several changes before it writes them; with a file name, saves a new map")
            .keywords("write store") => Write map |map, ui, argument| map.write_to(ui, argument.cloned());
        ("write!", [], [Watch], "save, overwriting external changes").under(Values, 6)
            .detail("writes the files even if another program changed them").keywords("force overwrite conflict").rare()
            => WriteAnyway map |map, ui, _| map.write(ui, Target::FileAnyway);
        ("paint", [Char('p')], [Watch], "paint tiles").under(Values, 7).detail("enters or leaves paint mode")
            .keywords("wall edit draw map legend brush terrain editor undo") => Paint map |map, ui, _| map.toggle_paint(ui);
        ("draw-path", [], [Watch], "draw a path pattern").under(Values, 8).takes(Optional(Text))
            .detail("without a name, edits the selected agent's path; an unknown name creates a pattern file")
            .keywords("edit patrol route waypoints new") => DrawPath map |map, ui, argument| map.draw_path(ui, argument.cloned());
        ("draw-matrix", [], [Watch], "paint a matrix pattern").under(Values, 9).takes(Optional(Text))
            .detail("without a name, edits the selected agent's matrix").keywords("edit random walk cells")
            => DrawMatrix map |map, ui, argument| map.draw_matrix(ui, argument.cloned());
        ("screenshot", [], [Watch, Gallery], "save a screenshot").under(FilesAndRuns, 9).takes(Required(File))
            .detail("the file name ends in `.svg` (with colours) or `.txt` (without)")
            .keywords("picture image export svg txt capture save") => Save app |app, argument| app.save_picture(argument);
        ("record", [], [Watch], "start or end a recording").under(FilesAndRuns, 11).takes(Optional(File))
            .detail("`:record chase.twr` records all runs of this map from frame 0 on; `:record` ends the recording")
            .keywords("save capture film session twr") => Record map |_, _, argument| Effect::record(argument);
        ("save-map", [], [Watch], "save this frame as a map").under(FilesAndRuns, 10).takes(Required(File))
            .detail("in the new map, agents start at their current positions").keywords("export write new snapshot state")
            => SaveMap app |app, argument| app.save_still(argument);
        ("copy", [Char('y')], [Watch], "copy the inspector's text").under(Inspector, 13)
            .detail("needs a terminal that supports OSC 52 (clipboard access)").keywords("clipboard export")
            => Copy map |map, ui, _| map.copy(ui);
        ("editor", [Char('e')], [Watch], "open the file in your editor").under(Values, 11)
            .detail("uses $VISUAL or $EDITOR; goes to the selected agent or tile, or to the pattern on page 4")
            .keywords("vim source edit") => Editor map |map, _, _| map.open_editor();
        ("tile-menu", [], [Watch], "open the tile menu").under(Values, 10)
            .detail("for the selected tile, or for the tile under the selected agent; right-click opens it for any tile")
            .keywords("context right click") => TileMenu map |map, ui, _| map.open_menu_here(ui);
        ("slower", [Char('-')], [Watch], "halve the simulation speed").under(Time, 11).detail("down to ×1/8")
            .keywords("slow motion") => Slower map |map, ui, _| map.on_time(ui, |map, _| map.clock.speed = map.clock.speed.slower());
        ("faster", [Char('+'), Char('=')], [Watch], "double the simulation speed").hint("faster").under(Time, 12)
            .detail("up to ×64, then as fast as possible").keywords("fast forward") => Faster map |map, ui, _| map.on_time(ui, |map, _| map.clock.speed = map.clock.speed.faster());
        ("speed", [], [Watch], "set the simulation speed").under(Time, 13).takes(Required(Speed))
            .detail("from 1/8 to 64, or `max`").keywords("fast slow pace") => Speed map |map, ui, argument| map.on_time(ui, |map, _| map.set_speed(argument));
        ("restart", [Char('r')], [Watch], "restart from frame 0").hint("restart").under(Time, 14)
            .detail("keeps changed values; discards manual control").keywords("reset rewind again beginning") => Restart map |map, ui, _| map.on_time(ui, MapScreen::restart);
        ("diff", [], [Watch], "compare with another run").under(FilesAndRuns, 6).takes(Optional(Text))
            .detail("`:diff MAP` compares with another map, `:diff seed 8` with another seed; `:diff` ends the comparison")
            .keywords("ghost seed random difference versus") => Diff map |map, ui, argument| map.compare(ui, argument.cloned());
        ("reload", [Char('R')], [Watch, Problems], "reload the map's files").under(FilesAndRuns, 1)
            .keywords("refresh reread") => Reload map |map, ui, _| map.reload(ui);
        ("flip", [Char('a')], [Watch], "toggle run before / after edit").under(FilesAndRuns, 3)
            .detail("shows the run before the last edit, or the run after it, at the same frame").keywords("compare undo")
            => Flip map |map, ui, _| map.flip(ui);
        ("before", [], [Watch], "show the run before the edit").under(FilesAndRuns, 4).keywords("compare undo").rare()
            => Before map |map, ui, _| map.look_beside(ui, Session::switch_to_parent_run);
        ("after", [], [Watch], "show the run after the edit").under(FilesAndRuns, 5).keywords("compare redo").rare()
            => After map |map, ui, _| map.look_beside(ui, Session::switch_to_child_run);
        ("problems", [Char('D')], [Watch], "list errors and warnings").under(FilesAndRuns, 2)
            .keywords("diagnostics check lint") => Problems map |map, ui, _| map.list_problems(ui);
        ("resimulate", [Char('s'), Key::Enter], [Saved], "simulate the run again").hint("simulate again")
            .detail("with the changed files, up to the current frame")
            => Resimulate map |map, ui, _| map.apply_waiting(ui, OnReload::Resimulate);
        ("from-here", [Char('h')], [Saved], "continue from the current frame").hint("continue here")
            .detail("with the changed files") => FromHere map |map, ui, _| map.apply_waiting(ui, OnReload::FromHere);
        ("restart-with-changes", [Char('r')], [Saved], "restart with the changed files").hint("restart")
            .detail("from frame 0").keywords("reset") => RestartWithChanges map |map, ui, _| map.apply_waiting(ui, OnReload::Restart);
        ("problem-up", [Key::Up, Char('k')], [Problems], "select the previous problem").rare()
            => Up app |app, _| app.move_by(-1);
        ("problem-down", [Key::Down, Char('j')], [Problems], "select the next problem").hint("choose").rare()
            => Down app |app, _| app.move_by(1);
        ("runs", [], [Watch], "list all runs").under(FilesAndRuns, 7)
            .detail("`Enter` in the list switches to the selected run").keywords("history branches timeline")
            => Runs map |map, _, _| map.list_runs();
        ("hide-ghost", [], [Watch], "hide the ghost").under(FilesAndRuns, 8).detail("the ghost shows the previous run")
            .keywords("compare end") => HideGhost map |map, ui, _| map.hide_ghost(ui);
        ("zoom-in", [Char('z')], [Watch], "zoom in").hint("zoom").under(View, 4).detail("up to 8×4 cells per tile")
            .keywords("larger magnify scale") => ZoomIn map |map, ui, _| map.on_view(ui, |map, ui| map.zoom(ui, true, map.subject_cell(ui)));
        ("zoom-out", [Char('Z')], [Watch], "zoom out").under(View, 5).detail("down to several tiles per cell")
            .keywords("smaller scale") => ZoomOut map |map, ui, _| map.on_view(ui, |map, ui| map.zoom(ui, false, map.subject_cell(ui)));
        ("fit", [Char('F')], [Watch], "fit the map to the view").under(View, 6)
            .detail("selects the largest zoom level that shows the whole map").keywords("zoom whole center centre")
            => Fit map |map, ui, _| map.on_view(ui, |map, ui| map.fit(ui));
        ("pan-left", [Char('h')], [Watch], "move the view left").under(View, 7).keywords("pan scroll camera")
            => PanLeft map |map, ui, _| map.on_view(ui, |map, ui| map.pan(ui, -PAN.0, 0));
        ("pan-down", [Char('j')], [Watch], "move the view down").under(View, 8).keywords("pan scroll camera")
            => PanDown map |map, ui, _| map.on_view(ui, |map, ui| map.pan(ui, 0, PAN.1));
        ("pan-up", [Char('k')], [Watch], "move the view up").under(View, 9).keywords("pan scroll camera")
            => PanUp map |map, ui, _| map.on_view(ui, |map, ui| map.pan(ui, 0, -PAN.1));
        ("pan-right", [Char('l')], [Watch], "move the view right").under(View, 10).keywords("pan scroll camera")
            => PanRight map |map, ui, _| map.on_view(ui, |map, ui| map.pan(ui, PAN.0, 0));
        ("zoom-pane", [Char('t')], [Watch], "cycle map / inspector / all panes").under(View, 11)
            .keywords("fullscreen window layout full screen maximize") => ZoomPane map |map, ui, _| map.on_view(ui, |map, _| map.zoom_pane());
    } };
}

pub(in crate::tui) use command_rows;
