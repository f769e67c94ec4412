//! Reads PNG images pixel by pixel.
//!
//! Only two rows are in memory at a time, whatever the size of the image. Checksums of chunks are not
//! compared: the image data has a checksum of its own.

use std::io::{self, Read};

use flate2::read::ZlibDecoder;

/// Maximum width and height of an image.
const MAX_SIDE: u32 = 32_768;

/// Maximum length of a palette, in bytes.
const MAX_PALETTE: u32 = 768;

/// First bytes of each PNG file.
const SIGNATURE: [u8; 8] = *b"\x89PNG\r\n\x1a\n";

/// Passes of an interlaced image: the first column and row, and the distances between columns and rows.
const PASSES: [[u32; 4]; 7] = [
    [0, 0, 8, 8],
    [4, 0, 8, 8],
    [0, 4, 4, 8],
    [2, 0, 4, 4],
    [0, 2, 2, 4],
    [1, 0, 2, 2],
    [0, 1, 1, 2],
];

/// Reason why an image can't be read. Messages put it after "is".
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PngFault {
    NotPng,
    Damaged,
    TooLarge,
}

impl From<io::Error> for PngFault {
    fn from(_: io::Error) -> Self {
        Self::Damaged
    }
}

/// A PNG image whose header was read.
pub struct Png<R> {
    reader: R,
    /// Number of bytes that are left in the current chunk of image data.
    left: u32,
    pub width: u32,
    pub height: u32,
    /// Bits per sample.
    depth: u8,
    /// Samples per pixel.
    samples: usize,
    is_interlaced: bool,
    /// Colours of the palette; empty without a palette.
    palette: Vec<[u8; 4]>,
    /// Samples of the colour that is transparent.
    transparent: Option<[u16; 3]>,
}

impl<R: Read> Png<R> {
    /// Reads the chunks before the image data.
    ///
    /// # Errors
    /// Returns an error if the file is not a PNG image, or if it is damaged or too large.
    pub fn open(mut reader: R) -> Result<Self, PngFault> {
        let mut signature = [0; 8];
        reader.read_exact(&mut signature).map_err(|_| PngFault::NotPng)?;
        if signature != SIGNATURE {
            return Err(PngFault::NotPng);
        }
        let (length, kind) = chunk(&mut reader)?;
        let mut header = [0; 13];
        if length != 13 || kind != *b"IHDR" {
            return Err(PngFault::Damaged);
        }
        reader.read_exact(&mut header)?;
        skip(&mut reader, 4)?;
        let side = |at: usize| u32::from_be_bytes([0, 1, 2, 3].map(|byte| header[at + byte]));
        let (width, height, depth, color) = (side(0), side(4), header[8], header[9]);
        let (samples, depths): (usize, &[u8]) = match color {
            0 => (1, &[1, 2, 4, 8, 16]),
            2 => (3, &[8, 16]),
            3 => (1, &[1, 2, 4, 8]),
            4 => (2, &[8, 16]),
            6 => (4, &[8, 16]),
            _ => return Err(PngFault::Damaged),
        };
        let is_known = depths.contains(&depth) && header[10..12] == [0, 0] && header[12] < 2;
        if width == 0 || height == 0 || !is_known {
            return Err(PngFault::Damaged);
        }
        if width > MAX_SIDE || height > MAX_SIDE {
            return Err(PngFault::TooLarge);
        }
        let (mut palette, mut transparent) = (Vec::new(), None);
        loop {
            let (length, kind) = chunk(&mut reader)?;
            match &kind {
                b"IDAT" => {
                    if (color == 3) == palette.is_empty() {
                        return Err(PngFault::Damaged);
                    }
                    let is_interlaced = header[12] == 1;
                    return Ok(Self {
                        reader,
                        left: length,
                        width,
                        height,
                        depth,
                        samples,
                        is_interlaced,
                        palette,
                        transparent,
                    });
                }
                b"PLTE" | b"tRNS" if length <= MAX_PALETTE => {
                    let mut bytes = vec![0; length as usize];
                    reader.read_exact(&mut bytes)?;
                    if kind == *b"PLTE" {
                        // A palette of an image without indices is only a suggestion.
                        let colors = bytes.chunks_exact(3).filter(|_| color == 3);
                        palette = colors.map(|rgb| [rgb[0], rgb[1], rgb[2], 255]).collect();
                    } else if color == 3 {
                        for (entry, alpha) in palette.iter_mut().zip(bytes) {
                            entry[3] = alpha;
                        }
                    } else {
                        let pair = |at: usize| bytes.get(at..at + 2).map(|two| [two[0], two[1]]);
                        let of = |at| pair(at).map(u16::from_be_bytes).unwrap_or_default();
                        let own = if samples == 1 { [of(0); 3] } else { [of(0), of(2), of(4)] };
                        transparent = Some(own);
                    }
                }
                b"IEND" => return Err(PngFault::Damaged),
                _ => skip(&mut reader, length)?,
            }
            skip(&mut reader, 4)?;
        }
    }

