//! The pictures of an imported map: the average colours of its tiles, and names for things in them.
//!
//! An image is cut into blocks of the size of a map tile. Layers are drawn from bottom to top: the
//! average colour of a block covers the tiles below as far as the block is opaque. All calculations
//! use integers, so the colours are the same on all machines.

pub mod classes;
mod png;

use std::io::BufReader;
use std::path::Path;

use crate::disk::store::Store;
use crate::show;
use crate::text::source;
use png::{Png, PngFault};

/// How an imported map shows its tiles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Looks {
    /// Tile kinds by the colours of the images and by names.
    #[default]
    Colors,
    /// Tile kinds by names.
    Names,
    /// One kind of floor and one kind of wall.
    Plain,
}

impl Looks {
    /// All values, in the order of the help text.
    pub const ALL: [Self; 3] = [Self::Colors, Self::Names, Self::Plain];

    /// Returns the word of the command line.
    pub fn word(self) -> &'static str {
        match self {
            Self::Colors => "colors",
            Self::Names => "names",
            Self::Plain => "plain",
        }
    }
}

impl core::str::FromStr for Looks {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|looks| looks.word() == text);
        found.ok_or_else(|| "expected `colors`, `names` or `plain`".to_owned())
    }
}

/// Maximum size of an image file, in bytes.
const MAX_BYTES: u64 = 64 * 1024 * 1024;

/// Maximum number of pixels of all images of a map.
const MAX_PIXELS: u64 = 64_000_000;

/// Maximum number of blocks of all images of a map.
const MAX_BLOCKS: u64 = 1 << 18;

/// Maximum width and height of a tile, and distance between tiles, in pixels.
const MAX_TILE_SIDE: u32 = 1_000_000;

/// Maximum number of blocks of a tile along an axis.
const MAX_ACROSS: u32 = 64;

/// Alpha from which a block hides the names of the tiles below.
const HIDES: u8 = 128;

/// Red, green, blue and alpha. The colour is multiplied by alpha.
pub type Pixel = [u8; 4];

/// How an image is divided into tiles.
#[derive(Debug, Clone, Copy)]
pub struct Tiling {
    /// Width and height of a tile, in pixels.
    pub tile: (u32, u32),
    /// Width and height of a tile of the map, in pixels.
    pub block: (u32, u32),
    /// Column and row of the first pixel.
    pub first: (u32, u32),
    /// Number of pixels between tiles.
    pub spacing: u32,
    /// Maximum number of tiles.
    pub most: u32,
    /// Colour that is transparent.
    pub transparent: Option<[u8; 3]>,
    /// Whether a tile is one block that hides the tiles below, as on maps that are not orthogonal.
    pub is_whole: bool,
}

/// Average colours of the blocks of an image.
#[derive(Debug, Default)]
pub struct Averages {
    /// Number of blocks of a tile along each axis.
    pub across: (u32, u32),
    /// The blocks of all tiles. The blocks of a tile are in rows, from its lower left corner.
    pixels: Vec<Pixel>,
}

impl Averages {
    /// Returns the blocks of a tile; `None` if the image does not have the tile.
    pub fn of(&self, tile: u32) -> Option<&[Pixel]> {
        let each = (self.across.0 * self.across.1) as usize;
        self.pixels.get(tile as usize * each..(tile as usize + 1) * each).filter(|_| each > 0)
    }
}

/// Reads the images of a map, up to a limit for all images.
#[derive(Debug)]
pub struct ImageReader<'a> {
    store: &'a Store,
    pixels: u64,
    blocks: u64,
    /// Images that can't be read, each with a name for the user and the reason.
    faults: Vec<(String, String)>,
}

impl<'a> ImageReader<'a> {
    pub fn new(store: &'a Store) -> Self {
        Self { store, pixels: MAX_PIXELS, blocks: MAX_BLOCKS, faults: Vec::new() }
    }

    /// Reads the average colours of an image. `path` is relative to the map, and `set` is the name of
    /// its tile set. Notes an image that can't be read and returns `None`.
    pub fn read(&mut self, path: &str, set: &str, tiling: Tiling) -> Option<Averages> {
        let read = self.averages(path, tiling);
        if let Err(why) = &read {
            let fault = (show::text(set), format!("`{}` {why}", show::text(path)));
            if !self.faults.contains(&fault) {
                self.faults.push(fault);
            }
        }
        read.ok()
    }

