//! The file watcher reports each saved text once, however the file is saved.

#![expect(clippy::disallowed_methods, reason = "a test waits for a watcher in real time")]
#![expect(clippy::print_stdout, reason = "`--nocapture` shows the delays")]

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

use tilewalk::files::Options;
use tilewalk::files::read::changed_files::{self, WatcherEvent};
use tilewalk::scenario::sources::FileRole;
use tilewalk::watching::{Map, Watching};

use crate::support::temp_folder::Log;

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

/// How long a test waits for a message before it fails.
const PATIENCE: Duration = Duration::from_secs(10);

/// A watched map in a temporary folder.
struct Watched {
    folder: tempfile::TempDir,
    watching: Watching,
    woken: Receiver<()>,
}

/// A message of the watcher: the texts of the map and its pattern, an error, or the fallback to polling.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Report {
    Read(String, String),
    Invalid,
    Polled,
}

impl Watched {
    fn new() -> Self {
        Self::start(false)
    }

    /// Watches a new map. With `poll`, the watcher polls the files instead of waiting for file events.
    fn start(poll: bool) -> Self {
        let folder = tempfile::tempdir().expect("folder is created");
        fs::create_dir_all(folder.path().join("maps")).expect("folder is created");
        fs::create_dir_all(folder.path().join("patterns")).expect("folder is created");
        fs::write(folder.path().join("maps/m.toml"), MAP).expect("map is written");
        fs::write(folder.path().join("patterns/round.toml"), ROUND).expect("pattern is written");
        let (wake, woken) = mpsc::channel();
        let watching = Watching::start(poll, move || {
            let _ = wake.send(());
        })
        .expect("thread starts");
        let (id, path) = ("m".to_owned(), folder.path().join("maps/m.toml"));
        watching.watch(Some(Map {
            id,
            path,
            options: Options::default(),
            read: changed_files::from_file,
        }));
        let watched = Self { folder, watching, woken };
        assert_eq!(watched.next(), Some(Report::Read(MAP.to_owned(), ROUND.to_owned())));
        watched
    }

    fn map(&self) -> PathBuf {
        self.folder.path().join("maps/m.toml")
    }

    fn pattern(&self) -> PathBuf {
        self.folder.path().join("patterns/round.toml")
    }

    /// Returns the next message, or `None` if there is none within `time`.
    fn next_within(&self, time: Duration) -> Option<Report> {
        let begin = Instant::now();
        loop {
            if let Some(message) = self.watching.next_message() {
                return Some(match message.event {
                    WatcherEvent::Polled(_) => Report::Polled,
                    WatcherEvent::Read(Err(_)) => Report::Invalid,
                    WatcherEvent::Read(Ok(loaded)) => match loaded.scenario {
                        None => Report::Invalid,
                        Some(scenario) => {
                            let text = |place| {
                                let file = scenario.sources().file(&place);
                                file.map_or(String::new(), |file| file.text.to_string())
                            };
                            let round = text(FileRole::Pattern("round".to_owned()));
                            Report::Read(text(FileRole::Map), round)
                        }
                    },
                });
            }
            let left = time.checked_sub(begin.elapsed())?;
            self.woken.recv_timeout(left).ok()?;
        }
    }

    /// Returns the next message, or `None` if there is none within [`PATIENCE`].
    fn next(&self) -> Option<Report> {
        self.next_within(PATIENCE)
    }

    /// Waits for the message `wanted`, and skips other messages before it. Returns the waiting time.
    fn wait_for(&self, wanted: &Report) -> Duration {
        let begin = Instant::now();
        let mut others = Vec::new();
        loop {
            let report = self.next();
            if report.as_ref() == Some(wanted) {
                return begin.elapsed();
            }
            others.push(report);
            assert!(
                others.len() < 1000 && others.last() != Some(&None),
                "timed out waiting for {wanted:?}: {others:?}"
            );
        }
    }
}

/// Returns the text of the map. In each round, the cat starts on another tile.
fn text(round: usize) -> String {
    MAP.replace("[1, 0]", &format!("[{}, {}]", 1 + round % 9, (round / 9) % 2))
}

