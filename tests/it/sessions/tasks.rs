//! Whole tasks, from opening a map to changing its file.

use std::process::Command;

use crate::support::pty::{Session, frame_on};
use crate::support::temp_folder::TempFolder;

/// Returns the exit code of `tilewalk check` for a file.
fn check(file: &str) -> Option<i32> {
    let status = Command::new(env!("CARGO_BIN_EXE_tilewalk")).args(["check", file]).output();
    status.expect("binary runs").status.code()
}

#[test]
fn a_user_finds_why_the_guard_is_blocked_and_fixes_the_map() {
    // A solid cart stands on the guard's path.
    let folder = TempFolder::castle();
    let cart = "[[agent]]\nname = \"cart\"\nat = [20, 1]\nbody = { solid = true }\n\n";
    folder.replace(
        "maps/castle.toml",
        "[[agent]]\nname  = \"thief\"",
        &format!("{cart}[[agent]]\nname  = \"thief\""),
    );
    let editor = folder.script("vi", "sed -i 's/at = \\[20, 1\\]/at = [20, 2]/' \"$2\"");
    let map = folder.path_text("maps/castle.toml");
    let mut session = Session::start_with(&[&map], &[("VISUAL", &editor)], (120, 40));
    session.pause();
    session.go_to(60);
    // The guard is blocked, and the inspector names the cart.
    session.wait_for("(19.500, 1.500)");
    session.wait_for("blocked");
    session.wait_for("cart");
    // Go to the previous event, the frame at which the guard was blocked.
    session.send("[");
    session.wait_until("the frame at which the guard was blocked", |screen| {
        frame_on(screen).is_some_and(|frame| frame < 60)
    });
    session.wait_for("35  blocked: occupied by cart");
    // Select the cart with a search, and open its position in the file.
    session.send("/cart\r");
    session.wait_for("╭ cart ─");
    session.wait_for("on tile (20, 1)");
    session.send("e");
    session.wait_for("run 2");
    session.wait_for("on tile (20, 2)");
    session.send("/guard\r");
    session.wait_for("╭ guard ─");
    session.go_to(80);
    session.wait_until("the guard past the cart", |screen| screen.contains("on tile (29, 1)"));
    session.quit();
    assert_eq!(check(&map), Some(0));
    assert!(folder.read("maps/castle.toml").contains("at = [20, 2]"));
}

#[test]
fn a_flock_is_tuned_in_the_value_list_and_written_to_its_file() {
    let folder = TempFolder::with(&["maps/flock.toml"]);
    let before = folder.read("maps/flock.toml");
    let map = folder.path_text("maps/flock.toml");
    let mut session = Session::paused(&map, (120, 40));
    session.go_to(40);
    session.send("x");
    session.wait_for("values of boid");
    session.send("steer.2.weight");
    session.wait_for("▸ steer.alignment.weight");
    session.send("\r");
    session.wait_for("= [2]");
    session.send("0.5\r");
    session.wait_for("boid.steer.2.weight: 2 → 0.5 from frame 41 on");
    // A number outside its range is an error, and changes nothing.
    session.send("\r");
    session.wait_for("= [0.5]");
    session.send("\u{15}-3\r");
    session.wait_for("must be between 0 and 1000000");
    session.escape("= -3");
    session.escape("values of boid");
    session.go_to(60);
    session.send("w");
    session.wait_for("wrote 1 value to");
    session.quit();
    let after = folder.read("maps/flock.toml");
    assert_eq!(after, before.replace("alignment\", weight = 2", "alignment\", weight = 0.5"));
    assert_eq!(check(&map), Some(0));
}

#[test]
fn a_breakpoint_finds_the_frame_where_agents_meet_and_v_compares_them() {
    let mut session = Session::paused("maps/castle.toml", (120, 40));
    session.send("r");
    session.wait_for_frame(0);
    session.command("break distance(guard, thief) < 3");
    session.wait_for("c: next hit");
    session.send("c");
    session.wait_for_frame(154);
    session.wait_for("● frame 154: breakpoint 1");
    session.wait_for("distance(thief) < 1.5: 2.83");
    // No earlier frame is a hit.
    session.send(",");
    session.wait_for_frame(153);
    session.wait_until("no hit", |screen| !screen.contains("● frame 153"));
    session.send("C");
    session.wait_for("no breakpoint hit before frame 153");
    session.send(".");
    session.wait_for("● frame 154");
    // Compare both agents on two pages of the inspector.
    session.send("v\t");
    session.wait_for("╭ thief ≠ guard ─");
    session.wait_for("≠ chase");
    session.wait_for("travels  to den on (2, 4) ≠");
    session.send("2");
    session.wait_for("[body]");
    session.wait_for("╭ thief ≠ guard ─");
    session.send("v");
    session.wait_for("╭ thief ─");
    session.quit();
}

