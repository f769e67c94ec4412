//! An edit changes only the bytes of its value, and undoing it restores the text.

use std::sync::Arc;

use proptest::prelude::*;
use tilewalk_files::Options;
use tilewalk_files::write::edit::draft::Draft;
use tilewalk_files::write::edit::starts::{self, NamedPoint};
use tilewalk_files::write::edit::{Edit, matrix_pattern, path_pattern, tiles};
use tilewalk_sim::geom::TilePos;
use tilewalk_sim::scenario::Scenario;
use tilewalk_sim::scenario::sources::{FileRole, SourceFile, Sources};
use tilewalk_test_support::builtin;
use unicode_segmentation::UnicodeSegmentation;

/// Returns the files of a built-in map. `crlf` converts line ends to CRLF, and `cut` removes the last line
/// end.
fn shipped(number: usize, crlf: bool, cut: bool) -> Sources {
    let maps = builtin::maps();
    let origin = builtin::origin(&maps[number % maps.len()].name);
    let loaded = tilewalk_files::load(&origin, &Options::default()).unwrap();
    let mut sources = Sources::clone(loaded.scenario.unwrap().sources());
    for file in &mut sources.files {
        let text = if crlf { file.text.replace('\n', "\r\n") } else { file.text.to_string() };
        file.text = if cut { text.trim_end().into() } else { text.into() };
    }
    sources
}

/// Loads a map, or returns `None` if it has errors.
fn load(sources: &Sources) -> Option<Arc<Scenario>> {
    tilewalk_files::reload(&Arc::new(sources.clone()), &Options::default()).unwrap().scenario
}

fn tile(number: usize, (width, height): (u32, u32)) -> TilePos {
    let (width, height) = (width as usize, height as usize);
    TilePos::new((number % width) as i32, (number / width % height) as i32)
}

/// Returns an edit chosen by random numbers, or `None` if the files have nothing that such an edit can
/// change.
fn edit(
    (choice, a, b, c): (u8, usize, usize, usize),
    files: &Sources,
    map: &Scenario,
) -> Option<Edit> {
    let size = (map.map().width(), map.map().height());
    let pattern = |kind: &str| {
        let patterns = files.files.iter().filter_map(|file| match &file.place {
            FileRole::Pattern(name) if file.text.contains(&format!("\"{kind}\"")) => {
                Some(name.clone())
            }
            _ => None,
        });
        let patterns: Vec<_> = patterns.collect();
        (!patterns.is_empty()).then(|| patterns[a % patterns.len()].clone())
    };
    match choice % 5 {
        0 | 1 => {
            let glyph = map.map().legend()[c % map.map().legend().len()].glyph.clone();
            let count = 1 + b % 30;
            let tiles = (0..count).map(|step| tile(a + step * b, size));
            Some(Edit::Paint(tiles.map(|tile| (tile, glyph.clone())).collect()))
        }
        2 => {
            let movable = starts::standing(files);
            let selected = (!movable.is_empty()).then(|| &movable[a % movable.len()])?;
            Some(selected.to(tile(b, size)))
        }
        3 => {
            let vertices = (0..2 + b % 9).map(|step| tile(a + step * c, size)).collect();
            Some(Edit::Draw { pattern: pattern("path")?, vertices, closed: c.is_multiple_of(2) })
        }
        _ => {
            let count = 1 + b % 12;
            let cells =
                (0..count).map(|step| (tile(a + step * c, (40, 30)), step % 3 > 0)).collect();
            Some(Edit::Cells { pattern: pattern("matrix")?, cells })
        }
    }
}

