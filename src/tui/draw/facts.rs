//! Facts in lines: a label, then phrases; which of them changed.

use ratatui::style::Style;
use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr;

use crate::tui::glyph;
use crate::tui::theme::Theme;

use super::pane;

/// Columns of a fact's label, with the gap after it.
pub const LABEL: usize = 9;

/// A part of a fact that is never broken, if it fits a line.
#[derive(Debug, Clone, PartialEq)]
pub struct Phrase {
    text: String,
    style: Style,
    changed: bool,
}

/// One thing that is told.
#[derive(Debug, Clone, PartialEq)]
pub enum Fact {
    /// A label and phrases, two columns apart.
    Told {
        /// The label; empty where the fact before goes on.
        label: String,
        /// What is told.
        phrases: Vec<Phrase>,
        /// Is it compared with the frame before?
        compared: bool,
    },
    /// A line of its own.
    Line(Vec<Span<'static>>),
}

/// Facts, each with a label before it, broken between phrases where they are too long.
#[derive(Debug)]
pub struct Facts<'a> {
    /// The facts so far.
    pub list: Vec<Fact>,
    /// The styles.
    pub theme: &'a Theme,
    width: usize,
}

impl<'a> Facts<'a> {
    /// None yet, for lines of `width` columns.
    pub fn new(theme: &'a Theme, width: usize) -> Self {
        Self { list: Vec::new(), theme, width }
    }

    /// Columns a line has.
    pub fn width(&self) -> usize {
        self.width
    }

    /// A fact in one style.
    pub fn fact(&mut self, label: &str, text: impl Into<String>) {
        let style = self.theme.text;
        self.phrases(label, [(text.into(), style)]);
    }

    /// A fact made of phrases.
    pub fn phrases(&mut self, label: &str, phrases: impl IntoIterator<Item = (String, Style)>) {
        self.tell(label, phrases, true);
    }

    /// A fact that the frame before has no counterpart of: it never counts as changed.
    pub fn aside(&mut self, label: &str, phrases: impl IntoIterator<Item = (String, Style)>) {
        self.tell(label, phrases, false);
    }

    fn tell(
        &mut self,
        label: &str,
        phrases: impl IntoIterator<Item = (String, Style)>,
        compared: bool,
    ) {
        let phrase = |(text, style)| Phrase { text, style, changed: false };
        let phrases = phrases.into_iter().map(phrase).collect();
        self.list.push(Fact::Told { label: label.to_owned(), phrases, compared });
    }

    /// A line of its own.
    pub fn line(&mut self, spans: Vec<Span<'static>>) {
        self.list.push(Fact::Line(spans));
    }

    /// An empty line.
    pub fn blank(&mut self) {
        self.line(Vec::new());
    }

    /// A line between two parts.
    pub fn part(&mut self, title: &str) {
        let rule = "─".repeat(self.width.saturating_sub(title.width() + 1));
        self.line(vec![
            Span::styled(format!("{title} "), self.theme.dim),
            Span::styled(rule, self.theme.border),
        ]);
    }

    /// Marks every phrase that the facts of the frame before don't have under the same label.
    pub fn mark_changes(&mut self, before: &Self) {
        let mut known: Vec<(&str, &str)> = Vec::new();
        let mut group = "";
        for fact in &before.list {
            if let Fact::Told { label, phrases, .. } = fact {
                group = if label.is_empty() { group } else { label };
                known.extend(phrases.iter().map(|phrase| (group, phrase.text.as_str())));
            }
        }
        let mut group = String::new();
        for fact in &mut self.list {
            let Fact::Told { label, phrases, compared } = fact else { continue };
            if !label.is_empty() {
                group.clone_from(label);
            }
            for phrase in phrases.iter_mut().filter(|_| *compared) {
                phrase.changed = !known.contains(&(group.as_str(), phrase.text.as_str()));
            }
        }
    }

    /// All of them in lines.
    pub fn lines(&self) -> Vec<Line<'static>> {
        let mut lines = Vec::with_capacity(self.list.len());
        for fact in &self.list {
            match fact {
                Fact::Told { label, phrases, .. } => {
                    let mut label = label.as_str();
                    for spans in broken(phrases, self.width.saturating_sub(LABEL), self.theme) {
                        let label = core::mem::take(&mut label);
                        let mut line =
                            vec![Span::styled(format!("{label:<0$}", LABEL - 1), self.theme.dim)];
                        line.extend(spans);
                        lines.push(Line::from(line));
                    }
                }
                Fact::Line(spans) => lines.push(Line::from(spans.clone())),
            }
        }
        lines
    }
}

/// Do facts say the same?
pub fn same(one: &[Phrase], other: &[Phrase]) -> bool {
    one.iter().map(|phrase| &phrase.text).eq(other.iter().map(|phrase| &phrase.text))
}

/// Phrases in lines of so many columns; the column before each phrase is the mark's.
pub fn broken(phrases: &[Phrase], room: usize, theme: &Theme) -> Vec<Vec<Span<'static>>> {
    let mut lines = vec![Vec::new()];
    let mut used = 0;
    for Phrase { text, style, changed } in phrases {
        let pieces =
            if text.width() > room { pane::wrapped(text, room) } else { vec![text.clone()] };
        for (index, text) in pieces.into_iter().enumerate() {
            if used > 0 && used + 2 + text.width() > room {
                lines.push(Vec::new());
                used = 0;
            }
            let Some(line) = lines.last_mut() else { continue };
            if used > 0 {
                line.push(Span::raw(" "));
                used += 2;
            }
            used += text.width();
            line.push(if *changed && index == 0 {
                Span::styled(glyph::CHANGED, theme.key)
            } else {
                Span::raw(" ")
            });
            line.push(Span::styled(text, *style));
        }
    }
    lines
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

    fn told(facts: &Facts) -> Vec<String> {
        facts.lines().iter().map(Line::to_string).collect()
    }

    #[test]
    fn facts_break_between_phrases() {
        let facts = facts(&[("at", &["(1.000, 2.000)", "on (1, 2)"])]);
        assert_eq!(told(&facts), ["at       (1.000, 2.000)", "         on (1, 2)"]);
    }

    #[test]
    fn what_the_frame_before_does_not_have_is_marked_and_nothing_moves() {
        let before =
            facts(&[("at", &["(1, 2)", "tile 1"]), ("rules", &["a: no"]), ("", &["b: 3"])]);
        let now = &[("at", &["(1, 3)", "tile 1"][..]), ("rules", &["a: no"]), ("", &["b: 4"])];
        let mut now = facts(now);
        let plain = told(&now);
        now.mark_changes(&before);
        let lines = ["at      •(1, 3)  tile 1", "rules    a: no", "        •b: 4"];
        assert_eq!(told(&now), lines);
        assert_eq!(lines.map(|line| line.replace('•', " ")).to_vec(), plain);
        now.aside("events", [("one".to_owned(), pane::PLAIN)]);
        now.mark_changes(&before);
        assert_eq!(told(&now)[3], "events   one");
    }
}
