//! The screen while a reload or another run removes agents.

use std::time::Duration;

use ratatui::layout::Rect;
use tilewalk::files::Options;
use tilewalk::files::config::OnReload;
use tilewalk::files::values::TunableValue;
use tilewalk::geom::TilePos;
use tilewalk::id::AgentId;
use tilewalk::tui::Start;
use tilewalk::tui::action::Context;
use tilewalk::tui::app::App;
use tilewalk::tui::input::{Cell, Input, Key};
use tilewalk::tui::map_screen::popup::log::EventText;
use tilewalk::tui::map_screen::popup::values::ValueList;

use crate::support::sample_maps::dark_theme;
use crate::support::screen::{
    self, Look, command, dump, frame, go_to, press, saved_message, settle, shipped, shown_message,
    type_text,
};

/// A thief that runs into a wall, and a guard that sees it on the way.
const MAP: &str = r#"
tiles = """
................
................
.....##.........
................
................
"""
[[agent]]
name = "guard"
at = [6, 0]
body = { view = { range = 4, angle = 360 } }
[[agent.mode]]
name = "watch"
switch = [{ when = "sees(thief) and time_in_mode > 900", to = "alarm" }]
[[agent.mode]]
name = "alarm"
[[agent]]
name = "thief"
at = [12, 2]
steer = [{ do = "seek", target = [2, 2] }]
"#;

/// The same map without the thief.
const ALONE: &str = r#"
tiles = """
................
................
.....##.........
................
................
"""
[[agent]]
name = "guard"
at = [6, 0]
"#;

/// Returns the map, paused at a frame.
fn paused_at(frame: u64) -> App {
    opened(MAP, frame)
}

fn opened(text: &str, frame: u64) -> App {
    let opened = screen::opened(text, &Options::default());
    let screen = Rect::new(0, 0, 120, 40);
    let mut app = App::new(vec![], Start::Map(opened), screen, dark_theme()).0;
    press(&mut app, &[Key::Char(' ')]);
    go_to(&mut app, frame);
    app
}

/// Saves the map without the thief.
fn remove_thief(app: &mut App) {
    app.receive(saved_message("map", ALONE, &Options::default()));
    settle(app);
    assert_eq!(app.session().unwrap().world().len(), 1);
}

#[test]
fn earlier_events_still_name_an_agent_that_a_reload_removed() {
    let mut app = paused_at(120);
    type_text(&mut app, "7");
    app.ui.answers.message = None;
    // The status line shows the last event, and the inspector shows the guard's event.
    let text = dump(&app);
    assert!(text.contains(": thief ") && text.contains("sees thief"), "{text}");
    app.wish_on_reload(OnReload::FromHere);
    remove_thief(&mut app);
    app.ui.answers.message = None;
    let text = dump(&app);
    assert!(text.contains(": thief ") && text.contains("sees thief"), "{text}");
    type_text(&mut app, "1");
    dump(&app);
    type_text(&mut app, "L");
    let text = dump(&app);
    assert!(text.contains("sees thief") && text.contains("bump into wall (6, 2)"), "{text}");
}

/// Describes the selected agent: its events with their texts, the frame of the previous event, its
/// trail, and its plotted forces.
fn description(app: &App) -> String {
    let session = app.session().unwrap();
    let (id, history) = (session.selected().expect("an agent"), session.history());
    let events = session.events_of(id).map(|event| EventText::of(event, history));
    let plots = session.past().plots(id).expect("the selected agent is plotted");
    format!(
        "{:?} {:?} {:?} {:?}",
        events.collect::<Vec<_>>(),
        session.event_near(false),
        session.past().trail().of(id, 0).collect::<Vec<_>>(),
        plots.iter().collect::<Vec<_>>(),
    )
}

#[test]
fn an_agent_added_before_the_selected_one_does_not_change_its_past() {
    for agent in ["guard", "thief"] {
        let [mut app, mut unchanged] = [120, 121].map(paused_at);
        for app in [&mut app, &mut unchanged] {
            command(app, &format!("select {agent}"));
            settle(app);
        }
        let expected = description(&unchanged);
        assert!(expected.contains("sees thief") == (agent == "guard"), "{expected}");
        app.wish_on_reload(OnReload::FromHere);
        let dog = MAP.replacen("[[agent]]", "[[agent]]\nname = 'dog'\nat = [15, 4]\n[[agent]]", 1);
        // The event log, filtered by the selected agent, stays open during the reload.
        type_text(&mut app, "Ls");
        app.receive(saved_message("map", &dog, &Options::default()));
        settle(&mut app);
        assert!(app.context() == Context::Log);
        assert_eq!(app.session().unwrap().world().len(), 3);
        assert_eq!(frame(&app), 121);
        assert_eq!(description(&app), expected);
        press(&mut app, &[Key::Enter]);
        settle(&mut app);
        let session = app.session().unwrap();
        let name = session.selected().map(|id| session.world().name(id).to_string());
        assert_eq!(name.as_deref(), Some(agent));
    }
}

/// Returns the cell of an agent.
fn cell(app: &App, id: AgentId) -> Cell {
    let world = app.session().unwrap().world();
    app.view().unwrap().body(world.tile(id), world.position(id)).expect("in view")
}

