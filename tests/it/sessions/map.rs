//! Zoom, minimap and heat map in the real program.

use crate::support::pty::Session;

#[test]
fn keys_and_the_wheel_zoom_from_dots_to_large_tiles() {
    let mut session = Session::start(&["maps/castle.toml"]);
    session.wait_for("playing");
    session.send(" z");
    session.wait_for("zoom 4×2");
    session.send("z");
    session.wait_for("zoom 8×4");
    session.send("ZZZZ");
    session.wait_for("1×2 tiles/cell");
    session.wait_for("█");
    session.send("Z");
    session.wait_for("2×4 tiles/cell");
    session.wait_for("⡇");
    // The wheel zooms as well, around the cell under the pointer.
    session.send("\u{1b}[<64;40;5M");
    session.wait_for("1×2 tiles/cell");
    session.send("\u{1b}[<65;40;5M");
    session.wait_for("2×4 tiles/cell");
    session.send("q");
    assert_eq!(session.wait_for_end(), 0);
    session.assert_restored();
}

#[test]
fn a_click_on_the_minimap_pans_the_map_to_the_clicked_place() {
    let mut session = Session::start_with(&["maps/big.toml"], &[], (120, 40));
    session.wait_for("playing");
    session.send(" :fit\r");
    session.wait_for("tiles/cell");
    session.send("zzzz");
    session.wait_until("a part of the map", |screen| screen.contains("of 220×110"));
    session.send("Z");
    // The minimap is in the upper right corner of the map pane, which is 72 columns wide.
    session.send("\u{1b}[<0;70;4M\u{1b}[<0;70;4m");
    session.wait_until("the right edge", |screen| screen.contains(" to (219, "));
    session.send(":quit\r");
    assert_eq!(session.wait_for_end(), 0);
}

#[test]
fn the_heat_map_counts_visits_up_to_the_current_frame() {
    let mut session = Session::start_with(&["maps/matrix.toml"], &[], (200, 60));
    session.wait_for("playing");
    session.send(" :restart\r");
    session.wait_for("restarted at frame 0");
    session.send("H");
    session.wait_for("heat map: ogre, max 1");
    session.send(":goto 3000\r");
    session.wait_for("frame 3000 ");
    session.wait_until("more than a few visits", |screen| {
        let max = screen.split("heat map: ogre, max ").nth(1);
        let digits = max.map(|rest| rest.chars().take_while(char::is_ascii_digit).count());
        digits.is_some_and(|digits| digits >= 2)
    });
    session.send(":first\r");
    session.wait_for("heat map: ogre, max 1 ");
    session.send("HHH");
    session.wait_until("no visits", |screen| !screen.contains("heat map: "));
    session.send("q");
    assert_eq!(session.wait_for_end(), 0);
    session.assert_restored();
}
