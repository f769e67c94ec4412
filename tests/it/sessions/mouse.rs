//! The mouse: selecting, panning, dragging agents, tile menus, and turning mouse capture on and off.

use crate::support::pty::Session;
use crate::support::temp_folder::TempFolder;

/// Opens the castle at frame 100 on a wide screen, where a tile is two cells wide.
fn castle() -> Session {
    let mut session = Session::paused("maps/castle.toml", (120, 40));
    session.go_to(100);
    session
}

/// Returns the screen cell of a tile of the castle.
fn cell_of(session: &Session, tile: (i32, i32)) -> (u16, u16) {
    let (x, y) = session.position_of("########· · T · · T");
    // The text is the part of the map that begins at tile (0, 3).
    ((i32::from(x) + tile.0 * 2) as u16, (i32::from(y) + tile.1 - 3) as u16)
}

#[test]
fn a_click_selects_an_agent_in_the_table_or_an_inspector_page() {
    let mut session = castle();
    let thief = session.position_of("  t thief ");
    session.click(0, (thief.0 + 4, thief.1));
    session.wait_for("╭ thief ─");
    let page = session.position_of(" modes ");
    session.click(0, (page.0 + 2, page.1));
    session.wait_for("[modes]");
    session.wait_for("guard.mode ==");
    let guard = session.position_of("  G guard ");
    session.click(0, (guard.0 + 4, guard.1));
    session.wait_for("╭ guard ─");
    session.wait_for("[modes]");
    session.quit();
}

#[test]
fn a_click_on_a_tile_shows_its_properties() {
    let mut session = castle();
    let gate = cell_of(&session, (11, 4));
    session.click(0, gate);
    session.wait_for("╭ tile (11, 4)");
    session.wait_for("door");
    session.click(0, cell_of(&session, (12, 2)));
    session.wait_for("╭ tile (12, 2)");
    session.wait_for("ground   walkable  transparent");
    session.click(0, cell_of(&session, (14, 2)));
    session.wait_for("╭ tile (14, 2)");
    session.wait_for("wall");
    session.escape("╭ tile");
    session.wait_for("╭ guard ─");
    session.quit();
}

#[test]
fn the_tile_menu_sets_a_breakpoint_on_the_arrival_of_an_agent() {
    let mut session = castle();
    session.send("r");
    session.wait_for_frame(0);
    let cell = cell_of(&session, (20, 1));
    session.click(2, cell);
    session.wait_for("╭ tile (20, 1)");
    session.wait_for("▸ inspect tile");
    let item = session.position_of("break when guard comes here");
    session.click(0, item);
    session.wait_until_gone("inspect tile");
    session.send("c");
    session.wait_for("● frame 35: breakpoint 1: in(guard, [20, 1, 20, 1])");
    session.wait_for("on tile (20, 1)");
    session.quit();
}

#[test]
fn the_tile_menu_selects_the_agent_on_the_tile_and_escape_closes_the_menu() {
    let mut session = castle();
    session.send("r");
    session.wait_for_frame(0);
    session.send("\t");
    session.wait_for("╭ thief ─");
    session.click(2, cell_of(&session, (13, 1)));
    session.wait_for("▸ select guard");
    session.send("\r");
    session.wait_for("╭ guard ─");
    session.click(2, cell_of(&session, (2, 4)));
    session.wait_for("▸ select thief");
    session.escape("select thief");
    session.wait_for("╭ guard ─");
    session.quit();
}

#[test]
fn dragging_an_agent_while_paused_moves_it_and_shows_the_old_run_as_ghost() {
    let mut session = castle();
    session.send("\t");
    session.wait_for("╭ thief ─");
    session.command("goto 30");
    session.wait_for("on tile (2, 4)");
    session.drag(cell_of(&session, (2, 4)), cell_of(&session, (8, 4)));
    session.wait_for("thief moved to (8, 4)");
    session.wait_for("on tile (8, 4)");
    session.send(".");
    session.wait_for("ghost: run 1");
    // A move to a tile where the body does not fit is refused.
    session.drag(cell_of(&session, (8, 4)), cell_of(&session, (14, 2)));
    session.wait_for("cannot move thief to (14, 2): the body does not fit");
    session.wait_for("on tile (8, 4)");
    // Before the frame of the move, the thief is still on its old tile.
    session.go_to(29);
    session.wait_for("on tile (2, 4)");
    session.quit();
}

