//! Plots of a sweep as a picture. Each measure has a row of panels: its mean over the varied values, the
//! distribution of its values, and the paired differences from the first design point.
//!
//! The panels use the display list of pictures, so that they look and print like pictures of maps.

use std::sync::Arc;

use crate::body;
use crate::files::show;
use crate::geom::Vec2;
use crate::palette::{Name, Rgb, mix};
use crate::render::font::{Align, Text};
use crate::render::picture::{Dash, Ink, Outline, Picture, Shape, Stroke};
use crate::render::scene::fitted;
use crate::render::style::Style;
use crate::statistics::Interval;
use crate::sweep::row::Column;

use super::scale::{Scale, positions};
use super::{Results, heat_map, labels, plot};

/// Width and height of a panel, in pixels.
const PANEL: Vec2 = Vec2::new(560.0, 400.0);

/// Corners of the axes in a panel.
const AXES: [Vec2; 2] = [Vec2::new(84.0, 46.0), Vec2::new(534.0, 326.0)];

/// Size of the font.
const FONT: f32 = 15.0;

/// Largest number of measures with plots.
const MOST_MEASURES: usize = 6;

/// Largest number of design points of a panel with one place for each.
const MOST_POINTS: usize = 60;

/// Largest number of bars of a distribution.
const MOST_BARS: usize = 24;

/// Number of colours of a heat map.
const SHADES: usize = 32;

/// Draws a panel.
struct Panel<'a> {
    corner: Vec2,
    style: &'a Style,
    shapes: Vec<Shape>,
}

/// A mean with its interval, as positions from 0 to 1.
#[derive(Clone, Copy)]
struct Mark {
    x: f64,
    y: Option<(f64, Interval)>,
    is_open: bool,
}

/// Returns the plots of all measures. `values` has the values of each measure in all runs.
pub(super) fn picture(results: &Results, values: &[Vec<f64>]) -> Picture {
    let style = Style::of(Name::Light);
    let measures = values.len().min(MOST_MEASURES);
    let columns = if results.points.len() > 1 { 3.0 } else { 2.0 };
    let size = PANEL * Vec2::new(columns, measures.max(1) as f32);
    let mut shapes = vec![Shape::area(Outline::rectangle(Vec2::ZERO, size), style.background())];
    for (measure, values) in values.iter().enumerate().take(measures) {
        for (column, draw) in [means, distribution, differences].into_iter().enumerate() {
            let corner = PANEL * Vec2::new(column as f32, measure as f32);
            let mut panel = Panel { corner, style: &style, shapes: Vec::new() };
            if column < columns as usize && draw(&mut panel, results, measure, values).is_some() {
                shapes.append(&mut panel.shapes);
            }
        }
    }
    let size = [size.x as u32, size.y as u32];
    Picture { size, ground: Arc::new(shapes), map: [[0, 0], size], still: 1, ..Picture::default() }
}

