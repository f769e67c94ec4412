//! Reads the text of a file from disk, and converts offsets to lines and columns.
//!
//! The module opens only regular files up to a size limit. Directories, pipes and devices can
//! therefore not block it. Encoding errors and control characters are reported here. Other modules
//! check the content.
//!
//! The comment at the top of a map is its description. The keys at the top of a file
//! distinguish maps, patterns and sweeps.

use std::fs::{self, File};
use std::io::{self, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use toml::de::DeTable;

use crate::show;
use crate::system::open_without_waiting;
use crate::text::diagnostic::Diagnostic;
use crate::text::memory_limit::too_heavy;
use tilewalk_sim::scenario::sources::FileRole;

/// Size limit of a file, in bytes.
pub(crate) const MAX_BYTES: u64 = 64 * 1024 * 1024;

/// Maximum number of control characters to report.
const MOST_CONTROLS: usize = 10;

/// Error for a file that can't be read. Problems in the content of a file are diagnostics instead.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The system returned an I/O error.
    #[error("{label}: {}", io_reason(.error))]
    Io {
        /// Path as given, safe to print.
        label: String,
        /// Error that the system returned.
        error: io::Error,
    },
    /// The path is a directory, pipe, device or socket.
    #[error("{label}: this is {what}, not a regular file")]
    NotAFile {
        /// Path as given, safe to print.
        label: String,
        /// Kind of file, such as "a directory".
        what: &'static str,
    },
    /// The file is larger than the size limit.
    #[error("{label}: {}", too_large(*max))]
    TooLarge {
        /// Path as given, safe to print.
        label: String,
        /// The limit, in bytes.
        max: u64,
    },
    /// The file is not a map, but of another known kind.
    #[error("{label}: this is {what}, not a map\n`tilewalk {command} {label}` {does}")]
    NoMap {
        /// Path as given, safe to print.
        label: String,
        /// Kind of file, such as "a recording".
        what: &'static str,
        /// Command for this kind of file.
        command: &'static str,
        /// Effect of the command, such as "opens the recording".
        does: &'static str,
    },
    /// The file is not a sweep, but of another known kind.
    #[error(
        "{label}: this is not a sweep, but {what}\na sweep is a file of its own that \
         names its map: `map = \"flock.toml\"`"
    )]
    NoSweep {
        /// Path as given, safe to print.
        label: String,
        /// Kind of file, such as "a recording".
        what: &'static str,
    },
    /// The directory has no `.toml` files.
    #[error("{label}: this directory has no .toml files")]
    NothingIn {
        /// Path as given, safe to print.
        label: String,
    },
    /// The stored files do not include the map.
    #[error("the stored files do not include the map file")]
    NotKept,
    /// No built-in map has this name.
    #[error("unknown built-in map `{name}`{}", show::did_you_mean(.near.as_deref()))]
    NotBuiltin {
        /// Name as given, safe to print.
        name: String,
        /// Similar name of a built-in map; `None` if no name is similar.
        near: Option<String>,
    },
}

impl ReadError {
    /// Wraps an I/O error together with its path.
    pub fn io(path: &Path, error: io::Error) -> Self {
        Self::Io { label: show::path(path), error }
    }

    /// Returns the reason without the path, for messages that name the path.
    pub fn reason(&self) -> String {
        match self {
            Self::Io { error, .. } => io_reason(error),
            Self::NotAFile { what, .. } => format!("this is {what}, not a regular file"),
            Self::TooLarge { max, .. } => too_large(*max),
            Self::NoMap { what, .. } => format!("{what} is not a map"),
            Self::NoSweep { .. } => "the file is not a sweep".to_owned(),
            Self::NothingIn { .. } => "the directory has no .toml files".to_owned(),
            Self::NotBuiltin { .. } => "no such built-in map".to_owned(),
            Self::NotKept => self.to_string(),
        }
    }
}

/// Returns true if an error of the system means that a file does not exist.
pub(crate) fn is_missing(error: &io::Error) -> bool {
    use io::ErrorKind::{InvalidFilename, InvalidInput, NotADirectory, NotFound};
    // No file can have an invalid name.
    [NotFound, NotADirectory, InvalidFilename, InvalidInput].contains(&error.kind())
}

