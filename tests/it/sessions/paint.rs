//! Sessions that edit maps and patterns on the screen.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::pty::{Session, all_hashes_match};

/// A temporary folder with copies of shipped files.
struct Folder {
    folder: tempfile::TempDir,
}

impl Folder {
    fn new(files: &[&str]) -> Self {
        let folder = tempfile::tempdir().expect("folder is created");
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        for file in files {
            let to = folder.path().join(file);
            fs::create_dir_all(to.parent().expect("path has a parent")).expect("folder is created");
            fs::copy(root.join(file), to).expect("file is copied");
        }
        Self { folder }
    }

    fn castle() -> Self {
        Self::new(&["maps/castle.toml", "patterns/castle_round.toml", "patterns/look_round.toml"])
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).expect("a file")
    }

    fn write(&self, name: &str, text: &str) {
        let temporary = self.path("fresh");
        fs::write(&temporary, text).expect("file is written");
        fs::rename(temporary, self.path(name)).expect("file is renamed");
    }

    /// Opens a map on a screen of 80 × 24, and pauses.
    fn open(&self, map: &str) -> Session {
        let mut session = Session::start(&[&self.path(map).display().to_string()]);
        session.wait_for("playing");
        session.send(" ");
        session.wait_for("paused");
        session
    }
}

/// Drags from one tile of the castle to another with the left button, on a screen of 80 × 24.
fn drag(session: &mut Session, from: (i32, i32), to: (i32, i32)) {
    let at = |(x, y): (i32, i32)| format!("{};{}", 6 + 2 * x, 2 + y);
    let (from, to) = (at(from), at(to));
    session.send(&format!("\u{1b}[<0;{from}M\u{1b}[<32;{to}M\u{1b}[<0;{to}m"));
}

fn click(session: &mut Session, x: i32, y: i32) {
    let at = format!("{};{}", 6 + 2 * x, 2 + y);
    session.send(&format!("\u{1b}[<0;{at}M\u{1b}[<0;{at}m"));
}

/// Returns the status line.
fn status(screen: &str) -> &str {
    screen.lines().rev().nth(1).unwrap_or_default()
}

fn quit(mut session: Session) {
    session.send("q");
    assert_eq!(session.wait_for_end(), 0);
    session.assert_restored();
}

/// Returns the text of a map with another glyph at column `x` and row `y` of its tiles.
fn with_glyph(text: &str, (x, y): (usize, usize), glyph: &str) -> String {
    let begin = text.find("tiles = '''\n").expect("tiles") + "tiles = '''\n".len();
    let row: usize = text[begin..].split_inclusive('\n').take(y).map(str::len).sum();
    let mut text = text.to_owned();
    text.replace_range(begin + row + x..=begin + row + x, glyph);
    text
}

#[test]
fn a_painted_wall_is_undone_redone_and_written() {
    let castle = Folder::castle();
    let before = castle.read("maps/castle.toml");
    let record = castle.path("castle.twr").display().to_string();
    let map = castle.path("maps/castle.toml").display().to_string();
    let mut session = Session::start(&[&map, "--record", &record]);
    session.wait_for("playing");
    session.send(" :goto 100\r");
    session.wait_for("frame 100");
    session.send("p");
    session.wait_for("paint mode (Space: paint");
    session.wait_for("▸ 3 # wall");
    session.wait_for("Esc leave");
    click(&mut session, 20, 1);
    session.wait_for("wall on (20, 1): run 2 first differs from run 1 at frame 3");
    session.wait_for("not written");
    session.wait_for("1 edit not written");
    session.send("j");
    session.wait_until("a difference on the timeline", |screen| screen.contains('≠'));
    assert!(status(&session.screen()).contains("frame 100 "), "{}", session.screen());
    session.send("u");
    session.wait_for("undid paint wall on (20, 1)");
    session.wait_until("nothing unsaved", |screen| !screen.contains("not written"));
    session.send("U");
    session.wait_for("redid paint wall on (20, 1)");
    assert_eq!(castle.read("maps/castle.toml"), before, "the file is already changed");
    session.send("w");
    session.wait_for("wrote 1 edit to");
    session.wait_until("nothing unsaved", |screen| !screen.contains("not written"));
    assert_eq!(castle.read("maps/castle.toml"), with_glyph(&before, (20, 1), "#"));
    session.send("u");
    session.wait_for("undid paint wall on (20, 1)");
    session.send("w");
    session.wait_for("wrote 1 edit to");
    assert_eq!(castle.read("maps/castle.toml"), before);
    // Files that the screen has written itself start no new run.
    session.send(":runs\r");
    session.wait_for("Enter switch");
    session.send("\u{1b}");
    session.wait_for("Space paint");
    session.send("\u{1b}");
    session.wait_for("left paint mode");
    quit(session);
    let verify = Command::new(env!("CARGO_BIN_EXE_tilewalk")).args(["verify", &record]).output();
    let output = String::from_utf8(verify.expect("binary runs").stdout).expect("text");
    assert_eq!(output.lines().count(), 5, "{output}");
    assert!(all_hashes_match(&output), "{output}");
}

