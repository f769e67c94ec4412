//! Whole tasks: find why an agent stands still, and when two agents first touch.

use tilewalk::event::EventKind;
use tilewalk::step::step;

use crate::support::maps;
use crate::support::pty::Session;

/// Runs a built-in map until an event satisfies `holds`. Returns the frame and the agent of that event.
fn first_event(map: &str, holds: impl Fn(EventKind) -> bool) -> (u64, String) {
    let mut world = maps::world(map);
    loop {
        step(&mut world);
        if let Some(event) = world.events().iter().find(|event| holds(event.kind)) {
            return (world.frame().0, world.scenario().name(event.agent).to_string());
        }
    }
}

#[test]
fn the_event_log_and_the_inspector_show_why_the_carrier_stands_still() {
    let (blocked, name) = first_event("why_blocked", |kind| matches!(kind, EventKind::Blocked(_)));
    let mut session = Session::start(&["maps/why_blocked.toml"]);
    session.wait_for("playing");
    session.send(" :goto 300\r");
    session.wait_for("reached frame 300");
    // The event log shows which agent was blocked, and when.
    session.send("L/blocked\r");
    session.wait_for("/ blocked");
    session.send("\u{1b}[5~\u{1b}[5~");
    session
        .wait_until("the first blocked event", |screen| screen.contains(&format!("▸{blocked:>8}")));
    session.send("\r");
    session.wait_for(&format!("frame {blocked} "));
    // Escape removes the filter, then closes the log.
    session.send("\u{1b}");
    session.wait_until("all events", |screen| !screen.contains("/ blocked"));
    session.send("\u{1b}");
    // The inspector shows that agent, and what blocks it.
    session.wait_until("the inspector", |screen| screen.contains(&format!("╭ {name} ─")));
    session.wait_for("blocked: ");
    session.send("2");
    session.wait_for("[body]");
    session.wait_for("blocked");
    session.send("4");
    session.wait_for("[pattern]");
    session.send("q");
    assert_eq!(session.wait_for_end(), 0);
    session.assert_restored();
}

#[test]
fn a_breakpoint_and_the_event_log_find_the_first_touch_of_two_agents() {
    let (touched, _) = first_event("crossing", |kind| matches!(kind, EventKind::Overlap(_)));
    // Find the touch with a breakpoint.
    let mut session = Session::start_with(&["maps/crossing.toml"], &[], (120, 40));
    session.wait_for("playing");
    session.send(" r:break event overlap\r");
    session.wait_for("c: next hit");
    session.send("c");
    session.wait_for(&format!("● frame {touched}: breakpoint 1"));
    session.send("M");
    session.wait_for(&format!("bookmark 1 at frame {touched}"));
    session.send(":goto 400\r");
    session.wait_for("reached frame 400");
    // Find it again with the event log, and compare both agents.
    session.send(":log overlap\r");
    session.wait_for("/ overlap");
    session.send(&"\u{1b}[5~".repeat(12));
    session.wait_until("the first touch", |screen| screen.contains(&format!("▸{touched:>8}")));
    session.send("\r\u{1b}");
    session.wait_for(&format!("frame {touched} "));
    session.wait_until("all events", |screen| !screen.contains("/ overlap"));
    session.send("\u{1b}");
    session.wait_until("the map again", |screen| !screen.contains("s agent  f follow"));
    session.send("v");
    session.wait_for("select another agent to compare; v: unpin");
    session.send("\t");
    session.wait_for(" ≠ ");
    session.send(":goto 400\r");
    session.wait_for("frame 400 ");
    session.send("\"");
    session.wait_for(&format!("frame {touched} "));
    session.send("q");
    assert_eq!(session.wait_for_end(), 0);
    session.assert_restored();
}

#[test]
fn pages_and_the_event_log_work_without_colours_and_in_ascii() {
    let mut session =
        Session::start_with(&["maps/castle.toml", "--ascii"], &[("NO_COLOR", "1")], (80, 24));
    session.wait_for("playing");
    session.send(" 5");
    session.wait_for("[modes]");
    session.wait_for("sees(thief)");
    session.send("r..");
    session.wait_for("patrol :2 frames");
    session.send(":goto 300\rL");
    session.wait_for("following");
    assert!(session.screen().is_ascii(), "{}", session.screen());
    session.send("q");
    assert_eq!(session.wait_for_end(), 0);
}