fn too_large(max: u64) -> String {
    let (max, unit) = if max >= 1 << 30 { (max >> 30, "GiB") } else { (max >> 20, "MiB") };
    format!("the file is larger than {max} {unit}")
}

impl From<ReadError> for io::Error {
    fn from(error: ReadError) -> Self {
        let reason = error.reason();
        if let ReadError::Io { error, .. } = error { error } else { Self::other(reason) }
    }
}

/// Describes an I/O error without the path.
#[expect(clippy::wildcard_enum_match_arm, reason = "foreign enum: other errors keep their text")]
fn io_reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "no such file".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        _ => show::text(&error.to_string()),
    }
}

/// Text of a file, with its name and location.
#[derive(Debug, Clone)]
pub struct Source {
    place: FileRole,
    label: String,
    path: Option<PathBuf>,
    text: Arc<str>,
    /// Byte offsets of the line starts, computed on demand.
    lines: OnceLock<Vec<u32>>,
}

/// Result of a search for a file.
#[derive(Debug)]
pub enum Found {
    /// Text of the file, and its problems. Each invalid byte or control character is a problem.
    Read(Source, Vec<Diagnostic>),
    /// The file does not exist.
    Missing,
    /// The file can't be used. The reason follows "the file" in messages.
    Refused(String),
}

impl Source {
    /// Creates a source. `label` must be safe to print. `path` is the location on disk; `None` for
    /// a text that is not on disk.
    pub fn new(label: String, path: Option<PathBuf>, text: &str) -> Self {
        Self { place: FileRole::Map, label, path, text: text.into(), lines: OnceLock::new() }
    }

    #[must_use]
    pub(crate) fn at(self, place: FileRole) -> Self {
        Self { place, ..self }
    }

    /// Returns the role of the file: the map, a pattern, or another file beside the map.
    pub fn place(&self) -> &FileRole {
        &self.place
    }

    /// Returns the name of the file for messages, safe to print.
    pub fn label(&self) -> &str {
        &self.label
    }

    /// Returns the location on disk; `None` for files that are not on disk.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// Returns the text without byte order mark.
    pub fn text(&self) -> &Arc<str> {
        &self.text
    }

    /// Returns the line and column of a byte offset. Both are 1-based. Columns are counted in
    /// characters.
    pub fn line_column(&self, offset: usize) -> (usize, usize) {
        let offset = offset.min(self.text.len());
        let line = self.line_of(offset);
        let before = &self.text.as_bytes()[self.lines()[line - 1] as usize..offset];
        // Counts the bytes that begin a character.
        let column = before.iter().filter(|&&byte| byte & 0xC0 != 0x80).count() + 1;
        (line, column)
    }

    /// Returns the byte range of the line that contains an offset, without the line ending.
    pub fn line_range(&self, offset: usize) -> Range<usize> {
        let line = self.line_of(offset);
        let begin = self.lines()[line - 1] as usize;
        let end = self.lines().get(line).map_or(self.text.len(), |&next| next as usize);
        begin..begin + self.text[begin..end].trim_end_matches(['\r', '\n']).len()
    }

    /// Returns the 1-based number of the line that contains an offset.
    fn line_of(&self, offset: usize) -> usize {
        self.lines().partition_point(|&begin| begin as usize <= offset).max(1)
    }

    fn lines(&self) -> &[u32] {
        self.lines.get_or_init(|| {
            // Files are smaller than 4 GiB.
            let ends = self.text.match_indices('\n').map(|(at, _)| at as u32 + 1);
            std::iter::once(0).chain(ends).collect()
        })
    }
}

/// Reads a file from disk. Returns its text, and any invalid bytes and control characters as
/// problems. If there are problems, use the text only to print them with their source lines.
///
/// # Errors
/// Returns an error if the file is missing, unreadable or not a regular file.
pub fn read(path: &Path, label: String) -> Result<(Source, Vec<Diagnostic>), ReadError> {
    let place = FileRole::Map;
    let (text, problems) = match read_bytes(path, &label, MAX_BYTES) {
        Ok(bytes) => decode(&bytes),
        Err(error @ ReadError::TooLarge { .. }) => {
            ("".into(), vec![Diagnostic::error(0..0, error.reason())])
        }
        Err(error) => return Err(error),
    };
    let path = Some(path.to_owned());
    Ok((Source { place, label, path, text, lines: OnceLock::new() }, problems))
}

