//! Runs of other programs: columns, units, missing parts, and errors with their line and column.

use std::fmt::Write;
use std::io::Cursor;
use std::sync::Arc;

use tilewalk_files::traces::{Input, RunError, TraceOptions, parse_column, read};
use tilewalk_files::{Options, load};
use tilewalk_sim::scenario::Scenario;
use tilewalk_sim::scenario::run::{FollowedRun, RunTable};
use tilewalk_sim::step::step;
use tilewalk_sim::world::World;
use tilewalk_test_support::builtin;

fn options(columns: &[&str]) -> TraceOptions {
    let columns = columns.iter().map(|column| parse_column(column).unwrap()).collect();
    TraceOptions { columns, ..TraceOptions::default() }
}

fn table(text: &str, options: &TraceOptions) -> Result<RunTable, RunError> {
    let input = Input::new("run".to_owned(), Cursor::new(text.as_bytes().to_vec())).unwrap();
    read(input, options)?.on_map(None)
}

/// Returns a line for each row: frame, agent, position, velocity and direction.
fn rows(text: &str, options: &TraceOptions) -> Vec<String> {
    let table = table(text, options).unwrap();
    let row = |agent: usize| {
        let rows = table.rows_of(agent).iter();
        rows.map(move |row| {
            let (at, v, h) = (row.position, row.velocity, row.heading);
            format!("{} {} {},{} {},{}", row.frame, agent, at.x, at.y, v.x, v.y)
                + &format!(" {:.0},{:.0}", h.x, h.y)
        })
    };
    (0..table.agents.len()).flat_map(row).collect()
}

fn error(text: &str, options: &TraceOptions) -> String {
    table(text, options).unwrap_err().to_string()
}

/// Returns the scenario in which agents follow a run, on a map or on an empty one.
fn scenario(map: Option<&str>, text: &str, with: &[&str]) -> Result<Arc<Scenario>, String> {
    let table = table(text, &TraceOptions::default()).map_err(|error| error.to_string())?;
    let text = map.map_or_else(|| table.map_text(), ToOwned::to_owned);
    let with = with.iter().map(|name| (*name).to_owned()).collect();
    let run = Some(Arc::new(FollowedRun { with, ..FollowedRun::new(table) }));
    let loaded = load(&builtin::text("map", text), &Options { run, ..Options::default() });
    let loaded = loaded.map_err(|error| error.to_string())?;
    loaded.scenario.ok_or_else(|| loaded.report.plain())
}

const SQUARE: &str = "tiles = '''\n....\n....\n'''\n[[agent]]\nname = 'cat'\nat = [0, 0]\n";

#[test]
fn velocity_and_heading_are_derived_from_positions_and_times() {
    let text = "time,agent,x,y\n0,cat,0.5,0.5\n0.5,cat,1.5,0.5\n1,cat,1.5,2.5\n";
    let expected = ["0 0 0.5,0.5 0,0 1,0", "1 0 1.5,0.5 2,0 1,0", "2 0 1.5,2.5 0,4 0,1"];
    assert_eq!(rows(text, &TraceOptions::default()), expected);
}

#[test]
fn whole_coordinates_are_tiles_and_other_coordinates_are_points() {
    let tiles = "frame,agent,x,y\n0,cat,2,1\n";
    assert_eq!(rows(tiles, &TraceOptions::default()), ["0 0 2.5,1.5 0,0 1,0"]);
    let points = "frame,agent,x,y\n0,cat,2,1\n0,dog,2.25,1\n";
    let expected = ["0 0 2,1 0,0 1,0", "0 1 2.25,1 0,0 1,0"];
    assert_eq!(rows(points, &TraceOptions::default()), expected);
}

