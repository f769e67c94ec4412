//! The results of a sweep on a terminal: tables and a plot.

mod chart;
mod digits;
mod heat_map;
mod plot;
mod scale;
mod table;
#[cfg(test)]
mod tests;

use std::io::{self, IsTerminal};

use crate::depth;
use crate::files::show;
use crate::files::values::Value;
use crate::render::picture::Picture;
use crate::statistics::Interval;
use crate::sweep::plan::Plan;
use crate::sweep::row::Column;
use crate::sweep::summary::Summary;

use super::super::output::environment;

/// Number of columns if standard output is not a terminal.
const USUAL_WIDTH: usize = 80;

/// Width and characters of the output.
#[derive(Debug, Clone, Copy)]
pub(super) struct Layout {
    /// Width of the terminal, in columns.
    pub width: usize,
    /// Whether to use only ASCII characters.
    pub ascii: bool,
    /// Whether to print a plot.
    pub has_plot: bool,
}

impl Layout {
    /// Returns the layout for standard output.
    pub fn detected() -> Self {
        #[cfg(feature = "tui")]
        let width = crate::unix::columns(&io::stdout());
        #[cfg(not(feature = "tui"))]
        let width: Option<u16> = None;
        Self {
            width: width.map_or(USUAL_WIDTH, usize::from),
            ascii: depth::ascii(environment).0,
            has_plot: io::stdout().is_terminal(),
        }
    }
}

/// The design points of a sweep with their estimates.
#[derive(Debug, Clone, Copy)]
struct Results<'a> {
    /// Paths of the varied values, such as `boid.max_speed`.
    varied: &'a [String],
    /// Values of each design point, in the order of `varied`.
    points: &'a [Vec<Value>],
    summary: &'a Summary,
    layout: Layout,
}

/// Returns the tables of a sweep, and a plot of the first measure if one or two values vary.
pub(super) fn text(plan: &Plan, summary: &Summary, layout: Layout) -> String {
    let (varied, points) = (&plan.sweep.varied, &plan.sweep.points);
    Results { varied, points, summary, layout }.text()
}

/// Returns the plots of a sweep as a picture. `values` has the values of each measure in all runs.
pub(super) fn picture(plan: &Plan, summary: &Summary, values: &[Vec<f64>]) -> Picture {
    let (varied, points) = (&plan.sweep.varied, &plan.sweep.points);
    let layout = Layout { width: USUAL_WIDTH, ascii: false, has_plot: false };
    chart::picture(&Results { varied, points, summary, layout }, values)
}

/// Formats a count at an axis.
fn whole(number: f64) -> String {
    digits::short(number)
}

impl Results<'_> {
    fn text(&self) -> String {
        let plot = match self.varied {
            _ if !self.layout.has_plot => None,
            [_] => plot::plot(self, 0),
            [_, _] => heat_map::heat_map(self, 0),
            _ => None,
        };
        let plot = plot.map_or_else(String::new, |plot| format!("\n{plot}"));
        format!("{}{plot}", table::tables(self))
    }

    /// Returns the mean of a measure at a design point, and the interval around the mean. If the
    /// interval is unknown, its bounds equal the mean. Returns `None` if there is no mean.
    fn mean(&self, point: usize, measure: usize) -> Option<(f64, Interval)> {
        let estimate = self.summary.estimate(point, measure);
        let mean = estimate.mean?;
        let interval = estimate.interval.unwrap_or(Interval { lower: mean, upper: mean });
        Some((mean, interval))
    }

    /// Returns true if some runs of a design point never reached the frame of a measure.
    fn is_censored(&self, point: usize, measure: usize) -> bool {
        let estimate = self.summary.estimate(point, measure);
        self.summary.columns()[measure].1 == Column::First && estimate.count < estimate.runs
    }

    /// Returns the name of a measure with control characters escaped.
    fn name(&self, measure: usize) -> String {
        let (name, kind) = &self.summary.columns()[measure];
        match kind {
            Column::Number | Column::Outcome => show::text(name),
            Column::First => format!("{} (first frame)", show::text(name)),
        }
    }

    /// Returns the title of a plot, such as `mean of order`.
    fn title(&self, measure: usize) -> String {
        let what = match self.summary.columns()[measure].1 {
            Column::Number | Column::First => "mean",
            Column::Outcome => "share of passes",
        };
        format!("{what} of {}", self.name(measure))
    }

    /// Formats a mean with four significant digits. The mean of an outcome is formatted in percent.
    fn number(&self, measure: usize, value: f64) -> String {
        match self.summary.columns()[measure].1 {
            Column::Number | Column::First => digits::significant(value),
            Column::Outcome => digits::percent(value),
        }
    }

    /// Formats a number of an axis or a legend, without trailing zeros.
    fn tick(&self, measure: usize, value: f64) -> String {
        match self.summary.columns()[measure].1 {
            Column::Number | Column::First => digits::short(value),
            Column::Outcome => format!("{} %", digits::short(value * 100.0)),
        }
    }

    /// Returns `ascii` if the layout allows only ASCII, otherwise `unicode`.
    fn symbol(&self, unicode: char, ascii: char) -> char {
        if self.layout.ascii { ascii } else { unicode }
    }
}

/// Formats varied values for table cells or an axis. Different values have different labels.
fn labels(values: &[&Value]) -> Vec<String> {
    let numbers: Option<Vec<f64>> = values.iter().map(|value| value.number()).collect();
    match numbers {
        Some(numbers) => digits::distinct(&numbers),
        None => values.iter().map(|value| show::text(&value.text())).collect(),
    }
}

/// Joins lines into one text. Removes trailing spaces, and ends each line with a line break.
fn joined(lines: impl IntoIterator<Item = String>) -> String {
    let lines = lines.into_iter().flat_map(|line| [line.trim_end().to_owned(), "\n".to_owned()]);
    lines.collect()
}