/// Reads a regular file of at most `max` bytes.
///
/// # Errors
/// Returns an error if the file is missing, unreadable, too large or not a regular file.
pub(crate) fn read_bytes(path: &Path, label: &str, max: u64) -> Result<Vec<u8>, ReadError> {
    let io = |error| ReadError::Io { label: label.to_owned(), error };
    let file = open(path, label)?;
    let length = file.metadata().map_err(io)?.len();
    let mut bytes = Vec::new();
    if length <= max {
        bytes.reserve_exact(length as usize + 1);
        // The file can grow while it is read; one additional byte shows that it is too large.
        file.take(max + 1).read_to_end(&mut bytes).map_err(io)?;
    }
    if length.max(bytes.len() as u64) > max {
        return Err(ReadError::TooLarge { label: label.to_owned(), max });
    }
    Ok(bytes)
}

/// Opens a regular file for reading. Never waits for another program.
///
/// # Errors
/// Returns an error if the file is missing, unreadable or not a regular file.
pub(crate) fn open(path: &Path, label: &str) -> Result<File, ReadError> {
    let io = |error| ReadError::Io { label: label.to_owned(), error };
    // Opening some devices has effects, so the kind of file is checked first.
    check_regular(&fs::metadata(path).map_err(io)?, label)?;
    let file = open_without_waiting(path).map_err(io)?;
    // Another program may have replaced the file in the meantime.
    check_regular(&file.metadata().map_err(io)?, label)?;
    Ok(file)
}

fn check_regular(about: &fs::Metadata, label: &str) -> Result<(), ReadError> {
    if about.is_file() {
        return Ok(());
    }
    let what = if about.is_dir() { "a directory" } else { "a pipe or a device" };
    Err(ReadError::NotAFile { label: label.to_owned(), what })
}

/// Decodes UTF-8 and skips a byte order mark. Returns the text and its problems. Each invalid byte
/// or control character is a problem.
pub fn decode(bytes: &[u8]) -> (Arc<str>, Vec<Diagnostic>) {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    match std::str::from_utf8(bytes) {
        Ok(text) => {
            let problems = controls(text);
            (text.into(), problems)
        }
        Err(error) => {
            let at = error.valid_up_to();
            let message = format!("invalid UTF-8: byte 0x{:02X}", bytes[at]);
            let problem = Diagnostic::error(at..at + 1, message)
                .label("invalid byte")
                .help("save the file as UTF-8");
            // The lossy text is exact up to `at`, so the span is valid.
            (String::from_utf8_lossy(bytes).into(), vec![problem])
        }
    }
}

/// Returns an error for each control character except tabs and line endings. Returns at most
/// `MOST_CONTROLS` errors.
fn controls(text: &str) -> Vec<Diagnostic> {
    let bytes = text.as_bytes();
    // 0xC2 begins the characters U+0080 … U+00BF, half of which are control characters.
    let suspect = |byte: u8| byte < 0x20 && byte != b'\n' && byte != b'\t' || byte == 0x7F;
    if !bytes.iter().any(|&byte| suspect(byte) || byte == 0xC2) {
        return Vec::new();
    }
    let offends = |&(at, c): &(usize, char)| {
        c.is_control()
            && !matches!(c, '\n' | '\t')
            && !(c == '\r' && bytes.get(at + 1) == Some(&b'\n'))
    };
    text.char_indices()
        .filter(offends)
        .take(MOST_CONTROLS)
        .map(|(at, c)| {
            let message = format!("control character U+{:04X} is not allowed", u32::from(c));
            Diagnostic::error(at..at + c.len_utf8(), message)
                .label("here")
                .help("remove the character; strings can't contain control characters either")
        })
        .collect()
}

/// Prefix of a first line that names a schema for editors.
const SCHEMA_DIRECTIVE: &str = "#:schema ";

