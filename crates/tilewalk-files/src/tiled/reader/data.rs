//! Decodes the tiles of a layer: XML elements, CSV, or base64 with or without compression.
//!
//! Tiles are decoded one by one. The number of decoded tiles is limited to the size of the map, so
//! a small file can't use much memory.

use std::io::{self, BufReader, Read};

use base64::engine::DecodePaddingMode;
use base64::engine::{GeneralPurpose, GeneralPurposeConfig};
use base64::read::DecoderReader;
use flate2::read::{GzDecoder, ZlibDecoder};
use ruzstd::decoding::StreamingDecoder;

use super::element::Element;
use crate::diagnostic::Diagnostic;
use crate::show;
use tilewalk_sim::report::words;

/// Memory limit for Zstandard windows, in bytes.
const MAX_WINDOW: u64 = 32 * 1024 * 1024;

/// Base64 with optional padding.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &base64::alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// The tiles of a layer, or of a chunk of a layer.
#[derive(Debug, Clone, Copy)]
pub struct Block<'a> {
    /// Element whose attributes state the encoding.
    pub data: Element<'a>,
    /// Element with the tiles.
    pub tiles: Element<'a>,
    /// Words for messages: the noun for the block, and the phrase that precedes the expected number
    /// of tiles.
    pub names: (&'static str, &'static str),
    /// Position of the first tile, in tiles.
    pub at: (i64, i64),
    /// Number of tiles along each axis.
    pub size: (u32, u32),
}

impl Block<'_> {
    pub fn count(&self) -> usize {
        self.size.0 as usize * self.size.1 as usize
    }

    /// Returns the message for a wrong number of tiles. `found` is the number of tiles in the data.
    fn differs(&self, found: usize) -> String {
        let (has, needs) = self.names;
        format!("the {has} has {}, but {needs} {}", count_of(found), self.count())
    }
}

/// Passes the index and the tile number of each tile to `each`, row by row. Returns `None` if the
/// data is invalid or has a wrong number of tiles.
pub fn read(block: &Block, each: impl FnMut(usize, u32)) -> Option<()> {
    let data = &block.data;
    let encoding = data.attribute("encoding").unwrap_or_default();
    let compression = data.attribute("compression").unwrap_or_default();
    if encoding != "base64" && !compression.is_empty() {
        let message = "only base64 data can be compressed";
        let help = "in Tiled, save the map with the tile layer format CSV";
        data.issues.push(Diagnostic::error(data.span_of("compression"), message).help(help));
        return None;
    }
    match encoding {
        "" => all(block, elements(&block.tiles), each),
        "csv" => all(block, commas(&block.tiles, block.count()), each),
        "base64" => base64(block, compression, each),
        other => {
            let message = format!("unsupported encoding `{}`", show::text(other));
            let help = "save the map with the tile layer format CSV or Base64";
            data.issues.push(Diagnostic::error(data.span_of("encoding"), message).help(help));
            None
        }
    }
}

/// Returns the tile numbers of `<tile gid="1"/>` elements. An invalid number is reported and
/// becomes `None`.
fn elements<'a>(data: &Element<'a>) -> impl Iterator<Item = Option<u32>> + use<'a> {
    data.all("tile").map(|tile| {
        let gid = tile.attribute("gid").unwrap_or("0");
        let number = gid.parse().ok();
        if number.is_none() {
            tile.error_at("gid", format!("invalid tile number `{}`", show::text(gid)));
        }
        number
    })
}

/// Returns the tile numbers of CSV data. An invalid number is reported and becomes `None`.
fn commas(data: &Element, count: usize) -> impl Iterator<Item = Option<u32>> {
    let mut found = 0;
    data.text().split(',').map(str::trim).filter_map(move |piece| {
        // A trailing comma is ignored.
        if piece.is_empty() && found >= count {
            return None;
        }
        let number = piece.parse().ok();
        if number.is_none() {
            data.error(format!("invalid tile number `{}` for tile {found}", show::text(piece)));
        }
        found += 1;
        Some(number)
    })
}

/// Passes the index and the tile number of each tile to `each`. Reports data with a wrong number of
/// tiles and returns `None`.
fn all(
    block: &Block,
    numbers: impl Iterator<Item = Option<u32>>,
    mut each: impl FnMut(usize, u32),
) -> Option<()> {
    let (count, mut found) = (block.count(), 0);
    for number in numbers {
        let number = number?;
        if found < count {
            each(found, number);
        }
        found += 1;
    }
    if found != count {
        block.tiles.error(block.differs(found));
    }
    (found == count).then_some(())
}

fn count_of(tiles: usize) -> String {
    words::count(tiles as u64, "tile")
}

fn base64(block: &Block, compression: &str, each: impl FnMut(usize, u32)) -> Option<()> {
    let data = &block.data;
    let plain = DecoderReader::new(Text(block.tiles.text().as_bytes()), &BASE64);
    let result = match compression {
        "" => unpack(plain, block, each),
        "zlib" => unpack(ZlibDecoder::new(plain), block, each),
        "gzip" => unpack(GzDecoder::new(plain), block, each),
        "zstd" => match StreamingDecoder::new_with_max_window_size(plain, MAX_WINDOW) {
            Ok(reader) => unpack(reader, block, each),
            Err(error) => Err(format!("can't decode the data: {error}")),
        },
        other => {
            let message = format!("unsupported compression `{}`", show::text(other));
            let help = "save the map as CSV, or with zlib, gzip or Zstandard compression";
            data.issues.push(Diagnostic::error(data.span_of("compression"), message).help(help));
            return None;
        }
    };
    if let Err(message) = &result {
        block.tiles.error(show::text(message));
    }
    result.ok()
}

/// Reads tile numbers of four bytes, in little-endian order.
fn unpack(
    reader: impl Read,
    block: &Block,
    mut each: impl FnMut(usize, u32),
) -> Result<(), String> {
    let count = block.count();
    let mut reader = BufReader::new(reader);
    let mut bytes = [0; 4];
    for index in 0..count {
        match reader.read_exact(&mut bytes) {
            Ok(()) => each(index, u32::from_le_bytes(bytes)),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                return Err(block.differs(index));
            }
            Err(error) => return Err(format!("can't decode the data: {error}")),
        }
    }
    match reader.read(&mut bytes) {
        Ok(0) => Ok(()),
        Ok(_) => Err(format!("the {} has more tiles than the map ({count})", block.names.0)),
        Err(error) => Err(format!("can't decode the data: {error}")),
    }
}

/// Reader that skips the white space of a text.
struct Text<'a>(&'a [u8]);

impl Read for Text<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut filled = 0;
        while filled < buffer.len()
            && let Some((&byte, rest)) = self.0.split_first()
        {
            self.0 = rest;
            if !byte.is_ascii_whitespace() {
                buffer[filled] = byte;
                filled += 1;
            }
        }
        Ok(filled)
    }
}
