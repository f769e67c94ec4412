//! An editor and tilewalk save a map at the same moment: the editor's text is never lost.

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::thread;
use std::time::Duration;

use tilewalk_files::settings;
use tilewalk_files::write::{self, FileToChange, WriteError};

use crate::support::build;

const MAP: &str = "tiles = '...'\n[[agent]]\nname = 'a'\nat = [0, 0]\nbody = { radius = 0.3 }\n";
const EDITED: &str =
    "tiles = '....'\n[[agent]]\nname = 'a'\nat = [0, 0]\nbody = { radius = 0.4 }\n";

/// How an editor replaces a file.
#[derive(Debug, Clone, Copy)]
enum Style {
    /// Writes another file and renames it.
    Rename,
    /// Empties the file and writes it in two parts.
    Truncate,
    /// Opens the file, empties it later, and writes it in two parts.
    Overwrite,
}

/// Saves a file like an editor. `pause` is the time between two file operations.
fn edit(path: &Path, style: Style, pause: Duration) {
    match style {
        Style::Rename => {
            let temporary = path.with_extension("edited");
            fs::write(&temporary, EDITED).unwrap();
            thread::sleep(pause);
            fs::rename(&temporary, path).unwrap();
        }
        Style::Truncate | Style::Overwrite => {
            let mut file = File::options().write(true).open(path).unwrap();
            if matches!(style, Style::Overwrite) {
                thread::sleep(pause);
            }
            file.set_len(0).unwrap();
            thread::sleep(pause);
            let (first, second) = EDITED.split_at(20);
            file.write_all(first.as_bytes()).unwrap();
            thread::sleep(pause);
            file.write_all(second.as_bytes()).unwrap();
        }
    }
}

#[test]
fn a_save_of_an_editor_during_a_save_of_tilewalk_is_never_lost() {
    let setting = settings::parse("a.max_speed=2").unwrap();
    // Number of cases by outcome: the editor saved last, the test restored the editor's text, the write
    // restored it, or the editor saved first.
    let mut outcomes = [0; 4];
    for case in 0..build::tries(100) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("map.toml");
        fs::write(&path, MAP).unwrap();
        let style = [Style::Rename, Style::Truncate, Style::Overwrite][case % 3];
        // The delays are spread over the duration of a write.
        let delay = Duration::from_micros((case as u64 * 37) % 900);
        let pause = Duration::from_micros((case as u64 * 101) % 1100);
        let editor = {
            let path = path.clone();
            thread::spawn(move || {
                thread::sleep(delay);
                edit(&path, style, pause);
            })
        };
        let wanted = FileToChange { path: &path, known: MAP, is_toml: true };
        let make = |texts: &[String]| {
            Ok(vec![settings::apply(&texts[0], std::slice::from_ref(&setting))?])
        };
        let result = write::files(&path, &[wanted], false, make);
        editor.join().unwrap();
        match result {
            Ok(written) => {
                let old = written.replaced.into_iter().next().unwrap();
                outcomes[usize::from(old.is_changed())] += 1;
                if old.is_changed() {
                    old.restore().unwrap();
                }
            }
            Err(WriteError::Saved { kept, .. }) => {
                let kept = fs::read_to_string(kept.unwrap()).unwrap();
                assert!(kept.contains("max_speed = 2"), "{kept}");
                outcomes[2] += 1;
            }
            // The editor saved first.
            Err(WriteError::Changed(_) | WriteError::NotToml(_)) => outcomes[3] += 1,
            Err(error) => panic!("case {case}: {error}"),
        }
        assert_eq!(
            fs::read_to_string(&path).unwrap(),
            EDITED,
            "case {case}, {style:?}, {outcomes:?}"
        );
    }
}
