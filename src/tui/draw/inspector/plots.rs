//! Plots of an agent's last seconds: speed, force, and distance to its target.

use crate::debugger::plots::Sample;
use crate::debugger::session::Session;
use crate::id::AgentId;
use crate::tui::draw::facts::{Facts, LABEL};
use crate::tui::glyph;

/// Maximum width of a plot on the first page, in terminal columns.
const WIDEST: usize = 50;

/// Width of the range beside a plot on the first page, in terminal columns.
const BESIDE: usize = 26;

/// Minimum width of a plot in terminal columns. Narrower plots are not shown.
const NARROWEST: usize = 8;

/// Width of the range beside a plot on the plots page, in terminal columns.
const RANGE: usize = 20;

/// Minimum width of the pane for the plots page, in terminal columns. Consists of the label, the
/// plot, the range, the border (two columns) and one empty column.
const NARROWEST_PANE: usize = LABEL + NARROWEST + RANGE + 3;

/// Height of a plot on the plots page, in rows.
const HIGH: usize = 4;

/// A kind of plot: name, unit, and the function that returns its number in a sample. `None` means
/// that the sample has no such number.
type Plot = (&'static str, &'static str, fn(&Sample) -> Option<f32>);

const PLOTS: [Plot; 3] = [
    ("speed", "tiles/s", |sample| sample.speed),
    ("force", "tiles/s²·m", |sample| sample.force),
    ("distance", "tiles", |sample| sample.distance),
];

struct PlottedFrames {
    name: &'static str,
    unit: &'static str,
    numbers: Vec<Option<f32>>,
    /// Smallest and largest finite number in the plot. Both are the same if the numbers differ only
    /// by rounding.
    range: (f32, f32),
}

/// Maximum difference of the numbers of a constant, relative to the largest one.
const ROUNDING: f32 = 1e-4;

/// Returns the plots that have numbers, and adds a heading with the time span of the plots. Returns
/// no plots if `width`, in columns, is too small, or if there are fewer than two samples.
fn shown(session: &Session, id: AgentId, width: usize, facts: &mut Facts) -> Vec<PlottedFrames> {
    let Some(plots) = session.past().plots(id) else { return Vec::new() };
    let samples: Vec<&Sample> = plots.iter().map(|(_, sample)| sample).collect();
    if width < NARROWEST || samples.len() < 2 {
        return Vec::new();
    }
    let tick = session.scenario().tick();
    let frames = plots.iter().next().map_or(0, |(first, _)| session.world().frame().0 - first.0);
    facts.part(&format!("last {:.1} s", frames as f64 * tick));
    let plot = |&(name, unit, number): &Plot| {
        let numbers: Vec<Option<f32>> = samples.iter().map(|sample| number(sample)).collect();
        let known = || numbers.iter().flatten().copied().filter(|number| number.is_finite());
        let least = known().reduce(f32::min)?;
        let most = known().fold(least, f32::max);
        let is_constant = most - least <= ROUNDING * most.abs().max(least.abs());
        let range = if is_constant { (most, most) } else { (least, most) };
        Some(PlottedFrames { name, unit, numbers, range })
    };
    PLOTS.iter().filter_map(plot).collect()
}

/// Adds the plots of the first page: one line each, with the range beside the plot.
pub fn describe(session: &Session, id: AgentId, facts: &mut Facts) {
    let width = facts.width().saturating_sub(LABEL + BESIDE).min(WIDEST);
    for PlottedFrames { name, unit, numbers, range } in shown(session, id, width, facts) {
        let line = columns(&numbers, range, width);
        let (theme, (least, most)) = (facts.theme, range);
        let beside = if least < most {
            format!("{least:.2} to {most:.2} {unit}")
        } else {
            format!("{most:.2} {unit}")
        };
        facts.aside(name, [(line, theme.bar), (beside, theme.text)]);
    }
}

/// Adds the lines of the plots page. Each plot is four rows high and as wide as the page.
pub fn page(session: &Session, id: AgentId, facts: &mut Facts) {
    let width = facts.width().saturating_sub(LABEL + RANGE);
    for plot in shown(session, id, width, facts) {
        facts.blank();
        let theme = facts.theme;
        let bars = towers(&plot.numbers, plot.range, width, HIGH);
        for (row, bar) in bars.into_iter().enumerate() {
            let label = if row == 0 { plot.name } else { "" };
            let beside = match row {
                0 if plot.range.0 < plot.range.1 => format!("{:.2} {}", plot.range.1, plot.unit),
                _ if row + 1 == HIGH && plot.range.0 < plot.range.1 => {
                    format!("{:.2}", plot.range.0)
                }
                _ if row + 1 == HIGH => format!("{:.2} {}", plot.range.0, plot.unit),
                _ => String::new(),
            };
            facts.aside(label, [(bar, theme.bar), (beside, theme.text)]);
        }
    }
    if facts.list.is_empty() {
        let theme = facts.theme;
        let text = format!("plots need 2 frames and {NARROWEST_PANE} columns");
        facts.aside("plots", [(text, theme.dim)]);
    }
}

/// Draws numbers as bars in one row of `width` columns. Unknown numbers are gaps.
fn columns(numbers: &[Option<f32>], range: (f32, f32), width: usize) -> String {
    towers(numbers, range, width, 1).swap_remove(0)
}

/// Draws numbers as bars in `rows` rows of `width` columns, in steps of an eighth of a row.
///
/// If there are more numbers than columns, each bar shows the mean of its numbers. Unknown numbers
/// are gaps.
fn towers(
    numbers: &[Option<f32>],
    (least, most): (f32, f32),
    width: usize,
    rows: usize,
) -> Vec<String> {
    let columns = width.min(numbers.len());
    let height = |index: usize| {
        let (from, to) = (index * numbers.len() / columns, (index + 1) * numbers.len() / columns);
        let known = || numbers[from..to].iter().flatten().filter(|number| number.is_finite());
        let count = known().count();
        let mean = known().sum::<f32>() / count as f32;
        let share = if most > least { (mean - least) / (most - least) } else { 0.0 };
        // The smallest number is drawn one eighth high, so that it differs from a gap.
        (count > 0).then(|| 1 + (share * (8 * rows - 1) as f32).round() as usize)
    };
    let heights: Vec<usize> = (0..columns).map(|index| height(index).unwrap_or(0)).collect();
    let sign = |height: usize, below: usize| match height.saturating_sub(below).min(8) {
        0 => " ",
        eighths => glyph::COLUMN[eighths - 1],
    };
    let row = |row: usize| {
        let below = (rows - 1 - row) * 8;
        let bar: String = heights.iter().map(|&height| sign(height, below)).collect();
        format!("{bar:<width$}")
    };
    (0..rows).map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_scale_with_the_range_and_have_gaps() {
        let ramp: Vec<_> = (0..8).map(|n| Some(n as f32)).collect();
        assert_eq!(columns(&ramp, (0.0, 7.0), 8), "▁▂▃▄▅▆▇█");
        assert_eq!(columns(&ramp, (0.0, 7.0), 4), "▂▄▆█");
        assert_eq!(columns(&[None, Some(1.0), None, Some(1.0)], (1.0, 1.0), 6), " ▁ ▁  ");
        assert_eq!(columns(&[Some(f32::NAN), Some(2.0)], (1.0, 2.0), 2), " █");
    }

    #[test]
    fn columns_of_several_rows_start_at_the_last_row() {
        let numbers = [0.0, 5.0, 10.0, 15.0].map(Some);
        assert_eq!(towers(&numbers, (0.0, 15.0), 4, 2), ["  ▃█", "▁▆██"]);
    }
}
