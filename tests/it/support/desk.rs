//! A person's folder: maps and patterns to change, editors that are scripts, a configuration.

use std::fs::{self, File};
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

/// A folder that is gone after the test.
pub struct TempFolder {
    folder: tempfile::TempDir,
}

impl TempFolder {
    /// An empty folder.
    pub fn new() -> Self {
        Self { folder: tempfile::tempdir().expect("a folder") }
    }

    /// A folder with copies of shipped files, such as `maps/castle.toml`.
    pub fn with(files: &[&str]) -> Self {
        let folder = Self::new();
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        for file in files {
            folder.write(file, &fs::read_to_string(root.join(file)).expect("a shipped file"));
        }
        folder
    }

    /// The castle and its patterns.
    pub fn castle() -> Self {
        Self::with(&["maps/castle.toml", "patterns/castle_round.toml", "patterns/look_round.toml"])
    }

    /// Where a file stands or would stand.
    pub fn path(&self, file: &str) -> PathBuf {
        self.folder.path().join(file)
    }

    /// The same as an argument.
    pub fn path_text(&self, file: &str) -> String {
        self.path(file).display().to_string()
    }

    /// What is in a file.
    pub fn read(&self, file: &str) -> String {
        fs::read_to_string(self.path(file)).expect("the file is there")
    }

    /// Saves a file in one go, as editors do; says where it stands.
    pub fn write(&self, file: &str, text: &str) -> String {
        let path = self.path(file);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        let fresh = path.with_extension("new");
        fs::write(&fresh, text).expect("it can be written");
        fs::rename(&fresh, &path).expect("it can be moved");
        path.display().to_string()
    }

    /// Saves a file with something replaced that must be in it.
    #[track_caller]
    pub fn replace(&self, file: &str, old: &str, new: &str) {
        let text = self.read(file);
        assert!(text.contains(old), "{file} has no {old}");
        self.write(file, &text.replacen(old, new, 1));
    }

    /// A program that is a script of the shell; says where it stands.
    pub fn script(&self, name: &str, text: &str) -> String {
        let path = self.write(name, &format!("#!/bin/sh\n{text}\n"));
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("a script that runs");
        path
    }
}

/// A log file that gets a line every 10 ms until this value is dropped.
pub struct Log {
    _running: Sender<()>,
}

impl Log {
    pub fn start(path: &Path) -> Self {
        let mut file = File::create(path).expect("a log");
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