#[test]
fn places_and_starts_are_moved_with_keys_and_the_mouse_and_written() {
    let castle = Folder::castle();
    let before = castle.read("maps/castle.toml");
    let mut session = castle.open("maps/castle.toml");
    session.send("p");
    session.wait_for("paint mode");
    // A start and a place are on this tile. `g` picks up one of them, and `g` again the other.
    click(&mut session, 2, 4);
    session.wait_for("wall on (2, 4): `thief` starts on (2, 4)");
    session.send("gg");
    session.wait_for("moving the place den");
    session.send("kg");
    session.wait_for("place den to (2, 3)");
    drag(&mut session, (32, 4), (32, 2));
    session.wait_for("place gold to (32, 2)");
    drag(&mut session, (13, 1), (14, 1));
    session.wait_for("start of guard to (14, 1)");
    session.wait_for("3 edits not written");
    session.send("w");
    session.wait_for("wrote 3 edits to");
    let expected = before.replace("den  = [2, 4]", "den  = [2, 3]");
    let expected = expected.replace("gold = [32, 4]", "gold = [32, 2]");
    let expected = expected.replace("at      = [13, 1]", "at      = [14, 1]");
    assert_eq!(castle.read("maps/castle.toml"), expected);
    session.send("uuu");
    session.wait_for("undid move place den");
    session.send("w");
    session.wait_for("wrote 3 edits to");
    session.wait_until("written", |screen| !screen.contains("not written"));
    assert_eq!(castle.read("maps/castle.toml"), before);
    quit(session);
}

#[test]
fn a_path_is_drawn_by_clicks_and_attached_after_a_reload() {
    let castle = Folder::castle();
    let mut session = castle.open("maps/castle.toml");
    session.send(":draw-path beat\r");
    session.wait_for("path beat");
    click(&mut session, 13, 1);
    session.wait_for("1 vertex");
    click(&mut session, 18, 1);
    session.wait_for("2 vertices");
    click(&mut session, 18, 4);
    session.wait_for("3 vertices");
    session.send("\u{7f}");
    session.wait_for("2 vertices");
    session.send("w");
    session.wait_for(":attach beat");
    session.escape(":attach beat");
    session.wait_for("▸ 3 # wall");
    // Nothing is written before `w`.
    assert!(!castle.path("patterns/beat.toml").exists());
    session.send("w");
    session.wait_for("wrote 1 edit to");
    let text = castle.read("patterns/beat.toml");
    assert!(text.contains("vertices = [[13, 1], [18, 1]]\n"), "{text}");
    let map = castle.read("maps/castle.toml");
    castle.write("maps/castle.toml", &map.replace("\"castle_round\"", "\"beat\""));
    session.wait_for(": castle.toml");
    session.send("\u{1b}");
    session.wait_for("left paint mode");
    session.send(":goto 60\r");
    session.wait_for("frame 60 ");
    session.wait_for("  beat");
    quit(session);
    // An unfinished path can be discarded.
    let mut session = castle.open("maps/castle.toml");
    session.send(":draw-path beat\r");
    session.wait_for("path beat");
    click(&mut session, 15, 4);
    session.wait_for("1 vertex");
    session.send("\u{1b}");
    session.wait_for("the path is not finished");
    session.send("\u{1b}");
    session.wait_for("path discarded");
    quit(session);
}

