//! Traces with quotes.

use tilewalk_files::read::trace::{Trace, TraceFormat};

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
