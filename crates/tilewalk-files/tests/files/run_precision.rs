//! Runs of other programs: texts of columns, numbers of more than 24 bits, rounded times, and traces with quotes.

use std::fmt::Write;
use std::io::Cursor;
use std::sync::Arc;

use tilewalk_files::read::trace::{Trace, TraceFormat};
use tilewalk_files::traces::{Input, TraceOptions, read, warnings};
use tilewalk_files::{Options, load};
use tilewalk_sim::scenario::run::{FollowedRun, RunTable};
use tilewalk_sim::trace::{NO_TEXT, Values};
use tilewalk_test_support::builtin;

fn table(text: &str) -> RunTable {
    table_with(text, &TraceOptions::default())
}

fn table_with(text: &str, options: &TraceOptions) -> RunTable {
    let input = Input::new("run".to_owned(), Cursor::new(text.as_bytes().to_vec())).unwrap();
    read(input, options).unwrap().on_map(None).unwrap()
}

/// Returns the texts of a column in the order of the rows.
fn texts<'a>(table: &'a RunTable, name: &str) -> Vec<&'a str> {
    let column = table.columns.iter().find(|column| column.name == name).unwrap();
    let Values::Texts(texts) = &column.values else { panic!("{name} has numbers") };
    let text = |text: &u32| if *text == NO_TEXT { "" } else { &table.texts[*text as usize] };
    texts.iter().map(text).collect()
}

/// Returns the warnings of a run without a map.
fn found(text: &str) -> Vec<String> {
    found_with(text, &TraceOptions::default())
}

fn found_with(text: &str, options: &TraceOptions) -> Vec<String> {
    let table = Arc::new(table_with(text, options));
    let run = Some(Arc::new(FollowedRun::new((*table).clone())));
    let map = builtin::text("map", table.map_text());
    let loaded = load(&map, &Options { run, ..Options::default() }).unwrap();
    let found = warnings::find(&table, &loaded.scenario.unwrap());
    found.iter().map(|it| format!("{}: {}", it.kind, it.line("run"))).collect()
}

/// Returns a run of one agent with a cell of the column `name` in each frame.
fn column(name: &str, cells: &[&str]) -> String {
    let mut text = format!("frame,x,y,{name}\n");
    for (frame, cell) in cells.iter().enumerate() {
        writeln!(text, "{frame},0.5,0.5,{cell}").unwrap();
    }
    text
}

#[test]
fn a_column_with_a_text_keeps_the_texts_of_its_numbers() {
    let cells = [
        "1.10",
        "1.1",
        "1e3",
        "",
        "007",
        "1764387691",
        "1764387692",
        "3",
        "-0.5",
        ".5",
        "5.",
        "+5",
        "0.0000001",
        "16777217",
        "123456.7",
        "dev",
        "1.10",
        "1e3",
        "nan",
        "2",
    ];
    let expected = cells.map(|cell| if cell == "nan" { "" } else { cell });
    assert_eq!(texts(&table(&column("ver", &cells)), "ver"), expected);
    let json = "{\"frame\":0,\"x\":1,\"y\":1,\"id\":1764387691}\n\
                {\"frame\":1,\"x\":1,\"y\":1,\"id\":9007199254740993}\n\
                {\"frame\":2,\"x\":1,\"y\":1,\"id\":0.1}\n\
                {\"frame\":3,\"x\":1,\"y\":1,\"id\":\"1.10\"}\n\
                {\"frame\":4,\"x\":1,\"y\":1,\"id\":9007199254740993}\n";
    let expected = ["1764387691", "9007199254740993", "0.1", "1.10", "9007199254740993"];
    assert_eq!(texts(&table(json), "id"), expected);
}

#[test]
fn integers_of_more_than_24_bits_are_warned_about_once_per_column() {
    let text = "frame,x,y,id,n,ver,big\n0,1,1,16777216,1,16777217,1e10\n\
                1,1,1,1764387691,2,b,1e10\n2,1,1,1764387692,3,c,1e10\n";
    let expected = "precision: run:3:7: the value `id` has 1764387691, which counts as 1764387700: numbers have \
                    24 bits, so that different integers can be equal";
    assert_eq!(found(text), [expected]);
    let expected: [&str; 0] = [];
    assert_eq!(found(&column("hp", &["10", "16777216", "0.1", ""])), expected);
}

/// Returns a run with the times of its frames.
fn run(times: &[&str]) -> String {
    let mut text = "frame,time,x,y\n".to_owned();
    for (frame, time) in times.iter().enumerate() {
        writeln!(text, "{frame},{time},0.5,0.5").unwrap();
    }
    text
}

#[test]
fn rounded_times_have_a_constant_rate() {
    for (count, rate, digits, tick) in [(300, 240.0, 2, 1.25 / 299.0), (1000, 1000.0, 2, 0.001)] {
        let times: Vec<_> =
            (0..count).map(|i| format!("{:.digits$}", f64::from(i) / rate)).collect();
        let text = run(&times.iter().map(String::as_str).collect::<Vec<_>>());
        let table = table(&text);
        let found_tick = table.tick.unwrap();
        assert!((found_tick - tick).abs() < 1e-5, "{found_tick} instead of {tick}");
        assert_eq!(table.times, None);
        assert_eq!(found(&text), [""; 0]);
    }
}

#[test]
fn times_that_are_not_used_are_warned_about() {
    let instead = "the times are ignored, and each frame takes 0.05 s; set --fps";
    for (times, expected) in [
        (&["0", "0.1", "0.1", "0.2"][..], "run:4:3: frame 2 has the same time as frame 1"),
        (&["0", "0.1", "0.05", "0.2"], "run:4:3: the time of frame 2 is before that of frame 1"),
        (&["0", "0.1", "", "0.2"], "run:4:1: frame 2 has no time"),
        (&["", "", ""], "run:2:1: frame 0 has no time"),
        (&["5", "5", "5"], "run:3:3: frame 1 has the same time as frame 0"),
    ] {
        let text = run(times);
        assert_eq!(table(&text).tick, None, "{times:?}");
        assert_eq!(found(&text), [format!("time: {expected}: {instead}")], "{times:?}");
        let options = TraceOptions { fps: Some(10.0), ..TraceOptions::default() };
        assert_eq!(found_with(&text, &options), [""; 0]);
    }
    for times in [&["0", "0.1", "0.2"][..], &["0"]] {
        assert_eq!(found(&run(times)), [""; 0], "{times:?}");
    }
}

#[test]
fn a_trace_with_quoted_names_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("trace.csv");
    let head = "frame,time,agent,mode,x,y,vx,vy,heading,tile_x,tile_y\n";
    let row = "0,0,\"Guard, \"\"left\"\"\",\"run, fast\",1.5,1.5,0,0,0,1,1\n";
    std::fs::write(&path, format!("{head}{row}")).unwrap();
    let mut trace = Trace::open(&path, TraceFormat::Csv).unwrap();
    assert!(trace.advance().unwrap());
    let first = &trace.rows().1[0];
    assert_eq!((first.agent(), first.mode.as_str()), ("Guard, \"left\"", "run, fast"));
    assert_eq!((first.position.x, first.position.y), (1.5, 1.5));
    std::fs::write(&path, format!("{head}0,0,\"a,run,1,1,0,0,0,1,1\n")).unwrap();
    let error = Trace::open(&path, TraceFormat::Csv).unwrap_err().to_string();
    assert!(error.ends_with("trace.csv:2: the quote is not closed"), "{error}");
}