#[test]
fn scale_origin_and_y_direction_convert_to_tiles() {
    let text = "frame,agent,x,y,vx,vy,heading\n0,cat,116,208,16,32,90\n";
    let scaled =
        TraceOptions { scale: Some(16.0), origin: Some([100.0, 200.0]), ..TraceOptions::default() };
    assert_eq!(rows(text, &scaled), ["0 0 1,0.5 1,2 0,1"]);
    let up = TraceOptions { y_up: Some(true), ..scaled };
    assert_eq!(rows(text, &up), ["0 0 1,0.5 1,-2 0,-1"]);
}

#[test]
fn nested_fields_and_renamed_columns_are_found() {
    let text = r#"{"step": 7, "who": {"id": 3}, "pos": [1.5, 2.25], "hp": 9, "ok": true}"#;
    let options = options(&["frame=step", "agent=who.id", "x=pos.x", "y=pos.y"]);
    let table = table(text, &options).unwrap();
    assert_eq!(table.agents, ["3"]);
    let columns: Vec<_> = table.columns.iter().map(|column| column.name.as_str()).collect();
    assert_eq!(columns, ["hp", "ok"]);
    assert_eq!(rows(text, &options), ["0 0 1.5,2.25 0,0 1,0"]);
}

#[test]
fn a_header_line_names_units_and_columns() {
    let header = r#"{"tilewalk": {"fps": 10, "scale": 2, "columns": {"x": "east", "y": "south"}}}"#;
    let json =
        format!("{header}\n{{\"frame\": 0, \"agent\": \"cat\", \"east\": 3, \"south\": 5}}\n");
    let csv = format!("# {header}\nframe,agent,east,south\n0,cat,3,5\n");
    for text in [json, csv] {
        assert_eq!(rows(&text, &TraceOptions::default()), ["0 0 1.5,2.5 0,0 1,0"], "{text}");
        assert_eq!(table(&text, &TraceOptions::default()).unwrap().tick, Some(0.1));
    }
}

#[test]
fn the_map_of_a_header_lies_beside_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.csv");
    let text = "# {\"tilewalk\": {\"map\": \"level.toml\"}}\nframe,x,y\n0,1.5,2.5\n";
    std::fs::write(&path, text).unwrap();
    let file = read(Input::open(&path).unwrap(), &TraceOptions::default()).unwrap();
    assert_eq!(file.options.map, Some(folder.path().join("level.toml")));
}

#[test]
fn the_last_row_holds_until_gone_in_a_sparse_run() {
    let text = "# {\"tilewalk\": {\"sparse\": true}}\nframe,agent,x,y,gone\n\
                0,cat,0.5,0.5,\n0,dog,1.5,0.5,\n2,cat,2.5,0.5,\n3,dog,,,1\n4,cat,3.5,0.5,\n";
    let found = rows(text, &TraceOptions::default());
    let frames: Vec<_> = found.iter().map(|row| &row[..9]).collect();
    let cat = ["0 0 0.5,0", "1 0 2.5,0", "2 0 2.5,0", "3 0 3.5,0"];
    // The frames of the file are 0, 2, 3 and 4.
    assert_eq!(frames, [&cat[..], &["0 1 1.5,0", "1 1 1.5,0"]].concat());
}

#[test]
fn a_row_with_gone_ends_an_agent_even_if_it_has_a_position() {
    let frames_of_dog = |head: &str, gone: &str| {
        let text = format!(
            "{head}frame,agent,x,y,gone\n0,cat,0.5,0.5,0\n0,dog,1.5,0.5,0\n1,cat,2.5,0.5,0\n\
             2,dog,1.5,0.5,{gone}\n2,cat,2.5,0.5,0\n3,cat,2.5,0.5,0\n"
        );
        let table = table(&text, &TraceOptions::default()).unwrap();
        table.rows_of(1).iter().map(|row| row.frame).collect::<Vec<_>>()
    };
    let sparse = "# {\"tilewalk\": {\"sparse\": true}}\n";
    for gone in ["1", "true", "True"] {
        assert_eq!(frames_of_dog(sparse, gone), [0, 1], "{gone}");
        assert_eq!(frames_of_dog("", gone), [0], "{gone}");
    }
    for gone in ["0", "false", "False", ""] {
        assert_eq!(frames_of_dog(sparse, gone), [0, 1, 2, 3], "{gone}");
        assert_eq!(frames_of_dog("", gone), [0, 2], "{gone}");
    }
    let text = "frame,agent,x,y,gone\n0,cat,0.5,0.5,soon\n";
    let expected = "run:2:15: `gone` must be a number, true or false, not `soon`";
    assert_eq!(error(text, &TraceOptions::default()), expected);
}