fn truncate_and_write(path: &Path, text: &str) {
    let mut file = File::create(path).expect("file opens");
    let (one, two) = text.as_bytes().split_at(text.len() / 2);
    file.write_all(one).expect("file is written");
    thread::sleep(Duration::from_millis(2));
    file.write_all(two).expect("file is written");
}

fn rename_over(path: &Path, text: &str) {
    let temporary = path.with_extension("toml.new");
    fs::write(&temporary, text).expect("file is written");
    fs::rename(&temporary, path).expect("file is renamed");
}

/// Saves like vim with `backupcopy=no`: renames the old file and writes a new one.
fn vim_with_backup(path: &Path, text: &str) {
    let (backup, swap) = (path.with_extension("toml~"), path.with_file_name(".m.toml.swp"));
    fs::write(&swap, "b0VIM").expect("file is written");
    fs::rename(path, &backup).expect("file is renamed");
    fs::write(path, text).expect("file is written");
    fs::remove_file(&backup).expect("file is removed");
    fs::remove_file(&swap).expect("file is removed");
}

/// Saves like vim with `backupcopy=yes`: copies the file, overwrites it, and deletes the copy.
fn vim_without_backup(path: &Path, text: &str) {
    let backup = path.with_extension("toml~");
    fs::copy(path, &backup).expect("file is copied");
    truncate_and_write(path, text);
    File::open(path).expect("file opens").sync_all().expect("file is synced");
    fs::remove_file(&backup).expect("file is removed");
}

fn nano(path: &Path, text: &str) {
    let mut options = OpenOptions::new();
    let mut file = options.write(true).create(true).truncate(true).open(path).expect("file opens");
    for line in text.split_inclusive('\n') {
        file.write_all(line.as_bytes()).expect("file is written");
    }
}

fn sed(path: &Path, text: &str) {
    // `sed -i` writes a file with a random name in the same folder, and renames it.
    let temporary = path.with_file_name("sedQx7ZpL");
    fs::write(&temporary, text).expect("file is written");
    fs::rename(&temporary, path).expect("file is renamed");
}

fn remove_and_recreate(path: &Path, text: &str) {
    fs::remove_file(path).expect("file is removed");
    thread::sleep(Duration::from_millis(30));
    fs::write(path, text).expect("file is written");
}

fn append(path: &Path, text: &str) {
    // If the new text does not continue the old one, the file is emptied first.
    let mut now = fs::read_to_string(path).expect("file is readable");
    if !text.starts_with(&now) {
        now.clear();
        fs::write(path, &now).expect("file is written");
    }
    let mut file = OpenOptions::new().append(true).open(path).expect("file opens");
    file.write_all(&text.as_bytes()[now.len()..]).expect("file is written");
}

fn replace_a_link(path: &Path, text: &str) {
    let folder =
        path.parent().and_then(Path::parent).expect("path has a grandparent").join("versions");
    fs::create_dir_all(&folder).expect("folder is created");
    let count = fs::read_dir(&folder).expect("folder is created").count();
    // A link must not point outside its folder, so the versions are beside it.
    let version = path.with_file_name(format!("version{count}.txt"));
    fs::write(folder.join(count.to_string()), "").expect("file is written");
    fs::write(&version, text).expect("file is written");
    let link = path.with_extension("link");
    symlink(&version, &link).expect("link is created");
    fs::rename(&link, path).expect("file is renamed");
}

fn recreate_the_folder(path: &Path, text: &str) {
    let folder = path.parent().expect("path has a parent");
    fs::remove_dir_all(folder).expect("folder is removed");
    thread::sleep(Duration::from_millis(20));
    fs::create_dir(folder).expect("folder is created");
    fs::write(path, text).expect("file is written");
}

