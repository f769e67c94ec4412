//! The last seconds of an agent in small columns: how fast, how hard pushed, how far from its goal.

use unicode_width::UnicodeWidthStr;

use crate::id::AgentId;
use crate::tui::draw::facts::Facts;
use crate::tui::glyph;
use crate::tui::plots::Sample;
use crate::tui::session::Session;

/// Columns of a plot at most.
const WIDEST: usize = 50;

/// Columns that are left for what is written beside a plot.
const BESIDE: usize = 26;

/// One plot: its name, its unit, and which number it is about.
type Plot = (&'static str, &'static str, fn(&Sample) -> Option<f32>);

const PLOTS: [Plot; 3] = [
    ("speed", "tiles/s", |sample| sample.speed),
    ("force", "tiles/s²·m", |sample| sample.force),
    ("distance", "tiles", |sample| sample.distance),
];

/// The plots of an agent; those that have no numbers are left out.
pub fn describe(session: &Session, id: AgentId, facts: &mut Facts) {
    let Some(plots) = session.past().plots(id) else { return };
    let samples: Vec<&Sample> = plots.iter().map(|(_, sample)| sample).collect();
    let width = facts.width().saturating_sub(9 + BESIDE).min(WIDEST);
    if width < 8 || samples.len() < 2 {
        return;
    }
    let tick = session.scenario().tick;
    let frames = plots.iter().next().map_or(0, |(first, _)| session.world().frame().0 - first.0);
    facts.part(&format!("the last {:.1} s", frames as f64 * tick));
    for (name, unit, number) in PLOTS {
        let numbers: Vec<Option<f32>> = samples.iter().map(|sample| number(sample)).collect();
        let known = || numbers.iter().flatten().copied().filter(|number| number.is_finite());
        let Some(least) = known().reduce(f32::min) else { continue };
        let most = known().fold(least, f32::max);
        let line = columns(&numbers, (least, most), width);
        let gap = " ".repeat(width.saturating_sub(line.width()));
        let theme = facts.theme;
        facts.aside(
            name,
            [
                (format!("{line}{gap}"), theme.bar),
                (format!("{least:.2} to {most:.2} {unit}"), theme.text),
            ],
        );
    }
}

/// The plots as a page of their own.
pub fn page(session: &Session, id: AgentId, facts: &mut Facts) {
    describe(session, id, facts);
    if facts.list.is_empty() {
        let theme = facts.theme;
        let text = "a plot needs two frames, and 43 columns".to_owned();
        facts.aside("plots", [(text, theme.dim)]);
    }
}

/// Numbers as columns, the last at the right: each is the mean of those it stands for, from the
/// least to the most. Where nothing is known there is a gap.
fn columns(numbers: &[Option<f32>], (least, most): (f32, f32), width: usize) -> String {
    let width = width.min(numbers.len());
    let span = most - least;
    let column = |index: usize| {
        let from = index * numbers.len() / width;
        let to = (index + 1) * numbers.len() / width;
        let known = || numbers[from..to].iter().flatten().filter(|number| number.is_finite());
        let count = known().count();
        if count == 0 {
            return " ";
        }
        let mean = known().sum::<f32>() / count as f32;
        let share = if span > 0.0 { (mean - least) / span } else { 0.0 };
        glyph::COLUMN[((share * 7.0).round() as usize).min(7)]
    };
    (0..width).map(column).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_go_from_the_least_to_the_most_with_gaps() {
        let ramp: Vec<_> = (0..8).map(|n| Some(n as f32)).collect();
        assert_eq!(columns(&ramp, (0.0, 7.0), 8), "▁▂▃▄▅▆▇█");
        assert_eq!(columns(&ramp, (0.0, 7.0), 4), "▂▄▆█");
        assert_eq!(columns(&[None, Some(1.0), None, Some(1.0)], (1.0, 1.0), 40), " ▁ ▁");
        assert_eq!(columns(&[Some(f32::NAN), Some(2.0)], (1.0, 2.0), 2), " █");
    }
}