#[test]
fn semicolons_tabs_quotes_and_a_byte_order_mark_are_read() {
    for text in [
        "frame;agent;x;y\n0;cat;1.5;2.5\n",
        "frame\tagent\tx\ty\n0\tcat\t1.5\t2.5\n",
        "\u{FEFF}\"frame\",agent,x,y\r\n0,\"cat\",1.5,2.5\r\n",
        "# a comment\nframe,agent,x,y\n\n0,cat,\"1.5\",2.5\n",
    ] {
        assert_eq!(rows(text, &TraceOptions::default()), ["0 0 1.5,2.5 0,0 1,0"], "{text:?}");
    }
}

#[test]
fn errors_name_line_and_column() {
    let check = |text: &str, expected: &str| {
        assert_eq!(error(text, &TraceOptions::default()), expected, "{text:?}");
    };
    let help = "name the column with --columns, such as x=pos.x";
    check("", "run: the file has no rows");
    check("frame,agent,x,y\n", "run: the file has no rows");
    check("frame,agent,x,y\n0,cat,1\n", "run:2:8: the line has 3 values instead of 4");
    check("frame,agent,x,y\n0,cat,1,2,3\n", "run:2:11: the line has more than 4 values");
    check("frame,agent,x,y\n0,cat,left,2\n", "run:2:7: `x` must be a number, not `left`");
    check("frame,agent,east,y\n0,cat,1,2\n", &format!("run:2:1: missing value `x`; {help}"));
    check("frame,agent,x,y\n0,cat,,2\n", "run:2:7: `x` is missing or not a number");
    check("frame,agent,x,y\n0,cat,1,NaN\n", "run:2:9: `y` is missing or not a number");
    check(
        "{\"frame\":0,\"x\":1,\"y\":2}\n{\"frame\":1,\"x\":null,\"y\":2}\n",
        "run:2:1: `x` is missing or not a number",
    );
    check("agent,x,y\ncat,1,2\n", "run:2:1: missing value `frame` or `time`");
    check("frame,x,x\n", "run:1:9: two columns are called `x`");
    check("frame,a\u{1a},a\u{1a}\n", "run:1:10: two columns are called `a\\u{1a}`");
    check("frame,agent,x,y\n0,\"cat,1,2\n", "run:2:3: the quote is not closed");
    check(
        "frame,agent,x,y\n0,cat,1,2\n0,cat,1,2\n",
        "run:3:1: `cat` already has a row at this frame, in line 2",
    );
    check("{\"frame\": 0, \"agent\": \"cat\", \"x\": 1, \"y\": }\n", "run:1:43: expected value");
    check("[1, 2]\n", "run:1:1: expected a JSON object");
    check("{\"tilewalk\": {\"scale\": 0}}\n", "run:1:1: `tick`, `fps` and `scale` must be above 0");
    check(
        "frame,agent,x,y\n0,a\u{7},1,2\n",
        "run:2:3: `agent` must be a text of at most 100 characters without control characters, not \
         `a\\u{7}`",
    );
    check(
        "frame,agent,x,y\n0,cat,99999,2\n",
        "run: the positions extend over 100000 × 3 tiles, and a map has at most 4096 tiles per side: \
         give the size of a tile with --scale",
    );
}

