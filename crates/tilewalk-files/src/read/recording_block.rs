//! Recordings as a block of text, to hand over in a message.
//!
//! The lines of a block are a begin line, the compressed recording (deflate) as base64, and an end
//! line with a checksum of the compressed bytes. Around a block, other text may stand. Within it,
//! mail programs may quote lines, add spaces at their ends and wrap them.

use std::io::{Read, Write as _};

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use xxhash_rust::xxh3::xxh3_64;

use crate::show;

/// Length of the lines between the begin line and the end line, in characters.
const WIDTH: usize = 76;

/// Text of the begin line, between dashes.
const BEGIN: &str = "BEGIN TILEWALK RECORDING";

/// Text of the end line, between dashes. The checksum follows.
const END: &str = "END TILEWALK RECORDING";

/// Maximum length of the unpacked recording, in bytes. Larger recordings are handed over as files.
const MAX_BYTES: u64 = 64 << 20;

/// Maximum length of the text of a block, in bytes, without line breaks.
const MAX_TEXT: usize = 16 << 20;

/// Error for a text without a usable block.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BlockError {
    /// The text has no begin line.
    #[error("no recording in this text: the line `-----{BEGIN}-----` is missing")]
    NoBegin,
    /// The text ends before the end line. The numbers are those of the begin line and of the last
    /// line, counted from 1.
    #[error(
        "the recording that begins in line {0} has no end line up to line {1}; \
         copy the whole block again"
    )]
    NoEnd(usize, usize),
    /// A line contains a character that no block contains. The line is counted from 1.
    #[error("line {0}: unexpected `{1}` in the recording; copy the block again")]
    Character(usize, String),
    /// The end line has no readable checksum.
    #[error(
        "line {0}: the end line has no checksum of 16 hexadecimal digits; copy the block again"
    )]
    NoChecksum(usize),
    /// The checksum does not match.
    #[error(
        "line {line}: the checksum is {stated:016x}, but that of the lines above is {found:016x}; \
         copy the block again"
    )]
    Checksum {
        /// The end line, counted from 1.
        line: usize,
        /// The checksum of the end line.
        stated: u64,
        /// The checksum of the received bytes.
        found: u64,
    },
    /// The checksum matches, but the bytes can't be unpacked.
    #[error("line {0}: the recording before this end line can't be unpacked")]
    Packed(usize),
    /// The block or the recording is too large.
    #[error(
        "line {0}: the recording is larger than {size} MiB; hand over the file instead",
        size = MAX_BYTES >> 20
    )]
    TooLarge(usize),
}

/// Returns a recording as a block of text, with a line break at the end. Returns `None` if the
/// recording is too large for a block.
pub fn encode(recording: &[u8]) -> Option<String> {
    if recording.len() as u64 > MAX_BYTES {
        return None;
    }
    let mut packed = DeflateEncoder::new(Vec::new(), Compression::best());
    // A vector accepts all bytes.
    let packed = packed.write_all(recording).and_then(|()| packed.finish()).ok()?;
    let text = BASE64_STANDARD.encode(&packed);
    if text.len() > MAX_TEXT {
        return None;
    }
    let mut block = format!("-----{BEGIN}-----\n");
    for line in 0..text.len().div_ceil(WIDTH) {
        block.push_str(&text[line * WIDTH..text.len().min((line + 1) * WIDTH)]);
        block.push('\n');
    }
    Some(format!("{block}-----{END} {:016x}-----\n", xxh3_64(&packed)))
}

/// Returns true if a text contains the begin line or the end line of a block.
pub fn is_block(text: &str) -> bool {
    lines(text).any(|line| !matches!(classify(line), LineKind::Other(_)))
}

/// Returns the bytes of the recording in a text. The text may contain other lines before and after
/// the block.
///
/// # Errors
/// Returns an error if the text has no complete and undamaged block.
pub fn decode(text: &str) -> Result<Vec<u8>, BlockError> {
    let mut block = BlockReader::default();
    for line in lines(text) {
        if block.take(line)? {
            break;
        }
    }
    block.finish()
}

/// Splits a text into lines. In a pasted text, lines end with a carriage return.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.split('\n').flat_map(|line| line.strip_suffix('\r').unwrap_or(line).split('\r'))
}

/// Reads the lines of a text up to the end line of a block.
#[derive(Debug, Default)]
pub struct BlockReader {
    /// Number of lines so far.
    line: usize,
    /// Number of the begin line, counted from 1. `None` before it.
    begin: Option<usize>,
    base64: String,
    /// The checksum of the end line. `None` before it.
    checksum: Option<u64>,
}