#[test]
fn bookmarks_are_set_named_listed_visited_and_deleted() {
    let mut session = Session::paused("maps/matrix.toml", (120, 40));
    session.go_to(50);
    session.send("M");
    session.wait_for("bookmark 1 at frame 50");
    session.go_to(120);
    session.command("mark the long way");
    session.wait_for("the long way");
    session.send("'");
    session.wait_for("no later bookmark");
    session.send("\"");
    session.wait_for_frame(50);
    session.send("'");
    session.wait_for_frame(120);
    session.command("markers");
    session.wait_for("╭ bookmarks");
    session.send("k");
    session.wait_until("the first one", |screen| screen.contains("▸ ◆       50"));
    session.send("\r");
    session.wait_for_frame(50);
    session.wait_until_gone("╭ bookmarks");
    // The timeline shows two bookmarks. Then one is deleted.
    let shows_bookmarks = |count| move |screen: &str| screen.matches('◆').count() == count;
    session.go_to(80);
    session.wait_until("two bookmarks", shows_bookmarks(2));
    session.command("markers");
    session.wait_for("╭ bookmarks");
    session.wait_for("▸ ◆       50");
    session.send("d");
    session.wait_for("bookmark 1 at frame 50 deleted");
    session.escape("╭ bookmarks");
    session.wait_until("one bookmark", shows_bookmarks(1));
    session.quit();
}

#[test]
fn a_frame_saved_as_a_map_has_the_agents_on_the_same_tiles() {
    let folder = TempFolder::castle();
    let mut session = Session::paused(&folder.path_text("maps/castle.toml"), (120, 40));
    session.go_to(150);
    session.command(&format!("save {}", folder.path_text("seen.txt")));
    session.wait_for("wrote ");
    session.command(&format!("save-map {}", folder.path_text("maps/moment.toml")));
    session.wait_for("moment.toml");
    let (guard, thief) = (tile_of(&session.screen(), "guard"), tile_of(&session.screen(), "thief"));
    session.quit();
    // The saved text file contains the screen.
    let seen = folder.read("seen.txt");
    assert!(seen.contains("frame 150") && seen.contains("╭ guard ─"), "{seen}");
    assert_eq!(check(&folder.path_text("maps/moment.toml")), Some(0));
    let mut session = Session::paused(&folder.path_text("maps/moment.toml"), (120, 40));
    session.send("r");
    session.wait_for_frame(0);
    assert_eq!(tile_of(&session.screen(), "guard"), guard);
    assert_eq!(tile_of(&session.screen(), "thief"), thief);
    session.quit();
}

/// Returns the column `tile` of an agent's row in the agent table.
fn tile_of(screen: &str, name: &str) -> String {
    let row = |line: &&str| line.contains(&format!(" {name} "));
    let table = screen.split("╭ agents").nth(1).expect("a table");
    let line = table.lines().find(row).unwrap_or_else(|| panic!("no {name} in\n{screen}"));
    let tile = |word: &&str| word.split_once(',').is_some_and(|(x, _)| x.parse::<u32>().is_ok());
    line.split_whitespace().find(tile).expect("a tile").to_owned()
}

#[test]
fn heat_maps_of_an_agent_a_group_and_all_agents_are_shown() {
    let mut session = Session::paused("maps/wanderers.toml", (120, 40));
    session.send("r");
    session.wait_for_frame(0);
    session.send("H");
    session.wait_for("heat map: w.1, max 1");
    session.send("H");
    session.wait_for("heat map: w, max 1");
    session.go_to(2000);
    session.wait_until("many visits of the group", |screen| max_visits(screen) > 20);
    let group = max_visits(&session.screen());
    session.send("H");
    session.wait_for("heat map: all, max");
    // All agents are in one group, so the maximum is at least that of the group. The earlier count
    // may have been incomplete.
    session.wait_until("no fewer visits", |screen| max_visits(screen) >= group);
    session.command("select w.3");
    session.wait_for("╭ w.3 ─");
    session.send("HH");
    session.wait_for("heat map: w.3, max");
    session.wait_until("fewer visits than the whole group", |screen| {
        (1..group).contains(&max_visits(screen))
    });
    session.quit();
}

/// Returns the maximum number of visits, which the title of the map pane shows.
fn max_visits(screen: &str) -> u32 {
    let rest = screen.split(", max ").nth(1).unwrap_or_default();
    rest.chars().take_while(char::is_ascii_digit).collect::<String>().parse().unwrap_or(0)
}

#[test]
fn a_comparison_with_another_seed_shows_the_first_difference() {
    let mut session = Session::paused("maps/castle.toml", (120, 40));
    session.go_to(200);
    session.command("diff seed 3");
    session.wait_for("first difference: frame ");
    let difference = session.frame();
    assert!(difference > 0, "{}", session.screen());
    session.wait_for("thief, mode");
    session.send(",");
    session.wait_for_frame(difference - 1);
    session.send(".");
    session.command("diff");
    session.wait_until_gone("vs maps/castle.toml (seed 3)");
    session.quit();
}

#[test]
fn watchpoints_and_the_command_last_find_changes_of_a_value() {
    let mut session = Session::paused("maps/castle.toml", (120, 40));
    session.go_to(200);
    session.command("watch guard.mode");
    session.wait_for("guard.mode");
    session.command("last guard.mode");
    session.wait_for("frame 197: guard.mode: search → chase");
    session.send("C");
    session.wait_for("frame 188: watchpoint 1: guard.mode: chase → search");
    session.send("C");
    session.wait_for("frame 146: watchpoint 1: guard.mode: patrol → chase");
    session.send("cc");
    session.wait_for("frame 197: watchpoint 1: guard.mode: search → chase");
    session.send("B");
    session.wait_for("guard.mode");
    session.send("d");
    session.wait_for("watchpoint deleted: guard.mode");
    session.escape("Enter go to");
    session.send("C");
    session.wait_for("no active breakpoint");
    session.quit();
}
