//! Draws the heat map: colours and numbers of visits on tiles.

use ratatui::buffer::Buffer;
use ratatui::style::{Modifier, Style};

use crate::debugger::session::Session;
use crate::debugger::visits::Tally;
use crate::tui::camera::View;
use crate::tui::glyph;
use crate::tui::theme::{HEAT_LEVELS, Theme};

/// Draws the numbers of visits up to the current frame. Draws nothing until all visits are counted.
pub fn draw(session: &Session, view: &View, theme: &Theme, buffer: &mut Buffer) {
    let tally = session.visits().and_then(|visits| visits.at(session.world().frame()));
    let Some(tally) = tally else { return };
    let styles: [Style; HEAT_LEVELS] = core::array::from_fn(|step| theme.heat(step));
    if view.zoom.is_far() {
        shades(tally, view, &styles, buffer);
    } else {
        numbers(tally, view, &styles, buffer);
    }
}

/// Returns the heat map's part of the map title: the counted agent or group, and the largest number
/// of visits. Until all visits are counted, the text contains the progress in percent instead.
/// Without a heat map, the text is empty.
pub fn title(session: &Session) -> String {
    let Some(visits) = session.visits() else { return String::new() };
    let (name, frame) = (visits.counted().name(), session.world().frame());
    match visits.at(frame) {
        Some(tally) => format!("heat map: {name}, max {}", tally.most()),
        None => format!("heat map: {name}, {}% counted", visits.percent(frame)),
    }
}

/// Returns the colour level of a count, from 0 to `HEAT_LEVELS - 1`. The level grows with the
/// square root of `count / most`.
fn step(count: u32, most: u32) -> usize {
    let share = (count as f32 / most.max(1) as f32).sqrt();
    ((share * HEAT_LEVELS as f32) as usize).min(HEAT_LEVELS - 1)
}

/// Draws the number of visits on each visited tile. A number that is wider than its tile is drawn
/// as `+`.
fn numbers(tally: &Tally, view: &View, styles: &[Style; HEAT_LEVELS], buffer: &mut Buffer) {
    let most = tally.most();
    for tile in view.tiles() {
        let count = tally.count(tile);
        let Some(cells) = (count > 0).then(|| view.cells(tile)).flatten() else { continue };
        // Numbers on adjacent tiles alternate between bold and normal, to separate them.
        let heavy = if (tile.x + tile.y) % 2 == 0 { Modifier::BOLD } else { Modifier::empty() };
        let style = styles[step(count, most)].add_modifier(heavy);
        for cell in cells.positions() {
            buffer[cell].set_symbol(" ").set_style(style);
        }
        let row = cells.y + (cells.height - 1) / 2;
        let (width, mut rest) = (u32::from(cells.width), count);
        if count.ilog10() >= width {
            for x in cells.left()..cells.right() {
                buffer[(x, row)].set_symbol("+");
            }
            continue;
        }
        let mut x = cells.right();
        while rest > 0 {
            x -= 1;
            buffer[(x, row)].set_char(char::from(b'0' + (rest % 10) as u8));
            rest /= 10;
        }
    }
}

/// Colours cells that show several tiles. The colour depends on the sum of the tiles' visits.
/// Glyphs of tiles stay visible.
fn shades(tally: &Tally, view: &View, styles: &[Style; HEAT_LEVELS], buffer: &mut Buffer) {
    let width = usize::from(view.area.width);
    let mut sums = vec![0_u32; view.area.area() as usize];
    for &tile in tally.visited() {
        if let Some(cell) = view.cell(tile) {
            let place =
                usize::from(cell.y - view.area.y) * width + usize::from(cell.x - view.area.x);
            sums[place] = sums[place].saturating_add(tally.count(tile));
        }
    }
    let most = sums.iter().copied().max().unwrap_or(0);
    for (place, position) in view.area.positions().enumerate() {
        let sum = sums[place];
        if sum > 0 {
            let step = step(sum, most);
            let cell = &mut buffer[position];
            if cell.symbol() == " " {
                cell.set_symbol(glyph::SHADES[step * glyph::SHADES.len() / HEAT_LEVELS]);
                cell.set_style(styles[step]);
            } else {
                cell.set_style(Style { fg: None, ..styles[step] });
            }
        }
    }
}
