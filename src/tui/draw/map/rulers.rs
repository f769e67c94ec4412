//! Draws rulers: the x coordinates of tiles above the map, and the y coordinates to the left of the
//! map.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::debugger::session::{Session, Subject};
use crate::geom::TilePos;
use crate::tui::camera::{Extent, Stretch, View};
use crate::tui::theme::Theme;

/// Minimum size of a map with rulers, in columns and rows.
const SMALLEST: (u16, u16) = (12, 3);

/// Returns the part of `area` that remains for the map. Returns the whole area if rulers have no
/// room.
pub fn room(area: Rect, extent: Extent) -> Rect {
    let left = margin(extent);
    if area.width < left + SMALLEST.0 || area.height < 1 + SMALLEST.1 {
        return area;
    }
    Rect { x: area.x + left, y: area.y + 1, width: area.width - left, height: area.height - 1 }
}

/// Returns the width of the ruler with y coordinates, in columns, including a gap.
fn margin(extent: Extent) -> u16 {
    digits(extent.height - 1) + 1
}

fn digits(number: i32) -> u16 {
    number.max(1).ilog10() as u16 + 1
}

/// Draws the rulers around the view. The coordinates of the selected agent or tile are highlighted.
pub fn draw(session: &Session, view: &View, theme: &Theme, buffer: &mut Buffer) {
    let (area, left) = (view.area, margin(view.extent));
    if area.is_empty() || area.x < left + 1 || area.y < 2 {
        return;
    }
    let subject = match session.subject() {
        Subject::None => None,
        Subject::Tile(tile) => Some(tile),
        Subject::Agent(id) => Some(session.world().tile(id)),
    };
    let (above, widest) = (area.y - 1, digits(view.extent.width - 1));
    let columns = Ruler {
        places: (0..area.width).map(|x| view.column(x)).collect(),
        spacing: widest + 1,
        scale: view.zoom.scale().x,
    };
    for (x, number, marked) in columns.numbers(subject.map(|tile: TilePos| tile.x), digits) {
        let style = if marked { theme.key } else { theme.dim };
        write(number, (area.x + x, above), style, buffer);
    }
    let rows = Ruler {
        places: (0..area.height).map(|y| view.row(y)).collect(),
        spacing: 2,
        scale: view.zoom.scale().y,
    };
    for (y, number, marked) in rows.numbers(subject.map(|tile| tile.y), |_| 1) {
        let style = if marked { theme.key } else { theme.dim };
        let x = area.x - 1 - digits(number);
        write(number, (x, area.y + y), style, buffer);
    }
}

fn write(number: i32, (x, y): (u16, u16), style: Style, buffer: &mut Buffer) {
    buffer.set_stringn(x, y, number.to_string(), usize::from(digits(number)), style);
}

struct Ruler {
    /// Range of tiles that each cell along the ruler shows.
    places: Vec<Stretch>,
    /// Minimum distance between the starts of two numbers, in cells.
    spacing: u16,
    /// Number of cells per tile along the ruler.
    scale: f32,
}

impl Ruler {
    /// Returns the numbers of the ruler: index of the cell, coordinate, and whether the coordinate
    /// is `marked`.
    ///
    /// Numbers are multiples of [`Self::step`] and do not touch. The number `marked` is placed
    /// before all others. It is omitted only if its cell is out of view or too close to the end.
    /// `length` returns the length of a number in cells.
    fn numbers(&self, marked: Option<i32>, length: impl Fn(i32) -> u16) -> Vec<(u16, i32, bool)> {
        let end = self.places.len() as u16;
        let shows = |number: i32| {
            let here =
                |place: &Stretch| place.part == 0 && (place.first..=place.last).contains(&number);
            let place = self.places.iter().position(here)? as u16;
            (place + length(number) <= end).then_some(place)
        };
        let mut found = Vec::new();
        if let Some((number, place)) = marked.and_then(|number| Some((number, shows(number)?))) {
            found.push((place, number, true));
        }
        let step = self.step();
        for (place, tiles) in self.places.iter().enumerate() {
            let (place, number) = (place as u16, (tiles.first + step - 1) / step * step);
            let begins = tiles.part == 0 && number <= tiles.last;
            let collides = found.iter().any(|&(other, there, _)| {
                place < other + length(there) + 1 && other < place + length(number) + 1
            });
            if begins && !collides && place + length(number) <= end {
                found.push((place, number, false));
            }
        }
        found
    }

    /// Returns the distance between numbers in tiles. The distance is the smallest of 1, 2, 5, 10,
    /// 20 … that leaves enough room for the numbers.
    fn step(&self) -> i32 {
        let steps = (0..5).flat_map(|zeros| [1, 2, 5].map(|digit| digit * 10_i32.pow(zeros)));
        let wide = |step: &i32| *step as f32 * self.scale >= f32::from(self.spacing);
        steps.clone().find(wide).or(steps.last()).unwrap_or(1)
    }
}
