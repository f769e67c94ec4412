//! A plot of a measure over one varied value.
//!
//! Numeric values are drawn along an axis, with a line through the means and a band of intervals.
//! Other values, such as maps, are drawn side by side.

use crate::statistics::Interval;
use crate::sweep::row::Column;

use super::scale::{Scale, positions};
use super::{Results, labels};
use tilewalk_sim::sort::SmallSort;

/// Largest number of columns of a plot.
const WIDTH: usize = 78;

/// Height of the plot area, in rows of characters.
const HEIGHT: usize = 14;

/// Columns and rows of dots in one Braille character.
const DOTS: [usize; 2] = [2, 4];

/// Bits of the dots of a Braille character, by row and column.
const BRAILLE: [[u32; 2]; 4] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]];

/// One design point of the plot.
struct Mark {
    /// Position along the horizontal axis, 0 to 1.
    x: f64,
    label: String,
    /// Positions of the mean and of the interval on the vertical axis, 0 to 1. `None` without a
    /// mean.
    y: Option<(f64, Interval)>,
    is_censored: bool,
}

/// The characters of the plot area.
struct Canvas {
    columns: usize,
    /// Characters by row, from the top.
    cells: Vec<Vec<char>>,
    /// Bits of the Braille dots in each character cell, by row.
    dots: Vec<Vec<u32>>,
    ascii: bool,
}

/// Returns the plot of a measure. Returns `None` for fewer than two different values, or if the
/// plot does not fit.
pub(super) fn plot(results: &Results, measure: usize) -> Option<String> {
    let order = sorted(results)?;
    let numbers: Option<Vec<f64>> =
        order.iter().map(|point| results.points[*point][0].number()).collect();
    let means: Vec<_> = order.iter().map(|point| results.mean(*point, measure)).collect();
    let ends = means.iter().flatten().flat_map(|(_, interval)| [interval.lower, interval.upper]);
    let scale = match results.summary.columns()[measure].1 {
        Column::Number | Column::First => Scale::around(ends)?,
        Column::Outcome => Scale { lower: 0.0, upper: 1.0, step: 0.25 },
    };
    let xs = match &numbers {
        Some(numbers) => positions(numbers),
        None => (0..order.len()).map(|index| (index as f64 + 0.5) / order.len() as f64).collect(),
    };
    let values: Vec<_> = order.iter().map(|point| &results.points[*point][0]).collect();
    let labels = labels(&values);
    let mark = |(index, x): (usize, f64)| Mark {
        x,
        label: labels[index].clone(),
        y: means[index].map(|(mean, Interval { lower, upper })| {
            let at = |value| scale.position(value);
            (at(mean), Interval { lower: at(lower), upper: at(upper) })
        }),
        is_censored: results.is_censored(order[index], measure),
    };
    let marks: Vec<Mark> = xs.into_iter().enumerate().map(mark).collect();
    let gutter =
        scale.numbers().map(|number| results.tick(measure, number).chars().count()).max()?;
    let columns = results.layout.width.min(WIDTH).checked_sub(gutter + 2)?;
    if columns < 20 || marks.len() > columns {
        return None;
    }
    let mut canvas = Canvas::new(columns, results.layout.ascii);
    if numbers.is_some() {
        canvas.draw_bands(&marks);
        canvas.draw_line(&marks);
    } else {
        canvas.draw_bars(&marks);
    }
    canvas.draw_marks(&marks);
    Some(framed(results, measure, &canvas, &scale, &marks))
}

/// Returns the indices of the design points in axis order. Numbers are in ascending order; other
/// values are in plan order.
///
/// Returns `None` for fewer than two points, or if two numbers are equal.
pub(super) fn sorted(results: &Results) -> Option<Vec<usize>> {
    let mut order: Vec<usize> = (0..results.points.len()).collect();
    let number = |point: &usize| results.points[*point][0].number();
    if order.iter().all(|point| number(point).is_some()) {
        order.small_sort_by(|a, b| {
            number(a).partial_cmp(&number(b)).unwrap_or(core::cmp::Ordering::Equal)
        });
        if order.windows(2).any(|pair| number(&pair[0]) == number(&pair[1])) {
            return None;
        }
    }
    (order.len() > 1).then_some(order)
}

/// Returns the plot area with its axes, title and legend.
fn framed(
    results: &Results,
    measure: usize,
    canvas: &Canvas,
    scale: &Scale,
    marks: &[Mark],
) -> String {
    let mut labels = vec![String::new(); HEIGHT];
    for number in scale.numbers() {
        labels[row(scale.position(number))] = results.tick(measure, number);
    }
    let gutter = labels.iter().map(|label| label.chars().count()).max().unwrap_or(0);
    let [side, corner, floor] =
        [('│', '|'), ('└', '+'), ('─', '-')].map(|(unicode, ascii)| results.symbol(unicode, ascii));
    let rows = labels.iter().zip(canvas.rows());
    let floor: String = core::iter::repeat_n(floor, canvas.columns).collect();
    let (name, width) = (&results.varied[0], canvas.columns);
    let lines = [results.title(measure)]
        .into_iter()
        .chain(rows.map(|(label, row)| format!("{label:>gutter$} {side}{row}")))
        .chain([
            format!("{:gutter$} {corner}{floor}", ""),
            format!("{:gutter$}  {}", "", labels_below(width, marks)),
            format!("{:gutter$}  {name:^width$}", ""),
            legend(results, marks),
        ]);
    super::joined(lines)
}

