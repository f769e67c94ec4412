//! Merges the tiles of two versions of a map with their common base, tile by tile.

use unicode_segmentation::UnicodeSegmentation;

/// Result of merging the tiles of a map.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Tiles {
    /// Rows of glyphs with line breaks.
    pub rows: String,
    /// Number of tiles that only `theirs` changed.
    pub taken: usize,
    /// Number of tiles that `ours` changed.
    pub kept: usize,
    /// Tiles that both versions changed in different ways.
    pub conflicts: Vec<TileConflict>,
}

/// A tile that both versions changed in different ways.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TileConflict {
    /// Column and row of the tile, from 0.
    pub at: (usize, usize),
    pub ours: String,
    /// Glyph in the other version; empty if the tile is outside that version.
    pub theirs: String,
}

/// Merges rows of glyphs. The result has the size of `theirs`. Returns `None` if `ours` and `base`
/// have different sizes, because their tiles then can't be matched.
pub(super) fn merge(base: &str, ours: &str, theirs: &str) -> Option<Tiles> {
    let [base, ours, theirs] = [base, ours, theirs].map(glyphs);
    let sizes = |rows: &[Vec<&str>]| rows.iter().map(Vec::len).collect::<Vec<_>>();
    if sizes(&base) != sizes(&ours) {
        return None;
    }
    let mut tiles = Tiles::default();
    for (y, row) in theirs.iter().enumerate() {
        for (x, &their) in row.iter().enumerate() {
            let old = base.get(y).and_then(|row| row.get(x).copied());
            let our = ours.get(y).and_then(|row| row.get(x).copied());
            tiles.rows.push_str(match our {
                Some(our) if Some(our) != old => {
                    tiles.kept += 1;
                    if Some(their) != old && their != our {
                        let (ours, theirs) = (our.to_owned(), their.to_owned());
                        tiles.conflicts.push(TileConflict { at: (x, y), ours, theirs });
                    }
                    our
                }
                _ => {
                    tiles.taken += usize::from(Some(their) != old);
                    their
                }
            });
        }
        tiles.rows.push('\n');
    }
    for (y, row) in ours.iter().enumerate() {
        for (x, &our) in row.iter().enumerate() {
            let is_outside = theirs.get(y).is_none_or(|row| x >= row.len());
            if is_outside && base[y][x] != our {
                let conflict =
                    TileConflict { at: (x, y), ours: our.to_owned(), theirs: String::new() };
                tiles.conflicts.push(conflict);
            }
        }
    }
    Some(tiles)
}

/// Returns the glyphs of each row.
fn glyphs(rows: &str) -> Vec<Vec<&str>> {
    rows.lines().map(|row| row.graphemes(true).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edited_tiles_are_kept_and_other_tiles_follow_the_source() {
        let tiles = merge("...\n...\n", "..T\n~.T\n", "#.#\n..#\n").unwrap();
        assert_eq!(tiles.rows, "#.T\n~.T\n");
        assert_eq!((tiles.taken, tiles.kept, tiles.conflicts.len()), (1, 3, 2));
        let conflict = TileConflict { at: (2, 0), ours: "T".to_owned(), theirs: "#".to_owned() };
        assert_eq!(tiles.conflicts[0], conflict);
    }

    #[test]
    fn a_larger_source_adds_tiles_and_a_resized_map_cannot_be_merged() {
        let tiles = merge("..\n..\n", ".T\n..\n", "..#\n..#\n###\n").unwrap();
        assert_eq!(tiles.rows, ".T#\n..#\n###\n");
        let shrunk = merge("..\n..\n", ".T\n..\n", ".\n").unwrap();
        assert_eq!((shrunk.rows.as_str(), shrunk.conflicts.len()), (".\n", 1));
        assert_eq!(merge("..\n..\n", "...\n...\n", "#.\n..\n"), None);
    }

    #[test]
    fn every_tile_follows_the_three_way_merge_rule() {
        let glyphs = ['.', '#', 'T'];
        let versions: Vec<[char; 3]> = glyphs
            .iter()
            .flat_map(|&base| glyphs.map(|ours| (base, ours)))
            .flat_map(|(base, ours)| glyphs.map(|theirs| [base, ours, theirs]))
            .collect();
        let text = |version: usize| -> String {
            versions
                .chunks(9)
                .map(|row| row.iter().map(|tile| tile[version]).collect::<String>() + "\n")
                .collect()
        };
        let merged = merge(&text(0), &text(1), &text(2)).unwrap();
        let found = merged.rows.chars().filter(|&glyph| glyph != '\n');
        for ([base, ours, theirs], found) in versions.iter().zip(found) {
            assert_eq!(found, *if base == ours { theirs } else { ours });
        }
        let is_conflict =
            |[base, ours, theirs]: &&[char; 3]| base != ours && base != theirs && ours != theirs;
        assert_eq!(merged.conflicts.len(), versions.iter().filter(is_conflict).count());
    }
}
