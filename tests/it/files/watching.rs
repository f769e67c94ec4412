//! The file watcher reports each saved text once, however the file is saved.

#![expect(clippy::disallowed_methods, reason = "a test waits for a watcher in real time")]
#![expect(clippy::print_stdout, reason = "how soon a save is told is worth a look: --nocapture")]

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

use tilewalk::files::Options;
use tilewalk::files::changed_files::WatcherEvent;
use tilewalk::scenario::sources::FileRole;
use tilewalk::watching::{Map, Watching};

use crate::support::desk::Log;

const MAP: &str = "\
tiles = \"\"\"
............
............
\"\"\"
[[agent]]
name = \"cat\"
at = [1, 0]
pattern = \"round\"
";

const ROUND: &str = "kind = \"path\"\nvertices = [[1, 0], [5, 0]]\n";

/// How long news may take before a test fails; how long they do take is told.
const PATIENCE: Duration = Duration::from_secs(10);

/// A map in a folder that is watched.
struct Watched {
    folder: tempfile::TempDir,
    watching: Watching,
    woken: Receiver<()>,
}

/// What was told: the text of the map and of its pattern, or that they can't be read.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Told {
    Read(String, String),
    Broken,
    Polled,
}

impl Watched {
    fn new() -> Self {
        Self::polled(false)
    }

    fn polled(poll: bool) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        fs::create_dir_all(folder.path().join("maps")).expect("a folder");
        fs::create_dir_all(folder.path().join("patterns")).expect("a folder");
        fs::write(folder.path().join("maps/m.toml"), MAP).expect("a map");
        fs::write(folder.path().join("patterns/round.toml"), ROUND).expect("a pattern");
        let (wake, woken) = mpsc::channel();
        let watching = Watching::start(poll, move || {
            let _ = wake.send(());
        })
        .expect("a thread");
        let (id, path) = ("m".to_owned(), folder.path().join("maps/m.toml"));
        watching.watch(Some(Map { id, path, options: Options::default() }));
        let watched = Self { folder, watching, woken };
        assert_eq!(watched.next(), Some(Told::Read(MAP.to_owned(), ROUND.to_owned())));
        watched
    }

    fn map(&self) -> PathBuf {
        self.folder.path().join("maps/m.toml")
    }

    fn pattern(&self) -> PathBuf {
        self.folder.path().join("patterns/round.toml")
    }

    /// The next news, if there is some within a time.
    fn within(&self, time: Duration) -> Option<Told> {
        let begin = Instant::now();
        loop {
            if let Some(message) = self.watching.next_message() {
                return Some(match message.event {
                    WatcherEvent::Polled(_) => Told::Polled,
                    WatcherEvent::Read(Err(_)) => Told::Broken,
                    WatcherEvent::Read(Ok(loaded)) => match loaded.scenario {
                        None => Told::Broken,
                        Some(scenario) => {
                            let text = |place| {
                                let file = scenario.sources().file(&place);
                                file.map_or(String::new(), |file| file.text.to_string())
                            };
                            let round = text(FileRole::Pattern("round".to_owned()));
                            Told::Read(text(FileRole::Map), round)
                        }
                    },
                });
            }
            let left = time.checked_sub(begin.elapsed())?;
            self.woken.recv_timeout(left).ok()?;
        }
    }

    fn next(&self) -> Option<Told> {
        self.within(PATIENCE)
    }

    /// Waits until a content is told, whatever comes before; says how long that took.
    fn wait_for(&self, wanted: &Told) -> Duration {
        let begin = Instant::now();
        let mut others = Vec::new();
        loop {
            let told = self.next();
            if told.as_ref() == Some(wanted) {
                return begin.elapsed();
            }
            others.push(told);
            assert!(others.len() < 1000 && others.last() != Some(&None), "only {others:?}");
        }
    }
}

/// The map with the cat elsewhere.
fn text(round: usize) -> String {
    MAP.replace("[1, 0]", &format!("[{}, {}]", 1 + round % 9, (round / 9) % 2))
}

