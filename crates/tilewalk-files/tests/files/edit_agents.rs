//! Agents that are added, copied, renamed and removed, and patterns that are attached to them.

use std::sync::Arc;

use tilewalk_files::Options;
use tilewalk_files::write::edit::draft::Draft;
use tilewalk_files::write::edit::{Edit, agents};
use tilewalk_sim::geom::TilePos;
use tilewalk_sim::scenario::sources::{FileRole, SourceFile, Sources};
use tilewalk_test_support::builtin;

fn map(text: &str) -> Sources {
    let file = SourceFile { place: FileRole::Map, label: "a.toml".to_owned(), text: text.into() };
    Sources { files: vec![file], ..Sources::default() }
}

fn text(files: &Sources) -> &str {
    &files.file(&FileRole::Map).unwrap().text
}

/// Applies an edit to a map. Asserts that undoing it restores the text, and that its reverse edit restores
/// the lines.
fn edited(files: &Sources, edit: Edit) -> String {
    let draft = Draft::new(Arc::new(files.clone())).with(edit).unwrap().expect("a change");
    let after = text(draft.files()).to_owned();
    let (undone, change) = draft.undo().unwrap();
    assert_eq!(text(undone.files()), text(files));
    let reversed = draft.with(change.back.clone()).unwrap().expect("a change");
    assert_eq!(lines(text(reversed.files())), lines(text(files)));
    after
}

/// Returns the lines of a text in sorted order, without blank lines.
fn lines(text: &str) -> Vec<&str> {
    let mut lines: Vec<_> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    lines.sort_unstable();
    lines
}

fn refused(files: &Sources, edit: Edit) -> String {
    Draft::new(Arc::new(files.clone())).with(edit).unwrap_err()
}

fn added(files: &Sources, name: &str) -> String {
    let table = agents::standing(name, TilePos::new(2, 1), files).unwrap();
    edited(files, Edit::AddAgent { name: name.to_owned(), table, copy_of: None, before: None })
}