    /// Passes the column, the row and the colour of each pixel to `each`. A colour is red, green, blue
    /// and alpha.
    ///
    /// # Errors
    /// Returns an error if the image data is damaged.
    pub fn pixels(self, each: &mut dyn FnMut(u32, u32, [u8; 4])) -> Result<(), PngFault> {
        let Self { width, height, depth, samples, is_interlaced, palette, transparent, .. } = self;
        let mut data =
            ZlibDecoder::new(ImageData { reader: self.reader, left: self.left, is_done: false });
        let whole = [[0, 0, 1, 1]];
        let bits = samples * usize::from(depth);
        // Filters look at the byte of the pixel on the left.
        let back = bits.div_ceil(8);
        let format = Format { depth, samples, palette: &palette, transparent };
        for &[left, top, across, down] in if is_interlaced { &PASSES[..] } else { &whole } {
            let columns = width.saturating_sub(left).div_ceil(across);
            let rows = height.saturating_sub(top).div_ceil(down);
            if columns == 0 {
                continue;
            }
            let length = (columns as usize * bits).div_ceil(8);
            let (mut above, mut row) = (vec![0; length], vec![0; length]);
            for index in 0..rows {
                let mut filter = [0];
                data.read_exact(&mut filter)?;
                data.read_exact(&mut row)?;
                restore(filter[0], &mut row, &above, back)?;
                for column in 0..columns {
                    let color = format.color(&row, column as usize);
                    each(left + column * across, top + index * down, color);
                }
                core::mem::swap(&mut above, &mut row);
            }
        }
        Ok(())
    }
}

/// How the pixels of an image are stored.
struct Format<'a> {
    depth: u8,
    samples: usize,
    palette: &'a [[u8; 4]],
    transparent: Option<[u16; 3]>,
}

impl Format<'_> {
    /// Returns the colour of a pixel in a row.
    fn color(&self, row: &[u8], column: usize) -> [u8; 4] {
        // Most images of games.
        if let (8, 4, Some(&[red, green, blue, alpha])) =
            (self.depth, self.samples, row.get(column * 4..column * 4 + 4))
        {
            return [red, green, blue, alpha];
        }
        let sample = |index: usize| -> u16 {
            let at = column * self.samples + index;
            match self.depth {
                8 => u16::from(row[at]),
                16 => u16::from_be_bytes([row[at * 2], row[at * 2 + 1]]),
                depth => {
                    let bit = at * usize::from(depth);
                    let shift = 8 - bit % 8 - usize::from(depth);
                    u16::from(row[bit / 8] >> shift) & ((1 << depth) - 1)
                }
            }
        };
        let byte = |sample: u16| match self.depth {
            16 => (sample >> 8) as u8,
            8 => sample as u8,
            depth => (sample * 255 / ((1 << depth) - 1)) as u8,
        };
        if !self.palette.is_empty() {
            // A number beyond the palette is black.
            return self.palette.get(usize::from(sample(0))).copied().unwrap_or([0, 0, 0, 255]);
        }
        let is_gray = self.samples < 3;
        let own = [0, 1, 2].map(|index| sample(if is_gray { 0 } else { index }));
        let alpha = match self.samples {
            2 | 4 => byte(sample(self.samples - 1)),
            _ if self.transparent == Some(own) => 0,
            _ => 255,
        };
        let [red, green, blue] = own.map(byte);
        [red, green, blue, alpha]
    }
}

/// Restores the bytes of a row from the differences to their neighbours.
fn restore(filter: u8, row: &mut [u8], above: &[u8], back: usize) -> Result<(), PngFault> {
    match filter {
        0 => return Ok(()),
        2 => {
            for (byte, above) in row.iter_mut().zip(above) {
                *byte = byte.wrapping_add(*above);
            }
            return Ok(());
        }
        1 | 3 | 4 => {}
        _ => return Err(PngFault::Damaged),
    }
    for at in 0..row.len() {
        let left = if at < back { 0 } else { row[at - back] };
        let corner = if at < back { 0 } else { above[at - back] };
        let guess = match filter {
            1 => left,
            3 => u8::midpoint(left, above[at]),
            _ => paeth(left, above[at], corner),
        };
        row[at] = row[at].wrapping_add(guess);
    }
    Ok(())
}

/// Returns the neighbour that is nearest to `left + above - corner`.
fn paeth(left: u8, above: u8, corner: u8) -> u8 {
    let estimate = i16::from(left) + i16::from(above) - i16::from(corner);
    let distance = |byte: u8| (estimate - i16::from(byte)).abs();
    let (to_left, to_above) = (distance(left), distance(above));
    if to_left <= to_above && to_left <= distance(corner) {
        left
    } else if to_above <= distance(corner) {
        above
    } else {
        corner
    }
}

