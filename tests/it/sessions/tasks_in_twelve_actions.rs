//! Eighteen tasks of new users. Each takes at most twelve actions: a key, a click, a drag, a typed line of at
//! most 40 characters with its Enter, or a shell command.

use std::process::Command;

use crate::support::pty::Session;
use crate::support::temp_folder::TempFolder;

use super::make::YARD;

/// A user in a directory with some maps.
struct User {
    folder: TempFolder,
    editor: String,
    session: Option<Session>,
    actions: Vec<String>,
}

impl User {
    fn with(files: &[&str]) -> Self {
        Self::at(TempFolder::with(files))
    }

    fn at(folder: TempFolder) -> Self {
        Self { folder, editor: String::new(), session: None, actions: Vec::new() }
    }

    fn act(&mut self, action: &str) {
        self.actions.push(action.to_owned());
    }

    fn shell(&self, arguments: &str) -> [String; 2] {
        let folder = self.folder.path_text("");
        let line = format!("cd {folder} && exec {} {arguments}", env!("CARGO_BIN_EXE_tilewalk"));
        ["-c".to_owned(), line]
    }

    /// Opens the screen with a shell command.
    fn opens(&mut self, arguments: &str) {
        self.act(&format!("tilewalk {arguments}"));
        if let Some(session) = self.session.take() {
            session.quit();
        }
        let [option, line] = self.shell(arguments);
        let editor = [("VISUAL", self.editor.as_str())];
        let session = Session::start_program("/bin/sh", &[&option, &line], &editor, (120, 40));
        session.wait_for("? help");
        self.session = Some(session);
    }

    /// Runs a shell command. Returns its exit code and its output.
    fn runs(&mut self, arguments: &str) -> (i32, String) {
        self.act(&format!("tilewalk {arguments}"));
        let output = Command::new("/bin/sh").args(self.shell(arguments)).output().unwrap();
        let text = [output.stdout, output.stderr].concat();
        (output.status.code().unwrap(), String::from_utf8(text).unwrap())
    }

    fn session(&mut self) -> &mut Session {
        self.session.as_mut().expect("an open screen")
    }

    fn presses(&mut self, key: &str) {
        self.act(key);
        self.session().send(key);
    }

    fn types(&mut self, line: &str) {
        assert!(line.chars().count() <= 40, "{line}");
        self.act(line);
        self.session().send(line);
        // The screen shows the line before it runs.
        let typed = line.chars().rev().take(12).collect::<Vec<_>>();
        self.session().wait_for(&typed.into_iter().rev().collect::<String>());
        self.session().send("\r");
    }

    /// Clicks on a tile of a map whose first row is walls, and whose tiles are two cells wide.
    fn clicks(&mut self, (x, y): (u16, u16)) {
        self.act(&format!("click ({x}, {y})"));
        let corner = self.session().position_of("##########");
        self.session().click(0, (corner.0 + 2 * x, corner.1 + y));
    }

    fn drags(&mut self, from: (u16, u16), to: (u16, u16)) {
        self.act(&format!("drag {from:?} to {to:?}"));
        let corner = self.session().position_of("##########");
        let cell = |(x, y): (u16, u16)| (corner.0 + 2 * x, corner.1 + y);
        self.session().drag(cell(from), cell(to));
    }

    fn sees(&self, text: &str) {
        self.session.as_ref().expect("an open screen").wait_for(text);
    }

    fn is_at(&self, frame: u64) {
        self.session.as_ref().expect("an open screen").wait_for_frame(frame);
    }

    fn ends(mut self) -> TempFolder {
        if let Some(session) = self.session.take() {
            session.quit();
        }
        assert!(self.actions.len() <= 12, "{} actions: {:?}", self.actions.len(), self.actions);
        self.folder
    }
}

/// Three agents on one row: the last is blocked by the carrier, and the carrier by the cart.
const QUEUE: &str = r#"
title = "Queue"
tiles = """
########
#......#
########
"""
[places]
end = [6, 1]
[[agent]]
name = "last"
glyph = "l"
at = [1, 1]
body = { solid = true }
travel = "end"
[[agent]]
name = "carrier"
glyph = "c"
at = [2, 1]
body = { solid = true }
travel = "end"
[[agent]]
name = "cart"
glyph = "K"
at = [4, 1]
body = { solid = true }
"#;

