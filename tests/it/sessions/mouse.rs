//! The mouse: panning, moving agents, menus of tiles, turning capture off.

use crate::support::desk::TempFolder;
use crate::support::pty::Session;

/// The castle at frame 100 of a wide screen, where a tile of the map is two cells wide.
fn castle() -> Session {
    let mut session = Session::paused("maps/castle.toml", (120, 40));
    session.go_to(100);
    session
}

/// The cell of a tile of the castle.
fn cell_of(session: &Session, tile: (i32, i32)) -> (u16, u16) {
    let (x, y) = session.position_of("########· · T · · T");
    // That row is row 3 of the map, and begins in column 0.
    ((i32::from(x) + tile.0 * 2) as u16, (i32::from(y) + tile.1 - 3) as u16)
}

#[test]
fn a_click_on_an_agent_a_row_or_a_page_shows_it() {
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
fn a_clicked_tile_tells_what_it_is_and_who_passes() {
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
fn the_right_button_sets_a_breakpoint_where_somebody_will_come() {
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
fn the_menu_of_a_tile_selects_who_stands_there_and_closes_with_escape() {
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
fn a_paused_agent_is_dragged_to_another_tile_and_the_old_future_is_a_ghost() {
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
    // Where his body does not fit nothing happens.
    session.drag(cell_of(&session, (8, 4)), cell_of(&session, (14, 2)));
    session.wait_for("cannot move thief to (14, 2): the body does not fit");
    session.wait_for("on tile (8, 4)");
    // Back before it was done, he is at home; the file was never touched.
    session.go_to(29);
    session.wait_for("on tile (2, 4)");
    session.quit();
}

#[test]
fn a_drag_on_the_ground_moves_the_map_and_fit_brings_it_back() {
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
fn the_wheel_scrolls_the_pane_under_it() {
    let mut session = Session::paused("maps/flock.toml", (80, 24));
    let table = session.position_of("boid.3 ");
    let wheel = |at: (u16, u16), down: bool| {
        format!("\u{1b}[<{};{};{}M", if down { 65 } else { 64 }, at.0 + 1, at.1 + 1)
    };
    // In the table it goes from agent to agent.
    session.send(&wheel(table, true).repeat(3));
    session.wait_for("╭ boid.4 ─");
    session.send(&wheel(table, false));
    session.wait_for("╭ boid.3 ─");
    // In the inspector it scrolls.
    let first = session.position_of("│ at ");
    session.send(&wheel((first.0 + 4, first.1 + 2), true).repeat(2));
    session.wait_until_gone("│ at ");
    session.send(&wheel((first.0 + 4, first.1 + 2), false).repeat(4));
    session.wait_for("│ at ");
    session.quit();
}

#[test]
fn maps_of_the_gallery_are_chosen_with_the_mouse() {
    let mut session = Session::start_with(&[], &[], (120, 40));
    session.wait_for("choose a map");
    // The gallery selects its first map, so a click on another map selects that map.
    let second = session.position_of("Rectangle: a closed patrol");
    session.click(0, second);
    session.wait_for("a guard walks around a rectangle");
    session.click(0, second);
    session.wait_for("playing");
    session.wait_for("╭ Rectangle: a closed patrol");
    session.quit();
}

#[test]
fn while_the_terminal_has_the_mouse_it_sends_nothing_of_it() {
    let folder = TempFolder::new();
    let config = folder.write("config.toml", "mouse = false\n");
    let mut session = Session::start(&["maps/castle.toml", "--config", &config]);
    session.pause();
    assert!(!session.raw().contains("[?1002h"), "it was not asked for");
    session.send("m");
    session.wait_for("mouse capture on");
    assert!(session.raw().contains("[?1002h"), "now it is");
    session.send("m");
    session.wait_for("mouse capture off");
    assert!(session.raw().ends_with_off("[?1002l", "[?1002h"));
    session.quit();
}

/// Was one of two the last that was sent?
trait Last {
    fn ends_with_off(&self, off: &str, on: &str) -> bool;
}

impl Last for String {
    fn ends_with_off(&self, off: &str, on: &str) -> bool {
        self.rfind(off) > self.rfind(on)
    }
}

#[test]
fn a_click_on_a_weight_changes_it_and_one_in_the_list_marks_another_value() {
    let mut session = Session::paused("maps/flock.toml", (120, 40));
    session.go_to(10);
    let row = session.position_of("2 alignment");
    session.click(0, (row.0 + 3, row.1));
    session.wait_for("values of boid");
    session.wait_for("= [2]");
    session.send("3\r");
    session.wait_for("boid.steer.2.weight: 2 → 3 from frame 11 on");
    let other = session.position_of("steer.2.radius");
    session.click(0, other);
    session.wait_for("▸ steer.2.radius");
    let other = session.position_of("▸ steer.2.radius");
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
