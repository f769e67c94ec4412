//! Draws the pictures of a level: the average colours of the images of its tiles.

use std::collections::BTreeMap;

use super::{Canvas, LdtkLayer};
use crate::formats::pictures::classes::class_of;
use crate::formats::pictures::{Averages, ImageReader, Looks, MapPicture, Tiling, faded};
use crate::show;

impl Canvas<'_, '_> {
    /// Draws the tiles of all visible layers. `size` is the size of the map in tiles, and `tile` is the
    /// side of a tile in pixels.
    pub fn picture(&self, layers: &[LdtkLayer], size: (u32, u32), tile: u32) -> MapPicture {
        let mut picture = MapPicture::new(size);
        let mut images = ImageReader::new(self.store);
        let mut known: BTreeMap<i64, Option<Averages>> = BTreeMap::new();
        for layer in layers.iter().rev().filter(|layer| layer.visible) {
            let set = self.tilesets.iter().find(|set| Some(set.uid) == layer.tileset);
            let Some(set) = set else { continue };
            let path = set.image.as_deref().filter(|path| !path.chars().any(show::is_hidden));
            // The images of LDtk itself are icons for the editor.
            let Some(path) = path else { continue };
            let has_colors = self.looks == Looks::Colors;
            let tiling = Tiling {
                tile: (set.tile, set.tile),
                block: (tile, tile),
                first: (set.padding, set.padding),
                spacing: set.spacing,
                most: u32::MAX,
                transparent: None,
                is_whole: false,
            };
            let read = || has_colors.then(|| images.read(path, &set.name, tiling)).flatten();
            let averages = known.entry(set.uid).or_insert_with(read).as_ref();
            let of_layer = class_of(&layer.name);
            let class = if of_layer > 0 { of_layer } else { class_of(&set.name) };
            for each in layer.tiles.0.iter().chain(&layer.auto_tiles.0) {
                let along = |pixel: f64| (pixel / f64::from(tile)).round().clamp(-1e6, 1e6) as i64;
                let (x, y) = (along(each.pixel[0]), along(each.pixel[1]));
                let opacity = (layer.opacity * each.opacity).clamp(0.0, 1.0) * 255.0;
                let blocks = averages.map(|averages| (averages, averages.of(each.tile)));
                let Some((averages, Some(blocks))) = blocks else {
                    picture.lay((x, y), None, class);
                    continue;
                };
                let (columns, rows) = (i64::from(averages.across.0), i64::from(averages.across.1));
                for (index, block) in (0..).zip(blocks) {
                    let at = (x + index % columns, y + rows - 1 - index / columns);
                    picture.lay(at, Some(faded(*block, opacity.round() as u8)), class);
                }
            }
        }
        picture.remark = images.remark();
        picture
    }
}