const GUARD: &str = "\
tiles = '''
....
....
'''

# The guard.
[[agent]]
name    = \"guard\"
at      = [0, 0]

# On patrol.
[[agent.mode]]
name    = \"rest\"

[[expect]]
name   = \"calm\"
always = \"not guard.stuck\"
";

#[test]
fn a_new_agent_follows_the_last_agent_in_the_style_of_the_file() {
    let aligned = "\n[[agent]]\nname = \"thief\"\nat   = [2, 1]\n";
    let files = map(GUARD);
    let expected = GUARD.replace("\n\n[[expect]]", &format!("\n{aligned}\n[[expect]]"));
    assert_eq!(added(&files, "thief"), expected);
    // Without alignment.
    let tight = "tiles = '''\n....\n....\n'''\n[[agent]]\nname = \"guard\"\nat = [0, 0]";
    let expected = format!("{tight}\n\n[[agent]]\nname = \"thief\"\nat = [2, 1]\n");
    assert_eq!(added(&map(tight), "thief"), expected);
    // The first agent, and CRLF line ends.
    let empty = "tiles = '''\r\n..\r\n'''\r\n";
    let expected = format!("{empty}\r\n[[agent]]\r\nname = \"thief\"\r\nat   = [2, 1]\r\n");
    assert_eq!(added(&map(empty), "thief"), expected);
    // Inline tables.
    for (before, after) in [
        (
            "agent = [\n  { name = 'a', at = [0, 0] },\n]\n",
            "agent = [\n  { name = 'a', at = [0, 0] },\n  { name = \"thief\", at = [2, 1] },\n]\n",
        ),
        (
            "agent = [{ name = 'a', at = [0, 0] }]",
            "agent = [{ name = 'a', at = [0, 0] }, { name = \"thief\", at = [2, 1] }]",
        ),
    ] {
        assert_eq!(added(&map(before), "thief"), after);
    }
}

#[test]
fn a_copy_has_another_name_and_start_and_all_other_lines() {
    let files = map(GUARD);
    let table = agents::copied("guard", "sentry", TilePos::new(3, 1), &files).unwrap();
    assert_eq!(
        table,
        "# The guard.\n[[agent]]\nname    = \"sentry\"\nat      = [3, 1]\n\n# On patrol.\n\
         [[agent.mode]]\nname    = \"rest\"\n"
    );
    let edit = Edit::AddAgent { name: "sentry".to_owned(), table, copy_of: None, before: None };
    assert!(edited(&files, edit).contains("[[expect]]"));
    let random = map("[[agent]]\nname = 'b'\nat = 'anywhere'\ncount = 3\n");
    let table = agents::copied("b", "c", TilePos::new(3, 1), &random).unwrap();
    assert_eq!(table, "[[agent]]\nname = \"c\"\nat = 'anywhere'\ncount = 3\n");
    let error = agents::copied("gard", "c", TilePos::new(3, 1), &files).unwrap_err();
    assert_eq!(error, "no agent `gard` in the map file: did you mean `guard`?");
}

#[test]
fn removing_an_agent_removes_its_modes_and_its_comment() {
    let files = map(GUARD);
    let removed = edited(&files, Edit::RemoveAgent { name: "guard".to_owned() });
    let rest = "[[expect]]\nname   = \"calm\"\nalways = \"not guard.stuck\"\n";
    assert_eq!(removed, format!("tiles = '''\n....\n....\n'''\n\n{rest}"));
    for (before, after) in [
        ("agent = [{ name = 'guard' }, { name = 'b' }]", "agent = [{ name = 'b' }]"),
        ("agent = [{ name = 'b' }, { name = 'guard' }]", "agent = [{ name = 'b' }]"),
    ] {
        assert_eq!(edited(&map(before), Edit::RemoveAgent { name: "guard".to_owned() }), after);
    }
}

#[test]
fn renaming_an_agent_changes_conditions_and_targets_but_no_modes() {
    let castle = builtin::origin("castle");
    let loaded = tilewalk_files::load(&castle, &Options::default()).unwrap();
    let files = Sources::clone(loaded.scenario.unwrap().sources());
    let rename = |from: &str, to: &str| Edit::RenameAgent { from: from.into(), to: to.into() };
    let renamed = edited(&files, rename("thief", "fox"));
    assert_eq!(renamed.matches("sees(fox)").count(), 5);
    assert!(renamed.contains("chase  = \"fox\"") && renamed.contains("last_seen(fox)"));
    assert!(renamed.contains("eventually = \"fox.mode == \\\"caught\\\"\""), "{renamed}");
    // Comments and titles stay the same.
    assert!(renamed.contains("the thief is caught sooner or later"));
    let mut after = files.clone();
    after.files[0].text = renamed.into();
    let reloaded = tilewalk_files::reload(&Arc::new(after), &Options::default()).unwrap();
    assert!(reloaded.scenario.is_some(), "{}", reloaded.report.plain());
    // A mode with the same name stays the same.
    let mode = map("[[agent]]\nname = 'a'\n[[agent.mode]]\nname = 'a'\n\
                    switch = [{ when = \"b.mode == \\\"a\\\" and a.x > b.a\", to = 'a' }]\n");
    let after = edited(&mode, rename("a", "c"));
    assert!(after.contains("name = 'c'\n[[agent.mode]]\nname = 'a'"), "{after}");
    assert!(after.contains("b.mode == \\\"a\\\" and c.x > b.a\", to = 'a'"), "{after}");
    assert_eq!(refused(&files, rename("thief", "guard")), "an agent `guard` already exists");
}

#[test]
fn an_attached_pattern_replaces_the_movement_of_the_mode() {
    let attach = |mode: Option<&str>| Edit::Attach {
        agent: "a".to_owned(),
        mode: mode.map(str::to_owned),
        pattern: "round".to_owned(),
    };
    for (before, mode, after) in [
        ("name = 'a'\nat   = [0, 0]\n", None, "name = 'a'\nat   = [0, 0]\npattern = \"round\"\n"),
        ("name = 'a'\npattern = 'x' # old\n", None, "name = 'a'\npattern = \"round\" # old\n"),
        (
            "name = 'a'\nsteer = [\n  { do = 'wander' },\n]\ncombine = 'weighted'\npace = 3\n",
            None,
            "name = 'a'\npace = 3\npattern = \"round\"\n",
        ),
        (
            "name = 'a'\n[[agent.mode]]\nname = 'm'\n[[agent.mode]]\nname = 'n'\ntravel = 'b'\n",
            Some("n"),
            "name = 'a'\n[[agent.mode]]\nname = 'm'\n[[agent.mode]]\nname = 'n'\n\
             pattern = \"round\"\n",
        ),
    ] {
        let [before, after] = [before, after].map(|text| format!("[[agent]]\n{text}"));
        assert_eq!(edited(&map(&before), attach(mode)), after);
    }
    let inline = map("agent = [{ name = 'a', travel = 'b', pace = 3 }]");
    assert_eq!(
        edited(&inline, attach(None)),
        "agent = [{ name = 'a', pace = 3, pattern = \"round\" }]"
    );
}

/// Adds an agent to each built-in map, and copies and renames each of its agents. The map stays valid,
/// with one more agent or the same number.
#[test]
fn agents_of_every_built_in_map_can_be_copied_and_renamed() {
    for listing in builtin::maps() {
        let origin = builtin::origin(&listing.name);
        let loaded = tilewalk_files::load(&origin, &Options::default()).unwrap();
        let map = loaded.scenario.unwrap();
        let files = map.sources();
        let kinds = |text: &str| {
            let mut after = Sources::clone(files);
            after.files[0].text = text.into();
            let loaded = tilewalk_files::reload(&Arc::new(after), &Options::default()).unwrap();
            let report = loaded.report.plain();
            loaded.scenario.map(|map| map.kinds().len()).ok_or(report)
        };
        let name = &listing.name;
        let count = map.kinds().len();
        let at = TilePos::containing(map.starts()[0].position);
        let table = agents::standing("newcomer", at, files).unwrap();
        let add =
            |table| Edit::AddAgent { name: "newcomer".into(), table, copy_of: None, before: None };
        assert_eq!(kinds(&edited(files, add(table))), Ok(count + 1), "{name}");
        for kind in map.kinds() {
            let rename = Edit::RenameAgent { from: kind.name.clone(), to: "newcomer".into() };
            assert_eq!(kinds(&edited(files, rename)), Ok(count), "{name}: {}", kind.name);
            let start = map.starts()[kind.first.index()].position;
            let at = TilePos::containing(start);
            let table = agents::copied(&kind.name, "newcomer", at, files).unwrap();
            if kinds(&edited(files, add(table))) != Ok(count + 1) {
                // A random start may have no room for a copy, and solid bodies overlap.
                let table = agents::copied(&kind.name, "newcomer", at, files).unwrap();
                let why = kinds(&edited(files, add(table))).unwrap_err();
                let expected = ["no free tile", "overlap", "solid agents can't share a tile"];
                assert!(expected.iter().any(|part| why.contains(part)), "{name}: {why}");
            }
            edited(files, Edit::RemoveAgent { name: kind.name.clone() });
        }
    }
}
