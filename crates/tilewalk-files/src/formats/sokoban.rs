//! Reads Sokoban levels: `.xsb` and `.sok` files.
//!
//! A file contains levels between lines of text. The rows of a level consist of these glyphs:
//!
//! - `#`: wall
//! - `@` or `p`: player
//! - `$` or `b`: box
//! - `.` or `o`: goal
//! - `*` or `B`: box on a goal
//! - `+` or `P`: player on a goal
//! - space, `-` and `_`: floor
//!
//! The title of a level is the value of `Title:` below the level, or the last line of text above
//! the level.
//!
//! Floor outside the walls is not part of a level: it becomes a tile kind of its own.

use std::ops::Range;

use super::{GlyphChoices, LevelOptions, MAX_LEVELS};
use crate::formats::tiled::{Drawing, DrawnPlace};
use crate::show;
use crate::text::diagnostic::{Diagnostic, Issues};
use crate::tiles::legend::Legend;
use crate::tiles::rows::too_large;
use tilewalk_sim::geom::TilePos;
use tilewalk_sim::grid::Grid;
use tilewalk_sim::map::Map;

/// Glyph of tiles outside the walls.
const OUTSIDE: &str = "x";

const FLOOR: &str = " -_";
const PLAYER: &str = "@+pP";
const ROW: &str = "# -_@+$*.pPbBo";

/// A level in a file: the byte range of its rows, and its title.
struct SokobanLevel<'a> {
    rows: Range<usize>,
    title: &'a str,
}

/// Returns the titles of the levels. For a level without a title, returns its number, from 1.
pub fn titles(text: &str, glyphs: &GlyphChoices) -> Vec<String> {
    titles_of(&find(text, glyphs))
}

fn titles_of(levels: &[SokobanLevel]) -> Vec<String> {
    let number = |(index, level): (usize, &SokobanLevel)| match level.title {
        "" => (index + 1).to_string(),
        title => title.to_owned(),
    };
    levels.iter().enumerate().map(number).collect()
}

/// Reads a level, by number from 1 or by title. The player becomes a place. Returns `None` after
/// any error.
pub fn read(legend: &Legend, wanted: &LevelOptions, issues: &Issues) -> Option<Drawing> {
    let (text, glyphs) = (issues.text(), &wanted.glyphs);
    let levels = find(text, glyphs);
    if levels.is_empty() {
        let help = "rows consist of `#`, `@`, `$`, `.`, `*`, `+`, spaces, `-` and `_`; \
                    run-length encoding is not supported";
        let error = Diagnostic::error(0..0, "the file has no level").help(help);
        issues.push(error.help("if another glyph is a wall, import with `--walls GLYPH`"));
        return None;
    }
    if levels.len() > MAX_LEVELS {
        let message = format!("the file has more than {MAX_LEVELS} levels");
        issues.push(Diagnostic::error(0..0, message).help("split the file"));
        return None;
    }
    let index = super::choose_level(&titles_of(&levels), wanted.level, issues)?;
    let rows = levels.get(index)?.rows.clone();
    refuse_unknown(text, rows.clone(), wanted, issues)?;
    draw(text, rows, legend, glyphs, issues)
}

/// Reports the first unknown glyph in the rows of a level, and returns `None`.
fn refuse_unknown(
    text: &str,
    rows: Range<usize>,
    wanted: &LevelOptions,
    issues: &Issues,
) -> Option<()> {
    let glyphs = &wanted.glyphs;
    let known =
        |c: char| c == '\n' || c == '\r' || ROW.contains(c) || glyphs.all().any(|known| known == c);
    let ends = |at: usize| text[at..].find('\n').map_or(text.len(), |end| at + end);
    let is_trailing = |at: usize| text[at..ends(at)].trim().is_empty();
    let mut unknown = text[rows.clone()].char_indices().map(|(at, c)| (rows.start + at, c));
    let Some((at, glyph)) = unknown.find(|&(at, c)| !known(c) && !is_trailing(at)) else {
        return Some(());
    };
    let file = if wanted.file.is_empty() { "FILE" } else { wanted.file };
    let (file, word) = (show::shell_word(file), show::shell_word(&glyph.to_string()));
    let message = format!("unknown glyph `{}` in the level", show::text(&glyph.to_string()));
    let error = Diagnostic::error(at..at + glyph.len_utf8(), message);
    let help = |option: &str, what: &str| {
        format!("if it is {what}: tilewalk import {file} {option} {word}")
    };
    let error = error.help(help("--walls", "a wall")).help(help("--boxes", "a box"));
    issues.push(error.help(help("--floor", "floor")));
    None
}

/// Finds the levels of a text. Stops after one level more than [`MAX_LEVELS`].
fn find<'a>(text: &'a str, glyphs: &GlyphChoices) -> Vec<SokobanLevel<'a>> {
    let mut levels: Vec<SokobanLevel> = Vec::new();
    let (mut title, mut at, mut in_level) = ("", 0, false);
    let mut lines = text.split_inclusive('\n').peekable();
    while let Some(line) = lines.next() {
        let row = line.trim_end();
        let span = at..at + row.len();
        at += line.len();
        let mut is_next_row = || lines.peek().is_some_and(|next| is_row(next.trim_end(), glyphs));
        if is_row(row, glyphs)
            || in_level && is_floor(row)
            || is_strange_row(row, glyphs) && (in_level || is_next_row())
        {
            if !in_level && levels.len() > MAX_LEVELS {
                break;
            }
            match levels.last_mut().filter(|_| in_level) {
                Some(level) => level.rows.end = span.end,
                None => levels.push(SokobanLevel { rows: span, title: std::mem::take(&mut title) }),
            }
            in_level = true;
            continue;
        }
        in_level = false;
        let note = row.trim_start_matches([';', ' ', '\t']).trim();
        match note.split_once(':').map(|(key, value)| (key.to_lowercase(), value.trim())) {
            Some((key, value)) if key == "title" => match levels.last_mut() {
                Some(level) => level.title = value,
                None => title = value,
            },
            Some(_) => {}
            None if note.is_empty() => {}
            None => title = note.trim_matches(['\'', '"']),
        }
    }
    levels
}