/// Reads the length and the kind of a chunk.
fn chunk(reader: &mut impl Read) -> io::Result<(u32, [u8; 4])> {
    let (mut length, mut kind) = ([0; 4], [0; 4]);
    reader.read_exact(&mut length)?;
    reader.read_exact(&mut kind)?;
    Ok((u32::from_be_bytes(length), kind))
}

fn skip(reader: &mut impl Read, bytes: u32) -> io::Result<()> {
    let skipped = io::copy(&mut reader.by_ref().take(u64::from(bytes)), &mut io::sink())?;
    if skipped == u64::from(bytes) { Ok(()) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
}

/// Reader of the image data, which can be in several chunks.
struct ImageData<R> {
    reader: R,
    /// Number of bytes that are left in the current chunk.
    left: u32,
    /// Whether a chunk of another kind was read.
    is_done: bool,
}

impl<R: Read> Read for ImageData<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.left == 0 && !self.is_done {
            skip(&mut self.reader, 4)?;
            let (length, kind) = chunk(&mut self.reader)?;
            self.is_done = kind != *b"IDAT";
            self.left = if self.is_done { 0 } else { length };
        }
        let most = buffer.len().min(self.left as usize);
        let read = self.reader.read(&mut buffer[..most])?;
        self.left -= read as u32;
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::ZlibEncoder;

    use super::*;

    /// Encodes an RGBA image without filters. `size` is the width and the height.
    fn interlaced(size: (u32, u32), color: impl Fn(u32, u32) -> [u8; 4]) -> Vec<u8> {
        let mut file = SIGNATURE.to_vec();
        let mut chunk = |kind: &[u8], body: &[u8]| {
            file.extend((body.len() as u32).to_be_bytes());
            file.extend([kind, body, &[0; 4]].concat());
        };
        let sides = [size.0.to_be_bytes(), size.1.to_be_bytes()].concat();
        chunk(b"IHDR", &[sides, vec![8, 6, 0, 0, 1]].concat());
        let mut rows = Vec::new();
        // The starts and steps of the seven passes, from the specification of PNG.
        let passes = [
            (0, 0, 8, 8),
            (4, 0, 8, 8),
            (0, 4, 4, 8),
            (2, 0, 4, 4),
            (0, 2, 2, 4),
            (1, 0, 2, 2),
            (0, 1, 1, 2),
        ];
        for (left, top, across, down) in passes {
            for y in (top..size.1).step_by(down) {
                let row: Vec<_> =
                    (left..size.0).step_by(across).flat_map(|x| color(x, y)).collect();
                if !row.is_empty() {
                    rows.push(0);
                    rows.extend(row);
                }
            }
        }
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(&rows).unwrap();
        let data = encoder.finish().unwrap();
        // The data can be in several chunks.
        let (first, second) = data.split_at(data.len() / 2);
        chunk(b"IDAT", first);
        chunk(b"IDAT", second);
        chunk(b"IEND", &[]);
        file
    }

    #[test]
    fn interlaced_images_of_all_small_sizes_are_read() {
        let color = |x: u32, y: u32| [x as u8 * 7, y as u8 * 9, (x * y) as u8, 255 - x as u8];
        for size in (1..12).flat_map(|width| (1..12).map(move |height| (width, height))) {
            let file = interlaced(size, color);
            let mut seen = 0;
            let png = Png::open(&file[..]).unwrap_or_else(|fault| panic!("{size:?}: {fault:?}"));
            png.pixels(&mut |x, y, found| {
                assert_eq!(found, color(x, y), "{size:?} {x} {y}");
                seen += 1;
            })
            .unwrap();
            assert_eq!(seen, size.0 * size.1);
        }
    }

    #[test]
    fn every_cut_and_every_changed_byte_is_read_or_refused() {
        let whole = interlaced((9, 5), |x, y| [x as u8, y as u8, 3, 255]);
        let read = |file: &[u8]| {
            let png = Png::open(file)?;
            // Damage in the header can declare an image that is large.
            if png.width > 99 || png.height > 99 { Ok(()) } else { png.pixels(&mut |_, _, _| {}) }
        };
        assert_eq!(read(&whole), Ok(()));
        for at in 0..whole.len() {
            // The end of the compressed data, its checksum and the last chunk are not needed.
            assert!(read(&whole[..at]).is_err() || at + 24 > whole.len(), "cut at {at}");
            for change in [1, 0x80, 0xFF] {
                let mut changed = whole.clone();
                changed[at] ^= change;
                let _ = read(&changed);
            }
        }
    }
}