/// Returns the line that explains the symbols of a plot.
fn legend(results: &Results, marks: &[Mark]) -> String {
    let [point, open] = [('●', '*'), ('○', 'o')].map(|(a, b)| results.symbol(a, b));
    let band = if results.points.iter().all(|values| values[0].number().is_some()) {
        results.symbol('░', ':')
    } else {
        results.symbol('│', '|')
    };
    let text = format!("{point} mean  {band} 95 % interval");
    if !marks.iter().any(|mark| mark.is_censored) {
        return text;
    }
    format!("{text}  {open} mean of the runs in which it happened")
}

/// Returns the line of labels below the axis. Labels that do not fit are omitted.
fn labels_below(columns: usize, marks: &[Mark]) -> String {
    let mut line = vec![' '; columns];
    let place = |mark: &Mark| {
        let length = mark.label.chars().count();
        let centre = column(mark.x, columns);
        centre.saturating_sub(length / 2).min(columns.saturating_sub(length))
    };
    // Both ends come first. Labels between them need a space on both sides.
    let ends = [0, marks.len() - 1];
    for index in ends.into_iter().chain(1..marks.len() - 1) {
        let (start, label) = (place(&marks[index]), &marks[index].label);
        let end = start + label.chars().count();
        let around = start.saturating_sub(1)..(end + 1).min(columns);
        if end <= columns && line[around].iter().all(|c| *c == ' ') {
            for (cell, c) in line[start..end].iter_mut().zip(label.chars()) {
                *cell = c;
            }
        }
    }
    line.into_iter().collect::<String>().trim_end().to_owned()
}

/// Returns the column of characters at a position from 0 to 1.
fn column(x: f64, columns: usize) -> usize {
    (x * (columns - 1) as f64).round() as usize
}

/// Returns the row of characters at a position from 0 (bottom) to 1 (top).
fn row(y: f64) -> usize {
    ((1.0 - y).clamp(0.0, 1.0) * (HEIGHT - 1) as f64).round() as usize
}

impl Canvas {
    fn new(columns: usize, ascii: bool) -> Self {
        let cells = vec![vec![' '; columns]; HEIGHT];
        Self { columns, cells, dots: vec![vec![0; columns]; HEIGHT], ascii }
    }

    /// Fills the band between the intervals of neighbouring points, interpolated linearly.
    fn draw_bands(&mut self, marks: &[Mark]) {
        let symbol = if self.ascii { ':' } else { '░' };
        for pair in marks.windows(2) {
            let [(Some((_, from)), Some((_, to)))] = [(pair[0].y, pair[1].y)] else { continue };
            let [start, end] = [0, 1].map(|side: usize| column(pair[side].x, self.columns));
            for at in start..=end {
                let share = (at - start) as f64 / (end - start).max(1) as f64;
                let between = |from: f64, to: f64| from + (to - from) * share;
                let upper = row(between(from.upper, to.upper));
                let lower = row(between(from.lower, to.lower));
                for row in &mut self.cells[upper..=lower] {
                    row[at] = symbol;
                }
            }
        }
    }

    /// Draws the interval of each point as a vertical bar.
    fn draw_bars(&mut self, marks: &[Mark]) {
        let symbol = if self.ascii { '|' } else { '│' };
        for mark in marks {
            let Some((_, interval)) = mark.y else { continue };
            let at = column(mark.x, self.columns);
            let rows = row(interval.upper)..=row(interval.lower);
            for row in &mut self.cells[rows] {
                row[at] = symbol;
            }
        }
    }

    /// Draws straight lines between neighbouring means.
    fn draw_line(&mut self, marks: &[Mark]) {
        for pair in marks.windows(2) {
            let [(Some((from, _)), Some((to, _)))] = [(pair[0].y, pair[1].y)] else { continue };
            // More steps than dots on any line.
            let steps = self.columns * DOTS[0] * 2;
            for step in 0..=steps {
                let share = step as f64 / steps as f64;
                let between = |from: f64, to: f64| from + (to - from) * share;
                self.dot(between(pair[0].x, pair[1].x), between(from, to));
            }
        }
    }

    /// Sets the Braille dot at a position; both coordinates are from 0 to 1.
    fn dot(&mut self, x: f64, y: f64) {
        // The centre of a character is at a whole column and row.
        let across = x * (self.columns - 1) as f64 + 0.5;
        let down = (1.0 - y) * (HEIGHT - 1) as f64 + 0.5;
        let [across, down] = [(across, DOTS[0]), (down, DOTS[1])]
            .map(|(at, dots)| (at * dots as f64).max(0.0) as usize);
        let (column, row) = (across / DOTS[0], down / DOTS[1]);
        self.dots[row][column] |= BRAILLE[down % DOTS[1]][across % DOTS[0]];
    }

    /// Draws the symbol of each mean, over the line.
    fn draw_marks(&mut self, marks: &[Mark]) {
        let symbols = if self.ascii { ['*', 'o'] } else { ['●', '○'] };
        for mark in marks {
            let Some((y, _)) = mark.y else { continue };
            let (row, column) = (row(y), column(mark.x, self.columns));
            self.cells[row][column] = symbols[usize::from(mark.is_censored)];
            self.dots[row][column] = 0;
        }
    }

    /// Returns the rows as text, from the top.
    fn rows(&self) -> impl Iterator<Item = String> {
        let symbol = |(cell, dots): (&char, &u32)| match *dots {
            0 => *cell,
            _ if self.ascii => '.',
            dots => char::from_u32(0x2800 + dots).unwrap_or(*cell),
        };
        self.cells
            .iter()
            .zip(&self.dots)
            .map(move |(cells, dots)| cells.iter().zip(dots).map(symbol).collect())
    }
}
