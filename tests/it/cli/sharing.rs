//! `tilewalk share` and `tilewalk paste`: recordings as text in a message.

use std::fs;

use assert_cmd::Command;
use tempfile::TempDir;
use tilewalk::builtin;
use tilewalk::debugger::{AskedView, SharedView, ShownRecording};
use tilewalk::files::read::{recorded, recording_block};
use tilewalk::files::{self, Options};
use tilewalk::history::shared::shared;
use tilewalk::history::{DEFAULT_BUDGET, History};
use tilewalk::time::Frame;

/// Runs a command with a text as standard input. Returns the exit code, standard output and standard error.
fn tilewalk(arguments: &[&str], input: &str) -> (Option<i32>, String, String) {
    let mut tool = Command::cargo_bin("tilewalk").expect("the binary");
    let output = tool.args(arguments).write_stdin(input).output().expect("an exit code");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// Records 600 frames of the castle. Returns the directory and the path.
fn recorded_castle() -> (TempDir, String) {
    let folder = tempfile::tempdir().expect("a directory");
    let file = folder.path().join("castle.twr").display().to_string();
    let run = ["run", "maps/castle.toml", "--frames", "600", "--record", &file];
    assert_eq!(tilewalk(&run, "").0, Some(0));
    (folder, file)
}

/// Shares every shipped map at frame 300, with ten more frames.
#[test]
fn every_shipped_map_is_shared_as_a_text_of_at_most_4_kib_with_the_same_frames() {
    let mut table = Vec::new();
    for map in builtin::maps() {
        let loaded = files::load(&builtin::origin(&map.name), &Options::default()).expect("a map");
        let mut history = History::new(loaded.scenario.expect("no errors"), DEFAULT_BUDGET);
        history.go_to(Frame(310));
        let end = (history.frame(), history.world().hash());
        history.go_to(Frame(300));
        let hash = history.world().hash();
        let view = SharedView::of(&history);
        let bytes = shared(&history, &view.text()).expect("a recording");
        let block = recording_block::encode(&bytes).expect("a small recording");
        table.push((block.len(), map.name.clone()));
        let bytes = recording_block::decode(&block).expect("a block");
        let recorded = recorded::from_bytes(map.name.clone(), &bytes, std::path::Path::new(""))
            .expect("a recording");
        assert_eq!(recorded.recording.runs.len(), 1);
        assert_eq!(recorded.recording.runs[0].hashes, [(Frame(300), hash), end], "{}", map.name);
        let ShownRecording { mut history, view: opened, warning } =
            ShownRecording::open(&recorded, &AskedView::default()).expect("a run");
        assert_eq!((opened, warning), (view, None));
        history.go_to(end.0);
        history.go_to(Frame(300));
        assert_eq!(
            (history.world().hash(), history.run().divergence()),
            (hash, None),
            "{}",
            map.name
        );
    }
    table.sort_unstable();
    assert!(table.last().expect("maps").0 <= 4096, "{table:?}");
}

#[test]
fn a_shared_text_is_pasted_from_a_quoted_message() {
    let (folder, file) = recorded_castle();
    let share = ["share", &file, "--goto", "300", "--agent", "guard"];
    let (code, text, errors) = tilewalk(&share, "");
    assert_eq!((code, errors.as_str()), (Some(0), ""));
    let first = "maps/castle.toml at frame 300, agent guard; open with: tilewalk paste";
    assert_eq!(text.lines().next(), Some(first));
    assert!(text.len() < 2600, "{} bytes", text.len());
    let lines: Vec<_> = text.lines().skip(2).collect();
    assert!(lines[..lines.len() - 2].iter().all(|line| line.len() == 76), "{text}");
    assert!(lines[lines.len() - 1].starts_with("-----END TILEWALK RECORDING "), "{text}");
    let quoted = text.lines().map(|line| ["> ", line, "  \r\n"].concat()).collect::<String>();
    let message = format!("Hello,\n{quoted}\nSee you\n:quit\n");
    let copy = folder.path().join("copy.twr").display().to_string();
    let (code, out, errors) = tilewalk(&["paste", "--output", &copy], &message);
    assert_eq!((code, errors.as_str()), (Some(0), ""));
    assert_eq!(out, format!("wrote {copy}; open it with: tilewalk {copy}\n"));
    let (code, out, errors) = tilewalk(&["verify", &copy], "");
    assert_eq!((code, errors.as_str()), (Some(0), ""));
    assert_eq!(out, "run 1: 600 frames, 2 state hashes match\n");
    assert_eq!(tilewalk(&["run", &copy], "").1, tilewalk(&["run", &file], "").1);
    // A second share of the copy keeps the view.
    assert_eq!(tilewalk(&["share", &copy], "").1, text);
    let (code, _, errors) = tilewalk(&["paste", "--output", &copy], &message);
    assert_eq!(code, Some(2));
    assert!(errors.contains("already exists"), "{errors}");
}

#[test]
fn a_text_without_a_complete_block_is_refused_with_the_line_and_nothing_is_written() {
    let (folder, file) = recorded_castle();
    let text = tilewalk(&["share", &file], "").1;
    let copy = folder.path().join("copy.twr").display().to_string();
    let mut lines: Vec<_> = text.split_inclusive('\n').collect();
    let cut = lines[..9].concat();
    lines.remove(5);
    let without_a_line = lines.concat();
    let escapes = text.replacen('\n', "\n\u{1b}]0;title\u{7}\n", 3);
    let wrong = format!("line {}: the checksum is ", text.lines().count() - 1);
    for (input, why) in [
        ("", "no recording in this text: the line `-----BEGIN TILEWALK RECORDING-----` is missing"),
        (cut.as_str(), "the recording that begins in line 2 has no end line up to line 9"),
        (without_a_line.as_str(), wrong.as_str()),
        (escapes.as_str(), r"line 4: unexpected `\u{1b}` in the recording"),
    ] {
        let (code, out, errors) = tilewalk(&["paste", "--output", &copy], input);
        assert_eq!((code, out.as_str()), (Some(2), ""));
        assert!(errors.contains(why), "{why}: {errors}");
        assert!(!errors.contains('\u{1b}'));
        assert!(fs::symlink_metadata(&copy).is_err());
    }
    // A block of other bytes than a recording.
    let block = recording_block::encode(b"no recording").expect("a small block");
    let (code, _, errors) = tilewalk(&["paste", "--output", &copy], &block);
    assert_eq!(code, Some(2));
    assert!(errors.contains("the file is not a recording, or the header is damaged"), "{errors}");
    assert!(fs::symlink_metadata(&copy).is_err());
}

#[test]
fn share_refuses_an_unknown_run_or_agent() {
    let (_folder, file) = recorded_castle();
    let (code, _, errors) = tilewalk(&["share", &file, "--run", "2"], "");
    assert_eq!(code, Some(2));
    assert!(errors.contains("no run 2; the recording has 1 run"), "{errors}");
    let (code, _, errors) = tilewalk(&["share", &file, "--agent", "gard"], "");
    assert_eq!(code, Some(2));
    assert!(errors.contains("unknown agent `gard`"), "{errors}");
}
