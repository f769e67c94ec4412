//! Keys with rows of tiles, in a map and its patterns.

use toml_edit::{Array, DocumentMut, Item, Value};

use super::ground::Ground;
use super::offset::Offset;
use crate::import::text::legend;
use crate::still;
use tilewalk_sim::scenario::Scenario;

/// Removes the rows of tiles from a map, so that new rows can be written. If a tiles file contains
/// the rows, copies the places and the legend of that file to the map.
///
/// # Errors
/// Returns a message if the legend can't be copied.
pub fn inline(map: &mut DocumentMut, scenario: &Scenario, ground: &Ground) -> Result<(), String> {
    map.remove("tiles");
    map.remove("tiled");
    if map.remove("tiles_file").is_none() {
        return Ok(());
    }
    for place in scenario.places() {
        let places = map.entry("places").or_insert_with(toml_edit::table);
        let Some(places) = places.as_table_like_mut() else { continue };
        if !places.contains_key(&place.name) {
            let at = [place.at.x, place.at.y].map(still::number_value);
            places.insert(&place.name, Item::Value(Array::from_iter(at).into()));
        }
    }
    // The legend of the tiles file can differ from the standard legend.
    let used = ground.used();
    let own = map.get("legend").and_then(Item::as_table_like);
    let is_new = |glyph: &str| own.is_none_or(|own| !own.contains_key(glyph));
    let kinds = scenario.map().legend().iter();
    let kinds = kinds.filter(|kind| used.contains(kind.glyph.as_str()) && is_new(&kind.glyph));
    let kinds: Vec<_> = kinds.filter(|kind| kind.obstacle.is_none() && kind.cost == 1.0).collect();
    let mut text = String::new();
    legend(&mut text, &kinds.into_iter().cloned().collect::<Vec<_>>());
    let added: DocumentMut = text.parse().map_err(|_| "the legend is not valid TOML")?;
    for (glyph, kind) in added.get("legend").and_then(Item::as_table).into_iter().flatten() {
        let legend = map.entry("legend").or_insert_with(toml_edit::table);
        if let Some(legend) = legend.as_table_like_mut() {
            legend.insert(glyph, kind.clone());
        }
    }
    Ok(())
}

/// Converts rows of glyphs to a TOML string of several lines.
pub fn string(text: &str) -> Value {
    let literal = format!("'''\n{text}'''").parse::<Value>().ok();
    literal.filter(|value| value.as_str() == Some(text)).unwrap_or_else(|| text.into())
}

/// Crops the cells of a matrix. `-offset` is the number of columns and rows to remove at the left
/// and at the top. Returns `None` if a removed cell is an allowed tile.
pub fn crop_cells(pattern: &mut DocumentMut, offset: Offset) -> Option<()> {
    let Some(cells) = pattern.get("cells").and_then(Item::as_str) else { return Some(()) };
    let (columns, rows_above) = ((-offset.x) as usize, (-offset.y) as usize);
    let lines: Vec<&str> = cells.lines().collect();
    let is_used = |(y, line): (usize, &&str)| {
        line.chars().enumerate().any(|(x, c)| c == '1' && (y < rows_above || x < columns))
    };
    if lines.iter().enumerate().any(is_used) {
        return None;
    }
    let left = |line: &&str| line.chars().skip(columns).chain(['\n']).collect::<String>();
    let text: String = lines.iter().skip(rows_above).map(left).collect();
    pattern.insert("cells", Item::Value(string(&text)));
    Some(())
}
