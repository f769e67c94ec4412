//! An edit changes only the bytes of its value, and undoing it restores the text.

use std::sync::Arc;

use proptest::prelude::*;
use tilewalk::builtin;
use tilewalk::files::edit::draft::Draft;
use tilewalk::files::edit::spots::{self, Thing};
use tilewalk::files::edit::{Edit, cells, ground, route};
use tilewalk::files::{self, Options};
use tilewalk::geom::TilePos;
use tilewalk::scenario::Scenario;
use tilewalk::scenario::sources::{FileRole, SourceFile, Sources};
use unicode_segmentation::UnicodeSegmentation;

/// A shipped map, perhaps with the ends of lines of another system and without the last one.
fn shipped(number: usize, crlf: bool, cut: bool) -> Sources {
    let maps = builtin::maps();
    let origin = builtin::origin(&maps[number % maps.len()].name);
    let loaded = files::load(&origin, &Options::default()).unwrap();
    let mut sources = Sources::clone(loaded.scenario.unwrap().sources());
    for file in &mut sources.files {
        let text = if crlf { file.text.replace('\n', "\r\n") } else { file.text.to_string() };
        file.text = if cut { text.trim_end().into() } else { text.into() };
    }
    sources
}

fn played(sources: &Sources) -> Option<Arc<Scenario>> {
    files::reload(&Arc::new(sources.clone()), &Options::default()).unwrap().scenario
}

fn tile(number: usize, (width, height): (u32, u32)) -> TilePos {
    let (width, height) = (width as usize, height as usize);
    TilePos::new((number % width) as i32, (number / width % height) as i32)
}