/// Returns true if a line consists of glyphs of a level and contains a wall.
fn is_row(row: &str, glyphs: &GlyphChoices) -> bool {
    let has_wall = row.contains('#') || row.contains(|c| glyphs.walls.contains(c));
    has_wall && row.chars().all(|c| ROW.contains(c) || glyphs.all().any(|known| known == c))
}

/// Returns true if a line is a row of a level with unknown glyphs: it begins and ends with a wall,
/// and at least half of its characters are glyphs of a level.
fn is_strange_row(row: &str, glyphs: &GlyphChoices) -> bool {
    let inner = row.trim_matches([' ', '\t', '-', '_']);
    let is_wall = |c: Option<char>| c.is_some_and(|c| c == '#' || glyphs.walls.contains(c));
    let is_known = |c: &char| ROW.contains(*c) || glyphs.all().any(|known| known == *c);
    let (known, all) = (inner.chars().filter(is_known).count(), inner.chars().count());
    is_wall(inner.chars().next()) && is_wall(inner.chars().last()) && all > 2 && known * 2 >= all
}

/// Returns true if a line inside a level is a row of floor. A blank line is not a row of floor.
fn is_floor(row: &str) -> bool {
    row.contains(['-', '_']) && row.chars().all(|glyph| FLOOR.contains(glyph))
}

fn draw(
    text: &str,
    rows: Range<usize>,
    legend: &Legend,
    choices: &GlyphChoices,
    issues: &Issues,
) -> Option<Drawing> {
    let lines: Vec<&str> = text[rows.clone()].lines().map(str::trim_end).collect();
    let width = lines.iter().map(|line| line.chars().count()).max()?;
    if width.max(lines.len()) > Map::MAX_SIDE as usize {
        return too_large(rows.start..rows.start + 1, issues);
    }
    let mut glyphs = Grid::filled(width as u32, lines.len() as u32, ' ');
    for (row, line) in glyphs.cells_mut().chunks_mut(width).zip(&lines) {
        row.iter_mut().zip(line.chars()).for_each(|(glyph, c)| *glyph = c);
    }
    let outside = outside(&glyphs, &lines, choices);
    let kind = |glyph: &char| legend.index(glyph.encode_utf8(&mut [0; 4]));
    let mut cells = glyphs.cells().iter().map(kind).collect::<Option<Vec<u8>>>()?;
    let void = legend.index(OUTSIDE)?;
    for (cell, _) in cells.iter_mut().zip(outside.cells()).filter(|(_, outside)| **outside) {
        *cell = void;
    }
    let player = glyphs.iter().find(|(_, glyph)| PLAYER.contains(**glyph));
    let place = |tile: TilePos| {
        let name = "player".to_owned();
        DrawnPlace::new(name.clone(), tile.centre(), name)
    };
    let places = player.map(|(tile, _)| place(tile)).into_iter().collect();
    let tiles = Grid::from_cells(width as u32, cells)?;
    Some(Drawing { places, ..Drawing::of_tiles(tiles) })
}

/// Returns the tiles outside the walls: floor that is connected to the border. If a player, a box
/// or a goal is also connected to the border, the level is open. In an open level, only the tiles
/// after the ends of the rows are outside.
fn outside(glyphs: &Grid<char>, lines: &[&str], choices: &GlyphChoices) -> Grid<bool> {
    let (width, height) = (glyphs.width(), glyphs.height());
    let mut outside = Grid::filled(width, height, false);
    let mut open = Vec::new();
    let mut is_closed = true;
    let mut visit = |tile: TilePos, outside: &mut Grid<bool>, open: &mut Vec<TilePos>| {
        let (Some(&glyph), Some(seen)) = (glyphs.get(tile), outside.get_mut(tile)) else { return };
        if glyph == '#' || choices.walls.contains(glyph) || *seen {
            return;
        }
        is_closed &= FLOOR.contains(glyph) || choices.floor.contains(glyph);
        *seen = true;
        open.push(tile);
    };
    let (right, bottom) = (width as i32 - 1, height as i32 - 1);
    let sides = (0..=right).flat_map(|x| [(x, 0), (x, bottom)]);
    for (x, y) in sides.chain((0..=bottom).flat_map(|y| [(0, y), (right, y)])) {
        visit(TilePos::new(x, y), &mut outside, &mut open);
    }
    while let Some(tile) = open.pop() {
        for (x, y) in [(1, 0), (0, 1), (-1, 0), (0, -1)] {
            visit(TilePos::new(tile.x + x, tile.y + y), &mut outside, &mut open);
        }
    }
    if !is_closed {
        for (row, line) in outside.cells_mut().chunks_mut(width as usize).zip(lines) {
            row.fill(false);
            row[line.chars().count()..].fill(true);
        }
    }
    outside
}
