//! Making maps, agents and patterns. Each task takes at most 12 actions: a key, a click, a drag, or one typed
//! line of at most 40 characters with its Enter. The comments count them.

use std::process::Command;

use crate::support::pty::Session;
use crate::support::temp_folder::TempFolder;

/// Starts the program in a directory.
fn start_in(folder: &TempFolder, arguments: &str, variables: &[(&str, &str)]) -> Session {
    let line = format!(
        "cd {} && exec {} {arguments}",
        folder.path_text(""),
        env!("CARGO_BIN_EXE_tilewalk")
    );
    Session::start_program("/bin/sh", &["-c", &line], variables, (120, 40))
}

/// Returns the exit code of `tilewalk check` for a file.
fn check(file: &str) -> Option<i32> {
    let status = Command::new(env!("CARGO_BIN_EXE_tilewalk")).args(["check", file]).output();
    status.expect("binary runs").status.code()
}

/// Returns the cell of a tile of the map view. `corner` is the cell of the tile (0, 0), and tiles are two cells
/// wide.
fn cell(corner: (u16, u16), (x, y): (u16, u16)) -> (u16, u16) {
    (corner.0 + 2 * x, corner.1 + y)
}

/// Returns the cell of the first wall on the screen, which is the tile (0, 0).
fn corner(session: &Session) -> (u16, u16) {
    session.position_of("##########")
}

#[test]
fn a_new_map_with_two_agents_and_a_wall() {
    let folder = TempFolder::new();
    let mut session = start_in(&folder, "", &[]);
    session.wait_for("choose a map");
    session.command("new yard"); // 1
    session.wait_for("╭ paint");
    session.wait_for("new map yard.toml");
    let corner = corner(&session);
    session.send("t"); // 2
    session.wait_for("tool: line");
    session.click(0, cell(corner, (8, 4))); // 3
    session.click(0, cell(corner, (8, 9))); // 4
    session.wait_for("paint wall on 6 tiles");
    session.command("add-agent guard 4,3"); // 5
    session.wait_for("add agent guard");
    session.command("add-agent thief 20,9"); // 6
    session.wait_for("add agent thief");
    session.send("w"); // 7
    session.wait_for("wrote 3 edits to yard.toml");
    session.quit();
    let text = folder.read("yard.toml");
    let agents = "\n[[agent]]\nname = \"guard\"\nat   = [4, 3]\n\n[[agent]]\nname = \"thief\"\nat   = [20, 9]\n";
    assert!(text.ends_with(&format!("'''\n{agents}")), "{text}");
    assert_eq!(text.matches("#.......#").count(), 6, "{text}");
    assert_eq!(check(&folder.path_text("yard.toml")), Some(0));
    // The file is not overwritten, and the gallery lists it first.
    let mut session = start_in(&folder, "", &[]);
    session.wait_for("▸ yard  yard.toml");
    session.command("new yard");
    session.wait_for("yard.toml already exists; nothing was written");
    session.escape("already exists");
    session.quit();
}