    fn averages(&mut self, path: &str, tiling: Tiling) -> Result<Averages, String> {
        let file = self.store.picture(path)?;
        let label = show::path(&file);
        let file = source::open(Path::new(&file), &label);
        let file = file.map_err(|error| format!("can't be read: {}", error.reason()))?;
        let length = file.metadata().map_or(0, |about| about.len());
        let described = |fault: PngFault| match fault {
            PngFault::NotPng => "is not a PNG image".to_owned(),
            PngFault::Damaged => "is damaged".to_owned(),
            PngFault::TooLarge => "is too large".to_owned(),
        };
        if length > MAX_BYTES {
            return Err(described(PngFault::TooLarge));
        }
        let limited = std::io::Read::take(file, MAX_BYTES);
        let png = Png::open(BufReader::new(limited)).map_err(described)?;
        let pixels = u64::from(png.width) * u64::from(png.height);
        let left = self.pixels.checked_sub(pixels);
        self.pixels = left.ok_or_else(|| described(PngFault::TooLarge))?;
        let mut sums = Sums::new(tiling, (png.width, png.height));
        let left = self.blocks.checked_sub(sums.blocks());
        self.blocks = left.ok_or_else(|| "has too many tiles".to_owned())?;
        sums.start((png.width, png.height));
        png.pixels(&mut |x, y, color| sums.add(x, y, color)).map_err(described)?;
        Ok(sums.averages())
    }

    /// Returns a line for the user about the images that can't be read; `None` if there are none.
    pub fn remark(&self) -> Option<String> {
        let (set, why) = self.faults.first()?;
        let more = match self.faults.len() {
            1 => String::new(),
            2 => " (and 1 more image)".to_owned(),
            count => format!(" (and {} more images)", count - 1),
        };
        let of_set =
            if set.is_empty() { String::new() } else { format!(" of the tile set `{set}`") };
        Some(format!("the image{of_set} {why}{more}: its tiles have no colours of their own"))
    }
}

/// Sums of the colours of an image, by block.
struct Sums {
    tiling: Tiling,
    /// Number of tiles along each axis of the image.
    tiles: (u32, u32),
    /// Number of blocks along each axis of a tile.
    across: (u32, u32),
    /// First block of each row and column of pixels. The sum is the index of a block. `None` between tiles.
    rows: Vec<Option<u32>>,
    columns: Vec<Option<u32>>,
    /// Sums of the colours, multiplied by alpha, and of alpha.
    list: Vec<[u64; 4]>,
}

impl Sums {
    fn new(mut tiling: Tiling, image: (u32, u32)) -> Self {
        let most = |side: u32| side.clamp(1, MAX_TILE_SIDE);
        let sides = |(width, height): (u32, u32)| (most(width), most(height));
        (tiling.tile, tiling.block) = (sides(tiling.tile), sides(tiling.block));
        tiling.spacing = tiling.spacing.min(MAX_TILE_SIDE);
        if tiling.is_whole {
            tiling.block = tiling.tile;
        }
        let count = |image: u32, first: u32, tile: u32| {
            let step = u64::from(tile) + u64::from(tiling.spacing);
            let room = u64::from(image.saturating_sub(first)) + u64::from(tiling.spacing);
            (room / step) as u32
        };
        let columns = count(image.0, tiling.first.0, tiling.tile.0);
        let rows = count(image.1, tiling.first.1, tiling.tile.1);
        let needed = if columns == 0 { 0 } else { tiling.most.div_ceil(columns) };
        let blocks = |tile: u32, block: u32| tile.div_ceil(block).min(MAX_ACROSS);
        let across = (blocks(tiling.tile.0, tiling.block.0), blocks(tiling.tile.1, tiling.block.1));
        let tiles = (columns, rows.min(needed));
        let (rows, columns, list) = Default::default();
        Self { tiling, tiles, across, rows, columns, list }
    }

    /// Returns the number of blocks of all tiles.
    fn blocks(&self) -> u64 {
        let tiles = u64::from(self.tiles.0) * u64::from(self.tiles.1);
        tiles * u64::from(self.across.0 * self.across.1)
    }

