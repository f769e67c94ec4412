//! Maps of other programs that are opened without a map file.

use crate::support::pty::Session;
use crate::support::temp_folder::TempFolder;

/// A Tiled map of one room. The second tile is solid.
const ROOM: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<map version="1.10" orientation="orthogonal" width="8" height="4" tilewidth="16" tileheight="16">
 <tileset firstgid="1" name="room" tilewidth="16" tileheight="16" tilecount="2" columns="2">
  <tile id="1"><properties><property name="solid" type="bool" value="true"/></properties></tile>
 </tileset>
 <layer id="1" name="ground" width="8" height="4"><data encoding="csv">
2,2,2,2,2,2,2,2,
2,1,1,1,1,1,1,2,
2,1,1,1,1,1,1,2,
2,2,2,2,2,2,2,2
</data></layer>
 <layer id="2" name="lake" width="8" height="4"><data encoding="csv">
0,0,0,0,0,0,0,0,
0,0,0,0,1,1,0,0,
0,0,0,0,0,0,0,0,
0,0,0,0,0,0,0,0
</data></layer>
</map>
"#;

/// Runs tilewalk in a folder, on a screen of 100 × 30.
fn open(folder: &TempFolder, arguments: &str) -> Session {
    let place = folder.path_text("");
    let line = format!("cd {place} && exec {} {arguments}", env!("CARGO_BIN_EXE_tilewalk"));
    Session::start_program("/bin/sh", &["-c", &line], &[], (100, 30))
}

#[test]
#[cfg(feature = "tiled")]
fn a_tiled_map_opens_with_a_wanderer_and_is_written_by_one_key_and_enter() {
    let folder = TempFolder::new();
    folder.write("room.tmx", ROOM);
    let mut session = open(&folder, "room.tmx");
    session.wait_for("playing");
    session.wait_for("wanderer");
    session.pause();
    // The room is on the screen: walls, floor, and a lake by the name of its layer.
    session.wait_for("################");
    session.wait_for("~~~~");
    assert!(!folder.path("room.toml").exists(), "opening a map writes nothing");
    session.send("w");
    session.wait_for("the imported map has no file yet; Enter writes it");
    session.wait_for(":write room.toml");
    session.send("\r");
    session.wait_for("wrote the map to room.toml");
    session.quit();
    let text = folder.read("room.toml");
    assert!(text.starts_with("# Imported from room.tmx: 8 × 4 tiles."), "{text}");
    assert!(
        text.contains("name  = \"wanderer\"") && text.contains("\"~\" = { name = \"water\""),
        "{text}"
    );
    let mut written = open(&folder, "room.toml");
    written.wait_for("wanderer");
    written.pause();
    written.wait_for("~~~~");
    written.quit();
}

#[test]
#[cfg(feature = "tiled")]
fn a_written_map_stays_open_and_takes_further_edits() {
    let folder = TempFolder::new();
    folder.write("room.tmx", ROOM);
    let mut session = open(&folder, "room.tmx");
    session.wait_for("wanderer");
    session.pause();
    session.send(":set wanderer.max_speed=3\r");
    session.wait_for("unsaved");
    session.send("w");
    session.wait_for(":write room.toml");
    session.send("\r");
    session.wait_for("wrote the map to room.toml; this file is open now");
    session.wait_until_gone("unsaved");
    // The next change goes to the same file, without a question.
    session.send(":set wanderer.max_speed=2\r");
    session.wait_for("unsaved");
    session.send("w");
    session.wait_for("wrote 1 value to room.toml");
    assert!(folder.read("room.toml").contains("max_speed = 2"), "{}", folder.read("room.toml"));
    // Changes of the file by other programs are applied, too.
    folder
        .write("room.toml", &folder.read("room.toml").replace("max_speed = 2", "max_speed = 2.5"));
    session.wait_for("run 2 ");
    session.quit();
}

#[test]
#[cfg(feature = "tiled")]
fn an_opened_tiled_map_follows_its_file_and_reports_its_problems() {
    let folder = TempFolder::new();
    let open_room = ROOM.replace("name=\"solid\"", "name=\"colour\"");
    folder.write("room.tmx", &open_room);
    let mut session = open(&folder, "room.tmx");
    session.wait_for("wanderer");
    session.pause();
    session.send("D");
    session.wait_for("no tile is marked as solid");
    session.send("\x1b");
    folder.write("room.tmx", ROOM);
    session.wait_for("################");
    folder.write("room.tmx", &ROOM.replace("height=\"4\" tilewidth", "height=\"4x\" tilewidth"));
    session.wait_for("must be a number of tiles, not `4x`");
    session.send("R");
    session.wait_for("must be a number of tiles, not `4x`");
    folder.write("room.tmx", ROOM);
    session.wait_for("fixed: the files match the running map again");
    session.quit();
}
