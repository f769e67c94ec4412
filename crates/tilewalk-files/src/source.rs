//! The text of one file: read from the disk with care, and turned into lines and columns.
//!
//! Only regular files are opened, and none that is too large: a folder, a pipe or a device is
//! refused before it could block. What is wrong with the bytes themselves (no UTF-8, control
//! characters) is found here; what they mean is not.

use std::fs::{self, File};
use std::io::{self, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use super::diagnostic::Diagnostic;
use super::show;
use tilewalk_sim::scenario::sources::Place;

/// The largest file that is read, in bytes.
pub const MAX_BYTES: u64 = 64 * 1024 * 1024;

/// Control characters reported one by one before the rest is left unsaid.
const MOST_CONTROLS: usize = 10;

/// Why a file can't be read at all: nobody's mistake *in* a file, so no diagnostic.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The system says no: missing, not allowed, broken.
    #[error("{label}: {}", io_reason(.error))]
    Io {
        /// The path as it was given, safe to print.
        label: String,
        /// What the system says.
        error: io::Error,
    },
    /// A folder, pipe, device or socket.
    #[error("{label}: this is {what}, not a regular file")]
    NotAFile {
        /// The path as it was given, safe to print.
        label: String,
        /// What it is.
        what: &'static str,
    },
    /// Something else, where a map is asked for.
    #[error("{label}: this is {what}, not a map\n`tilewalk {command} {label}` {does}")]
    NoMap {
        /// The path as it was given, safe to print.
        label: String,
        /// What it is.
        what: &'static str,
        /// The command it is meant for.
        command: &'static str,
        /// What that does.
        does: &'static str,
    },
    /// A folder without any `.toml` file.
    #[error("{label}: this directory has no .toml files")]
    NothingIn {
        /// The path as it was given, safe to print.
        label: String,
    },
    /// A map was not kept with its files.
    #[error("the stored files do not include the map file")]
    NotKept,
    /// No map of that name is built in.
    #[error("unknown built-in map `{name}`{}", show::did_you_mean(.near.as_deref()))]
    NotBuiltin {
        /// The name as it was given, safe to print.
        name: String,
        /// One that looks like it.
        near: Option<String>,
    },
}

impl ReadError {
    /// Why a file with some ending is no map; `None` of one that may be.
    pub fn no_map(path: &Path) -> Option<Self> {
        let (what, command, does) = match path.extension()?.to_str()? {
            "map" | "tmx" | "txt" => ("a tiles file", "import", "converts the file to a map"),
            "twr" => ("a recording", "replay", "opens the recording"),
            "csv" | "ndjson" => ("a trace", "diff MAP", "compares the trace with a run"),
            _ => return None,
        };
        Some(Self::NoMap { label: show::path(path), what, command, does })
    }

    /// The system's error about a path.
    pub fn io(path: &Path, error: io::Error) -> Self {
        Self::Io { label: show::path(path), error }
    }

    /// Without the path, for a message that names it already.
    pub fn reason(&self) -> String {
        match self {
            Self::Io { error, .. } => io_reason(error),
            Self::NotAFile { what, .. } => format!("{what} is not a regular file"),
            Self::NoMap { what, .. } => format!("{what} is not a map"),
            Self::NothingIn { .. } => "the directory has no .toml files".to_owned(),
            Self::NotBuiltin { .. } => "no such built-in map".to_owned(),
            Self::NotKept => self.to_string(),
        }
    }
}

/// What the system says, in words.
fn io_reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "no such file".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        _ => show::text(&error.to_string()),
    }
}

/// A file's text, and where it came from.
#[derive(Debug, Clone)]
pub struct Source {
    place: Place,
    label: String,
    path: Option<PathBuf>,
    text: Arc<str>,
    /// Where each line begins, found out when it is first asked for.
    lines: OnceLock<Vec<u32>>,
}

impl Source {
    /// A text under a label that is safe to print; `path` is where it lies on the disk, if it does.
    pub fn new(label: String, path: Option<PathBuf>, text: &str) -> Self {
        Self { place: Place::Map, label, path, text: text.into(), lines: OnceLock::new() }
    }

    /// The same text as something a map names.
    #[must_use]
    pub fn at(self, place: Place) -> Self {
        Self { place, ..self }
    }

    /// What it is for its map.
    pub fn place(&self) -> &Place {
        &self.place
    }

    /// What people call the file: the path they gave, or one beside it. Safe to print.
    pub fn label(&self) -> &str {
        &self.label
    }