#[test]
fn agents_of_the_map_are_left_out_unless_they_are_named() {
    let run = "frame,agent,x,y\n0,dog,1.5,0.5\n";
    let present = |with: &[&str]| {
        let world = World::new(scenario(Some(SQUARE), run, with).unwrap());
        let names: Vec<_> = world.ids().map(|id| world.name(id).to_string()).collect();
        names.join(" ")
    };
    assert_eq!(present(&[]), "dog");
    assert_eq!(present(&["cat"]), "cat dog");
    let unknown = scenario(Some(SQUARE), run, &["cow"]).unwrap_err();
    assert_eq!(unknown, "run: the map has no agent `cow`");
}

#[test]
fn an_agent_is_absent_in_frames_without_a_row() {
    let run = "frame,agent,x,y\n0,cat,0.5,0.5\n0,dog,1.5,0.5\n1,cat,0.5,0.5\n2,cat,0.5,0.5\n\
               2,dog,2.5,0.5\n";
    let mut world = World::new(scenario(None, run, &[]).unwrap());
    let mut found = Vec::new();
    for _ in 0..3 {
        found.push(world.population());
        step(&mut world);
    }
    assert_eq!(found, [2, 1, 2]);
}

#[test]
fn only_the_selected_agents_and_frames_are_read() {
    let run =
        "frame,agent,x,y,hp\n0,cat,0.5,0.5,1\n0,dog,1.5,0.5,2\n1,cat,2.5,0.5,3\n1,dog,3.5,0.5,4\n";
    let options = TraceOptions {
        rows_from: Some(1),
        rows_of: vec!["dog".to_owned()],
        ..TraceOptions::default()
    };
    assert_eq!(rows(run, &options), ["0 0 3.5,0.5 0,0 1,0"]);
    let options = TraceOptions { rows_of: vec!["cow".to_owned()], ..options };
    assert_eq!(error(run, &options), "run: no agent `cow`");
}

#[test]
fn selected_frames_must_be_in_order() {
    let run = "frame,agent,x,y\n0,cat,0.5,0.5\n2,cat,1.5,0.5\n5,cat,2.5,0.5\n7,cat,3.5,0.5\n";
    let options = |rows_from, rows_to| TraceOptions {
        rows_from: Some(rows_from),
        rows_to: Some(rows_to),
        ..TraceOptions::default()
    };
    let expected = ["0 0 1.5,0.5 0,0 1,0", "1 0 2.5,0.5 20,0 1,0"];
    assert_eq!(rows(run, &options(1, 2)), expected);
    let none = "run: the selected agents have no rows in these frames";
    assert_eq!(error(run, &options(4, 9)), none);
    let mixed = format!("{run}5,dog,0.5,0.5\n");
    assert!(error(&mixed, &options(1, 2)).contains("run:6:1: to read a part"));
}

#[test]
fn whole_coordinates_in_another_unit_than_tiles_are_points() {
    let text = "frame,agent,x,y\n0,cat,32,16\n".to_owned();
    let input = Input::new("run".to_owned(), Cursor::new(text.into_bytes())).unwrap();
    let mut file = read(input, &TraceOptions::default()).unwrap();
    // The tile size of a map can be known only after the file is read.
    file.options.scale = Some(16.0);
    let at = file.on_map(Some(10)).unwrap().rows[0].position;
    assert_eq!([at.x, at.y], [2.0, 1.0]);
}

#[test]
fn closing_lines_are_ignored_in_complete_files() {
    let end = "{\"tilewalk\": {\"end\": true}}";
    let csv = format!("frame,agent,x,y\n0,cat,0.5,0.5\n# {end}\n1,cat,1.5,0.5\n# {end}\n");
    assert_eq!(rows(&csv, &TraceOptions::default()).len(), 2);
    let row = "{\"frame\":0,\"agent\":\"cat\",\"x\":0.5,\"y\":0.5}";
    let json = format!("{row}\n{end}\n");
    assert_eq!(rows(&json, &TraceOptions::default()).len(), 1);
}

