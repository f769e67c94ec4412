//! The table of commands: names, keys, contexts, descriptions and functions.
//!
//! A row is `(name, keys, contexts, description)`, then settings of [`Command`](super::Command),
//! then `=> Action kind |component, ..| code`. The kind selects the component that runs the command:
//! `map` is the map screen, `top` is the topmost component, and `app` is the whole screen. An action
//! can have further rows with other keys in other contexts. These rows contain only the name of the
//! action. In the contexts of a row, `; lists` stands for all lists over the map.
//!
//! The command line, the footer and the help use the order of the rows. The commands of the map come
//! first. The commands of lists, pages and modes follow.

/// Passes all rows to the macro named `$use`.
macro_rules! command_rows {
    ($use:ident) => { $use! {
        ("play", [Char(' ')], [Map, Log, Expectations], "play / pause").hint("play/pause").under(Time, 1).keywords("run resume start")
            => PlayPause map |map, ui, _| map.play_pause(ui);
        ("pause", [], [Map], "pause").under(Time, 2).keywords("stop halt freeze").rare() => Pause map |map, ui, _| map.pause(ui);
        ("step", [Char('.'), Key::Right], [Map, Overlays, Log, Expectations], "step one frame (or N)").hint("step").under(Time, 3)
            .takes(Optional(Count)).keywords("advance next forward") => Step map |map, ui, argument| map.step_by(ui, argument);
        ("step-ten", [Char('>')], [Map, Overlays, Log, Expectations], "step ten frames").under(Time, 4)
            => StepTen map |map, ui, _| map.step(ui, 10);
        ("step-back", [Char(','), Key::Left], [Map, Overlays, Log, Expectations], "step back one frame").hint("back").under(Time, 5)
            .keywords("go rewind undo reverse previous") => StepBack map |map, ui, _| map.on_time(ui, |map, ui| map.step_back(ui, 1));
        ("step-back-ten", [Char('<')], [Map, Overlays, Log, Expectations], "step back ten frames").under(Time, 6).keywords("rewind")
            => StepBackTen map |map, ui, _| map.on_time(ui, |map, ui| map.step_back(ui, 10));
        ("first", [Key::Home], [Map], "go to frame 0").under(Time, 7).keywords("rewind start beginning jump home")
            => First map |map, ui, _| map.on_time(ui, |map, ui| map.go_to(ui, Frame(0)));
        ("last", [Key::End], [Map], "go to the last simulated frame").under(Time, 8).takes(Optional(Field))
            .detail("`:last guard.mode` goes to the frame where the value last changed").keywords("end jump latest")
            => Last map |map, ui, argument| map.on_time(ui, |map, ui| map.go_to_last(ui, argument));
        ("reverse", [Key::Backspace], [Map], "play backwards / pause").under(Time, 10).keywords("rewind back")
            => Reverse map |map, ui, _| map.on_time(ui, MapScreen::reverse);
        ("goto", [], [Map], "go to a frame").under(Time, 9).takes(Required(Frame))
            .detail("`:100` goes to frame 100; `:12.5s` goes to 12.5 seconds").keywords("jump seek time")
            => Goto map |map, ui, argument| map.on_time(ui, |map, ui| map.seek(ui, argument));
        ("continue", [Char('c')], [Map], "continue to next breakpoint").under(Breakpoints, 3).keywords("resume hit debug")
            => NextHit map |map, ui, _| map.on_time(ui, MapScreen::run_to_hit);
        ("reverse-continue", [Char('C')], [Map], "reverse-continue to previous hit").under(Breakpoints, 4)
            .keywords("rewind back debug") => PreviousHit map |map, ui, _| map.on_time(ui, MapScreen::run_back_to_hit);
        ("break", [Char('b')], [Map, Breaks], "add a breakpoint").under(Breakpoints, 1).takes(Optional(Condition))
            .detail("pauses when the condition becomes true, such as `event(bump)`; without a condition, suggests one")
            .keywords("hit condition collision debug until") => Breakpoint map |map, ui, argument| map.add_break(ui, argument);
        ("watch", [], [Map], "pause when a value changes").under(Breakpoints, 2).takes(Required(Field))
            .detail("example: `:watch guard.mode`").keywords("watchpoint breakpoint debug")
            => Watchpoint map |map, ui, argument| map.add_watchpoint(ui, argument);
        ("breakpoints", [Char('B')], [Map], "list breakpoints").under(Breakpoints, 5).keywords("watchpoints debug")
            => Breakpoints map |map, _, _| map.open(ListPopup::new(&lists::BREAKS, 0));
        ("delete-breakpoint", [], [Map], "delete breakpoint N").under(Breakpoints, 6).takes(Required(Count))
            .keywords("remove").rare() => DeleteBreakpoint map |map, ui, argument| map.delete_break(ui, argument);
        ("save-breakpoints", [], [Map], "save breakpoints and bookmarks").under(Breakpoints, 7)
            .detail("the file is next to the map file").keywords("write file") => SaveBreakpoints map |_, _, _| Effect::SaveBreaks;
        ("next-event", [Char(']')], [Map], "go to the next event").under(EventsAndBookmarks, 1)
            .detail("of the selected agent, or of any agent if a tile is selected").keywords("jump bump collision touch")
            => NextEvent map |map, ui, _| map.on_time(ui, |map, ui| map.go_to_event(ui, true));
        ("previous-event", [Char('[')], [Map], "go to the previous event").under(EventsAndBookmarks, 2)
            .keywords("jump rewind collision touch") => PreviousEvent map |map, ui, _| map.on_time(ui, |map, ui| map.go_to_event(ui, false));
        ("log", [Char('L')], [Map], "show the event log").under(EventsAndBookmarks, 3).takes(Optional(Text))
            .detail("`:log bump` lists only events that contain `bump`")
            .keywords("statistics history collision touch bump search messages") => Log map |map, _, argument| map.open_log(argument);
        ("bookmark", [Char('M')], [Map], "toggle a bookmark").under(EventsAndBookmarks, 4).takes(Optional(Text))
            .detail("at the current frame; `:bookmark NAME` sets a bookmark with a name").keywords("remember frame note")
            => ToggleBookmark map |map, ui, argument| map.bookmark(ui, argument);
        ("next-bookmark", [Char('\'')], [Map], "go to the next bookmark").under(EventsAndBookmarks, 5).keywords("jump")
            => NextBookmark map |map, ui, _| map.go_to_near_bookmark(ui, true);
        ("previous-bookmark", [Char('"')], [Map], "go to the previous bookmark").under(EventsAndBookmarks, 6)
            .keywords("jump") => PreviousBookmark map |map, ui, _| map.go_to_near_bookmark(ui, false);
        ("bookmarks", [], [Map], "list bookmarks").under(EventsAndBookmarks, 7) => Bookmarks map |map, _, _| map.list_bookmarks();
        ("expectations", [Char('E')], [Map], "list expectations").under(EventsAndBookmarks, 8)
            .detail("with the verdicts about the run up to the current frame").keywords("test judge verdict violation pass fail")
            => Expectations map |map, _, _| map.list_expectations();
        ("next-agent", [Key::Tab], [Map, Overlays], "select the next agent").hint("next agent").under(Agents, 1)
            .keywords("cycle") => NextAgent map |map, ui, _| map.select_next(ui, 1);
        ("previous-agent", [Key::BackTab], [Map, Overlays], "select the previous agent").under(Agents, 2)
            .keywords("cycle") => PreviousAgent map |map, ui, _| map.select_next(ui, -1);
        ("overlays", [Char('o')], [Map], "choose overlays").hint("overlays").under(View, 1)
            .keywords("hide symbols layers show vectors debug trail heat map minimap legend")
            => Overlays map |map, _, _| map.open(ListPopup::new(&lists::OVERLAYS, 0));
        ("overlay", [], [Map, Overlays], "show or hide one overlay").under(View, 2).takes(Required(Overlay))
            .detail("example: `:overlay trail`").keywords("layer toggle trail heat map minimap vector force sight")
            => ToggleOverlay map |map, ui, argument| map.toggle_overlay(ui, argument);
        ("heat-map", [Char('H')], [Map, Overlays], "show the heat map").under(View, 3)
            .detail("cycles through selected agent, group, all agents, off").keywords("heatmap visits count traffic density")
            => HeatMap map |map, ui, _| map.next_heat_map(ui);
        ("sight", [Char('V')], [Map], "show what the agent sees").under(View, 14)
            .detail("range and angle of view, what is hidden, and what blocks the line to each target")
            .keywords("fov field of view line of sight vision cone visibility overlay")
            => ToggleSight map |map, ui, _| map.toggle_sight(ui);
        ("find", [Char('/')], [Map], "find an agent by name").hint("find").under(Agents, 3).keywords("search")
            => Find map |map, ui, _| map.find(ui);
        ("command", [Char(':')], [Map; lists, Gallery, Reading, Saved], "type a command")
            .hint("command").under(Program, 1).keywords("line console prompt terminal palette run") => CommandLine app |app, _| app.open_command_line("");
        ("select", [], [Map], "select an agent by name").under(Agents, 4).takes(Required(Agent)).keywords("search find").rare()
            => Select map |map, ui, argument| map.select_agent(ui, argument);
        ("follow", [Char('f')], [Map], "follow the selected agent").hint("follow").under(Agents, 6)
            .detail("keeps the agent near the centre of the map view; press again to stop")
            .keywords("camera track center centre") => Follow map |map, ui, _| map.on_view(ui, MapScreen::toggle_follow);
        ("add-agent", [], [Map], "add an agent").under(Agents, 9).takes(Required(Text))
            .detail("`:add-agent guard` at the cursor or selected tile, `:add-agent guard 5,3` on a tile")
            .keywords("new create place spawn insert make") => AddAgent map |map, ui, argument| map.add_agent(ui, argument);
        ("copy-agent", [], [Map], "copy the selected agent").under(Agents, 10).takes(Required(Text))
            .detail("`:copy-agent sentry`; a tile can follow the name").keywords("duplicate clone new").rare()
            => CopyAgent map |map, ui, argument| map.copy_agent(ui, argument);
        ("rename-agent", [], [Map], "rename the selected agent").under(Agents, 11).takes(Required(Text))
            .detail("also in conditions and targets of the map file").keywords("name change").rare()
            => RenameAgent map |map, ui, argument| map.rename_agent(ui, argument);
        ("remove-agent", [], [Map], "remove an agent").under(Agents, 12).takes(Optional(Agent))
            .detail("without a name, the selected agent").keywords("delete kill").rare()
            => RemoveAgent map |map, ui, argument| map.remove_agent(ui, argument);
        ("attach", [], [Map], "attach a pattern").under(Values, 12).takes(Required(Text))
            .detail("the selected agent follows it: `:attach round`, or `:attach round patrol` in a mode")
            .keywords("path matrix steps pattern assign follow") => Attach map |map, ui, argument| map.attach(ui, argument);
        ("drive", [Char('i')], [Map], "drive the selected agent").hint("drive").under(Agents, 7)
            .detail("starts or ends manual control").keywords("manual control keyboard player steer")
            => Drive map |map, ui, _| map.take_hold(ui);
        ("blocker", [Char('g')], [Map], "go to what blocks the agent").under(Agents, 9)
            .detail("press again for what blocks the blocker, down to the first cause")
            .keywords("blocked blocking obstacle why jam stuck") => GoToBlocker map |map, ui, _| map.go_to_blocker(ui);
        ("take-over", [], [Map], "let a mode drive an agent").under(Agents, 8).takes(Required(Text))
            .detail("`:take-over guard chase`; all other agents still follow the run of the other program")
            .keywords("what if trace manual control mode game") => TakeOver map |map, ui, argument| map.take_over_agent(ui, argument);
        ("inspect", [Key::Enter], [Map], "enlarge the inspector").hint("inspect").under(Inspector, 1)
            .detail("press again to open the value list").keywords("details zoom full screen")
            => Inspect map |map, ui, _| map.on_view(ui, MapScreen::enlarge_inspector);
        ("next-tab", [Char('}')], [Map], "show the next inspector page").under(Inspector, 9).keywords("tab")
            => NextTab map |map, _, _| map.show_tab(map.inspector.tab.further(1));
        ("previous-tab", [Char('{')], [Map], "show the previous inspector page").under(Inspector, 10).keywords("tab")
            => PreviousTab map |map, _, _| map.show_tab(map.inspector.tab.further(-1));
        ("why", [Char('1')], [Map], "explain the last step").under(Inspector, 2).keywords("explain cause blocked stuck reason inspector")
            => ShowWhy map |map, _, _| map.show_tab(Tab::Why);
        ("body", [Char('2')], [Map], "show all body values").under(Inspector, 3)
            .keywords("fov hitbox hit box collider size statistics totals counts field view inspector speed mass radius limits vision sight") => ShowBody map |map, _, _| map.show_tab(Tab::Body);
        ("forces", [Char('3')], [Map], "show the force breakdown").under(Inspector, 4)
            .keywords("forces vectors steering behaviours weights ledger inspector")
            => ShowForces map |map, _, _| map.show_tab(Tab::ForceBreakdown);
        ("pattern", [Char('4')], [Map], "show the agent's pattern").under(Inspector, 5)
            .keywords("waypoints path matrix steps random walk inspector") => ShowPattern map |map, _, _| map.show_tab(Tab::Pattern);
        ("modes", [Char('5')], [Map], "show modes and transitions").under(Inspector, 6)
            .keywords("state machine rules memory sight vision mind inspector")
            => ShowModes map |map, _, _| map.show_tab(Tab::Modes);
        ("plots", [Char('6')], [Map], "plot the last five seconds").under(Inspector, 7)
            .keywords("chart graph speed force distance inspector") => ShowPlots map |map, _, _| map.show_tab(Tab::Plots);
        ("events", [Char('7')], [Map], "list the agent's events").under(Inspector, 8)
            .keywords("collision touch bump inspector history") => ShowEvents map |map, _, _| map.show_tab(Tab::Events);
        ("pin", [Char('v')], [Map], "pin an agent for comparison").under(Agents, 5).takes(Optional(Agent))
            .detail("shows the pinned agent beside each agent you select; press again to unpin")
            .keywords("compare versus two agents diff") => Pin map |map, ui, argument| map.toggle_pin(ui, argument);
        ("edit", [Char('x')], [Map], "edit the agent's values").hint("edit").under(Values, 1)
            .keywords("variables parameters settings numbers properties config change tune parameter weight speed mass vision view sight radius") => EditValues map |map, ui, _| map.tune(ui);
        ("set", [], [Map], "set a value of an agent").under(Values, 2).takes(Required(Setting))
            .detail("takes effect in the next frame; example: `:set boid.steer.2.weight=3`")
            .keywords("variables change tune parameter weight speed") => Set map |map, ui, argument| map.set_value(ui, argument);
        ("write", [Char('w')], [Map], "save changes to the files").under(Values, 3).short(&["w", "save"]).takes(Optional(File))
            .detail("lists several changes before it writes them; with a file name, saves a new map")
            .keywords("write store") => Write map |map, ui, argument| map.write_to(ui, argument.cloned());
        ("write!", [], [Map], "save, overwriting external changes").under(Values, 6)
            .detail("writes the files even if another program changed them").keywords("force overwrite conflict").rare()
            .short(&["w!"]) => WriteAnyway map |map, ui, _| map.write(ui, Target::FileAnyway);
        ("write-quit", [], [Map], "save changes and quit").under(Values, 12).short(&["wq", "x"])
            .detail("writes without the list of changes; stays if a file cannot be written").keywords("exit leave store")
            => WriteAndQuit map |map, ui, _| map.write_and_quit(ui);
        ("paint", [Char('p')], [Map], "paint tiles").under(Values, 7).detail("enters or leaves paint mode")
            .keywords("erase delete remove draw wall edit draw map legend brush terrain editor undo") => Paint map |map, ui, _| map.toggle_paint(ui);
        ("draw-path", [], [Map], "draw a path pattern").under(Values, 8).takes(Optional(Text))
            .detail("without a name, edits the selected agent's path; an unknown name creates a pattern")
            .keywords("edit patrol route waypoints new") => DrawPath map |map, ui, argument| map.draw_path(ui, argument.cloned());
        ("draw-matrix", [], [Map], "paint a matrix pattern").under(Values, 9).takes(Optional(Text))
            .detail("without a name, edits the selected agent's matrix; an unknown name creates a pattern")
            .keywords("edit random walk cells new")
            => DrawMatrix map |map, ui, argument| map.draw_matrix(ui, argument.cloned());
        ("screenshot", [], [Map, Gallery], "save a screenshot").under(FilesAndRuns, 9).takes(Required(File))
            .detail("to an `.svg`, `.png` or `.pdf` file with colours, or to a `.txt` file without")
            .keywords("picture image export svg png pdf txt capture save") => Save app |app, argument| app.save_picture(argument);
        ("render", [], [Map], "write a picture or a film").under(FilesAndRuns, 13).takes(Required(File))
            .detail("`:render chase.svg` draws this frame (also `.pdf`, `.png`); `:render chase.gif` the frames since the last bookmark before this frame, or from frame 0 (also `.cast`)")
            .keywords("picture image figure film movie video animation gif pdf png mp4 export paper") => Render map |map, ui, argument| map.render(ui, argument);
        ("record", [], [Map], "start or end a recording").under(FilesAndRuns, 11).takes(Optional(File))
            .detail("`:record chase.twr` records all runs of this map from frame 0 on; `:record` ends the recording")
            .keywords("movie save capture film session twr") => Record map |_, _, argument| Effect::record(argument);
        ("share", [], [Map], "write this view to a recording").under(FilesAndRuns, 12).takes(Optional(File))
            .detail("with the frame, agent, camera and overlays; `tilewalk share` prints it as text to send, and a pasted text opens")
            .keywords("send hand over colleague export recording twr paste text mail link") => Share map |map, ui, argument| map.share(ui, argument);
        ("save-map", [], [Map], "save this frame as a map").under(FilesAndRuns, 10).takes(Required(File))
            .detail("in the new map, agents start at their current positions").keywords("export write new snapshot state")
            => SaveMap app |app, argument| app.save_still(argument);
        ("copy", [Char('y')], [Map], "copy the inspector's text").under(Inspector, 13)
            .detail("needs a terminal that supports OSC 52 (clipboard access)").keywords("clipboard export")
            => Copy map |map, ui, _| map.copy(ui);
        ("editor", [Char('e')], [Map], "open the file in your editor").under(Values, 11)
            .detail("uses $VISUAL or $EDITOR; goes to the selected agent or tile, or to the pattern on page 4")
            .keywords("file vim source edit") => Editor map |map, _, _| map.open_editor();
        ("tile-menu", [], [Map], "open the tile menu").under(Values, 10)
            .detail("for the selected tile, or for the tile under the selected agent; right-click opens it for any tile")
            .keywords("context right click") => TileMenu map |map, ui, _| map.open_menu_here(ui);
        ("slower", [Char('-')], [Map], "halve the simulation speed").under(Time, 11).detail("down to ×1/8")
            .keywords("slowmo slow motion") => Slower map |map, ui, _| map.on_time(ui, |map, _| map.clock.speed = map.clock.speed.slower());
        ("faster", [Char('+'), Char('=')], [Map], "double the simulation speed").hint("faster").under(Time, 12)
            .detail("up to ×64, then as fast as possible").keywords("speed up accelerate quick fast forward") => Faster map |map, ui, _| map.on_time(ui, |map, _| map.clock.speed = map.clock.speed.faster());
        ("speed", [], [Map], "set the simulation speed").under(Time, 13).takes(Required(Speed))
            .detail("from 1/8 to 64, or `max`").keywords("fps frame rate framerate tempo up fast slow pace") => Speed map |map, ui, argument| map.on_time(ui, |map, _| map.set_speed(argument));
        ("restart", [Char('r')], [Map], "restart from frame 0").hint("restart").under(Time, 14)
            .detail("keeps changed values; discards manual control").keywords("reset rewind again beginning") => Restart map |map, ui, _| map.on_time(ui, MapScreen::restart);
        ("diff", [], [Map], "compare with another run").under(FilesAndRuns, 6).takes(Optional(Text))
            .detail("`:diff 8` compares with another seed, `:diff FILE` with a map, recording or trace, `:diff guard.pace=5` with another value; `:diff` ends the comparison")
            .keywords("ghost seed random difference versus") => Diff map |map, ui, argument| map.compare(ui, argument.cloned());
        ("seed", [], [Map], "run again with another seed").under(FilesAndRuns, 12).takes(Required(Text))
            .detail("`:seed 8` restarts at frame 0; the ghost shows the old run").keywords("random rng restart rerun reproduce")
            => Seed map |map, ui, argument| map.rerun(ui, argument);
        ("reload", [Char('R')], [Map, Problems], "reload the map's files").under(FilesAndRuns, 1)
            .keywords("refresh reread") => Reload map |map, ui, _| map.reload(ui);
        ("flip", [Char('a')], [Map], "toggle run before / after edit").under(FilesAndRuns, 3)
            .detail("shows the run before the last edit, or the run after it, at the same frame").keywords("compare undo")
            => Flip map |map, ui, _| map.flip(ui);
        ("before", [], [Map], "show the run before the edit").under(FilesAndRuns, 4).keywords("compare undo").rare()
            => Before map |map, ui, _| map.look_beside(ui, Session::switch_to_parent_run);
        ("after", [], [Map], "show the run after the edit").under(FilesAndRuns, 5).keywords("compare redo").rare()
            => After map |map, ui, _| map.look_beside(ui, Session::switch_to_child_run);
        ("problems", [Char('D')], [Map], "list errors and warnings").under(FilesAndRuns, 2)
            .keywords("diagnostics check lint") => Problems map |map, ui, _| map.list_problems(ui);
        ("resimulate", [Char('s'), Key::Enter], [Saved], "simulate the run again").hint("simulate again")
            .detail("with the changed files, up to the current frame")
            => Resimulate map |map, ui, _| map.apply_waiting(ui, OnReload::Resimulate);
        ("from-here", [Char('h')], [Saved], "continue from the current frame").hint("continue here")
            .detail("with the changed files") => FromHere map |map, ui, _| map.apply_waiting(ui, OnReload::FromHere);
        ("restart-with-changes", [Char('r')], [Saved], "restart with the changed files").hint("restart")
            .detail("from frame 0").keywords("reset") => RestartWithChanges map |map, ui, _| map.apply_waiting(ui, OnReload::Restart);
        ("open-problem", [Key::Enter, Char('e')], [Problems], "open the file in your editor").hint("open file")
            .detail("at the line of the selected problem").keywords("editor fix edit").rare() => OpenProblem top |top, ui| top.pick(ui);
        ("problem-up", [Key::Up, Char('k')], [Problems], "select the previous problem").rare()
            => Up app |app, _| app.move_by(-1);
        ("problem-down", [Key::Down, Char('j')], [Problems], "select the next problem").hint("choose").rare()
            => Down app |app, _| app.move_by(1);
        ("runs", [], [Map], "list all runs").under(FilesAndRuns, 7)
            .detail("`Enter` in the list switches to the selected run").keywords("undo history branches timeline")
            => Runs map |map, _, _| map.list_runs();
        ("hide-ghost", [], [Map], "hide the ghost").under(FilesAndRuns, 8).detail("the ghost shows the previous run")
            .keywords("compare end").rare() => EndComparison map |map, ui, _| map.hide_comparison(ui);
        ("zoom-in", [Char('z')], [Map], "zoom in").hint("zoom").under(View, 4).detail("up to 8×4 cells per tile")
            .keywords("larger magnify scale") => ZoomIn map |map, ui, _| map.on_view(ui, |map, ui| map.zoom(ui, true, map.subject_cell(ui)));
        ("zoom-out", [Char('Z')], [Map], "zoom out").under(View, 5).detail("down to several tiles per cell")
            .keywords("smaller scale") => ZoomOut map |map, ui, _| map.on_view(ui, |map, ui| map.zoom(ui, false, map.subject_cell(ui)));
        ("fit", [Char('F')], [Map], "fit the map to the view").under(View, 6)
            .detail("selects the largest zoom level that shows the whole map").keywords("zoom whole center centre")
            => Fit map |map, ui, _| map.on_view(ui, |map, ui| map.fit(ui));
        ("pan-left", [Char('h')], [Map], "move the view left").under(View, 7).keywords("pan scroll camera")
            => PanLeft map |map, ui, _| map.on_view(ui, |map, ui| map.pan(ui, -PAN.0, 0));
        ("pan-down", [Char('j')], [Map], "move the view down").under(View, 8).keywords("pan scroll camera")
            => PanDown map |map, ui, _| map.on_view(ui, |map, ui| map.pan(ui, 0, PAN.1));
        ("pan-up", [Char('k')], [Map], "move the view up").under(View, 9).keywords("pan scroll camera")
            => PanUp map |map, ui, _| map.on_view(ui, |map, ui| map.pan(ui, 0, -PAN.1));
        ("pan-right", [Char('l')], [Map], "move the view right").under(View, 10).keywords("pan scroll camera")
            => PanRight map |map, ui, _| map.on_view(ui, |map, ui| map.pan(ui, PAN.0, 0));
        ("zoom-pane", [Char('t')], [Map], "cycle map / inspector / all panes").under(View, 11)
            .keywords("fullscreen window layout full screen maximize") => ZoomPane map |map, ui, _| map.on_view(ui, |map, ui| map.zoom_pane(ui));
        ("border-left", [Char('(')], [Map], "widen the inspector").under(View, 12).detail("or drag the border with the mouse")
            .keywords("resize panes split narrow map width") => BorderLeft map |map, ui, _| map.move_border(ui, -4);
        ("border-right", [Char(')')], [Map], "widen the map").under(View, 13).detail("or drag the border with the mouse")
            .keywords("resize panes split narrow inspector width") => BorderRight map |map, ui, _| map.move_border(ui, 4);
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
        ("undo", [Char('u')], [Map, Paint], "undo the last change").under(Values, 4)
            .keywords("ctrl-z mistake revert back value edit") => Undo map |map, ui, _| map.undo(ui);
        ("redo", [Char('U'), Key::Ctrl('r')], [Map, Paint], "redo the last undone change").under(Values, 5)
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
        ("close-path", [Char('c')], [Draw], "toggle open / closed path").hint("loop").keywords("loop")
            => ClosePath map |map, ui, _| map.close_path(ui);
        ("write-path", [Char('w')], [Draw], "finish the path").hint("finish")
            .detail("the path is an unsaved edit until the changes are written")
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
        ("open", [], [Map, Gallery], "open a map").under(Program, 7).takes(Required(Map))
            .detail("by title, file name or path, such as `:open flock`").keywords("file load file gallery flock")
            => OpenMap app |app, argument| app.open_map(argument);
        ("new", [], [Map, Gallery], "create a map").under(Program, 8).takes(Optional(Text))
            .detail("`:new yard` or `:new yard 40x20` creates yard.toml in the current directory")
            .keywords("make start empty map") => NewMap app |app, argument| app.new_map(argument);
        ("about", [Char('A')], [Map, Gallery], "show the map description").hint("about").under(Program, 3)
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
        ("go-to-bookmark", [Key::Enter], [Bookmarks], "go to the selected bookmark").hint("go to").keywords("jump")
            => GoToBookmark top |top, ui| top.pick(ui);
        ("delete-bookmark", [Char('d'), Key::Delete], [Bookmarks], "delete the selected bookmark").hint("delete")
            .keywords("remove") => DeleteBookmark map |map, ui, _| map.delete_selected_bookmark(ui);
        ("bookmark-up", [Key::Up, Char('k')], [Bookmarks], "select the previous bookmark").rare() => Up;
        ("bookmark-down", [Key::Down, Char('j')], [Bookmarks], "select the next bookmark").rare() => Down;
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
            .keywords("type") => ChangeValue top |top, ui| top.pick(ui);
        ("increase", [Char('+')], [Values], "increase the selected value").detail("applies at once")
            .keywords("nudge larger").rare() => IncreaseValue map |map, ui, _| map.nudge_value(ui, true);
        ("decrease", [Char('-')], [Values], "decrease the selected value").detail("applies at once")
            .keywords("nudge smaller").rare() => DecreaseValue map |map, ui, _| map.nudge_value(ui, false);
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
        ("page-up", [Key::PageUp], [Map; lists, Values, Gallery, FindMap, Help, Reading], "scroll up one page")
            .under(Inspector, 11) => PageUp top |top, ui| top.turn(-1, ui);
        ("page-down", [Key::PageDown], [Map; lists, Values, Gallery, FindMap, Help, Reading], "scroll down one page")
            .under(Inspector, 12) => PageDown top |top, ui| top.turn(1, ui);
        ("top", [Key::Home], [; lists, Values, Gallery, Help, Reading], "go to the first row")
            .keywords("beginning start") => Top top |top, ui| top.go_to_end(false, ui);
        ("bottom", [Key::End], [; lists, Values, Gallery, Help, Reading], "go to the last row")
            .keywords("end") => Bottom top |top, ui| top.go_to_end(true, ui);
        ("gallery", [Char('G')], [Map], "open the map gallery").hint("maps").under(Program, 6)
            .keywords("tutorial list open examples leave exit") => ToGallery app |app, _| app.leave_map();
        ("theme", [], [Map, Gallery], "change the theme").under(View, 12).takes(Required(Theme))
            .detail("for this session: dark, light, high-contrast, color-blind or mono")
            .keywords("mode color scheme night colours colors dark light contrast") => Theme app |app, argument| app.change_theme(argument);
        ("mouse", [Char('m')], [Map, Gallery], "toggle mouse capture").under(View, 13)
            .detail("without mouse capture, the terminal selects text").keywords("select text copy")
            => ToggleMouse app |app, _| app.toggle_mouse();
        ("close", [Key::Esc], [Search, CommandLine; lists, Values, Reading, Filter], "close this list, page or input")
            .hint("close").keywords("cancel back exit") => Close;
        ("close-zoom", [Key::Esc], [Map], "close enlarged pane, tile or ghost").under(Program, 5)
            .detail("first the enlarged pane, then the selected tile, then the ghost").keywords("cancel back") => Close;
        ("suspend", [Key::Ctrl('z')], [Map; lists, Gallery, FindMap, Search, Values, Value, CommandLine, Help, Reading, Filter, Saved], "suspend tilewalk to the shell")
            .under(Program, 9).detail("`fg` returns to tilewalk").keywords("background job")
            => Suspend app |_, _| Effect::Suspend;
        ("help", [Char('?'), Key::F(1)], [Map; lists, Gallery, Saved], "open the help")
            .hint("help").under(Program, 2).keywords("symbols signs glyphs icons tutorial what keys shortcuts manual legend search") => Help app |app, _| app.help();
        ("messages", [], [Map, Gallery], "show recent messages").under(Program, 4)
            .detail("with the frame of each message").keywords("history warnings answers")
            => Messages app |app, _| app.messages();
        ("quit", [Char('q'), Key::Ctrl('c')], [Map; lists, Gallery, Reading, Saved], "quit tilewalk")
            .hint("quit").short(&["q"]).under(Program, 10).keywords("exit leave close") => Quit app |app, _| app.quit();
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

pub(in crate::tui) use command_rows;

/// Passes the rows of all contexts to the macro named `$use`, in the order of the help. A row is
/// `Name (title, place, opener, text, group)`. `place` is a phrase that locates the context in a sentence.
/// `opener` is the action that opens the context. `text` is a variant of `TextInput`, and `group` a
/// variant of `Group`.
macro_rules! context_rows {
    ($use:ident) => { $use! {
        Map ("Map", "on a map", None, None, Other);
        Drive ("Manual control", "under manual control", Some(Action::Drive), None, Other);
        Paint ("Paint mode", "in paint mode", Some(Action::Paint), None, Other);
        Draw ("Path drawing", "while drawing a path", Some(Action::DrawPath), None, Other);
        Overlays ("Overlay menu", "in the overlay menu", Some(Action::Overlays), None, MapList);
        Runs ("Run list", "in the run list", Some(Action::Runs), None, List);
        Breaks ("Breakpoint list", "in the breakpoint list", Some(Action::Breakpoints), None, MapList);
        Log ("Event log", "in the event log", Some(Action::Log), None, MapList);
        Filter ("Event filter", "in the event filter", None, SomeCharacters, Other);
        Bookmarks ("Bookmark list", "in the bookmark list", Some(Action::Bookmarks), None, MapList);
        Expectations ("Expectation list", "in the expectation list", Some(Action::Expectations), None, MapList);
        Values ("Value list", "in the value list", Some(Action::EditValues), AllCharacters, Other);
        Value ("Value editor", "in the value editor", Some(Action::EditValues), AllCharacters, Other);
        Changes ("Changes to write", "in the list of changes to write", Some(Action::Write), None, List);
        Menu ("Tile menu", "in the tile menu", Some(Action::TileMenu), None, List);
        Problems ("Problem list", "in the problem list", Some(Action::Problems), None, MapList);
        Saved ("Reload question (on_reload = \"ask\")", "when a changed file asks what to do", None, None, Other);
        Gallery ("Gallery", "in the gallery", Some(Action::ToGallery), None, Other);
        FindMap ("Gallery search", "in the gallery search", None, AllCharacters, Other);
        CommandLine ("Command line", "in the command line", Some(Action::CommandLine), AllCharacters, Other);
        Search ("Agent search", "in the agent search", Some(Action::Find), AllCharacters, Other);
        Help ("Help", "in the help", Some(Action::Help), SomeCharacters, Other);
        Reading ("Text page", "on a text page", Some(Action::Messages), None, Other);
    } };
}

pub(in crate::tui) use context_rows;