/// Returns the comment lines at the top of a TOML text, without `#` and the space after it. The
/// result is safe to print. Returns an empty string if the text has no comment at the top.
pub fn top_comment(text: &str) -> String {
    let directive = text.lines().next().is_some_and(|line| line.starts_with(SCHEMA_DIRECTIVE));
    let lines = text
        .lines()
        .skip(usize::from(directive))
        .map_while(|line| line.trim_start().strip_prefix('#'));
    let lines = lines.map(|line| show::line(line.strip_prefix(' ').unwrap_or(line)));
    lines.collect::<Vec<_>>().join("\n")
}

/// Returns false for a text with the key `kind` and without the key `tiles`: a pattern. Returns
/// true for all other texts, and for a text that is too heavy to parse.
pub(crate) fn is_map(text: &str) -> bool {
    if too_heavy(text).is_some() {
        return true;
    }
    let (tree, _) = DeTable::parse_recoverable(text);
    !tree.get_ref().contains_key("kind") || tree.get_ref().contains_key("tiles")
}

/// Returns true if a text has the key `tiles`. Also returns true for a text without the key `kind`
/// if it has syntax errors or one of the keys `tiles_file`, `tiled` and `agent`. Returns true for a
/// text that is too heavy to parse.
pub(crate) fn has_map(text: &str) -> bool {
    if too_heavy(text).is_some() {
        return true;
    }
    let (tree, errors) = DeTable::parse_recoverable(text);
    let has = |key: &str| tree.get_ref().contains_key(key);
    let has_map_key = ["tiles_file", "tiled", "agent"].into_iter().any(has);
    has("tiles") || !has("kind") && (has_map_key || !errors.is_empty())
}

/// Returns true if a text is a sweep. A sweep has the table `vary` or `measure`, but no tiles and
/// no `kind`. Returns false for a text that is too complex to parse.
pub(crate) fn is_sweep(text: &str) -> bool {
    // Most maps have none of these words, and need not be parsed twice.
    if !(text.contains("vary") || text.contains("measure")) || too_heavy(text).is_some() {
        return false;
    }
    let (tree, _) = DeTable::parse_recoverable(text);
    let has = |keys: &[&str]| keys.iter().any(|key| tree.get_ref().contains_key(*key));
    has(&["vary", "measure"]) && !has(&["tiles", "tiles_file", "kind"])
}

/// Returns true if a text is a map or a pattern. Also returns true if the text is too complex to
/// parse.
pub(crate) fn is_other_file(text: &str) -> bool {
    if too_heavy(text).is_some() {
        return true;
    }
    let (tree, _) = DeTable::parse_recoverable(text);
    ["tiles", "tiles_file", "agent", "kind"].iter().any(|key| tree.get_ref().contains_key(*key))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters_and_crlf_ends_lines() {
        let source = Source::new("a".into(), None, "é = 1\r\nüß = 2\n");
        assert_eq!(source.line_column(0), (1, 1));
        assert_eq!(source.line_column(2), (1, 2));
        assert_eq!(source.line_column(12), (2, 3));
        assert_eq!(source.line_range(3), 0..6);
        assert_eq!(source.line_column(999), (3, 1));
    }

    #[test]
    fn invalid_utf8_is_located() {
        let (text, problems) = decode(b"\xEF\xBB\xBFa = 1\n\xFF");
        assert_eq!((&*text, problems[0].span.clone()), ("a = 1\n\u{FFFD}", 6..7));
        assert_eq!(decode(b"a\r\n\tb").1.len(), 0);
        assert_eq!(decode(b"a\rb\0\x7F\xC2\x9B\xC2\xA0").1.len(), 4);
    }

    #[test]
    fn top_returns_only_the_first_comment() {
        assert_eq!(top_comment("# A map.\r\n#\n#  b\nformat = 1\n# not this\n"), "A map.\n\n b");
        assert_eq!(top_comment("format = 1"), "");
        assert_eq!(top_comment("#:schema ../docs/schema/map.json\n# A map.\n"), "A map.");
        assert_eq!(top_comment("#:schema of things\nformat = 1"), "");
    }
}