#[test]
fn a_compressed_run_is_read() {
    use flate2::{Compression, write::GzEncoder};
    use std::io::Write;
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(b"frame,agent,x,y\n0,cat,1.5,2.5\n").unwrap();
    let input = Input::new("run".to_owned(), Cursor::new(encoder.finish().unwrap())).unwrap();
    let table = read(input, &TraceOptions::default()).unwrap().on_map(None).unwrap();
    assert_eq!(table.agents, ["cat"]);
}

/// Returns a line for each frame: the agents in the world with their motions, modes and events.
fn frames(scenario: &Arc<Scenario>) -> Vec<String> {
    let mut world = World::new(Arc::clone(scenario));
    let mut lines = Vec::new();
    loop {
        let mut line = String::new();
        for id in world.ids() {
            let (motion, mode) = (world.motion(id), &world.mode(id).name);
            write!(line, "{} {mode} {motion:?}; ", world.name(id)).unwrap();
        }
        for event in world.events() {
            write!(line, "{} {:?} ", world.name(event.agent), event.kind).unwrap();
        }
        lines.push(line);
        if scenario.end().is_some_and(|end| world.frame() >= end) {
            return lines;
        }
        step(&mut world);
    }
}

#[test]
fn a_run_that_was_followed_has_the_frames_of_the_complete_file() {
    use tilewalk_files::traces::Follower;
    let head = "{\"tilewalk\": {\"sparse\": true}}\n";
    let row = |frame: u32, agent: &str, x: f32, rest: &str| {
        format!("{{\"frame\":{frame},\"agent\":\"{agent}\",\"x\":{x},\"y\":3.5{rest}}}\n")
    };
    let first = row(0, "cat", 0.25, ",\"mode\":\"walk\",\"hp\":3")
        + &row(0, "dog", 7.5, ",\"mode\":\"run\",\"hp\":4,\"event\":\"bark\"");
    let mut later = row(1, "cat", 0.75, ",\"mode\":\"walk\",\"hp\":3");
    later += &row(1, "cow", 5.25, ",\"mode\":\"walk\",\"hp\":9,\"event\":\"moo\"");
    later += &row(2, "cat", 0.5, ",\"mode\":\"run\",\"event\":\"bark\"");
    later += &row(4, "dog", 6.5, ",\"mode\":\"walk\",\"hp\":2");
    later += "{\"frame\":5,\"agent\":\"cow\",\"gone\":1}\n";
    later += &row(6, "cat", 1.5, ",\"mode\":\"walk\"");
    let complete = format!("{head}{first}{later}");
    let expected = frames(&scenario(None, &complete, &[]).unwrap());

    let options = TraceOptions::default();
    let mut follower = Follower::new("run".to_owned(), None, &options).unwrap();
    let begin = row(1, "cat", 0.75, ",\"mode\":\"walk\",\"hp\":3");
    follower.feed(format!("{head}{first}{begin}").as_bytes()).unwrap();
    let (table, live) = follower.table(None, None).unwrap();
    let text = table.map_text();
    let run = FollowedRun { live: Some(live), ..FollowedRun::new(table) };
    let options = Options { run: Some(Arc::new(run)), ..Options::default() };
    let loaded = load(&builtin::text("map", text), &options).unwrap();
    let followed = loaded.scenario.unwrap();
    assert_eq!(frames(&followed).len(), 1);
    // The bytes arrive in any parts.
    for part in later.as_bytes()[begin.len()..].chunks(7) {
        follower.feed(part).unwrap();
    }
    follower.end();
    assert!(!follower.needs_table(), "{:?}", follower.take_warning());
    let found = frames(&followed);
    assert_eq!(found, expected);
    assert!(found[4].contains("cow") && !found[5].contains("cow run"), "{found:#?}");
}
