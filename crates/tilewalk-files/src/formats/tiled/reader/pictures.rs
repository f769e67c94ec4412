//! Draws the pictures of a Tiled map: the average colours of the images of its tiles.

use std::collections::BTreeMap;

use super::layer::{Pass, TileLayer};
use super::set_images::{SetImages, TileSource};
use super::tile_image::flips;
use super::tile_sets::Sets;
use crate::disk::store::Store;
use crate::formats::pictures::classes::class_of;
use crate::formats::pictures::{Averages, ImageReader, Looks, MapPicture, Pixel, Tiling, faded};
use crate::formats::tiled::words::is_unseen;

/// The look of a tile number with flips.
struct TileLook {
    /// Number of the class of the tile; 0 for none.
    class: u8,
    /// Blocks, each with its distance from the tile; `None` if the image is unknown.
    blocks: Option<Vec<((i64, i64), Pixel)>>,
}

/// Draws the visible layers of a map. Returns `None` if the data of a layer is invalid.
pub fn draw(
    pass: Pass,
    (tile, is_orthogonal): ((f64, f64), bool),
    looks: Looks,
    store: &Store,
) -> Option<MapPicture> {
    let mut picture = MapPicture::new(pass.area.size());
    let side = |side: f64| (side.round() as u32).max(1);
    let mut painter = Painter {
        sets: pass.sets,
        images: ImageReader::new(store),
        looks,
        block: (side(tile.0), side(tile.1)),
        is_orthogonal,
        known: BTreeMap::new(),
    };
    let is_shown = |layer: &&TileLayer| layer.opacity > 0 && !is_unseen(layer.name());
    let has_shown = pass.layers.iter().any(|layer| is_shown(&layer));
    for layer in pass.layers.iter().filter(|layer| is_shown(layer) || !has_shown) {
        painter.layer(pass, layer, &mut picture)?;
    }
    picture.remark = painter.images.remark();
    Some(picture)
}

struct Painter<'a> {
    sets: &'a Sets,
    images: ImageReader<'a>,
    looks: Looks,
    /// Width and height of a tile of the map, in pixels.
    block: (u32, u32),
    is_orthogonal: bool,
    /// Average colours of images: of a whole tile set, and of single tiles.
    known: BTreeMap<(usize, Option<u32>), Option<Averages>>,
}

impl Painter<'_> {
    fn layer(&mut self, pass: Pass, layer: &TileLayer, picture: &mut MapPicture) -> Option<()> {
        let of_layer = class_of(layer.name());
        let mut looks: Vec<TileLook> = Vec::new();
        let mut numbers: BTreeMap<u32, usize> = BTreeMap::new();
        // Neighbours often have the same number.
        let mut last = (0, 0);
        layer.each_tile(pass.area, |at, number| {
            if last.0 != number {
                let index = *numbers.entry(number).or_insert_with(|| {
                    looks.push(self.look(number, of_layer, layer.opacity));
                    looks.len() - 1
                });
                last = (number, index);
            }
            let look = &looks[last.1];
            let Some(blocks) = &look.blocks else { return picture.lay(at, None, look.class) };
            for ((right, up), block) in blocks {
                picture.lay((at.0 + right, at.1 - up), Some(*block), look.class);
            }
        })
    }

    /// Returns the look of a tile. `of_layer` is the class of its layer.
    fn look(&mut self, number: u32, of_layer: u8, opacity: u8) -> TileLook {
        let unknown = TileLook { class: of_layer, blocks: None };
        let Some(source) = self.sets.source(number) else { return unknown };
        let own = source.words.iter().map(|word| class_of(word)).find(|&class| class > 0);
        let of_set = || class_of(source.name);
        let class = own.unwrap_or(if of_layer > 0 { of_layer } else { of_set() });
        if self.looks != Looks::Colors {
            return TileLook { class, ..unknown };
        }
        let Some((averages, tile)) = self.averages(&source) else {
            return TileLook { class, ..unknown };
        };
        let Some(pixels) = averages.of(tile) else { return TileLook { class, ..unknown } };
        let (columns, rows) = averages.across;
        let place =
            |index: u32| placed((index % columns, index / columns), (columns, rows), number);
        let faded = pixels.iter().map(|&pixel| faded(pixel, opacity));
        let blocks = { faded }.enumerate().filter(|(_, pixel)| pixel[3] > 0);
        let blocks: Vec<_> = blocks.map(|(index, pixel)| (place(index as u32), pixel)).collect();
        TileLook { class, blocks: Some(blocks) }
    }

    /// Returns the average colours of the image of a tile, and the number of the tile in them.
    fn averages(&mut self, source: &TileSource) -> Option<(&Averages, u32)> {
        let SetImages { image, tiles, tile, margin, spacing, count } = source.images;
        let own = tiles.get(&source.tile);
        let file = own.or(image.as_ref())?;
        let plain = Tiling {
            tile: *tile,
            block: self.block,
            first: (*margin, *margin),
            spacing: *spacing,
            most: count.unwrap_or(u32::MAX),
            transparent: file.transparent,
            is_whole: !self.is_orthogonal,
        };
        let tiling = match (own, file.part) {
            (None, _) => plain,
            (Some(_), Some([x, y, width, height])) => {
                Tiling { tile: (width, height), first: (x, y), most: 1, spacing: 0, ..plain }
            }
            (Some(_), None) => {
                let size = if file.size.0 > 0 && file.size.1 > 0 { file.size } else { *tile };
                Tiling { tile: size, first: (0, 0), most: 1, spacing: 0, ..plain }
            }
        };
        let key = (source.set, own.map(|_| source.tile));
        let images = &mut self.images;
        let read = || images.read(&file.path, source.name, tiling);
        let averages = self.known.entry(key).or_insert_with(read).as_ref()?;
        Some((averages, if own.is_some() { 0 } else { source.tile }))
    }
}

/// Returns the distance of a block from its tile, to the right and up. `at` is the column and the row
/// of the block from the lower left corner of the image, `across` the number of blocks along each axis,
/// and `number` the tile number with flips.
fn placed(at: (u32, u32), across: (u32, u32), number: u32) -> (i64, i64) {
    let [flips_across, flips_down, is_diagonal] = flips(number);
    let (mut x, mut y) = (at.0, across.1 - 1 - at.1);
    let (mut columns, mut rows) = across;
    if is_diagonal {
        (x, y, columns, rows) = (y, x, rows, columns);
    }
    if flips_across {
        x = columns - 1 - x;
    }
    if flips_down {
        y = rows - 1 - y;
    }
    (i64::from(x), i64::from(rows - 1 - y))
}