    /// Prepares the sums of all blocks.
    fn start(&mut self, image: (u32, u32)) {
        let (Tiling { tile, block, first, spacing, .. }, tiles) = (self.tiling, self.tiles);
        let along = |at: u32, first: u32, side: u32, count: u32| {
            let at = at.checked_sub(first)?;
            let (index, within) = (at / (side + spacing), at % (side + spacing));
            Some((index, within)).filter(|_| index < count && within < side)
        };
        let across = self.across;
        let column = |x: u32| {
            let (column, right) = along(x, first.0, tile.0, tiles.0)?;
            let block = right / block.0;
            (block < across.0).then_some(column * across.1 * across.0 + block)
        };
        let row = |y: u32| {
            let (row, down) = along(y, first.1, tile.1, tiles.1)?;
            let block = (tile.1 - 1 - down) / block.1;
            (block < across.1).then_some((row * tiles.0 * across.1 + block) * across.0)
        };
        self.columns = (0..image.0).map(column).collect();
        self.rows = (0..image.1).map(row).collect();
        self.list = vec![[0; 4]; self.blocks() as usize];
    }

    fn add(&mut self, x: u32, y: u32, [red, green, blue, alpha]: [u8; 4]) {
        let (Some(column), Some(row)) = (self.columns[x as usize], self.rows[y as usize]) else {
            return;
        };
        if alpha == 0 || self.tiling.transparent == Some([red, green, blue]) {
            return;
        }
        let Some(sum) = self.list.get_mut((row + column) as usize) else { return };
        let alpha = u64::from(alpha);
        for (sum, color) in sum.iter_mut().zip([red, green, blue]) {
            *sum += u64::from(color) * alpha;
        }
        sum[3] += alpha * 255;
    }

    fn averages(self) -> Averages {
        let area = u64::from(self.tiling.block.0) * u64::from(self.tiling.block.1);
        let average = |sum: &[u64; 4]| {
            // A whole tile hides the tiles below.
            let most = if self.tiling.is_whole { sum[3].div_ceil(255) } else { area * 255 };
            sum.map(|sum| ((sum + most / 2) / most.max(1)).min(255) as u8)
        };
        Averages { across: self.across, pixels: self.list.iter().map(average).collect() }
    }
}

/// The picture of a map: the colour that its layers have together at each tile.
#[derive(Debug)]
pub struct MapPicture {
    size: (u32, u32),
    pixels: Vec<Pixel>,
    /// Number of the name of each tile; 0 for none.
    names: Vec<u8>,
    /// Line for the user about images that can't be read.
    pub remark: Option<String>,
}

impl MapPicture {
    /// Creates a picture without tiles.
    pub fn new(size: (u32, u32)) -> Self {
        let tiles = size.0 as usize * size.1 as usize;
        Self { size, pixels: vec![[0; 4]; tiles], names: vec![0; tiles], remark: None }
    }

    /// Draws a block over a tile. `block` is `None` if its image is unknown. `name` is the number of a
    /// name, or 0.
    pub fn lay(&mut self, at: (i64, i64), block: Option<Pixel>, name: u8) {
        let (width, height) = (i64::from(self.size.0), i64::from(self.size.1));
        if !(0..width).contains(&at.0) || !(0..height).contains(&at.1) {
            return;
        }
        let index = (at.1 * width + at.0) as usize;
        let (pixel, own) = (&mut self.pixels[index], &mut self.names[index]);
        match block {
            None => (*pixel, *own) = ([0; 4], name),
            Some(top) => {
                let through = 255 - u16::from(top[3]);
                for (below, top) in pixel.iter_mut().zip(top) {
                    let shown = (u16::from(*below) * through + 127) / 255 + u16::from(top);
                    *below = shown.min(255) as u8;
                }
                if top[3] >= HIDES {
                    *own = name;
                }
            }
        }
    }

    /// Returns the colour and the number of the name of a tile by its index in the grid. The colour is
    /// `None` where no image covers enough of the tile.
    pub fn at(&self, index: usize) -> (Option<[u8; 3]>, u8) {
        let [red, green, blue, alpha] = self.pixels[index].map(u16::from);
        let shown = |color: u16| ((color * 255 + alpha / 2) / alpha.max(1)).min(255) as u8;
        let color = (alpha >= 48).then(|| [red, green, blue].map(shown));
        (color, self.names[index])
    }
}

/// Returns a block of a layer that is partly transparent. `opacity` is 0 to 255.
pub fn faded(block: Pixel, opacity: u8) -> Pixel {
    block.map(|channel| ((u16::from(channel) * u16::from(opacity) + 127) / 255) as u8)
}