fn truncate_and_write(path: &Path, text: &str) {
    let mut file = File::create(path).expect("a file");
    let (one, two) = text.as_bytes().split_at(text.len() / 2);
    file.write_all(one).expect("it can be written");
    thread::sleep(Duration::from_millis(2));
    file.write_all(two).expect("it can be written");
}

fn rename_over(path: &Path, text: &str) {
    let fresh = path.with_extension("toml.new");
    fs::write(&fresh, text).expect("it can be written");
    fs::rename(&fresh, path).expect("it can be moved");
}

/// What vim does with `backupcopy=no`: the old file gets another name, a new one is written.
fn vim_with_backup(path: &Path, text: &str) {
    let (backup, swap) = (path.with_extension("toml~"), path.with_file_name(".m.toml.swp"));
    fs::write(&swap, "b0VIM").expect("it can be written");
    fs::rename(path, &backup).expect("it can be moved");
    fs::write(path, text).expect("it can be written");
    fs::remove_file(&backup).expect("it was there");
    fs::remove_file(&swap).expect("it was there");
}

/// With `backupcopy=yes`: a copy is made, the old file is written anew, the copy goes.
fn vim_without_backup(path: &Path, text: &str) {
    let backup = path.with_extension("toml~");
    fs::copy(path, &backup).expect("a copy");
    truncate_and_write(path, text);
    File::open(path).expect("a file").sync_all().expect("it is on the disk");
    fs::remove_file(&backup).expect("it was there");
}

fn nano(path: &Path, text: &str) {
    let mut options = OpenOptions::new();
    let mut file = options.write(true).create(true).truncate(true).open(path).expect("a file");
    for line in text.split_inclusive('\n') {
        file.write_all(line.as_bytes()).expect("it can be written");
    }
}

fn sed(path: &Path, text: &str) {
    // What `sed -i` does: a file of an odd name in the same folder takes the old one's place.
    let fresh = path.with_file_name("sedQx7ZpL");
    fs::write(&fresh, text).expect("it can be written");
    fs::rename(&fresh, path).expect("it can be moved");
}

fn remove_and_recreate(path: &Path, text: &str) {
    fs::remove_file(path).expect("it was there");
    thread::sleep(Duration::from_millis(30));
    fs::write(path, text).expect("it can be written");
}

fn append(path: &Path, text: &str) {
    // Only a comment can be added and the map still be the same text but for its end.
    let mut now = fs::read_to_string(path).expect("a text");
    if !text.starts_with(&now) {
        now.clear();
        fs::write(path, &now).expect("it can be written");
    }
    let mut file = OpenOptions::new().append(true).open(path).expect("a file");
    file.write_all(&text.as_bytes()[now.len()..]).expect("it can be written");
}

fn swap_a_link(path: &Path, text: &str) {
    let folder = path.parent().and_then(Path::parent).expect("a folder").join("versions");
    fs::create_dir_all(&folder).expect("a folder");
    let count = fs::read_dir(&folder).expect("a folder").count();
    // A link may not lead out of the folder it is in, so versions lie beside it.
    let version = path.with_file_name(format!("version{count}.txt"));
    fs::write(folder.join(count.to_string()), "").expect("it can be written");
    fs::write(&version, text).expect("it can be written");
    let link = path.with_extension("link");
    symlink(&version, &link).expect("a link");
    fs::rename(&link, path).expect("it can be moved");
}

fn remove_the_folder(path: &Path, text: &str) {
    let folder = path.parent().expect("a folder");
    fs::remove_dir_all(folder).expect("it was there");
    thread::sleep(Duration::from_millis(20));
    fs::create_dir(folder).expect("a folder");
    fs::write(path, text).expect("it can be written");
}