/// The content of a line, without quotation marks and white space around it.
#[derive(Debug, PartialEq, Eq)]
enum LineKind<'a> {
    Begin,
    /// The end line, with the text of the checksum.
    End(&'a str),
    Other(&'a str),
}

fn classify(line: &str) -> LineKind<'_> {
    let content = line.trim_start_matches(|c: char| c == '>' || c.is_whitespace()).trim_end();
    // Some programs replace two hyphens by a dash.
    let words = content.trim_matches(|c| matches!(c, '-' | '–' | '—') || c.is_whitespace());
    match words.strip_prefix(END) {
        _ if words == BEGIN => LineKind::Begin,
        Some(checksum) if words.len() < content.len() => LineKind::End(checksum.trim()),
        Some(_) | None => LineKind::Other(content),
    }
}

impl BlockReader {
    /// Reads a line, without its line break. Returns true if it is the end line: then
    /// [`BlockReader::finish`] returns the recording, and later lines are not part of it.
    ///
    /// # Errors
    /// Returns an error for a line that no block contains.
    pub fn take(&mut self, line: &str) -> Result<bool, BlockError> {
        self.line += 1;
        match classify(line) {
            LineKind::Begin => {
                // After an incomplete block, a complete one may follow.
                self.begin = Some(self.line);
                self.base64.clear();
            }
            LineKind::End(checksum) if self.begin.is_some() => {
                let known = (checksum.len() == 16).then(|| u64::from_str_radix(checksum, 16).ok());
                self.checksum = Some(known.flatten().ok_or(BlockError::NoChecksum(self.line))?);
                return Ok(true);
            }
            LineKind::Other(content) if self.begin.is_some() => {
                let is_known = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '=');
                let text = content.chars().filter(|c| !c.is_whitespace());
                if let Some(unknown) = text.clone().find(|&c| !is_known(c)) {
                    return Err(BlockError::Character(
                        self.line,
                        show::text(unknown.encode_utf8(&mut [0; 4])),
                    ));
                }
                if self.base64.len() + content.len() > MAX_TEXT {
                    return Err(BlockError::TooLarge(self.line));
                }
                self.base64.extend(text);
            }
            LineKind::End(_) | LineKind::Other(_) => {}
        }
        Ok(false)
    }

    /// Returns the bytes of the recording.
    ///
    /// # Errors
    /// Returns an error if the block is missing, incomplete or damaged, or if the recording is too
    /// large. At most the permitted size is unpacked.
    pub fn finish(self) -> Result<Vec<u8>, BlockError> {
        let begin = self.begin.ok_or(BlockError::NoBegin)?;
        let stated = self.checksum.ok_or(BlockError::NoEnd(begin, self.line))?;
        let line = self.line;
        // Bits that base64 can't contain count as damage, as a wrong checksum does.
        let packed = BASE64_STANDARD.decode(&self.base64).unwrap_or_default();
        let found = xxh3_64(&packed);
        if stated != found {
            return Err(BlockError::Checksum { line, stated, found });
        }
        let mut bytes = Vec::new();
        let unpacked = DeflateDecoder::new(&*packed).take(MAX_BYTES + 1).read_to_end(&mut bytes);
        if bytes.len() as u64 > MAX_BYTES {
            return Err(BlockError::TooLarge(line));
        }
        unpacked.map_err(|_| BlockError::Packed(line))?;
        Ok(bytes)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Returns the block with every line changed by `change`, between other lines.
    fn quoted(block: &str, change: impl Fn(&str) -> String) -> String {
        let lines: Vec<_> = block.lines().map(change).collect();
        format!("Hello,\n\n{}\nRegards\n", lines.join("\n"))
    }

    /// Returns a block with these packed bytes and their checksum.
    fn packed(bytes: &[u8]) -> String {
        let (text, sum) = (BASE64_STANDARD.encode(bytes), xxh3_64(bytes));
        format!("-----{BEGIN}-----\n{text}\n-----{END} {sum:016x}-----\n")
    }

    proptest! {
        #[test]
        fn a_block_contains_the_same_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..3000)) {
            let block = encode(&bytes).unwrap();
            prop_assert!(block.lines().all(|line| line.len() <= WIDTH));
            prop_assert_eq!(decode(&block), Ok(bytes));
        }

        #[test]
        fn quotation_marks_spaces_and_wrapped_lines_are_ignored(
            bytes in proptest::collection::vec(any::<u8>(), 0..500),
            quote in "(> ?){0,3}[ \t]{0,2}",
            spaces in "[ \t\u{a0}]{0,3}\r?",
            width in 1_usize..80,
        ) {
            let wrap = |line: &str| {
                // Mail programs wrap only long lines at spaces, so begin and end lines stay whole.
                let width = if line.starts_with('-') { line.len() } else { width };
                let pieces = line.as_bytes().chunks(width).map(String::from_utf8_lossy);
                let pieces: Vec<_> = pieces.map(|piece| format!("{quote}{piece}{spaces}")).collect();
                pieces.join("\n")
            };
            let text = quoted(&encode(&bytes).unwrap(), wrap);
            prop_assert!(is_block(&text));
            prop_assert_eq!(decode(&text), Ok(bytes.clone()));
            prop_assert_eq!(decode(&text.replace('\n', "\r")), Ok(bytes));
        }

        #[test]
        fn any_text_is_refused_without_a_panic(text in "(.{0,40}\n|-----BEGIN TILEWALK RECORDING-----\n|-----END TILEWALK RECORDING 0123456789abcdef-----\n){0,8}") {
            prop_assert!(decode(&text).is_err());
        }

        #[test]
        fn a_changed_character_is_detected(
            bytes in proptest::collection::vec(any::<u8>(), 1..500),
            index in any::<proptest::sample::Index>(),
            new in "[A-Za-z0-9+/]",
        ) {
            let block = encode(&bytes).unwrap();
            let begin = block.find('\n').unwrap() + 1;
            let at = begin + index.index(block.rfind("\n-").unwrap() - begin);
            let mut changed = block.clone();
            changed.replace_range(at..=at, &new);
            prop_assume!(changed.replace('\n', "") != block.replace('\n', ""));
            let result = decode(&changed);
            prop_assert!(matches!(result, Err(BlockError::Checksum { .. })), "{:?}", result);
        }
    }

    #[test]
    fn errors_name_the_line() {
        let block = encode(&[7; 300]).unwrap();
        let message = |text: &str| decode(text).unwrap_err().to_string();
        assert_eq!(
            message("nothing here"),
            "no recording in this text: the line `-----BEGIN TILEWALK RECORDING-----` is missing"
        );
        let cut = format!("Hello\n{}", block.lines().next().unwrap());
        assert_eq!(
            message(&cut),
            "the recording that begins in line 2 has no end line up to line 2; copy the whole block again"
        );
        let (begin, rest) = block.split_once('\n').unwrap();
        assert_eq!(
            message(&format!("{begin}\n\x1b[2J{rest}")),
            r"line 2: unexpected `\u{1b}` in the recording; copy the block again"
        );
        let sum = xxh3_64(&[]);
        assert_eq!(
            message(&format!("{begin}\n-----{END} 0123456789abcdef-----")),
            format!(
                "line 2: the checksum is 0123456789abcdef, but that of the lines above is {sum:016x}; copy the block again"
            )
        );
        assert_eq!(
            message(&format!("{begin}\n-----{END}-----")),
            "line 2: the end line has no checksum of 16 hexadecimal digits; copy the block again"
        );
        assert_eq!(
            message(&packed(&[255; 9])),
            "line 3: the recording before this end line can't be unpacked"
        );
    }

    #[test]
    fn only_the_permitted_size_is_unpacked() {
        let mut bomb = DeflateEncoder::new(Vec::new(), Compression::best());
        for _ in 0..=MAX_BYTES >> 20 {
            bomb.write_all(&vec![0; 1 << 20]).unwrap();
        }
        let bomb = bomb.finish().unwrap();
        assert!(bomb.len() < 100_000);
        assert_eq!(decode(&packed(&bomb)), Err(BlockError::TooLarge(3)));
        assert_eq!(encode(&vec![0; MAX_BYTES as usize + 1]), None);
    }

    #[test]
    fn after_an_incomplete_block_a_complete_one_is_read() {
        let block = encode(b"the recording").unwrap();
        let cut: String = block.lines().take(1).collect();
        assert_eq!(decode(&format!("{cut}\nAAAA\n{block}")), Ok(b"the recording".to_vec()));
        assert_eq!(decode(&block.replace("-----", "—–-")), Ok(b"the recording".to_vec()));
    }
}
