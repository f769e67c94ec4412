//! A user's folder for tests: maps and patterns to change, scripts as editors, a configuration.

use std::fs::{self, File};
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

/// A temporary folder, deleted when dropped.
pub struct TempFolder {
    folder: tempfile::TempDir,
}

impl TempFolder {
    /// Creates an empty folder.
    pub fn new() -> Self {
        Self { folder: tempfile::tempdir().expect("temporary folder is created") }
    }

    /// Creates a folder with copies of shipped files, such as `maps/castle.toml`.
    pub fn with(files: &[&str]) -> Self {
        let folder = Self::new();
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        for file in files {
            folder.write(
                file,
                &fs::read_to_string(root.join(file)).expect("shipped file is readable"),
            );
        }
        folder
    }

    /// Creates a folder with the castle map and its patterns.
    pub fn castle() -> Self {
        Self::with(&["maps/castle.toml", "patterns/castle_round.toml", "patterns/look_round.toml"])
    }

    /// Returns the path of a file in the folder, which need not exist.
    pub fn path(&self, file: &str) -> PathBuf {
        self.folder.path().join(file)
    }

    /// Returns the path of a file as text, for command-line arguments.
    pub fn path_text(&self, file: &str) -> String {
        self.path(file).display().to_string()
    }

    /// Returns the text of a file.
    pub fn read(&self, file: &str) -> String {
        fs::read_to_string(self.path(file)).expect("file is readable")
    }

    /// Saves a file by an atomic rename, as editors do, and returns its path.
    pub fn write(&self, file: &str, text: &str) -> String {
        let path = self.path(file);
        fs::create_dir_all(path.parent().expect("path has a parent")).expect("folder is created");
        let temporary = path.with_extension("new");
        fs::write(&temporary, text).expect("file is written");
        fs::rename(&temporary, &path).expect("file is renamed");
        path.display().to_string()
    }

    /// Replaces the first occurrence of `old` in a file. Panics if there is none.
    #[track_caller]
    pub fn replace(&self, file: &str, old: &str, new: &str) {
        let text = self.read(file);
        assert!(text.contains(old), "{file} has no {old}");
        self.write(file, &text.replacen(old, new, 1));
    }

    /// Saves an executable shell script and returns its path.
    pub fn script(&self, name: &str, text: &str) -> String {
        let path = self.write(name, &format!("#!/bin/sh\n{text}\n"));
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755))
            .expect("script becomes executable");
        path
    }
}

/// A log file that grows by a line every 10 ms until this value is dropped.
pub struct Log {
    _running: Sender<()>,
}

impl Log {
    pub fn start(path: &Path) -> Self {
        let mut file = File::create(path).expect("log is created");
        let (running, ended) = mpsc::channel();
        thread::spawn(move || {
            while ended.recv_timeout(Duration::from_millis(10)) == Err(RecvTimeoutError::Timeout) {
                // The folder may be deleted before the thread ends.
                let _ = file.write_all(b"a line\n");
            }
        });
        Self { _running: running }
    }
}