/// Returns the text without the parts that an edit may change.
fn unedited_part(edit: &Edit, text: &str) -> String {
    let without = |from: usize, to: usize| format!("{}{}", &text[..from], &text[to..]);
    match edit {
        // Replaces painted tiles with `?`.
        Edit::Paint(painted) => {
            let begin =
                text.find("\ntiles").map_or(0, |at| at + text[at..].find("'''").unwrap() + 3);
            let skip = usize::from(begin > 0);
            let line = |(y, line): (usize, &str)| {
                let glyph = |(x, glyph): (usize, &str)| {
                    let here = TilePos::new(x as i32, y as i32 - skip as i32);
                    if painted.contains_key(&here) { "?".to_owned() } else { glyph.to_owned() }
                };
                let (row, end) = line.split_at(line.trim_end_matches(['\r', '\n']).len());
                row.graphemes(true).enumerate().map(glyph).collect::<String>() + end
            };
            let rows = text[begin..].split_inclusive('\n').enumerate().map(line);
            format!("{}{}", &text[..begin], rows.collect::<String>())
        }
        // Removes the coordinates of the start or place.
        Edit::Move { point, .. } => {
            let at = match point {
                NamedPoint::Start(name) => {
                    let named = |line: &str| {
                        line.starts_with("name") && line.contains(&format!("= \"{name}\""))
                    };
                    let head = text.lines().find(|line| named(line)).unwrap();
                    let head = head.as_ptr() as usize - text.as_ptr() as usize;
                    head + text[head..].find("\nat").unwrap()
                }
                NamedPoint::Place(name) => text.find(&format!("\n{name}")).unwrap(),
            };
            let from = at + text[at..].find('[').unwrap();
            without(from, from + text[from..].find(']').unwrap())
        }
        Edit::Draw { .. } => {
            let from = text.find("vertices").unwrap();
            let to = from + text[from..].find("]]").or(text[from..].find("]\n]")).unwrap_or(0);
            let lines = without(from, to);
            let keeps = |line: &&str| !line.starts_with("closed");
            lines.split_inclusive('\n').filter(keeps).collect::<String>().trim_end().to_owned()
        }
        Edit::Cells { .. } => match text.find("cells") {
            None => text.trim_end().to_owned(),
            Some(from) => {
                let begin = from + text[from..].find("'''").unwrap() + 3;
                let end = begin + text[begin..].find("'''").unwrap() + 3;
                let end = end + text[end..].find('\n').map_or(text.len() - end, |at| at + 1);
                without(from, end).trim_end().to_owned()
            }
        },
        // `edit_agents.rs` tests the edits of agents.
        _ => unreachable!("not drawn"),
    }
}

/// Returns the files that an edit changed, each before and after the edit.
fn differing<'a>(before: &'a Sources, after: &'a Sources) -> Vec<(&'a SourceFile, &'a SourceFile)> {
    let pairs = before.files.iter().zip(&after.files);
    pairs.filter(|(before, after)| before != after).collect()
}