#[test]
fn why_an_agent_is_blocked_to_the_root() {
    let folder = TempFolder::new();
    folder.write("queue.toml", QUEUE);
    let mut user = User::at(folder);
    user.opens("queue.toml --goto 60");
    user.sees("blocked: carrier ← cart (stands");
    user.sees("retries in");
    user.presses("g");
    user.sees("last is blocked by carrier");
    user.presses("g");
    user.sees("carrier is blocked by cart");
    user.sees("╭ cart ─");
    user.presses("g");
    user.sees("cart is not blocked");
    user.ends();
}

#[test]
fn when_the_guard_first_sees_the_thief_and_why_not_earlier() {
    let mut user = User::at(TempFolder::castle());
    user.opens("maps/castle.toml");
    user.presses(" ");
    user.presses("r");
    user.types(":break sees(guard, thief)");
    user.presses("c");
    user.sees("● frame 145: breakpoint 1");
    user.sees("sees(thief): yes (range 5.7 of 9)");
    user.presses(",");
    user.is_at(144);
    user.sees("sees(thief): no (behind");
    user.ends();
}

#[test]
fn separation_is_tuned_compared_undone_and_saved() {
    let mut user = User::with(&["maps/flock.toml"]);
    let before = user.folder.read("maps/flock.toml");
    user.opens("maps/flock.toml --goto 60");
    user.is_at(60);
    user.types(":goto 40");
    user.is_at(40);
    user.presses("x");
    user.sees("values of boid");
    user.types("separation weight");
    user.sees("▸ steer.separation.weight");
    user.types("8");
    user.sees("boid.steer.1.weight: 1 → 8 from frame 41 on");
    user.presses("\u{1b}");
    user.sees("ghost: run 1");
    user.presses("u");
    user.sees("as if never made");
    user.presses("U");
    user.presses("w");
    user.sees("wrote 1 value to");
    let after = user.ends().read("maps/flock.toml");
    let is_changed = |(before, after): &(&str, &str)| before != after;
    let changed: Vec<_> = before.lines().zip(after.lines()).filter(is_changed).collect();
    assert!(matches!(changed[..], [(_, line)] if line.contains("weight = 8")), "{changed:?}");
}

#[test]
fn which_agents_touch_first() {
    let mut user = User::with(&["maps/flock.toml"]);
    user.opens("maps/flock.toml");
    user.presses(" ");
    user.presses("r");
    user.types(":break touching(everyone)");
    user.presses("c");
    user.sees("● frame 50: breakpoint 1");
    user.presses("B");
    user.sees("yes (gap -0.079 of boid.5 and boid.38)");
    user.ends();
}

#[test]
fn a_broken_pattern_is_fixed() {
    let mut user = User::at(TempFolder::castle());
    let before = user.folder.read("patterns/castle_round.toml");
    user.editor = user.folder.script("vi", "sed -i \"${1#+}s/vertice /vertices/\" \"$2\"");
    user.opens("maps/castle.toml");
    user.folder.replace("patterns/castle_round.toml", "vertices", "vertice ");
    user.sees("did you mean `vertices`? unknown key `vertice`");
    user.presses("D");
    user.sees("╭ 1 error ─");
    user.presses("\r");
    user.sees("fixed: the files match the running map again");
    assert_eq!(user.ends().read("patterns/castle_round.toml"), before);
}

#[test]
fn two_seeds_are_compared() {
    let mut user = User::at(TempFolder::castle());
    user.opens("maps/castle.toml --goto 600");
    user.is_at(600);
    user.types(":diff 8");
    user.sees("this run");
    user.sees("the thief is caught sooner or later");
    user.sees("first difference: frame");
    user.ends();
}

#[test]
fn a_recording_of_a_colleague_is_opened_and_understood() {
    let mut user = User::at(TempFolder::castle());
    let record = ["run", "maps/castle.toml", "--frames", "400", "--record"];
    let file = user.folder.path_text("chase.twr");
    let made = Command::new(env!("CARGO_BIN_EXE_tilewalk")).args(record).arg(file).output();
    assert!(made.unwrap().status.success());
    user.opens("chase.twr");
    user.sees("run 1 of 1, frame 0 of 400");
    user.presses("]");
    user.sees("thief");
    user.types(":break guard.mode == \"chase\"");
    user.presses("c");
    user.is_at(146);
    user.sees("sees(thief): yes");
    user.ends();
}

