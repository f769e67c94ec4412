//! Facts: the lines of an inspector page. A fact is a label with phrases.
//!
//! To mark changes, the page is built for the current and for the previous frame. A phrase is
//! marked if the previous page does not contain it under the same label. Pages keep no state, so
//! the marks do not depend on how the user reached the frame.
//!
//! A phrase can show a number from the map file. It then stores the location of the number
//! ([`Shown`]), and a click on the phrase edits the number.

use core::ops::Range;

use ratatui::style::Style;
use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr;

use crate::tui::glyph;
use crate::tui::theme::Theme;

use super::pane;

/// Width of the column with labels, in terminal columns, including the gap to the phrases.
pub const LABEL: usize = 9;

/// A part of a fact. Lines are broken between phrases. A phrase wider than a line is also broken.
#[derive(Debug, Clone, PartialEq)]
pub struct Phrase {
    text: String,
    style: Style,
    changed: bool,
    shows: Option<Shown>,
}

impl From<(String, Style)> for Phrase {
    fn from((text, style): (String, Style)) -> Self {
        Self { text, style, changed: false, shows: None }
    }
}

impl Phrase {
    /// Links the phrase to a number from the map file. A click on the phrase edits that number.
    #[must_use]
    pub fn showing(self, shown: Shown) -> Self {
        Self { shows: Some(shown), ..self }
    }
}