#[test]
fn dragging_the_floor_pans_the_map_and_fit_shows_the_whole_map_again() {
    let mut session = Session::paused("maps/castle.toml", (80, 24));
    session.send("z");
    session.wait_for(" of 35×10");
    let title = |screen: &str| screen.lines().next().unwrap_or_default().to_owned();
    let before = title(&session.screen());
    session.drag((40, 5), (20, 5));
    session
        .wait_until("another part", |screen| title(screen) != before && screen.contains(" to ("));
    session.drag((20, 5), (40, 5));
    session.wait_until("the same part", |screen| title(screen) == before);
    session.send("F");
    session.wait_until("the whole map", |screen| screen.contains("35×10"));
    session.quit();
}

#[test]
fn the_wheel_scrolls_the_pane_under_the_pointer() {
    let mut session = Session::paused("maps/flock.toml", (80, 24));
    let table = session.position_of("boid.3 ");
    let wheel = |at: (u16, u16), down: bool| {
        format!("\u{1b}[<{};{};{}M", if down { 65 } else { 64 }, at.0 + 1, at.1 + 1)
    };
    // In the table, the wheel changes the selected agent.
    session.send(&wheel(table, true).repeat(3));
    session.wait_for("╭ boid.4 ─");
    session.send(&wheel(table, false));
    session.wait_for("╭ boid.3 ─");
    // In the inspector, the wheel scrolls the text.
    let first = session.position_of("│ at ");
    session.send(&wheel((first.0 + 4, first.1 + 2), true).repeat(2));
    session.wait_until_gone("│ at ");
    session.send(&wheel((first.0 + 4, first.1 + 2), false).repeat(4));
    session.wait_for("│ at ");
    session.quit();
}

#[test]
fn a_click_selects_a_gallery_map_and_another_click_opens_it() {
    let mut session = Session::start_with(&[], &[], (120, 40));
    session.wait_for("choose a map");
    // The first map of the gallery is selected, so the first click on another map selects that map.
    let second = session.position_of("Rectangle: a closed patrol");
    session.click(0, second);
    session.wait_for("a guard walks around a rectangle");
    session.click(0, second);
    session.wait_for("playing");
    session.wait_for("╭ Rectangle: a closed patrol");
    session.quit();
}

#[test]
fn mouse_capture_is_set_by_the_configuration_and_toggled_by_its_key() {
    let folder = TempFolder::new();
    let config = folder.write("config.toml", "mouse = false\n");
    let mut session = Session::start(&["maps/castle.toml", "--config", &config]);
    session.pause();
    assert!(!session.raw().contains("[?1002h"), "mouse capture is requested");
    session.send("m");
    session.wait_for("mouse capture on");
    assert!(session.raw().contains("[?1002h"), "mouse capture is not requested");
    session.send("m");
    session.wait_for("mouse capture off");
    assert!(session.raw().is_last("[?1002l", "[?1002h"));
    session.quit();
}

/// Compares the last positions of two escape sequences in an output.
trait LastOf {
    /// Returns true if `sequence` occurs after the last `other`.
    fn is_last(&self, sequence: &str, other: &str) -> bool;
}

impl LastOf for String {
    fn is_last(&self, sequence: &str, other: &str) -> bool {
        self.rfind(sequence) > self.rfind(other)
    }
}

#[test]
fn a_click_on_a_weight_edits_it_and_a_click_in_the_list_selects_a_value() {
    let mut session = Session::paused("maps/flock.toml", (120, 40));
    session.go_to(10);
    let row = session.position_of("2 alignment");
    session.click(0, (row.0 + 3, row.1));
    session.wait_for("values of boid");
    session.wait_for("= [2]");
    session.send("3\r");
    session.wait_for("boid.steer.2.weight: 2 → 3 from frame 11 on");
    let other = session.position_of("steer.alignment.radius");
    session.click(0, other);
    session.wait_for("▸ steer.alignment.radius");
    let other = session.position_of("▸ steer.alignment.radius");
    session.click(0, (other.0 + 4, other.1));
    session.wait_for("Enter apply");
    session.send("abc\r");
    session.wait_for("`radius` must be a number");
    session.escape("must be a number");
    session.escape("values of boid");
    session.send("q");
    session.wait_for("q again leaves");
    session.quit();
}