/// Name of a way to save a file, and a function that saves a text in this way.
type SaveMethod = (&'static str, fn(&Path, &str));

const SAVE_METHODS: [SaveMethod; 9] = [
    ("truncate and write", truncate_and_write),
    ("rename over", rename_over),
    ("vim, with backup", vim_with_backup),
    ("vim, without backup", vim_without_backup),
    ("nano", nano),
    ("sed -i", sed),
    ("remove and recreate", remove_and_recreate),
    ("append", append),
    ("symlink swap", replace_a_link),
];

/// Returns the 95th percentile of times.
fn percentile_95(times: &mut [Duration]) -> Duration {
    times.sort_unstable();
    times[(times.len() * 95).div_ceil(100) - 1]
}

#[test]
fn each_save_is_reported_once_and_soon_however_the_file_is_saved() {
    let mut all = Vec::new();
    for (name, save) in
        SAVE_METHODS.into_iter().chain([("folder removed", recreate_the_folder as _)])
    {
        let watched = Watched::new();
        let mut times = Vec::new();
        for round in 1..=12 {
            let text = text(round);
            save(&watched.map(), &text);
            times.push(watched.wait_for(&Report::Read(text, ROUND.to_owned())));
        }
        assert_eq!(watched.next_within(Duration::from_millis(150)), None, "{name}: reported twice");
        println!("{name}: 95 of 100 within {:?}", percentile_95(&mut times));
        all.extend(times);
    }
    let slow = percentile_95(&mut all);
    println!("{} saves: 95 of 100 within {slow:?}", all.len());
    // The promise is 0.25 s, but a busy machine may be slower.
    assert!(slow < Duration::from_secs(2), "{slow:?}");
}

#[test]
fn the_last_of_200_saves_in_a_second_is_reported() {
    for save in [truncate_and_write as fn(&Path, &str), rename_over] {
        let watched = Watched::new();
        let begin = Instant::now();
        for round in 0..200 {
            save(&watched.map(), &format!("{}# {round}\n", text(round)));
            let due = Duration::from_millis(5) * (round as u32 + 1);
            thread::sleep(due.saturating_sub(begin.elapsed()));
        }
        let last = Report::Read(format!("{}# 199\n", text(199)), ROUND.to_owned());
        let took = watched.wait_for(&last);
        println!("the last of 200 saves is reported after {took:?}");
        assert!(took < Duration::from_secs(2), "{took:?}");
        assert_eq!(watched.next_within(Duration::from_millis(150)), None, "reported twice");
    }
}

#[test]
fn each_save_is_reported_while_a_log_beside_the_map_grows() {
    for (name, save) in SAVE_METHODS {
        let watched = Watched::new();
        let _log = Log::start(&watched.folder.path().join("maps/run.log"));
        for round in 1..=3 {
            let text = text(round);
            save(&watched.map(), &text);
            let took = watched.wait_for(&Report::Read(text, ROUND.to_owned()));
            println!("{name}: {took:?}");
            assert!(took < Duration::from_secs(2), "{name}: {took:?}");
        }
    }
}

/// The map links to a second link, and each save replaces the second link.
#[test]
fn a_map_that_is_a_link_to_a_link_is_watched() {
    let watched = Watched::new();
    let current = watched.map().with_file_name("current");
    for round in 0..3 {
        let version = watched.map().with_file_name(format!("version{round}"));
        fs::write(&version, text(round)).expect("file is written");
        symlink(&version, current.with_extension("new")).expect("link is created");
        fs::rename(current.with_extension("new"), &current).expect("file is renamed");
        if round == 0 {
            fs::remove_file(watched.map()).expect("file is removed");
            symlink(&current, watched.map()).expect("link is created");
        } else {
            watched.wait_for(&Report::Read(text(round), ROUND.to_owned()));
        }
    }
}

#[test]
fn a_half_written_file_is_never_reported() {
    let watched = Watched::new();
    for round in 1..6 {
        let text = format!("{}[[agent]]\nname = \"dog\"\nat = [9, 1]\n", text(round));
        let mut file = File::create(watched.map()).expect("file opens");
        // The first half alone is a valid map.
        let half = text.find("[[agent]]\nname = \"dog\"").expect("text has a second agent");
        file.write_all(&text.as_bytes()[..half]).expect("file is written");
        file.flush().expect("file is written");
        thread::sleep(Duration::from_millis(150));
        file.write_all(&text.as_bytes()[half..]).expect("file is written");
        drop(file);
        assert_eq!(watched.next(), Some(Report::Read(text, ROUND.to_owned())), "round {round}");
    }
}

#[test]
fn saved_deleted_and_missing_patterns_are_watched() {
    let watched = Watched::new();
    let other = ROUND.replace("[5, 0]", "[7, 0]");
    rename_over(&watched.pattern(), &other);
    assert_eq!(watched.next(), Some(Report::Read(MAP.to_owned(), other.clone())));
    // A pattern beside the map takes precedence.
    let beside = watched.folder.path().join("maps/round.toml");
    let near = ROUND.replace("[5, 0]", "[3, 0]");
    fs::write(&beside, &near).expect("file is written");
    assert_eq!(watched.next(), Some(Report::Read(MAP.to_owned(), near)));
    fs::remove_file(&beside).expect("file is removed");
    assert_eq!(watched.next(), Some(Report::Read(MAP.to_owned(), other.clone())));
    // A missing pattern is an error until it is created.
    let text = MAP.replace("round", "walk");
    fs::write(watched.map(), &text).expect("file is written");
    assert_eq!(watched.next(), Some(Report::Invalid));
    fs::write(watched.folder.path().join("patterns/walk.toml"), ROUND).expect("pattern is written");
    assert_eq!(watched.next(), Some(Report::Read(text, String::new())));
}

/// The folder `maps/patterns` does not exist when the map is read first.
#[test]
fn a_missing_pattern_folder_beside_the_map_is_watched() {
    let watched = Watched::new();
    let folder = watched.folder.path().join("maps/patterns");
    fs::create_dir(&folder).expect("folder is created");
    let near = ROUND.replace("[5, 0]", "[3, 0]");
    fs::write(folder.join("round.toml"), &near).expect("file is written");
    watched.wait_for(&Report::Read(MAP.to_owned(), near.clone()));
    let other = ROUND.replace("[5, 0]", "[7, 0]");
    rename_over(&folder.join("round.toml"), &other);
    watched.wait_for(&Report::Read(MAP.to_owned(), other));
    fs::remove_dir_all(&folder).expect("folder is removed");
    watched.wait_for(&Report::Read(MAP.to_owned(), ROUND.to_owned()));
}

#[test]
fn saves_of_the_same_text_and_of_other_files_are_not_reported() {
    let watched = Watched::new();
    fs::write(watched.folder.path().join("maps/.m.toml.swp"), "b0VIM").expect("file is written");
    fs::write(watched.folder.path().join("maps/notes.txt"), "notes").expect("file is written");
    fs::write(watched.map(), MAP).expect("file is written");
    rename_over(&watched.map(), MAP);
    remove_and_recreate(&watched.map(), MAP);
    assert_eq!(watched.next_within(Duration::from_millis(600)), None);
}

#[test]
fn deleting_and_recreating_the_map_is_reported() {
    let watched = Watched::new();
    fs::remove_file(watched.map()).expect("file is removed");
    assert_eq!(watched.next(), Some(Report::Invalid));
    fs::write(watched.map(), MAP).expect("file is written");
    assert_eq!(watched.next(), Some(Report::Read(MAP.to_owned(), ROUND.to_owned())));
}

#[test]
fn without_file_events_the_watcher_reports_that_it_polls_the_files() {
    let watched = Watched::start(true);
    assert_eq!(watched.next(), Some(Report::Polled));
    let mut times = Vec::new();
    for (round, (_, save)) in (1..).zip(SAVE_METHODS) {
        let text = text(round);
        save(&watched.map(), &text);
        times.push(watched.wait_for(&Report::Read(text, ROUND.to_owned())));
    }
    assert_eq!(watched.next_within(Duration::from_millis(400)), None, "reported twice");
    println!("polled: 95 of 100 within {:?}", percentile_95(&mut times));
}
