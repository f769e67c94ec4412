//! A recording as bytes: the header, the records, and how they are framed.
//!
//! A record is its length (u32), a checksum (u64) and its payload, all little-endian. The checksum is
//! xxh3 over length and payload, with the place in the file as its seed: so a record that was moved
//! or left out is found, too.

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// The first bytes of every recording.
pub const MAGIC: [u8; 8] = *b"TILEWALK";

/// The version this program writes, and the newest it reads.
pub const VERSION: u16 = 1;

/// How long the header is: magic, version, two zero bytes, and a checksum (u32) of these.
pub const HEADER: usize = 16;

/// How long a record is besides its payload.
const FRAMING: usize = 12;

/// One piece of a recording. What a piece names came before it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Record {
    /// A file; the first one is number 0.
    File {
        /// What it is for the map: a kind, and a name.
        place: WirePlace,
        /// What people call it.
        label: String,
        /// Its text.
        text: String,
    },
    /// What a scenario was read from; the first one is number 0.
    Sources {
        /// The numbers of its files, the map first.
        files: Vec<u32>,
        /// Settings, as they are typed.
        set: Vec<String>,
        /// Instead of the map's own seed.
        seed: Option<u64>,
    },
    /// A run begins; the first one is number 0.
    Run {
        /// The run it parts from, and the last frame they share.
        parent: Option<(u32, u64)>,
        /// The number of what its scenario of frame 0 was read from.
        sources: u32,
    },
    /// A run has come some frames further.
    Batch {
        /// Which run.
        run: u32,
        /// The last of these frames.
        to: u64,
        /// What was done, each with the frame it led to, ascending.
        commands: Vec<(u64, WireCommand)>,
        /// The state hash of the last frame, if it was looked at.
        hash: Option<u64>,
    },
}

/// What a file is for a map.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum WirePlace {
    /// The map itself.
    Map,
    /// A file beside it.
    Beside(String),
    /// A pattern.
    Pattern(String),
}

/// A command.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub enum WireCommand {
    /// An agent is driven; 0 holds it still, 1 to 8 are the eight ways clockwise from east.
    Drive {
        /// Its number.
        agent: u32,
        /// Which way.
        way: u8,
    },
    /// An agent is put elsewhere.
    Place {
        /// Its number.
        agent: u32,
        /// Where, in tiles.
        x: f32,
        /// Where, in tiles.
        y: f32,
    },
    /// Another scenario.
    Reload {
        /// The number of what it was read from.
        sources: u32,
    },
}

/// The header.
pub fn header() -> [u8; HEADER] {
    let mut bytes = [0; HEADER];
    bytes[..8].copy_from_slice(&MAGIC);
    bytes[8..10].copy_from_slice(&VERSION.to_le_bytes());
    let sum = xxh3_64_with_seed(&bytes[..12], 0) as u32;
    bytes[12..].copy_from_slice(&sum.to_le_bytes());
    bytes
}

/// What the first bytes of a file say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Head {
    /// A recording of this version.
    Known,
    /// A recording of a newer program.
    Newer(u16),
    /// No recording, or a damaged one.
    Strange,
}

/// Reads the header.
pub fn head(bytes: &[u8]) -> Head {
    let Some(head) = bytes.first_chunk::<HEADER>() else { return Head::Strange };
    let sum = xxh3_64_with_seed(&head[..12], 0) as u32;
    if head[..8] != MAGIC || head[12..] != sum.to_le_bytes() {
        return Head::Strange;
    }
    match u16::from_le_bytes([head[8], head[9]]) {
        VERSION => Head::Known,
        newer if newer > VERSION => Head::Newer(newer),
        _ => Head::Strange,
    }
}

/// A record as it stands at a place of a file.
pub fn frame(record: &Record, at: u64) -> Vec<u8> {
    let mut bytes = vec![0; FRAMING];
    bytes = postcard::to_extend(record, bytes).unwrap_or_default();
    let length = (bytes.len() - FRAMING) as u32;
    bytes[..4].copy_from_slice(&length.to_le_bytes());
    let sum = checksum(&bytes[FRAMING..], at);
    bytes[4..FRAMING].copy_from_slice(&sum.to_le_bytes());
    bytes
}

fn checksum(payload: &[u8], at: u64) -> u64 {
    // The length is in the seed, so that it is checked as well.
    xxh3_64_with_seed(payload, at ^ (payload.len() as u64).rotate_right(16))
}

/// What stands at a place of a file.
#[derive(Debug)]
pub enum Framed {
    /// A record, and where the next one begins.
    Whole(Record, usize),
    /// The file ends before the record does.
    Torn,
    /// The bytes are not those that were written.
    Damaged,
}

/// Reads what stands at a place of a file.
pub fn read(bytes: &[u8], at: usize) -> Framed {
    let Some((framing, rest)) = bytes[at..].split_first_chunk::<FRAMING>() else {
        return Framed::Torn;
    };
    let [l0, l1, l2, l3, sum @ ..] = *framing;
    let length = u32::from_le_bytes([l0, l1, l2, l3]) as usize;
    let Some(payload) = rest.get(..length) else { return Framed::Torn };
    if checksum(payload, at as u64) != u64::from_le_bytes(sum) {
        return Framed::Damaged;
    }
    match postcard::take_from_bytes(payload) {
        Ok((record, [])) => Framed::Whole(record, at + FRAMING + length),
        _ => Framed::Damaged,
    }
}