/// Returns true if the files contain the result of an edit.
fn is_applied(edit: &Edit, files: &Sources) -> bool {
    match edit {
        Edit::Paint(painted) => {
            let written = painted
                .iter()
                .all(|(&tile, glyph)| tiles::glyph(tile, files).as_ref() == Some(glyph));
            // A wall painted over a start makes the map invalid. Then only the text is checked.
            let loaded = load(files);
            written
                && loaded.is_none_or(|map| {
                    painted
                        .iter()
                        .all(|(&tile, glyph)| map.map().kind(tile).unwrap().glyph == *glyph)
                })
        }
        Edit::Move { point, .. } => {
            starts::standing(files).iter().any(|movable| movable.point == *point)
        }
        Edit::Draw { pattern, vertices, closed } => {
            let drawn = path_pattern::read(pattern, files).unwrap();
            drawn.vertices == *vertices && drawn.closed == *closed
        }
        Edit::Cells { pattern, cells } => {
            let painted = matrix_pattern::read(pattern, files).unwrap().painted;
            cells.iter().all(|(tile, on)| painted.contains(tile) == *on)
        }
        _ => unreachable!("not drawn"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn edits_keep_all_other_bytes_and_undo_restores_the_files(
        map: usize, crlf: bool, cut: bool,
        choices in prop::collection::vec((0..5_u8, 0..9999_usize, 0..999_usize, 0..99_usize), 1..9),
    ) {
        let original = shipped(map, crlf, cut);
        let scenario = load(&original).expect("a built-in map");
        let mut draft = Draft::new(Arc::new(original.clone()));
        let mut edit_count = 0;
        for numbers in choices {
            let before = Arc::clone(draft.files());
            let Some(edit) = edit(numbers, &before, &scenario) else { continue };
            // An edit that is not possible returns an error and changes nothing.
            let Ok(next) = draft.with(edit.clone()) else { continue };
            let Some(next) = next else { continue };
            draft = next;
            edit_count += 1;
            let differing = differing(&before, draft.files());
            prop_assert_eq!(differing.len(), 1, "{:?}", &edit);
            let (old, new) = differing[0];
            prop_assert_eq!(unedited_part(&edit, &old.text), unedited_part(&edit, &new.text), "{:?}", &edit);
            let has_lf = new.text.replace("\r\n", "").contains('\n');
            prop_assert!(!crlf || !has_lf, "line ends are mixed after {:?}", &edit);
            prop_assert!(is_applied(&edit, draft.files()), "{:?}\n{}", &edit, new.text);
        }
        let last = Arc::clone(draft.files());
        let undone = (0..edit_count).fold(draft.clone(), |draft, _| draft.undo().expect("an edit").0);
        prop_assert!(undone.undo().is_none() && !undone.is_unsaved());
        prop_assert_eq!(&**undone.files(), &original);
        let redone = (0..edit_count).fold(undone, |draft, _| draft.redo().expect("an edit").0);
        prop_assert!(redone.redo().is_none());
        prop_assert_eq!(redone.files(), &last);
        // Merging the draft with the original files gives the same result.
        prop_assert_eq!(&draft.merged(&original).expect("no conflict").files, &last.files);
    }

    /// Undoing the rebased edits restores the files of the other program.
    #[test]
    fn rebased_edits_keep_the_text_that_another_program_added(
        map: usize,
        choices in prop::collection::vec((0..3_u8, 0..9999_usize, 0..999_usize, 0..99_usize), 1..6),
    ) {
        let original = shipped(map, false, false);
        let scenario = load(&original).expect("a built-in map");
        let mut draft = Draft::new(Arc::new(original.clone()));
        for numbers in choices {
            let Some(edit) = edit(numbers, draft.files(), &scenario) else { continue };
            if let Ok(Some(next)) = draft.with(edit) {
                draft = next;
            }
        }
        let mut theirs = original;
        theirs.files[0].text = format!("# theirs\n{}", theirs.files[0].text).into();
        let (theirs, mine) = (Arc::new(theirs), draft.files().files[0].text.to_string());
        let rebased = draft.rebased(&theirs).expect("no conflict");
        let expected = format!("# theirs\n{mine}");
        prop_assert_eq!(&*rebased.files().files[0].text, expected.as_str());
        prop_assert_eq!(&*draft.merged(&theirs).expect("no conflict").files[0].text, expected.as_str());
        let mut undone = rebased;
        while let Some((next, _)) = undone.undo() {
            undone = next;
        }
        prop_assert_eq!(undone.files(), &theirs);
    }

    /// Random edits, undos, redos and saves come first. Then another program changes the files.
    #[test]
    fn a_rebase_after_undos_redos_and_saves_keeps_text_of_other_programs(
        map: usize, crlf: bool, cut: bool,
        actions in prop::collection::vec((0..9_u8, (0..5_u8, 0..9999_usize, 0..999_usize, 0..99_usize)), 1..20),
    ) {
        let original = shipped(map, crlf, cut);
        let scenario = load(&original).expect("a built-in map");
        let mut draft = Draft::new(Arc::new(original.clone()));
        let mut disk = original;
        for (action, numbers) in actions {
            match action {
                0..4 => {
                    let Some(edit) = edit(numbers, draft.files(), &scenario) else { continue };
                    if let Ok(Some(next)) = draft.with(edit) {
                        draft = next;
                    }
                }
                4..6 => draft = draft.undo().map_or(draft, |(next, _)| next),
                6..8 => draft = draft.redo().map_or(draft, |(next, _)| next),
                _ => {
                    draft.saved();
                    disk = Sources::clone(draft.files());
                }
            }
        }
        let changed = |files: &Sources| {
            let mut files = files.clone();
            for file in &mut files.files {
                if !matches!(file.place, FileRole::Beside(_)) {
                    file.text = format!("# theirs\n{}", file.text).into();
                }
            }
            files
        };
        let (theirs, expected) = (Arc::new(changed(&disk)), changed(draft.files()));
        let merged = draft.merged(&theirs).expect("no conflict");
        let rebased = draft.rebased(&theirs).expect("no conflict");
        prop_assert_eq!(&merged.files, &rebased.files().files);
        for (file, expected_file) in merged.files.iter().zip(&expected.files) {
            // An undo can change the format of a path or matrix, so only its content is compared.
            let is_same = match &file.place {
                FileRole::Pattern(name) => {
                    let path = |files| path_pattern::read(name, files).map(|it| (it.vertices, it.closed));
                    let cells = |files| matrix_pattern::read(name, files).map(|it| it.painted);
                    (path(&merged), cells(&merged)) == (path(&expected), cells(&expected))
                }
                FileRole::Map | FileRole::Beside(_) => file.text == expected_file.text,
            };
            prop_assert!(is_same, "{}\n{}", file.text, expected_file.text);
        }
    }
}
