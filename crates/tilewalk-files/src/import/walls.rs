//! Recognises walls in text maps: box-drawing characters, blocks (`█▓▒░`) and bars (`|` and `-`).
//!
//! These glyphs have no legend entry, so the neighbours of their tiles decide. A glyph becomes a
//! wall if at least half of its tiles are joined. A tile is joined if one of its strokes points to
//! a wall, a door or another tile with a stroke. Blocks have strokes to all sides.
//!
//! There are two exceptions. The lightest block is ground if the map has no other ground. `-` is a
//! wall only in maps where `|` is a wall, because Sokoban levels use `-` for floor.

use tilewalk_sim::geom::TilePos;
use tilewalk_sim::grid::Grid;

use crate::tiles::legend::Legend;

/// The four sides of a tile. Each entry holds the bit of a side, and the column and row offsets of
/// the neighbour on that side.
const SIDES: [(u8, i32, i32); 4] = [(1, 0, -1), (2, 1, 0), (4, 0, 1), (8, -1, 0)];

/// Blocks from light to dark.
const BLOCKS: [&str; 4] = ["░", "▒", "▓", "█"];

/// Strokes of the box-drawing characters, starting at U+2500. Each hexadecimal digit is the sum of
/// the bits of the sides in [`SIDES`].
const STROKES: &[u8; 128] = b"aa55aa55aa556666cccc3333999977777777ddddddddeeeeeeeebbbbbbbbffffffff\
    ffffffffaa55a5666ccc333999777dddeeebbbfff6c93fff81248124a5a5";

/// Number of tiles of a kind, and how many of these tiles are joined.
#[derive(Debug, Clone, Copy, Default)]
struct Count {
    tiles: usize,
    joined: usize,
}

/// Returns the glyphs among `candidates` that are walls.
pub fn find<'a>(tiles: &Grid<u8>, legend: &Legend, candidates: &[&'a str]) -> Vec<&'a str> {
    let mut strokes = [0; 256];
    for glyph in candidates {
        if let Some(index) = legend.index(glyph) {
            strokes[usize::from(index)] = strokes_of(glyph);
        }
    }
    if let Some(ground) = ground(tiles, legend, &strokes, candidates) {
        strokes[usize::from(ground)] = 0;
    }
    let counts = count(tiles, legend, &strokes);
    let is_joined = |glyph: &str| {
        let count = legend.index(glyph).map(|index| counts[usize::from(index)]).unwrap_or_default();
        count.joined > 0 && count.joined * 2 >= count.tiles
    };
    let has_bars = candidates.contains(&"|") && is_joined("|");
    let is_wall = |glyph: &&&str| is_joined(glyph) && (**glyph != "-" || has_bars);
    candidates.iter().filter(is_wall).copied().collect()
}

/// Returns the sides to which a glyph has strokes, as bits of [`SIDES`]. Returns 0 for a glyph that
/// is never a wall.
fn strokes_of(glyph: &str) -> u8 {
    let mut chars = glyph.chars();
    let (Some(c), None) = (chars.next(), chars.next()) else { return 0 };
    match c {
        '|' => 0b0101,
        '-' => 0b1010,
        '\u{2500}'..='\u{257f}' => {
            let digit = char::from(STROKES[c as usize - 0x2500]);
            digit.to_digit(16).unwrap_or_default() as u8
        }
        _ if BLOCKS.contains(&glyph) => 0b1111,
        _ => 0,
    }
}

/// Returns the tile kind of the lightest block character on a map that consists of blocks and
/// strokes only. Returns `None` if the map has any other walkable tile.
fn ground(
    tiles: &Grid<u8>,
    legend: &Legend,
    strokes: &[u8; 256],
    candidates: &[&str],
) -> Option<u8> {
    let is_ground =
        |&kind: &u8| strokes[usize::from(kind)] == 0 && legend.kinds()[usize::from(kind)].walk;
    if tiles.cells().iter().any(is_ground) {
        return None;
    }
    let lightest = BLOCKS.iter().find(|block| candidates.contains(block))?;
    legend.index(lightest)
}

/// Counts all tiles and the joined tiles of each tile kind with strokes. The result is indexed by
/// tile kind.
fn count(tiles: &Grid<u8>, legend: &Legend, strokes: &[u8; 256]) -> [Count; 256] {
    let mut counts = [Count::default(); 256];
    let mut ends = strokes.map(|strokes| strokes != 0);
    for (end, kind) in ends.iter_mut().zip(legend.kinds()) {
        *end |= !kind.walk || kind.opaque;
    }
    for (tile, &kind) in tiles.iter() {
        let sides = strokes[usize::from(kind)];
        if sides == 0 {
            continue;
        }
        let is_joined = SIDES.iter().any(|&(side, x, y)| {
            let beside = tiles.get(TilePos::new(tile.x + x, tile.y + y));
            sides & side != 0 && beside.is_some_and(|&beside| ends[usize::from(beside)])
        });
        let count = &mut counts[usize::from(kind)];
        count.tiles += 1;
        count.joined += usize::from(is_joined);
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;
    use tilewalk_sim::tile::TileKind;

    /// Returns the walls among the glyphs of a map that are not in the standard legend.
    fn walls(rows: &[&str]) -> String {
        let mut legend = Legend::standard();
        let mut candidates = Vec::new();
        let glyphs: Vec<String> = rows.concat().chars().map(String::from).collect();
        for glyph in &glyphs {
            if legend.index(glyph).is_none() {
                legend.insert(TileKind::floor(glyph, glyph));
                candidates.push(glyph.as_str());
            }
        }
        let cells = glyphs.iter().map(|glyph| legend.index(glyph).unwrap()).collect();
        let tiles = Grid::from_cells(rows[0].chars().count() as u32, cells).unwrap();
        find(&tiles, &legend, &candidates).concat()
    }

    #[test]
    fn joined_strokes_are_walls() {
        assert_eq!(walls(&["┌──┐", "│..│", "└──┘"]), "┌─┐│└┘");
        assert_eq!(walls(&["╔══╗", "║.%║", "╚+═╝"]), "╔═╗║╚╝");
        assert_eq!(walls(&["|--|", "|..|", "|--|"]), "|-");
        assert_eq!(walls(&["█▓▓█", "▓..▓", "█▓▓█"]), "█▓");
    }

    #[test]
    fn single_strokes_are_floor() {
        assert_eq!(walls(&["....", ".|.│", "....", ".─.."]), "");
        assert_eq!(
            walls(&["....", "│││.", "...."]),
            "",
            "beside each other, strokes are not joined"
        );
        assert_eq!(walls(&["#####", "#---#", "#####"]), "", "without bars, `-` is floor");
        assert_eq!(walls(&["░.░.", ".░.░"]), "", "rubble");
    }

    #[test]
    fn the_lightest_block_is_ground_if_there_is_no_other() {
        assert_eq!(walls(&["▓▓▓", "▓░▓", "▓▓▓"]), "▓");
        assert_eq!(walls(&["███", "█▓█", "███"]), "█");
        assert_eq!(walls(&["███", "█.█", "░░░"]), "█░");
    }

    #[test]
    fn strokes_match_the_shapes() {
        let drawn = [('─', 10), ('│', 5), ('┌', 6), ('┐', 12), ('└', 3), ('┘', 9), ('├', 7)];
        let others = [('┼', 15), ('╔', 6), ('╬', 15), ('╣', 13), ('╩', 11), ('╵', 1), ('╶', 2)];
        for (glyph, strokes) in drawn.into_iter().chain(others) {
            assert_eq!(strokes_of(&glyph.to_string()), strokes, "{glyph}");
        }
    }
}