#[test]
fn the_path_of_the_guard_is_redrawn_written_and_restored() {
    let castle = Folder::castle();
    let before = castle.read("patterns/castle_round.toml");
    let mut session = castle.open("maps/castle.toml");
    session.send(":draw-path\r");
    session.wait_for("path castle_round");
    session.wait_for("1 vertex, closed");
    click(&mut session, 29, 1);
    session.wait_for("2 vertices, closed");
    click(&mut session, 29, 8);
    session.wait_for("3 vertices, closed");
    // A second click on the last vertex finishes the path.
    click(&mut session, 29, 8);
    session.wait_for("redraw path castle_round: ");
    session.send("w");
    session.wait_for("wrote 1 edit to");
    let expected = before.replace(", [0, 7]]", "]");
    assert_eq!(castle.read("patterns/castle_round.toml"), expected);
    session.send("u");
    session.wait_for("undid redraw path castle_round");
    session.send("w");
    session.wait_for("wrote 1 edit to");
    session.wait_until("written", |screen| !screen.contains("not written"));
    assert_eq!(castle.read("patterns/castle_round.toml"), before);
    quit(session);
}

#[test]
fn quitting_warns_of_unsaved_edits_and_writes_nothing() {
    let castle = Folder::castle();
    let before = castle.read("maps/castle.toml");
    let mut session = castle.open("maps/castle.toml");
    session.send("p");
    session.wait_for("paint mode");
    click(&mut session, 13, 1);
    session.wait_for("wall on (13, 1): `guard` starts on (13, 1)");
    drag(&mut session, (20, 4), (22, 4));
    session.wait_for("wall on 3 tiles: ");
    session.send("\u{1b}");
    session.wait_for("left paint mode; 1 edit");
    session.send("q");
    session.wait_for("not written: paint wall on 3 tiles");
    session.send(".");
    session.wait_for("frame 1 ");
    session.send("\u{3}");
    session.wait_for("not written: paint wall on 3 tiles");
    session.send("\u{3}");
    assert_eq!(session.wait_for_end(), 0);
    session.assert_restored();
    assert_eq!(castle.read("maps/castle.toml"), before);
}

#[test]
fn a_painted_built_in_map_is_written_to_a_new_file() {
    let folder = Folder::new(&[]);
    let path = folder.path("mine/castle.toml");
    fs::create_dir(folder.path("mine")).expect("a folder");
    let mut session = Session::start(&[]);
    session.wait_for("choose a map");
    for _ in 0..40 {
        if session.screen().contains("▸ Castle") {
            break;
        }
        session.send("j");
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    session.send("\r");
    session.wait_for("playing");
    session.send(" p");
    session.wait_for("paint mode");
    click(&mut session, 20, 1);
    session.wait_for("wall on (20, 1)");
    session.send("w");
    session.wait_for("built-in maps are read-only; save a copy");
    session.wait_for(":write castle.toml");
    session.send(&format!("\u{15}write {}\r", path.display()));
    session.wait_for("wrote the map to");
    quit(session);
    let shipped =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("maps/castle.toml"));
    assert_eq!(folder.read("mine/castle.toml"), with_glyph(&shipped.expect("a map"), (20, 1), "#"));
    // The pattern of the map is written, too.
    assert!(folder.path("mine/castle_round.toml").exists());
    let check = Command::new(env!("CARGO_BIN_EXE_tilewalk")).arg("check").arg(&path).output();
    assert!(check.expect("binary runs").status.success());
}