impl Panel<'_> {
    /// Returns the pixels of a position from 0 to 1 on both axes.
    fn at(&self, x: f64, y: f64) -> Vec2 {
        let [from, to] = AXES;
        let share = Vec2::new(x as f32, 1.0 - y as f32);
        self.corner + from + (to - from) * share
    }

    fn text(&mut self, text: &str, at: Vec2, align: Align) {
        let ink = self.style.text(self.style.hues.text).into();
        self.shapes.push(Text { text, size: FONT, ink, align }.shape(at));
    }

    fn title(&mut self, text: &str) {
        let ink = self.style.text(self.style.hues.text).into();
        let (at, size) = (self.corner + Vec2::new(AXES[0].x, 28.0), FONT * 1.1);
        let text = &fitted(text, size, (AXES[1].x - AXES[0].x) * 0.6);
        self.shapes.push(Text { text, size, ink, align: Align::Left }.shape(at));
    }

    /// Draws the vertical axis with its numbers, and lines behind the plot.
    fn vertical(&mut self, scale: &Scale, label: impl Fn(f64) -> String) {
        let (ink, faint) = (self.style.wall(), self.style.grid());
        for number in scale.numbers() {
            let y = scale.position(number);
            let (left, right) = (self.at(0.0, y), self.at(1.0, y));
            self.shapes.push(Shape::line(left, right, faint, 1.0));
            let text = label(number);
            self.text(&text, left + Vec2::new(-10.0, FONT * 0.35), Align::Right);
        }
        let (top, bottom) = (self.at(0.0, 1.0), self.at(0.0, 0.0));
        let end = self.at(1.0, 0.0);
        self.shapes.push(Shape::line(top, bottom, ink, 1.5));
        self.shapes.push(Shape::line(bottom, end, ink, 1.5));
    }

    /// Draws the labels of the horizontal axis, as far as there is room, and its name.
    fn horizontal(&mut self, labels: &[String], xs: &[f64], name: &str) {
        let mut free = f32::NEG_INFINITY;
        let ink = self.style.wall();
        for (label, x) in labels.iter().zip(xs) {
            let at = self.at(*x, 0.0);
            self.shapes.push(Shape::line(at, at + Vec2::new(0.0, 5.0), ink, 1.5));
            let width = crate::render::font::SANS.width(label, FONT);
            if at.x - width / 2.0 > free {
                self.text(label, at + Vec2::new(0.0, 22.0), Align::Centre);
                free = at.x + width / 2.0 + FONT * 0.5;
            }
        }
        let at = self.corner + Vec2::new(f32::midpoint(AXES[0].x, AXES[1].x), PANEL.y - 22.0);
        self.text(name, at, Align::Centre);
    }

    /// Draws means with intervals. `is_line` connects them, with a band of intervals.
    fn marks(&mut self, marks: &[Mark], is_line: bool) {
        let rgb = self.style.mark(self.style.hues.accent);
        let known: Vec<_> = marks.iter().filter_map(|mark| Some((mark, mark.y?))).collect();
        if is_line {
            let upper = known.iter().map(|(mark, (_, ends))| self.at(mark.x, ends.upper));
            let lower = known.iter().rev().map(|(mark, (_, ends))| self.at(mark.x, ends.lower));
            let band = Outline::polygon(upper.chain(lower));
            let line = Outline::line(known.iter().map(|(mark, (mean, _))| self.at(mark.x, *mean)));
            self.shapes.push(Shape::area(band, Ink { rgb, alpha: 48 }));
            let stroke = Stroke::solid(rgb, 2.0);
            self.shapes.push(Shape::Line { outline: line, stroke });
        }
        for (mark, (mean, ends)) in known {
            let [top, bottom] = [ends.upper, ends.lower].map(|end| self.at(mark.x, end));
            self.shapes.push(Shape::line(top, bottom, rgb, 1.5));
            for end in [top, bottom] {
                let half = Vec2::new(4.0, 0.0);
                self.shapes.push(Shape::line(end - half, end + half, rgb, 1.5));
            }
            let fill = if mark.is_open { self.style.background() } else { rgb };
            self.shapes.push(Shape::Disc {
                centre: self.at(mark.x, mean),
                radius: 4.0,
                fill: Some(fill.into()),
                stroke: Some(Stroke::solid(rgb, 1.5)),
                name: String::new(),
            });
        }
    }

    fn note(&mut self, text: &str) {
        let ink = self.style.text(self.style.hues.dim).into();
        let at = self.corner + Vec2::new(AXES[1].x, 28.0);
        let size = FONT * 0.85;
        let text = &fitted(text, size, (AXES[1].x - AXES[0].x) * 0.38);
        self.shapes.push(Text { text, size, ink, align: Align::Right }.shape(at));
    }
}

/// Returns the name of a varied value with its unit, such as `boid.body.max_speed (tiles/s)`.
fn named(path: &str) -> String {
    let key = path.rsplit('.').next().unwrap_or(path);
    let unit = body::number(key).map_or("", |number| number.unit);
    let path = show::text(path);
    if unit.is_empty() { path } else { format!("{path} ({unit})") }
}