/// A name, and what is done.
type SaveMethod = (&'static str, fn(&Path, &str));

const WAYS: [SaveMethod; 9] = [
    ("truncate and write", truncate_and_write),
    ("rename over", rename_over),
    ("vim, with backup", vim_with_backup),
    ("vim, without backup", vim_without_backup),
    ("nano", nano),
    ("sed -i", sed),
    ("remove and recreate", remove_and_recreate),
    ("append", append),
    ("symlink swap", swap_a_link),
];

/// How long saves took to be told, the slowest of a hundred left out by fives.
fn percentile(times: &mut [Duration]) -> Duration {
    times.sort_unstable();
    times[(times.len() * 95).div_ceil(100) - 1]
}

#[test]
fn whatever_way_a_file_is_saved_its_content_is_told_once_and_soon() {
    let mut all = Vec::new();
    for (name, save) in WAYS.into_iter().chain([("folder removed", remove_the_folder as _)]) {
        let watched = Watched::new();
        let mut times = Vec::new();
        for round in 1..=12 {
            let text = text(round);
            save(&watched.map(), &text);
            times.push(watched.wait_for(&Told::Read(text, ROUND.to_owned())));
        }
        assert_eq!(watched.within(Duration::from_millis(150)), None, "{name}: told twice");
        println!("{name}: 95 of 100 within {:?}", percentile(&mut times));
        all.extend(times);
    }
    let slow = percentile(&mut all);
    println!("{} saves: 95 of 100 within {slow:?}", all.len());
    // 0.25 s is the promise; a machine that builds something beside may be slower.
    assert!(slow < Duration::from_secs(2), "{slow:?}");
}

#[test]
fn of_two_hundred_saves_in_a_second_the_last_one_counts() {
    for save in [truncate_and_write as fn(&Path, &str), rename_over] {
        let watched = Watched::new();
        let begin = Instant::now();
        for round in 0..200 {
            save(&watched.map(), &format!("{}# {round}\n", text(round)));
            let due = Duration::from_millis(5) * (round as u32 + 1);
            thread::sleep(due.saturating_sub(begin.elapsed()));
        }
        let last = Told::Read(format!("{}# 199\n", text(199)), ROUND.to_owned());
        let took = watched.wait_for(&last);
        println!("the last of 200 saves is told after {took:?}");
        assert!(took < Duration::from_secs(2), "{took:?}");
        assert_eq!(watched.within(Duration::from_millis(150)), None, "told twice");
    }
}

#[test]
fn each_save_is_reported_while_a_log_beside_the_map_grows() {
    for (name, save) in WAYS {
        let watched = Watched::new();
        let _log = Log::start(&watched.folder.path().join("maps/run.log"));
        for round in 1..=3 {
            let text = text(round);
            save(&watched.map(), &text);
            let took = watched.wait_for(&Told::Read(text, ROUND.to_owned()));
            println!("{name}: {took:?}");
            assert!(took < Duration::from_secs(2), "{name}: {took:?}");
        }
    }
}

/// The map is a link to a link, and the second one is replaced.
#[test]
fn a_link_that_another_link_leads_to_is_watched() {
    let watched = Watched::new();
    let current = watched.map().with_file_name("current");
    for round in 0..3 {
        let version = watched.map().with_file_name(format!("version{round}"));
        fs::write(&version, text(round)).expect("it can be written");
        symlink(&version, current.with_extension("new")).expect("a link");
        fs::rename(current.with_extension("new"), &current).expect("it can be moved");
        if round == 0 {
            fs::remove_file(watched.map()).expect("it was there");
            symlink(&current, watched.map()).expect("a link");
        } else {
            watched.wait_for(&Told::Read(text(round), ROUND.to_owned()));
        }
    }
}

#[test]
fn what_is_half_written_is_never_told() {
    let watched = Watched::new();
    for round in 1..6 {
        let text = format!("{}[[agent]]\nname = \"dog\"\nat = [9, 1]\n", text(round));
        let mut file = File::create(watched.map()).expect("a file");
        // The first half is a map of its own.
        let half = text.find("[[agent]]\nname = \"dog\"").expect("a second agent");
        file.write_all(&text.as_bytes()[..half]).expect("it can be written");
        file.flush().expect("it can be written");
        thread::sleep(Duration::from_millis(150));
        file.write_all(&text.as_bytes()[half..]).expect("it can be written");
        drop(file);
        assert_eq!(watched.next(), Some(Told::Read(text, ROUND.to_owned())), "round {round}");
    }
}

#[test]
fn a_pattern_and_a_file_that_was_missing_are_watched_too() {
    let watched = Watched::new();
    let other = ROUND.replace("[5, 0]", "[7, 0]");
    rename_over(&watched.pattern(), &other);
    assert_eq!(watched.next(), Some(Told::Read(MAP.to_owned(), other.clone())));
    // One beside the map comes first.
    let beside = watched.folder.path().join("maps/round.toml");
    let near = ROUND.replace("[5, 0]", "[3, 0]");
    fs::write(&beside, &near).expect("it can be written");
    assert_eq!(watched.next(), Some(Told::Read(MAP.to_owned(), near)));
    fs::remove_file(&beside).expect("it was there");
    assert_eq!(watched.next(), Some(Told::Read(MAP.to_owned(), other.clone())));
    // A pattern that is missing is an error, until it is there.
    let text = MAP.replace("round", "walk");
    fs::write(watched.map(), &text).expect("it can be written");
    assert_eq!(watched.next(), Some(Told::Broken));
    fs::write(watched.folder.path().join("patterns/walk.toml"), ROUND).expect("a pattern");
    assert_eq!(watched.next(), Some(Told::Read(text, String::new())));
}

/// Nothing of it was there when the map was read.
#[test]
fn a_folder_of_patterns_beside_the_map_is_watched_before_it_is_there() {
    let watched = Watched::new();
    let folder = watched.folder.path().join("maps/patterns");
    fs::create_dir(&folder).expect("it can be made");
    let near = ROUND.replace("[5, 0]", "[3, 0]");
    fs::write(folder.join("round.toml"), &near).expect("it can be written");
    watched.wait_for(&Told::Read(MAP.to_owned(), near.clone()));
    let other = ROUND.replace("[5, 0]", "[7, 0]");
    rename_over(&folder.join("round.toml"), &other);
    watched.wait_for(&Told::Read(MAP.to_owned(), other));
    fs::remove_dir_all(&folder).expect("it was there");
    watched.wait_for(&Told::Read(MAP.to_owned(), ROUND.to_owned()));
}

#[test]
fn what_changes_nothing_is_not_told() {
    let watched = Watched::new();
    fs::write(watched.folder.path().join("maps/.m.toml.swp"), "b0VIM").expect("it can be written");
    fs::write(watched.folder.path().join("maps/notes.txt"), "notes").expect("it can be written");
    fs::write(watched.map(), MAP).expect("it can be written");
    rename_over(&watched.map(), MAP);
    remove_and_recreate(&watched.map(), MAP);
    assert_eq!(watched.within(Duration::from_millis(600)), None);
}

#[test]
fn a_map_that_is_gone_is_told_and_so_is_its_return() {
    let watched = Watched::new();
    fs::remove_file(watched.map()).expect("it was there");
    assert_eq!(watched.next(), Some(Told::Broken));
    fs::write(watched.map(), MAP).expect("it can be written");
    assert_eq!(watched.next(), Some(Told::Read(MAP.to_owned(), ROUND.to_owned())));
}

#[test]
fn where_the_system_tells_nothing_files_are_looked_at_and_that_is_said() {
    let watched = Watched::polled(true);
    assert_eq!(watched.next(), Some(Told::Polled));
    let mut times = Vec::new();
    for (round, (_, save)) in (1..).zip(WAYS) {
        let text = text(round);
        save(&watched.map(), &text);
        times.push(watched.wait_for(&Told::Read(text, ROUND.to_owned())));
    }
    assert_eq!(watched.within(Duration::from_millis(400)), None, "told twice");
    println!("polled: 95 of 100 within {:?}", percentile(&mut times));
}