/// The location of a number in the map file, relative to the selected agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shown {
    /// Key of the agent's table, such as `every`.
    OfAgent(&'static str),
    /// Key of the agent's `body` table, such as `mass`.
    OfBody(&'static str),
    /// Key of the agent's current mode, such as `pace`.
    OfMode(&'static str),
    /// A value of a behaviour in the current mode's steering list. Contains the index of the
    /// behaviour, from 0, and the key of the value, such as `weight`.
    OfRow(usize, &'static str),
}

/// A clickable part of a line, which shows a number from the map file.
#[derive(Debug, Clone, PartialEq)]
pub struct ClickablePart {
    /// Clickable terminal columns, counted from 0 at the start of the line.
    pub columns: Range<usize>,
    /// Location of the number that a click edits.
    pub shows: Shown,
}

/// A line of an inspector page, with its clickable parts.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FactRow {
    /// Styled text of the line.
    pub line: Line<'static>,
    /// Clickable parts of the line. Empty if the line shows no number from the map file.
    pub spots: Vec<ClickablePart>,
}

impl From<Line<'static>> for FactRow {
    fn from(line: Line<'static>) -> Self {
        Self { line, spots: Vec::new() }
    }
}

/// An entry of an inspector page. An entry takes several lines if its phrases do not fit on one
/// line.
#[derive(Debug, Clone, PartialEq)]
pub enum Fact {
    /// A label with phrases. Two columns separate the phrases.
    Labelled {
        /// Text in the first column. Empty if the entry continues the previous label.
        label: String,
        /// Phrases in display order.
        phrases: Vec<Phrase>,
        /// Whether phrases that changed since the previous frame are marked.
        compared: bool,
    },
    /// A line without a label. A click on the line edits the number at the given location; `None`
    /// makes the line not clickable.
    Line(Vec<Span<'static>>, Option<Shown>),
}

/// A page of the inspector. Entries wider than a line are broken between phrases.
#[derive(Debug)]
pub struct Facts<'a> {
    /// Entries in display order.
    pub list: Vec<Fact>,
    /// Theme with the styles of labels, headings and change marks.
    pub theme: &'a Theme,
    width: usize,
}

impl<'a> Facts<'a> {
    /// Creates a page without entries. `width` is the length of a line in terminal columns.
    pub fn new(theme: &'a Theme, width: usize) -> Self {
        Self { list: Vec::new(), theme, width }
    }

    /// Returns the length of a line in terminal columns.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Adds a label with one phrase in the style of normal text. An empty label continues the
    /// previous one.
    pub fn fact(&mut self, label: &str, text: impl Into<String>) {
        let style = self.theme.text;
        self.phrases(label, [(text.into(), style)]);
    }

    /// Adds a label with several phrases. An empty label continues the previous one.
    pub fn phrases<P: Into<Phrase>>(&mut self, label: &str, phrases: impl IntoIterator<Item = P>) {
        self.add(label, phrases, true);
    }

    /// Adds a label with phrases that are never marked as changed. Used for facts that exist only
    /// at the current frame.
    pub fn aside<P: Into<Phrase>>(&mut self, label: &str, phrases: impl IntoIterator<Item = P>) {
        self.add(label, phrases, false);
    }

    fn add<P: Into<Phrase>>(
        &mut self,
        label: &str,
        phrases: impl IntoIterator<Item = P>,
        compared: bool,
    ) {
        let phrases = phrases.into_iter().map(Into::into).collect();
        self.list.push(Fact::Labelled { label: label.to_owned(), phrases, compared });
    }

    /// Adds a line without a label. Clicks on the line do nothing.
    pub fn line(&mut self, spans: Vec<Span<'static>>) {
        self.list.push(Fact::Line(spans, None));
    }

    /// Adds a line without a label. A click anywhere on the line edits the number `shown`.
    pub fn line_about(&mut self, spans: Vec<Span<'static>>, shown: Shown) {
        self.list.push(Fact::Line(spans, Some(shown)));
    }

    /// Adds an empty line.
    pub fn blank(&mut self) {
        self.line(Vec::new());
    }

    /// Adds a heading with a horizontal rule that fills the line.
    pub fn part(&mut self, title: &str) {
        let rule = "─".repeat(self.width.saturating_sub(title.width() + 1));
        self.line(vec![
            Span::styled(format!("{title} "), self.theme.dim),
            Span::styled(rule, self.theme.border),
        ]);
    }

    /// Marks each phrase as changed if `before` does not contain it under the same label. `before`
    /// is the same page at the previous frame.
    pub fn mark_changes(&mut self, before: &Self) {
        let mut known: Vec<(&str, &str)> = Vec::new();
        let mut group = "";
        for fact in &before.list {
            if let Fact::Labelled { label, phrases, .. } = fact {
                group = if label.is_empty() { group } else { label };
                known.extend(phrases.iter().map(|phrase| (group, phrase.text.as_str())));
            }
        }
        let mut group = String::new();
        for fact in &mut self.list {
            let Fact::Labelled { label, phrases, compared } = fact else { continue };
            if !label.is_empty() {
                group.clone_from(label);
            }
            for phrase in phrases.iter_mut().filter(|_| *compared) {
                phrase.changed = !known.contains(&(group.as_str(), phrase.text.as_str()));
            }
        }
    }

    /// Formats all entries as lines without clickable parts.
    pub fn lines(&self) -> Vec<Line<'static>> {
        self.rows().into_iter().map(|row| row.line).collect()
    }

    /// Formats all entries as lines with their clickable parts.
    pub fn rows(&self) -> Vec<FactRow> {
        let mut rows = Vec::with_capacity(self.list.len());
        for fact in &self.list {
            match fact {
                Fact::Labelled { label, phrases, .. } => {
                    let mut label = label.as_str();
                    for mut row in broken(phrases, self.width.saturating_sub(LABEL), self.theme) {
                        let label = format!("{:<1$}", core::mem::take(&mut label), LABEL - 1);
                        for spot in &mut row.spots {
                            let (begin, end) = (spot.columns.start, spot.columns.end);
                            spot.columns = begin + label.width()..end + label.width();
                        }
                        row.line.spans.insert(0, Span::styled(label, self.theme.dim));
                        rows.push(row);
                    }
                }
                Fact::Line(spans, shown) => {
                    let mut row = FactRow::from(Line::from(spans.clone()));
                    let columns = 0..self.width.max(row.line.width());
                    row.spots.extend(shown.map(|shows| ClickablePart { columns, shows }));
                    rows.push(row);
                }
            }
        }
        rows
    }
}

/// Returns true if both lists have equal texts in the same order. Styles are ignored.
pub fn same(one: &[Phrase], other: &[Phrase]) -> bool {
    one.iter().map(|phrase| &phrase.text).eq(other.iter().map(|phrase| &phrase.text))
}