/// Draws the mean of a measure over the varied values.
fn means(panel: &mut Panel, results: &Results, measure: usize, _: &[f64]) -> Option<()> {
    if results.varied.len() == 2 && heat(panel, results, measure).is_some() {
        return Some(());
    }
    let order = match results.varied {
        [_] => plot::sorted(results).unwrap_or_else(|| (0..results.points.len()).collect()),
        _ => (0..results.points.len().min(MOST_POINTS)).collect(),
    };
    let means: Vec<_> = order.iter().map(|point| results.mean(*point, measure)).collect();
    let ends = means.iter().flatten().flat_map(|(_, ends)| [ends.lower, ends.upper]);
    let scale = match results.summary.columns()[measure].1 {
        Column::Number | Column::First => Scale::around(ends)?,
        Column::Outcome => Scale { lower: 0.0, upper: 1.0, step: 0.25 },
    };
    let (xs, texts, name, is_line) = places(results, &order);
    panel.title(&results.title(measure));
    panel.note("mean, 95 % interval");
    panel.vertical(&scale, |number| results.tick(measure, number));
    panel.horizontal(&texts, &xs, &name);
    let mark = |(index, x): (usize, &f64)| Mark {
        x: *x,
        y: means[index].map(|(mean, ends)| positioned(mean, ends, &scale)),
        is_open: results.is_censored(order[index], measure),
    };
    let marks: Vec<Mark> = xs.iter().enumerate().map(mark).collect();
    panel.marks(&marks, is_line);
    Some(())
}

fn positioned(mean: f64, Interval { lower, upper }: Interval, scale: &Scale) -> (f64, Interval) {
    let at = |value| scale.position(value);
    (at(mean), Interval { lower: at(lower), upper: at(upper) })
}

/// Returns the positions and labels of design points, the name of the axis, and whether a line connects
/// the points.
fn places(results: &Results, order: &[usize]) -> (Vec<f64>, Vec<String>, String, bool) {
    let side_by_side =
        || (0..order.len()).map(|index| (index as f64 + 0.5) / order.len() as f64).collect();
    let [path] = results.varied else {
        let texts = order.iter().map(|point| (point + 1).to_string()).collect();
        return (side_by_side(), texts, "design point".to_owned(), false);
    };
    let values: Vec<_> = order.iter().map(|point| &results.points[*point][0]).collect();
    let numbers: Option<Vec<f64>> = values.iter().map(|value| value.number()).collect();
    let is_rising =
        |numbers: &Vec<f64>| numbers.len() > 1 && numbers.windows(2).all(|pair| pair[0] < pair[1]);
    let numbers = numbers.filter(is_rising);
    let xs = numbers.as_ref().map_or_else(side_by_side, |numbers| {
        positions(numbers).into_iter().map(|x| 0.03 + 0.94 * x).collect()
    });
    (xs, labels(&values), named(path), numbers.is_some())
}

/// Draws the mean over two varied values as colours. Returns `None` unless the design is a complete grid.
fn heat(panel: &mut Panel, results: &Results, measure: usize) -> Option<()> {
    let (across, up, points) = heat_map::grid(results)?;
    let means = points.iter().flatten().map(|point| results.mean(*point, measure));
    let scale = match results.summary.columns()[measure].1 {
        Column::Number | Column::First => Scale::around(means.flatten().map(|(mean, _)| mean))?,
        Column::Outcome => Scale { lower: 0.0, upper: 1.0, step: 0.25 },
    };
    let centres = |count: usize| -> Vec<f64> {
        (0..count).map(|index| 0.86 * (index as f64 + 0.5) / count as f64).collect()
    };
    let (low, high) = (panel.style.background(), panel.style.mark(panel.style.hues.accent));
    let shade = |share: f64| -> Rgb { mix(low, high, share as f32) };
    let (columns, rows) = (across.len() as f64, up.len() as f64);
    for (row, points) in points.iter().enumerate() {
        for (column, point) in points.iter().enumerate() {
            let Some((mean, _)) = results.mean(*point, measure) else { continue };
            let [from, to] = [0, 1].map(|end: usize| {
                let (column, row) = (column + end, row + end);
                panel.at(0.86 * column as f64 / columns, row as f64 / rows)
            });
            let cell = Outline::rectangle(from, to);
            panel.shapes.push(Shape::area(cell, shade(scale.position(mean))));
        }
    }
    for step in 0..SHADES {
        let [from, to] =
            [0, 1].map(|end: usize| panel.at(0.91, (step + end) as f64 / SHADES as f64));
        let bar = Outline::rectangle(from, to + Vec2::new(12.0, 0.0));
        panel.shapes.push(Shape::area(bar, shade((step as f64 + 0.5) / SHADES as f64)));
    }
    for end in [scale.lower, scale.upper] {
        let at = panel.at(0.91, scale.position(end)) + Vec2::new(16.0, FONT * 0.35);
        panel.text(&results.tick(measure, end), at, Align::Left);
    }
    panel.title(&results.title(measure));
    panel.note(&format!("↑ {}", named(&results.varied[1])));
    for (label, y) in labels(&up).iter().zip(0..) {
        let at = panel.at(0.0, (f64::from(y) + 0.5) / rows) + Vec2::new(-8.0, FONT * 0.35);
        panel.text(label, at, Align::Right);
    }
    panel.horizontal(&labels(&across), &centres(across.len()), &named(&results.varied[0]));
    Some(())
}