/// Some edit of the files, by numbers.
fn edit(
    (sort, a, b, c): (u8, usize, usize, usize),
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
    match sort % 5 {
        0 | 1 => {
            let glyph = map.map().legend()[c % map.map().legend().len()].glyph.clone();
            let count = 1 + b % 30;
            let tiles = (0..count).map(|step| tile(a + step * b, size));
            Some(Edit::Paint(tiles.map(|tile| (tile, glyph.clone())).collect()))
        }
        2 => {
            let standing = spots::standing(files);
            let thing = (!standing.is_empty()).then(|| &standing[a % standing.len()])?;
            Some(thing.to(tile(b, size)))
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

/// The text with what the edit is about cut out.
fn rest(edit: &Edit, text: &str) -> String {
    let without = |from: usize, to: usize| format!("{}{}", &text[..from], &text[to..]);
    match edit {
        // Rows of glyphs: painted tiles become one and the same.
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
        // Numbers of one line become one and the same.
        Edit::Move { thing, .. } => {
            let at = match thing {
                Thing::Start(name) => {
                    let named = |line: &str| {
                        line.starts_with("name") && line.contains(&format!("= \"{name}\""))
                    };
                    let head = text.lines().find(|line| named(line)).unwrap();
                    let head = head.as_ptr() as usize - text.as_ptr() as usize;
                    head + text[head..].find("\nat").unwrap()
                }
                Thing::Place(name) => text.find(&format!("\n{name}")).unwrap(),
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
    }
}

fn differing<'a>(before: &'a Sources, after: &'a Sources) -> Vec<(&'a SourceFile, &'a SourceFile)> {
    let pairs = before.files.iter().zip(&after.files);
    pairs.filter(|(before, after)| before != after).collect()
}

/// Does the map have what was painted, moved or drawn?
fn is_done(edit: &Edit, files: &Sources) -> bool {
    match edit {
        Edit::Paint(painted) => {
            let written = painted
                .iter()
                .all(|(&tile, glyph)| ground::glyph(tile, files).as_ref() == Some(glyph));
            // A wall over somebody's start makes no map; then there is nobody to ask.
            let played = played(files);
            written
                && played.is_none_or(|map| {
                    painted
                        .iter()
                        .all(|(&tile, glyph)| map.map().kind(tile).unwrap().glyph == *glyph)
                })
        }
        Edit::Move { thing, .. } => {
            spots::standing(files).iter().any(|standing| standing.thing == *thing)
        }
        Edit::Draw { pattern, vertices, closed } => {
            let drawn = route::read(pattern, files).unwrap();
            drawn.vertices == *vertices && drawn.closed == *closed
        }
        Edit::Cells { pattern, cells } => {
            let painted = cells::read(pattern, files).unwrap().painted;
            cells.iter().all(|(tile, on)| painted.contains(tile) == *on)
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn edits_keep_every_other_byte_and_are_undone_to_the_very_bytes(
        map: usize, crlf: bool, cut: bool,
        wishes in prop::collection::vec((0..5_u8, 0..9999_usize, 0..999_usize, 0..99_usize), 1..9),
    ) {
        let original = shipped(map, crlf, cut);
        let scenario = played(&original).expect("a shipped map");
        let mut draft = Draft::new(Arc::new(original.clone()));
        let mut made = 0;
        for wish in wishes {
            let before = Arc::clone(draft.files());
            let Some(edit) = edit(wish, &before, &scenario) else { continue };
            // What can't be says why, and changes nothing.
            let Ok(next) = draft.with(edit.clone()) else { continue };
            let Some(next) = next else { continue };
            draft = next;
            made += 1;
            let differing = differing(&before, draft.files());
            prop_assert_eq!(differing.len(), 1, "{:?}", &edit);
            let (old, new) = differing[0];
            prop_assert_eq!(rest(&edit, &old.text), rest(&edit, &new.text), "{:?}", &edit);
            let lone = new.text.replace("\r\n", "").contains('\n');
            prop_assert!(!crlf || !lone, "ends of lines are mixed by {:?}", &edit);
            prop_assert!(is_done(&edit, draft.files()), "{:?}\n{}", &edit, new.text);
        }
        let last = Arc::clone(draft.files());
        let redone = (0..made).fold(draft.clone(), |draft, _| draft.undo().expect("an edit").0);
        prop_assert!(redone.undo().is_none() && !redone.is_unsaved());
        prop_assert_eq!(&**redone.files(), &original);
        let redone = (0..made).fold(redone, |draft, _| draft.redo().expect("an edit").0);
        prop_assert!(redone.redo().is_none());
        prop_assert_eq!(redone.files(), &last);
        // Onto the same files all comes to the same, whether they are known or not.
        prop_assert_eq!(&draft.merged(&original).expect("it fits").files, &last.files);
    }

    /// What somebody else adds to a file stays when edits are put on top of it.
    #[test]
    fn edits_fit_on_top_of_what_others_save(
        map: usize,
        wishes in prop::collection::vec((0..3_u8, 0..9999_usize, 0..999_usize, 0..99_usize), 1..6),
    ) {
        let original = shipped(map, false, false);
        let scenario = played(&original).expect("a shipped map");
        let mut draft = Draft::new(Arc::new(original.clone()));
        for wish in wishes {
            let Some(edit) = edit(wish, draft.files(), &scenario) else { continue };
            if let Ok(Some(next)) = draft.with(edit) {
                draft = next;
            }
        }
        let mut theirs = original;
        theirs.files[0].text = format!("# theirs\n{}", theirs.files[0].text).into();
        let (theirs, mine) = (Arc::new(theirs), draft.files().files[0].text.to_string());
        let rebased = draft.rebased(&theirs).expect("they fit");
        let expected = format!("# theirs\n{mine}");
        prop_assert_eq!(&*rebased.files().files[0].text, expected.as_str());
        prop_assert_eq!(&*draft.merged(&theirs).expect("they fit").files[0].text, expected.as_str());
        let mut undone = rebased;
        while let Some((next, _)) = undone.undo() {
            undone = next;
        }
        prop_assert_eq!(undone.files(), &theirs);
    }

    /// Edits that were undone or redone, before or after a save, fit on top of what others save.
    #[test]
    fn undone_edits_fit_on_top_of_what_others_save(
        map: usize, crlf: bool, cut: bool,
        acts in prop::collection::vec((0..9_u8, (0..5_u8, 0..9999_usize, 0..999_usize, 0..99_usize)), 1..20),
    ) {
        let original = shipped(map, crlf, cut);
        let scenario = played(&original).expect("a shipped map");
        let mut draft = Draft::new(Arc::new(original.clone()));
        let mut disk = original;
        for (act, wish) in acts {
            match act {
                0..4 => {
                    let Some(edit) = edit(wish, draft.files(), &scenario) else { continue };
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
        let merged = draft.merged(&theirs).expect("they fit");
        let rebased = draft.rebased(&theirs).expect("they fit");
        prop_assert_eq!(&merged.files, &rebased.files().files);
        for (file, wanted) in merged.files.iter().zip(&expected.files) {
            // An undone path or matrix can be written in another way than before.
            let is_same = match &file.place {
                FileRole::Pattern(name) => {
                    let path = |files| route::read(name, files).map(|it| (it.vertices, it.closed));
                    let cells = |files| cells::read(name, files).map(|it| it.painted);
                    (path(&merged), cells(&merged)) == (path(&expected), cells(&expected))
                }
                FileRole::Map | FileRole::Beside(_) => file.text == wanted.text,
            };
            prop_assert!(is_same, "{}\n{}", file.text, wanted.text);
        }
    }
}