/// A map with two standing agents.
const YARD: &str = "\
tiles = '''
########################
#......................#
#......................#
#......................#
#......................#
#......................#
########################
'''

[[agent]]
name = \"guard\"
at   = [2, 1]

[[agent]]
name = \"thief\"
at   = [20, 4]
";

#[test]
fn a_path_and_a_matrix_are_drawn_and_attached() {
    let folder = TempFolder::new();
    folder.write("yard.toml", YARD);
    let mut session = start_in(&folder, "yard.toml", &[]);
    session.pause();
    session.send("r");
    session.wait_for_frame(0);
    let corner = corner(&session);
    session.command("draw-path round"); // 1
    session.wait_for("round (new path)");
    session.click(0, cell(corner, (2, 1))); // 2
    session.wait_for("1 vertex");
    session.click(0, cell(corner, (12, 1))); // 3
    session.wait_for("2 vertices");
    session.send("w"); // 4
    session.wait_for(":attach round");
    session.send("\r"); // 5
    session.wait_for("attach round to guard");
    session.command("select thief"); // 6
    session.wait_for("▸ T thief");
    session.command("draw-matrix swamp"); // 7
    session.wait_for("matrix swamp");
    session.drag(cell(corner, (18, 4)), cell(corner, (21, 4))); // 8
    session.wait_for("paint 4 cells of matrix swamp");
    session.send("\u{1b}"); // 9
    session.wait_for(":attach swamp");
    session.send("\r"); // 10
    session.wait_for("attach swamp to thief");
    session.send("w"); // 11
    session.wait_for("wrote 5 edits to yard.toml and round.toml and swamp.toml");
    session.wait_for("matrix   4 tiles, 8 directions");
    session.quit();
    let text = folder.read("yard.toml");
    assert!(text.contains("at   = [2, 1]\npattern = \"round\"\n"), "{text}");
    assert!(text.contains("at   = [20, 4]\npattern = \"swamp\"\n"), "{text}");
    assert!(folder.read("round.toml").contains("vertices = [[2, 1], [12, 1]]"));
    assert!(folder.read("swamp.toml").contains("..................1111"));
    for file in ["yard.toml", "round.toml", "swamp.toml"] {
        assert_eq!(check(&folder.path_text(file)), Some(0), "{file}");
    }
}

#[test]
fn a_pattern_beside_those_of_the_map_can_be_set_and_attached() {
    let folder = TempFolder::castle();
    folder.write("patterns/beat.toml", "kind = \"path\"\nvertices = [[0, 0], [6, 0]]\n");
    let map = folder.path_text("maps/castle.toml");
    let mut session = Session::paused(&map, (120, 40));
    session.command("set guard.patrol.pattern=castle_rund");
    session.wait_for("unknown pattern `castle_rund`: did you mean `castle_round`?");
    session.escape("castle_rund`: did");
    session.command("set guard.patrol.pattern=\"beat\"");
    session.wait_for("guard.patrol.pattern: \"castle_round\" → \"beat\"");
    session.send("w");
    session.wait_for("wrote 1 value to");
    session.quit();
    assert!(folder.read("maps/castle.toml").contains("pattern = \"beat\""));
    assert_eq!(check(&map), Some(0));
}

#[test]
fn an_agent_is_copied_renamed_and_removed() {
    let folder = TempFolder::castle();
    let before = folder.read("maps/castle.toml");
    let map = folder.path_text("maps/castle.toml");
    let mut session = Session::paused(&map, (120, 40));
    session.send("r");
    session.wait_for_frame(0);
    session.command("copy-agent sentry 14,1");
    session.wait_for("add agent sentry");
    session.wait_for("╭ sentry ─");
    session.command("rename-agent watchman");
    session.wait_for("rename sentry to watchman");
    session.wait_for("╭ watchman ─");
    // The guard chases the thief.
    session.command("remove-agent thief");
    session.wait_for("remove agent thief: unknown");
    session.escape("remove agent thief: unknown");
    session.command("remove-agent watchman");
    session.wait_for("remove agent watchman");
    session.send("uuu");
    session.wait_for("undid add agent sentry");
    session.wait_until_gone("unsaved");
    session.send("w");
    session.wait_for("nothing to write");
    session.quit();
    assert_eq!(folder.read("maps/castle.toml"), before);
}

#[test]
fn separation_is_tuned_compared_undone_and_saved() {
    let folder = TempFolder::with(&["maps/flock.toml"]);
    let before = folder.read("maps/flock.toml");
    let mut session = Session::paused(&folder.path_text("maps/flock.toml"), (120, 40));
    session.go_to(60); // 1
    session.go_to(40); // 2
    session.send("x"); // 3
    session.wait_for("values of boid");
    session.send("sep"); // 4: a typed text
    session.wait_for("▸ steer.separation.radius");
    session.send(" weight");
    session.wait_for("▸ steer.separation.weight");
    // The force breakdown stays visible.
    session.wait_for("separation ");
    session.wait_for("╭ boid.1 ─");
    session.send("+"); // 5
    session.wait_for("boid.steer.1.weight: ");
    session.wait_for("was ");
    session.send("+"); // 6
    session.wait_for("from frame 42 on");
    session.send("\u{1b}"); // 7
    session.wait_until_gone("values of boid");
    session.wait_for("ghost: run 1");
    session.send("u"); // 8
    session.wait_for("as if never made");
    session.send("w"); // 9
    session.wait_for("wrote 1 value to");
    session.quit();
    let after = folder.read("maps/flock.toml");
    let changed = before.lines().zip(after.lines()).filter(|(before, after)| before != after);
    assert_eq!(changed.count(), 1, "{after}");
}

#[test]
fn a_broken_pattern_is_fixed_from_the_problem_list() {
    let folder = TempFolder::castle();
    let before = folder.read("patterns/castle_round.toml");
    let editor = folder.script("vi", "sed -i \"${1#+}s/vertice /vertices/\" \"$2\"");
    let map = folder.path_text("maps/castle.toml");
    let mut session = Session::start_with(&[&map], &[("VISUAL", &editor)], (120, 40));
    session.pause();
    folder.replace("patterns/castle_round.toml", "vertices", "vertice ");
    session.wait_for("did you mean `vertices`? unknown key `vertice`");
    session.send("D"); // 1
    session.wait_for("╭ 1 error ─");
    session.send("\r"); // 2
    session.wait_for("fixed: the files match the running map again");
    session.wait_until_gone("did you mean");
    session.quit();
    assert_eq!(folder.read("patterns/castle_round.toml"), before);
}

#[test]
fn the_gallery_lists_own_maps_newest_first_and_marks_errors() {
    let folder = TempFolder::new();
    folder.write("old.toml", YARD);
    folder.write("maps/broken.toml", &YARD.replace("at   = [2, 1]", "at   = [0, 0]"));
    let session = start_in(&folder, "", &[]);
    session.wait_for("✗ broken  maps/broken.toml");
    session.wait_for("  old  old.toml");
    let rows = |text: &str| session.position_of(text).1;
    assert!(rows("broken  maps") < rows("old  old.toml"));
    assert!(rows("old  old.toml") < rows("Castle: patrol"));
    session.wait_for("error: ");
    session.quit();
    // `tilewalk DIR` lists the maps of a directory.
    let mut session = Session::start_with(&[&folder.path_text("")], &[], (120, 40));
    session.wait_for("✗ broken");
    session.send("j\r");
    session.wait_for("playing");
    session.quit();
}
