//! Parses a line of a trace.

use std::borrow::Cow;
use std::str::FromStr;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::show;
use tilewalk_sim::geom::{TilePos, Vec2};
use tilewalk_sim::history::diff::TraceRow;
use tilewalk_sim::time::Frame;

use super::COLUMNS;

/// Parses comma-separated values into `row` and returns the frame. The error is a description of
/// the problem.
pub(super) fn csv(line: &str, row: &mut TraceRow) -> Result<Frame, String> {
    let mut cells = line.split(',');
    let mut values = [""; COLUMNS.len()];
    for (value, column) in values.iter_mut().zip(COLUMNS) {
        *value = cells.next().ok_or_else(|| format!("missing column `{column}`"))?;
    }
    read(values, row)
}

/// A JSON object of a trace. Numbers are kept as text, so that no precision is lost.
#[derive(Deserialize)]
struct Record<'a> {
    #[serde(borrow)]
    frame: &'a RawValue,
    #[serde(borrow)]
    time: &'a RawValue,
    #[serde(borrow)]
    agent: Cow<'a, str>,
    #[serde(borrow)]
    mode: Cow<'a, str>,
    #[serde(borrow)]
    x: &'a RawValue,
    #[serde(borrow)]
    y: &'a RawValue,
    #[serde(borrow)]
    vx: &'a RawValue,
    #[serde(borrow)]
    vy: &'a RawValue,
    #[serde(borrow)]
    heading: &'a RawValue,
    #[serde(borrow)]
    tile_x: &'a RawValue,
    #[serde(borrow)]
    tile_y: &'a RawValue,
}

/// Parses a JSON object into `row` and returns the frame. The error is a description of the
/// problem.
pub(super) fn ndjson(line: &str, row: &mut TraceRow) -> Result<Frame, String> {
    let record: Record = serde_json::from_str(line).map_err(|error| {
        // The error always names line 1, because the text is a single line.
        let text = error.to_string();
        let what = text.split(" at line ").next().unwrap_or_default();
        format!("column {}: {}", error.column(), show::text(what))
    })?;
    let Record { frame, time, agent, mode, x, y, vx, vy, heading, tile_x, tile_y } = record;
    let [frame, time, x, y] = [frame, time, x, y].map(RawValue::get);
    let [vx, vy, heading, tile_x, tile_y] = [vx, vy, heading, tile_x, tile_y].map(RawValue::get);
    read([frame, time, &agent, &mode, x, y, vx, vy, heading, tile_x, tile_y], row)
}

/// Parses the values of all columns into `row` and returns the frame.
fn read(values: [&str; COLUMNS.len()], row: &mut TraceRow) -> Result<Frame, String> {
    let [frame, time, agent, mode, x, y, vx, vy, heading, tile_x, tile_y] = values;
    row.set_agent(name(agent, "agent")?);
    row.mode.clear();
    row.mode.push_str(name(mode, "mode")?);
    row.time = number(time, "time")?;
    row.position = Vec2::new(number(x, "x")?, number(y, "y")?);
    row.velocity = Vec2::new(number(vx, "vx")?, number(vy, "vy")?);
    row.heading = number(heading, "heading")?;
    row.tile = TilePos::new(whole(tile_x, "tile_x")?, whole(tile_y, "tile_y")?);
    whole(frame, "frame").map(Frame)
}

fn name<'a>(text: &'a str, column: &str) -> Result<&'a str, String> {
    if text.is_empty() || text.chars().any(show::is_hidden) {
        return Err(format!("`{column}` must be a name, not `{}`", show::text(text)));
    }
    Ok(text)
}

fn number(text: &str, column: &str) -> Result<f32, String> {
    let number = text.parse().ok().filter(|number: &f32| number.is_finite());
    number.ok_or_else(|| format!("`{column}` must be a number, not `{}`", show::text(text)))
}

fn whole<T: FromStr>(text: &str, column: &str) -> Result<T, String> {
    text.parse().map_err(|_| format!("`{column}` must be an integer, not `{}`", show::text(text)))
}
