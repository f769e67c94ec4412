//! What `diff` answers, for people.

use std::collections::BTreeMap;

use crate::cli::CliError;
use crate::cli::output::Output;
use crate::history::diff::Difference;
use crate::time::Frame;
use crate::words;

use super::Answer;
use super::wire::MOST_NAMES;

/// Spaces between the columns of the table.
const GAP: usize = 2;

/// Prints which two were compared, where they differ first, and the next differences.
pub(super) fn print(answer: &Answer, out: &mut Output) -> Result<(), CliError> {
    let Answer { names: [a, b], comparison, ended } = answer;
    out.line(format_args!("A  {a}\nB  {b}\n"))?;
    let mut differences = comparison.differences().iter();
    match differences.next() {
        Some(first) => {
            let Difference { frame, agent, field, a, b } = first;
            out.line(format_args!("first difference: frame {frame}, {agent}, {field}"))?;
            out.line(format_args!("A  {a}\nB  {b}"))?;
        }
        None if !answer.is_same() && !comparison.has_shared() => out.line("no agents in common")?,
        None => {
            let frames = words::count(comparison.frames(), "frame");
            let beside = if answer.is_same() { "" } else { " for agents in both A and B" };
            out.line(format_args!("no differences in {frames}{beside}"))?;
        }
    }
    if differences.len() > 0 {
        out.line("")?;
        for line in table(differences.as_slice()) {
            out.line(line)?;
        }
    }
    for (side, name) in ["A", "B"].into_iter().enumerate() {
        if let Some(told) = only(comparison.only(side)) {
            out.line(format_args!("\nonly in {name}, {told}"))?;
        }
    }
    if let Some(ended) = ended {
        let (name, other) = [("A", "B"), ("B", "A")][ended.side];
        match ended.last {
            Some(last) => {
                out.line(format_args!("\n{name} ends at frame {last}; {other} continues"))?;
            }
            None => out.line(format_args!("\n{name} has no frames; {other} has frames"))?,
        }
    }
    Ok(())
}

/// The differences below each other, the columns as wide as they need be.
fn table(differences: &[Difference]) -> Vec<String> {
    let header = ["frame", "agent", "field", "A", "B"].map(String::from);
    let row = |difference: &Difference| {
        let Difference { frame, agent, field, a, b } = difference;
        [frame.to_string(), agent.clone(), field.clone(), a.to_string(), b.to_string()]
    };
    let rows: Vec<_> = core::iter::once(header).chain(differences.iter().map(row)).collect();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max();
    let widths: Vec<usize> = (0..5).map(|column| width(column).unwrap_or(0) + GAP).collect();
    let line = |row: &[String; 5]| {
        let cells = row.iter().zip(&widths).map(|(cell, &width)| format!("{cell:width$}"));
        cells.collect::<String>().trim_end().to_owned()
    };
    rows.iter().map(line).collect()
}

/// The first of those that only one side has, and since when; `None` without any.
fn only(agents: &BTreeMap<String, Frame>) -> Option<String> {
    let from = agents.values().min()?;
    let names: Vec<&str> = agents.keys().take(MOST_NAMES).map(String::as_str).collect();
    let more = match agents.len() - names.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    Some(format!("from frame {from}: {}{more}", names.join(", ")))
}