    /// Where it lies on the disk; `None` for what is built in.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// Its text, without a byte order mark.
    pub fn text(&self) -> &Arc<str> {
        &self.text
    }

    /// Line and column of a byte offset, both from 1; columns count characters.
    pub fn line_column(&self, offset: usize) -> (usize, usize) {
        let offset = offset.min(self.text.len());
        let line = self.line_of(offset);
        let before = &self.text.as_bytes()[self.lines()[line - 1] as usize..offset];
        // Bytes that continue a character don't begin one.
        let column = before.iter().filter(|&&byte| byte & 0xC0 != 0x80).count() + 1;
        (line, column)
    }

    /// The bytes of the line an offset is on, without its end.
    pub fn line_range(&self, offset: usize) -> Range<usize> {
        let line = self.line_of(offset);
        let begin = self.lines()[line - 1] as usize;
        let end = self.lines().get(line).map_or(self.text.len(), |&next| next as usize);
        begin..begin + self.text[begin..end].trim_end_matches(['\r', '\n']).len()
    }

    /// The line an offset is on, from 1.
    fn line_of(&self, offset: usize) -> usize {
        self.lines().partition_point(|&begin| begin as usize <= offset).max(1)
    }

    fn lines(&self) -> &[u32] {
        self.lines.get_or_init(|| {
            // No file is as large as 4 GiB.
            let ends = self.text.match_indices('\n').map(|(at, _)| at as u32 + 1);
            std::iter::once(0).chain(ends).collect()
        })
    }
}

/// Reads a file from the disk: its text, and what is wrong with the bytes.
///
/// A text with problems is still a text, good for showing where they are and nothing else.
///
/// # Errors
/// When it is missing, can't be read, or is no regular file.
pub fn read(path: &Path, label: String) -> Result<(Source, Vec<Diagnostic>), ReadError> {
    let io = |error| ReadError::Io { label: label.clone(), error };
    let about = regular(path, &label)?;
    let mut bytes = Vec::new();
    if about.len() <= MAX_BYTES {
        bytes.reserve_exact(about.len() as usize + 1);
        // The file may grow meanwhile; one byte too many is enough to know.
        File::open(path).map_err(io)?.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(io)?;
    }
    let path = Some(path.to_owned());
    if about.len() > MAX_BYTES || bytes.len() as u64 > MAX_BYTES {
        let source = Source::new(label, path, "");
        let message = format!("the file is larger than {} MiB", MAX_BYTES / (1024 * 1024));
        return Ok((source, vec![Diagnostic::error(0..0, message)]));
    }
    let (text, problems) = decode(&bytes);
    Ok((Source { place: Place::Map, label, path, text, lines: OnceLock::new() }, problems))
}

/// What the system knows of a regular file; anything else is refused before it could block.
pub(super) fn regular(path: &Path, label: &str) -> Result<fs::Metadata, ReadError> {
    let about =
        fs::metadata(path).map_err(|error| ReadError::Io { label: label.to_owned(), error })?;
    if about.is_file() {
        return Ok(about);
    }
    let what = if about.is_dir() { "a directory" } else { "a pipe or a device" };
    Err(ReadError::NotAFile { label: label.to_owned(), what })
}

/// The text that bytes spell, without a byte order mark, and what is wrong with it.
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
            // Up to `at`, the lossy text is the true one.
            (String::from_utf8_lossy(bytes).into(), vec![problem])
        }
    }
}

/// Control characters, other than tabs and ends of lines, have no business in a text file.
fn controls(text: &str) -> Vec<Diagnostic> {
    let bytes = text.as_bytes();
    // 0xC2 leads the characters U+0080 … U+00BF, the first half of which are controls.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters_and_lines_may_end_in_crlf() {
        let source = Source::new("a".into(), None, "é = 1\r\nüß = 2\n");
        assert_eq!(source.line_column(0), (1, 1));
        assert_eq!(source.line_column(2), (1, 2));
        assert_eq!(source.line_column(12), (2, 3));
        assert_eq!(source.line_range(3), 0..6);
        assert_eq!(source.line_column(999), (3, 1));
    }

    #[test]
    fn bytes_that_spell_no_text_are_pointed_at() {
        let (text, problems) = decode(b"\xEF\xBB\xBFa = 1\n\xFF");
        assert_eq!((&*text, problems[0].span.clone()), ("a = 1\n\u{FFFD}", 6..7));
        assert_eq!(decode(b"a\r\n\tb").1.len(), 0);
        assert_eq!(decode(b"a\rb\0\x7F\xC2\x9B\xC2\xA0").1.len(), 4);
    }
}
