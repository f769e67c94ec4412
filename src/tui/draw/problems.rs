//! Describes errors and warnings in the map's files: a banner in the status line, and a list above
//! the timeline.

use ratatui::layout::Rect;
use ratatui::style::Style;
use unicode_width::UnicodeWidthStr;

use crate::debugger::problems::{Problem, Problems};
use crate::tui::action::{Action, Context, Keymap};
use crate::tui::theme::Theme;
use crate::words;

use super::list::{List, Spans};
use super::pane;

/// Maximum number of visible lines, without the border.
const ROWS: u16 = 16;

/// Minimum width of an error beside the hint at its end, in terminal columns.
const LEAST: usize = 16;

/// Indentation of file excerpts and help texts, in terminal columns.
const INDENT: usize = 4;

/// Returns the message about the first error in the map's files, cut to `room` columns. Returns
/// `None` if there are only warnings. A suggestion comes first, because a narrow screen cuts the
/// text.
pub fn banner(problems: &Problems, keymap: &Keymap, room: usize) -> Option<String> {
    let first = problems.list().first().filter(|first| first.is_error)?;
    let key = keymap.named(Action::Problems, Context::Map);
    let end = match problems.errors() {
        1 => format!("({key}: more)"),
        many => format!("({many} errors, {key}: list)"),
    };
    let hint = first.help.iter().find(|help| help.starts_with("did you mean"));
    let hint = hint.map_or(String::new(), |hint| format!("{hint} "));
    let text = format!("{}{hint}{}", place(first), first.message);
    let room = room.saturating_sub(end.width() + 1);
    Some(if room < LEAST { text } else { format!("{} {end}", pane::fitted(&text, room)) })
}

fn place(problem: &Problem) -> String {
    match problem.place.as_str() {
        "" => String::new(),
        place => format!("{place}: "),
    }
}

/// Returns the numbers of errors and warnings, such as `1 error, 2 warnings`. Empty without problems.
pub fn counts(problems: &Problems) -> String {
    let counts = [(problems.errors(), "error"), (problems.warnings(), "warning")];
    let counts = counts.into_iter().filter(|(count, _)| *count > 0);
    let counts: Vec<_> = counts.map(|(count, word)| words::count(count as u64, word)).collect();
    counts.join(", ")
}

fn headline(problem: &Problem) -> String {
    format!("{}{}", place(problem), problem.message)
}

/// Returns the list of errors and warnings, placed in the lowest rows of `area`. The problem at
/// index `selected` shows its file excerpt and help.
pub fn list<'a>(problems: &'a Problems, selected: usize, theme: &'a Theme, area: Rect) -> List<'a> {
    let count = problems.list().len();
    let width = usize::from(area.width.saturating_sub(3));
    let mut details = Vec::new();
    if let Some(problem) = problems.list().get(selected) {
        let rest = pane::wrapped(&text(problem), width).into_iter().skip(1);
        details.extend(rest.map(|line| (line, style(problem, theme))));
        details.extend(excerpt(problem, width, theme));
        for help in &problem.help {
            let wrapped = pane::wrapped(&format!("help: {help}"), width.saturating_sub(INDENT));
            details
                .extend(wrapped.iter().map(|line| (format!("{:INDENT$}{line}", ""), theme.text)));
        }
    }
    let title = counts(problems);
    let lines = count + details.len();
    let area = pane::at_bottom((lines as u16).min(ROWS).saturating_add(2), u16::MAX, area);
    let hidden = lines.saturating_sub(usize::from(area.height.saturating_sub(2)));
    let row = move |index: usize| {
        let problem = &problems.list()[index];
        let wrapped = pane::wrapped(&text(problem), width).into_iter().next();
        let text = if index == selected { wrapped.unwrap_or_default() } else { text(problem) };
        vec![(format!(" {text}"), style(problem, theme))].into()
    };
    List {
        right: if hidden > 0 { format!("{hidden} more lines") } else { String::new() },
        details,
        ..List::new(title, area, count, Some(selected), theme, row)
    }
}

fn text(problem: &Problem) -> String {
    let word = if problem.is_error { "error" } else { "warning" };
    format!("{word} {}", headline(problem))
}

fn style(problem: &Problem, theme: &Theme) -> Style {
    if problem.is_error { theme.bad } else { theme.warn }
}

/// Returns the source line of a problem, and a line with carets below the marked part. Returns no
/// lines if the problem has no source line. `width` is in columns.
fn excerpt(problem: &Problem, width: usize, theme: &Theme) -> Spans {
    if problem.line.is_empty() {
        return Vec::new();
    }
    let room = width.saturating_sub(INDENT).max(1);
    let (begin, end) = problem.span;
    // The start of a long line is cut, so that the carets are visible.
    let left_out = (begin + 8).saturating_sub(room);
    let line: String = problem.line.chars().skip(left_out).collect();
    let before: String = line.chars().take(begin - left_out.min(begin)).collect();
    let meant: String = line.chars().skip(before.chars().count()).take(end - begin).collect();
    let carets = "^".repeat(meant.width().max(1));
    let indent = " ".repeat(INDENT);
    vec![
        (format!("{indent}{line}"), theme.strong),
        (format!("{indent}{}{carets}", " ".repeat(before.width())), theme.key),
    ]
}