#[test]
fn a_map_with_two_agents_and_a_wall_is_made() {
    let mut user = User::at(TempFolder::new());
    user.opens("");
    user.types(":new yard");
    user.sees("new map yard.toml");
    user.presses("t");
    user.sees("tool: line");
    user.clicks((8, 4));
    user.clicks((8, 9));
    user.sees("paint wall on 6 tiles");
    user.types(":add-agent guard 4,3");
    user.sees("add agent guard");
    user.types(":add-agent thief 20,9");
    user.sees("add agent thief");
    user.presses("w");
    user.sees("wrote 3 edits to yard.toml");
    assert_eq!(user.runs("check --strict yard.toml").0, 0);
    let text = user.ends().read("yard.toml");
    let agents = "\n[[agent]]\nname = \"guard\"\nat   = [4, 3]\n\n[[agent]]\nname = \"thief\"\nat   = [20, 9]\n";
    assert!(text.ends_with(&format!("'''\n{agents}")), "{text}");
    assert_eq!(text.matches("#.......#").count(), 6, "{text}");
}

#[test]
fn a_path_and_a_matrix_are_drawn_and_attached() {
    let folder = TempFolder::new();
    folder.write("yard.toml", YARD);
    let mut user = User::at(folder);
    user.opens("yard.toml --goto 0");
    user.types(":draw-path round");
    user.sees("round (new path)");
    user.clicks((2, 1));
    user.sees("1 vertex");
    user.clicks((12, 1));
    user.sees("2 vertices");
    user.presses("w");
    user.sees(":attach round");
    user.presses("\r");
    user.sees("attach round to guard");
    user.types(":select thief");
    user.sees("▸ T thief");
    user.types(":draw-matrix swamp");
    user.sees("matrix swamp");
    user.drags((18, 4), (21, 4));
    user.sees("paint 4 cells of matrix swamp");
    user.presses("\u{1b}");
    user.sees(":attach swamp");
    user.presses("\r");
    user.sees("attach swamp to thief");
    user.presses("w");
    user.sees("wrote 5 edits to yard.toml and round.toml and swamp.toml");
    user.sees("matrix   4 tiles, 8 directions");
    let folder = user.ends();
    let text = folder.read("yard.toml");
    assert!(text.contains("at   = [2, 1]\npattern = \"round\"\n"), "{text}");
    assert!(text.contains("at   = [20, 4]\npattern = \"swamp\"\n"), "{text}");
    assert!(folder.read("round.toml").contains("vertices = [[2, 1], [12, 1]]"));
    assert!(folder.read("swamp.toml").contains("..................1111"));
}

#[test]
fn a_breakpoint_on_a_chase_shows_its_cause() {
    let mut user = User::at(TempFolder::castle());
    user.opens("maps/castle.toml");
    user.presses(" ");
    user.presses("r");
    user.types(":break guard.mode == \"chase\"");
    user.presses("c");
    user.is_at(146);
    user.sees("previous mode patrol");
    user.sees("sees(thief): yes (range 5.7 of 9)");
    user.ends();
}

#[test]
fn the_states_of_one_agent_are_written_as_csv() {
    let mut user = User::at(TempFolder::castle());
    user.runs("run maps/castle.toml --frames 20 --agent guard --trace guard.csv");
    let text = user.ends().read("guard.csv");
    assert_eq!(text.lines().filter(|line| line.contains(",guard,")).count(), 21, "{text}");
    assert!(!text.contains("thief"), "{text}");
}

#[test]
fn a_map_is_tested_in_ci() {
    let mut user = User::at(TempFolder::castle());
    let (code, text) = user.runs("test maps/castle.toml --format junit");
    assert_eq!(code, 0);
    assert!(text.contains("name=\"the guard chases the thief on sight\""), "{text}");
    user.ends();
}

