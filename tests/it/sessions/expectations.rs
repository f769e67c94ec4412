//! A session with an expectation that is violated, and met after a change to the map.

use crate::support::pty::Session;
use crate::support::temp_folder::TempFolder;

const MAP: &str = r#"
tiles = '''
..........
'''
[[agent]]
name = "dog"
at = [9, 0]
[[agent]]
name = "cat"
at = [0, 0]
pace = 4
travel = [8, 0]
[[expect]]
name = "the cat stays near"
never = 'cat.tile_x > 5'
within = 3.0
"#;

#[test]
fn a_violated_expectation_is_inspected_and_met_after_a_fix() {
    let folder = TempFolder::new();
    let map = folder.write("maps/cat.toml", MAP);
    let mut session = Session::paused(&map, (200, 60));
    session.go_to(70);
    session.send("\t");
    session.wait_for("0 of 1 expectation met, 1 violated at frame 24");
    session.send("E");
    session.wait_for("✗ fail");
    session.send("\r");
    session.wait_for_frame(24);
    session.wait_for("the cat stays near: `cat.tile_x > 5` held");
    session.go_to(70);

    // The map is saved with a slower cat, which starts a new run.
    folder.replace("maps/cat.toml", "pace = 4", "pace = 20");
    session.wait_for("run 2 first differs");
    session.send("\t");
    session.wait_for("1 of 1 expectation met");
    session.send("E");
    session.wait_for("✓ pass");

    // An expectation file is created and then changed, while the list stays open.
    folder.write(
        "maps/cat.expect.toml",
        "[[expect]]\nname = 'the dog runs'\neventually = 'dog.tile_x < 9'\nwithin = 2.0\n",
    );
    session.wait_for("the dog runs");
    session.wait_for("1 of 2 expectations met, 1 violated at frame 40");
    folder.replace("maps/cat.expect.toml", "dog.tile_x < 9", "dog.tile_x <= 9");
    session.wait_for("2 of 2 expectations met");
    session.escape("the dog runs");
    session.quit();
}
