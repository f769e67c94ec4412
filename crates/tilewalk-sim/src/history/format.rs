//! The recording format: header and records.
//!
//! A record has four parts, all little-endian: its length (u32), a checksum of the length (u32), a
//! checksum of the payload (u64), and the payload. Both checksums are xxh3, seeded with the file
//! offset. They therefore also detect moved and missing records. The checksum of the length
//! distinguishes a damaged length from a file that ends within a record.
//!
//! A shared recording also stores the view of its sender (see [`view`]).
//!
//! Version 1 has no checksum of the length, no engine revision and no end marker.

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::step::ENGINE_REVISION;

/// The first bytes of every recording.
pub(crate) const MAGIC: [u8; 8] = *b"TILEWALK";

/// The format version of new recordings.
pub(crate) const VERSION: u16 = 2;

/// The format version of new recordings of a run of another program, and the newest version that
/// can be read. Programs that know only older versions refuse the recording as a whole, because
/// they can't read its first record of sources.
pub(crate) const VERSION_WITH_RUN: u16 = 3;

/// Length of the header in bytes: magic, version (u16), engine revision (u16), and a checksum (u32)
/// of these 12 bytes. In version 1, the engine revision is zero.
pub(crate) const HEADER: usize = 16;

/// Length of a record without its payload, in bytes.
const FRAMING: usize = 16;

/// Length of a record of version 1 without its payload, in bytes.
const FRAMING_1: usize = 12;

/// Largest frame number in a recording. At a million frames per second, a run of this length takes
/// twelve days.
pub(crate) const MAX_FRAME: u64 = 1 << 40;

/// One record of a recording. Files, sources and runs are referenced by their numbers in preceding
/// records.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) enum Record {
    /// A source file. Files are numbered from 0.
    File {
        place: RecordedPlace,
        /// The file name, as shown to users.
        label: String,
        text: String,
    },
    /// The sources of a scenario. Sources are numbered from 0.
    Sources {
        /// The numbers of the source files; the map file comes first.
        files: Vec<u32>,
        /// Value changes, in the syntax of the command line.
        set: Vec<String>,
        /// Random seed that overrides the seed of the map. `None` keeps the seed of the map.
        seed: Option<u64>,
    },
    /// The start of a run. Runs are numbered from 0.
    Run {
        /// The number of the parent run, and the last frame that both runs share. `None` for a run
        /// without a parent.
        parent: Option<(u32, u64)>,
        /// Number of the sources of the scenario at frame 0.
        sources: u32,
    },
    /// New frames at the end of a run.
    Batch {
        run: u32,
        /// Number of the last new frame.
        to: u64,
        /// The new commands, ascending by frame. Each pair consists of the frame after the step and
        /// a command of the step.
        commands: Vec<(u64, RecordedCommand)>,
        /// The state hash of frame `to`. `None` if the hash is unknown.
        hash: Option<u64>,
    },
    /// A scenario that was built in code. `Built` and `Sources` records share one sequence of
    /// numbers.
    Built {
        /// The name of the scenario, as given by the program that built it.
        name: String,
    },
    /// The end of a complete recording. A recording that is resumed overwrites this record.
    End,
    /// The sources of a scenario whose agents follow the run of another program. `Sources`, `Built`
    /// and `Followed` records share one sequence of numbers.
    Followed { files: Vec<u32>, set: Vec<String>, seed: Option<u64>, run: RecordedRunFile },
}

/// The run of another program that agents follow. A recording does not contain its rows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedRunFile {
    /// Path of the file.
    pub path: String,
    /// Options with which the file was read (see [`RunFile::options`]).
    ///
    /// [`RunFile::options`]: crate::scenario::run::RunFile::options
    pub options: String,
    /// Size of the file, in bytes.
    pub size: u64,
    /// Hash of the content of the file.
    pub hash: u64,
    /// Agents of the map that are in the world besides those of the run.
    pub with: Vec<String>,
    /// Agents that a mode drives instead of the run: the names of the agent and of the mode.
    pub taken_over: Vec<(String, String)>,
}

/// The role of a source file in a scenario.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum RecordedPlace {
    /// The file that defines the map.
    Map,
    /// Another file in the directory of the map file, with the given file name.
    Beside(String),
    /// A pattern file for the pattern with the given name.
    Pattern(String),
}

/// A command in the form that recordings store.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) enum RecordedCommand {
    /// Controls an agent manually.
    Drive {
        agent: u32,
        /// The direction as a number from 1 to 8, clockwise from east; 0 to stand still.
        way: u8,
    },
    /// Moves an agent to a position, in tiles.
    Place { agent: u32, x: f32, y: f32 },
    /// Switches to another scenario. `sources` is the number of the scenario's sources.
    Reload { sources: u32 },
}

/// Returns the record of a view. It is a file without a name that no sources refer to, so programs
/// that know no views skip the record.
pub(crate) fn view(text: &str) -> Record {
    let place = RecordedPlace::Beside(String::new());
    Record::File { place, label: VIEW.to_owned(), text: text.to_owned() }
}

