//! Adds and removes rows of a complete table: rows that hold in a sparse file, and rows that the
//! options leave out.

use tilewalk_sim::scenario::run::{RunRow, RunTable, picked};
use tilewalk_sim::trace::ValueColumn;

use crate::show;
use crate::traces::error::RunError;
use crate::traces::header::TraceOptions;

/// Repeats the last row of each agent until its next row. Rows after a frame in `gone` are not
/// repeated.
pub(super) fn filled(table: RunTable, mut gone: Vec<(u32, u32)>) -> RunTable {
    gone.sort_unstable();
    let (mut rows, mut sources) = (Vec::new(), Vec::new());
    let mut first_rows = vec![0];
    for agent in 0..table.agents.len() {
        let start = table.first_rows[agent] as usize;
        let own = table.rows_of(agent);
        for (index, row) in own.iter().enumerate() {
            let next = own.get(index + 1).map_or(table.frames, |next| next.frame);
            let leaves = gone.partition_point(|&at| at < (agent as u32, row.frame + 1));
            let end = gone.get(leaves).filter(|left| left.0 == agent as u32);
            let end = end.map_or(next, |left| left.1.min(next));
            for frame in row.frame..end.max(row.frame + 1) {
                rows.push(RunRow { frame, ..*row });
                sources.push(start + index);
            }
        }
        first_rows.push(rows.len() as u32);
    }
    let columns = picked_columns(&table.columns, &sources);
    RunTable { columns, rows, first_rows, ..table }
}

fn picked_columns(columns: &[ValueColumn], rows: &[usize]) -> Vec<ValueColumn> {
    let picked = |column: &ValueColumn| ValueColumn {
        name: column.name.clone(),
        values: picked(&column.values, rows),
    };
    columns.iter().map(picked).collect()
}

/// The problem of options that select no rows.
pub(super) const NOTHING_SELECTED: &str = "the selected agents have no rows in these frames";

/// Keeps only the agents and frames that the options select.
pub(super) fn selected(table: RunTable, options: &TraceOptions) -> Result<RunTable, RunError> {
    let all = options.rows_from.is_none() && options.rows_to.is_none();
    if all && options.rows_of.is_empty() {
        return Ok(table);
    }
    if let Some(name) = options.rows_of.iter().find(|name| !table.agents.contains(name)) {
        let what = format!("no agent `{}`", show::text(name));
        return Err(RunError::File { label: table.label, what });
    }
    let last = u64::from(table.frames - 1);
    let from = options.rows_from.unwrap_or(0).min(last) as u32;
    let to = options.rows_to.unwrap_or(u64::MAX).min(last) as u32;
    let (mut rows, mut sources) = (Vec::new(), Vec::new());
    let (mut agents, mut groups) = (Vec::new(), Vec::new());
    let mut first_rows = vec![0];
    let mut numbers = vec![None; table.agents.len()];
    for (agent, name) in table.agents.iter().enumerate() {
        if !(options.rows_of.is_empty() || options.rows_of.contains(name)) {
            continue;
        }
        let start = table.first_rows[agent] as usize;
        for (index, row) in table.rows_of(agent).iter().enumerate() {
            if (from..=to).contains(&row.frame) {
                rows.push(RunRow { frame: row.frame - from, ..*row });
                sources.push(start + index);
            }
        }
        if rows.len() as u32 > first_rows[first_rows.len() - 1] {
            numbers[agent] = Some(agents.len() as u32);
            agents.push(name.clone());
            groups.push(table.groups[agent].clone());
            first_rows.push(rows.len() as u32);
        }
    }
    if rows.is_empty() {
        let what = NOTHING_SELECTED.to_owned();
        return Err(RunError::File { label: table.label, what });
    }
    let events = table.events.iter().filter(|(frame, ..)| (from..=to).contains(frame));
    let events = events
        .filter_map(|&(frame, agent, text)| Some((frame - from, numbers[agent as usize]?, text)));
    let events = events.collect();
    let times = table.times.map(|times| {
        let kept = &times[from as usize..=to as usize];
        kept.iter().map(|time| time - kept[0]).collect()
    });
    let columns = picked_columns(&table.columns, &sources);
    let frames = to.max(from) - from + 1;
    Ok(RunTable { agents, groups, rows, first_rows, columns, events, times, frames, ..table })
}