#[test]
fn edits_are_kept_and_merged_when_another_program_saves_the_map() {
    let castle = Folder::castle();
    let before = castle.read("maps/castle.toml");
    let mut session = castle.open("maps/castle.toml");
    session.send("p");
    session.wait_for("paint mode");
    click(&mut session, 20, 1);
    session.wait_for("wall on (20, 1): ");
    let theirs = with_glyph(&before, (22, 4), "~").replace("seed   = 42", "seed   = 42 # theirs");
    castle.write("maps/castle.toml", &theirs);
    session.wait_for("run 3 matches run 2 up to frame 0");
    session.wait_for("not written");
    assert_eq!(castle.read("maps/castle.toml"), theirs);
    session.send("w");
    session.wait_for("wrote 1 edit to");
    assert_eq!(castle.read("maps/castle.toml"), with_glyph(&theirs, (20, 1), "#"));
    // If the edits conflict with the saved file, it is neither loaded nor overwritten.
    click(&mut session, 21, 8);
    session.wait_for("wall on (21, 8): ");
    let small = "tiles = '''\n....\n....\n'''\n[[agent]]\nname = \"guard\"\nat = [0, 0]\n";
    castle.write("maps/castle.toml", small);
    session.wait_for("conflict with the saved castle.toml");
    session.send("w");
    session.wait_for("castle.toml has changed on disk since it was read");
    assert_eq!(castle.read("maps/castle.toml"), small);
    session.send("u");
    session.wait_for("undid paint wall on (21, 8)");
    session.send("R");
    session.wait_for("4×2");
    quit(session);
}

#[test]
fn painting_a_tiles_file_changes_it_or_is_refused_with_a_reason() {
    let folder = Folder::new(&[]);
    let agent = "\n[[agent]]\nname = \"a\"\nat = [0, 0]\n";
    let rows = "......\r\n......\r\n...é..\r\n";
    folder
        .write("yard.toml", &format!("tiles_file = \"yard.txt\"\n[legend]\n\"é\" = {{}}\n{agent}"));
    folder.write("real.txt", rows);
    symlink("real.txt", folder.path("yard.txt")).expect("a link");
    folder.write("moving.toml", &format!("tiles_file = \"arena.map\"\n{agent}"));
    folder.write("arena.map", "type octile\nheight 2\nwidth 3\nmap\n...\n...\n");
    let mut session = folder.open("yard.toml");
    session.send("p");
    session.wait_for("paint mode");
    session.send("llljj\rl ");
    session.wait_for("2 edits not written");
    session.send("w");
    session.wait_for("wrote 2 edits to");
    assert_eq!(folder.read("yard.txt"), rows.replace("é..", "##."));
    assert!(fs::symlink_metadata(folder.path("yard.txt")).expect("a link").is_symlink());
    // Writing a read-only file is an error, and the edits are kept.
    fs::set_permissions(folder.path("real.txt"), fs::Permissions::from_mode(0o444)).expect("mode");
    session.send("u");
    session.wait_for("1 edit not written");
    session.send("w");
    session.wait_for("yard.txt is read-only");
    session.wait_for("not written");
    session.send("U");
    session.wait_until("nothing unsaved", |screen| !screen.contains("not written"));
    quit(session);
    let mut session = folder.open("moving.toml");
    session.send("p");
    session.wait_for("arena.map is a MovingAI map");
    session.send("l ");
    session.wait_for("(1, 0): arena.map");
    quit(session);
}

#[test]
fn a_matrix_is_painted_undone_and_written() {
    let folder = Folder::new(&["maps/matrix.toml", "patterns/example_3_11.toml"]);
    let before = folder.read("patterns/example_3_11.toml");
    let mut session = folder.open("maps/matrix.toml");
    session.send(":goto 0\r:draw-matrix\r");
    session.wait_for("matrix example_3_11");
    session.wait_for("(2, 3) floor, start of ogre, allowed");
    session.send("h");
    session.wait_for("(1, 3) floor, closed");
    session.send(" ");
    session.wait_for("1 cell of matrix example_3_11: ");
    session.wait_for("(1, 3) floor, allowed");
    session.send("w");
    session.wait_for("wrote 1 edit to");
    let cells = "cells    = '''\n..\n..\n..\n.1\n'''\n";
    assert_eq!(folder.read("patterns/example_3_11.toml"), format!("{before}{cells}"));
    session.send("2 ");
    session.wait_for("(1, 3) floor, closed");
    session.send("U");
    session.wait_for("nothing to redo");
    session.send("uu");
    session.wait_for("undid paint 1 cell");
    session.send("w");
    session.wait_for("wrote 1 edit to");
    session.wait_until("written", |screen| !screen.contains("not written"));
    assert_eq!(folder.read("patterns/example_3_11.toml"), before);
    quit(session);
}