/// Returns true if the record of a file contains a view.
pub(crate) fn is_view(place: &RecordedPlace, label: &str) -> bool {
    label == VIEW && matches!(place, RecordedPlace::Beside(name) if name.is_empty())
}

/// The label of a view among the files of a recording.
const VIEW: &str = "view";

/// Returns the header of a new recording, with the current engine revision.
pub fn header(version: u16) -> [u8; HEADER] {
    let mut bytes = [0; HEADER];
    bytes[..8].copy_from_slice(&MAGIC);
    bytes[8..10].copy_from_slice(&version.to_le_bytes());
    bytes[10..12].copy_from_slice(&ENGINE_REVISION.to_le_bytes());
    let sum = xxh3_64_with_seed(&bytes[..12], 0) as u32;
    bytes[12..].copy_from_slice(&sum.to_le_bytes());
    bytes
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Head {
    Supported {
        version: u16,
        /// The engine revision of the program that began the recording.
        engine: u16,
    },
    /// The recording has a newer format version.
    Newer(u16),
    /// The file is not a recording, or its header is damaged.
    Invalid,
}

pub(crate) fn head(bytes: &[u8]) -> Head {
    let Some(head) = bytes.first_chunk::<HEADER>() else { return Head::Invalid };
    let sum = xxh3_64_with_seed(&head[..12], 0) as u32;
    if head[..8] != MAGIC || head[12..] != sum.to_le_bytes() {
        return Head::Invalid;
    }
    let engine = u16::from_le_bytes([head[10], head[11]]);
    match u16::from_le_bytes([head[8], head[9]]) {
        0 => Head::Invalid,
        1 => Head::Supported { version: 1, engine: 1 },
        version @ 2..=VERSION_WITH_RUN => Head::Supported { version, engine },
        newer => Head::Newer(newer),
    }
}

/// Encodes a record for the file offset `at`, with its length and checksums.
pub(crate) fn frame(record: &Record, at: u64) -> Vec<u8> {
    let mut bytes = vec![0; FRAMING];
    bytes = postcard::to_extend(record, bytes).unwrap_or_default();
    let length = ((bytes.len() - FRAMING) as u32).to_le_bytes();
    let sum = checksum(&bytes[FRAMING..], at);
    bytes[..4].copy_from_slice(&length);
    bytes[4..8].copy_from_slice(&length_checksum(length, at).to_le_bytes());
    bytes[8..FRAMING].copy_from_slice(&sum.to_le_bytes());
    bytes
}

fn checksum(payload: &[u8], at: u64) -> u64 {
    // The seed includes the length, so that the checksum covers it.
    xxh3_64_with_seed(payload, at ^ (payload.len() as u64).rotate_right(16))
}

fn length_checksum(length: [u8; 4], at: u64) -> u32 {
    xxh3_64_with_seed(&length, at) as u32
}

#[derive(Debug)]
pub(crate) enum Framed {
    /// A valid record, and the file offset of the next record.
    Whole(Record, usize),
    /// The file ends before the end of the record.
    Incomplete,
    /// A checksum does not match.
    Damaged,
    /// The checksums match, but the kind of record is unknown.
    Unknown,
}

/// Reads the record at file offset `at`. `version` is the format version of the recording.
pub(crate) fn read(bytes: &[u8], at: usize, version: u16) -> Framed {
    let rest = &bytes[at..];
    let (length, sum, begin) = if version == 1 {
        let Some([l0, l1, l2, l3, sum @ ..]) = rest.first_chunk::<FRAMING_1>() else {
            return Framed::Incomplete;
        };
        ([*l0, *l1, *l2, *l3], *sum, FRAMING_1)
    } else {
        let Some([l0, l1, l2, l3, s0, s1, s2, s3, sum @ ..]) = rest.first_chunk::<FRAMING>() else {
            return Framed::Incomplete;
        };
        let length = [*l0, *l1, *l2, *l3];
        if length_checksum(length, at as u64).to_le_bytes() != [*s0, *s1, *s2, *s3] {
            return Framed::Damaged;
        }
        (length, *sum, FRAMING)
    };
    let (length, sum) = (u32::from_le_bytes(length) as usize, u64::from_le_bytes(sum));
    let rest = &rest[begin..];
    let Some(payload) = rest.get(..length) else {
        let damaged = version == 1 && has_flipped_length(rest, length, sum, at as u64);
        return if damaged { Framed::Damaged } else { Framed::Incomplete };
    };
    if checksum(payload, at as u64) != sum {
        return Framed::Damaged;
    }
    match postcard::take_from_bytes(payload) {
        Ok((record, [])) => Framed::Whole(record, at + begin + length),
        _ => Framed::Unknown,
    }
}

/// Returns true if flipping one bit of the length makes the checksum of a record of version 1
/// match. Such a record is damaged, although its length seems to exceed the file.
fn has_flipped_length(rest: &[u8], length: usize, sum: u64, at: u64) -> bool {
    (0..u32::BITS).any(|bit| {
        let payload = rest.get(..length ^ (1 << bit));
        payload.is_some_and(|payload| checksum(payload, at) == sum)
    })
}
