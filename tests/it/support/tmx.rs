//! Writes maps of the editor Tiled in all of its encodings.

use std::fmt::Write as _;
use std::io::Write as _;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::{GzEncoder, ZlibEncoder};
use ruzstd::encoding::{CompressionLevel, compress_to_vec};

/// Encoding of the tiles of a layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    Csv,
    Elements,
    Base64,
    Zlib,
    Gzip,
    Zstd,
}

impl Encoding {
    pub const ALL: [Self; 6] =
        [Self::Csv, Self::Elements, Self::Base64, Self::Zlib, Self::Gzip, Self::Zstd];

    /// Returns a `<data>` element with these tiles.
    pub fn data(self, tiles: &[u32]) -> String {
        let bytes: Vec<u8> = tiles.iter().flat_map(|tile| tile.to_le_bytes()).collect();
        let words = |of: fn(&u32) -> String| tiles.iter().map(of).collect::<Vec<_>>();
        match self {
            Self::Csv => {
                let numbers = words(u32::to_string).join(",\n");
                format!("<data encoding=\"csv\">\n{numbers}\n</data>")
            }
            Self::Elements => {
                format!("<data>{}</data>", words(|tile| format!("<tile gid=\"{tile}\"/>")).concat())
            }
            Self::Base64 => packed("", &bytes),
            Self::Zlib => packed(" compression=\"zlib\"", &zlib(&bytes)),
            Self::Gzip => {
                let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
                encoder.write_all(&bytes).unwrap();
                packed(" compression=\"gzip\"", &encoder.finish().unwrap())
            }
            Self::Zstd => packed(
                " compression=\"zstd\"",
                &compress_to_vec(bytes.as_slice(), CompressionLevel::Fastest),
            ),
        }
    }
}

/// Compresses bytes with zlib.
pub fn zlib(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Returns a `<data>` element with bytes as base64, in lines of uneven length.
pub fn packed(compression: &str, bytes: &[u8]) -> String {
    let text = STANDARD.encode(bytes);
    let mut lines = String::new();
    for (index, c) in text.chars().enumerate() {
        if index % 61 == 60 {
            lines.push_str("\n   ");
        }
        lines.push(c);
    }
    format!("<data encoding=\"base64\"{compression}>\n   {lines}\n  </data>")
}

/// Returns a map of a given size and content.
pub fn map(width: u32, height: u32, content: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<map version=\"1.10\" orientation=\"orthogonal\" \
         width=\"{width}\" height=\"{height}\" tilewidth=\"16\" tileheight=\"8\" infinite=\"0\">\n\
         {content}\n</map>\n"
    )
}

/// Returns a layer of a given size.
pub fn layer(name: &str, width: u32, height: u32, data: &str) -> String {
    format!("<layer name=\"{name}\" width=\"{width}\" height=\"{height}\">{data}</layer>\n")
}

/// Returns a tile set with first global id 1. Each entry of `properties` is the tile, the name and the
/// value of a property.
pub fn set(name: &str, count: u32, properties: &[(u32, &str, &str)]) -> String {
    let mut text = format!("<tileset firstgid=\"1\" name=\"{name}\" tilecount=\"{count}\">\n");
    for (tile, key, value) in properties {
        let _ = writeln!(
            text,
            "<tile id=\"{tile}\"><properties><property name=\"{key}\" value=\"{value}\"/>\
             </properties></tile>"
        );
    }
    text + "</tileset>\n"
}