/// Draws the distribution of the values of a measure in all runs.
fn distribution(
    panel: &mut Panel,
    results: &Results,
    measure: usize,
    values: &[f64],
) -> Option<()> {
    let range = match results.summary.columns()[measure].1 {
        Column::Number | Column::First => Scale::around(values.iter().copied())?,
        Column::Outcome => Scale { lower: -0.5, upper: 1.5, step: 1.0 },
    };
    let is_outcome = results.summary.columns()[measure].1 == Column::Outcome;
    let bars = if is_outcome { 2 } else { (values.len() as f64).sqrt().ceil() as usize };
    let bars = bars.clamp(2, MOST_BARS);
    let mut counts = vec![0_u32; bars];
    for value in values {
        counts[((range.position(*value) * bars as f64) as usize).min(bars - 1)] += 1;
    }
    let most = Scale::around([0.0, f64::from(counts.iter().copied().max()?)].into_iter())?;
    panel.title(&format!("distribution of {}", results.name(measure)));
    panel.note(&crate::words::count(values.len() as u64, "run"));
    panel.vertical(&most, super::whole);
    let rgb = panel.style.mark(panel.style.hues.accent);
    for (index, count) in counts.iter().enumerate() {
        let [left, right] = [0, 1].map(|end: usize| (index + end) as f64 / bars as f64);
        let (from, to) = (panel.at(left, most.position(f64::from(*count))), panel.at(right, 0.0));
        let bar = Outline::rectangle(from + Vec2::new(1.0, 0.0), to - Vec2::new(1.0, 0.0));
        panel.shapes.push(Shape::area(bar, Ink { rgb, alpha: 170 }));
    }
    let (texts, xs) = if is_outcome {
        (vec!["not passed".to_owned(), "passed".to_owned()], vec![0.25, 0.75])
    } else {
        let numbers: Vec<f64> = range.numbers().collect();
        let texts = numbers.iter().map(|number| results.tick(measure, *number)).collect();
        (texts, numbers.iter().map(|number| range.position(*number)).collect())
    };
    panel.horizontal(&texts, &xs, &results.name(measure));
    Some(())
}

/// Draws the paired differences from the first design point.
fn differences(panel: &mut Panel, results: &Results, measure: usize, _: &[f64]) -> Option<()> {
    let order: Vec<usize> = match results.varied {
        [_] => plot::sorted(results).unwrap_or_else(|| (0..results.points.len()).collect()),
        _ => (0..results.points.len().min(MOST_POINTS)).collect(),
    };
    let found = order.iter().map(|point| {
        let difference = results.summary.difference(*point, measure)?;
        let mean = difference.mean;
        let ends = difference.interval.unwrap_or(Interval { lower: mean, upper: mean });
        Some((mean, ends))
    });
    let found: Vec<_> = found.collect();
    let ends = found.iter().flatten().flat_map(|(_, ends)| [ends.lower, ends.upper]);
    let scale = Scale::around(ends.chain([0.0]))?;
    let (xs, texts, name, _) = places(results, &order);
    panel.title(&format!("difference of {}", results.name(measure)));
    panel.note("from the first design point");
    panel.vertical(&scale, |number| results.tick(measure, number));
    panel.horizontal(&texts, &xs, &name);
    let zero = [0.0, 1.0].map(|x| panel.at(x, scale.position(0.0)));
    let stroke = Stroke { dash: Dash::Dashed, ..Stroke::solid(panel.style.wall(), 1.5) };
    panel.shapes.push(Shape::Line { outline: Outline::line(zero), stroke });
    let marks = xs.iter().zip(&found).map(|(x, found)| Mark {
        x: *x,
        y: found.map(|(mean, ends)| positioned(mean, ends, &scale)),
        is_open: false,
    });
    panel.marks(&marks.collect::<Vec<_>>(), false);
    Some(())
}
