//! The screen while agents appear and leave.

use tilewalk::debugger::session::Session;
use tilewalk::event::{Event, EventKind};
use tilewalk::id::AgentId;
use tilewalk::tui::app::App;
use tilewalk::tui::input::Key;

use crate::support::screen::{
    Look, command, command_error, drawn, dump, frame, go_to, message, press, rows_of, settle,
    shipped, type_text,
};

fn selected(app: &App) -> Option<String> {
    let session = app.session().expect("a map");
    session.selected().map(|id| session.world().name(id).to_string())
}

#[test]
fn a_selected_agent_is_shown_as_absent_only_in_frames_without_it() {
    let mut app = shipped("sortie", (120, 40));
    go_to(&mut app, 45);
    command(&mut app, "select bomb.1");
    assert_eq!(selected(&app).as_deref(), Some("bomb.1"));
    go_to(&mut app, 67);
    assert_eq!(selected(&app), None);
    let screen = dump(&app);
    let expected = ["bomb.1", "not in the world: removed: end of", "its lifetime"];
    assert!(expected.iter().all(|words| screen.contains(words)), "{screen}");
    command(&mut app, "follow");
    assert_eq!(message(&app), "no agent to follow: bomb.1 is not in the world");
    type_text(&mut app, ",");
    assert_eq!((frame(&app), selected(&app).as_deref()), (66, Some("bomb.1")));
    // Another bomb with the same id is not selected.
    let last = 1200;
    for at in (67..last).step_by(50) {
        go_to(&mut app, at);
        assert_eq!(selected(&app), None, "frame {at}");
    }
    assert!(dump(&app).contains("not in the world: it left the"), "{}", dump(&app));
    go_to(&mut app, 45);
    assert_eq!(selected(&app).as_deref(), Some("bomb.1"));
}

#[test]
fn only_agents_in_the_world_are_listed_and_can_be_selected() {
    let mut app = shipped("sortie", (120, 40));
    for at in [0, 20, 45, 60, 200, 300] {
        go_to(&mut app, at);
        let session = app.session().expect("a map");
        let world = session.world();
        let count = world.population();
        let rows = rows_of(&drawn(&app), app.layout().agents);
        let listed = rows.iter().filter(|row| row.contains("steer") || row.contains("steps"));
        assert_eq!(listed.count(), count, "frame {at}: {}", rows.join("\n"));
        let title = format!("of {count}");
        assert!(rows[0].contains(&title), "frame {at}: {}", rows[0]);
        let mut seen = Vec::new();
        for _ in 0..count {
            press(&mut app, &[Key::Tab]);
            seen.extend(selected(&app));
        }
        seen.sort();
        seen.dedup();
        assert_eq!(seen.len(), count, "frame {at}: {seen:?}");
    }
    command(&mut app, "select bomb.999");
    let error = command_error(&app);
    assert!(error.starts_with("bomb.999 is not in the world at frame 300: only "), "{error}");
}

/// Draws the screen in every frame with many overlays and different selected agents.
#[test]
fn every_frame_can_be_drawn_while_agents_spawn_and_leave() {
    let mut app = shipped("sortie", (120, 40));
    for overlay in ["trail", "targets", "events", "heat-map", "minimap", "neighbours", "wander"] {
        command(&mut app, &format!("overlay {overlay}"));
    }
    for at in 0..160 {
        press(&mut app, &[Key::Tab, Key::Char('.')]);
        if at % 7 == 0 {
            type_text(&mut app, "v");
        }
        settle(&mut app);
        dump(&app);
    }
    for _ in 0..60 {
        press(&mut app, &[Key::Tab, Key::Char(',')]);
        dump(&app);
    }
}

#[test]
fn going_to_the_previous_event_skips_other_agents_with_the_same_id() {
    let mut app = shipped("sortie", (120, 40));
    go_to(&mut app, 1200);
    let session = app.session().expect("a map");
    let events: Vec<Event> = session.history().run().events().iter().copied().collect();
    let is_later = |event: &&Event| {
        let is_earlier = |other: &Event| other.agent == event.agent && other.number < event.number;
        matches!(event.kind, EventKind::Spawned { .. }) && events.iter().any(is_earlier)
    };
    let spawned = events.iter().find(is_later).expect("an id that is used again");
    go_to(&mut app, spawned.frame.0);
    let name = app.session().expect("a map").world().name(spawned.agent).to_string();
    command(&mut app, &format!("select {name}"));
    type_text(&mut app, "[");
    let at = spawned.frame;
    assert_eq!(message(&app), format!("no earlier event of {name}; still at frame {at}"));
}

#[test]
fn from_an_absent_agent_the_selection_moves_to_the_next_or_previous_id() {
    let mut app = shipped("sortie", (120, 40));
    let mut tested = 0;
    for at in [67, 80, 100, 130] {
        go_to(&mut app, 45);
        command(&mut app, "select bomb.1");
        let bomb = app.session().and_then(Session::selected).expect("bomb.1");
        go_to(&mut app, at);
        let mut session = app.session().cloned().expect("a map");
        let ids: Vec<AgentId> = session.world().ids().collect();
        assert_eq!(session.selected(), None, "frame {at}");
        let first = ids[0];
        let next = ids.iter().copied().find(|&id| id >= bomb);
        let previous = ids.iter().copied().rfind(|&id| id < bomb);
        tested += usize::from(next.is_some());
        session.select_next(1);
        assert_eq!(session.selected(), next.or(Some(first)), "frame {at}");
        let mut session = app.session().cloned().expect("a map");
        session.select_next(-1);
        assert_eq!(session.selected(), previous.or(ids.last().copied()), "frame {at}");
    }
    assert!(tested > 0);
}
