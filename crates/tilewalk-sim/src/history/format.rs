//! The recording format: header, records, and their framing.
//!
//! A record consists of its length (u32), a checksum (u64) and its payload, all little-endian. The
//! checksum is xxh3 over length and payload, seeded with the file offset. It therefore also detects
//! moved and missing records.

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// The first bytes of every recording.
pub(crate) const MAGIC: [u8; 8] = *b"TILEWALK";

/// The format version that is written, and the newest version that can be read.
pub(crate) const VERSION: u16 = 1;

/// Length of the header in bytes: magic, version, two zero bytes, and a checksum (u32) of those 12
/// bytes.
pub(crate) const HEADER: usize = 16;

/// Length of a record without its payload, in bytes.
const FRAMING: usize = 12;

/// One record of a recording. All file, source and run numbers refer to earlier records.
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
        /// Value changes, in command-line syntax.
        set: Vec<String>,
        /// Random seed that overrides the map's.
        seed: Option<u64>,
    },
    /// The start of a run. Runs are numbered from 0.
    Run {
        /// The number of the parent run, and the last frame that both runs share.
        parent: Option<(u32, u64)>,
        /// Number of the `Sources` record for the scenario at frame 0.
        sources: u32,
    },
    /// New frames at the end of a run.
    Batch {
        run: u32,
        /// Number of the last new frame.
        to: u64,
        /// The commands, each with the frame that its step leads to, ascending.
        commands: Vec<(u64, RecordedCommand)>,
        /// The state hash of frame `to`, if known.
        hash: Option<u64>,
    },
}

/// The role that a source file has for a map.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum RecordedPlace {
    /// The file that defines the map.
    Map,
    /// A file beside the map file, by file name.
    Beside(String),
    /// A pattern file, by the name of the pattern.
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
    /// Switches to another scenario; `sources` is the number of its `Sources` record.
    Reload { sources: u32 },
}

/// Returns the header of a recording.
pub fn header() -> [u8; HEADER] {
    let mut bytes = [0; HEADER];
    bytes[..8].copy_from_slice(&MAGIC);
    bytes[8..10].copy_from_slice(&VERSION.to_le_bytes());
    let sum = xxh3_64_with_seed(&bytes[..12], 0) as u32;
    bytes[12..].copy_from_slice(&sum.to_le_bytes());
    bytes
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Head {
    Supported,
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
    match u16::from_le_bytes([head[8], head[9]]) {
        VERSION => Head::Supported,
        newer if newer > VERSION => Head::Newer(newer),
        _ => Head::Invalid,
    }
}

/// Encodes a record to be written at file offset `at`.
pub(crate) fn frame(record: &Record, at: u64) -> Vec<u8> {
    let mut bytes = vec![0; FRAMING];
    bytes = postcard::to_extend(record, bytes).unwrap_or_default();
    let length = (bytes.len() - FRAMING) as u32;
    bytes[..4].copy_from_slice(&length.to_le_bytes());
    let sum = checksum(&bytes[FRAMING..], at);
    bytes[4..FRAMING].copy_from_slice(&sum.to_le_bytes());
    bytes
}

fn checksum(payload: &[u8], at: u64) -> u64 {
    // The seed includes the length, so that the checksum covers it.
    xxh3_64_with_seed(payload, at ^ (payload.len() as u64).rotate_right(16))
}

#[derive(Debug)]
pub(crate) enum Framed {
    /// A valid record, and the offset of the next one.
    Whole(Record, usize),
    /// The file ends before the end of the record.
    Incomplete,
    /// The checksum or the encoding is not valid.
    Damaged,
}

/// Reads the record at a file offset.
pub(crate) fn read(bytes: &[u8], at: usize) -> Framed {
    let Some((framing, rest)) = bytes[at..].split_first_chunk::<FRAMING>() else {
        return Framed::Incomplete;
    };
    let [l0, l1, l2, l3, sum @ ..] = *framing;
    let length = u32::from_le_bytes([l0, l1, l2, l3]) as usize;
    let Some(payload) = rest.get(..length) else { return Framed::Incomplete };
    if checksum(payload, at as u64) != u64::from_le_bytes(sum) {
        return Framed::Damaged;
    }
    match postcard::take_from_bytes(payload) {
        Ok((record, [])) => Framed::Whole(record, at + FRAMING + length),
        _ => Framed::Damaged,
    }
}