/// Distributes phrases over lines of `room` terminal columns. Each phrase has an extra column
/// before it for a change mark. `room` does not count this column for the first phrase of a line.
pub fn broken(phrases: &[Phrase], room: usize, theme: &Theme) -> Vec<FactRow> {
    let mut rows = vec![FactRow::default()];
    let mut used = 0;
    for Phrase { text, style, changed, shows } in phrases {
        let pieces =
            if text.width() > room { pane::wrapped(text, room) } else { vec![text.clone()] };
        for (index, text) in pieces.into_iter().enumerate() {
            if used > 0 && used + 2 + text.width() > room {
                rows.push(FactRow::default());
                used = 0;
            }
            let Some(FactRow { line, spots }) = rows.last_mut() else { continue };
            if used > 0 {
                line.push_span(Span::raw(" "));
                used += 2;
            }
            let columns = used + 1..used + 1 + text.width();
            spots.extend(shows.map(|shows| ClickablePart { columns, shows }));
            used += text.width();
            line.push_span(if *changed && index == 0 {
                Span::styled(glyph::CHANGED, theme.key)
            } else {
                Span::raw(" ")
            });
            line.push_span(Span::styled(text, *style));
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::theme::MONO;

    fn facts(texts: &[(&str, &[&str])]) -> Facts<'static> {
        let mut facts = Facts::new(&MONO, 24);
        for (label, phrases) in texts {
            let phrases = phrases.iter().map(|&text| (text.to_owned(), pane::PLAIN));
            facts.phrases(label, phrases);
        }
        facts
    }

    fn text(facts: &Facts) -> Vec<String> {
        facts.lines().iter().map(Line::to_string).collect()
    }

    #[test]
    fn facts_break_between_phrases() {
        let facts = facts(&[("at", &["(1.000, 2.000)", "on (1, 2)"])]);
        assert_eq!(text(&facts), ["at       (1.000, 2.000)", "         on (1, 2)"]);
    }

    #[test]
    fn values_in_the_pane_are_found_by_their_position() {
        let mut facts = Facts::new(&MONO, 24);
        let phrase = |text: &str| Phrase::from((text.to_owned(), pane::PLAIN));
        let (mass, drag) = (Shown::OfBody("mass"), Shown::OfBody("drag"));
        let phrases =
            [phrase("mass 1").showing(mass), phrase("solid"), phrase("drag 0.25/s").showing(drag)];
        facts.phrases("body", phrases);
        facts.line_about(vec![Span::raw("1 wander")], Shown::OfRow(0, "weight"));
        let rows = facts.rows();
        let found: Vec<_> = rows
            .iter()
            .flat_map(|row| row.spots.iter().map(|spot| (row.line.to_string(), spot.clone())))
            .map(|(line, spot)| {
                let text: String = line.chars().take(spot.columns.end).collect();
                (text.chars().skip(spot.columns.start).collect::<String>(), spot.shows)
            })
            .collect();
        let row = Shown::OfRow(0, "weight");
        let expected = [("mass 1", mass), ("drag 0.25/s", drag), ("1 wander", row)];
        assert_eq!(found, expected.map(|(text, shown)| (text.to_owned(), shown)));
        // A click anywhere on the line edits the number.
        assert_eq!(rows.last().map(|row| row.spots[0].columns.clone()), Some(0..24));
    }

    #[test]
    fn changes_are_marked_without_moving_text() {
        let before =
            facts(&[("at", &["(1, 2)", "tile 1"]), ("rules", &["a: no"]), ("", &["b: 3"])]);
        let now = &[("at", &["(1, 3)", "tile 1"][..]), ("rules", &["a: no"]), ("", &["b: 4"])];
        let mut now = facts(now);
        let plain = text(&now);
        now.mark_changes(&before);
        let lines = ["at      •(1, 3)  tile 1", "rules    a: no", "        •b: 4"];
        assert_eq!(text(&now), lines);
        assert_eq!(lines.map(|line| line.replace('•', " ")).to_vec(), plain);
        now.aside("events", [("one".to_owned(), pane::PLAIN)]);
        now.mark_changes(&before);
        assert_eq!(text(&now)[3], "events   one");
    }
}