#[test]
fn a_reload_that_removes_the_dragged_agent_ends_the_drag() {
    let mut app = paused_at(0);
    let thief = AgentId(1);
    let from = cell(&app, thief);
    let to = app.view().unwrap().cell(TilePos::new(9, 1)).expect("in view");
    app.update(Input::Click(from));
    app.update(Input::Drag(to));
    assert!(
        shown_message(&app).starts_with("release to move thief to "),
        "{}",
        shown_message(&app)
    );
    remove_thief(&mut app);
    for input in [Input::Drag(to), Input::Drag(from), Input::Drag(to), Input::Release] {
        app.update(input);
        assert!(!shown_message(&app).contains(" to move "), "{}", shown_message(&app));
        assert!(!shown_message(&app).contains("cannot move"), "{}", shown_message(&app));
    }
    dump(&app);
    assert_eq!((frame(&app), app.session().unwrap().history().runs().len()), (0, 2));
}

#[test]
fn a_drag_ends_when_the_dragged_agent_leaves_the_world() {
    let mut app = shipped("sortie", (120, 40));
    go_to(&mut app, 45);
    command(&mut app, "select bomb.1");
    let selected = |app: &App| app.session().unwrap().selected();
    let bomb = selected(&app).expect("bomb.1");
    let at = cell(&app, bomb);
    // If other agents are on this cell, each click selects the next one.
    app.update(Input::Click(at));
    for _ in 0..5 {
        if selected(&app) != Some(bomb) {
            app.update(Input::Click(at));
        }
    }
    assert_eq!(selected(&app), Some(bomb));
    go_to(&mut app, 67);
    app.update(Input::Drag(Cell { x: at.x + 4, y: at.y }));
    assert_eq!(shown_message(&app), "warning: cannot move bomb.1: it is not in the world");
    app.ui.answers.message = None;
    app.update(Input::Release);
    assert_eq!((frame(&app), shown_message(&app)), (67, String::new()));
}

/// During the drag, a boid gets the id of the thief because a group grows.
#[test]
fn a_drag_moves_the_agent_that_was_picked_even_if_its_id_changes() {
    let boids = "[[agent]]\nname = \"boid\"\ncount = 2\nat = \"anywhere\"\n[[agent]]";
    let mut app = opened(&MAP.replacen("[[agent]]", boids, 1), 0);
    let thief = AgentId(3);
    let (from, start) = (cell(&app, thief), TilePos::new(12, 2));
    assert_eq!(app.session().unwrap().world().tile(thief), start);
    let to = app.view().unwrap().cell(TilePos::new(12, 4)).expect("in view");
    app.update(Input::Click(from));
    app.update(Input::Drag(to));
    command(&mut app, "set boid.count=3");
    app.update(Input::Drag(Cell { x: to.x + 1, y: to.y }));
    app.update(Input::Release);
    assert_eq!(shown_message(&app), "thief moved to (12, 4)");
    let world = app.session().unwrap().world();
    assert_eq!(world.tile(AgentId(4)), TilePos::new(12, 4));
}

#[test]
fn the_agent_search_lists_the_agents_of_the_current_frame() {
    let mut app = paused_at(20);
    app.wish_on_reload(OnReload::FromHere);
    remove_thief(&mut app);
    go_to(&mut app, 60);
    go_to(&mut app, 10);
    type_text(&mut app, " /");
    let text = dump(&app);
    assert!(text.contains("2 found"), "{text}");
    for _ in 0..20 {
        app.pass(Duration::from_millis(100), || true);
        dump(&app);
    }
    assert!(frame(&app) > 21, "frame {}", frame(&app));
    let text = dump(&app);
    assert!(text.contains("1 found") && app.context() == Context::Search, "{text}");
}

#[test]
fn a_reload_that_removes_the_agent_of_the_value_list_closes_the_list() {
    let mut app = paused_at(20);
    press(&mut app, &[Key::Tab]);
    type_text(&mut app, "x");
    let Some(values) = app.map().popup::<ValueList>() else { panic!("no list of values") };
    assert_eq!(values.kind(), "thief");
    // A reload with the same agents keeps the list.
    let text = MAP.replace("at = [12, 2]", "at = [11, 2]");
    app.receive(saved_message("map", &text, &Options::default()));
    settle(&mut app);
    assert!(app.map().popup::<ValueList>().is_some_and(|values| values.kind() == "thief"));
    remove_thief(&mut app);
    assert!(app.is_plain_map(), "{}", dump(&app));
}

#[test]
fn a_value_typed_for_an_agent_that_left_is_applied_and_the_editor_closes() {
    let mut app = shipped("sortie", (120, 40));
    go_to(&mut app, 45);
    command(&mut app, "select bomb.1");
    type_text(&mut app, " xbody.mass\n");
    for _ in 0..15 {
        app.pass(Duration::from_millis(100), || true);
    }
    let session = app.session().unwrap();
    assert_eq!((session.world().frame().0, session.selected()), (75, None));
    type_text(&mut app, "3\n");
    assert!(shown_message(&app).starts_with("bomb.body.mass: "), "{}", shown_message(&app));
    let Some(values) = app.map().popup::<ValueList>() else { panic!("no list of values") };
    assert!(values.editor().is_none());
    let present = values.selected_tunable().map(TunableValue::present);
    assert_eq!(present.as_deref(), Some("3"));
}

#[test]
fn a_reload_that_removes_the_driven_agent_ends_manual_control() {
    let mut app = paused_at(0);
    command(&mut app, "select thief");
    type_text(&mut app, "i");
    assert_eq!(app.driven(), Some(AgentId(1)));
    remove_thief(&mut app);
    assert_eq!(app.driven(), None);
    // The run continues without the agent.
    press(&mut app, &[Key::Char('.'), Key::Right, Key::Char('.')]);
    type_text(&mut app, " ");
    app.pass(Duration::from_millis(200), || true);
    dump(&app);
}