/// A Tiled map of one room. The second tile is solid.
const TOWN: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<map version="1.10" orientation="orthogonal" width="10" height="5" tilewidth="16" tileheight="16">
 <tileset firstgid="1" name="town" tilewidth="16" tileheight="16" tilecount="2" columns="2">
  <tile id="1"><properties><property name="solid" type="bool" value="true"/></properties></tile>
 </tileset>
 <layer id="1" name="ground" width="10" height="5"><data encoding="csv">
2,2,2,2,2,2,2,2,2,2,
2,1,1,1,1,1,1,1,1,2,
2,1,1,1,1,1,1,1,1,2,
2,1,1,1,1,1,1,1,1,2,
2,2,2,2,2,2,2,2,2,2
</data></layer>
</map>
"#;

#[test]
fn a_walker_walks_on_a_tiled_map() {
    let folder = TempFolder::new();
    folder.write("town.tmx", TOWN);
    let mut user = User::at(folder);
    assert_eq!(user.runs("import town.tmx --output town.toml").0, 0);
    user.opens("town.toml --goto 0");
    user.types(":add-agent walker 2,2");
    user.sees("add agent walker");
    user.types(":draw-path beat");
    user.sees("beat (new path)");
    user.clicks((2, 2));
    user.sees("1 vertex");
    user.clicks((6, 2));
    user.sees("2 vertices");
    user.presses("w");
    user.sees(":attach beat");
    user.presses("\r");
    user.sees("attach beat to walker");
    user.presses("w");
    user.sees("wrote ");
    user.presses("\u{1b}");
    user.sees("╭ walker ─");
    user.types(":goto 40");
    user.is_at(40);
    user.sees("segment ");
    user.ends();
}

#[test]
fn a_sweep_is_run_and_one_of_its_runs_opened() {
    let folder = TempFolder::castle();
    let text = "map = \"maps/castle.toml\"\nframes = 200\nseeds = 2\n[vary]\n\
                \"guard.patrol.pace\" = [3, 6]\n[measure]\nseen = { first = \"sees(guard, thief)\" }\n";
    folder.write("sweep.toml", text);
    let mut user = User::at(folder);
    let (code, text) = user.runs("sweep sweep.toml --output runs.csv");
    assert_eq!(code, 0, "{text}");
    user.opens("sweep open runs.csv 3 --goto 100");
    user.is_at(100);
    user.sees("╭ guard ─");
    user.ends();
}

#[test]
fn an_agent_is_driven_recorded_and_replayed() {
    let mut user = User::at(TempFolder::castle());
    user.opens("maps/castle.toml --goto 0 --record drive.twr");
    user.presses("i");
    user.sees("driving guard");
    user.presses("\u{1b}[C");
    user.sees("on tile (14, 1)");
    user.presses("\u{1b}[C");
    user.sees("on tile (15, 1)");
    user.presses("\u{1b}");
    user.sees("stopped driving guard");
    user.opens("replay drive.twr");
    user.sees("frame 0");
    user.presses("\u{1b}[F");
    user.sees("on tile (15, 1)");
    user.ends();
}

#[test]
fn a_transition_is_found_with_what_would_have_prevented_it() {
    let mut user = User::at(TempFolder::castle());
    user.opens("maps/castle.toml --goto 0");
    user.types(":break event(guard, mode)");
    user.presses("c");
    user.is_at(146);
    user.presses("5");
    user.sees("frame 146  patrol → chase");
    user.sees("by transition 1");
    user.sees("prevented by not sees(thief)");
    user.ends();
}

#[test]
fn a_picture_is_saved() {
    let mut user = User::at(TempFolder::castle());
    user.opens("maps/castle.toml --goto 300 --agent thief");
    user.is_at(300);
    user.types(":screenshot castle.svg");
    user.sees("wrote castle.svg");
    assert!(user.ends().read("castle.svg").starts_with("<svg"));
}

#[test]
fn a_view_is_handed_over() {
    let mut user = User::at(TempFolder::castle());
    user.opens("maps/castle.toml --goto 300 --agent thief");
    user.is_at(300);
    user.types(":share look.twr");
    user.sees("opens this view");
    let (code, text) = user.runs("share look.twr > message.txt");
    assert_eq!(code, 0, "{text}");
    user.opens("paste < message.txt");
    user.is_at(300);
    user.sees("╭ thief ─");
    user.ends();
}
