//! Draws the facts of two agents side by side. Facts with the same label share a line, and
//! differences are marked.

use ratatui::style::Style;
use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr;

use crate::tui::draw::facts::{Fact, Facts, LABEL, Phrase, broken, same};
use crate::tui::draw::pane;
use crate::tui::glyph;
use crate::tui::theme::Theme;

#[derive(Debug, Default)]
struct Group<'a> {
    label: &'a str,
    facts: Vec<&'a [Phrase]>,
    lines: Vec<&'a [Span<'static>]>,
}

/// Returns the facts of two agents in two columns under their names.
///
/// Lines without a label are not split into columns. Such lines of the first agent come before such
/// lines of the second.
pub fn lines(names: [&str; 2], facts: [&Facts; 2]) -> Vec<Line<'static>> {
    let (theme, width) = (facts[0].theme, facts[0].width());
    // Each column starts with a change mark. A gap and a difference sign separate the columns.
    let room = width.saturating_sub(LABEL + 3) / 2;
    let columns = Columns { room, theme };
    let head =
        names.map(|name| vec![Span::raw(" "), Span::styled(pane::fitted(name, room), theme.title)]);
    let [left, right] = head;
    let mut lines = vec![columns.row("", left, " ", right)];
    let mut others = groups(facts[1]);
    for group in groups(facts[0]) {
        let place = others.iter().position(|other| other.label == group.label);
        let other = place.map(|place| others.remove(place)).unwrap_or_default();
        columns.group(&group, &other, names, &mut lines);
    }
    for other in others {
        let none = Group { label: other.label, ..Group::default() };
        columns.group(&none, &other, names, &mut lines);
    }
    lines
}

/// Returns the facts of the first agent, followed by the facts of the second. Each part starts with
/// the agent's name.
pub fn stacked(names: [&str; 2], facts: [&Facts; 2]) -> Vec<Line<'static>> {
    let lines = names.into_iter().zip(facts).flat_map(|(name, facts)| {
        [Line::styled(name.to_owned(), facts.theme.title)].into_iter().chain(facts.lines())
    });
    lines.collect()
}

/// Groups consecutive facts with the same label. Lines without a label form groups of their own.
fn groups<'a>(facts: &'a Facts) -> Vec<Group<'a>> {
    let mut groups: Vec<Group> = Vec::new();
    for fact in &facts.list {
        match fact {
            Fact::Labelled { label, phrases, .. } => {
                let continues =
                    label.is_empty() && groups.last().is_some_and(|group| group.lines.is_empty());
                if !continues {
                    groups.push(Group { label, ..Group::default() });
                }
                if let Some(group) = groups.last_mut() {
                    group.facts.push(phrases);
                }
            }
            Fact::Line(spans, _) => {
                if groups.last().is_none_or(|group| group.lines.is_empty()) {
                    groups.push(Group::default());
                }
                if let Some(group) = groups.last_mut() {
                    group.lines.push(spans);
                }
            }
        }
    }
    groups
}

#[derive(Debug, Clone, Copy)]
struct Columns<'a> {
    /// Width of each agent's column in terminal columns, without the change mark.
    room: usize,
    theme: &'a Theme,
}

impl Columns<'_> {
    fn group(self, one: &Group, other: &Group, names: [&str; 2], lines: &mut Vec<Line<'static>>) {
        for index in 0..one.facts.len().max(other.facts.len()) {
            let (left, right) = (one.facts.get(index), other.facts.get(index));
            let differs = match (left, right) {
                (Some(left), Some(right)) => !same(left, right),
                _ => true,
            };
            let broken = |phrases: Option<&&[Phrase]>| {
                let rows = phrases.map(|phrases| broken(phrases, self.room, self.theme));
                rows.into_iter().flatten().map(|row| row.line.spans).collect::<Vec<_>>()
            };
            let (mut left, mut right) = (broken(left).into_iter(), broken(right).into_iter());
            let rows = left.len().max(right.len());
            for row in 0..rows {
                let label = if row == 0 && index == 0 { one.label } else { "" };
                let sign = if differs && row == 0 { glyph::DIFFERS } else { " " };
                let (left, right) = (left.next(), right.next());
                lines.push(self.row(
                    label,
                    left.unwrap_or_default(),
                    sign,
                    right.unwrap_or_default(),
                ));
            }
        }
        for (name, group) in names.into_iter().zip([one, other]) {
            if !group.lines.is_empty() {
                lines.push(Line::styled(name.to_owned(), self.theme.title));
                lines.extend(group.lines.iter().map(|spans| Line::from(spans.to_vec())));
            }
        }
    }

    fn row(
        self,
        label: &str,
        left: Vec<Span<'static>>,
        sign: &'static str,
        right: Vec<Span<'static>>,
    ) -> Line<'static> {
        let used: usize = left.iter().map(|span| span.content.width()).sum();
        let gap = " ".repeat((self.room + 2).saturating_sub(used));
        let mut spans = vec![Span::styled(format!("{label:<0$}", LABEL - 1), self.theme.dim)];
        spans.extend(left);
        spans.push(Span::styled(gap, Style::new()));
        spans.push(Span::styled(sign, self.theme.warn));
        spans.extend(right);
        Line::from(spans)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::theme::MONO;

    #[test]
    fn equal_labels_share_a_row_and_differences_are_marked() {
        let facts = |at: &str, more: &str| {
            let mut facts = Facts::new(&MONO, 32);
            facts.fact("mass", "1");
            facts.fact("at", at);
            facts.fact(more, "yes");
            facts.line(vec![Span::raw(format!("a row of {more}"))]);
            facts
        };
        let (one, other) = (facts("(1, 1)", "stuck"), facts("(2, 1) and more", "blocked"));
        let text: Vec<_> =
            lines(["guard", "thief"], [&one, &other]).iter().map(Line::to_string).collect();
        let text: Vec<_> = text.iter().map(|line| line.trim_end()).collect();
        assert_eq!(
            text,
            [
                "         guard        thief",
                "mass     1            1",
                "at       (1, 1)     ≠ (2, 1) and",
                "                      more",
                "stuck    yes        ≠",
                "guard",
                "a row of stuck",
                "thief",
                "a row of blocked",
                "blocked             ≠ yes",
            ]
        );
    }
}
