//! The list of runs, over the map.

use ratatui::layout::Rect;

use crate::history::History;
use crate::history::run::RunId;
use crate::tui::theme::Theme;

use super::list::List;

const COLUMNS: u16 = 64;

/// Returns the list of runs, at the top of the map's area.
pub fn list<'a>(history: &'a History, selected: usize, theme: &'a Theme, map: Rect) -> List<'a> {
    let count = history.runs().len();
    let height = count.saturating_add(3).min(usize::from(map.height)) as u16;
    let area = Rect { width: map.width.min(COLUMNS), height, ..map };
    let row = move |index| vec![(text(history, index), theme.text)].into();
    let head = format!("  {:>4}  {:<16} {:<7} {:>8} {:>8}", "run", "start", "", "end", "commands");
    List { head: Some(head), ..List::new("runs", area, count, Some(selected), theme, row) }
}

fn text(history: &History, index: usize) -> String {
    let run = &history.runs()[index];
    let id = RunId(index as u32);
    let start = match run.branch() {
        None => "frame 0".to_owned(),
        Some(branch) => format!("run {} at {}", branch.parent.0 + 1, branch.at),
    };
    let role = match id {
        id if id == history.present() => "current",
        id if Some(id) == history.ghost() => "ghost",
        _ => "",
    };
    let (end, commands) = (run.end().0, run.log().len());
    format!(" {:>4}  {start:<16} {role:<7} {end:>8} {commands:>8}", index + 1)
}
